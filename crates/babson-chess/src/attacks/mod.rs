//! Attack sets as functions of square and occupancy.

mod lines;
mod magics;
#[cfg(test)]
mod search;
mod sliders;

use crate::{Color, Kind, Square, SquareSet};
use lines::{BETWEEN, LINE};
use sliders::SLIDERS;

/// For each square, the squares that the steps lead to.
const fn leaps(steps: &[(i8, i8)]) -> [SquareSet; 64] {
    let mut table = [SquareSet::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut i = 0;
        while i < steps.len() {
            let file = (index % 8) as i8 + steps[i].0;
            let rank = (index / 8) as i8 + steps[i].1;
            if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[index].0 |= 1 << (rank * 8 + file);
            }
            i += 1;
        }
        index += 1;
    }
    table
}

static KNIGHT: [SquareSet; 64] =
    leaps(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);

static KING: [SquareSet; 64] =
    leaps(&[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);

static PAWN: [[SquareSet; 64]; 2] = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];

/// What a rook attacks, up to and including the first occupied square in each direction.
#[inline(always)]
pub fn rook(square: Square, occupied: SquareSet) -> SquareSet {
    SLIDERS[square.index()].rook.get(occupied)
}

/// What a bishop attacks, up to and including the first occupied square in each direction.
#[inline(always)]
pub fn bishop(square: Square, occupied: SquareSet) -> SquareSet {
    SLIDERS[square.index()].bishop.get(occupied)
}

/// What a queen attacks: the squares that a rook or a bishop attacks.
#[inline(always)]
pub fn queen(square: Square, occupied: SquareSet) -> SquareSet {
    rook(square, occupied) | bishop(square, occupied)
}

/// What a knight attacks.
#[inline(always)]
pub fn knight(square: Square) -> SquareSet {
    KNIGHT[square.index()]
}

/// What a king attacks.
#[inline(always)]
pub fn king(square: Square) -> SquareSet {
    KING[square.index()]
}

/// What a pawn of the color attacks (diagonally).
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> SquareSet {
    PAWN[color.index()][square.index()]
}

/// What a piece of the kind and color on the square attacks.
#[inline]
pub fn of(kind: Kind, color: Color, square: Square, occupied: SquareSet) -> SquareSet {
    match kind {
        Kind::Pawn => pawn(color, square),
        Kind::Knight => knight(square),
        Kind::Bishop => bishop(square, occupied),
        Kind::Rook => rook(square, occupied),
        Kind::Queen => queen(square, occupied),
        Kind::King => king(square),
    }
}

/// The squares strictly between two squares of one rank, file or diagonal; empty for other squares.
#[inline(always)]
pub fn between(a: Square, b: Square) -> SquareSet {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through both squares; empty if there is none or if the squares
/// are the same.
#[inline(always)]
pub fn line(a: Square, b: Square) -> SquareSet {
    LINE[a.index()][b.index()]
}

/// What a rook attacks on an empty board.
#[inline(always)]
pub fn rook_rays(square: Square) -> SquareSet {
    SLIDERS[square.index()].rook_rays
}

/// What a bishop attacks on an empty board.
#[inline(always)]
pub fn bishop_rays(square: Square) -> SquareSet {
    SLIDERS[square.index()].bishop_rays
}

#[cfg(test)]
mod tests {
    use cozy_chess::BitBoard;

    use super::*;
    use crate::convert::{color_to_cozy, square_to_cozy};
    use crate::tests::Random;

    #[test]
    fn our_leapers_are_those_of_cozy_chess() {
        for square in Square::all() {
            let theirs = square_to_cozy(square);
            assert_eq!(theirs as usize, square.index());
            assert_eq!(knight(square).0, cozy_chess::get_knight_moves(theirs).0);
            assert_eq!(king(square).0, cozy_chess::get_king_moves(theirs).0);
            for color in Color::ALL {
                let attacks = cozy_chess::get_pawn_attacks(theirs, color_to_cozy(color)).0;
                assert_eq!(pawn(color, square).0, attacks);
            }
        }
    }

    #[test]
    fn our_lines_are_those_of_cozy_chess() {
        for a in Square::all() {
            let from = square_to_cozy(a);
            assert_eq!(rook_rays(a).0, cozy_chess::get_rook_rays(from).0);
            assert_eq!(bishop_rays(a).0, cozy_chess::get_bishop_rays(from).0);
            for b in Square::all() {
                let to = square_to_cozy(b);
                assert_eq!(between(a, b).0, cozy_chess::get_between_rays(from, to).0);
                assert_eq!(line(a, b).0, cozy_chess::get_line_rays(from, to).0);
            }
        }
    }

    /// Every subset of the squares that decide, each with other squares occupied at random.
    #[test]
    fn our_sliders_are_those_of_cozy_chess() {
        let mut random = Random(7);
        let mut compared = 0;
        for square in Square::all() {
            let theirs = square_to_cozy(square);
            for rays in [rook_rays(square), bishop_rays(square)] {
                for subset in BitBoard(rays.0).iter_subsets() {
                    let occupied = BitBoard(subset.0 | random.next() & !rays.0);
                    let set = SquareSet(occupied.0);
                    let attacks = cozy_chess::get_rook_moves(theirs, occupied).0;
                    assert_eq!(rook(square, set).0, attacks, "{square}\n{set}");
                    let attacks = cozy_chess::get_bishop_moves(theirs, occupied).0;
                    assert_eq!(bishop(square, set).0, attacks, "{square}\n{set}");
                    compared += 1;
                }
            }
        }
        // A rook has 14 squares on an empty board, a bishop 7 to 13.
        let bishops: i32 = [(28, 7), (20, 9), (12, 11), (4, 13)].map(|(n, m)| n << m).iter().sum();
        assert_eq!(compared, (64 << 14) + bishops);
    }
}
