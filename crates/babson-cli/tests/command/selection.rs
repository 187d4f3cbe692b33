//! Options that choose what is written of the matches: the best games.

use crate::bench::{Bench, corpus};

const LONGEST: &[u8] = b"cql(quiet) terminal sort \"moves\" movenumber";

/// The best games are the first of the sorted output, for any number of threads and slices.
#[test]
fn the_best_games() {
    let bench = Bench::new();
    let games = corpus("masters-2k.pgn");
    bench.put("longest.cql", LONGEST);
    bench.expect(0, &["-i", &games, "-o", "all.pgn", "longest"]);
    let all = bench.text("all.pgn");
    for threads in ["1", "4"] {
        let words = ["-i", &games, "-o", "top.pgn", "--top", "10", "--threads", threads, "longest"];
        let (stdout, stderr) = bench.expect(0, &words);
        assert!(stdout.starts_with("2000 matches of 2000 games in "), "{stdout}");
        assert!(stdout.ends_with(", the best 10 to top.pgn\n"), "{stdout}");
        assert_eq!(stderr, "");
        let top = bench.text("top.pgn");
        assert_eq!(top.matches("[Event ").count(), 10);
        assert!(all.starts_with(&top));
    }
    // Slices: the parts hold all matches.
    let (plan, _) = bench.expect(0, &["plan", &games, "--slices", "3"]);
    let mut merge = vec!["merge".to_owned()];
    for (index, slice) in plan.lines().enumerate() {
        let part = format!("{index}.part");
        bench.expect(0, &["scan", "--slice", slice, "-o", &part, "longest"]);
        merge.push(part);
    }
    assert_eq!(merge.len(), 4);
    merge.extend(["--top", "10", "-o", "merged.pgn"].map(str::to_owned));
    bench.expect(0, &merge.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(bench.text("merged.pgn"), bench.text("top.pgn"));
    let resumed = ["-i", &games, "-o", "resumed.pgn", "--resume", "kept", "--top", "10", "longest"];
    bench.expect(0, &resumed);
    assert_eq!(bench.text("resumed.pgn"), bench.text("top.pgn"));
    // A game table gives the same.
    bench.expect(0, &["pack", &games, "-o", "games.arrow"]);
    bench.expect(0, &["games.arrow", "-o", "packed.pgn", "--top", "10", "longest"]);
    assert_eq!(bench.text("packed.pgn"), bench.text("top.pgn"));
    bench.put("mates.cql", b"cql(quiet sort matchcount 1 99) mate");
    bench.put("two.cql", b"cql(quiet) check sort min \"a\" movenumber sort \"b\" #A");
    for query in ["two", "mates"] {
        bench.expect(0, &["-i", &games, "-o", "all.csv", query]);
        bench.expect(0, &["-i", &games, "-o", "top.csv", "--top", "3", query]);
        let (all, top) = (bench.text("all.csv"), bench.text("top.csv"));
        assert!(all.starts_with(&top) && all.len() > top.len(), "{query}");
    }
}

#[test]
fn the_best_games_need_an_order() {
    let bench = Bench::new();
    bench.put("longest.cql", LONGEST);
    for (words, why) in [
        (&["--top", "0", "longest"][..], "--top: 0 is less than 1"),
        (&["--top", "x", "longest"], "--top: 'x' is not a number"),
        (&["--top", "2", "mate"], "--top 2: the query mate does not sort, so no game is better"),
        (&["--top", "2", "--cql", "mate"], "--top 2: the query does not sort, so no game"),
        (&["--top", "2", "longest", "mate", "-o", "out/"], "the query mate does not sort"),
        (&["--top", "2", "--nosort", "longest"], "--top and --nosort exclude each other"),
    ] {
        let all = [&["-i", "games.pgn", "-o", "-"][..2], words].concat();
        let output = if words.contains(&"-o") { &[][..] } else { &["-o", "out.pgn"] };
        let (_, stderr) = bench.expect(2, &[&all, output].concat());
        assert!(stderr.contains(why), "{words:?} {stderr}");
    }
    let words = ["scan", "--slice", "{}", "-o", "a.part", "--top", "2", "longest"];
    let (_, stderr) = bench.expect(2, &words);
    assert!(stderr.contains("--top") && stderr.contains("merge"), "{stderr}");
    let words = ["-i", "games.pgn", "-o", "out.pgn", "--sortmatchcount", "--top", "1", "mate"];
    bench.expect(0, &words);
    assert_eq!(bench.text("out.pgn").matches("[Event ").count(), 1);
    let (stdout, stderr) =
        bench.expect(0, &["-i", "games.pgn", "--count", "--top", "1", "longest"]);
    assert_eq!(stdout, "3\n");
    assert!(stderr.contains("--count writes no output: `--top 1` is ignored"), "{stderr}");
}

/// A limit takes the first games, which is rarely meant where a query sorts.
#[test]
fn a_limit_with_a_sort_is_noted() {
    let bench = Bench::new();
    bench.put("longest.cql", LONGEST);
    let note = "babson: --limit 2 takes the first 2 matching games and sorts them; --top 2 takes \
                the best of all\n";
    for (words, is_noted) in [
        (&["-o", "a.pgn", "longest"][..], true),
        (&["-o", "out/", "mate", "longest"], true),
        (&["-o", "a.pgn", "mate"], false),
        (&["-o", "a.pgn", "--nosort", "longest"], false),
        (&["-o", "a.pgn", "--top", "1", "longest"], false),
        (&["--count", "longest"], false),
    ] {
        let all = [&["-i", "games.pgn", "--limit", "2"][..], words].concat();
        let (_, stderr) = bench.expect(0, &all);
        assert_eq!(stderr.contains(note), is_noted, "{words:?} {stderr}");
    }
}
