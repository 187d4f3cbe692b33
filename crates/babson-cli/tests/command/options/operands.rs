//! The words that are not options: queries, databases, standard input.

use std::io::Write;
use std::process::Stdio;

use crate::bench::{Bench, GAMES};

/// A word that is not a command is a query, whatever commands there may be one day.
#[test]
fn other_words_are_queries() {
    let bench = Bench::new();
    for word in ["index", "repl"] {
        let (_, stderr) = bench.expect(3, &[word, "-i", "games.pgn", "--count"]);
        assert!(stderr.contains(&format!("cannot read {word}.cql")), "{stderr}");
        bench.put(&format!("{word}.cql"), b"cql() mate");
        assert_eq!(bench.expect(0, &[word, "-i", "games.pgn", "--count"]).0, "2\n");
        assert!(stderr.ends_with(&format!("write `--cql {word}`\n")), "{stderr}");
    }
    // A query in the place of its file; `tests/first_tries` has more.
    for (word, shown) in [
        ("stalemate", "stalemate"),
        ("#Q > 2", "'#Q > 2'"),
        ("player \"O'Kelly\"", r#"'player "O'\''Kelly"'"#),
    ] {
        let (_, stderr) = bench.expect(2, &[word, "-i", "games.pgn", "--count"]);
        let line = format!("write `babson games.pgn --cql {shown} --count`\n");
        assert!(stderr.ends_with(&line), "{stderr}");
    }
}

#[test]
fn games_may_be_operands_or_standard_input() {
    let bench = Bench::new();
    for words in [
        &["mate.cql", "games.pgn", "--count"][..],
        &["games.pgn", "mate.cql", "--count"],
        &["games.pgn", "--cql", "mate", "--count"],
    ] {
        assert_eq!(bench.expect(0, words).0, "2\n", "{words:?}");
    }
    let (_, stderr) = bench.expect(2, &["games.pgn"]);
    assert!(stderr.contains("which query?"), "{stderr}");
    bench.put("games.doc", GAMES);
    let (_, stderr) = bench.expect(2, &["games.doc", "-i", "games.pgn", "--count"]);
    assert!(stderr.contains("games.doc holds games, not a query"), "{stderr}");
}

/// Games come from standard input if nothing names them, and a query may come from there instead.
#[test]
fn standard_input_has_games_or_a_query() {
    let bench = Bench::new();
    let reading = |input: &[u8], words: &[&str]| {
        let mut child = bench
            .command(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The command may end before it reads.
        let _ = child.stdin.take().unwrap().write_all(input);
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    assert_eq!(reading(GAMES, &["mate.cql", "--count"]).1, "2\n");
    assert_eq!(reading(b"mate", &["-", "games.pgn", "--count"]).1, "2\n");
    // Nothing is left for the games.
    let (code, _, stderr) = reading(b"mate", &["-", "--count"]);
    assert_eq!(
        (code, stderr.as_str()),
        (
            Some(2),
            "babson: no games: name an input with -i FILE.pgn, or `database` in babson.toml\n"
        )
    );
    let (code, _, stderr) = reading(b"mate", &["-", "-i", "-", "--count"]);
    assert_eq!((code, stderr.as_str()), (Some(2), "babson: stdin can be read only once\n"));
    // A device without an end is not a pipe of games.
    let (_, stderr) = bench.expect(2, &["mate.cql", "--count"]);
    assert_eq!(
        stderr,
        "babson: no games: name an input with -i FILE.pgn, or `database` in babson.toml\n"
    );
}

/// The error for a query in UTF-16 names UTF-16, not the first byte.
#[test]
fn a_query_in_utf_16() {
    let bench = Bench::new();
    let bytes = |mark: &str, order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("{mark}cql() mate").encode_utf16().flat_map(order).collect()
    };
    for text in [
        bytes("\u{feff}", u16::to_le_bytes),
        bytes("\u{feff}", u16::to_be_bytes),
        bytes("", u16::to_le_bytes),
        bytes("", u16::to_be_bytes),
    ] {
        bench.put("wide.cql", &text);
        for words in [&["check", "wide.cql"][..], &["games.pgn", "wide.cql", "--count"]] {
            let (_, stderr) = bench.expect(1, words);
            let told = "error[E0013]: the file is in UTF-16; save it as UTF-8";
            assert!(stderr.contains(told) && !stderr.contains("byte"), "{stderr}");
            assert!(stderr.contains("wide.cql:1:1") && stderr.contains("cql() mate"), "{stderr}");
        }
    }
    bench.put("wide.pgn", b"\xff\xfe[\0E\0v\0e\0");
    let (_, stderr) = bench.expect(3, &["wide.pgn", "--cql", "mate"]);
    assert!(stderr.contains("UTF-16"), "{stderr}");
}

#[test]
fn a_database_is_not_a_query() {
    let bench = Bench::new();
    for words in [
        &["check", "games.pgn"][..],
        &["explain", "games.pgn"],
        &["fmt", "games.pgn"],
        &["convert", "--to", "ascii", "games.pgn"],
    ] {
        // `Bench::command` ends the line with an option that `fmt` and others do not have.
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_babson"))
            .args(words)
            .current_dir(bench.path(""))
            .output()
            .unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let expected = "babson: games.pgn is a database, and this command takes only queries\n";
        assert_eq!((output.status.code(), stderr.as_str()), (Some(2), expected), "{words:?}");
    }
    for name in ["r.jsonl", "r.CSV", "r.epd", "r.html"] {
        let (_, stderr) = bench.expect(2, &["-i", "games.pgn", name, "mate.cql"]);
        assert_eq!(stderr, format!("babson: {name} is an output, not a query: name it with -o\n"));
    }
    // A folder of queries may have any name.
    std::fs::create_dir(bench.path("folder.pgn")).unwrap();
    bench.put("folder.pgn/mate.cql", b"cql() mate");
    bench.expect(0, &["folder.pgn", "-i", "games.pgn", "--count"]);
}
