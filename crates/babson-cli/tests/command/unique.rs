//! `--unique`: games that are equal to an earlier one are left out.

use crate::bench::{Bench, corpus};

#[test]
fn equal_games_are_left_out_and_counted() {
    let bench = Bench::new();
    let all = corpus("masters-2k.pgn");
    let search = ["-i", &all, "--cql", "mate", "--count"];
    let (once, _) = bench.expect(0, &search);
    let (twice, told) = bench.expect(0, &[&search[..], &["-i", &all]].concat());
    assert_ne!(once, twice);
    assert!(!told.contains("equal"), "{told}");
    let (found, told) = bench.expect(0, &[&search[..], &["-i", &all, "--unique"]].concat());
    assert_eq!(found, once);
    assert!(told.contains("2000 games equal to earlier ones, left out\n"), "{told}");
    let (_, told) = bench.expect(0, &["pack", &all, &all, "-o", "both.arrow"]);
    let warning = "babson: 2000 of 4000 games are equal to an earlier one (the same players, date \
                   and moves): --unique leaves such games out\n";
    assert_eq!(told, warning);
    let (printed, told) = bench.expect(0, &["pack", &all, &all, "--unique", "-o", "one.arrow"]);
    assert_eq!(told, "");
    let lines = "2000 games equal to earlier ones, left out\n2000 games in ";
    assert!(printed.starts_with(lines), "{printed}");
    bench.expect(0, &["pack", &all, "-o", "plain.arrow"]);
    assert_eq!(bench.get("one.arrow"), bench.get("plain.arrow"));
}

#[test]
fn slices_cannot_compare_all_games() {
    let bench = Bench::new();
    let words = ["games.pgn", "mate.cql", "-o", "out.pgn", "--unique", "--resume", "kept"];
    let (_, told) = bench.expect(2, &words);
    assert!(told.contains("--unique compares all games, and --resume searches slices"), "{told}");
    let (_, told) = bench.expect(2, &["pack", "--check", "--unique", "games.arrow"]);
    assert!(told.contains("--check writes no table: it takes no --unique"), "{told}");
}
