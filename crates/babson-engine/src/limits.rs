//! The limits of a scan, each with its reason.

use std::time::Duration;

/// Bytes of results (messages, texts of matches, damaged games, entries of dictionaries) after
/// which a worker sends them to the merge before its chunk is finished. The results of a chunk of
/// ordinary games are far smaller. Larger results wait for their turn, so a scan holds at most this
/// much for each chunk in progress, plus what a single game makes for each thread.
pub(crate) const MAX_WAITING: usize = 16 << 20;

/// Files of one folder that are read to find the name of an import that was meant.
pub(crate) const MAX_LISTED_FILES: usize = 1000;

/// Temporary names that are tried for a file. The names of one ledger are never equal, so only
/// files of other ledgers and files that other processes have left behind can be in the way.
pub(crate) const MAX_NAMES_TRIED: u32 = 1000;

/// How long an unfinished file of another process has not been changed before it may be removed:
/// the process may run where this one cannot see it, in another container.
pub(crate) const MIN_LEFTOVER_AGE: Duration = Duration::from_secs(3600);

/// Bytes of a file's name that its temporary name repeats: common systems allow 255 bytes in all.
pub(crate) const MAX_REPEATED_NAME: usize = 200;

/// Bytes that the value of a placeholder adds to the name of a file: with several placeholders the
/// name stays within the 255 bytes of common systems.
pub(crate) const MAX_PLACEHOLDER_VALUE: usize = 60;

/// Symbolic links that are followed in a row. Linux follows as many.
pub(crate) const MAX_LINKS: usize = 40;

/// Bytes of sorted matches that are held in memory before they are written to a temporary file.
pub(crate) const MAX_SPOOL_MEMORY: usize = 16 << 20;

/// Bytes of the shortest text of a match that is held once for several rows. A reference to a
/// shorter text would save little memory, and each reference is a write of its own.
pub(crate) const MIN_SHARED_TEXT: usize = 1 << 10;

/// Batches of events that wait for the caller of a scan, so that the search goes on while it works.
/// A batch holds the events of one chunk.
pub(crate) const MAX_EVENT_BATCHES: usize = 4;

/// How long a program of `commandpipe` may take to end after its last answer.
pub(crate) const MAX_PIPE_EXIT_TIME: Duration = Duration::from_secs(1);

/// How long a program of `commandpipe` must be silent after its first answer. Most programs that
/// write two lines for a request write the second by then; a later one is found before a later
/// request, or when the conversation ends.
pub(crate) const MIN_PIPE_SILENCE: Duration = Duration::from_millis(100);

/// Bytes at either end of a slice from which its checksum is made: enough to tell databases apart,
/// and read in no time.
pub(crate) const MAX_CHECKED_BYTES: u64 = 1 << 12;

/// Bytes of a piece of a long text in the part of a slice. The merge holds one piece at a time.
pub(crate) const MAX_LONG_PIECE: usize = 1 << 20;

/// The largest number of a game, a line or a byte of a slice. No file is longer, and a sum of two
/// such numbers is a `u64`.
pub(crate) const MAX_SLICE_NUMBER: u64 = i64::MAX as u64;

/// Bytes of a slice of a scan that can be resumed. An interruption loses some seconds of work of a
/// usual query, and a large database has some hundred parts. The files of the tests are small.
pub(crate) const MAX_RESUMED_SLICE: u64 = if cfg!(test) { 160_000 } else { 64 << 20 };

/// Bytes of a slice below which a scan that can be resumed is not cut into [`MIN_RESUMED_SLICES`].
pub(crate) const MIN_RESUMED_SLICE: u64 = if cfg!(test) { 160_000 } else { 4 << 20 };

/// Slices of a scan that can be resumed. So a query that takes long for each game loses at most
/// this part of its work, also in a database of middle size and in a compressed table.
pub(crate) const MIN_RESUMED_SLICES: u64 = 16;

/// Bytes of a file of `readfile` or `similarposition` that is read to compare the queries of parts.
/// No query reads a longer one.
pub(crate) const MAX_READ_FILE: usize = 1 << 30;

/// Bytes of memory that must be free for a thread: its stack, what the allocator of glibc sets
/// apart for it (64 MiB where addresses are long), and what is read and found meanwhile.
pub(crate) const MIN_THREAD_MEMORY: usize =
    if cfg!(target_pointer_width = "64") { 96 << 20 } else { 8 << 20 };

/// Games whose damage may wait until it is known which matches are written. If more wait, the
/// damage of games that are not written is dropped.
pub(crate) const MIN_WAITING_REMARKS: usize = 64;

/// Threads of a scan. More would only cost memory.
pub const MAX_THREADS: usize = 256;

/// Squares of a set that is marked in PGN. More would color half of the board.
pub(crate) const MAX_MARKED_SQUARES: u32 = 16;

/// Groups of a table of groups, and bytes of their values. With its counters a group takes some
/// hundred bytes, so a table stays below about 500 MB. Nobody reads a table with more rows, and a
/// key with more values, such as the number of the game, is a mistake.
pub(crate) const MAX_GROUPS: usize = 1_000_000;
pub(crate) const MAX_GROUP_BYTES: usize = 128 << 20;

/// Bytes of a text by which matches are grouped. Names and openings are far shorter, and a tag may
/// have megabytes.
pub(crate) const MAX_GROUP_TEXT: usize = 1_000;

/// Letters of a word that a hint tries as a filter: more than the longest filter has.
pub(crate) const MAX_FILTER_NAME: usize = 32;
