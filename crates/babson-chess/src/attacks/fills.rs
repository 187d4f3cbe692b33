//! The attacks of many sliders at once.
//!
//! A look-up takes one slider after another, and how many there are is different on each board. A
//! fill moves all of them along a direction in three steps, without a branch and without a table.
//! On one board the look-ups are faster. Over a row of boards the compiler makes one loop of the
//! fills in which each instruction works on several boards.

use crate::{Direction, SquareSet};

/// What sliders on all squares of `from` attack in one direction: up to and including the first
/// square that is not in `empty`.
///
/// ```
/// use babson_chess::attacks::slide;
/// use babson_chess::{Direction, Square, SquareSet};
/// let occupied = SquareSet::of(Square::A1) | SquareSet::of(Square::at(0, 3));
/// let attacked = slide(occupied, Direction::North, !occupied);
/// // From a1 up to a4, and from a4 to the edge of the board.
/// assert_eq!(attacked, SquareSet::file(0) - SquareSet::of(Square::A1));
/// ```
#[inline(always)]
pub const fn slide(from: SquareSet, direction: Direction, empty: SquareSet) -> SquareSet {
    // No ray that leaves the board at a side comes in again at the other.
    let arrivals = match direction {
        Direction::North | Direction::South => SquareSet::ALL.0,
        Direction::NorthEast | Direction::East | Direction::SouthEast => !SquareSet::file(0).0,
        Direction::NorthWest | Direction::West | Direction::SouthWest => !SquareSet::file(7).0,
    };
    let (mut reached, mut free) = (from.0, empty.0 & arrivals);
    // The squares at a distance of 1, of up to 3, and of up to 7.
    reached |= free & stride(reached, direction, 1);
    free &= stride(free, direction, 1);
    reached |= free & stride(reached, direction, 2);
    free &= stride(free, direction, 2);
    reached |= free & stride(reached, direction, 4);
    SquareSet(stride(reached, direction, 1) & arrivals)
}

/// The squares this number of steps on. What leaves the board at a side comes in again at the
/// other.
#[inline(always)]
const fn stride(set: u64, direction: Direction, steps: u32) -> u64 {
    match direction {
        Direction::North => set << (8 * steps),
        Direction::NorthEast => set << (9 * steps),
        Direction::East => set << steps,
        Direction::SouthEast => set >> (7 * steps),
        Direction::South => set >> (8 * steps),
        Direction::SouthWest => set >> (9 * steps),
        Direction::West => set >> steps,
        Direction::NorthWest => set << (7 * steps),
    }
}

/// What rooks on all squares of `from` attack; `empty` has the squares that they pass.
///
/// ```
/// use babson_chess::attacks::{self, rooks};
/// use babson_chess::{Square, SquareSet};
/// let (a1, c1) = (Square::A1, Square::at(2, 0));
/// let occupied = SquareSet::of(a1) | SquareSet::of(c1);
/// assert_eq!(rooks(occupied, !occupied), attacks::rook(a1, occupied) | attacks::rook(c1, occupied));
/// ```
#[inline(always)]
pub const fn rooks(from: SquareSet, empty: SquareSet) -> SquareSet {
    SquareSet(
        slide(from, Direction::North, empty).0
            | slide(from, Direction::South, empty).0
            | slide(from, Direction::East, empty).0
            | slide(from, Direction::West, empty).0,
    )
}

/// What bishops on all squares of `from` attack; `empty` has the squares that they pass.
///
/// ```
/// use babson_chess::attacks::{self, bishops};
/// use babson_chess::{Square, SquareSet};
/// let c1 = Square::at(2, 0);
/// let occupied = SquareSet::of(c1) | SquareSet::of(Square::at(4, 2));
/// assert_eq!(bishops(c1.into(), !occupied), attacks::bishop(c1, occupied));
/// ```
#[inline(always)]
pub const fn bishops(from: SquareSet, empty: SquareSet) -> SquareSet {
    SquareSet(
        slide(from, Direction::NorthEast, empty).0
            | slide(from, Direction::SouthWest, empty).0
            | slide(from, Direction::NorthWest, empty).0
            | slide(from, Direction::SouthEast, empty).0,
    )
}
