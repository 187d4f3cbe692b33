//! Queries: errors before and while they run, several at once, blocks, headers.

use std::fs;
use std::process::Command;

use crate::bench::{Bench, GAMES, corpus};

#[test]
fn queries_with_errors() {
    let bench = Bench::new();
    for (query, word) in [
        ("cql() matee", "matee"),
        ("cql() {mate", "{mate"),
        ("cql() K + 1", "1:"),
        ("", "empty"),
        ("\u{feff}\u{feff} // x", "empty"),
        ("// x", "empty"),
    ] {
        bench.put("bad.cql", query.as_bytes());
        let (stdout, stderr) = bench.expect(1, &["-i", "games.pgn", "bad.cql"]);
        assert!(stdout.is_empty());
        assert!(stderr.contains("bad.cql:1") && stderr.contains('^'), "{query}: {stderr}");
        assert!(stderr.contains(word), "{query}: {stderr}");
        assert!(!bench.path("bad-out.pgn").exists());
        bench.expect(1, &["check", "bad.cql"]);
    }
    let (_, told) = bench.expect(0, &["check", "mate.cql"]);
    assert_eq!(told, "", "nothing to say");
    let (stdout, _) = bench.expect(0, &["explain", "mate.cql"]);
    assert!(stdout.contains("mate") || stdout.contains("Mate"));
}

/// Who looks at a query sees its warnings, as in a search.
#[test]
fn warnings_are_told_by_commands_that_look_at_a_query() {
    let bench = Bench::new();
    for words in [
        &["check"][..],
        &["explain"],
        &["explain", "--json"],
        &["why", "games.pgn", "-g", "1"],
        &["profile", "-i", "games.pgn"],
        &["-i", "games.pgn", "--count"],
    ] {
        let (stdout, told) = bench.expect(0, &[words, &["--cql", "1. e4 e5"]].concat());
        assert_eq!(told.matches("warning[W0303]").count(), 1, "{words:?}\n{told}");
        assert!(!stdout.contains("W0303"), "{words:?}\n{stdout}");
    }
}

/// The differences between the dialects are shown to an author who uses two of them.
#[test]
fn differences_are_told_when_a_dialect_is_in_play() {
    let bench = Bench::new();
    bench.put("moves.cql", b"wtm\nmovenumber > 20\n");
    bench.put("named.cql", b"cql(dialect cqli)\nmovenumber > 20\n");
    for words in [
        &["check", "--differences", "moves.cql"][..],
        &["check", "--dialect", "cqli", "moves.cql"],
        &["check", "named.cql"],
        &["check", "-similarposition", "games.pgn", "moves.cql"],
    ] {
        let (_, told) = bench.expect(0, words);
        for part in ["warning[W1001]", ".cql:2:1", "`movenumber` starts from the number"] {
            assert!(told.contains(part), "{part} is missing: {told}");
        }
    }
    for words in [
        &["check", "moves.cql"][..],
        &["check", "--dialect", "cql6", "moves.cql"],
        &["check", "--cql", "elo white > 2500 player \"Carlsen\" move legal count > 3"],
    ] {
        let (_, told) = bench.expect(0, words);
        assert_eq!(told, "", "{words:?}");
    }
    let (_, told) = bench.expect(0, &["-i", "games.pgn", "moves.cql"]);
    assert!(!told.contains("warning"), "a run says nothing: {told}");
    let (stdout, _) = bench.expect(0, &["explain", "mate.cql"]);
    // The words of the query are enough for most readers.
    assert!(stdout.contains("the side to move is checkmated"), "{stdout}");
    assert!(stdout.contains("\noptimizer\n") && !stdout.contains("bytecode"), "{stdout}");
    let (stdout, _) = bench.expect(0, &["explain", "--bytecode", "mate.cql"]);
    let at = |text: &str| stdout.find(text).expect(text);
    assert!(at("checkmated") < at("\ntyped tree\n") && at("\nneeds\n") < at("\nbytecode ("));
}

/// The form of `check --json` in the book, and of the errors of `explain --json`.
#[test]
fn diagnostics_as_json() {
    let bench = Bench::new();
    let json = |code: i32, words: &[&str]| {
        let (stdout, stderr) = bench.expect(code, words);
        assert_eq!(stderr, "", "{words:?}");
        let line = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
        stdout.lines().map(line).collect::<Vec<_>>()
    };
    let none = serde_json::json!({"query": "mate.cql", "diagnostics": [], "dialect": "cqli"});
    assert_eq!(json(0, &["check", "--json", "mate.cql"]), std::slice::from_ref(&none));
    bench.put("bad.cql", "// é\nmat".as_bytes());
    let error = serde_json::json!({
        "query": "bad.cql",
        "diagnostics": [{
            "severity": "error",
            "code": "E0201",
            "message": "`mat` must be defined before it is used",
            "help": "did you mean `mate`?",
            "span": [6, 9],
            "related": [],
            "fixes": [{
                "title": "replace by `mate`",
                "edits": [{"span": [6, 9], "text": "mate"}],
                "certain": false,
            }],
        }],
        "dialect": "cqli",
    });
    for command in ["check", "explain"] {
        let mut found = json(1, &[command, "--json", "bad.cql"]);
        let one = found[0]["diagnostics"][0].as_object_mut().unwrap();
        for free in ["message", "help"] {
            assert!(one[free].is_string(), "{one:?}");
            one.insert(free.to_owned(), error["diagnostics"][0][free].clone());
        }
        assert_eq!(found, std::slice::from_ref(&error), "{command}");
    }
    // A line for each query, in their order.
    let found = json(1, &["check", "--json", "mate.cql", "bad.cql", "mate.cql"]);
    assert_eq!((&found[0], &found[2], found.len()), (&none, &none, 3));
    assert_eq!(json(1, &["explain", "--json", "bad.cql", "mate.cql"])[1]["query"], "mate.cql");
    // Places in another file have its name, and the spans are those in its text.
    bench.put("lib.cql", b"function f() { mat }");
    bench.put("main.cql", b"import \"lib\"\nwtm btm f()");
    let found = json(1, &["check", "--json", "main.cql"]);
    let one = &found[0]["diagnostics"][0];
    assert!(one["file"].as_str().unwrap().ends_with("lib.cql"), "{found:?}");
    assert_eq!(one["span"], serde_json::json!([15, 18]));
    bench.put("two.cql", b"wtm\nbtm");
    let found = json(0, &["check", "--json", "two.cql"]);
    let one = &found[0]["diagnostics"][0];
    assert_eq!((&one["severity"], &one["code"]), (&"warning".into(), &"W1202".into()));
    assert_eq!(one["related"][0]["span"], serde_json::json!([0, 3]));
    let found = json(0, &["check", "--json", "--cql", "(match (position :mate))"]);
    assert_eq!(found[0]["dialect"], "cql3");
    // Of several options each has its number.
    let options = ["check", "--json", "--cql", "wtm", "--cql", "e4", "--cql", "mate e5"];
    let found = json(0, &options);
    let of = |index: usize| &found[0]["diagnostics"][index]["file"];
    assert_eq!(
        (&found[0]["query"], of(0), of(1)),
        (&"<--cql>".into(), &"<--cql 2>".into(), &"<--cql 3>".into())
    );
    bench.put("nine.cql", b"cql(dialect cql9) mate");
    let found = json(1, &["check", "--json", "nine.cql"]);
    assert!(found[0]["dialect"].is_null(), "{found:?}");
}

/// The members of the book's page on the command line, and the name of a query without a file.
#[test]
fn explanations_as_json() {
    let bench = Bench::new();
    for (words, name) in [
        (&["mate.cql"][..], "mate.cql"),
        (&["--cql", "mate", "--cql", "wtm"], "<--cql>"),
        (&["--player", "Ann", "--cql", "mate"], "<--player --cql>"),
    ] {
        let (stdout, _) = bench.expect(0, &[&["explain", "--json"], words].concat());
        let object: serde_json::Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!(object["query"], name);
        let mut members: Vec<&String> = object.as_object().unwrap().keys().collect();
        members.sort();
        let documented = [
            "bytecode",
            "needs",
            "optimizer",
            "query",
            "registers",
            "sentences",
            "threads",
            "typed",
        ];
        assert_eq!(members, documented);
    }
}

/// Ten errors are shown, and all warnings.
#[test]
fn many_errors_are_counted() {
    let bench = Bench::new();
    bench.put("wrong.cql", "@\n".repeat(30).as_bytes());
    let (_, stderr) = bench.expect(1, &["check", "wrong.cql"]);
    assert_eq!(stderr.matches("error[E").count(), 10, "{stderr}");
    assert!(stderr.ends_with("\n… and 20 more\n"), "{stderr}");
}

#[test]
fn bytes_that_are_no_utf8_are_an_error_with_a_place() {
    let bench = Bench::new();
    let bad = b"\xef\xbb\xbfcql()\nmate // \xc3\xa9\ncomment(\"Fran\xe7ois\")";
    bench.put("bad.cql", bad);
    let all: [&[&str]; 6] = [
        &["-i", "games.pgn", "bad.cql", "--cql", "check"],
        &["check", "bad.cql"],
        &["fmt", "bad.cql"],
        &["convert", "--to", "unicode", "bad.cql"],
        &["-u", "bad.cql"],
        &["--lex", "bad.cql"],
    ];
    for words in all {
        let output = Command::new(env!("CARGO_BIN_EXE_babson"))
            .current_dir(bench.path(""))
            .args(words)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        assert!(output.stdout.is_empty(), "{words:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        let place = stderr.contains("bad.cql:3:14") && stderr.contains("E7");
        assert!(place, "{words:?}: {stderr}");
        assert_eq!(bench.get("bad.cql"), bad, "{words:?}");
    }
    // Byte-order marks before the text are ignored.
    bench.put("marked.cql", "\u{feff}\u{feff}cql() mate".as_bytes());
    bench.expect(0, &["-i", "games.pgn", "marked.cql"]);
}

#[test]
fn blocks_outside_the_games_see_what_all_threads_counted() {
    let bench = Bench::new();
    bench.put(
        "count.cql",
        b"dictionary int --> int (sum) plies cqlbegin { message(\"begin\") }\n\
          cqlend { key $p in plies { message($p \":\" plies[$p]) } }\n\
          terminal plies[ply] += 1 false",
    );
    let games = corpus("masters-2k.pgn");
    let words = |threads| ["-i", &games, "-o", "x.pgn", "--threads", threads, "count.cql"];
    let (one, _) = bench.expect(0, &words("1"));
    let (many, _) = bench.expect(0, &words("8"));
    let messages = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.contains("seconds")).map(str::to_owned).collect()
    };
    assert!(one.starts_with("begin\n"), "{one}");
    assert_eq!(messages(&one).len(), 171);
    assert_eq!(messages(&one), messages(&many));
    bench.put("fails.cql", b"cqlend { assert false } mate");
    let (_, stderr) = bench.expect(1, &["-i", "games.pgn", "-o", "x.pgn", "fails.cql"]);
    assert!(stderr.contains("outside the games: assert"), "{stderr}");
}

#[test]
fn what_games_share_is_the_same_for_any_number_of_threads() {
    let bench = Bench::new();
    let games = corpus("masters-2k.pgn");
    // The query, and whether several threads may run it.
    let cases = [
        ("persistent mates += 1 mate", true),
        ("persistent quiet mates += 1 mate", true),
        ("persistent last = gamenumber mate", true),
        ("persistent squares |= k attackedby Q mate", true),
        ("persistent seen += 1 terminal seen > 100000", false),
        ("persistent text += \"x\" mate", false),
        ("local dictionary Seen Seen[fen] += 1 Seen[fen] == 3", true),
        (
            "dictionary str --> int (min) $D if initial then unbind $D \
             $D[zobristkey] += 1 $D[zobristkey] > 2",
            true,
        ),
        ("dictionary str --> int (sum) D initial D[player white] += 1 D[eco] -= 1 false", true),
        ("dictionary str --> int (max) D terminal D[eco] = max(D[eco] ply) false", true),
        ("dictionary str --> str D terminal D[player white] = player black false", true),
        ("dictionary str --> int D terminal D[eco] += 1 D[eco] == 2", false),
    ];
    for (query, parallel) in cases {
        bench.put("q.cql", query.as_bytes());
        let run = |threads: &str| {
            let words =
                ["-i", &games, "-o", "x.pgn", "--showdictionaries", "--threads", threads, "q.cql"];
            let (stdout, _) = bench.expect(0, &words);
            let (timed, rest): (Vec<&str>, Vec<&str>) =
                stdout.lines().partition(|line| line.contains(" seconds "));
            let used = timed[0].contains(&format!(" using {threads} thread"));
            let matches = timed[0].split(" in ").next().map(str::to_owned);
            (used, (matches, rest.join("\n"), bench.get("x.pgn")))
        };
        let (_, one) = run("1");
        for threads in ["2", "7"] {
            let (used, many) = run(threads);
            assert_eq!(used, parallel, "{query}");
            assert!(one == many, "{query} with {threads} threads");
        }
    }
    // What the later games leave does not count behind the last match that was asked for.
    bench.put("q.cql", b"persistent seen += 1 mate");
    let words =
        |threads| ["-i", &games, "-o", "x.pgn", "--limit", "2", "--threads", threads, "q.cql"];
    let seen = |threads| {
        let (stdout, _) = bench.expect(0, &words(threads));
        stdout.lines().last().map(str::to_owned)
    };
    assert_eq!(seen("1"), seen("8"));
}

#[test]
fn several_queries_in_one_scan() {
    let bench = Bench::new();
    bench.put("bad.cql", b"cql() nonsense");
    let words = ["-i", "games.pgn", "-o", "out/", "mate.cql", "bad.cql", "all.cql"];
    bench.expect(1, &words);
    bench.expect(0, &["-i", "games.pgn", "-o", "single.pgn", "mate.cql"]);
    assert_eq!(bench.get("out/mate.pgn"), bench.get("single.pgn"));
    assert!(!bench.path("out/bad.pgn").exists());
    let summary = String::from_utf8(bench.get("out/summary.csv")).unwrap();
    let lines: Vec<&str> = summary.lines().collect();
    assert_eq!(lines[0], "query,status,games,positions,seconds");
    assert!(lines[1].starts_with("mate,ok,2,2,"), "{summary}");
    assert!(lines[2].contains("error: ") && lines[2].starts_with("bad,"), "{summary}");
    assert!(lines[3].starts_with("all,ok,3,3,"), "{summary}");
}

/// One query on one thread makes all of them slow, so it is named.
#[test]
fn a_query_that_needs_the_games_in_order_is_named() {
    let bench = Bench::new();
    bench.put("first.cql", b"initial persistent Seen += 1 Seen == 1");
    let told = |words: &[&str]| {
        let words = [&["-i", "games.pgn", "--count", "--threads", "2"], words].concat();
        bench.expect(0, &words).1
    };
    let note = "first needs the games in order, so all queries are searched on one thread: ";
    assert!(told(&["mate.cql", "first.cql"]).contains(note));
    for words in [&["mate.cql", "all.cql"][..], &["first.cql"], &["mate.cql", "first.cql", "-s"]] {
        assert!(!told(words).contains("in order"), "{words:?}");
    }
}

#[test]
fn bytes_that_are_not_utf8_matter_outside_comments() {
    let bench = Bench::new();
    bench.put("comment.cql", b"mate // caf\xe9\n/* \xfc */");
    bench.expect(0, &["check", "--dialect", "cqli", "comment.cql"]);
    bench.put("old.cql", b"(match (position :mate) :player \"M\xfcller\") ; \xe9");
    bench.expect(0, &["check", "old.cql"]);
    for (text, letter) in [
        (&b"mate comment \"caf\xe9\""[..], '\u{e9}'),
        (b"caf\xe9 = 1", '\u{e9}'),
        (b"\x80 mate", '\u{20ac}'),
    ] {
        bench.put("wrong.cql", text);
        let (_, stderr) = bench.expect(1, &["check", "wrong.cql"]);
        let byte = if letter == '\u{e9}' { "E9" } else { "80" };
        assert!(stderr.contains(&format!("the byte {byte} is not UTF-8")), "{stderr}");
        assert!(stderr.contains("Windows-1252") && stderr.contains(letter), "{stderr}");
    }
}

#[test]
fn what_probably_means_something_else_is_told_before_the_scan() {
    let bench = Bench::new();
    bench.put("year.cql", b"year 1920");
    let (_, stderr) = bench.expect(0, &["-i", "games.pgn", "--count", "year.cql"]);
    assert!(stderr.contains("`year == 1920`"), "{stderr}");
    let (_, stderr) = bench.expect(0, &["check", "--dialect", "cqli", "year.cql"]);
    assert!(stderr.contains("`year == 1920`"), "{stderr}");
    bench.put("old.cql", b"(match (position :mate :sumrange x 1 2))");
    for words in [&["-i", "games.pgn", "--count"][..], &["check", "--dialect", "cqli"], &["check"]]
    {
        let (_, stderr) = bench.expect(0, &[words, &["old.cql"]].concat());
        assert!(stderr.contains("the sum `x` is always 0"), "{words:?}: {stderr}");
    }
}

/// What takes the square of the length must not be found by anybody's file.
#[test]
fn hostile_texts_take_linear_time() {
    let bench = Bench::new();
    let head = "[Event \"q\"]\n\n1. e4 ";
    for part in [
        "1-0 x {{} ",
        "( e5 {{} ) ",
        "0-1 x ",
        "0-1 1. ( ",
        "*(x)",
        "; ( { x\n",
        "{ {b} ",
        "(1. d4 d5 ",
    ] {
        let text = format!("{head}{}*\n\n", part.repeat(100_000));
        bench.put("bad.pgn", &[text.as_bytes(), GAMES].concat());
        bench.expect(0, &["-i", "bad.pgn", "-o", "out.pgn", "--variations", "all"]);
    }
    bench.put("name.cql", format!("cql() {}", "x".repeat(1_000_000)).as_bytes());
    bench.put("many.cql", format!("cql() {}", "line --> ".repeat(2_000)).as_bytes());
    bench.put("files.cql", format!("cql({}) mate", "input a\n".repeat(100_000)).as_bytes());
    bench.put("squares.cql", format!("cql() [{}", "1,".repeat(100_000)).as_bytes());
    bench.put("letters.cql", format!("cql() {}", "а б ".repeat(50_000)).as_bytes());
    bench.expect(1, &["-i", "games.pgn", "squares.cql"]);
    bench.expect(1, &["check", "--json", "letters.cql"]);
    bench.expect(1, &["-i", "games.pgn", "name.cql"]);
    bench.expect(1, &["-i", "games.pgn", "files.cql"]);
    let (_, stderr) = bench.expect(1, &["check", "many.cql"]);
    // It is one statement, and a statement has one error.
    assert_eq!(stderr.matches("error[E").count(), 1);
}

#[test]
fn a_query_that_needs_variations_is_refused_without_them() {
    let bench = Bench::new();
    for filter in
        ["cql_assertvariations \"x\"", "hhdb mainline", "hhdb variation", "hhdb \"<main>\""]
    {
        bench.put("needs.cql", format!("cql() {filter} or true").as_bytes());
        let (_, stderr) = bench.expect(1, &["--count", "-i", "games.pgn", "needs.cql"]);
        assert!(stderr.contains("needs variations"), "{stderr}");
        bench.expect(0, &["--count", "--variations", "-i", "games.pgn", "needs.cql"]);
    }
}

#[test]
fn run_time_errors_and_stops() {
    let bench = Bench::new();
    bench.put("loop.cql", b"cql() mate x=0 while (true) x+=1");
    let words = ["-i", "games.pgn", "--steps", "10000", "-o", "out.pgn", "loop"];
    let (stdout, stderr) = bench.expect(1, &words);
    assert!(stderr.contains("game 1: ") && stderr.contains("game 3: "), "{stderr}");
    assert!(stderr.contains("loop.cql:1:"), "{stderr}");
    assert!(stdout.contains("2 games skipped after run-time errors"), "{stdout}");
    assert!(stdout.contains("0 matches of 3 games"), "{stdout}");
    bench.put("stop.cql", b"cql() mate assert false");
    for threads in ["1", "4"] {
        let words = ["-i", "games.pgn", "-o", "stop.pgn", "--threads", threads, "stop"];
        let (_, stderr) = bench.expect(1, &words);
        assert!(stderr.contains("game 1: "), "{stderr}");
        assert!(!stderr.contains("game 3: "), "{stderr}");
        assert!(!bench.path("stop.pgn").exists());
    }
    let left: Vec<_> = fs::read_dir(bench.path(""))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".tmp"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// What an option makes into filters is parsed by itself, and a message shows what the user wrote.
#[test]
fn filters_of_options_stand_for_themselves() {
    let bench = Bench::new();
    for (words, parts) in [
        (&["--cql", "check("][..], &["`(` is never closed", "<--cql>:1:6"][..]),
        (&["--cql", ""], &["this text has no filter", "<--cql>:1:1"]),
        (&["--cql", "// x"], &["this text has no filter", "<--cql>:1:1"]),
        (&["--cql", "x = \"é\" )"], &["`)` closes nothing", "<--cql>:1:9"]),
        (&["--cql", "false } or {true"], &["`}` closes nothing", "<--cql>:1:7"]),
        (&["--cql", "check or"], &["`or` needs a filter after it", "<--cql>:1:7"]),
        (&["--cql", "check /* x"], &["this comment never ends", "<--cql>:1:7"]),
        (
            &["--cql", "cql() check"],
            &["a header is not allowed here", "leave out `cql(…)`", "<--cql>:1:1"],
        ),
        (&["--cql", "check", "--cql", "K + 1"], &["<--cql 2>:1:3", "K + 1"]),
        (&["-wtm", "bad.cql"], &["bad.cql:1:7", "cql() )"]),
        (&["--flip", "--cql", "mat", "bad.cql"], &["bad.cql:1:7"]),
        (&["-player", "a(", "all"], &["malformed regular expression", "<--player>:1:2"]),
    ] {
        bench.put("bad.cql", b"cql() )");
        let all = [&["-i", "games.pgn", "--count"][..], words].concat();
        let (_, stderr) = bench.expect(1, &all);
        for part in parts {
            assert!(stderr.contains(part), "{words:?}: {part}\n{stderr}");
        }
        for unseen in ["does not close", "white ~~", "1 | }", ":2:"] {
            assert!(!stderr.contains(unseen), "{words:?}: {unseen}\n{stderr}");
        }
        let told = stderr.matches("error[E").count();
        assert!(told == 1 || words[0] == "--cql", "{stderr}");
    }
    // A text can use the names that an earlier text defines.
    bench.put("use.cql", b"cql(quiet) // the end\ntwice(number) == 4 and mate // here");
    for words in [
        &["--cql", "function twice(x) { 2 * x }", "--assign", "number", "2", "use"][..],
        &["--flip", "--cql", "number = 2 // two", "--cql", "function twice(x) { 2 * x }", "use"],
        &["--cql", "cqlbegin { message(\"begin\") }", "mate"],
    ] {
        let all = [&["-i", "games.pgn", "--count"][..], words].concat();
        assert_eq!(bench.expect(0, &all).0, "2\n", "{words:?}");
    }
    // `--lex` prints the tokens of one text after another.
    let (stdout, _) = bench.expect(0, &["--lex", "--flip", "--cql", "check", "mate"]);
    let tokens: Vec<&str> = stdout.split_whitespace().collect();
    assert_eq!(
        tokens.join(" "),
        "keyword flip keyword check keyword cql symbol ( symbol ) keyword mate"
    );
}

/// The header takes what `-i` and `-o` take, and what it cannot take is named.
#[test]
fn files_of_the_header() {
    let bench = Bench::new();
    fs::create_dir(bench.path("d")).unwrap();
    fs::create_dir(bench.path("d.2020")).unwrap();
    let packed = zstd::encode_all(GAMES, 1).unwrap();
    bench.put("m.pgn.zst", &packed);
    bench.put("d/m.pgn.zst", &packed);
    bench.put("d.2020/m.pgn", GAMES);
    bench.put("plain", GAMES);
    for (header, output) in [
        ("input m.pgn.zst output hh.jsonl", "hh.jsonl"),
        ("input d output h.csv", "h.csv"),
        ("output h2.epd input ./d.2020/", "h2.epd"),
        ("input \"d\" output \"h 3.html\"", "h 3.html"),
        ("input games.pgn output {tag:Event}.pgn", "a.pgn"),
    ] {
        bench.put("h.cql", format!("cql({header}) mate").as_bytes());
        bench.expect(0, &["check", "h.cql"]);
        bench.expect(0, &["h.cql"]);
        assert!(!bench.get(output).is_empty(), "{header}");
    }
    bench.put("h.cql", b"cql(input games.pgn output -) mate");
    assert!(bench.expect(0, &["h.cql"]).0.starts_with("[Event \"a\"]"));
    for (header, parts) in [
        ("input m.doc", &["`m.doc` cannot be an input", "h.cql:1:5"][..]),
        ("input plain", &["`plain` cannot be an input"]),
        ("output hh", &["`hh` cannot be an output", ".jsonl"]),
        ("output hh.doc", &["`hh.doc` cannot be an output"]),
        ("output {x}.pgn", &["`{x}.pgn` cannot be an output", "`{x}` is not a placeholder"]),
        ("output d", &["`d` cannot be an output", "directory"]),
        ("input", &["`input` needs the name of a file"]),
        ("quiet output", &["`output` needs the name of a file", "h.cql:1:11"]),
        ("input \"\"", &["`input` needs the name of a file"]),
    ] {
        bench.put("h.cql", format!("cql({header}) mate").as_bytes());
        for words in [&["check", "h.cql"][..], &["-i", "games.pgn", "--count", "h.cql"]] {
            let (_, stderr) = bench.expect(1, words);
            for part in parts {
                assert!(stderr.contains(part), "{header}: {part}\n{stderr}");
            }
        }
    }
    // A folder that an option replaces need not be there; one that is read must.
    bench.put("h.cql", b"cql(input elsewhere) mate");
    bench.expect(0, &["-i", "games.pgn", "--count", "h.cql"]);
    let (_, stderr) = bench.expect(3, &["--count", "h.cql"]);
    assert!(stderr.contains("cannot read elsewhere"), "{stderr}");
}

/// Input and output of the header, and that options win over them.
#[test]
fn the_header_names_files_and_options_win() {
    let bench = Bench::new();
    let query = b"cql(input games.pgn output \"found here.pgn\") mate";
    bench.put("files.cql", query);
    bench.expect(0, &["files.cql"]);
    let found = String::from_utf8(bench.get("found here.pgn")).unwrap();
    assert_eq!(found.matches("[Event ").count(), 2, "{found}");

    bench.put("other.pgn", b"[Event \"z\"]\n\n1. e4 *\n");
    bench.expect(0, &["-i", "other.pgn", "-o", "named.pgn", "files.cql"]);
    assert_eq!(bench.get("named.pgn"), b"");
    assert_eq!(bench.get("found here.pgn"), found.as_bytes());
}

/// Queries of 2004 as they were written then: Windows-1252, line ends of the Macintosh, the end of
/// a file of DOS, and outputs of any name.
#[test]
fn old_files_of_cql3() {
    let bench = Bench::new();
    let games = "[White \"Österman, KÄTHE\"]\n\n1. e4 *\n\n[White \"Osterman\"]\n\n1. d4 *\n";
    let latin: Vec<u8> = games.chars().map(|letter| letter as u8).collect();
    for (encoding, games) in [("UTF-8", games.as_bytes()), ("Latin-1", &latin)] {
        bench.put("old.pgn", games);
        let query =
            b"; 1.\xbd points \x96 Gr\xfc\xdfe\r(match :pgn old.pgn :output results.txt ; (\r\
            :player \xf6sterman :player k\xc4th (position :initial))\r\x1a";
        bench.put("old.cql", query);
        let _ = std::fs::remove_file(bench.path("results.txt"));
        let (stdout, _) = bench.expect(0, &["old.cql"]);
        assert!(stdout.contains("1 match of 2 games"), "{encoding}: {stdout}");
        let written = String::from_utf8_lossy(&bench.get("results.txt")).into_owned();
        assert!(written.contains("sterman") && written.contains("MATCH"), "{written}");
    }
    for name in ["results", "r", "\"my results.doc\"", "1-0"] {
        let query = format!("(match :pgn old.pgn :output {name} (position))");
        bench.put("old.cql", query.as_bytes());
        bench.expect(0, &["old.cql"]);
        assert!(bench.path(name.trim_matches('"')).is_file(), "{name}");
    }
    bench.put("old.txt", &latin);
    bench.put("old.cql", b"(match :pgn old.txt :output o.csv (position))");
    bench.expect(0, &["old.cql"]);
    assert!(bench.get("o.csv").starts_with(b"game,input,"));
    // Whether files of any name may be written is a matter of CQL 3 alone.
    bench.put("new.cql", b"cql(input old.pgn output results.txt) initial");
    let (_, stderr) = bench.expect(1, &["new.cql"]);
    assert!(stderr.contains("cannot be an output"), "{stderr}");
    let (_, stderr) = bench.expect(1, &["-i", "games.pgn", "--cql", "(position :mate)"]);
    assert!(stderr.contains("must be in a match list"), "{stderr}");
    assert_eq!(stderr.matches("error").count(), 1, "{stderr}");
}

/// What `convert --to modern` writes can be run: a name that only CQL 3 takes is refused where it
/// stands.
#[test]
fn modern_forms_name_files_that_modern_queries_take() {
    let bench = Bench::new();
    for name in ["old.pgn", "old.txt", "old"] {
        bench.put(name, b"1. e4 *\n");
    }
    let names = ["found.pgn", "f.csv", "-", "results.txt", "results", "1-0", "a{b}.txt"];
    for (input, output, is_modern) in (names.iter().enumerate())
        .map(|(at, output)| ("old.pgn", *output, at < 3))
        .chain([("old.txt", "f.pgn", true), ("old", "f.pgn", false)])
    {
        let query = format!("(match :pgn {input} :output {output} (position))");
        bench.put("old.cql", query.as_bytes());
        bench.expect(0, &["old.cql"]);
        let _ = std::fs::remove_file(bench.path("new.cql"));
        let convert = std::process::Command::new(env!("CARGO_BIN_EXE_babson"))
            .current_dir(bench.path(""))
            .args(["convert", "--to", "modern", "old.cql", "-o", "new.cql"])
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&convert.stderr);
        assert_eq!(convert.status.success(), is_modern, "{query}\n{stderr}");
        assert_eq!(bench.path("new.cql").exists(), is_modern, "{query}");
        if is_modern {
            bench.expect(0, &["new.cql"]);
        } else {
            assert!(stderr.contains(" of a modern query\n --> old.cql:1:"), "{stderr}");
        }
    }
}
