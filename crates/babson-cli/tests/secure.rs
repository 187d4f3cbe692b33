//! `--secure`: every place where a query names a file or a program, under every command that reads
//! queries.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const GAMES: &str = "[Event \"a\"]\n\n1. f3 e5 (1... d5) 2. g4 Qh4# 0-1\n\n";

/// Queries that name a file or a program. What they name is there, or can be made.
const PLACES: &[&str] = &[
    "cql(input victim.pgn) true",
    "cql(input \"victim.pgn\") true",
    "cql(output victim.pgn) true",
    "cql(quiet output \"victim.pgn\" variations) true",
    "cql(output \"made-{tag:Event}.pgn\") true",
    "cql(output made.jsonl) true",
    "cql(input /dev/zero) true",
    "cql(input .) true",
    "(match :pgn victim.pgn (position :initial))",
    "(match :output victim.pgn (position :initial))",
    "(match :pgn victim.pgn :output made.pgn (position :initial))",
    "readfile \"victim.pgn\" == \"\"",
    "readfile (\"victim\" + \".pgn\") == \"\"",
    "writefile(\"made.cqo\" \"x\")",
    "writefile(\"victim.cqo\" \"x\")",
    "commandpipe(\"touch made\" \"x\") == \"\"",
    "similarposition \"victim.pgn\"",
    "similarposition nosort notransform \"victim.pgn\"",
    // Wherever they stand.
    "false writefile(\"made.cqo\" \"x\")",
    "if true then writefile(\"made.cqo\" \"x\") else false",
    "not writefile(\"made.cqo\" \"x\")",
    "message(readfile \"victim.pgn\")",
    "comment(str(commandpipe(\"touch made\" \"x\")))",
    "/// readfile \"victim.pgn\"",
    "function f() { writefile(\"made.cqo\" \"x\") } f()",
    "flipcolor { writefile(\"made.cqo\" \"x\") }",
    "square x in A { writefile(\"made.cqo\" \"x\") }",
    "find { writefile(\"made.cqo\" \"x\") }",
    "line --> { writefile(\"made.cqo\" \"x\") }",
    "path -- { writefile(\"made.cqo\" \"x\") }",
    "move legal from A : { writefile(\"made.cqo\" \"x\") }",
    "echo (x y) { writefile(\"made.cqo\" \"x\") }",
    "sort \"key\" (int readfile \"victim.pgn\")",
    "settag(\"Event\" readfile \"victim.pgn\")",
    "assert(writefile(\"made.cqo\" \"x\"))",
    "while (ply < 0) { writefile(\"made.cqo\" \"x\") }",
    "x = readfile \"victim.pgn\"",
    "readfile \"victim.pgn\" ~~ \"a\"",
    "dictionary D D[\"k\"] = readfile \"victim.pgn\"",
    "imagine sidetomove reverse : { writefile(\"made.cqo\" \"x\") }",
    "cqlbegin { writefile(\"made.cqo\" \"x\") } true",
    "cqlend { writefile(\"made.cqo\" \"x\") } true",
    "cql(dialect cql6) writefile(\"made.cqo\" \"x\")",
];

/// Command lines that run a query, or say what it would do.
const COMMANDS: &[&[&str]] = &[
    &["-i", "games.pgn", "-o", "out.pgn", "query.cql"],
    &["-i", "games.pgn", "--append", "out.pgn", "-s", "query.cql"],
    &["-i", "games.pgn", "query.cql"],
    &["query.cql"],
    &["-i", "games.pgn", "--count", "query.cql"],
    &["-i", "games.pgn", "--dryrun", "query.cql"],
    &["-i", "games.pgn", "-guipgnstdout", "query.cql"],
    &["-i", "games.pgn", "-o", "out/", "query.cql", "other.cql"],
    &["--parse", "query.cql"],
    &["check", "query.cql"],
    &["check", "other.cql", "query.cql"],
    &["explain", "query.cql"],
    &["explain", "query.cql", "--json"],
    &["profile", "query.cql", "-i", "games.pgn"],
];

/// Command lines that only read the text of the query: --secure has no effect on them.
const READERS: &[&[&str]] = &[
    &["fmt", "--check", "query.cql"],
    &["convert", "--to", "ascii", "query.cql"],
    &["convert", "--to", "unicode", "query.cql"],
    &["convert", "--to", "modern", "query.cql"],
    &["-echo", "query.cql"],
    &["-utf8", "query.cql"],
    &["-colorize", "query.cql"],
    &["--lex", "query.cql"],
];

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// All files of a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.is_file());
    files
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap())
        })
        .collect()
}

fn folder(query: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    put("games.pgn", GAMES);
    put("victim.pgn", "[Event \"secret\"]\n\n1. e4 *\n");
    put("victim.cqo", "precious");
    put("other.cql", "mate");
    put("query.cql", query);
    folder
}

#[test]
fn nothing_that_a_query_names_is_opened() {
    for query in PLACES {
        let folder = folder(query);
        let before = files(folder.path());
        for command in COMMANDS {
            let output = run(folder.path(), &[command, &["--secure"][..]].concat());
            // With `--json` the error is on standard output.
            let stderr = text(&output.stderr) + &text(&output.stdout);
            assert_eq!(output.status.code(), Some(1), "{query}\n{command:?}\n{stderr}");
            assert!(stderr.contains("forbidden by --secure"), "{query}\n{command:?}\n{stderr}");
            assert!(!stderr.contains("submission"), "{query}\n{command:?}\n{stderr}");
            assert_eq!(files(folder.path()), before, "{query}\n{command:?}");
        }
        for command in READERS {
            let output = run(folder.path(), &[command, &["--secure"][..]].concat());
            let stderr = text(&output.stderr);
            assert!(matches!(output.status.code(), Some(0..=2)), "{query}\n{command:?}\n{stderr}");
            assert!(!stderr.contains("unknown option"), "{command:?}\n{stderr}");
            assert!(!stderr.contains("no option"), "{command:?}\n{stderr}");
            assert_eq!(files(folder.path()), before, "{query}\n{command:?}");
        }
    }
}

/// The query of a part may be somebody else's, who searched the slice without the option.
#[test]
fn a_part_of_a_stranger_opens_nothing() {
    let plan = |folder: &Path| text(&run(folder, &["plan", "games.pgn", "--slices", "1"]).stdout);
    let mut merged = 0;
    for query in PLACES {
        let theirs = folder(query);
        let words = ["scan", "--slice", &plan(theirs.path()), "query.cql", "-o", "0.part"];
        run(theirs.path(), &words);
        // A query that asks a program that does not answer has no part.
        let Ok(part) = fs::read(theirs.path().join("0.part")) else { continue };
        let ours = folder("true");
        fs::write(ours.path().join("0.part"), part).unwrap();
        let before = files(ours.path());
        for command in [&["merge", "0.part", "-o", "out.pgn"][..], &["merge", "0.part", "--count"]]
        {
            let output = run(ours.path(), &[command, &["--secure"][..]].concat());
            let stderr = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{query}\n{stderr}");
            assert!(stderr.contains("forbidden by --secure"), "{query}\n{stderr}");
            assert_eq!(files(ours.path()), before, "{query}");
        }
        merged += 1;
    }
    assert!(merged > 30, "{merged}");
}

/// The filters of `position --cql` are a query, too.
#[test]
fn a_position_is_only_looked_at() {
    const FEN: &str = "8/8/8/3k4/8/8/3P4/3K4 w - - 0 1";
    for query in
        PLACES.iter().filter(|query| !query.starts_with("cql(") && !query.starts_with("(match"))
    {
        let folder = folder("true");
        let before = files(folder.path());
        for json in [&[][..], &["--json"]] {
            let words = [&["position", FEN, "--secure", "--cql", query][..], json].concat();
            let output = run(folder.path(), &words);
            let stderr = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{query}\n{stderr}");
            assert!(stderr.contains("forbidden by --secure"), "{query}\n{stderr}");
            assert_eq!(files(folder.path()), before, "{query}");
        }
    }
}

/// What the same queries do without the option shows that the tables are about something.
#[test]
fn without_the_option_they_are_opened() {
    let opened = |query: &str| {
        let folder = folder(query);
        let before = files(folder.path());
        let words = ["-i", "games.pgn", "query.cql", "-s"];
        let output = run(folder.path(), &words);
        let after = files(folder.path());
        let stderr = text(&output.stderr);
        let changed = after
            .iter()
            .any(|(name, bytes)| !name.starts_with("query-out") && before.get(name) != Some(bytes));
        changed || stderr.contains("submission") || output.status.code() == Some(0)
    };
    // Windows has no `touch`.
    let places = PLACES.iter().filter(|query| cfg!(unix) || !query.contains("commandpipe"));
    let failed: Vec<&&str> = places.filter(|query| !opened(query)).collect();
    // `cat` instead of `touch` would answer; the runs with `touch` end with an error, after it has
    // run.
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Standard input and output are not files that a query could choose.
#[test]
fn streams_may_be_named() {
    let folder = folder("cql(output stdout) mate");
    let output = run(folder.path(), &["--secure", "-i", "games.pgn", "query.cql"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("[Event \"a\"]"));
}

fn run(folder: &Path, words: &[&str]) -> std::process::Output {
    std::process::Command::new(env!("CARGO_BIN_EXE_babson"))
        .current_dir(folder)
        .env_remove("BABSON_CONFIG")
        .args(words)
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap()
}
