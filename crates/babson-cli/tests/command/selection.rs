//! Options that choose what is written of the matches: the best games, the first position of a
//! game, the part of a game from a position on.

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

/// A sample is the same for any number of threads and slices, also of the games of a table.
#[test]
fn a_random_sample() {
    let bench = Bench::new();
    let games = corpus("masters-2k.pgn");
    bench.put("mates.cql", b"cql(quiet) mate");
    let sample = |output: &str, more: &[&str]| {
        let words = ["-i", games.as_str(), "-o", output, "--sample", "10", "mates"];
        let (stdout, stderr) = bench.expect(0, &[&words, more].concat());
        assert!(stdout.ends_with(&format!(", 10 at random to {output}\n")), "{stdout}");
        assert_eq!(stderr, "");
        bench.text(output)
    };
    let one = sample("one.pgn", &["--threads", "1"]);
    assert_eq!(one.matches("[Event ").count(), 10);
    assert_eq!(sample("four.pgn", &["--threads", "4"]), one);
    assert_eq!(sample("seed.pgn", &["--seed", "0"]), one);
    assert_ne!(sample("other.pgn", &["--seed", "9223372036854775807"]), one);
    assert_eq!(sample("resumed.pgn", &["--resume", "kept"]), one);
    let (plan, _) = bench.expect(0, &["plan", &games, "--slices", "3"]);
    let mut merge = vec!["merge".to_owned()];
    for (index, slice) in plan.lines().enumerate() {
        let part = format!("{index}.part");
        bench.expect(0, &["scan", "--slice", slice, "-o", &part, "mates"]);
        merge.push(part);
    }
    merge.extend(["--sample", "10", "-o", "merged.pgn"].map(str::to_owned));
    bench.expect(0, &merge.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(bench.text("merged.pgn"), one);
    bench.expect(0, &["pack", &games, "-o", "games.arrow"]);
    bench.expect(0, &["games.arrow", "-o", "packed.pgn", "--sample", "10", "mates"]);
    assert_eq!(bench.text("packed.pgn"), one);
    // Each of several queries has its own.
    let words = ["-i", &games, "-o", "out/", "--sample", "10", "mates", "mate"];
    let (stdout, _) = bench.expect(0, &words);
    assert!(stdout.contains(", 10 at random of each to out"), "{stdout}");
    assert_eq!(bench.text("out/mates.pgn"), one);
}

#[test]
fn a_sample_with_other_options() {
    let bench = Bench::new();
    bench.put("longest.cql", LONGEST);
    for (words, why) in [
        (&["--sample", "0", "mate"][..], "--sample: 0 is less than 1"),
        (&["--sample", "x", "mate"], "--sample: 'x' is not a number"),
        (&["--seed", "-1", "--sample", "2", "mate"], "--seed"),
        (&["--seed", "4", "mate"], "--seed is the seed of --sample N, which is missing"),
        (&["--sample", "2", "--top", "2", "longest"], "--sample and --top exclude each other"),
        (&["--sample", "2", "longest", "mate"], "--sample 2 chooses games of each query"),
    ] {
        let all = [&["-i", "games.pgn", "-o", "out.pgn"], words].concat();
        let (_, stderr) = bench.expect(2, &all);
        assert!(stderr.contains(why), "{words:?} {stderr}");
    }
    let (stdout, stderr) =
        bench.expect(0, &["-i", "games.pgn", "--count", "--sample", "1", "longest"]);
    assert_eq!(stdout, "3\n");
    assert!(stderr.contains("--count writes no output: `--sample 1` is ignored"), "{stderr}");
    // Of fewer matches all are written.
    bench.expect(0, &["-i", "games.pgn", "-o", "all.pgn", "longest"]);
    let words = ["-i", "games.pgn", "-o", "most.pgn", "--sample", "9", "longest"];
    let (stdout, _) = bench.expect(0, &words);
    assert!(stdout.contains(", 3 at random to most.pgn"), "{stdout}");
    assert_eq!(bench.text("most.pgn"), bench.text("all.pgn"));
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

/// `--first` ends a game at its first match, in all formats, threads and slices.
#[test]
fn the_first_position_of_each_game() {
    let bench = Bench::new();
    let games = corpus("masters-2k.pgn");
    bench.put("checks.cql", b"cql() check sort min \"ply\" ply");
    let mut counts = Vec::new();
    for first in [&[][..], &["--first"]] {
        let words = ["-i", &games, "-o", "out.epd", "-o", "out.pgn", "checks"];
        let (stdout, _) = bench.expect(0, &[&words, first].concat());
        let epd = bench.text("out.epd");
        counts.push((stdout.split(" of ").next().unwrap().to_owned(), epd.lines().count()));
        if !first.is_empty() {
            assert_eq!(bench.text("out.pgn").matches("{CQL}").count(), epd.lines().count());
        }
    }
    assert_eq!(counts[0].0, counts[1].0);
    assert_eq!(counts[1].0, format!("{} matches", counts[1].1));
    assert!(counts[0].1 > counts[1].1);
    let (plan, _) = bench.expect(0, &["plan", &games, "--slices", "2"]);
    for (index, slice) in plan.lines().enumerate() {
        let part = format!("{index}.part");
        bench.expect(0, &["scan", "--slice", slice, "-o", &part, "--first", "checks"]);
    }
    bench.expect(0, &["merge", "0.part", "1.part", "-o", "merged.epd"]);
    assert_eq!(bench.text("merged.epd"), bench.text("out.epd"));
    bench.put("twice.cql", b"cql(matchcount 2) mate");
    for words in [&["--matchcount", "2", "9", "mate"][..], &["twice"]] {
        let all = [&["-i", "games.pgn", "--count", "--first"], words].concat();
        let (_, stderr) = bench.expect(2, &all);
        assert!(stderr.contains("wants at least 2 of them, so nothing could match"), "{stderr}");
    }
}

/// `--fragment` writes a game for each matching position, from there on.
#[test]
fn parts_of_games() {
    let bench = Bench::new();
    bench.put("one.pgn", b"[White \"a\"]\n\n1. f3 e5 {open} 2. g4 (2. e4 Nc6) Qh4# 0-1\n");
    bench.put("wtm.cql", b"cql() wtm");
    let run = |words: &[&str]| {
        let all = [&["-i", "one.pgn", "-o", "out.pgn", "wtm"], words].concat();
        bench.expect(0, &all);
        bench.text("out.pgn")
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let second = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq e6 0 2";
    let last = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let tags = |fen: &str| format!("[White \"a\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n");
    let parts = [
        tags(start) + "{CQL} 1.f3 e5 {open} {CQL} 2.g4 ( 2.e4 Nc6 ) 2...Qh4# {CQL} 0-1\n\n\n",
        tags(second) + "{open} {CQL} 2.g4 ( 2.e4 Nc6 ) 2...Qh4# {CQL} 0-1\n\n\n",
        tags(last) + "{CQL} 0-1\n\n\n",
    ];
    assert_eq!(run(&["--fragment"]), parts.concat());
    let first = "{CQL} 1.f3 e5 {open} 2.g4 ( 2.e4 Nc6 ) 2...Qh4# 0-1\n\n\n";
    assert_eq!(run(&["--fragment", "--first"]), tags(start) + first);
    let short = tags(start) + "{CQL} 1.f3 0-1\n\n\n";
    assert_eq!(run(&["--fragment", "1", "--first"]), short);
    assert_eq!(run(&["--fragment=1", "--first"]), short);
    bench.expect(0, &["-i", "one.pgn", "-o", "out.epd", "wtm", "--fragment", "2"]);
    let epd = bench.text("out.epd");
    let moves: Vec<_> = epd.lines().map(|line| line.split(" id ").next().unwrap()).collect();
    let fields = |fen: &str| fen.rsplitn(3, ' ').last().unwrap().to_owned();
    assert_eq!(
        moves,
        [
            fields(start) + " hmvc 0; fmvn 1; bm f3; pv f3 e5;",
            fields(second) + " hmvc 0; fmvn 2; bm g4; pv g4 Qh4#;",
            fields(last) + " hmvc 1; fmvn 3;",
        ]
    );
    // The parts of slices hold whole games.
    let (plan, _) = bench.expect(0, &["plan", "one.pgn"]);
    bench.expect(0, &["scan", "--slice", plan.trim(), "-o", "0.part", "wtm"]);
    bench.expect(0, &["merge", "0.part", "-o", "merged.pgn", "--fragment"]);
    assert_eq!(bench.text("merged.pgn"), parts.concat());
    for ending in ["jsonl", "csv", "html", "arrow"] {
        let out = format!("out.{ending}");
        let (_, stderr) = bench.expect(2, &["-i", "one.pgn", "-o", &out, "wtm", "--fragment"]);
        assert!(stderr.contains("parts of games are written as .pgn or .epd"), "{stderr}");
        assert!(!bench.path(&out).exists());
    }
    for (value, why) in [("0", "0 is less than 1"), ("-3", "-3 is less than 1")] {
        let words = ["-i", "one.pgn", "-o", "out.pgn", "wtm", &format!("--fragment={value}")];
        let (_, stderr) = bench.expect(2, &words);
        assert!(stderr.contains(why), "{stderr}");
    }
}
