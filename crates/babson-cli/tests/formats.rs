//! What the command writes: every kind of output, the options of the layout, and the commands
//! beside the scan.
//!
//! Snapshots hold the texts; `INSTA_UPDATE=always` writes them anew.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use insta::assert_snapshot;
use tempfile::TempDir;

const GAMES: &str = "[Event \"One & \\\"two\\\"\"]\n[White \"Ann, <A>\"]\n[Black \"Bob\"]\n[Date \"2020.1.2\"]\n\n\
    {start} 1. f3 $1 e5 {reply} (1... c5 {other}) 2. g4 Qh4# 0-1\n\n\
    [Event \"b\"]\n[White \"M\u{fc}ller\"]\n\n1. e4 *\n\n\
    [Event \"c\"]\n[FEN \"6k1/8/6K1/8/8/8/8/R7 w - - 4 30\"]\n\n30. Ra8# 1-0\n";

struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Bench {
        let bench = Bench { folder: tempfile::tempdir().unwrap() };
        bench.put("games.pgn", GAMES);
        bench.put("mate.cql", "mate comment(\"the end\") sort \"plies\" ply >= 0");
        bench
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    fn get(&self, name: &str) -> String {
        String::from_utf8(fs::read(self.folder.path().join(name)).unwrap()).unwrap()
    }

    /// Runs with this text on standard input; exit code, standard output, standard error.
    fn run_with(&self, input: impl AsRef<[u8]>, words: &[&str]) -> (i32, String, String) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_babson"))
            .current_dir(self.folder.path())
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that reads nothing may have closed the pipe.
        let _ = child.stdin.take().unwrap().write_all(input.as_ref());
        let output = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        assert!(!stderr.contains("panicked"), "{stderr}");
        (output.status.code().unwrap(), stdout, stderr)
    }

    /// Runs and expects success; standard output.
    fn run(&self, words: &[&str]) -> String {
        let (code, stdout, stderr) = self.run_with("", words);
        assert_eq!(code, 0, "{words:?}\n{stdout}\n{stderr}");
        stdout
    }
}

#[test]
fn one_scan_feeds_every_kind_of_output() {
    let bench = Bench::new();
    let mut words = vec!["-s", "-i", "games.pgn", "mate"];
    for name in ["o.pgn", "o.jsonl", "o.csv", "o.epd", "o.html"] {
        words.extend(["-o", name]);
    }
    bench.run(&words);
    assert_snapshot!("pgn", bench.get("o.pgn"));
    assert_snapshot!("jsonl", bench.get("o.jsonl"));
    assert_snapshot!("csv", bench.get("o.csv"));
    assert_snapshot!("epd", bench.get("o.epd"));
    let page = bench.get("o.html");
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert_eq!(page.matches("<use href=\"#board\"/>").count(), 2);
    assert!(page.contains("Ann, &lt;A&gt; – Bob") && !page.contains("<A>"));
    assert!(!page.contains("http://") && !page.contains("https://"));
    let (_, article) = page.split_once("<article").unwrap();
    assert_snapshot!("html", article.split_once("</article>").unwrap().0);
}

#[test]
fn a_file_grows() {
    let bench = Bench::new();
    for option in ["--append", "-a", "-A"] {
        bench.run(&["-i", "games.pgn", option, "all.pgn", "mate"]);
    }
    assert_eq!(bench.get("all.pgn").matches("{the end}").count(), 6);
    assert!(!bench.folder.path().join("mate-out.pgn").exists());
    for _ in 0..2 {
        bench.run(&["-i", "games.pgn", "--append", "all.csv", "mate"]);
    }
    let rows = bench.get("all.csv");
    assert_eq!(rows.matches("game,id").count(), 1);
    assert_eq!(rows.lines().count(), 5);
    // CQL 6.2 converts a query instead.
    bench.put("q.cql", "cql() ♖→♚ // ♖\n");
    bench.run(&["--dialect", "cql6", "-a", "q.cql"]);
    assert_eq!(bench.get("q.cql"), "cql() R->k // ♖\n");
}

/// The moves of the first game as they are written with these options.
fn moves(bench: &Bench, options: &[&str]) -> String {
    let mut words = vec!["-i", "games.pgn", "-o", "o.pgn", "--limit", "1", "--nosort"];
    words.extend(options);
    words.push("mate");
    bench.run(&words);
    let text = bench.get("o.pgn");
    text.split_once("\n\n").unwrap().1.trim_end().to_owned()
}

#[test]
fn options_of_the_layout() {
    let bench = Bench::new();
    let mut all = String::new();
    for options in [
        &[][..],
        &["--CoalesceComments"],
        &["-nocompactcomments"],
        &["--nocompactmoves"],
        &["--compactvariations"],
        &["--elidecomments"],
        &["--elidenags", "--elidevariations"],
        &["--nomovenumbers"],
        &["--nomovenumberaftercomment"],
        &["--movenumberafternag"],
        &["--nosplitmoves", "--pgnlinewidth", "20"],
        &["--pgnlinewidth", "20"],
        &["--cql6-output"],
        &["--nocoalescecomments", "--cql6-output", "--noheader"],
        &["--quiet"],
        &["--silent"],
        &["--matchstring", "HERE"],
    ] {
        let moves = moves(&bench, options);
        all.push_str(&format!("{}\n{moves}\n\n", options.join(" ")));
    }
    assert_snapshot!(all);
}

#[test]
fn choice_of_tags() {
    let bench = Bench::new();
    let names = |options: &[&str]| {
        let mut words = vec!["-i", "games.pgn", "-o", "o.pgn", "--limit", "1"];
        words.extend(options);
        words.push("mate");
        bench.run(&words);
        let text = bench.get("o.pgn");
        let names: Vec<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix('['))
            .map(|line| line.split(' ').next().unwrap().to_owned())
            .collect();
        names.join(" ")
    };
    assert_eq!(names(&["--includetagpattern", "^(White|Black)$"]), "White Black");
    let exclude = ["--excludetagpattern", "e", "--excludetagpattern", "FEN"];
    assert_eq!(names(&exclude), "Black");
    // Those that only CQL 6.2's layout has are chosen from as well.
    let words = [&exclude[..], &["--cql6-output"]].concat();
    assert_eq!(names(&words), "Round Black");
}

#[test]
fn tags_stay_as_they_are_but_in_the_layout_of_cql6() {
    let bench = Bench::new();
    bench.put(
        "odd.pgn",
        "[White \"A\"]\n[Black \"B\"]\n[Event \"e\"]\n[UTCDate \"2020.01.02\"]\n\
         [White \"again\"]\n\n1. e4 *\n\n[Event \"second\"]\n\n1. d4 *\n",
    );
    let run = |words: &[&str]| bench.run(&[&["-i", "odd.pgn", "-g", "1"], words].concat());
    let query = "initial settag(\"Event\" \"f\") settag(\"New\" \"n\")";
    run(&["-o", "o.pgn", "-o", "o.jsonl", "--cql", query]);
    assert!(
        bench.get("o.pgn").starts_with(
            "[White \"A\"]\n[Black \"B\"]\n[Event \"f\"]\n[UTCDate \"2020.01.02\"]\n\
             [White \"again\"]\n[New \"n\"]\n\n"
        ),
        "{}",
        bench.get("o.pgn")
    );
    let tags = "\"tags\": {\"White\": \"A\", \"Black\": \"B\", \"Event\": \"f\", \
                \"UTCDate\": \"2020.01.02\", \"New\": \"n\"}}\n";
    assert!(bench.get("o.jsonl").ends_with(tags), "{}", bench.get("o.jsonl"));
    run(&["-o", "o.pgn", "--cql6-output", "--cql", query]);
    assert!(
        bench.get("o.pgn").starts_with(
            "[Event \"f\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
             [White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n[UTCDate \"2020.01.02\"]\n[New \"n\"]\n\n"
        ),
        "{}",
        bench.get("o.pgn")
    );
}

#[test]
fn filters_as_options() {
    let bench = Bench::new();
    let count = |words: &[&str]| {
        let mut all = vec!["-i", "games.pgn", "--count"];
        all.extend(words);
        bench.run(&all).trim().to_owned()
    };
    for (words, games) in [
        (&["--white", "^M"][..], "1"),
        (&["-PLAYER", "B.b"], "1"),
        (&["--black", "B"], "1"),
        (&["--event", "One"], "1"),
        (&["--result", "1-0"], "1"),
        (&["--year", "2019", "2021"], "1"),
        (&["--fen", "6k1/8/6K1/8/8/8/8/R7"], "1"),
        (&["-btm", "--cql", "mate"], "1"),
        (&["--flipcolor", "--cql", "mate wtm"], "2"),
        (&["--assign", "x", "4", "--cql", "ply == x"], "1"),
        (&["--matchcount", "5", "--cql", "true"], "1"),
        (&["--virtualmainline", "--cql", "ply == 2"], "1"),
        (&["--mainline", "--cql", "cql_x = 1"], "3"),
        (&["--hhdb", "firstcomment"], "1"),
        (&["--hhdb", "search", "--cql", "ply == 1"], "3"),
        (&["--hhdb", "(c)"], "0"),
        (&["--hhdb", "special", "prize"], "0"),
        (&["-similarposition", "nosort", "games.pgn", "--cql", "ply == 4"], "1"),
    ] {
        assert_eq!(count(words), games, "{words:?}");
    }
}

#[test]
fn words_of_hhdb_are_named() {
    assert!(Bench::new().run(&["--hhdb", "help"]).contains("stipulation"));
}

#[test]
fn sorting_by_matching_positions() {
    let bench = Bench::new();
    bench.put("all.cql", "true");
    let words = ["-i", "games.pgn", "-o", "o.jsonl", "all"];
    bench.run(&[&words[..], &["--sortmatchcount"]].concat());
    let games = |text: String| -> Vec<String> {
        text.lines().map(|line| line.split([' ', ',']).nth(1).unwrap().to_owned()).collect()
    };
    assert_eq!(games(bench.get("o.jsonl")), ["1", "2", "3"]);
    bench.run(&[&words[..], &["--sortmatchcount", "1", "2"]].concat());
    assert_eq!(games(bench.get("o.jsonl")), ["2", "3"]);
}

#[test]
fn variants_that_are_not_known() {
    let bench = Bench::new();
    bench.put("v.pgn", "[Variant \"Foo\"]\n\n1. e4 *\n\n[Event \"x\"]\n\n1. d4 *\n");
    let run = |words: &[&str]| {
        let mut all = vec!["-i", "v.pgn", "-o", "o.pgn", "--cql", "ply == 1"];
        all.extend(words);
        let (code, stdout, stderr) = bench.run_with("", &all);
        assert_eq!(code, 0, "{stderr}");
        (stdout, stderr)
    };
    assert!(run(&[]).1.ends_with("unknown variant: Foo\n"));
    let (stdout, stderr) = run(&["--skipunknownvariants"]);
    assert!(stderr.is_empty() && stdout.starts_with("1 match of 2 games"), "{stdout}{stderr}");
    let (stdout, stderr) = run(&["--variantalias", "Chess", "foo"]);
    assert!(stderr.is_empty() && stdout.starts_with("2 matches of 2 games"), "{stdout}{stderr}");
}

#[test]
fn aliases_of_variants() {
    let bench = Bench::new();
    bench.put(
        "v.pgn",
        "[Variant \"Boom\"]\n\n1. e4 *\n\n[Variant \"Atomic\"]\n\n1. d4 *\n\n1. c4 *\n",
    );
    let count = |aliases: &[&str], filter: &str| {
        let words = ["-i", "v.pgn", "--count", "--cql", filter];
        bench.run_with("", &[&words, aliases].concat())
    };
    let boom = ["--variantalias", "atom", "boom", "--VariantAlias", "BOOM", "bang"];
    // The tag and the filter know the same names, and an alias may have an alias.
    for name in ["Boom", "BANG", "Atomic", "atomic chess"] {
        let filter = format!("initial variant \"{name}\"");
        let (code, stdout, stderr) = count(&boom, &filter);
        assert_eq!((code, stdout.trim()), (0, "2"), "{name}: {stderr}");
    }
    assert_eq!(count(&boom, "initial variant == \"Atomic\"").1.trim(), "2");
    let (code, _, stderr) = count(&boom, "initial variant \"Bonk\"");
    assert_eq!(code, 1);
    assert!(stderr.contains("`Bonk` is not a known variant"), "{stderr}");
    assert!(stderr.contains("boom (Atomic), bang (Atomic)"), "{stderr}");
    assert_eq!(count(&[], "variant \"Boom\"").0, 1);
    for (words, told) in [
        (["--variantalias", "bonk", "boom"], "the variants are Standard, "),
        (["--variantalias", "Horde", "zh"], "it means Crazyhouse"),
    ] {
        let (code, _, stderr) = count(&words, "initial");
        assert_eq!(code, 2);
        assert!(stderr.contains(told), "{stderr}");
    }
    // The checking command too.
    bench.put("v.cql", "variant \"Boom\"");
    let check = |words: &[&str]| bench.run_with("", &[&["check", "v.cql"], words].concat()).0;
    assert_eq!((check(&boom), check(&[])), (0, 1));
    let position = |words: &[&str]| {
        let asked = ["position", "8/8/8/8/8/8/8/8 w - -", "--cql", "variant \"Boom\""];
        bench.run_with("", &[&asked, words].concat())
    };
    assert_eq!(position(&boom).0, 0);
    let (code, _, stderr) = position(&[]);
    assert_eq!(code, 1);
    assert!(stderr.contains("`--variantalias NAME ALIAS`: another name"), "{stderr}");
}

#[test]
fn what_is_told_to_programs() {
    let bench = Bench::new();
    let (code, stdout, _) =
        bench.run_with(GAMES, &["-guipgnstdin", "-guipgnstdout", "-gui", "-s", "mate"]);
    assert_eq!(code, 0);
    let (_, rest) = stdout.split_once("<CqlGuiPgn numbergames=2 numberbytes=").unwrap();
    let (bytes, rest) = rest.split_once(">\n").unwrap();
    let (games, rest) = rest.split_once("</CqlGuiPgn>\n").unwrap();
    assert_eq!(games.len().to_string(), bytes);
    let summary = rest.lines().next().unwrap();
    assert!(
        summary.starts_with("2 matches of 3 games") && summary.ends_with(" to stdout"),
        "{summary}"
    );
    assert!(rest.contains("<CqlGuiVariable> numbermatches 2\n"), "{rest}");
}

#[test]
fn dictionaries_are_shown() {
    let bench = Bench::new();
    bench.put("d.cql", "cql() dictionary Seen\ninitial Seen[player white] = str(gamenumber)");
    let words = ["-i", "games.pgn", "--count", "--showdictionaries", "--dialect", "cql6", "d"];
    let (code, _, stderr) = bench.run_with("", &words);
    assert_eq!(code, 0, "{stderr}");
    let (_, shown) = stderr.split_once("Seen:").unwrap();
    assert!(shown.contains(" keys\n  \"") && shown.contains(" --> \"1\""), "{shown}");
}

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
    // A line that is not UTF-8 gets its own error, as JSON or on stderr.
    let lines = [b"\xff/8 w\n".as_slice(), fen.as_bytes(), b"\r\n"].concat();
    let (code, stdout, _) = bench.run_with(&lines, &["position", "--json", "-"]);
    assert_eq!((code, stdout.lines().count()), (3, 2), "{stdout}");
    assert!(stdout.starts_with("{\"fen\": \"\u{fffd}/8 w\", \"error\": \"bad FEN: "), "{stdout}");
    let (code, stdout, stderr) = bench.run_with(&lines, &["position", "-"]);
    assert!(code == 3 && stdout.contains("White to move"), "{stdout}");
    assert!(stderr.starts_with("babson: bad FEN: "), "{stderr}");
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

/// The value of several filters is that of the last one, as in braces.
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
    assert_eq!(stderr.matches("warning: ").count(), 1, "{stderr}");
    let append = r#"writefile("log.cqo" "x")"#;
    assert_eq!(ask(&[append, append, "#(readfile \"log.cqo\")"]).1, r#""value": "2""#);
    // A run-time error is told once, with its place.
    let (code, answer, stderr) = ask(&["if false then x=1 x>2"]);
    assert_eq!(code, 1);
    assert!(answer.starts_with("\"value\": null, \"error\": "), "{answer}");
    assert_eq!(stderr.matches("error: ").count(), 1, "{stderr}");
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
        ("help", "COMMAND"),
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
        // What is told names the text; nothing else differs but times.
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

/// Without a terminal nothing is said about the progress, unless it is asked for.
#[test]
fn progress_without_a_terminal() {
    let bench = Bench::new();
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/games/masters-2k.pgn");
    let lines = |words: &[&str]| {
        let all = [&["-i", games, "--count", "--cql", "false"], words].concat();
        let (code, _, stderr) = bench.run_with("", &all);
        assert_eq!(code, 0, "{stderr}");
        stderr.lines().filter(|line| line.starts_with('[')).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(&[]), [""; 0]);
    assert_eq!(lines(&["--lineincrement", "900"]), ["[900]", "[1800]"]);
    assert_eq!(lines(&["--lineincrement", "900", "--noprogress"]), [""; 0]);
}
