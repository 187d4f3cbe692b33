//! Boards that no game of chess reaches (`docs/src/language/odd-positions.md`).

use crate::{CastlingSide, Color, Move, Position, Rules, SanError, fen, movegen, san};

const RULES: Rules = Rules::STANDARD;

fn position(text: &str) -> Position {
    fen::parse(text).expect(text).0
}

fn uci(position: &Position) -> Vec<String> {
    let mut moves: Vec<_> = position.legal_moves(&RULES).iter().map(Move::to_string).collect();
    moves.sort();
    moves
}

#[test]
fn a_missing_king_is_not_in_check_and_has_no_null_move() {
    let board = position("8/8/8/8/8/8/8/R6r w");
    assert!(!board.in_check() && !board.is_mate(&RULES));
    assert_eq!(san::parse(&board, &RULES, b"--"), Err(SanError::IllegalMove));
    assert_eq!(board.count_legal(&RULES), 14);
    // No piece to move: stalemate by the recommendation of the table's last row.
    assert!(position("8/8/8/8/8/8/8/7r w").is_stalemate(&RULES));
}

#[test]
fn several_kings_are_not_royal() {
    let board = position("k6r/8/8/8/8/8/8/K3K2R w K");
    assert!(!board.in_check());
    assert_eq!(board.king(Color::White), None);
    assert!(board.is_legal(Move::normal("a1".parse().unwrap(), "a2".parse().unwrap()), &RULES));
    assert!(!uci(&board).contains(&"e1g1".to_string()));
    // Of two attacked kings either may stay, and one can be captured.
    let board = position("8/8/8/8/8/8/8/kk5R w");
    assert!(uci(&board).contains(&"h1b1".to_string()));
}

#[test]
fn a_king_in_check_out_of_turn_can_be_captured() {
    let board = position("4k3/8/8/8/8/8/8/K3R3 w");
    assert!(uci(&board).contains(&"e1e8".to_string()));
    let after = board.make(Move::normal("e1".parse().unwrap(), "e8".parse().unwrap()), &RULES);
    assert_eq!(after.king(Color::Black), None);
    assert!(!after.in_check());
}

#[test]
fn pawns_on_their_first_and_last_rank() {
    let board = position("8/8/8/8/8/8/8/P6k w");
    assert_eq!(uci(&board), ["a1a2", "a1a3"]);
    let double = Move::normal("a1".parse().unwrap(), "a3".parse().unwrap());
    assert_eq!(board.make(double, &RULES).ep(), None);
    let board = position("P6k/8/8/8/8/8/8/8 w");
    assert_eq!(uci(&board), [""; 0]);
    let board = position("8/8/8/8/8/2p5/1P6/p6k b");
    assert_eq!(uci(&board), ["c3b2", "c3c2", "h1g1", "h1g2", "h1h2"]);
}

#[test]
fn geometric_castling_needs_no_right() {
    let board = position("4k3/8/8/8/8/8/8/R3K2R w");
    assert!(movegen::castling_path_ok(&board, Color::White, CastlingSide::King));
    assert!(movegen::castling_path_ok(&board, Color::White, CastlingSide::Queen));
    let read = san::read(&board, &RULES, b"O-O").expect("by geometry");
    assert!(read.without_right && read.mv.is_king_side());
    // d1 is attacked: the king may not pass. b1 may be attacked.
    let board = position("3rk3/8/8/8/8/8/8/R3K2R w KQ");
    assert!(!movegen::castling_path_ok(&board, Color::White, CastlingSide::Queen));
    assert_eq!(san::parse(&board, &RULES, b"O-O-O"), Err(SanError::IllegalMove));
    let board = position("1r2k3/8/8/8/8/8/8/R3K2R w KQ");
    assert!(san::parse(&board, &RULES, b"0-0-0").is_ok());
}

#[test]
fn en_passant_may_not_open_a_line() {
    let board = position("8/8/8/K2pP2r/8/8/8/7k w - d6");
    assert!(!uci(&board).contains(&"e5d6".to_string()));
    let pseudo = board.moves(&RULES, movegen::MoveSelection::PSEUDOLEGAL);
    assert!(pseudo.iter().any(|mv| mv.is_en_passant()));
}

#[test]
fn null_move_passes_the_turn() {
    let board = position("4k3/8/8/8/4Pp2/8/8/4K3 b - e3 3 9");
    let after = board.make(Move::NULL, &RULES);
    assert_eq!(fen::write(&after, &RULES), "4k3/8/8/8/4Pp2/8/8/4K3 w - - 4 10");
}
