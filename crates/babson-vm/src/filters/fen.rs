//! `fen` (language.md 13.7): the text of CQL 6.2 and the pattern. The standard six fields, which the
//! default dialect prints, are `babson_chess::fen::write`.

use babson_chess::{Color, Kind, Square, SquareSet};
use babson_lang::hir::Designator;

use super::{Contents, designator};

/// Castling rights as bits: 1 White's king side, 2 White's queen side, 4 and 8 Black's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct HomeRights(pub u8);

impl HomeRights {
    /// The rights by geometry and the squares on which an earlier move of this line ended.
    ///
    /// A king and a rook that stand on their home squares, to which nothing has moved, have stood
    /// there since the first position. What the game's FEN says is ignored.
    pub fn of(contents: &Contents, touched: SquareSet) -> HomeRights {
        let mut rights = 0;
        for (bit, color, king, rook) in [
            (1, Color::White, Square::E1, Square::H1),
            (2, Color::White, Square::E1, Square::A1),
            (4, Color::Black, Square::E8, Square::H8),
            (8, Color::Black, Square::E8, Square::A8),
        ] {
            let home = (contents.pieces(color, Kind::King) - touched).contains(king)
                && (contents.pieces(color, Kind::Rook) - touched).contains(rook);
            if home {
                rights |= bit;
            }
        }
        HomeRights(rights)
    }
}

/// Appends the FEN text of CQL 6.2; its counters are always `0 1`.
///
/// `en_passant` is the square that the previous move, a double push, passed over.
pub fn write6(
    out: &mut Vec<u8>,
    contents: &Contents,
    turn: Color,
    rights: HomeRights,
    en_passant: Option<Square>,
) {
    placement(out, contents);
    out.extend_from_slice(match turn {
        Color::White => b" w ",
        Color::Black => b" b ",
    });
    if rights.0 & 15 == 0 {
        out.push(b'-');
    }
    for (number, letter) in b"KQkq".iter().enumerate() {
        if rights.0 >> number & 1 != 0 {
            out.push(*letter);
        }
    }
    out.push(b' ');
    match en_passant {
        Some(square) => super::text::square(out, square),
        None => out.push(b'-'),
    }
    out.extend_from_slice(b" 0 1");
}

/// Appends the first FEN field.
pub fn placement(out: &mut Vec<u8>, contents: &Contents) {
    for rank in (0..8).rev() {
        let mut gap = 0;
        for file in 0..8 {
            match contents.at(Square::at(file, rank)) {
                None => gap += 1,
                Some(piece) => {
                    if gap > 0 {
                        out.push(b'0' + gap);
                        gap = 0;
                    }
                    out.push(piece.letter() as u8);
                }
            }
        }
        if gap > 0 {
            out.push(b'0' + gap);
        }
        if rank > 0 {
            out.push(b'/');
        }
    }
}

/// `fen "…"`: whether each designator holds on all its squares.
pub fn matches(contents: &Contents, pattern: &[Designator]) -> bool {
    pattern.iter().all(|&part| designator(contents, part).0 == part.squares)
}
