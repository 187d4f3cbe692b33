//! The positions of a game that pass a prefilter.

use super::scan::ROW;
use super::{Boards, Prefilter};

/// Goes through the positions of a game where a prefilter holds. It tests them in rows of up to 64
/// boards, so each test of the prefilter is one loop over the row. The first rows are short: many
/// searches end at their first match.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Candidates {
    /// The positions of the last row that were not taken yet, as bits.
    row: u64,
    /// The first position of the last row, and the position after it.
    start: usize,
    end: usize,
}

/// The length of the first row.
const FIRST_ROW: usize = 16;

impl Candidates {
    /// Goes through the positions from this one on.
    pub(crate) fn from(first: usize) -> Candidates {
        Candidates { row: 0, start: first, end: first }
    }

    /// Takes the next position before `end` where the prefilter holds; `end` if there is none.
    #[inline]
    pub(crate) fn take(&mut self, prefilter: &Prefilter, boards: Boards<'_>, end: usize) -> usize {
        if self.row == 0 && !self.fill(prefilter, boards, end) {
            return end;
        }
        let found = self.start + self.row.trailing_zeros() as usize;
        self.row &= self.row - 1;
        found
    }

    /// Whether the last row has no position that was not taken yet.
    pub(crate) fn is_empty(self) -> bool {
        self.row == 0
    }

    /// Tests rows until a position is found that was not taken yet; whether there is one.
    #[inline(never)]
    pub(crate) fn fill(&mut self, prefilter: &Prefilter, boards: Boards<'_>, end: usize) -> bool {
        while self.row == 0 && self.end < end {
            let length = (2 * (self.end - self.start)).clamp(FIRST_ROW, ROW).min(end - self.end);
            (self.start, self.end) = (self.end, self.end + length);
            self.row = prefilter.row(boards, self.start, !0 >> (ROW - length));
        }
        self.row != 0
    }
}
