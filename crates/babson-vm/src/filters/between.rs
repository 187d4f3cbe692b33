//! `between` (`docs/src/language/attacks.md`).

use babson_chess::attacks as table;
use babson_chess::{Direction, SquareSet};

/// The squares strictly between some square of one set and some of the other, on one rank, file or
/// diagonal, whatever stands there.
pub fn between(a: SquareSet, b: SquareSet) -> SquareSet {
    let mut sum = SquareSet::EMPTY;
    if a.len() * b.len() <= 24 {
        for one in a {
            for other in b {
                sum |= table::between(one, other);
            }
        }
        return sum;
    }
    // A square is between if one set lies on one side of it and the other on the opposite side.
    for number in 0..8 {
        let (direction, opposite) = (Direction::ALL[number], Direction::ALL[(number + 4) % 8]);
        sum |= beyond(a, direction) & beyond(b, opposite);
    }
    sum
}

/// All squares that lie in the direction from some square of the set, at any distance.
#[inline]
pub fn beyond(set: SquareSet, direction: Direction) -> SquareSet {
    let mut step = set.shift(direction);
    let mut sum = step;
    for _ in 0..6 {
        step = step.shift(direction);
        sum |= step;
    }
    sum
}
