//! Lines through two squares, from tables that are made at compile time.

use crate::{Direction, Square, SquareSet};

/// A set for each pair of squares.
type Pairs = [[SquareSet; 64]; 64];

/// The lines of each pair of squares. One static, so that the sets of pairs with the same first
/// square have the same address to begin from.
pub(super) struct Lines {
    /// The squares strictly between two squares of one line.
    pub(super) between: Pairs,
    /// The whole line through two squares.
    pub(super) whole: Pairs,
}

pub(super) static LINES: Lines = {
    let mut between = [[SquareSet::EMPTY; 64]; 64];
    let mut whole = between;
    let mut from = 0;
    while from < 64 {
        let square = Square::from_index(from);
        let mut i = 0;
        while i < 8 {
            let (direction, opposite) = (Direction::ALL[i], Direction::ALL[(i + 4) % 8]);
            let line = ray(square, direction).0 | ray(square, opposite).0 | 1 << from;
            let mut passed = SquareSet::EMPTY;
            let mut to = SquareSet::of(square).shift(direction);
            while let Some(end) = to.first() {
                between[from][end.index()] = passed;
                whole[from][end.index()] = SquareSet(line);
                passed.insert(end);
                to = to.shift(direction);
            }
            i += 1;
        }
        from += 1;
    }
    Lines { between, whole }
};

/// The squares from the square to the edge of the board, without the square.
pub(super) const fn ray(from: Square, direction: Direction) -> SquareSet {
    let mut sum = SquareSet::EMPTY;
    let mut next = SquareSet::of(from).shift(direction);
    while !next.is_empty() {
        sum.0 |= next.0;
        next = next.shift(direction);
    }
    sum
}
