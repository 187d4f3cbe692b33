//! `fen`: the text as CQL 6.2 prints it, and the pattern. The default dialect prints the six
//! standard fields with `babson_chess::fen::write`.

use babson_chess::{CastlingRights, CastlingSide, Color, Kind, Piece, Square, SquareSet};
use babson_lang::hir::Designator;

use super::{Contents, PieceSets, designator};

/// The castling rights by geometry and the squares on which an earlier move of this line ended.
///
/// A king and a rook on their home squares, to which nothing has moved, have been there since the
/// first position. The rights in the game's FEN do not matter.
pub fn home_rights(board: &impl PieceSets, touched: SquareSet) -> CastlingRights {
    let mut rights = CastlingRights::default();
    for color in Color::ALL {
        let rank = color.back_rank();
        if !(board.pieces(color, Kind::King) - touched).contains(Square::at(4, rank)) {
            continue;
        }
        let rooks = board.pieces(color, Kind::Rook) - touched;
        for (side, file) in [(CastlingSide::King, 7), (CastlingSide::Queen, 0)] {
            if rooks.contains(Square::at(file, rank)) {
                rights = rights.with(CastlingRights::of(color, side));
            }
        }
    }
    rights
}

/// Few texts of a FEN are longer.
pub(crate) const TYPICAL_LEN: usize = 96;

/// Appends the FEN text of CQL 6.2; its counters are always `0 1`.
///
/// `en_passant` is the square that the previous move, a double push, crossed.
pub(crate) fn write6(
    out: &mut Vec<u8>,
    board: &impl PieceSets,
    turn: Color,
    rights: CastlingRights,
    en_passant: Option<Square>,
) {
    placement(out, board);
    out.extend_from_slice(match turn {
        Color::White => b" w ",
        Color::Black => b" b ",
    });
    let start = out.len();
    for (letter, color, side) in [
        (b'K', Color::White, CastlingSide::King),
        (b'Q', Color::White, CastlingSide::Queen),
        (b'k', Color::Black, CastlingSide::King),
        (b'q', Color::Black, CastlingSide::Queen),
    ] {
        if rights.has(color, side) {
            out.push(letter);
        }
    }
    if out.len() == start {
        out.push(b'-');
    }
    out.push(b' ');
    match en_passant {
        Some(square) => super::text::square(out, square),
        None => out.push(b'-'),
    }
    out.extend_from_slice(b" 0 1");
}

/// Appends the first FEN field.
pub fn placement(out: &mut Vec<u8>, board: &impl PieceSets) {
    const EMPTY: u8 = 0;
    let mut letters = [EMPTY; 64];
    for color in Color::ALL {
        for kind in Kind::ALL {
            let letter = Piece::new(color, kind).letter() as u8;
            for square in board.pieces(color, kind) {
                letters[square.index()] = letter;
            }
        }
    }
    for (rank, letters) in letters.chunks(8).enumerate().rev() {
        let mut gap = 0;
        for &letter in letters {
            if letter == EMPTY {
                gap += 1;
                continue;
            }
            if gap > 0 {
                out.push(b'0' + gap);
                gap = 0;
            }
            out.push(letter);
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
