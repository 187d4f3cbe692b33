//! Move codes, against the moves that they stand for.

use super::Random;
use crate::{Color, Kind, MoveCode, Position, Rules, fen};

/// Boards on which promotions, en passant and castling are frequent.
const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
    "1n2k1n1/P1P4P/8/8/8/8/p1p4p/1N2K1N1 b - - 3 40",
    "4k3/p1p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/4K3 w - - 0 1",
];

#[test]
fn every_code_is_its_move() {
    let rules = Rules::STANDARD;
    let mut random = Random(3);
    let mut next = Position::empty();
    let (mut castled, mut en_passant, mut promoted) = (0, 0, 0);
    for game in 0..200 {
        let (mut position, _) = fen::parse(STARTS[game % STARTS.len()]).unwrap();
        for _ in 0..120 {
            let moves = position.legal_moves(&rules);
            for &mv in &moves {
                let code = MoveCode::of(mv, &position).unwrap();
                let made = position.make(mv, &rules);
                assert_eq!(code.step(&position, made.in_check(), &mut next), Some(mv), "{mv}");
                assert_eq!(next, made, "{mv}");
                assert_eq!(next.state, made.state, "{mv} {}", fen::write(&position, &rules));
                castled += usize::from(mv.is_castling());
                en_passant += usize::from(mv.is_en_passant());
                promoted += usize::from(mv.promotion().is_some());
            }
            if moves.is_empty() {
                break;
            }
            position = position.make(moves[random.below(moves.len())], &rules);
        }
    }
    assert!(castled > 100 && en_passant > 10 && promoted > 100);
}

/// No code panics, and each side keeps one king and no pawn on the first or last rank.
#[test]
fn codes_without_a_move_are_refused() {
    let mut random = Random(7);
    let mut next = Position::empty();
    for game in 0..400 {
        let (mut position, _) = fen::parse(STARTS[game % STARTS.len()]).unwrap();
        for _ in 0..400 {
            let code = MoveCode(random.below(1 << 16) as u16);
            if code.step(&position, random.below(8) == 0, &mut next).is_none() {
                continue;
            }
            position = next;
            for color in Color::ALL {
                assert!(position.king(color).is_some(), "{code:?}");
            }
            let back_ranks = crate::SquareSet::BACK_RANKS;
            assert!(!position.kind(Kind::Pawn).intersects(back_ranks), "{code:?}");
        }
        // The odd boards that such codes lead to do not panic later.
        let moves = position.legal_moves(&Rules::STANDARD);
        assert_eq!(moves.is_empty(), !position.has_legal_move(&Rules::STANDARD));
    }
}
