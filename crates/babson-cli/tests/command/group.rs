//! `--group`.

use crate::bench::{Bench, corpus};

/// The cells of a table without the spaces that align them.
fn joined(text: &str) -> Vec<String> {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn a_table_is_printed() {
    let bench = Bench::new();
    let (stdout, stderr) = bench.expect(0, &["-i", "games.pgn", "--group", "san", "mate.cql"]);
    let table = "\
san    games  positions  won  drawn  lost  other  score  performance  share
Qh4#       1          1    0      0     1      0    0.0            -   50.0
Qxf7#      1          1    1      0     0      0  100.0            -   50.0
";
    assert_eq!(stdout, table);
    assert!(stderr.contains("2 matches of 3 games in "), "{stderr}");
    // No file is written that is named after the query.
    assert!(!bench.path("mate-out.pgn").exists());
    let words = ["-i", "games.pgn", "-q", "--format", "csv", "--group", "result", "mate.cql"];
    let (stdout, stderr) = bench.expect(0, &words);
    let rows = "result,games,positions,won,drawn,lost,other,score,performance,share\n\
                0-1,1,1,0,0,1,0,0.0,,50.0\n1-0,1,1,1,0,0,0,100.0,,50.0\n";
    assert_eq!((stdout.as_str(), stderr.as_str()), (rows, ""));
    let limited = ["-i", "games.pgn", "-q", "--limit", "2", "--group", "event", "--cql", "initial"];
    assert_eq!(
        joined(&bench.expect(0, &limited).0)[1..],
        ["a 1 1 0 0 1 0 0.0 - 50.0", "b 1 1 0 0 0 1 - - 50.0"]
    );
}

#[test]
fn keys_are_named_once() {
    let bench = Bench::new();
    let words = ["-i", "games.pgn", "--group", "san", "--group", "event", "mate.cql"];
    let (_, told) = bench.expect(2, &words);
    assert!(told.contains("--group is given twice: name all keys once, with commas"), "{told}");
}

#[test]
fn groups_and_matches_are_written_at_once() {
    let bench = Bench::new();
    let outputs = ["-o", "o.pgn", "-o", "o.csv", "-o", "o.jsonl", "-o", "o.txt.gz"];
    let words = [&["-i", "games.pgn"][..], &outputs, &["--group", "event", "mate.cql"]].concat();
    let (stdout, _) = bench.expect(0, &words);
    assert!(stdout.starts_with("2 matches of 3 games in "), "{stdout}");
    assert_eq!(bench.text("o.pgn").matches("[Event ").count(), 2);
    assert!(bench.text("o.csv").ends_with("a,1,1,0,0,1,0,0.0,,50.0\nc,1,1,1,0,0,0,100.0,,50.0\n"));
    assert!(bench.text("o.jsonl").starts_with("{\"event\": \"a\", \"games\": 1, "));
    assert_eq!(bench.get("o.txt.gz")[..2], [0x1f, 0x8b]);
    // Without an output that can have groups, the table is printed.
    let words = ["-i", "games.pgn", "-q", "-o", "o.epd", "--group", "event", "mate.cql"];
    let (stdout, _) = bench.expect(0, &words);
    assert_eq!(joined(&stdout).len(), 3, "{stdout}");
    assert_eq!(bench.text("o.epd").lines().count(), 2);
}

#[test]
fn groups_of_several_queries() {
    let bench = Bench::new();
    bench.put("sorted.cql", b"initial sort \"n\" ply");
    let queries = ["mate.cql", "sorted.cql"];
    let words = [&["-i", "games.pgn", "-q", "--group", "result"][..], &queries].concat();
    let (stdout, _) = bench.expect(0, &words);
    let expected = [
        "query result games positions won drawn lost other score performance share",
        "mate 0-1 1 1 0 0 1 0 0.0 - 50.0",
        "mate 1-0 1 1 1 0 0 0 100.0 - 50.0",
        "sorted * 1 1 0 0 0 1 - - 33.3",
        "sorted 0-1 1 1 0 0 1 0 0.0 - 33.3",
        "sorted 1-0 1 1 1 0 0 0 100.0 - 33.3",
    ];
    assert_eq!(joined(&stdout), expected);
    // In other formats.
    let words = ["-i", "games.pgn", "-q", "--format", "tsv", "--group", "result", "mate.cql"];
    let (stdout, _) = bench.expect(0, &words);
    assert!(stdout.starts_with("result\tgames\tpositions\t"), "{stdout}");
    bench.expect(0, &["-i", "games.pgn", "--group", "result", "-o", "o.json", "mate.cql"]);
    let rows: serde_json::Value = serde_json::from_str(&bench.text("o.json")).unwrap();
    assert_eq!((&rows[0]["result"], &rows[1]["games"]), (&"0-1".into(), &1.into()));
    bench.expect(0, &["-i", "games.pgn", "--group", "result", "-o", "o.json", "--cql", "false"]);
    assert_eq!(bench.text("o.json"), "[\n]\n");
    // A file of each query.
    let words = ["-i", "games.pgn", "-q", "--format", "csv", "--group", "result", "-o", "out/"];
    let (stdout, _) = bench.expect(0, &[&words[..], &queries].concat());
    assert_eq!(stdout, "");
    assert!(bench.text("out/mate.csv").starts_with("result,games,"));
    assert_eq!(bench.text("out/sorted.csv").lines().count(), 4);
}

#[test]
fn groups_with_errors() {
    let bench = Bench::new();
    let append = "--append o.csv: a table of groups cannot be appended to a file";
    for (words, part) in [
        (&["--group", "yaer"][..], "--group: 'yaer' is not a key; did you mean year?"),
        (&["--group", "sort:x"], "--group: no query has a sort key called x; there is none"),
        (&["--group", "year", "--count"], "--group writes a table, and --count prints one number"),
        (&["--group", "year", "--columns", "fen"], "--columns is for rows of matches"),
        (&["--group", "year", "-o", "-"], "--group: standard output is already used"),
        (&["-o", "o.txt"], "-o o.txt: an output ends in .pgn, .jsonl, .json, .csv, .tsv"),
        (&["--group", "year", "--append", "o.csv"], append),
        (&["--group", "year", "--append", "o.csv", "--dryrun"], append),
    ] {
        let all = [&["-i", "games.pgn"][..], words, &["--cql", "mate"]].concat();
        let (_, stderr) = bench.expect(2, &all);
        assert!(stderr.contains(part), "{words:?}: {stderr}");
        assert!(!bench.path("o.csv").exists() && !bench.path("o.txt").exists());
    }
    let split = ["-i", "games.pgn", "--group", "year", "-o", "{tag:Event}.csv", "mate.cql"];
    let (_, stderr) = bench.expect(2, &split);
    assert!(stderr.contains("cannot be split into many files"), "{stderr}");
}

/// A key that only another of the queries has.
#[test]
fn a_key_that_a_query_does_not_have() {
    let bench = Bench::new();
    bench.put("sorted.cql", b"initial sort \"n\" ply");
    let queries = ["sorted.cql", "mate.cql"];
    let base = ["-i", "games.pgn", "--format", "csv", "-o", "out/"];
    for keys in [["--group", "sort:n"], ["--columns", "sort:n"]] {
        let (_, stderr) = bench.expect(2, &[&base[..], &keys, &queries].concat());
        assert!(stderr.contains("mate.csv: no query has a sort key called n"), "{stderr}");
    }
}

/// An output of several queries that is appended to has the columns, and no groups.
#[test]
fn appended_outputs_of_several_queries() {
    fn search<'w>(words: &[&'w str]) -> Vec<&'w str> {
        [&["-i", "games.pgn", "-q"][..], words, &["mate.cql", "start.cql"]].concat()
    }
    let bench = Bench::new();
    bench.put("start.cql", b"initial");
    for name in ["o.csv", "o.jsonl", "{query}.csv"] {
        for last in [&[][..], &["--dryrun"]] {
            let words = [&["--append", name, "--group", "event"][..], last].concat();
            let (stdout, stderr) = bench.expect(2, &search(&words));
            assert!(stderr.contains("a table of groups cannot be appended"), "{stderr}");
            assert_eq!(stdout, "");
        }
    }
    assert!(!bench.path("o.csv").exists());
    // The table goes to standard output, and matches can be appended.
    let (stdout, _) = bench.expect(0, &search(&["--append", "o.pgn", "--group", "event"]));
    assert!(stdout.starts_with("query  event  games"), "{stdout}");
    assert_eq!(bench.text("o.pgn").matches("[Event ").count(), 5);
    bench.expect(0, &search(&["--append", "o.csv", "--columns", "event,query"]));
    assert!(bench.text("o.csv").starts_with("event,query\na,"), "{}", bench.text("o.csv"));
}

/// The note on `--limit` is for outputs that have games.
#[test]
fn a_limit_of_a_query_that_sorts() {
    let bench = Bench::new();
    bench.put("n.cql", b"initial sort \"n\" ply");
    for (outputs, has_note) in [
        (&["-o", "t.csv", "--group", "event"][..], false),
        (&["--group", "event"], false),
        (&["--append", "m.pgn", "--group", "event"], true),
        (&["-o", "m.pgn", "--group", "event"], true),
        (&["-o", "t.csv"], true),
    ] {
        let words = [&["-i", "games.pgn", "--limit", "1"][..], outputs, &["n.cql"]].concat();
        let (_, stderr) = bench.expect(0, &words);
        assert_eq!(stderr.contains("sorts them"), has_note, "{outputs:?}: {stderr}");
    }
}

/// Whatever the threads, the kind of database, and the number of slices.
#[test]
fn the_table_is_always_the_same() {
    let bench = Bench::new();
    bench.put("query.cql", b"cql(variations) move from A capture q sort \"n\" #[Aa]");
    let games = corpus("masters-2k.pgn");
    let keys = "decade,player,next.san,eco:1,sort:n/4,white";
    let group = |words: &[&str]| {
        let all = [words, &["--group", keys, "-q", "query.cql"]].concat();
        bench.expect(0, &all).0
    };
    let table = group(&["-i", &games, "-s"]);
    assert!(table.lines().count() > 100, "{table}");
    assert_eq!(group(&["-i", &games, "--threads", "4"]), table);
    assert_eq!(group(&["-i", &games, "--resume", "kept"]), table);
    bench.expect(0, &["pack", &games, "-o", "games.arrow"]);
    assert_eq!(group(&["-i", "games.arrow", "--threads", "2"]), table);
    let (plan, _) = bench.expect(0, &["plan", &games, "--slices", "3"]);
    let mut parts = Vec::new();
    for (index, slice) in plan.lines().enumerate() {
        parts.insert(0, format!("{index}.part"));
        bench.expect(0, &["scan", "--slice", slice, "query.cql", "-o", &parts[0]]);
    }
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let merged = bench.expect(0, &[&["merge", "-q", "--group", keys][..], &parts].concat()).0;
    assert_eq!(merged, table);
}

/// Keys of the game need no more of it than the query, so its damage is not found.
#[test]
fn a_game_is_read_no_further_than_needed() {
    let bench = Bench::new();
    bench.put("bad.pgn", b"[Event \"a\"]\n\n1. e4 e5 2. Ke5 1-0\n");
    let damaged = |keys: &str| {
        let words = ["-i", "bad.pgn", "--group", keys, "--cql", "initial"];
        let (stdout, stderr) = bench.expect(0, &words);
        assert!(stdout.contains(" 1          1    1 "), "{stdout}");
        stderr.contains("Ke5")
    };
    let counted = bench.expect(0, &["-i", "bad.pgn", "--cql", "initial", "--count"]).1;
    assert_eq!(damaged("event"), counted.contains("Ke5"));
    assert!(damaged("event,next.san"));
}
