//! Files of more than 4 GiB, whose sizes and offsets do not fit into 32 bits. They have a hole, so
//! they take no space.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};

use crate::bench::Bench;

const SIZE: u64 = 5 << 30;

/// A file that begins and ends with these bytes, the end at [`SIZE`].
fn write(bench: &Bench, name: &str, begin: &[u8], end: &[u8]) {
    let mut file = File::create(bench.path(name)).unwrap();
    file.write_all(begin).unwrap();
    file.seek(SeekFrom::Start(SIZE)).unwrap();
    file.write_all(end).unwrap();
}

#[test]
#[cfg_attr(
    not(target_pointer_width = "32"),
    ignore = "takes 20 seconds, and would find what it looks for only where addresses are small"
)]
fn a_game_beyond_4_gib() {
    let bench = Bench::new();
    let game = "[Event \"late\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";
    write(
        &bench,
        "large.pgn",
        b"[Event \"early\"]\n\n1. e4 *\n\n",
        format!("\n\n{game}").as_bytes(),
    );
    let words = ["-i", "large.pgn", "-o", "out.csv", "--cql", "mate"];
    let (_, stderr) = bench.expect(0, &words);
    assert!(stderr.contains("a game of more than 32 MiB"), "{stderr}");
    let rows = std::fs::read_to_string(bench.path("out.csv")).unwrap();
    let rows: Vec<&str> = rows.lines().skip(1).collect();
    let offset = format!(",{}", SIZE + 2);
    assert!(matches!(rows[..], [row] if row.ends_with(&offset)), "{rows:?}");
}

/// A table has its footer at the end: here there is none.
#[test]
fn a_damaged_table_beyond_4_gib() {
    let bench = Bench::new();
    bench.expect(0, &["pack", "games.pgn", "-o", "games.arrow"]);
    let table = std::fs::read(bench.path("games.arrow")).unwrap();
    write(&bench, "large.arrow", &table, b"ARROW1");
    for words in [
        &["-i", "large.arrow", "--count", "--cql", "mate"][..],
        &["pack", "games.pgn", "--append", "large.arrow"],
    ] {
        let (_, stderr) = bench.expect(3, words);
        assert!(stderr.contains("cannot read large.arrow: "), "{stderr}");
    }
    assert_eq!(std::fs::metadata(bench.path("large.arrow")).unwrap().len(), SIZE + 6);
}
