//! The laws of positions: see docs/src/testing.md#laws.

use babson_arbitrary::{Choices, check_law, position};
use babson_chess::retro::{self, reverse};
use babson_chess::{Position, Rules, fen, perft, san};

/// How deep the numbers of moves are compared.
const PERFT: u32 = 2;

/// A FEN that can be read is written, and read again as the same position. Its moves can be written
/// and read, and retro-analysis does not contradict itself.
fn holds_for_fen(text: &str) {
    let Ok((position, rules)) = fen::parse(text) else { return };
    let written = fen::write(&position, &rules);
    assert_eq!(fen::parse(&written), Ok((position, rules)), "{text} as {written}");
    let moves = position.legal_moves(&rules);
    assert_eq!(position.count_legal(&rules) as usize, moves.len(), "{text}");
    for &mv in &moves {
        let text = san::write(&position, &rules, mv);
        assert_eq!(san::parse(&position, &rules, text.as_bytes()), Ok(mv), "{text} in {written}");
    }
    // A position that can be reached is legal.
    assert!(retro::is_legal(&position) || !retro::is_reachable(&position), "{written}");
}

/// Any bytes as a FEN.
#[test]
fn fen_text() {
    check_law!("fen_text", 2000, |bytes| holds_for_fen(&String::from_utf8_lossy(bytes)));
}

/// Words of FENs in an order that is often right.
#[test]
fn fen_words() {
    check_law!("fen_words", 1000, |bytes| {
        let mut choices = Choices::new(bytes);
        let mut text = String::new();
        for rank in 0..8 {
            if rank > 0 {
                text.push('/');
            }
            let mut left = 8;
            while left > 0 {
                if choices.one_in(3) {
                    text.push(choices.choose(&['P', 'p', 'K', 'k', 'Q', 'q', 'R', 'r', 'B', 'n']));
                    left -= 1;
                } else {
                    let empty = 1 + choices.below(left);
                    text.push_str(&empty.to_string());
                    left -= empty;
                }
            }
        }
        for fields in [
            &["w", "b"][..],
            &["-", "KQkq", "K", "q", "HAha", "Gf", "KQ"],
            &["-", "e3", "d6", "a3", "h6", "e4"],
            &["0", "50", "99", "4294967295", "-1"],
            &["1", "2", "0", "65536", "4294967295"],
        ] {
            text.push(' ');
            text.push_str(choices.choose(fields));
        }
        if choices.one_in(8) {
            text.push_str(choices.choose(&[" ", "  +3+3", "/", " x", "[Qq]"]));
        }
        holds_for_fen(&text);
    });
}

/// Positions of games by random play: they are legal and not proven unreachable, retraction finds
/// the position before the last, and cozy-chess finds as many moves.
#[test]
fn played_positions() {
    let least = [("reachable", 150), ("legal", 100)];
    check_law!("played_positions", 400, least, |bytes| {
        let line = position(&mut Choices::new(bytes).endless());
        for (position, rules) in &line {
            holds_for_fen(&fen::write(position, rules));
            assert!(retro::is_legal(position), "{position:?}");
        }
        let [.., before, last] = &line[..] else { return "no move" };
        is_as_cozy_chess_has_it(&last.0, &last.1);
        let mut predecessors = reverse::legal(&last.0).into_iter();
        assert!(
            predecessors.any(|mv| mv.predecessor(&last.0).same_placement(&before.0)),
            "{:?} after {:?}",
            last.0,
            before.0
        );
        // Only a game from the usual position proves that its positions can be reached.
        if line[0].0 != Position::start() {
            return "legal";
        }
        assert!(retro::is_reachable(&last.0), "{:?}", last.0);
        "reachable"
    });
}

/// Compares the numbers of moves. Every position of a game is one that cozy-chess reads.
fn is_as_cozy_chess_has_it(position: &Position, rules: &Rules) {
    let text = fen::write(position, rules);
    let board = text.parse::<cozy_chess::Board>();
    let board = board.unwrap_or_else(|error| panic!("cozy-chess does not read {text}: {error}"));
    assert_eq!(perft::perft(position, rules, PERFT), count(&board, PERFT), "{text}");
}

fn count(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut total = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            total += match depth {
                1 => 1,
                _ => {
                    let mut next = board.clone();
                    next.play_unchecked(mv);
                    count(&next, depth - 1)
                }
            };
        }
        false
    });
    total
}
