//! Rays as CQL 3 counts them (`docs/src/language/cql3.md#boards`).

use babson_chess::{Direction, SquareSet};
use babson_lang::hir::Directions;

use super::Contents;
use crate::limits::MAX_RAY_SETS;

/// The number of pairs (first square, last square) of valid rays. A ray runs from a square of the
/// first set to one of the last. Between them each other set has a square of its own, in order, and
/// the remaining squares are empty. With `attack` the first square holds a slider that moves in the
/// direction of the ray.
///
/// ```
/// use babson_chess::{Color, Kind, Position, SquareSet};
/// use babson_lang::hir::Directions;
/// use babson_vm::filters::{Contents, pairs::on_rays};
///
/// let start = Contents::of(&Position::start());
/// let rooks = start.pieces(Color::White, Kind::Rook);
/// let black = start.pieces(Color::Black, Kind::Pawn);
/// let pawns = start.pieces(Color::White, Kind::Pawn);
/// // a1-a7 and h1-h7.
/// assert_eq!(on_rays(&start, Directions(0xff), true, &[rooks, pawns, black]), 2);
/// ```
pub fn on_rays(
    contents: &Contents,
    directions: Directions,
    attack: bool,
    sets: &[SquareSet],
) -> u32 {
    let [start, rest @ ..] = sets else { return 0 };
    let Some((&last, between)) = rest.split_last() else {
        return 0;
    };
    if between.len() > MAX_RAY_SETS || sets.iter().any(|set| set.is_empty()) {
        return 0;
    }
    let occupied = contents.occupied();
    let mut count = 0;
    for (number, direction) in Direction::ALL.into_iter().enumerate() {
        if directions.0 >> number & 1 == 0 {
            continue;
        }
        let from = match (attack, number % 2 == 0) {
            (false, _) => *start,
            (true, true) => *start & contents.orthogonal(),
            (true, false) => *start & contents.diagonal(),
        };
        for square in from.iter() {
            // Bit n: the first n sets between have their squares.
            let mut assigned = 1u32;
            let mut at = SquareSet::of(square).shift(direction);
            while !at.is_empty() && assigned != 0 {
                if assigned >> between.len() & 1 != 0 && at.intersects(last) {
                    count += 1;
                }
                let here = between
                    .iter()
                    .enumerate()
                    .filter(|(_, set)| at.intersects(**set))
                    .fold(0, |here, (n, _)| here | 1 << n);
                let next = (assigned & here) << 1;
                assigned = if at.intersects(occupied) { next } else { assigned | next };
                at = at.shift(direction);
            }
        }
    }
    count
}
