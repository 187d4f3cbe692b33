//! Babson's query machine: HIR to bytecode, the optimizer, the machine and its effect log.
//!
//! ```text
//! HIR ── optimize ──> HIR ── compile ──> Program ──┐
//!                      └─────── prefilter ─────────┤
//!                                        Game ── Machine::run ──> Outcome
//! ```
//!
//! A [`Program`] is compiled once and shared by all threads. A [`Machine`] belongs to one thread.
//! It evaluates the program on one game after another. What a match adds to its game (comments,
//! tags, sort keys) is in the [`Outcome`].
//!
//! ```
//! use babson_vm::{Dialect, Machine, Program};
//!
//! let bytes = b"[White \"Ann\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"Bob\"]\n\n1. d4 *\n";
//! let program = Program::parse("mate", Dialect::CQLI)?;
//! let mut machine = Machine::new(program);
//! for hit in machine.search(bytes) {
//!     let hit = hit?;
//!     println!("{} {}", hit.game, hit.positions[0].mv);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate can be used alone. The modules [`chess`], [`pgn`], [`lang`] and [`cql3`] are the
//! crates whose types it names. The root has the two of these types that every program needs:
//! [`Dialect`] and [`Position`].
//!
//! | to run a query on | call | result |
//! | --- | --- | --- |
//! | one position | [`Machine::matches`], [`Machine::evaluate`] | a `bool`, a [`Value`] |
//! | the text of one game | [`Machine::run_text`] | a [`Hit`], if it matches |
//! | a database | [`Machine::search`], [`Machine::search_reader`] | one [`Match`] after another |
//! | a game that the caller has read | [`Machine::run`] | an [`Outcome`] |
//!
//! Begin to read with [`Program`] and the op table (module `op`), then `compile` and `machine`.
//! `babson explain` prints the stages of a query.
//!
//! The glossary, `docs/src/glossary.md` in the repository, explains the terms.

#![forbid(unsafe_code)]
// Exhaustive matches only: a new variant must be handled everywhere.
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
mod game_damage;
mod game_dependence;
mod game_guard;
mod hit;
mod host;
mod images;
mod input_reason;
mod limits;
mod machine;
mod match_row;
mod need;
mod op;
mod optimize;
mod options;
mod outcome;
mod packed;
mod parse;
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
pub use game_damage::{GameDamage, RowDamage};
pub use game_dependence::{DependentUse, GameDependence};
pub use game_guard::{ConditionRows, FactColumns, GameGuard, TagColumn, TagTest, TouchedColumns};
pub use hit::{GameOrigin, Hit};
pub use host::{Host, HostError, Pipe, PipeError, RefusingHost};
pub use input_reason::{ArchiveReason, InputReason};
pub use limits::{DEFAULT_KEPT_ENTRIES, MAX_GAMES_AT_LIMIT, MAX_PIPE_ANSWER};
pub use machine::{Machine, PipeFailure, SharedChanges, SharedChangesData};
pub use match_row::{
    AddedComment, FieldEntry, Match, MatchedPosition, Origin, SortData, SortEntry, move_after,
    move_before,
};
pub use options::{CompileOptions, DEFAULT_MEMORY, DEFAULT_STEPS, GameContext, RunOptions};
pub use outcome::{
    Comments, Field, HidesTag, Outcome, RunError, RunLimit, RuntimeError, SortValue,
};
pub use parse::{LocatedDiagnostic, ParseError, analyze, analyze_resolved};
pub use profile::{Counter, ProfiledFilter};
pub use program::{Explanation, Program, Sharing};
pub use stop::{CancelToken, StopSignal, Stopped};
pub use trace::{Trace, TraceEntry, Verdict};
pub use tracing::{TraceRefusal, Tracing};
pub use units::in_units;
pub use value::{PositionValue, Value};
pub use why::{FirstFailure, Why};

pub use babson_chess::Position;
pub use babson_lang::Dialect;

pub use babson_chess as chess;
pub use babson_cql3 as cql3;
pub use babson_lang as lang;
pub use babson_pgn as pgn;

/// The examples of the README of the crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
