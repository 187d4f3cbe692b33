//! Babson for embedders: compile a query of CQL, the Chess Query Language, and run it.
//!
//! ```text
//!        ┌── Query::evaluate ──> Value         one position
//! Query ─┼── Matcher::run ─────> Hit           one game
//!        ├── Query::search ────> Match, …      any reader, on this thread
//!        └── Scan ─────────────> Event, …      files, on all cores
//! ```
//!
//! ```
//! use babson::{Position, Query, Value};
//!
//! let query = Query::compile("mate")?;
//! let games = "[White \"Adams\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"Zukertort\"]\n\n1. d4 *\n";
//! for hit in query.search(games.as_bytes()) {
//!     let hit = hit?;
//!     println!("game {} matches after {}", hit.game, hit.positions[0].mv);
//! }
//! assert_eq!(query.evaluate(&Position::start())?, Value::Bool(false));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `Scan` needs the feature `engine`, which is on by default. Without it the crate is pure: it uses
//! no files, threads or clocks, and builds for WebAssembly. The features `gzip` and `zstd`, which
//! are on by default, read compressed inputs.
//!
//! Begin to read with [`Query`]. The crates below are reexported as [`chess`], [`pgn`], [`lang`],
//! [`vm`] and `engine`; each says in its first lines how it works and where to begin.
//!
//! The terms are those of the glossary, `docs/src/glossary.md` in the repository.

#![forbid(unsafe_code)]
// A new variant must be thought of wherever its enum is matched.
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod builder;
mod error;
mod limits;
mod matcher;
mod query;
#[cfg(feature = "engine")]
mod scan;
mod search;
mod typed;

pub use builder::{QueryBuilder, VariableValue};
pub use error::CompileError;
pub use matcher::{Hit, Matcher};
pub use query::Query;
#[cfg(feature = "engine")]
pub use scan::Scan;
pub use search::{Search, SearchCounts, SearchError, SearchEvents};
pub use typed::TypedQuery;

pub use babson_chess::Position;
#[cfg(feature = "engine")]
pub use babson_engine::{
    Error, FileSink, Input, JobSummary, RunningScan, Sink, SinkResult, Slice, SliceResult, Summary,
    SystemHost,
};
pub use babson_lang::hir::{CommentLevel, FileName, Header, OutsideAccess};
pub use babson_lang::{Diagnostic, Dialect, QueryParts, RelatedSpan, Remedy, Severity, Span};
pub use babson_pgn::Game;
pub use babson_vm::{
    DamagedGame, Event, Host, Match, Origin, PositionValue, Progress, RunOptions, RuntimeError,
    SortValue, Trace, TraceEntry, Value, Verdict,
};

pub use babson_chess as chess;
#[cfg(feature = "engine")]
pub use babson_engine as engine;
/// What a query reaches outside of the games.
pub mod host {
    #[cfg(feature = "engine")]
    pub use babson_engine::{DEFAULT_PIPE_TIMEOUT, KilledChildren, SystemHost};
    pub use babson_vm::{Host, HostError, MAX_PIPE_ANSWER, Pipe, PipeError, RefusingHost};
}

pub use babson_lang as lang;
pub use babson_pgn as pgn;
pub use babson_vm as vm;
