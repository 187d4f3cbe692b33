//! The words of the command line.

use crate::bench::{Bench, GAMES};

#[test]
fn mistakes_of_the_command_line() {
    let bench = Bench::new();
    bench.put("games.txt", GAMES);
    for words in [
        &["--limti", "3", "mate"][..],
        &["mate"],
        &["-i", "games.pgn"],
        &["-i", "games.txt", "mate"],
        &["-i", "games.pgn", "-o", "out.doc", "mate"],
        &["-i", "games.pgn", "-o", "out.xml", "mate"],
        &["-i", "games.pgn", "--append", "out.html", "mate"],
        &["-i", "games.pgn", "--includetagpattern", "(", "mate"],
        &["-i", "games.pgn", "--variantalias", "x", "y", "mate"],
        &["-i", "games.pgn", "mate", "all"],
        &["-i", "games.pgn", "-g", "3", "2", "mate"],
        &["-i", "games.pgn", "-matchcount", "2", "1", "mate"],
        &["-i", "games.pgn", "--assign", "K", "3", "mate"],
        &["-i", "games.pgn", "--quiet", "--silent", "mate"],
    ] {
        let (_, stderr) = bench.expect(2, words);
        assert!(stderr.starts_with("babson: "), "{stderr}");
    }
}

#[test]
fn ranges_and_limits() {
    let bench = Bench::new();
    let count = |words: &[&str]| {
        let all: Vec<&str> = ["-i", "games.pgn", "--count", "all"]
            .iter()
            .chain(words)
            .copied()
            .collect();
        let (stdout, stderr) = bench.expect(0, &all);
        (stdout.trim().to_owned(), stderr.contains(" of 3 games"))
    };
    assert_eq!(count(&["-g", "2", "3"]), ("2".to_owned(), true));
    assert_eq!(count(&["-G", "2"]), ("1".to_owned(), true));
    assert_eq!(count(&["--limit", "1"]), ("1".to_owned(), false));
    assert_eq!(count(&["--cql", "mate"]).0, "0");
    assert_eq!(count(&["-limit=2"]).0, "2");
}

#[test]
fn options_that_are_filters_of_names_and_of_other_files() {
    let bench = Bench::new();
    bench.put(
        "players.pgn",
        b"[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 *\n\n[White \"Bob\"]\n[Black \"Cid\"]\n\n1. d4 *\n\n\
          [White \"Robob\"]\n[Black \"X\"]\n\n1. c4 *\n",
    );
    bench.put("seen.pgn", b"1. e4 c5 *\n");
    let count = |words: &[&str]| {
        let common = ["-i", "players.pgn", "--count"];
        bench
            .expect(0, &[&common[..], words].concat())
            .0
            .trim()
            .to_owned()
    };
    bench.put(
        "odd.pgn",
        b"[Event \"g[12] a* 1+1?\"]\n[Site \"the \\\"Crown\\\"\"]\n\n1. e4 *\n\n[Event \"g1\"]\n\n1. d4 *\n",
    );
    for (option, text, games) in [
        ("-event", "g[12]", "1\n"),
        ("-event", "a*", "1\n"),
        ("-event", "1+1?", "1\n"),
        ("-event", "g", "2\n"),
        ("-event", "", "2\n"),
        ("-event", "G", "0\n"),
        ("-site", "\\\"Crown\\\"", "1\n"),
    ] {
        let words = ["-i", "odd.pgn", "--count", option, text];
        assert_eq!(bench.expect(0, &words).0, games, "{words:?}");
    }
    // Each name is searched, so that `^` is the beginning of either.
    assert_eq!(count(&["-player", "^B[ou]b$", "all.cql"]), "2");
    assert_eq!(count(&["-white", "[Bb]ob$", "all.cql"]), "2");
    assert_eq!(count(&["-black", "^(.)\\1", "all.cql"]), "0");
    assert_eq!(
        count(&[
            "-similarposition",
            "notransform",
            "seen.pgn",
            "--cql",
            "ply > 0"
        ]),
        "1"
    );
    let (_, stderr) = bench.expect(
        0,
        &[
            "-i",
            "players.pgn",
            "-similarposition",
            "seen.pgn",
            "-o",
            "o.pgn",
        ],
    );
    assert!(
        stderr.contains("Db: read 1 games from submission file: seen.pgn"),
        "{stderr}"
    );
    let (_, stderr) = bench.expect(1, &["-i", "players.pgn", "-player", "a(", "all.cql"]);
    assert!(stderr.contains("malformed regular expression"), "{stderr}");
}
