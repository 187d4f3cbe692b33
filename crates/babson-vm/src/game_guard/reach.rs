//! The squares that pieces reach on an empty board, for whole sets of squares at a time.

use babson_chess::{Color, Direction, Kind, SquareSet};

use crate::filters::attacks::{king_steps, knight_steps, pawn_attacks};

/// The squares that a piece attacks from the squares if nothing stands in its way.
pub(super) fn reach(piece: u8, from: u64) -> u64 {
    moves(piece, from, false)
}

/// The squares from which a piece attacks the squares if nothing stands in its way.
pub(super) fn origins(piece: u8, to: u64) -> u64 {
    moves(piece, to, true)
}

fn moves(piece: u8, squares: u64, backward: bool) -> u64 {
    let set = SquareSet(squares);
    let (kind, white) = (Kind::from_index(usize::from(piece % 6)), piece < 6);
    match kind {
        Some(Kind::Pawn) => {
            let color = if white != backward { Color::White } else { Color::Black };
            pawn_attacks(color, set).0
        }
        Some(Kind::Knight) => knight_steps(set).0,
        Some(Kind::King) => king_steps(set).0,
        Some(Kind::Bishop) => lines(squares, DIAGONAL),
        Some(Kind::Rook) => lines(squares, ORTHOGONAL),
        Some(Kind::Queen) | None => lines(squares, !0),
    }
}

/// The directions of rooks, which have even numbers.
pub(super) const ORTHOGONAL: u8 = 0x55;
/// The directions of bishops, which have odd numbers.
pub(super) const DIAGONAL: u8 = !ORTHOGONAL;

fn lines(squares: u64, directions: u8) -> u64 {
    let chosen = Direction::ALL.into_iter().enumerate();
    let chosen = chosen.filter(|(number, _)| directions >> number & 1 != 0);
    chosen.fold(0, |sum, (_, direction)| sum | beyond(squares, direction))
}

/// All squares that lie in the direction of one of the squares.
pub(super) fn beyond(squares: u64, direction: Direction) -> u64 {
    let mut sum = SquareSet::EMPTY;
    let mut front = SquareSet(squares);
    for _ in 0..7 {
        front = front.shift(direction);
        sum |= front;
    }
    sum.0
}

#[cfg(test)]
mod tests {
    use babson_chess::{Piece, Square, attacks};

    use super::*;

    #[test]
    fn pieces_reach_what_they_attack_on_an_empty_board() {
        let pieces = Color::ALL.into_iter().flat_map(|color| Kind::ALL.map(|kind| (color, kind)));
        for piece in pieces.map(|(color, kind)| Piece::new(color, kind)) {
            let number = piece.index() as u8;
            let mut back = [0; 64];
            for (index, square) in Square::all().enumerate() {
                let attacked = attacks::of(piece.kind, piece.color, square, SquareSet::EMPTY);
                assert_eq!(reach(number, 1 << index), attacked.0, "{piece:?} {square}");
                for target in attacked {
                    back[target.index()] |= 1 << index;
                }
            }
            for (index, back) in back.into_iter().enumerate() {
                assert_eq!(origins(number, 1 << index), back, "{piece:?} {index}");
            }
        }
    }
}
