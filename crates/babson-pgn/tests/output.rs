//! The writer against what CQL 6.2 wrote, byte for byte.

use babson_pgn::{Annotated, Games, Layout, Needs, Reader, write};

fn corpus(name: &str) -> Vec<u8> {
    let path = format!("{}/../../corpus/games/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).expect("a file of the corpus")
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
        let added = Annotated {
            comments: &comments,
            ..Annotated::default()
        };
        write(&game, &added, Layout::Cql6, &mut out);
    }
    assert_eq!(
        String::from_utf8_lossy(&out),
        String::from_utf8_lossy(expected)
    );
}

/// What is written can be read again, and is then written in the same way.
#[test]
fn writing_is_stable() {
    for name in [
        "special.pgn",
        "studies.pgn",
        "odd-positions.pgn",
        "cqli-games.pgn",
    ] {
        let file = corpus(name);
        for layout in [Layout::Cqli, Layout::Cql6] {
            let mut once = Vec::new();
            let mut twice = Vec::new();
            let mut reader = Reader::new();
            let mut sizes = Vec::new();
            for (_, text) in Games::new(&file) {
                let game = reader.read(text, Needs::ALL);
                assert_eq!(
                    game.damages(),
                    [],
                    "{name}: {}",
                    String::from_utf8_lossy(text)
                );
                sizes.push(game.len());
                write(&game, &Annotated::default(), layout, &mut once);
            }
            for ((_, text), size) in Games::new(&once).zip(&sizes) {
                let game = reader.read(text, Needs::ALL);
                assert_eq!(game.len(), *size);
                write(&game, &Annotated::default(), layout, &mut twice);
            }
            assert!(
                once.split(|&byte| byte == b'\n')
                    .all(|line| line.len() < 80 || line[0] == b'[')
            );
            assert_eq!(
                String::from_utf8_lossy(&once),
                String::from_utf8_lossy(&twice),
                "{name}"
            );
        }
    }
}
