//! Tables as Parquet files, in builds with the feature and without it.

use crate::bench::Bench;
#[cfg(feature = "parquet")]
use crate::bench::corpus;

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_so() {
    let bench = Bench::new();
    bench.put("a.parquet", b"PAR1\x15\x04\x15\x00");
    bench.put("misnamed.arrow", b"PAR1\x15\x04\x15\x00");
    let reason = "this program was built without the feature parquet";
    for (code, words) in [
        (3, &["pack", "games.pgn", "-o", "b.parquet"][..]),
        (3, &["-i", "games.pgn", "-o", "b.parquet", "--cql", "mate"]),
        (2, &["-i", "a.parquet", "--cql", "mate", "--count"]),
        (2, &["pack", "a.parquet", "-o", "b.arrow"]),
        (3, &["-i", "misnamed.arrow", "--cql", "mate", "--count"]),
    ] {
        let (_, told) = bench.expect(code, words);
        assert!(told.contains(reason), "{words:?}: {told}");
        assert!(!bench.path("b.parquet").exists() && !bench.path("b.arrow").exists());
    }
    // It is not an input of its folder.
    std::fs::remove_file(bench.path("misnamed.arrow")).unwrap();
    let (found, _) = bench.expect(0, &["-i", ".", "--cql", "mate", "--count"]);
    assert_eq!(found, "2\n");
}

#[cfg(feature = "parquet")]
#[test]
fn games_go_out_and_come_back() {
    let bench = Bench::new();
    let masters = corpus("masters-2k.pgn");
    let expect = |words: &[&str]| bench.expect(0, words);
    expect(&["pack", &masters, "-o", "a.arrow"]);
    for compress in ["none", "zstd"] {
        let (text, _) = expect(&["pack", &masters, "-o", "a.parquet", "--compress", compress]);
        let size = bench.get("a.parquet").len();
        assert!(text.ends_with(&format!(" to a.parquet ({size} bytes)\n")), "{text}");
        let (_, told) = expect(&["pack", "a.parquet", "-o", "b.arrow"]);
        assert_eq!(told, "");
        assert!(bench.get("b.arrow") == bench.get("a.arrow"), "{compress}");
    }
    let query = ["--cql", "mate", "-o", "found.parquet"];
    let (_, told) = expect(&[&["-i", "a.parquet"], &query[..]].concat());
    let note = "babson: a.parquet: this is a Parquet file, without checksums, so its games were \
                replayed; babson pack a.parquet -o NEW.arrow makes a table that opens faster\n";
    assert!(told.contains(note), "{told}");
    let (found, _) = expect(&["-i", "found.parquet", "--cql", "mate", "--count"]);
    let (all, _) = expect(&["-i", &masters, "--cql", "mate", "--count"]);
    assert_eq!(found, all);
    let (checked, _) = expect(&["pack", "--check", "a.parquet"]);
    let line = "a.parquet: a Parquet file, without checksums; its 2000 games can be played\n";
    assert_eq!(checked, line);
    // A folder stands for its Parquet files, too.
    std::fs::create_dir(bench.path("lake")).unwrap();
    std::fs::copy(bench.path("a.parquet"), bench.path("lake/a.parquet")).unwrap();
    assert_eq!(expect(&["-i", "lake", "--cql", "mate", "--count"]).0, all);
    let (_, told) = bench.expect(3, &["pack", "games.pgn", "--append", "a.parquet"]);
    assert!(told.contains("make a table of its games with babson pack"), "{told}");
    bench.put("cut.parquet", &bench.get("a.parquet")[..1000]);
    let (_, told) = bench.expect(3, &["-i", "cut.parquet", "--cql", "mate", "--count"]);
    assert!(told.contains("the table is damaged"), "{told}");
}
