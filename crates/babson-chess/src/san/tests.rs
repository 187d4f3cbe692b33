//! Spellings of moves on the two paths.

use super::*;
use crate::fen;

const MIDDLE: &str = "r3k2r/1P4pp/2n5/3pP3/Q6Q/2N5/8/R3K2Q w KQkq d6 0 1";

fn uci(text: &str, token: &str) -> Result<String, SanError> {
    let (position, rules) = fen::parse(text).expect(text);
    let mv = parse(&position, &rules, token.as_bytes())?;
    if let Some(fast) = fast(token.as_bytes(), &position) {
        assert_eq!(fast, mv, "{token}");
    }
    Ok(mv.to_string())
}

#[test]
fn every_spelling() {
    for (token, expected) in [
        ("exd6", "e5d6"),
        ("exd6e.p.", "e5d6"),
        ("exd6ep", "e5d6"),
        ("exd6 e.p.".split(' ').next().unwrap_or(""), "e5d6"),
        ("ed", "e5d6"),
        ("ed6", "e5d6"),
        ("e5d6", "e5d6"),
        ("e5-d6", "e5d6"),
        ("e:d6", "e5d6"),
        ("Pe6", "e5e6"),
        ("e6!?", "e5e6"),
        ("e6+/=", "e5e6"),
        ("e6-/+", "e5e6"),
        ("e6$1", "e5e6"),
        ("e6N", "e5e6"),
        ("Nb5N", "c3b5"),
        ("e6++", "e5e6"),
        ("b8=Q", "b7b8q"),
        ("b8Q", "b7b8q"),
        ("b8(N)", "b7b8n"),
        ("b8/R", "b7b8r"),
        ("b7b8b", "b7b8b"),
        ("b8=Q+", "b7b8q"),
        ("bxa8=N", "b7a8n"),
        ("ba=R", "b7a8r"),
        ("baB", "b7a8b"),
        ("Nc3-b5", "c3b5"),
        ("Nc3xd5", "c3d5"),
        ("c3d5", "c3d5"),
        ("Nxb5", "c3b5"),
        ("N3b5", "c3b5"),
        ("Q4e4", "a4e4"),
        ("O-O-O", "e1c1"),
        ("0-0-0", "e1c1"),
        ("000", "e1c1"),
        ("o-o-o!", "e1c1"),
        ("e1c1", "e1c1"),
        ("e1a1", "e1c1"),
        ("--", "0000"),
        ("Z0", "0000"),
        ("null", "0000"),
        ("@@@@", "0000"),
        ("0000", "0000"),
        ("--?!", "0000"),
    ] {
        let found = uci(MIDDLE, token);
        if token == "Q4e4" {
            assert_eq!(found, Err(SanError::Ambiguous), "two queens on the rank");
        } else {
            assert_eq!(found.as_deref(), Ok(expected), "{token}");
        }
    }
}

#[test]
fn refusals() {
    for (token, error) in [
        ("Qe4", SanError::Ambiguous),
        ("Qhe4", SanError::Ambiguous),
        ("Ke3", SanError::IllegalMove),
        ("O-O", SanError::IllegalMove),
        ("b8", SanError::IllegalMove),
        ("e6=Q", SanError::IllegalMove),
        // Captures need the pawn's file, with or without `x`, en passant and promotion too.
        ("d6", SanError::IllegalMove),
        ("xd6", SanError::IllegalMove),
        ("Pd6", SanError::IllegalMove),
        ("5d6", SanError::IllegalMove),
        ("a8=N", SanError::IllegalMove),
        ("xa8Q", SanError::IllegalMove),
        ("b8=K", SanError::IllegalMove),
        ("nb5", SanError::Unreadable),
        ("", SanError::Unreadable),
        ("e", SanError::Unreadable),
        ("Nb9", SanError::Unreadable),
        ("1-0", SanError::Unreadable),
        ("Qa4-e4-e4-e4", SanError::Unreadable),
    ] {
        assert_eq!(uci(MIDDLE, token), Err(error), "{token}");
    }
    assert_eq!(uci(MIDDLE, "Qh4e4").as_deref(), Ok("h4e4"));
}

#[test]
fn pinned_rivals_need_no_disambiguation() {
    // The knight on e2 is pinned, so Nc3 means the other one, by the careful path.
    let text = "4r1k1/8/8/8/8/8/4N3/1N2K3 w - - 0 1";
    assert_eq!(uci(text, "Nc3").as_deref(), Ok("b1c3"));
    let (position, rules) = fen::parse(text).expect(text);
    let mv = parse(&position, &rules, b"Nbc3").expect("legal");
    assert_eq!(write(&position, &rules, mv), "Nc3");
    assert_eq!(fast(b"Nec3", &position), None);
    assert_eq!(uci(text, "Nec3"), Err(SanError::IllegalMove));
}

#[test]
fn disambiguation_and_check_symbols() {
    let (position, rules) = fen::parse("8/1k6/8/8/Q6Q/8/8/Q6K w - - 0 1").expect("FEN");
    let san = |token: &[u8]| {
        let mv = parse(&position, &rules, token).expect("legal");
        write(&position, &rules, mv)
    };
    assert_eq!(san(b"Qa4d4"), "Qa4d4");
    assert_eq!(san(b"Qh4d4"), "Qhd4");
    assert_eq!(san(b"Qa1d4"), "Q1d4");
}

#[test]
fn check_and_mate_symbols() {
    for (text, token, expected) in [
        ("7k/8/5K2/8/8/8/8/6Q1 w", "Qg7", "Qg7#"),
        ("7k/8/5K2/8/8/8/8/6Q1 w", "Qh1", "Qh1+"),
        ("8/8/8/8/8/8/7p/R3K2k w Q", "O-O-O", "O-O-O+"),
        ("6k1/4P3/8/8/8/8/8/K7 w", "e8=Q", "e8=Q+"),
    ] {
        let (position, rules) = fen::parse(text).expect(text);
        let mv = parse(&position, &rules, token.as_bytes()).expect(token);
        assert_eq!(write(&position, &rules, mv), expected);
    }
}

#[test]
fn play_takes_either_path() {
    let (position, rules) = fen::parse(MIDDLE).expect("FEN");
    let mut next = Position::empty();
    for token in ["Nb5", "exd6", "O-O-O", "b8=Q+"] {
        let read = play(&position, &rules, token.as_bytes(), &mut next).expect(token);
        assert_eq!(next, position.make(read.mv, &rules), "{token}");
    }
}

#[test]
fn the_fast_path_leaves_junk_alone() {
    let (position, _) = fen::parse(MIDDLE).expect("FEN");
    for token in [
        "NNb5", "Nxxxxb5", "xxd5", "4xd5", "Nb", "b5", "N", "", "+", "Nb5++", "O-O-O-O", "nb5",
        "Nb5!", "Nc3-b5", "Qh4xe1ab", "++", "e+", "O-O+x", "ee6", "e6e6", "xe6", "exd6x", "\0\0e6",
        "N\0b5", "e9", "i6", "N3", "b8",
    ] {
        assert_eq!(fast(token.as_bytes(), &position), None, "{token}");
    }
    for token in ["Nb5", "Nb5+", "N3b5", "Nc3b5", "Nc3xd5", "Nc3xd5#"] {
        assert!(fast(token.as_bytes(), &position).is_some(), "{token}");
    }
}

#[test]
fn fast_castling_obeys_the_rules() {
    for (text, king_side, queen_side) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9", true, true),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9", true, true),
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", false, true),
        ("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", false, false),
        // In check; an attack on the square that the king passes, on its target, on b1.
        ("4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", false, false),
        ("5rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1", false, true),
        ("2r3k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", true, false),
        ("1r4k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", true, true),
        ("6k1/8/8/8/8/8/4p3/R3K2R w KQ - 0 1", false, false),
        ("8/8/8/8/8/8/1k6/R3K2R w KQ - 0 1", true, false),
        // With check.
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", true, false),
    ] {
        let (position, rules) = fen::parse(text).expect(text);
        for (tokens, legal) in
            [(["O-O", "0-0", "O-O+"], king_side), (["O-O-O", "0-0-0", "O-O-O#"], queen_side)]
        {
            for token in tokens {
                let mut next = Position::empty();
                let found = step(&position, token.as_bytes(), &mut next);
                let careful = read(&position, &rules, token.as_bytes()).ok();
                // The careful path also castles without a right.
                let careful = careful.filter(|read| !read.without_right).map(|read| read.mv);
                assert_eq!(found, careful, "{text} {token}");
                assert_eq!(found.is_some(), legal, "{text} {token}");
                if let Some(mv) = found {
                    assert_eq!(next, position.make(mv, &rules), "{text} {token}");
                }
            }
        }
    }
}
