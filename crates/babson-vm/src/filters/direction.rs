//! `up 1 3 S` and the other directions (`docs/src/language/attacks.md#directions`).

use babson_chess::{Direction, SquareSet};
use babson_lang::hir::Directions;

use super::between::beyond;

/// A range of distances beyond -7..7, or with a minimum above its maximum. It is an error of the
/// query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a direction's range must be in -7..7 and its minimum must not exceed its maximum")]
pub struct BadDistances;

/// All squares at a distance `min ..= max` from some square of the set, in the directions.
///
/// Distance 0 is the square itself; a negative distance goes backwards. Pieces do not matter.
///
/// ```
/// use babson_chess::{Square, SquareSet};
/// use babson_lang::hir::Directions;
/// use babson_vm::filters::direction::{BadDistances, direction};
///
/// let (up, king) = (Directions(1), SquareSet::of(Square::E1));
/// assert_eq!(direction(king, up, 0, 7), Ok(SquareSet::file(4)));
/// assert_eq!(direction(king, up, 2, 1), Err(BadDistances));
/// ```
pub fn direction(
    set: SquareSet,
    directions: Directions,
    min: i32,
    max: i32,
) -> Result<SquareSet, BadDistances> {
    if min > max || min < -7 || max > 7 {
        return Err(BadDistances);
    }
    let mut sum = SquareSet::EMPTY;
    if min <= 0 && max >= 0 && directions.0 != 0 {
        sum |= set;
    }
    for number in 0..8 {
        if directions.0 >> number & 1 == 0 {
            continue;
        }
        let (ahead, behind) = (Direction::ALL[number], Direction::ALL[(number + 4) % 8]);
        if max > 0 {
            sum |= steps(set, ahead, min.max(1), max);
        }
        if min < 0 {
            sum |= steps(set, behind, (-max).max(1), -min);
        }
    }
    Ok(sum)
}

/// The squares `min ..= max` steps away; `1 <= min <= max <= 7`.
fn steps(set: SquareSet, direction: Direction, min: i32, max: i32) -> SquareSet {
    if min == 1 && max == 7 {
        return beyond(set, direction);
    }
    let mut step = set;
    let mut sum = SquareSet::EMPTY;
    for distance in 1..=max {
        step = step.shift(direction);
        if distance >= min {
            sum |= step;
        }
    }
    sum
}
