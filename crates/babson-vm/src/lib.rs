//! Babson's query machine: HIR to bytecode, the optimizer, the machine and its log of effects.
//!
//! A [`Program`] is compiled once from a typed query and shared by all threads; a [`Machine`]
//! belongs to one thread and evaluates the program on one game after the other.
//!
//! The terms are those of the glossary, `docs/src/glossary.md` in the repository.

// A new variant must be thought of wherever its enum is matched.
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

pub mod filters;

mod analysis;
mod compile;
mod explain;
mod files;
mod guard;
mod images;
mod limits;
mod machine;
mod op;
mod optimize;
mod options;
mod outcome;
mod packed;
mod profile;
mod program;
mod regex;
mod similar;

#[cfg(test)]
mod tests;

pub use files::{read_regular_file, read_up_to};
pub use limits::DEFAULT_KEPT_ENTRIES;
pub use machine::{Machine, Part, kill_pipes};
pub use options::{DEFAULT_MEMORY, DEFAULT_PIPE_TIMEOUT, DEFAULT_STEPS, GameContext, RunOptions};
pub use outcome::{Outcome, RuntimeError, SortValue};
pub use profile::{Counter, ProfiledFilter};
pub use program::{Explanation, Program, Sharing};
