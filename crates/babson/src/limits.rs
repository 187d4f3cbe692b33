//! The limits of the crate, each with its reason.

/// The longest text of a game that is read, in bytes, as in a scan. A longer one is reported and
/// skipped, so that a stream that is not PGN cannot fill the memory.
pub(crate) const MAX_GAME: usize = 32 << 20;

/// Bytes that are asked of a reader at a time: it may give fewer, which are searched at once.
pub(crate) const READ_SIZE: usize = 1 << 16;

/// Bytes at the end of a buffer in which the start of the last game is looked for first. Most games
/// are shorter.
pub(crate) const LAST_GAME: usize = 4 << 10;

/// Bytes before a line that are kept to tell whether the line begins a game, while a game that is
/// too long is skipped. The tags and comments between games rarely have more bytes.
pub(crate) const MAX_LOOK_BACK: usize = 1 << 16;

/// Texts of a query that are looked for in tags in other capitals. A search for more of them has
/// other reasons to find nothing.
#[cfg(feature = "engine")]
pub(crate) const MAX_TEXTS: usize = 8;

/// Bytes of a game that is too long which are kept to be shown.
pub(crate) const MAX_SAMPLE: usize = 80;

/// Damaged games that a search keeps for its caller. The others are counted.
pub(crate) const MAX_KEPT_DAMAGED: usize = 1000;
