//! The limits, with their reasons.

/// Steps of a search between two looks at the clock. A game takes some microseconds, and a look
/// about one.
pub(crate) const STEPS_A_LOOK: u32 = 16;

/// Bytes of text that the games of a table may have: WebAssembly has 4 GB of memory, and a search
/// needs room beside them.
pub(crate) const MAX_TABLE_TEXT: usize = 1_500_000_000;
