//! Published leaf counts and position keys.

use crate::{fen, perft};

/// A file of golden rows.
pub(super) fn golden(name: &str) -> String {
    let file = format!("{}/../../corpus/goldens/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(file).expect("the golden file")
}

/// A field of a flat JSON line.
pub(super) fn field<'a>(line: &'a str, name: &str) -> &'a str {
    let key = format!("\"{name}\": ");
    let at = line.find(&key).expect("field") + key.len();
    let rest = &line[at..];
    match rest.strip_prefix('"') {
        Some(text) => text.split('"').next().expect("string"),
        None => rest.split([',', '}']).next().expect("number"),
    }
}

fn check(most: u64) -> usize {
    let mut checked = 0;
    for line in golden("perft").lines() {
        let nodes: u64 = field(line, "nodes").parse().expect("nodes");
        if nodes > most {
            continue;
        }
        let variant = crate::Variant::parse(field(line, "variant")).expect("variant");
        let (position, rules) = fen::parse_variant(field(line, "fen"), variant).expect("FEN");
        let depth = field(line, "depth").parse().expect("depth");
        assert_eq!(perft::perft(&position, &rules, depth), nodes, "{line}");
        checked += 1;
    }
    checked
}

#[test]
fn leaf_counts() {
    assert_eq!(check(300_000), 304);
}

#[test]
#[ignore = "takes minutes without full optimisation"]
fn deep_leaf_counts() {
    check(u64::MAX);
}

#[test]
fn polyglot_keys() {
    // The published examples of the book format.
    for (text, key) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b96181691fc9c_u64),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c9b50fd114196),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a48b5a8e47ff78),
    ] {
        assert_eq!(fen::parse(text).expect("FEN").0.zobrist(), key, "{text}");
    }
}

/// A game whose keys are known; two of its positions differ only in an en passant capture that is
/// pseudolegal but not legal.
#[test]
fn keys_of_a_game() {
    let (mut position, rules) = fen::parse("3k4/3p4/8/2r1PK2/8/8/8/8 b - - 0 1").expect("FEN");
    for (token, key) in [
        ("d5", 0x7f2953c5a45efa72_u64),
        ("Kg5", 0x911cf55c7be6025c),
        ("Ke8", 0xa38d6ed99b80a39c),
        ("Kf5", 0x512116937880cb13),
        ("Kd8", 0x63b08d1698e66ad3),
        ("Kg4", 0xafb9464c21d0ef37),
        ("Ke7", 0x4970e0692dd2f1c1),
        ("Kf5", 0x85792b3394e47425),
        ("Kd8", 0x63b08d1698e66ad3),
    ] {
        let before = position;
        crate::san::play(&before, &rules, token.as_bytes(), &mut position).expect(token);
        assert_eq!(position.zobrist(), key, "after {token}");
    }
}
