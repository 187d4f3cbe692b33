//! The ways in which a test looks at the boards of a game, one after another.

use babson_chess::Position;
use babson_chess::processor::{self, Processor};

use super::BoardTest;

/// A walk over boards that applies one test to them. The usual tests have loops of their own, so
/// that the kind of a test is decided once and not at each board.
pub(super) trait Scan {
    /// What the walk finds.
    type Found;

    /// Walks over the boards with this test.
    fn run(self, holds: impl Fn(&Position) -> bool) -> Self::Found;

    /// As [`Scan::run`], for a test that counts squares or takes long.
    fn count(self, holds: impl Fn(&Position) -> bool) -> Self::Found;
}

/// The walk to the first board where a test and others hold; the end if there is none.
pub(super) struct First<'s> {
    pub(super) positions: &'s [Position],
    pub(super) from: usize,
    pub(super) end: usize,
    pub(super) others: &'s [BoardTest],
}

impl Scan for First<'_> {
    type Found = usize;

    #[inline(always)]
    fn run(self, holds: impl Fn(&Position) -> bool) -> usize {
        let First { positions, from, end, others } = self;
        let rest = positions.get(from..end).unwrap_or_default();
        // No iterators with closures: in the code for better processors, the compiler would call
        // them instead of making copies of them.
        if others.is_empty() {
            for (found, board) in rest.iter().enumerate() {
                if holds(board) {
                    return from + found;
                }
            }
        } else {
            for (found, board) in rest.iter().enumerate() {
                if holds(board) && others.iter().all(|test| test.holds(board)) {
                    return from + found;
                }
            }
        }
        end.max(from)
    }

    #[inline(always)]
    fn count(self, holds: impl Fn(&Position) -> bool) -> usize {
        processor::dispatch(
            #[inline(always)]
            || self.run(holds),
        )
    }
}

/// The walk over some of at most 64 boards. It finds on which of them the test holds, as bits.
pub(super) struct Row<'s> {
    pub(super) positions: &'s [Position],
    pub(super) among: u64,
}

impl Scan for Row<'_> {
    type Found = u64;

    #[inline(always)]
    fn run(self, holds: impl Fn(&Position) -> bool) -> u64 {
        processor::dispatch(
            #[inline(always)]
            || {
                let Row { positions, among } = self;
                let length = u64::BITS - among.leading_zeros();
                if 2 * among.count_ones() <= length {
                    return self.each(holds);
                }
                // To test all boards of a row takes less time than to find most of them.
                let (mut found, mut bit) = (0, 1_u64);
                for board in positions.iter().take(length as usize) {
                    found |= if holds(board) { bit } else { 0 };
                    bit <<= 1;
                }
                found & among
            },
        )
    }

    #[inline(always)]
    fn count(self, holds: impl Fn(&Position) -> bool) -> u64 {
        processor::dispatch(
            #[inline(always)]
            || self.each(holds),
        )
    }
}

impl<'s> Row<'s> {
    /// The boards of the row, if [`wide`] tests all of them in less time than those that the walk
    /// is over one by one.
    pub(super) fn dense(&self) -> Option<&'s [Position]> {
        let length = u64::BITS - self.among.leading_zeros();
        let is_dense = 4 * self.among.count_ones() > length;
        self.positions.get(..length as usize).filter(|_| is_dense)
    }

    /// Tests only the boards that the walk is over.
    #[inline(always)]
    fn each(self, holds: impl Fn(&Position) -> bool) -> u64 {
        let Row { positions, among: mut rest } = self;
        let mut found = 0;
        while rest != 0 {
            let index = rest.trailing_zeros();
            rest &= rest - 1;
            if let Some(board) = positions.get(index as usize) {
                found |= u64::from(holds(board)) << index;
            }
        }
        found
    }
}

/// The most boards of a row: the bits of a word.
pub(super) const ROW: usize = 64;

/// A set for each board of a row.
pub(super) type Column = [u64; ROW];

/// The boards of a row that pass a long test, as bits. The test has the index of each board, too.
///
/// It must have no branches and no tables. Then the compiler makes a loop of it in which each
/// instruction works on several boards. On a single board other tests are faster.
#[expect(
    clippy::needless_range_loop,
    reason = "so the compiler knows that an index is one of a column, too"
)]
#[inline(always)]
pub(super) fn wide(positions: &[Position], mut holds: impl FnMut(usize, &Position) -> bool) -> u64 {
    Processor::detect_wide().dispatch_wide(
        #[inline(always)]
        move || {
            let mut found = 0;
            for index in 0..positions.len().min(ROW) {
                found |= u64::from(holds(index, &positions[index])) << index;
            }
            found
        },
    )
}
