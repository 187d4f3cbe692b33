//! The limits, with their reasons.

/// Steps of a search between two looks at the clock. A game takes some microseconds, and a look
/// about one.
pub(crate) const STEPS_A_LOOK: u32 = 16;

/// Games that are counted between two looks at the clock, when a database is opened.
pub(crate) const GAMES_A_LOOK: u32 = 256;

/// Bytes of text that a compressed database may have, and bytes of a table that has to be read as a
/// whole: WebAssembly has 4 GB of memory, and a search needs room beside them. What is not
/// compressed is read where it is, whatever its length.
pub(crate) const MAX_IN_MEMORY: u64 = 2_000_000_000;

/// Bytes of the blocks of a text in memory.
pub(crate) const BLOCK: usize = 1 << 24;

/// Bytes that are read of a file at once. Each read of a browser takes about a third of a
/// millisecond.
pub(crate) const READ_AHEAD: usize = 1 << 20;

/// Blocks of a table that are kept in memory: enough for the columns that a search reads together.
pub(crate) const KEPT_BLOCKS: usize = 64;

/// Of this number of games the place of one in its text is kept, so that a game is found at once.
pub(crate) const GAMES_A_PLACE: u64 = 64;
