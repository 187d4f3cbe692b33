//! Examples of attacks, rays, directions and piece sets that a board alone decides.

use babson_chess::attacks as table;
use babson_chess::{Square, SquareSet};
use babson_lang::hir::{Content, Designator, Directions, PinValue};

use super::super::fixture::{P1, board, named, squares};
use super::super::*;

const ANY: Directions = Directions(0xff);
const UP: Directions = Directions(1);
const RIGHT: Directions = Directions(1 << 2);
const HORIZONTAL: Directions = Directions(1 << 2 | 1 << 6);

#[test]
fn designators() {
    let (contents, _) = board(P1);
    let all = |letters: u16| Designator { squares: !0, content: Content(letters) };
    assert_eq!(designator(&contents, all(1 << 1)), squares("c3 f3"));
    assert_eq!(designator(&contents, all(1 << 5 | 1 << 11)), squares("e1 e8"));
    assert_eq!(designator(&contents, all(Content::ANY.0)), SquareSet::ALL);
    assert_eq!(designator(&contents, all(Content::EMPTY.0)), contents.empty());
    assert_eq!(designator(&contents, all(0)), SquareSet::EMPTY);
    let mixed = Content::WHITE.0 | 1 << 9 | 1 << 12;
    assert_eq!(
        designator(&contents, all(mixed)),
        contents.color(babson_chess::Color::White) | contents.empty() | squares("a8 h8")
    );
    let some = Designator { squares: squares("c3 d4").0, content: Content(1) };
    assert_eq!(designator(&contents, some), squares("d4"));
}

#[test]
fn attack_filters() {
    let (contents, _) = board(P1);
    let set = |letters| named(&contents, letters);
    assert_eq!(attacks::attacks(&contents, set("P"), squares("e5")), squares("d4"));
    assert_eq!(attacks::attacked_by(&contents, squares("e5"), set("P")), squares("e5"));
    assert_eq!(attacks::attacked_by(&contents, set("P"), squares("e5")), squares("d4"));
    let chain = [set("B"), set("n"), set("k")];
    assert_eq!(ray::ray(&contents, ANY, true, true, &chain), squares("b5"));
    assert_eq!(ray::ray(&contents, ANY, true, false, &chain), squares("e8"));

    let (contents, _) = board("3k4/3r2b1/8/3Q1B2/4P3/2N5/8/3K4 w - - 0 1");
    let set = |letters| named(&contents, letters);
    assert_eq!(attacks::attacked_by(&contents, SquareSet::ALL, set("P")), squares("d5 f5"));
    assert_eq!(attacks::attacks(&contents, set("A"), set("A")), squares("c3 e4 d5 f5"));
    let chain = [set("Q"), set("r"), set("k")];
    assert_eq!(ray::ray(&contents, ANY, true, true, &chain), squares("d5"));
    let default = |value| pin::pin(&contents, set("."), set("."), set("Kk"), value);
    assert_eq!(default(PinValue::Through), squares("d5 d7"));
    let from_queen = pin::pin(&contents, set("Q"), set("."), set("Kk"), PinValue::From);
    assert_eq!(from_queen, squares("d5"));
}

#[test]
fn rays_on_one_line() {
    // Rank 1: R . . P . . n r
    let (contents, _) = board("8/8/8/8/8/8/8/R2P2nr w - - 0 1");
    let set = |letters| named(&contents, letters);
    let right = |sets: &[SquareSet]| ray::ray(&contents, RIGHT, false, false, sets);
    assert_eq!(right(&[set("R"), set("P")]), squares("d1"));
    assert_eq!(right(&[set("R"), set("_"), set("P")]), squares("d1"));
    assert_eq!(right(&[squares("b1"), set("P")]), squares("d1"));
    assert_eq!(right(&[set("R"), set("P"), set("r")]), SquareSet::EMPTY);
    assert_eq!(right(&[set("R"), set("P"), set("n"), set("r")]), squares("h1"));
    assert_eq!(right(&[set("R"), set("."), set("."), set(".")]), squares("d1 e1 f1 g1 h1"));
    let through = [set("R"), set("P"), set("n"), set("r")];
    assert_eq!(ray::ray(&contents, ANY, true, false, &through), squares("h1"));
    assert_eq!(ray::ray(&contents, ANY, true, true, &through), squares("a1"));
    let back = [set("r"), set("n"), set("P"), set("R")];
    assert_eq!(ray::ray(&contents, ANY, true, true, &back), squares("h1"));
    let blocked = [set("R"), set("P"), set("r")];
    assert_eq!(ray::ray(&contents, ANY, true, true, &blocked), SquareSet::EMPTY);
    assert_eq!(right(&[set(".")]), SquareSet::EMPTY);
    assert_eq!(right(&[]), SquareSet::EMPTY);
    // Eight sets fill a whole rank, nine do not fit.
    assert_eq!(right(&[SquareSet::ALL; 8]), SquareSet::file(7));
    assert_eq!(right(&[SquareSet::ALL; 9]), SquareSet::EMPTY);
    assert_eq!(right(&[SquareSet::ALL; 300]), SquareSet::EMPTY);
}

#[test]
fn a_rook_looks_along_no_diagonal() {
    let (contents, _) = board("8/8/8/8/3n4/8/1R6/8 w - - 0 1");
    let sets = [named(&contents, "R"), named(&contents, "n")];
    assert_eq!(ray::ray(&contents, ANY, true, false, &sets), SquareSet::EMPTY);
    assert_eq!(ray::ray(&contents, ANY, false, false, &sets), squares("d4"));
}

#[test]
fn between_and_pin() {
    assert_eq!(between::between(squares("a1 b1"), squares("a4")), squares("a2 a3"));
    assert_eq!(between::between(squares("a1"), squares("b3")), SquareSet::EMPTY);
    assert_eq!(between::between(squares("a1"), squares("a1")), SquareSet::EMPTY);
    let (contents, _) = board(P1);
    let set = |letters| named(&contents, letters);
    let pin =
        |from, through, to, value| pin::pin(&contents, set(from), set(through), set(to), value);
    assert_eq!(pin(".", ".", "Kk", PinValue::Through), squares("c6"));
    assert_eq!(pin("B", ".", "Kk", PinValue::From), squares("b5"));
    assert_eq!(pin("B", ".", "k", PinValue::To), squares("e8"));
    assert_eq!(pin("A", "n", "k", PinValue::From), squares("b5"));
}

#[test]
fn directions() {
    let king = squares("e1");
    let go = direction::direction;
    assert_eq!(go(king, UP, 1, 1), Ok(squares("e2")));
    assert_eq!(go(king, UP, 0, 7), Ok(SquareSet::file(4)));
    assert_eq!(go(king, UP, -1, 1), Ok(squares("e1 e2")));
    assert_eq!(go(king, HORIZONTAL, 1, 1), Ok(squares("d1 f1")));
    assert_eq!(go(king, UP, 2, 1), Err(direction::BadDistances));
    assert_eq!(go(king, UP, 1, 8), Err(direction::BadDistances));
    assert_eq!(go(king, UP, -8, 1), Err(direction::BadDistances));
    assert_eq!(go(king, UP, i32::MIN, i32::MAX), Err(direction::BadDistances));
    assert_eq!(go(king, Directions(0), 0, 7), Ok(SquareSet::EMPTY));
}

#[test]
fn pawn_sets() {
    let (contents, _) = board("4k3/p5p1/1p6/3p4/3P1P2/P4P2/7P/4K3 w - - 0 1");
    assert_eq!(pawns::isolated(&contents), squares("h2 a3 f3 d4 f4 d5 g7"));
    assert_eq!(pawns::doubled(&contents), squares("f3 f4"));
    assert_eq!(pawns::connected(&contents), squares("b6 a7"));
    assert_eq!(pawns::passed(&contents), SquareSet::EMPTY);
    let (contents, _) = board("4k3/8/8/1p6/8/2P5/p6P/4K3 w - - 0 1");
    assert_eq!(pawns::passed(&contents), squares("a2 h2"));
}

#[test]
fn piece_properties() {
    let (contents, _) = board(P1);
    let set = |letters| named(&contents, letters);
    assert_eq!(pieces::kind_number(&contents, squares("d5")), Some(5));
    assert_eq!(pieces::color_number(&contents, squares("d5")), Some(-5));
    assert_eq!(pieces::color_number(&contents, squares("e1")), Some(6));
    assert_eq!(pieces::kind_number(&contents, squares("e4")), Some(0));
    assert_eq!(pieces::kind_number(&contents, set("N")), None);
    assert_eq!(pieces::piece_name(&contents, squares("c6")), Some(b'n'));
    assert_eq!(pieces::kind_name(&contents, squares("c6")), Some(b'N'));
    assert_eq!(pieces::kind_name(&contents, squares("e4")), Some(b'_'));
    assert_eq!(pieces::piece_name(&contents, SquareSet::EMPTY), None);
    assert_eq!(pieces::power(|kind| contents.kind(kind), SquareSet::ALL), 26 + 29);
    assert_eq!((pieces::rank(squares("d5")), pieces::file(squares("d5"))), (Some(5), Some(4)));
    assert_eq!((pieces::rank(set("A")), pieces::file(SquareSet::EMPTY)), (None, None));
    assert_eq!(pieces::make_square(8, 1), Square::H1.into());
    for (file, rank) in [(0, 1), (1, 9), (i32::MIN, 1), (1, i32::MAX)] {
        assert_eq!(pieces::make_square(file, rank), SquareSet::EMPTY);
    }
    assert_eq!(pieces::make_square_text(b"h8"), Square::H8.into());
    for text in [&b"h9"[..], b"", b"h", b"h88", b"H8"] {
        assert_eq!(pieces::make_square_text(text), SquareSet::EMPTY);
    }
    assert_eq!(light(SquareSet::ALL) | dark(squares("a1")), SquareSet::LIGHT | squares("a1"));
}

#[test]
fn contents_of_a_position() {
    let (contents, _) = board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(Contents::of(&babson_chess::Position::start()), contents);
    assert_eq!(Contents::of(&babson_chess::Position::empty()), Contents::BARE);
}

#[test]
fn same_content() {
    let (one, _) = board(P1);
    let mut pieces: Vec<_> =
        Square::all().filter_map(|square| Some((square, one.at(square)?))).collect();
    assert_eq!(Contents::from_pieces(pieces.iter().copied()), one);
    pieces.retain(|&(square, _)| square != Square::E1);
    assert_eq!(!one.same(&Contents::from_pieces(pieces)), Square::E1.into());
}

#[test]
fn steps_of_sets_agree_with_the_tables() {
    for square in Square::all() {
        let set = SquareSet::of(square);
        assert_eq!(attacks::knight_steps(set), table::knight(square));
        assert_eq!(attacks::king_steps(set), table::king(square));
        for color in babson_chess::Color::ALL {
            assert_eq!(attacks::pawn_attacks(color, set), table::pawn(color, square));
        }
    }
}
