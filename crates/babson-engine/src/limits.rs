//! What a scan does not go beyond in what it keeps, and why.

/// Bytes of the results of some games (messages, texts of matches, damaged games, entries of
/// dictionaries) after which they are handed on as a part of their chunk's. The results of a chunk
/// of ordinary games are below it by far. Since those above it wait for their turn, a scan holds at
/// most as much for each chunk that is under way and what a single game makes for each thread.
pub(crate) const MAX_WAITING: usize = 16 << 20;

/// Temporary names that are tried for a file. Names of this process are never equal, so that only
/// files which others have left behind can be in the way.
pub(crate) const MAX_NAMES_TRIED: u32 = 1000;

/// Bytes of a file's name that its temporary name repeats: a name has at most 255 on all common
/// systems.
pub(crate) const MAX_REPEATED_NAME: usize = 200;
