//! Several queries in one scan: their outputs, counts and summary.

use crate::bench::{Bench, corpus};

/// The bench with a database of three games and queries that match the same games.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.put("first.cql", b"ply == 1 comment(\"first\")");
    bench
}

const QUERIES: [&str; 2] = ["mate.cql", "first.cql"];

#[test]
fn one_output_has_the_matches_of_all_queries() {
    let bench = bench();
    let outputs = ["-o", "all.csv", "-o", "all.jsonl", "-o", "all.epd", "-o", "all.pgn"];
    let (stdout, _) = bench.expect(0, &[&["-i", "games.pgn"][..], &outputs, &QUERIES].concat());
    assert!(stdout.starts_with("query  games  positions\nmate       2          2\n"), "{stdout}");
    assert!(stdout.contains("\n2 queries, 3 games in "), "{stdout}");
    assert!(stdout.ends_with(" to all.csv, all.jsonl, all.epd, all.pgn\n"), "{stdout}");
    let csv = bench.text("all.csv");
    let rows: Vec<&str> = csv.lines().collect();
    assert!(rows[0].starts_with("query,game,input,number,id,ply,move,"), "{csv}");
    let begins: Vec<String> = rows[1..]
        .iter()
        .map(|row| {
            let cells: Vec<&str> = row.split(',').collect();
            [cells[0], cells[1], cells[5]].join(",")
        })
        .collect();
    assert_eq!(begins, ["mate,1,4", "first,1,1", "first,2,1", "mate,3,7", "first,3,1"]);
    let jsonl = bench.text("all.jsonl");
    assert!(jsonl.starts_with("{\"query\": \"mate\", \"game\": 1, \"input\": "), "{jsonl}");
    assert!(jsonl.contains("\n{\"query\": \"first\", \"game\": 1, \"input\": "), "{jsonl}");
    for line in jsonl.lines() {
        serde_json::from_str::<babson::Match>(line).unwrap();
    }
    // The same as one array, and with tabs.
    bench.expect(
        0,
        &[&["-i", "games.pgn", "-o", "all.json", "-o", "all.tsv"], &QUERIES[..]].concat(),
    );
    let array: Vec<babson::Match> = serde_json::from_str(&bench.text("all.json")).unwrap();
    assert_eq!(array.len(), jsonl.lines().count());
    assert_eq!(bench.text("all.tsv").replace('\t', ","), csv);
    let epd = bench.text("all.epd");
    assert_eq!(epd.matches(" query \"first\"; c0 \"first\"; c1 \"CQL\";\n").count(), 3, "{epd}");
    let pgn = bench.text("all.pgn");
    assert_eq!(pgn.matches("[Query \"mate\"]").count(), 2, "{pgn}");
    assert_eq!(pgn.matches("[Event \"a\"]").count(), 2, "{pgn}");
    // Chosen columns, and a stream.
    let words = ["-i", "games.pgn", "--format", "jsonl", "--columns", "game,query,san", "-q"];
    let (stdout, _) = bench.expect(0, &[&words[..], &QUERIES].concat());
    let row = "{\"game\": 1, \"query\": \"first\", \"san\": \"f3\"}";
    assert_eq!(stdout.lines().nth(1), Some(row), "{stdout}");
}

/// One game with the comments and marks of all queries, for any number of threads.
#[test]
fn each_game_once_for_all_queries() {
    let bench = bench();
    let words = ["-i", "games.pgn", "-o", "all.pgn", "--overlay"];
    let run = |more: &[&str]| {
        let (stdout, _) = bench.expect(0, &[&words[..], more, &QUERIES].concat());
        assert!(
            stdout.starts_with("query  games  positions\nmate       2          2\n"),
            "{stdout}"
        );
        bench.text("all.pgn")
    };
    let one = run(&["--threads", "1"]);
    assert_eq!(run(&["--threads", "3"]), one);
    assert_eq!(one.matches("[Event ").count(), 3, "{one}");
    assert_eq!(one.matches("[Query \"mate, first\"]").count(), 2, "{one}");
    assert_eq!(one.matches("[Query \"first\"]").count(), 1, "{one}");
    let text = one.replace('\n', " ");
    assert!(text.contains("1.f3 {first: first} {first} 1...e5 2.g4 Qh4# {mate} "), "{text}");
    let marked = run(&["--marks"]).replace('\n', " ");
    assert!(marked.contains("{mate} {[%cal Yd8h4]}"), "{marked}");
    // Each query has the limit for itself.
    let limited = run_limited(&bench);
    assert_eq!(limited.matches("[Query \"mate, first\"]").count(), 1, "{limited}");
    assert_eq!(limited.matches("[Event ").count(), 1, "{limited}");
    // A single query, a stream, and files by tag.
    bench.expect(0, &["-i", "games.pgn", "-o", "{tag:Event}-all.pgn", "--overlay", "mate"]);
    assert!(bench.text("a-all.pgn").contains("[Query \"mate\"]"));
    let (stdout, _) = bench.expect(
        0,
        &[&["-i", "games.pgn", "-o", "-", "--format", "pgn", "--overlay"], &QUERIES[..]].concat(),
    );
    assert_eq!(stdout, one);
}

fn run_limited(bench: &Bench) -> String {
    let words = ["-i", "games.pgn", "-o", "all.pgn", "--overlay", "--limit", "1"];
    bench.expect(0, &[&words[..], &QUERIES].concat());
    bench.text("all.pgn")
}

#[test]
fn outputs_without_one_game_for_all_queries() {
    let bench = bench();
    bench.put("sorted.cql", b"mate sort \"game\" gamenumber");
    bench.put("six.cql", b"cql(dialect cql6) mate");
    for (words, told) in [
        (&["-o", "all.csv", "mate", "first"][..], "name it with -o ALL.pgn"),
        (&["-o", "found/", "mate", "first"], "name it with -o ALL.pgn"),
        (&["-o", "{query}.pgn", "mate", "first"], "name it with -o ALL.pgn"),
        (&["--count", "mate", "first"], "leave out one of the two"),
        (&["--count", "-o", "all.pgn", "mate"], "--overlay writes games, and --count only counts"),
        (&["-o", "all.pgn", "--cql", "mate", "--cql", "check"], "one query, joined by `and`: put"),
        (&["-o", "all.pgn", "--cql", "mate"], "as in --overlay -o ALL.pgn ONE.cql TWO.cql"),
        (&["--count", "--cql", "mate"], "put each query into a file"),
        (&["-o", "all.pgn", "--fragment", "2", "mate", "first"], "has whole games"),
        (&["-o", "all.pgn", "--cql6-output", "mate", "first"], "laid out as CQL 6.2"),
        (&["-o", "all.pgn", "sorted", "first"], "add --nosort"),
        (&["-o", "all.pgn", "six", "first"], "laid out as CQL 6.2"),
    ] {
        let (_, stderr) = bench.expect(2, &[&["-i", "games.pgn", "--overlay"], words].concat());
        assert!(stderr.contains(told), "{words:?}: {stderr}");
        assert!(!bench.path("all.pgn").exists());
    }
    // As a default option it is for the searches that it fits.
    bench.put("options.txt", b"--overlay\n");
    for words in [&["--cql", "mate"][..], &["--count", "mate", "first"], &["-o", "a.csv", "mate"]] {
        let mut command = bench.command(&[&["-i", "games.pgn"], words].concat());
        let output = command.env("BABSON_CONFIG", bench.path("options.txt")).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {stderr}");
    }
}

/// Columns of all queries; cells that a query does not have are empty.
#[test]
fn sort_keys_and_fields_of_all_queries_are_columns() {
    let bench = bench();
    bench.put("long.cql", b"terminal sort \"plies\" ply field(\"last\" ply)");
    let words = ["-i", "games.pgn", "-o", "all.csv", "mate.cql", "long.cql"];
    let (_, stderr) = bench.expect(2, &words);
    let why = "-o all.csv: the query long sorts its games";
    assert!(stderr.contains(why) && stderr.contains("add --nosort"), "{stderr}");
    bench.expect(0, &[&words[..], &["--nosort"]].concat());
    let csv = bench.text("all.csv");
    assert!(csv.lines().next().unwrap().ends_with(",eco,offset,plies,last"), "{csv}");
    assert!(csv.lines().nth(1).unwrap().starts_with("mate,1,"), "{csv}");
    assert!(csv.lines().nth(1).unwrap().ends_with(",0,,"), "{csv}");
    assert!(csv.lines().nth(2).unwrap().ends_with(",0,4,4"), "{csv}");
    let words = [&words[..], &["--nosort", "--columns", "query,sort:plies,field:last"]].concat();
    bench.expect(0, &words);
    let rows = "query,plies,last\nmate,,\nlong,4,4\nlong,1,1\nmate,,\nlong,7,7\n";
    assert_eq!(bench.text("all.csv"), rows);
}

#[test]
fn each_query_has_an_output_in_any_format() {
    let bench = bench();
    let run = |words: &[&str]| bench.expect(0, &[&["-i", "games.pgn"], words, &QUERIES].concat());
    run(&["--format", "csv", "-o", "csv/"]);
    run(&["-o", "{query}.csv", "-o", "{query}.arrow", "-o", "{query}.html"]);
    run(&["-o", "{tag:Event}-{query}.csv"]);
    for query in ["mate", "first"] {
        let text = bench.text(&format!("{query}.csv"));
        assert_eq!(bench.text(&format!("csv/{query}.csv")), text);
        bench.expect(0, &["-i", "games.pgn", "-o", "single.csv", query]);
        assert_eq!(bench.text("single.csv"), text);
        assert!(bench.text(&format!("{query}.html")).starts_with("<!doctype html>"));
        bench.expect(0, &["-i", &format!("{query}.arrow"), "--count", "all.cql"]);
    }
    assert!(bench.text("csv/summary.csv").starts_with("query,status,games,positions,seconds\n"));
    assert_eq!(bench.text("a-first.csv").lines().count(), 2);
    assert!(bench.path("c-mate.csv").exists() && !bench.path("b-mate.csv").exists());
    // Of all queries, split by a tag.
    run(&["-o", "of-{tag:Event}.epd"]);
    assert_eq!(bench.text("of-a.epd").lines().count(), 2);
    // A single query has a name too.
    bench.expect(0, &["-i", "games.pgn", "-o", "one-{query}.csv", "mate.cql"]);
    assert_eq!(bench.text("one-mate.csv"), bench.text("mate.csv"));
    // Names only.
    let (stdout, _) = run(&["-o", "{query}.epd", "-o", "all.epd", "--dryrun"]);
    assert_eq!(stdout, "mate.epd\nfirst.epd\nall.epd\n");
    let (stdout, _) = run(&["-o", "x-{tag:Event}-{query}.epd", "--dryrun"]);
    assert!(stdout.starts_with("x-a-first.epd (1)\nx-a-mate.epd (1)\n"), "{stdout}");
    assert!(!bench.path("x-a-mate.epd").exists() && !bench.path("all.epd").exists());
}

#[test]
fn counts_have_names() {
    let bench = bench();
    bench.put("bad.cql", b"cql() nonsense");
    let words = ["-i", "games.pgn", "--count"];
    let (stdout, stderr) = bench.expect(0, &[&words[..], &QUERIES].concat());
    assert_eq!(stdout, "mate   2\nfirst  3\n");
    assert!(stderr.starts_with("2 queries, 3 games in "), "{stderr}");
    let (stdout, stderr) = bench.expect(1, &[&words[..], &QUERIES, &["bad.cql"]].concat());
    assert_eq!(stdout, "mate   2\nfirst  3\nbad    -\n");
    assert!(stderr.contains("bad.cql:1:7"), "{stderr}");
    let (stdout, _) = bench.expect(0, &[&words[..], &["mate.cql"]].concat());
    assert_eq!(stdout, "2\n");
    let words = ["-i", "games.pgn", "-o", "all.csv", "bad.cql", "mate.cql"];
    let (stdout, _) = bench.expect(1, &words);
    assert!(
        stdout.starts_with("query  games  positions  errors\nbad        -          -  error: "),
        "{stdout}"
    );
}

#[test]
fn outputs_that_several_queries_cannot_have() {
    let bench = bench();
    for (words, part) in [
        (&[][..], "several queries need an output: -o DIR/"),
        (&["-o", "all.html"], "an HTML page shows one query: -o 'DIR/{query}.html'"),
        (&["-o", "all.arrow"], "a game table has the matches of one query"),
        (&["-o", "{tag:ECO}-{query}.arrow"], "a game table cannot be split"),
        (&["-o", "one/", "-o", "two/"], "one folder is enough"),
        (&["--append", "one/"], "--append one/: it is a folder"),
        (&["-o", "x.csv", "-o", "x.csv"], "-o x.csv is given twice"),
        (&["-o", "x/", "--columns", "fen"], "--columns: no output has columns"),
        (&["--count", "--columns", "fen"], "--columns: no output has columns"),
        (&["-o", "x.csv", "--columns", "sort:x"], "no query has a sort key called x"),
        (&["-o", "x.csv", "mate.cql"], "two queries are named mate"),
        (&["-o", "{queri}.csv"], "`{queri}` is not a placeholder: there are {query},"),
    ] {
        let (_, stderr) = bench.expect(2, &[&["-i", "games.pgn"], words, &QUERIES].concat());
        assert!(stderr.contains(part), "{words:?}: {stderr}");
    }
}

/// The bytes are the same for any number of threads, in slices, and after an interruption.
#[test]
fn shared_outputs_do_not_depend_on_how_the_games_are_cut() {
    let bench = bench();
    let games = corpus("masters-2k.pgn");
    bench.put("check.cql", b"check movenumber > 40");
    bench.put("wide.cql", b"movenumber > 30 #A > 10 comment(\"wide\")");
    let queries = ["mate.cql", "check.cql", "wide.cql"];
    let names = ["all.csv", "all.jsonl", "all.epd", "all.pgn"];
    let outputs: Vec<&str> = names.iter().flat_map(|name| ["-o", name]).collect();
    let run = |words: &[&str]| {
        bench.expect(0, &[words, &outputs].concat());
        names.map(|name| bench.text(name))
    };
    let search = [&["-i", &games][..], &queries].concat();
    let one = run(&[&search[..], &["--threads", "1"]].concat());
    assert!(one[0].lines().count() > 1000);
    assert!(one == run(&[&search[..], &["--threads", "7"]].concat()));
    assert!(one == run(&[&search[..], &["--resume", "kept"]].concat()));
    let limited = [&search[..], &["--limit", "20"]].concat();
    let few = run(&[&limited[..], &["--threads", "1"]].concat());
    assert!(few == run(&[&limited[..], &["--threads", "5"]].concat()));
    let (plan, _) = bench.expect(0, &["plan", &games, "--slices", "3"]);
    let mut merge = vec!["merge"];
    let parts: Vec<String> = (0..plan.lines().count()).map(|part| format!("{part}.part")).collect();
    for (slice, part) in plan.lines().zip(&parts) {
        bench.expect(0, &[&["scan", "--slice", slice, "-o", part][..], &queries].concat());
        merge.push(part);
    }
    assert!(one == run(&merge));
    // A game table gives the outputs of its PGN file.
    bench.expect(0, &["pack", &games, "-o", "games.arrow"]);
    assert!(one == run(&[&["-i", "games.arrow"][..], &queries].concat()));
}

/// What the headers of several queries name: nothing of it is lost in silence.
#[test]
fn headers_name_the_input_and_the_outputs() {
    let bench = bench();
    bench.put("one.pgn", b"[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    bench.put("a.cql", b"cql(input games.pgn output found-a.pgn) mate");
    bench.put(
        "b.cql",
        b"cql(input ./games.pgn output found-b.csv quiet matchstring \"m\") ply == 1",
    );
    let (stdout, _) = bench.expect(0, &["a.cql", "b.cql"]);
    assert!(stdout.starts_with("query  games  positions\na          2          2\n"), "{stdout}");
    assert!(stdout.ends_with(" to found-a.pgn, found-b.csv\n"), "{stdout}");
    assert_eq!(bench.text("found-a.pgn").matches("[Event ").count(), 2);
    assert_eq!(bench.text("found-b.csv").lines().count(), 4);
    // The command line overrides them.
    let (stdout, _) = bench.expect(0, &["a.cql", "b.cql", "-i", "one.pgn", "--count", "-q"]);
    assert_eq!(stdout, "a  1\nb  1\n");
    bench.expect(0, &["a.cql", "b.cql", "-o", "all.epd"]);
    assert_eq!(bench.text("all.epd").lines().count(), 5);
    // Games that do not match go to an output of their own beside them.
    bench.put("found-a.pgn", b"");
    bench.expect(0, &["a.cql", "b.cql", "--nonmatching", "rest.pgn"]);
    assert_eq!(bench.text("found-a.pgn").matches("[Event ").count(), 2);
    // A query with an error has no header.
    bench.put("bad.cql", b"cql(input one.pgn output x.pgn) mat");
    bench.expect(1, &["a.cql", "bad.cql", "b.cql"]);
    assert!(!bench.path("x.pgn").exists());
    // The name of a file without an ending, as in CQL 3.
    bench.put("games.txt", &bench.get("games.pgn"));
    bench.put("old.cql", b"(match :pgn games.txt :output old.found (position R))");
    bench.put("new.cql", b"cql(input games.txt output new.pgn) mate");
    bench.expect(0, &["old.cql", "new.cql"]);
    assert!(bench.path("old.found").exists() && bench.path("new.pgn").exists());
}

#[test]
fn headers_that_do_not_go_together() {
    let bench = bench();
    bench.put("a.cql", b"cql(input games.pgn output found.pgn) mate");
    bench.put("b.cql", b"cql(input one.pgn output found.pgn) mate");
    bench.put("c.cql", b"cql(input games.pgn output found.pgn) check");
    bench.put("d.cql", b"cql(input games.pgn output ./found.pgn) check");
    bench.put("e.cql", b"cql(input games.pgn output -) check");
    bench.put("f.cql", b"cql(input games.pgn output stdout) check");
    for (words, told) in [
        (
            &["a.cql", "b.cql"][..],
            "babson: the headers of the queries name different inputs, games.pgn of a.cql and \
             one.pgn of b.cql: name the games of all queries with -i, or search with one query at \
             a time\n",
        ),
        (&["a.cql", "mate.cql", "--count"], "games.pgn of a.cql and none of mate.cql"),
        (&["mate.cql", "a.cql", "-o", "x/"], "none of mate.cql and games.pgn of a.cql"),
        (
            &["a.cql", "c.cql"],
            "the headers of a.cql and c.cql both name the output found.pgn: name an output of all \
             queries with -o found.pgn, or one for each with -o DIR/",
        ),
        (&["a.cql", "d.cql"], "found.pgn"),
        (&["e.cql", "f.cql"], "both name the output stdout"),
        (&["a.cql", "mate.cql", "-i", "games.pgn"], "(mate.cql names none in its header)"),
        (&["a.cql", "e.cql", "--columns", "fen"], "--columns: no output has columns"),
        (&["a.cql", "e.cql", "--rejects", "-"], "--rejects -: standard output is already used"),
    ] {
        let (stdout, stderr) = bench.expect(2, words);
        assert!(stderr.contains(told) && stdout.is_empty(), "{words:?}: {stderr}");
        assert!(!bench.path("found.pgn").exists() && !bench.path("x").exists());
    }
    // The games of a project do not settle it.
    bench.put("babson.toml", b"database = 'games.pgn'");
    bench.expect(2, &["a.cql", "mate.cql", "--count"]);
}

/// A merge reads parts of somebody else, so it heeds no header.
#[test]
fn a_merge_heeds_no_header() {
    let bench = bench();
    bench.put("a.cql", b"cql(input games.pgn output found-a.pgn) mate");
    bench.put("b.cql", b"cql(input one.pgn output found-b.pgn) mate");
    let (plan, _) = bench.expect(0, &["plan", "games.pgn", "--slices", "1"]);
    bench.expect(0, &["scan", "--slice", plan.trim(), "a.cql", "b.cql", "-o", "one.part"]);
    let (stdout, _) = bench.expect(0, &["merge", "one.part", "--count", "-q"]);
    assert_eq!(stdout, "a  2\nb  2\n");
    bench.expect(2, &["merge", "one.part", "--guipgnstdout"]);
    assert!(!bench.path("found-a.pgn").exists() && !bench.path("found-b.pgn").exists());
}
