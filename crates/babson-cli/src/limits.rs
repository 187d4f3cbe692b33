//! The limits of the command, with their reasons.

use std::time::Duration;

/// Bytes of a query file, or of a query on standard input. Either may be a stream without an end.
/// A query has at most 2 million nodes, so this is room for 32 bytes of text a node.
pub(crate) const MAX_QUERY_FILE: usize = 64 << 20;

/// Bytes of the file of default options. One with every option has a few thousand bytes.
pub(crate) const MAX_CONFIG_FILE: usize = 1 << 20;

/// Bytes of the inputs whose tags are read once more after a search for a player that found
/// nothing: some seconds, or less.
pub(crate) const MAX_NAMES_SEARCHED: u64 = 2 << 30;

/// Bytes of a slice on standard input: some hundred, and the name of a file.
pub(crate) const MAX_SLICE: usize = 1 << 20;

/// The number of damaged games, of notes and of run-time errors that are printed. More would hide
/// the summary.
pub(crate) const MAX_SHOWN_REPORTS: u64 = 20;

/// Characters of a word of a message: more than the path of a file usually has. A longer word keeps
/// its two ends.
pub(crate) const MAX_SHOWN_WORD: usize = 256;

/// The names of skipped files that a warning lists: enough to find them, on one line.
pub(crate) const MAX_SHOWN_SKIPPED: usize = 3;

/// The number of fixes that `babson check --fix` applies to a query. Each costs a check.
pub(crate) const MAX_FIXES: u64 = 1_000;

/// The number of warnings of one query that are printed. More would hide the first ones.
pub(crate) const MAX_WARNINGS: usize = 100;

/// The same for a query with errors. If there are many, it is probably not a query.
pub(crate) const MAX_ERRORS: usize = 10;

/// Characters of a filter that a row of a profile shows: the rest of the line has columns of
/// numbers.
pub(crate) const MAX_SHOWN_FILTER: usize = 60;

/// Filters that `babson why` prints, and matches and filters that failed first: a screen in all.
pub(crate) const MAX_SHOWN_FILTERS: usize = 14;
pub(crate) const MAX_SHOWN_MATCHES: usize = 5;

/// Bytes of the value of an option that a message repeats in what to write: a name or a query.
pub(crate) const MAX_VALUE: usize = 100;

/// The names that `babson check --watch` prints of the queries that it checks again, on one line.
pub(crate) const MAX_SHOWN_CHANGED: usize = 3;

/// How often a watch looks for changes that nothing has told: on file systems of other machines,
/// and in folders that are not watched. Reading a thousand queries takes tens of milliseconds.
pub(crate) const WATCH_PERIOD: Duration = Duration::from_secs(2);

/// How long there must be no change before queries are checked again: an editor writes a file in
/// several steps.
pub(crate) const WATCH_SETTLING: Duration = Duration::from_millis(50);

/// How long changes may follow each other before queries are checked anyway.
pub(crate) const WATCH_LONGEST_SETTLING: Duration = Duration::from_millis(500);
