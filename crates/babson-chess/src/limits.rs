//! The limits of this crate.

/// The greatest half-move clock and the greatest move number. A position stores both in 24 bits,
/// and no game comes near: this is the greatest number with seven digits.
pub(crate) const MAX_COUNTER: u32 = 9_999_999;

/// How many characters of a wrong field an error about a FEN repeats: enough to recognize the
/// field, and not the whole of a long line.
pub(crate) const MAX_EXCERPT_CHARS: usize = 20;

/// How many moves a list holds without memory from the heap. No legal position of chess has more
/// than 218; other boards can.
pub(crate) const MAX_INLINE_MOVES: usize = 256;

/// How many results of the assignment of pawns to start squares an analyzer remembers. The pawns of
/// a game change seldom, so a few hundred entries serve most positions; 1024 take 32 KiB.
pub(crate) const MAX_REMEMBERED_COSTS: usize = 1 << 10;

/// How many structures of positions an analyzer remembers with the answer for each: enough for the
/// predecessors of a few positions. 4096 take 224 KiB.
pub(crate) const MAX_REMEMBERED_STRUCTURES: usize = 1 << 12;
