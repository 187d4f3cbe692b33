//! Move codes, against the moves that they stand for.

use super::Random;
use crate::{Color, Kind, MoveCode, Position, Rules, fen, line_checks, play_codes};

/// Boards on which promotions, en passant and castling are frequent.
const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
    "1n2k1n1/P1P4P/8/8/8/8/p1p4p/1N2K1N1 b - - 3 40",
    "4k3/p1p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/4K3 w - - 0 1",
];
/// The right K belongs to the rook on g1, which the code of castling does not mean. So the careful
/// path plays the other castlings of this game. White is in check.
const ODD_RIGHTS: &str = "r3k2r/p1ppp1pp/8/8/1b6/8/P1P1PPPP/R3K1R1 w KQkq - 0 1";

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

/// Lines of moves, most of them legal, are played as their codes one by one.
#[test]
fn a_line_is_its_steps() {
    let rules = Rules::STANDARD;
    let mut random = Random(11);
    let (mut ended, mut complete, mut odd_castled) = (0, 0, 0);
    let starts = [&STARTS[..], &[ODD_RIGHTS]].concat();
    for game in 0..600 {
        let (start, _) = fen::parse(starts[game % starts.len()]).unwrap();
        let (mut codes, mut steps) = (Vec::new(), vec![start]);
        let mut checks = vec![u64::from(start.in_check())];
        let error = loop {
            let (index, position) = (codes.len(), steps[codes.len()]);
            let moves = position.legal_moves(&rules);
            if index == 150 || moves.is_empty() {
                break None;
            }
            let odd = random.below(300) == 0;
            let mv = moves[random.below(moves.len())];
            let code = if odd {
                // Often the capture of a king or of an own piece.
                let mut from = position.color(position.side()).iter();
                let from = from.nth(random.below(3)).unwrap_or(mv.from());
                let kind = position.piece_at(from).map_or(Kind::Pawn, |piece| piece.kind);
                let to = position.king(position.side().not()).unwrap_or(mv.to());
                let to = if random.below(2) == 0 { to } else { mv.to() };
                MoveCode((from.index() | to.index() << 6 | kind.index() << 12) as u16)
            } else {
                MoveCode::of(mv, &position).unwrap()
            };
            odd_castled += usize::from(!odd && mv.is_castling() && !position.is_ordinary());
            let mut next = Position::empty();
            let check = position.make(mv, &rules).in_check();
            codes.push(code.0);
            let step = code.step(&position, check, &mut next);
            if step.is_none() {
                break Some(index);
            }
            checks.resize(index / 64 + 2, 0);
            checks[(index + 1) / 64] |= u64::from(check) << ((index + 1) % 64);
            steps.push(next);
        };
        if error.is_some() {
            // What comes after the first code that is not a move does not matter.
            codes.extend((0..random.below(10)).map(|_| random.below(1 << 16) as u16));
        }
        let mut positions = vec![Position::start(); codes.len() + 1];
        positions[0] = start;
        let mut moves = 0;
        let played = play_codes(&codes, &checks, &mut positions, |id, _| moves = id);
        assert_eq!(played.err(), error);
        if error.is_none() {
            assert_eq!((moves, &positions), (codes.len(), &steps));
            let states = |all: &[Position]| all.iter().map(|p| p.state).collect::<Vec<_>>();
            assert_eq!(states(&positions), states(&steps));
        }
        *if error.is_some() { &mut ended } else { &mut complete } += 1;
    }
    assert!(ended > 50 && complete > 50 && odd_castled > 10);
}

/// Lines of legal moves, with the checks after each move; then any code of an own piece.
#[test]
fn checks_of_a_line_are_found() {
    let rules = Rules::STANDARD;
    let mut random = Random(13);
    let (mut found, mut illegal, mut checks) = (0, 0, Vec::new());
    for game in 0..200 {
        let (start, _) = fen::parse(STARTS[game % STARTS.len()]).unwrap();
        let (mut position, mut codes, mut expected) = (start, Vec::new(), Vec::new());
        while codes.len() < 150 {
            let moves = position.legal_moves(&rules);
            let checking = moves.iter().find(|&&mv| position.make(mv, &rules).in_check());
            let other = moves.get(random.below(moves.len()));
            let Some(&mv) = checking.filter(|_| random.below(3) == 0).or(other) else { break };
            codes.push(MoveCode::of(mv, &position).unwrap().0);
            position = position.make(mv, &rules);
            if position.in_check() {
                let id = codes.len();
                expected.resize(id / 64 + 1, 0u64);
                expected[id / 64] |= 1 << (id % 64);
                found += 1;
            }
        }
        assert_eq!(line_checks(&start, &codes, &mut checks), Ok(()));
        assert_eq!(checks, expected);
        for _ in 0..20 {
            let own = position.color(position.side());
            let from = own.iter().nth(random.below(own.len() as usize)).unwrap();
            let kind = position.piece_at(from).map_or(Kind::Pawn, |piece| piece.kind);
            let last = MoveCode((from.index() | random.below(64) << 6 | kind.index() << 12) as u16);
            let is_legal = position
                .legal_moves(&rules)
                .iter()
                .any(|&mv| MoveCode::of(mv, &position) == Some(last));
            let line = [&codes[..], &[last.0]].concat();
            let expected = if is_legal { Ok(()) } else { Err(codes.len()) };
            assert_eq!(line_checks(&start, &line, &mut checks), expected);
            let mut next = Position::empty();
            illegal += usize::from(!is_legal && last.step(&position, false, &mut next).is_some());
        }
    }
    // `step` takes what looks like a move.
    assert!(found > 1000 && illegal > 1000, "{found} {illegal}");
    // The first position may be in check, too.
    let (start, _) = fen::parse("4k3/8/8/8/8/8/8/4RK2 b - - 0 1").unwrap();
    assert_eq!(line_checks(&start, &[], &mut checks), Ok(()));
    assert_eq!(checks, [1]);
}
