//! What the commands beside the search print.

use std::process::Command;

use insta::assert_snapshot;

use crate::Bench;

#[test]
fn tokens_and_trees() {
    let bench = Bench::new();
    bench.put("q.cql", "cql(quiet)\nflip { K == a1 } // here\n");
    assert_snapshot!("lex", bench.run(&["--lex", "q.cql"]));
    assert_snapshot!("parse", bench.run(&["--parse", "q.cql"]));
    bench.put("bad.cql", "matee");
    let (code, stdout, stderr) = bench.run_with("", &["--parse", "bad.cql", "q.cql"]);
    assert_eq!(code, 1);
    assert!(stdout.contains("`-Orbit") && stderr.contains("matee"), "{stdout}{stderr}");
    bench.put("three.cql", "(match (position :mate))");
    assert!(bench.run(&["--parse", "three"]).contains("position list"));
    let both = ["-i", "games.pgn", "-a", "x.pgn", "q.cql", "mate.cql"];
    assert_eq!(bench.run_with("", &both).0, 2);
    let json = bench.run(&["explain", "--json", "mate"]);
    let parts: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(parts["bytecode"].as_array().unwrap().len() > 2);
    assert!(parts["typed"].as_str().unwrap().contains("Mate"));
}

#[test]
fn conversions() {
    let bench = Bench::new();
    let text = "cql() flip R->k // R\n";
    let symbols = "cql() ✵ ♖→♚ // R\n";
    bench.put("q.cql", text);
    assert_eq!(bench.run(&["convert", "--to", "unicode", "q"]), symbols);
    assert_eq!(bench.run(&["-utf8", "q.cql"]), symbols);
    bench.run(&["-u", "q.cql"]);
    assert_eq!(bench.get("q.cql"), symbols);
    bench.run(&["convert", "--to=ascii", "q.cql", "-o", "back.cql"]);
    assert_eq!(bench.get("back.cql"), text);
    assert_eq!(bench.run(&["-echo", "back"]), text);
    assert!(bench.run(&["-colorize", "back"]).contains("\x1b[1;34mflip\x1b[0m"));
    bench.run(&["-html", "back.cql"]);
    assert!(bench.get("back.html").contains("<span class=\"comment\">// R</span>"));
    bench.put("bad.cql", "mate \u{2018}");
    assert_eq!(bench.run_with("", &["-u", "bad.cql"]).0, 1);
}

#[test]
fn one_style() {
    let bench = Bench::new();
    bench.put("q.cql", "mate{K==a1   check}\n\n\n");
    bench.put("good.cql", "mate\n");
    let (code, stdout, _) = bench.run_with("", &["fmt", "--check", "q.cql", "good.cql"]);
    assert_eq!((code, stdout.as_str()), (1, "q.cql\n"));
    bench.run(&["fmt", "q.cql", "good.cql"]);
    assert_eq!(bench.get("q.cql"), "mate { K == a1 check }\n");
    bench.run(&["fmt", "--check", "q.cql", "good.cql"]);
    let (code, stdout, _) = bench.run_with("mate{K==a1   check}", &["fmt", "-"]);
    assert_eq!((code, stdout), (0, bench.get("q.cql")));
    bench.put("bad.cql", "{mate");
    bench.put("q.cql", "K==a1");
    assert_eq!(bench.run_with("", &["fmt", "bad.cql", "q.cql"]).0, 1);
    assert_eq!(bench.get("q.cql"), "K == a1\n");
}

#[test]
fn one_position() {
    let bench = Bench::new();
    let fen = "6k1/8/6K1/8/8/8/8/R7 w - - 4 30";
    assert_snapshot!("position", bench.run(&["position", fen, "--cql", "R attacks a8"]));
    let (code, stdout, _) = bench.run_with(
        format!("{fen}\nnonsense\n\n8/8/8/8/8/8/8/8 b - - 0 1\n"),
        &["position", "--json", "--cql", "{wtm R}", "-"],
    );
    assert_eq!(code, 3, "a line of the input is not a position");
    assert_snapshot!("position_json", stdout);
    // One answer for each line, also for an empty one: a program may wait for it.
    let lines = "\n  \n8/8/8/8/8/8/8/8 w\n\r\n";
    let (code, stdout, _) = bench.run_with(lines, &["position", "--json", "-"]);
    assert_eq!((code, stdout.lines().count()), (3, 4), "{stdout}");
    // A line that is not UTF-8 gets its own error.
    let lines = [b"\xff/8 w\n".as_slice(), fen.as_bytes(), b"\r\n"].concat();
    let (code, stdout, _) = bench.run_with(&lines, &["position", "--json", "-"]);
    assert_eq!((code, stdout.lines().count()), (3, 2), "{stdout}");
    assert!(stdout.starts_with("{\"fen\": \"\u{fffd}/8 w\", \"error\": \"bad FEN: "), "{stdout}");
    let (code, stdout, stderr) = bench.run_with(&lines, &["position", "-"]);
    assert!(code == 3 && stdout.contains("White to move"), "{stdout}");
    assert!(stdout.starts_with("bad FEN: ") && stderr.is_empty(), "{stdout}{stderr}");
    // Each line of the input has an answer, also as text: an error is one line.
    let (code, stdout, stderr) = bench.run_with("\nnonsense\n", &["position", "-"]);
    assert_eq!((code, stdout.lines().count(), stderr.as_str()), (3, 2, ""), "{stdout}");
    let (code, stdout, _) = bench.run_with(
        "8/8/8/8/8/4k3/3P4/K7 b - - 0 1\nK4rk1/5ppp/1B6/8/8/8/8/8 w - - 0 1\n",
        &["position", "--json", "--legal", "--reachable", "--reverse", "-"],
    );
    assert_eq!(code, 0);
    assert_snapshot!("position_past", stdout);
    assert_snapshot!(
        "position_drawn",
        bench.run(&[
            "position",
            "K4rk1/5ppp/1B6/8/8/8/8/8 w",
            "--legal",
            "--reachable",
            "--reverse"
        ])
    );
    assert_snapshot!(
        "position_fault",
        bench.run(&["position", "4k3/8/8/8/8/4P3/5P1P/2B1K1B1 w", "--legal", "--reachable"])
    );
    let (code, _, stderr) = bench.run_with("", &["position", "8/8/8/8/8/8/8/7x w"]);
    assert_eq!(code, 2);
    assert_eq!(stderr, "babson: bad FEN: 'x' is not a piece (at byte 15): 8/8/8/8/8/8/8/7x w\n");
    assert_eq!(bench.run_with("", &["position", "nonsense"]).0, 2);
    for nothing in ["", " ", "\""] {
        let (code, _, stderr) = bench.run_with("", &["position", nothing]);
        assert!(code == 2 && stderr.starts_with("babson: bad FEN: "), "{stderr}");
    }
    assert_eq!(bench.run_with("", &["position"]).0, 2);
    assert_eq!(bench.run_with("", &["position", fen, "--cql", "matee"]).0, 1);
}

/// Several filters have the value of the last one, as in braces.
#[test]
fn the_value_at_a_position() {
    let bench = Bench::new();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let ask = |filters: &[&str]| {
        let mut words = vec!["position", "--json", start];
        for text in filters {
            words.extend(["--cql", text]);
        }
        let (code, stdout, stderr) = bench.run_with("", &words);
        let (_, answer) = stdout.split_once("\", ").unwrap();
        let answer = answer.trim_end().trim_end_matches('}').to_owned();
        (code, answer, stderr)
    };
    for (filters, value) in [
        (&["R"][..], r#""[a1,h1]""#),
        (&["wtm R"], r#""[a1,h1]""#),
        (&["x=1 x"], r#""1""#),
        (&["x=1", "x // the end"], r#""1""#),
        (&["piece $x = K $x"], r#""Ke1""#),
        (&["{K R}"], r#""[a1,h1]""#),
        (&["wtm", "{K R}"], r#""[a1,h1]""#),
        (&["wtm"], r#""<true>""#),
        (&[r#""two\nlines""#], r#""two\\nlines""#),
        (&[r#""a" + \n + "b""#], r#""a\nb""#),
        (&["legalposition"], r#""<Legal position>""#),
        (&["try"], "null"),
        (&["cqlbegin { false }"], r#""<true>""#),
        (&["btm R"], "null"),
    ] {
        let (code, answer, stderr) = ask(filters);
        assert_eq!((code, stderr.as_str()), (0, ""), "{filters:?}");
        assert_eq!(answer, format!("\"value\": {value}"), "{filters:?}");
    }
    // The lines that the filters print are not part of the value.
    let (code, answer, stderr) = ask(&["message quiet \"hi\" R"]);
    assert_eq!((code, stderr.as_str()), (0, "hi\n"));
    assert_eq!(answer, r#""value": "[a1,h1]""#);
    // The query is compiled once and runs once.
    let (code, answer, stderr) = ask(&["3 R"]);
    assert_eq!((code, answer.as_str()), (0, r#""value": "[a1,h1]""#));
    assert_eq!(stderr.matches("warning[W").count(), 1, "{stderr}");
    let append = r#"writefile("log.cqo" "x")"#;
    assert_eq!(ask(&[append, append, "#(readfile \"log.cqo\")"]).1, r#""value": "2""#);
    // A run-time error is reported once, with its place.
    let (code, answer, stderr) = ask(&["if false then x=1 x>2"]);
    assert_eq!(code, 1);
    assert!(answer.starts_with("\"value\": null, \"error\": "), "{answer}");
    assert_eq!(stderr.matches("error[E1402]: ").count(), 1, "{stderr}");
    assert!(stderr.contains("<--cql>:1:19"), "{stderr}");
}

#[test]
fn counters_of_every_filter() {
    let bench = Bench::new();
    bench.put("q.cql", "ply > 1\nmate or check");
    let text = bench.run(&["profile", "q.cql", "-i", "games.pgn"]);
    let row = |filter: &str| -> Vec<String> {
        let line = text.lines().find(|line| line.contains(&format!("  {filter}  (q.cql")));
        let line = line.unwrap_or_else(|| panic!("{filter}: {text}"));
        line.split_whitespace().take(2).map(str::to_owned).collect()
    };
    assert_eq!(row("ply > 1"), ["9", "3"]);
    assert_eq!(row("mate or check"), ["3", "1"]);
    assert_eq!(row("mate"), ["3", "1"]);
    assert_eq!(row("check"), ["2", "0"]);
    let last = "1 of 3 games match; one thread, no prefilters; counting adds to the times";
    assert_eq!(text.lines().last(), Some(last));
}

#[test]
fn shells() {
    let bench = Bench::new();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let text = bench.run(&["completions", shell]);
        assert!(text.contains("keepallbest") && text.contains("position"), "{shell}");
    }
    assert!(bench.run(&["man"]).starts_with(".TH BABSON 1"));
    assert_eq!(bench.run_with("", &["completions", "dos"]).0, 2);
    assert_snapshot!("help", bench.run(&["--help"]));
    let man = bench.run(&["man"]);
    for (command, option) in [
        ("check", "--dialect"),
        ("explain", "--json"),
        ("profile", "--input"),
        ("fmt", "--check"),
        ("convert", "--to"),
        ("position", "--reachable"),
        ("perft", "--variant"),
        ("completions", "zsh"),
        ("man", "--markdown"),
        ("help", "TOPIC"),
    ] {
        for word in ["--help", "-h", "-HELP"] {
            let text = bench.run(&[command, "x", word]);
            assert!(
                text.starts_with(&format!("usage: babson {command}")) && text.contains(option),
                "{text}"
            );
        }
        assert!(man.contains(&option.replace('-', "\\-")), "{option}");
    }
    assert_eq!(bench.run_with("", &["man", "--", "--help"]).0, 2);
}

/// A query of CQL 3 is known by its beginning, on the command line as in a file.
#[test]
fn cql3_on_the_command_line() {
    let bench = Bench::new();
    for (query, right) in [
        ("(match (position :mate))", true),
        (
            "; the end\n (match :player ann (position :sequence ((position) (position :mate))))",
            true,
        ),
        ("(match (position :mate :whatever))", false),
        ("(match (position :mate)", false),
    ] {
        bench.put("old.cql", query);
        // The messages differ only in the name of the text and in times.
        let told = |words: &[&str], name: &str| {
            let (code, stdout, stderr) = bench.run_with("", words);
            let stderr = stderr.replace(name, "NAME");
            let counts = stderr.split_once(" in ").map_or(&stderr[..], |(counts, _)| counts);
            let stdout = if words[0] == "profile" { String::new() } else { stdout };
            (code, stdout, counts.to_owned())
        };
        for words in [
            &["check"][..],
            &["check", "--dialect", "cql6"],
            &["explain"],
            &["profile", "-i", "games.pgn"],
            &["-i", "games.pgn", "--count"],
            &["-i", "games.pgn", "--count", "--dialect", "cql6"],
            &["--parse"],
        ] {
            let of_option = told(&[words, &["--cql", query]].concat(), "<--cql>");
            let of_file = told(&[words, &["old.cql"]].concat(), "old.cql");
            assert_eq!(of_option, of_file, "{words:?} {query}");
            assert_eq!(of_option.0, i32::from(!right), "{words:?} {query}\n{of_option:?}");
        }
    }
    let mates = ["-i", "games.pgn", "--count", "--cql", "(match (position :mate))"];
    assert_eq!(bench.run(&mates), "2\n");
    // Of one position a match list says only whether it holds.
    for (board, value) in
        [("7k/6Q1/6K1/8/8/8/8/8 b", "\"<true>\""), ("8/8/8/8/8/8/8/K1k5 b", "null")]
    {
        let words = ["position", board, "--json", "--cql", "(match (position :mate))"];
        let stdout = bench.run(&words);
        assert!(stdout.contains(&format!("\"value\": {value}")), "{stdout}");
    }
    bench.put("old.cql", "(match (position :mate))");
    for more in [
        &["--wtm"][..],
        &["--flip"],
        &["--cql", "check"],
        &["--cql", "(match (position))"],
        &["mate"],
        &["old"],
    ] {
        let words = [&["--count", "-i", "games.pgn", "--cql", "(match (position))"], more].concat();
        let (code, _, stderr) = bench.run_with("", &words);
        assert!(code == 2 && stderr.contains("CQL 3"), "{words:?} {stderr}");
    }
}

/// The output of `convert` is a query, not matches: neither its help nor its default options are
/// the search's.
#[test]
fn the_output_of_convert_is_a_query() {
    let bench = Bench::new();
    let help = bench.run(&["convert", "--help"]);
    let output = help.lines().find(|line| line.contains("--output")).unwrap();
    assert!(output.contains("converted query") && !help.contains("match"), "{help}");
    bench.put("q.cql", "R -> k");
    assert_eq!(bench.run(&["convert", "--to", "unicode", "q", "-o", "new.cql"]), "");
    assert_eq!(bench.get("new.cql"), "♖ → ♚");
    bench.put("config", "--output=matches.pgn\n");
    let output = Command::new(env!("CARGO_BIN_EXE_babson"))
        .current_dir(bench.folder.path())
        .env("BABSON_CONFIG", bench.folder.path().join("config"))
        .args(["convert", "--to", "ascii", "new.cql"])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "R -> k");
    assert!(!bench.folder.path().join("matches.pgn").exists());
}
