//! Babson's query machine: HIR to bytecode, the optimizer, the machine and its effect log.
//!
//! ```text
//! HIR ── optimize ──> HIR ── compile ──> Program ──┐
//!                      └─────── prefilter ─────────┤
//!                                        Game ── Machine::run ──> Outcome
//! ```
//!
//! A [`Program`] is compiled once from a typed query and shared by all threads. A [`Machine`]
//! belongs to one thread and evaluates the program on one game after another. What a match adds to
//! its game (comments, tags, sort keys) is in the [`Outcome`].
//!
//! ```
//! use babson_lang::{Dialect, analyze};
//! use babson_pgn::Reader;
//! use babson_vm::{GameContext, Machine, Program, RunOptions};
//!
//! let analysis = analyze("mate", Dialect::CQLI).unwrap();
//! let program = Program::compile(&analysis.query).unwrap();
//! let mut reader = Reader::new();
//! let game = reader.read(b"1. f3 e5 2. g4 Qh4# 0-1\n", program.needs());
//! let options = RunOptions::default();
//! let context = GameContext { number: 1, last_number: None, options: &options };
//! let outcome = Machine::new(program.clone()).run(&game, &context).unwrap().clone();
//! assert_eq!(outcome.positions, [4]);
//! ```
//!
//! Begin to read with [`Program`] and the op table (module `op`), then `compile` and `machine`.
//! `babson explain` prints the stages of a query.
//!
//! The terms are those of the glossary, `docs/src/glossary.md` in the repository.

// A new variant must be thought of wherever its enum is matched.
// `clippy.toml` keeps the crate pure. Tests read the corpus, and their hosts record what they do.
#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::disallowed_types))]
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

pub mod filters;
pub mod run;

mod allowance;
mod analysis;
mod code;
mod compile;
mod event;
mod explain;
mod game_columns;
mod game_guard;
mod host;
mod images;
mod limits;
mod machine;
mod match_row;
mod op;
mod optimize;
mod options;
mod outcome;
mod packed;
mod prefilter;
mod profile;
mod program;
mod regex;
mod similar;
mod stop;
mod trace;
mod tracing;
mod units;
mod value;
mod why;

#[cfg(test)]
mod tests;

pub use event::{BrokenInput, DamagedGame, Event, InputFailure, Progress};
pub use game_columns::{GameColumns, tag_value};
pub use game_guard::{ConditionRows, FactColumns, GameGuard, TagColumn, TagTest, TouchedColumns};
pub use host::{Host, HostError, Pipe, PipeError, RefusingHost};
pub use limits::{DEFAULT_KEPT_ENTRIES, MAX_GAMES_AT_LIMIT, MAX_PIPE_ANSWER};
pub use machine::{Machine, PipeFailure, SharedChanges, SharedChangesData};
pub use match_row::{
    AddedComment, FieldEntry, Match, MatchedPosition, Origin, SortData, SortEntry, move_after,
    move_before,
};
pub use options::{CompileOptions, DEFAULT_MEMORY, DEFAULT_STEPS, GameContext, RunOptions};
pub use outcome::{Field, HidesTag, Outcome, RunError, RunLimit, RuntimeError, SortValue};
pub use profile::{Counter, ProfiledFilter};
pub use program::{Explanation, Program, Sharing};
pub use stop::{CancelToken, StopSignal, Stopped};
pub use trace::{Trace, TraceEntry, Verdict};
pub use tracing::Tracing;
pub use units::in_units;
pub use value::{PositionValue, Value};
pub use why::{FirstFailure, Why};
