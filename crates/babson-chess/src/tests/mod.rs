//! Tests of several modules together, and the comparison with cozy-chess.

mod boards;
mod fast_san;
mod fens;
mod goldens;
mod judge;
mod move_codes;
mod odd_positions;
mod retro;
mod variants;

/// A small generator of pseudo-random numbers (xorshift), so that failures repeat.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((self.next() >> 16) % end.max(1) as u64) as usize
    }
}
