//! Comparison with cozy-chess, in random games from the initial arrays of chess and Chess960.

use super::Random;
use crate::convert::{
    color_to_cozy, from_cozy, move_from_cozy, move_to_cozy, square_to_cozy, to_cozy,
};
use crate::{Color, Kind, Position, Rules, fen, san};

/// Plays random games and calls `f` with each position and the board of cozy-chess.
pub(super) fn random_positions(
    seed: u64,
    count: usize,
    mut f: impl FnMut(&cozy_chess::Board, &Position, &Rules),
) {
    let mut random = Random(seed);
    let mut seen = 0;
    while seen < count {
        let board = match random.below(3) {
            0 => cozy_chess::Board::startpos(),
            1 => cozy_chess::Board::chess960_startpos(random.below(960) as u32),
            _ => cozy_chess::Board::double_chess960_startpos(
                random.below(960) as u32,
                random.below(960) as u32,
            ),
        };
        let (mut position, rules) = from_cozy(&board);
        let mut board = board;
        for _ in 0..150 {
            f(&board, &position, &rules);
            seen += 1;
            let moves = position.legal_moves(&rules);
            if moves.is_empty() || board.halfmove_clock() >= 99 {
                break;
            }
            let mv = moves[random.below(moves.len())];
            board.play(move_to_cozy(mv).expect("no null move"));
            position = position.make(mv, &rules);
        }
    }
}

fn assert_same(board: &cozy_chess::Board, position: &Position) {
    for color in Color::ALL {
        for kind in Kind::ALL {
            let theirs =
                board.colored_pieces(color_to_cozy(color), cozy_chess::Piece::index(kind.index()));
            assert_eq!(theirs.0, position.pieces(color, kind).0, "{position:?}");
        }
        let rights = board.castle_rights(color_to_cozy(color));
        let ours = crate::CastlingSide::ALL.map(|side| position.castling().has(color, side));
        assert_eq!([rights.short.is_some(), rights.long.is_some()], ours, "{position:?}");
    }
    assert_eq!(board.side_to_move(), color_to_cozy(position.side()));
    assert_eq!(board.checkers().0, position.checkers().0, "{position:?}");
    assert_eq!(!board.checkers().is_empty(), position.in_check(), "{position:?}");
    assert_eq!(u32::from(board.halfmove_clock()), position.half_moves());
    assert_eq!(u32::from(board.fullmove_number()), position.full_moves());
    let ep = position.ep().map(|square| u32::from(square.file()));
    assert_eq!(board.en_passant().map(|file| file as u32), ep, "{position:?}");
}

#[test]
fn moves_checkers_and_results_agree() {
    let mut ours = Vec::new();
    let mut theirs = Vec::new();
    random_positions(0x9e37_79b9, 100_000, |board, position, rules| {
        ours.clear();
        theirs.clear();
        assert_same(board, position);
        board.generate_moves(|group| {
            theirs.extend(group.into_iter().map(|mv| (mv.from, mv.to, mv.promotion)));
            false
        });
        for mv in &position.legal_moves(rules) {
            let judged = move_to_cozy(*mv).expect("no null move");
            assert_eq!(move_from_cozy(judged, position, rules), Some(*mv));
            ours.push((judged.from, judged.to, judged.promotion));
            let mut after = board.clone();
            after.play_unchecked(judged);
            assert_same(&after, &position.make(*mv, rules));
        }
        ours.sort_unstable();
        theirs.sort_unstable();
        assert_eq!(ours, theirs, "{position:?}");
        assert_eq!(position.count_legal(rules) as usize, ours.len());
        assert_eq!(position.has_legal_move(rules), !ours.is_empty());
        let status = board.status() == cozy_chess::GameStatus::Won;
        assert_eq!(position.is_mate(rules), status);
        assert_eq!(position.is_stalemate(rules), theirs.is_empty() && !status);
        let king = position.king(position.side()).expect("one king");
        assert_eq!(board.pinned() & board.colors(board.side_to_move()), {
            let pinned = position.pinned(position.side());
            pinned.iter().map(square_to_cozy).collect()
        });
        assert!(!position.pinned(position.side()).contains(king));
    });
}

#[test]
fn conversions_and_fens_round_trip() {
    random_positions(7, 10_000, |board, position, rules| {
        assert_eq!(to_cozy(position, rules).as_ref(), Ok(board));
        let text = fen::write(position, rules);
        let (again, rules_again) = fen::parse(&text).expect(&text);
        assert_eq!(*position, again, "{text}");
        assert_eq!(fen::write(&again, &rules_again), text);
        for right in 0..4 {
            if position.castling().0 >> right & 1 != 0 {
                assert_eq!(rules.rooks[right], rules_again.rooks[right], "{text}");
            }
        }
        let shredder = format!("{board:#}");
        assert_eq!(fen::parse(&shredder).map(|parsed| parsed.0), Ok(*position), "{shredder}");
    });
}

#[test]
fn san_round_trips_and_both_paths_agree() {
    let (mut tokens, mut careful) = (0u32, 0u32);
    random_positions(99, 6_000, |board, position, rules| {
        for &mv in &position.legal_moves(rules) {
            let text = san::write(position, rules, mv);
            let token = text.as_bytes();
            assert_eq!(san::parse(position, rules, token), Ok(mv), "{text} in {position:?}");
            let long = mv.to_string();
            if !mv.is_castling() {
                assert_eq!(san::parse(position, rules, long.as_bytes()), Ok(mv), "{long}");
            }
            let mut next = Position::empty();
            match san::step(position, token, &mut next) {
                Some(fast) => {
                    assert_eq!(fast, mv, "{text} in {position:?}");
                    let made = position.make(mv, rules);
                    assert_eq!(next, made, "{text} in {position:?}");
                    assert_eq!(next.state, made.state, "{text} in {position:?}");
                    let mut after = board.clone();
                    after.play_unchecked(move_to_cozy(mv).expect("no null move"));
                    assert_same(&after, &next);
                }
                None if !rules.chess960 && mv.promotion().is_none() => careful += 1,
                None => {}
            }
            tokens += 1;
        }
    });
    // So many need the careful path.
    assert_eq!((careful, tokens), (63, 181_911));
}
