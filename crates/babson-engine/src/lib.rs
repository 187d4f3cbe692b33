//! Babson's scanner: from inputs to complete output files.
//!
//! ```text
//! Input ── chunk, worker ──> ChunkResult ── merge ──> Sink, Observer, Summary
//!          (n threads)                     (in game order)
//! ```
//!
//! [`scan`] runs a set of [`Task`]s (one query each, with the sinks of its matches) over the games
//! of some [`Input`]s. Each game is replayed once for all tasks. A damaged game is reported and
//! searched up to the damage. Messages and outputs come in game order and are the same for any
//! number of threads.
//!
//! ```no_run
//! use babson_engine::{Input, Job, Settings, Silent, Task, scan};
//! use babson_lang::{Dialect, analyze};
//!
//! let analysis = analyze("mate", Dialect::CQLI).unwrap();
//! let job = Job::new(&analysis.query).unwrap();
//! let inputs = Input::expand("games.pgn")?;
//! let summary = scan(&inputs, vec![Task::new(job)], &Settings::default(), &mut Silent)?;
//! println!("{} of {} games", summary.queries[0].matches, summary.games);
//! # Ok::<(), babson_engine::Error>(())
//! ```
//!
//! Start with [`Task`] and [`scan`] (modules `task` and `scan`), then the modules of the flow
//! above: `drive` with its queue and threads, `worker`, `merge`. The crate `babson-input` opens the
//! inputs and cuts them into chunks.
//!
//! The glossary, `docs/src/glossary.md` in the repository, defines the terms.

#![forbid(unsafe_code)]
// Exhaustive matches only: a new variant must be handled everywhere.
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod channels;
mod collect;
mod columns;
mod destination;
mod drive;
mod equal_games;
mod error;
mod existing;
mod file_name;
mod formats;
mod groups;
mod guard_stats;
mod host;
mod identity;
mod import_folders;
mod job;
mod json;
mod ledger;
mod leftovers;
mod limits;
mod match_text;
mod merge;
mod observer;
mod output;
#[cfg(feature = "table")]
mod pack;
mod pattern;
mod permits;
mod query_tag;
mod rank;
mod scan;
mod sink;
mod slice_error;
mod slices;
mod summary;
#[cfg(feature = "table")]
mod table_output;
mod task;
pub mod terminal;
mod threads;
mod turn;
mod worker;

pub use babson_input::{
    ArchiveMember, DecompressedText, FileChange, Input, InputError, InputGame, InputGames,
    InputReader, OpenInput, OpenedFile, RemoteFile, SkipReason, Traffic, begins_as_compressed,
    begins_as_pgn, begins_as_utf16, foreign_help, is_database_file, is_database_name,
    is_foreign_name, is_remote_name, is_table_name, may_be_database_name,
};
#[cfg(feature = "table")]
pub use babson_input::{OpenTable, TableError, TableSource, TableSummary, chunk::TableGames};
pub use babson_lang::QueryText;
pub use babson_vm::run::MAX_GAME;
pub use babson_vm::{BrokenInput, DamagedGame, Event, InputFailure, Progress};
pub use babson_vm::{Match, Origin, Tracing};
pub use columns::{
    COLUMN_FORMS, COLUMNS, Cell, ColumnForm, ColumnInfo, ColumnNames, ColumnType, Columns,
    GROUP_KEYS, safe_csv,
};
pub use destination::{Destination, DestinationWriter, PartDestination, SplitRules};
pub use error::{ColumnsError, Error, FatalError, GroupKeysError, OrderReason, OutputRefusal};
pub use formats::file::FileSink;
pub use formats::groups::GroupSink;
pub use formats::{FileFormat, NonmatchingSink, SharedSink, TextSink};
pub use groups::{GroupKeys, GroupRow, GroupTable, GroupTally, GroupValue, TooManyGroups};
pub use guard_stats::{ConditionStats, GuardStats};
pub use host::{DEFAULT_PIPE_TIMEOUT, KilledChildren, SystemHost, read_regular_file, read_up_to};
pub use identity::{FileIdentity, is_same_file};
pub use import_folders::ImportFolders;
pub use job::{FragmentLength, Job, LazyTracing, MatchChoice, TagChoice};
pub use ledger::{AbandonedOutputs, CleanupError, Ledger};
pub use limits::MAX_THREADS;
pub use match_text::MatchText;
pub use observer::{Observer, Silent};
pub use output::{Output, Unpublished};
#[cfg(feature = "table")]
pub use pack::{Compression, PackSummary, append, check_table, pack};
pub use pattern::NamePattern;
pub use scan::{FoundGame, RunningScan, count, matching_games, scan, scan_unpublished};
pub use sink::{
    Format, MatchedGame, Omitted, OutputRoom, OutputTotals, Sink, SinkContext, SinkResult,
    SinkTotals, TextSlice,
};
pub use slice_error::{PartRefusal, SliceRefusal};
pub use slices::{
    InputRange, KeptParts, ResumedScan, Slice, SliceResult, merge, merge_unpublished, plan,
    plan_observed, scan_resumed, scan_slice, scan_slice_to,
};
pub use summary::{QuerySummary, Summary};
pub use task::{Settings, Task};
