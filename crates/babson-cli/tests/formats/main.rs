//! What the command writes: every kind of output, the options of the layout, and what the commands
//! beside the search print.
//!
//! Snapshots hold the texts; `INSTA_UPDATE=always` writes them anew.

mod commands;

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
    assert!(bench.get("o.html").starts_with("<!doctype html>"));
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
    assert_eq!(rows.matches("game,input").count(), 1);
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

/// Without a terminal, progress is printed only if `--lineincrement` requests it.
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
