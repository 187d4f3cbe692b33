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
//! no files, threads or clocks, and builds for WebAssembly. The features `bzip2`, `gzip`, `xz`,
//! `zip` and `zstd`, which are on by default, read compressed inputs and archives, and `table`,
//! also on by default, reads and writes game tables. `report`, which is off by default, has the
//! HTML page of matches.
//!
//! Begin to read with [`Query`]. The modules have what is needed less often: [`chess`] and [`pgn`]
//! are the crates of boards and games; [`text`] and [`cql3`] are for tools that rewrite queries,
//! [`host`] is what a query reaches outside of the games, and with the feature `engine`, `sink` is
//! for outputs of your own and `files` for the files of a scan. With the feature `report`, `report`
//! is the crate of HTML pages.
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
mod settings;
#[cfg(feature = "engine")]
mod tag_texts;
mod typed;
#[cfg(feature = "engine")]
mod why;

pub use builder::{QueryBuilder, VariableValue};
pub use error::CompileError;
pub use matcher::Matcher;
pub use query::Query;
#[cfg(feature = "engine")]
pub use scan::Scan;
pub use search::{Search, SearchCounts, SearchError, SearchEvents};
#[cfg(feature = "engine")]
pub use tag_texts::{
    OtherSpelling, PlainAlternatives, SearchedTag, other_spellings, plain_alternatives,
};
pub use typed::TypedQuery;
#[cfg(feature = "engine")]
pub use why::GameWhy;

pub use babson_chess::Position;
#[cfg(feature = "engine")]
pub use babson_engine::{
    ConditionStats, Error, FatalError, FileSink, GuardStats, Input, InputRange, JobSummary,
    KeptParts, MAX_THREADS, Observer, OutputRefusal, PartDestination, ResumedScan, RunningScan,
    Settings, Silent, Sink, SinkResult, Slice, SliceResult, Summary,
};
pub use babson_lang::hir::{CommentLevel, FileName, Header, OutsideAccess};
pub use babson_lang::{Diagnostic, Dialect, QueryParts, RelatedSpan, Remedy, Severity, Span};
pub use babson_pgn::Game;
pub use babson_vm::{
    AddedComment, BrokenInput, CancelToken, Counter, DEFAULT_STEPS, DamagedGame, Event,
    Explanation, FirstFailure, GameColumns, Hit, InputFailure, Match, MatchedPosition, Origin,
    Outcome, PositionValue, ProfiledFilter, Progress, RunLimit, RunOptions, RuntimeError, SortData,
    SortEntry, SortValue, StopSignal, Stopped, Trace, TraceEntry, Value, Verdict, Why,
};
#[cfg(feature = "engine")]
pub use host::SystemHost;
pub use host::{Host, RefusingHost};

pub use babson_chess as chess;
pub use babson_pgn as pgn;
#[cfg(feature = "report")]
pub use babson_report as report;

/// The text of queries: tokens, formatting, spelling, the book's entries of words.
pub mod text {
    pub use babson_lang::reference::{Entry, entries, entries_of, signature_of};
    pub use babson_lang::synonyms::{self, Synonym};
    pub use babson_lang::text::{
        Spelling, Token, TokenClass, comments, convert, format, is_variable_name, string, tokens,
    };
    pub use babson_lang::vocabulary::Term;
    pub use babson_lang::{declared_dialect, hhdb_parts, leading_fen};
}

/// The codes of diagnostics: [`Diagnostic::code`].
pub mod diagnostic {
    pub use babson_lang::diagnostic::{
        Code, CodeEntry, DiagnosticReport, Example, ReportPlace, ReportedDiagnostic, ReportedSpan,
        UnknownCode,
    };
}

/// Queries of CQL 3 and their modern form.
pub mod cql3 {
    pub use babson_lang::cql3::{ModernQuery, begins_query, to_modern, windows_1252};
}

/// What a query reaches outside of the games.
pub mod host {
    #[cfg(feature = "engine")]
    pub use babson_engine::{DEFAULT_PIPE_TIMEOUT, KilledChildren, SystemHost};
    pub use babson_vm::{Host, HostError, MAX_PIPE_ANSWER, Pipe, PipeError, RefusingHost};
}

/// Where matches go: the outputs of a scan, and what a [`Sink`] of your own needs.
#[cfg(feature = "engine")]
pub mod sink {
    pub use crate::limits::DEFAULT_SEED;
    pub use babson_engine::{
        COLUMN_FORMS, COLUMNS, ColumnForm, ColumnInfo, ColumnNames, ColumnType, Columns,
        ColumnsError, Destination, FileFormat, FileSink, Format, FormatReport, FragmentLength,
        GROUP_KEYS, GroupKeys, GroupKeysError, GroupRow, GroupSink, GroupTable, GroupValue,
        MatchText, MatchedGame, NamePattern, NonmatchingOutput, Output, OutputRoom, OutputTotals,
        Outputs, SharedOutput, Sink, SinkContext, SinkReport, SinkResult, SplitRules, TagChoice,
        TextSlice, plain_cell,
    };
}

/// Game tables, the results of [`Scan::pack`].
#[cfg(all(feature = "engine", feature = "table"))]
pub mod table {
    pub use babson_engine::{
        Compression, PackSummary, TableError, TableSummary, check_table as check,
    };
}

/// Imports: the functions of other files.
pub mod imports {
    pub use babson_lang::imports::{
        FoundFile, Import, ImportFiles, ImportedFile, LIBRARY, LibraryFunction, LibraryOnly,
        ResolvedQuery, imports, library_function, library_functions, library_text, resolve,
    };
}

/// The files of a scan: names, unfinished outputs, results of slices.
#[cfg(feature = "engine")]
pub mod files {
    pub use babson_engine::{
        AbandonedOutputs, ArchiveMember, FileIdentity, ImportFolders, InputReader, Ledger,
        SkipReason, begins_as_compressed, begins_as_pgn, begins_as_utf16, foreign_help,
        is_database_file, is_database_name, is_foreign_name, is_same_file, is_table_name,
        may_be_database_name, read_regular_file, read_up_to,
    };
}

/// Text for terminals.
#[cfg(feature = "engine")]
pub mod terminal {
    pub use babson_engine::terminal::{Shown, escaped, is_command};
}
