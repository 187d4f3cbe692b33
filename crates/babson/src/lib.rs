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
//! no files and threads, and no clock unless a run has a deadline, and builds for WebAssembly. The
//! features `bzip2`, `gzip`, `xz`, `zip` and `zstd`, which are on by default, read compressed
//! inputs and archives, and `table`, also on by default, reads and writes game tables. `report`,
//! which is off by default, has the HTML page of matches.
//!
//! Start with [`Query`]. The root has what most programs need; the modules have the rest, by
//! purpose. [`compile`], [`diagnostic`] and [`imports`] are about the text of a query, [`text`] and
//! [`cql3`] for tools that rewrite it. [`run`], [`search`] and [`host`] are about its runs, and
//! [`value`], [`mod@matches`], [`event`] and [`why`] have what they give. With the feature
//! `engine`, `scan`, `slices`, `files`, `sink` and `table` are about the search of files. [`chess`]
//! and [`pgn`] are the crates of boards and games, and with the feature `report`, `report` is the
//! crate of HTML pages.
//!
//! The glossary, `docs/src/glossary.md` in the repository, defines the terms.

#![forbid(unsafe_code)]
// Exhaustive matches only: a new variant must be handled everywhere.
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod builder;
mod error;
mod game_why;
mod limits;
mod matcher;
mod query;
#[cfg(feature = "engine")]
pub mod scan;
pub mod search;
mod settings;
#[cfg(feature = "engine")]
mod tag_texts;
mod typed;
mod word_help;

pub use builder::QueryBuilder;
pub use error::CompileError;
pub use matcher::Matcher;
pub use query::Query;
#[cfg(feature = "engine")]
pub use scan::Scan;
pub use search::{Search, SearchError};

pub use babson_chess::Position;
#[cfg(feature = "engine")]
pub use babson_engine::{Error, FileSink, Input, Observer, Sink, SinkResult, Summary, Task};
pub use babson_lang::{Diagnostic, Dialect, Span};
pub use babson_pgn::Game;
pub use babson_vm::{
    CancelToken, Event, Hit, Match, RunOptions, RuntimeError, StopSignal, Stopped, Value,
};

pub use babson_chess as chess;
pub use babson_pgn as pgn;
#[cfg(feature = "report")]
pub use babson_report as report;

/// What a query is compiled from, and what it says before it runs.
pub mod compile {
    pub use crate::builder::{QueryBuilder, VariableValue};
    pub use crate::typed::TypedQuery;
    pub use babson_lang::QuerySpans;
    pub use babson_lang::hir::{CommentLevel, FileName, Header, OutsideAccess};
    pub use babson_vm::{DependentUse, Explanation, GameDependence, TraceRefusal};
}

/// The codes of diagnostics ([`Diagnostic::code`]), and their parts.
pub mod diagnostic {
    pub use babson_lang::diagnostic::{
        BOOK, Code, CodeEntry, DiagnosticReport, Edit, Example, Fix, Help, ReportPlace,
        ReportedDiagnostic, ReportedEdit, ReportedFix, ReportedSpan, UnknownCode, book_page,
    };
    pub use babson_lang::{RelatedSpan, Remedy, Severity, retain_sound_fixes};
}

/// Imports: the functions of other files.
pub mod imports {
    #[cfg(feature = "engine")]
    pub use babson_engine::ImportFolders;
    pub use babson_lang::imports::{
        FoundFile, Import, ImportFiles, ImportedFile, LIBRARY, LibraryFunction, LibraryOnly,
        ResolvedQuery, imports, library_function, library_functions, library_key, library_name,
        library_text, resolve,
    };
}

/// The text of queries: tokens, formatting, spelling, the book's entries of words.
pub mod text {
    pub use crate::word_help::help;
    pub use babson_lang::reference::{Entry, entries, entries_of, signature_of};
    pub use babson_lang::synonyms::{self, Synonym};
    pub use babson_lang::text::{
        Spelling, Token, TokenClass, comments, convert, format, is_variable_name, string, tokens,
    };
    pub use babson_lang::vocabulary::Term;
    pub use babson_lang::{declared_dialect, hhdb_parts, leading_fen, nearest_of};
}

/// Queries of CQL 3 and their modern form.
pub mod cql3 {
    pub use babson_cql3::{ModernQuery, begins_query, to_modern, windows_1252};
}

/// How a query runs: its options and limits, what stops it, and the counters of a profile.
pub mod run {
    pub use babson_vm::run::{DamageSummary, GameDamages, ReadPurpose};
    pub use babson_vm::{
        CancelToken, Counter, DEFAULT_STEPS, ProfiledFilter, RunLimit, RunOptions, StopSignal,
        Stopped,
    };
}

/// What a query reaches outside of the games.
pub mod host {
    #[cfg(feature = "engine")]
    pub use babson_engine::{DEFAULT_PIPE_TIMEOUT, KilledChildren, SystemHost};
    pub use babson_vm::{Host, HostError, MAX_PIPE_ANSWER, Pipe, PipeError, RefusingHost};
}

/// The values of filters.
pub mod value {
    pub use babson_vm::{PositionValue, Value};
}

/// Matches as data: the rows of a JSONL output.
pub mod matches {
    pub use babson_vm::{
        AddedComment, GameColumns, GameOrigin, Match, MatchedPosition, Origin, Outcome, SortData,
        SortEntry, SortValue,
    };
}

/// What a search or a scan reports besides its matches.
pub mod event {
    pub use babson_vm::{
        ArchiveReason, BrokenInput, DamagedGame, Event, GameDamage, InputFailure, InputReason,
        Progress, RowDamage,
    };
}

/// Why a query matches or does not: what its filters did.
pub mod why {
    pub use crate::game_why::{GameWhy, WhyError};
    pub use babson_vm::{FirstFailure, Trace, TraceEntry, Verdict, Why};
}

/// Slices: a search of files by several threads, processes or machines. See [`Scan::plan`].
#[cfg(feature = "engine")]
pub mod slices {
    pub use babson_engine::{
        InputRange, KeptParts, OrderReason, PartDestination, PartRefusal, ResumedScan, Slice,
        SliceRefusal, SliceResult,
    };
}

/// The files of a scan: inputs, and outputs that are not complete.
///
/// The games of a file, whatever it is, without a scan:
///
/// ```
/// use babson::pgn::Reader;
/// use babson::{Input, Query};
///
/// # let folder = tempfile::tempdir()?;
/// # std::fs::write(folder.path().join("games.pgn"), "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n")?;
/// let query = Query::compile("mate")?;
/// let (mut matcher, mut reader) = (query.matcher(), Reader::new());
/// let mut found = Vec::new();
/// for input in Input::expand(folder.path())? {
///     for game in input.games() {
///         let game = game?;
///         let Ok(read) = game.read(&mut reader, query.needs()) else { continue };
///         if matcher.run(&read)?.is_some() {
///             found.push((game.origin().number, game.line()));
///         }
///     }
/// }
/// assert_eq!(found, [(1, 1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "engine")]
pub mod files {
    pub use babson_engine::{
        AbandonedOutputs, ArchiveMember, CleanupError, DecompressedText, FileChange, Input,
        InputError, InputGame, InputGames, InputReader, Ledger, OpenInput, OpenedFile, RemoteFile,
        SkipReason, Traffic,
    };
}

/// Where matches go: the outputs of a scan, and what a [`Sink`] of your own needs.
#[cfg(feature = "engine")]
pub mod sink {
    pub use crate::limits::DEFAULT_SEED;
    pub use babson_engine::{
        COLUMN_FORMS, COLUMNS, Cell, ColumnForm, ColumnInfo, ColumnNames, ColumnType, Columns,
        ColumnsError, Destination, DestinationWriter, FileFormat, FileSink, Format, FragmentLength,
        GROUP_KEYS, GroupKeys, GroupKeysError, GroupRow, GroupSink, GroupTable, GroupTally,
        GroupValue, MatchText, MatchedGame, NamePattern, NonmatchingSink, Omitted, Output,
        OutputRoom, OutputTotals, SharedSink, Sink, SinkContext, SinkResult, SinkTotals,
        SplitRules, TagChoice, TextSink, TextSlice, TooManyGroups, Unpublished, safe_csv,
    };
}

/// Game tables: files of games that are searched without reading their text. [`pack`](table::pack)
/// makes a table, and [`append`](table::append) adds games to one.
///
/// ```
/// use babson::Input;
/// use babson::scan::{Settings, Silent};
/// use babson::table::{Compression, append, check, pack};
///
/// # let folder = tempfile::tempdir()?;
/// # let (games, table) = (folder.path().join("games.pgn"), folder.path().join("games.arrow"));
/// # std::fs::write(&games, "[White \"Adams\"]\n\n1. e4 e5 *\n")?;
/// let inputs = Input::expand(&games)?;
/// let summary = pack(&inputs, &table, Compression::None, &Settings::default(), &mut Silent)?;
/// assert_eq!(summary.games, 1);
/// assert_eq!(check(&table, true)?.games, 1);
/// // The same game again: it is left out.
/// let mut unique = Settings::default();
/// unique.unique = true;
/// assert_eq!(append(&inputs, &table, None, &unique, &mut Silent)?.appended, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(all(feature = "engine", feature = "table"))]
pub mod table {
    pub use babson_engine::{
        Compression, OpenTable, PackSummary, TableError, TableGames, TableSource, TableSummary,
        append, check_table as check, pack,
    };
}

/// What only the command `babson` needs, such as its hints about other spellings of names and its
/// rules for the names of databases. It may change with every version.
#[cfg(feature = "engine")]
#[doc(hidden)]
pub mod command {
    pub use crate::limits::MAX_HELP_ENTRIES;
    pub use crate::tag_texts::{
        OtherSpelling, PlainAlternatives, SearchedTag, other_spellings, plain_alternatives,
    };
    pub use crate::word_help::{function_page, rows, signature, words_of_language};
    pub use babson_engine::{
        FileIdentity, begins_as_compressed, begins_as_pgn, begins_as_utf16, foreign_help,
        is_database_file, is_database_name, is_foreign_name, is_remote_name, is_same_file,
        is_table_name, may_be_database_name, read_regular_file, read_up_to, terminal,
    };
}

/// The example of the README of the crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
