//! The limits of reading inputs, each with its reason.

/// Bytes of the smallest chunk. Small chunks share the end of the work better, large ones
/// cost less to hand over. The texts of matches wait in memory by the chunk, and JSON is fifteen
/// times as long as PGN.
pub(crate) const MIN_CHUNK: u64 = 64 << 10;

/// Bytes of the largest chunk.
pub const MAX_CHUNK: u64 = 1 << 18;

/// Bytes of an overlong game of a stream that are kept to be shown, and of a file that is tested
/// for PGN.
pub(crate) const MAX_SAMPLE: usize = 1 << 12;

/// How deep folders may be nested that are read as one input. Nobody nests folders so deeply, and
/// common systems allow paths of some thousand bytes.
pub(crate) const MAX_FOLDER_DEPTH: usize = 100;

/// Bytes of the list of members of a zip archive, which is held in memory: enough for some hundred
/// thousand members.
#[cfg(feature = "zip")]
pub(crate) const MAX_ARCHIVE_DIRECTORY: u64 = 64 << 20;

/// Kilobytes of memory to decompress a file of xz. The highest level of `xz` needs 64 MiB.
#[cfg(feature = "xz")]
pub(crate) const MAX_XZ_MEMORY: u32 = 256 << 10;

/// The most games of a table in a chunk: few enough that several threads share a table of a hundred
/// thousand games evenly, and enough that reading columns costs little per game.
#[cfg(feature = "table")]
pub(crate) const MAX_ROWS: usize = 4096;

/// Requests that are sent to a server at once for one file. More would hardly be faster, and
/// servers of others limit them.
#[cfg(feature = "remote")]
pub(crate) const MAX_REQUESTS: usize = 8;

/// How often Babson repeats a request that has failed in a way that may pass, and how often it asks
/// for the rest of a text that broke off, without a byte in between.
#[cfg(feature = "remote")]
pub(crate) const MAX_RETRIES: usize = 4;

/// Seconds until a server has to accept a connection, and between two pieces of an answer.
#[cfg(feature = "remote")]
pub(crate) const MAX_SILENCE: std::time::Duration = std::time::Duration::from_secs(20);

/// Bytes a second that a server has to send of the answer to a request for a range, after the first
/// silence. So no answer takes forever, and a telephone line is fast enough.
#[cfg(feature = "remote")]
pub(crate) const MIN_RATE: u64 = 1 << 12;

/// Bytes of the blocks in which ranges of a table are read and kept. A request takes about as long
/// as some blocks, so smaller ones save nothing.
#[cfg(all(feature = "remote", feature = "table"))]
pub(crate) const MAX_BLOCK: u64 = 1 << 15;

/// Bytes of one request for a range. Longer ranges are read in pieces, several at once.
#[cfg(all(feature = "remote", feature = "table"))]
pub(crate) const MAX_RANGE: u64 = 1 << 23;

/// Bytes of a table that are kept in memory, unless the caller decides otherwise: the facts that a
/// query asks of some million games.
#[cfg(feature = "remote")]
pub(crate) const MAX_CACHE: u64 = 64 << 20;

/// Bytes at the beginning of a file that are read to know what it is.
#[cfg(feature = "remote")]
pub(crate) const MAX_BEGINNING: u64 = 64;
