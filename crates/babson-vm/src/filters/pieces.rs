//! Properties of the pieces on a set of squares, squares from numbers and names.

use babson_chess::{Color, Kind, Square, SquareSet};

use super::Contents;

/// `type`: 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king, 0 empty; no value unless the set is
/// one square.
pub fn kind_number(contents: &Contents, set: SquareSet) -> Option<i32> {
    color_number(contents, set).map(i32::abs)
}

/// `colortype`: as [`kind_number`], negative for a black piece.
pub fn color_number(contents: &Contents, set: SquareSet) -> Option<i32> {
    let square = set.single()?;
    Some(contents.at(square).map_or(0, |piece| {
        let number = piece.kind.index() as i32 + 1;
        if piece.color == Color::White { number } else { -number }
    }))
}

/// `typename`: the upper-case letter of the piece, `_` for an empty square; no value unless the set
/// is one square.
pub fn kind_name(contents: &Contents, set: SquareSet) -> Option<u8> {
    piece_name(contents, set).map(|letter| letter.to_ascii_uppercase())
}

/// `piecename`: the FEN letter of the piece, `_` for an empty square; no value unless the set is
/// one square.
pub fn piece_name(contents: &Contents, set: SquareSet) -> Option<u8> {
    let square = set.single()?;
    Some(contents.at(square).map_or(b'_', |piece| piece.letter() as u8))
}

/// `power`: the material of the pieces of both colors on the squares. `of_kind` gives the squares
/// of the pieces of a kind.
#[inline]
pub fn power(of_kind: impl Fn(Kind) -> SquareSet, set: SquareSet) -> i32 {
    let value = |kind: Kind| kind.material() * (of_kind(kind) & set).len() as i32;
    Kind::ALL.map(value).iter().sum()
}

/// `materialkey`: the letters of White's pieces, then `v`, then the letters of Black's pieces. Each
/// side is in the order K, Q, R, B, N, P. Endgame tablebases are named like this: `KRPvKR`.
pub fn material_key(contents: &Contents) -> String {
    let letters = |color| -> String {
        let of_kind =
            |kind: Kind| contents.pieces(color, kind).into_iter().map(move |_| kind.letter());
        Kind::ALL.into_iter().rev().flat_map(of_kind).collect()
    };
    format!("{}v{}", letters(Color::White), letters(Color::Black))
}

/// `rank`: 1 to 8; no value unless the set is one square.
pub fn rank(set: SquareSet) -> Option<i32> {
    set.single().map(|square| i32::from(square.rank()) + 1)
}

/// `file`: 1 (a) to 8 (h); no value unless the set is one square.
pub fn file(set: SquareSet) -> Option<i32> {
    set.single().map(|square| i32::from(square.file()) + 1)
}

/// `makesquare (file rank)`: that square, empty beyond 1..8.
pub fn make_square(file: i32, rank: i32) -> SquareSet {
    let range = 1..=8;
    if range.contains(&file) && range.contains(&rank) {
        SquareSet::of(Square::at((file - 1) as u8, (rank - 1) as u8))
    } else {
        SquareSet::EMPTY
    }
}

/// `makesquare "e4"`: the square of that name, empty for any other text.
pub fn make_square_text(name: &[u8]) -> SquareSet {
    match *name {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
            SquareSet::of(Square::at(file - b'a', rank - b'1'))
        }
        _ => SquareSet::EMPTY,
    }
}
