//! The positions of the games of the corpus, which the reader makes on the fast path of SAN where
//! it can, against the careful path.

#![allow(clippy::disallowed_methods, reason = "tests read the corpus")]

use std::path::{Path, PathBuf};

use babson_chess::{Position, san};
use babson_pgn::{Games, Needs, Reader};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the corpus") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "pgn") {
            found.push(path);
        }
    }
}

#[test]
fn both_paths_play_the_corpus() {
    let mut paths = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games"), &mut paths);
    let mut reader = Reader::new();
    let (mut moves, mut fast) = (0, 0);
    for path in paths {
        let text = std::fs::read(&path).expect("a file");
        for (_, text) in Games::new(&text) {
            let game = reader.read(text, Needs::ALL);
            let rules = game.rules();
            for id in 1..game.len() {
                let node = game.node(id);
                let before = game.position(node.parent);
                let place = || format!("{} in {before:?} of {}", node.mv, path.display());
                let made = before.make(node.mv, rules);
                assert_eq!(*game.position(id), made, "{}", place());
                let token = san::write(before, rules, node.mv);
                let careful = san::read(before, rules, token.as_bytes()).map(|read| read.mv);
                assert_eq!(careful, Ok(node.mv), "{token}, {}", place());
                let mut next = Position::empty();
                if let Some(mv) = san::step(before, token.as_bytes(), &mut next) {
                    assert_eq!((mv, next), (node.mv, made), "{token}, {}", place());
                    fast += 1;
                }
                moves += 1;
            }
        }
    }
    // Promotions, en passant captures and variants of chess are left to the careful path.
    assert!(moves > 200_000 && fast * 100 > moves * 98, "{fast} of {moves}");
}
