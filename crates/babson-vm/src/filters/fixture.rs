//! Boards for the tests of this folder.

use babson_chess::{Color, Piece, Position, Square, SquareSet};
use proptest::prelude::*;

use super::Contents;

/// A middlegame position: both sides may castle, a queen in the center, a bishop that pins.
pub(super) const P1: &str = "r3k2r/ppp2ppp/2n5/1B1qp3/3P4/2N2N2/PPP2PPP/R3K2R w KQkq - 0 1";

/// The board and the side to move of a FEN.
pub(super) fn board(fen: &str) -> (Contents, Color) {
    let mut fields = fen.split(' ');
    let mut pieces = Vec::new();
    for (line, rank) in fields.next().unwrap().split('/').zip((0..8).rev()) {
        let mut file = 0;
        for letter in line.bytes() {
            match Piece::from_letter(letter) {
                Some(piece) => {
                    pieces.push((Square::at(file, rank), piece));
                    file += 1;
                }
                None => file += letter - b'0',
            }
        }
        assert_eq!(file, 8, "{fen}");
    }
    let turn = if fields.next() == Some("b") { Color::Black } else { Color::White };
    (Contents::from_pieces(pieces), turn)
}

/// The contents as a position.
pub(super) fn position(contents: &Contents) -> Position {
    let mut position = Position::empty();
    for square in Square::all() {
        position.put(square, contents.at(square));
    }
    position
}

/// The set of squares named in the text, in any punctuation.
pub(super) fn squares(text: &str) -> SquareSet {
    text.split([',', ' ', '[', ']']).filter_map(|name| name.parse::<Square>().ok()).collect()
}

/// The squares with one of the letters (`A`, `a` and `_` included).
pub(super) fn named(contents: &Contents, letters: &str) -> SquareSet {
    letters.bytes().fold(SquareSet::EMPTY, |sum, letter| {
        sum | match letter {
            b'A' => contents.color(Color::White),
            b'a' => contents.color(Color::Black),
            b'_' => contents.empty(),
            b'.' => SquareSet::ALL,
            _ => contents.bit(Piece::from_letter(letter).unwrap().index()),
        }
    })
}

/// Any arrangement of pieces, crowded or not.
pub(super) fn any_board() -> impl Strategy<Value = Contents> {
    proptest::collection::vec((0u8..64, 0usize..12), 0..40).prop_map(|pieces| {
        Contents::from_pieces(pieces.into_iter().map(|(square, number)| {
            let color = Color::ALL[number / 6];
            let kind = babson_chess::Kind::ALL[number % 6];
            (Square::new(square).unwrap(), Piece::new(color, kind))
        }))
    })
}

/// Any set: few squares, about half of them, or all.
pub(super) fn any_set() -> impl Strategy<Value = SquareSet> {
    prop_oneof![
        proptest::collection::vec(0u8..64, 0..4)
            .prop_map(|list| list.into_iter().filter_map(Square::new).collect()),
        any::<u64>().prop_map(SquareSet),
        Just(SquareSet::ALL),
    ]
}
