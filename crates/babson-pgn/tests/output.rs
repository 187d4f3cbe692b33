//! The writer, compared byte for byte with the output of CQL 6.2.

#![allow(clippy::disallowed_methods, reason = "tests read the corpus")]

use babson_pgn::{Annotations, Games, Layout, Needs, Reader, write};

fn corpus(name: &str) -> Vec<u8> {
    let path = format!("{}/../../corpus/games/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).expect("a file of the corpus")
}

fn same_lines(left: &[u8], right: &[u8]) {
    let lines = |bytes: &[u8]| -> Vec<String> {
        String::from_utf8_lossy(bytes).split('\n').map(str::to_owned).collect()
    };
    let (left, right) = (lines(left), lines(right));
    for (number, (left, right)) in left.iter().zip(&right).enumerate() {
        assert_eq!(left, right, "line {}", number + 1);
    }
    assert_eq!(left.len(), right.len());
}

/// `cql() check` on the first twelve games of masters-2k.
#[test]
fn check_comments() {
    let expected = include_bytes!("data/checks-1-12.pgn");
    let file = corpus("masters-2k.pgn");
    let mut reader = Reader::new();
    let mut out = Vec::new();
    for (index, (_, text)) in Games::new(&file).take(12).enumerate() {
        let game = reader.read(text, Needs::ALL);
        let title = format!("Game number {}", index + 1);
        let mut comments = vec![(0, title.as_bytes())];
        for (id, position) in game.positions().iter().enumerate() {
            if position.in_check() {
                comments.push((id as u32, b"CQL"));
            }
        }
        if comments.len() == 1 {
            continue;
        }
        let added = Annotations { comments: &comments, ..Annotations::default() };
        write(&game, &added, &Layout::CQL6, &mut out);
    }
    same_lines(&out, expected);
}

/// A written game can be read again, and is written in the same way.
#[test]
fn writing_is_stable() {
    for name in ["special.pgn", "studies.pgn", "odd-positions.pgn", "cqli-games.pgn"] {
        let file = corpus(name);
        for layout in [Layout::CQLI, Layout::CQL6] {
            let mut once = Vec::new();
            let mut twice = Vec::new();
            let mut reader = Reader::new();
            let mut sizes = Vec::new();
            for (_, text) in Games::new(&file) {
                let game = reader.read(text, Needs::ALL);
                assert_eq!(game.damages(), [], "{name}: {}", String::from_utf8_lossy(text));
                sizes.push(game.len());
                write(&game, &Annotations::default(), &layout, &mut once);
            }
            for ((_, text), size) in Games::new(&once).zip(&sizes) {
                let game = reader.read(text, Needs::ALL);
                assert_eq!(game.len(), *size);
                write(&game, &Annotations::default(), &layout, &mut twice);
            }
            // The brace that ends the initial comment may be in column 80.
            let too_long = once.split(|&byte| byte == b'\n').find(|line| {
                line.len() > 79 + usize::from(line.ends_with(b"}")) && line[0] != b'['
            });
            assert_eq!(too_long.map(String::from_utf8_lossy), None);
            same_lines(&once, &twice);
        }
    }
}
