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
