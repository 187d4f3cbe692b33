//! Readings of FEN, and its errors.

use crate::fen::{self, FenErrorKind};
use crate::{Color, Position, Rules, Square, Variant};

#[test]
fn missing_fields_take_usual_values() {
    let (position, rules) = fen::parse("  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ").unwrap();
    assert_eq!(
        fen::write(&position, &rules),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
    );
    assert!(!position.same_placement(&Position::empty()));
    assert!(fen::parse("8/8/8/8/8/8/8/8 b - - -").is_ok());
}

#[test]
fn the_initial_position() {
    let text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(fen::parse(text), Ok((Position::start(), Rules::STANDARD)));
    assert_eq!(fen::parse(text).unwrap().0.state, Position::start().state);
    assert_eq!(fen::write(&Position::start(), &Rules::STANDARD), text);
}

#[test]
fn errors_say_what_and_where() {
    let error = |text| fen::parse(text).map(|_| ()).unwrap_err();
    assert_eq!(error(" ").kind, FenErrorKind::Empty);
    assert_eq!(error("8/8").kind, FenErrorKind::Ranks(2));
    let files = error("8/8/7/8/8/8/8/8");
    assert_eq!(files.kind, FenErrorKind::Files { rank: 6, files: 7 });
    assert_eq!(files.offset, 4);
    let piece = error("8/8/8/3x4/8/8/8/8 w");
    assert_eq!((piece.kind, piece.offset), (FenErrorKind::Piece('x'), 7));
    let side = error("8/8/8/8/8/8/8/8 x");
    assert_eq!((side.kind, side.offset), (FenErrorKind::Side("x".into()), 16));
    assert_eq!(error("8/8/8/8/8/8/8/8 w KX").kind, FenErrorKind::Castling('X'));
    assert_eq!(error("8/8/8/8/8/8/8/8 w - e4").kind, FenErrorKind::EnPassant("e4".into()));
    assert_eq!(error("8/8/8/8/8/8/8/8 w - - x").kind, FenErrorKind::Counter("x".into()));
    assert_eq!(error("8/8/8/8/8/8/8/8 w - - 0 1 z").kind, FenErrorKind::Trailing("z".into()));
    let text = error("8/8/8/3x4/8/8/8/8 w").to_string();
    assert_eq!(text, "'x' is not a piece (at byte 7)");
}

#[test]
fn castling_letters() {
    let inner = "1r2k1r1/8/8/8/8/8/8/1R2K1RR w Gq - 0 1";
    let (position, rules) = fen::parse(inner).unwrap();
    assert_eq!(rules.rooks[0], Square::G1);
    assert_eq!(rules.rooks[3], Square::B8);
    assert!(rules.chess960 && rules.variant == Variant::Chess960);
    assert_eq!(fen::write(&position, &rules), inner);
    // A standard game forgets such rights, and those without their pieces.
    let (position, rules) = fen::parse_variant(inner, Variant::Standard).unwrap();
    assert!(!position.castling().any(Color::White) && !rules.chess960);
    let (position, _) = fen::parse("4k3/8/8/8/8/8/8/4K2R w KQkq").unwrap();
    assert_eq!(format!("{:?}", position.castling()), "K");
}
