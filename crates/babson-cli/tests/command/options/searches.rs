//! The options of the search and of the query.

use crate::bench::Bench;

#[test]
fn ranges_and_limits() {
    let bench = Bench::new();
    let count = |words: &[&str]| {
        let all: Vec<&str> =
            ["-i", "games.pgn", "--count", "all"].iter().chain(words).copied().collect();
        let (stdout, stderr) = bench.expect(0, &all);
        (stdout.trim().to_owned(), stderr.contains(" of 3 games"))
    };
    assert_eq!(count(&["-g", "2", "3"]), ("2".to_owned(), true));
    assert_eq!(count(&["-G", "2"]), ("1".to_owned(), false));
    assert_eq!(count(&["--limit", "1"]), ("1".to_owned(), false));
    assert_eq!(count(&["--cql", "mate"]).0, "0");
    assert_eq!(count(&["-limit=2"]).0, "2");
    // Games after the range are not read; CQL 6.2 reads and counts the first of them.
    for (words, games) in [
        (&["-g", "1", "2"][..], " of 2 games"),
        (&["-g", "2"], " of 2 games"),
        (&["-g", "3", "9"], " of 3 games"),
        (&["-g", "0"], " of 0 games"),
        (&["-g", "1", "2", "--dialect", "cql6"], " of 3 games"),
        (&["-g", "1", "2", "--dialect", "cql6", "-s"], " of 3 games"),
    ] {
        let all = [&["-i", "games.pgn", "--count", "all"][..], words].concat();
        let (_, stderr) = bench.expect(0, &all);
        assert!(stderr.contains(games), "{words:?} {stderr}");
    }
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
        bench.expect(0, &[&common[..], words].concat()).0.trim().to_owned()
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
    assert_eq!(count(&["-white", "^bob$", "all.cql"]), "0");
    assert_eq!(count(&["-similarposition", "notransform", "seen.pgn", "--cql", "ply > 0"]), "1");
    let (_, stderr) =
        bench.expect(0, &["-i", "players.pgn", "-similarposition", "seen.pgn", "-o", "o.pgn"]);
    assert!(stderr.contains("Db: read 1 games from submission file: seen.pgn"), "{stderr}");
    let (_, stderr) = bench.expect(1, &["-i", "players.pgn", "-player", "a(", "all.cql"]);
    assert!(stderr.contains("malformed regular expression"), "{stderr}");
}

/// `--variations` and `--mainline` win over what each list of CQL 3 says.
#[test]
fn variations_of_cql3() {
    let bench = Bench::new();
    bench.put(
        "tree.pgn",
        b"[Event \"a\"]\n\n1. f3 e5 (1... d5 2. g4 d4) 2. g4 Qh4# 0-1\n\n[Event \"b\"]\n\n1. e4 d5 2. e5 d4 *\n",
    );
    for (query, plain, variations, main_line) in [
        ("(match (position pd4))", "1", "2", "1"),
        ("(match (position :variations pd4))", "2", "2", "1"),
        ("(match (position :variationsonly pd4))", "1", "1", "0"),
        ("(match (position pd4) (position :variations pd5))", "1", "2", "1"),
        (
            "(match (position :sequence ((position pd5) (position :btm) (position pd4))))",
            "1",
            "2",
            "1",
        ),
        ("(match (position pd5 :movefrom Pe4))", "1", "1", "1"),
        ("(match (position pd5 :movefrom Pg2))", "0", "1", "0"),
    ] {
        bench.put("old.cql", query.as_bytes());
        for (option, games) in
            [(&[][..], plain), (&["--variations"], variations), (&["--mainline"], main_line)]
        {
            let all = [&["-i", "tree.pgn", "--count", "old.cql"][..], option].concat();
            assert_eq!(bench.expect(0, &all).0.trim(), games, "{query} {option:?}");
        }
    }
}

/// `;` is a comment in CQL 6.2 only, and only CQL 6.2 says which game it is.
#[test]
fn the_dialect_that_a_query_names() {
    let bench = Bench::new();
    let games = |words: &[&str]| {
        let (stdout, _) = bench.expect(0, &[&["-i", "games.pgn", "-o", "-"][..], words].concat());
        stdout.contains("{Game number 1}")
    };
    bench.put("header.cql", b"cql(dialect cql6 quiet)\n; a remark\nmate");
    bench.put("line.cql", b"\xef\xbb\xbf// babson: dialect cql6\r\ncql()\n; a remark\nmate");
    bench.put("cqli.cql", b"cql(dialect cqli)\nmate");
    for (words, is_cql6) in [
        (&["header"][..], true),
        (&["line"], true),
        (&["header", "--cql", "wtm"], true),
        (&["cqli"], false),
        (&["mate"], false),
        (&["cqli", "--dialect", "cql6"], true),
    ] {
        assert_eq!(games(words), is_cql6, "{words:?}");
    }
    // The option wins, so that the remark is none.
    for query in ["header", "line"] {
        bench.expect(1, &["check", query, "--dialect", "cqli"]);
        bench.expect(0, &["check", query]);
        bench.expect(0, &["explain", query]);
        bench.expect(0, &["profile", query, "-i", "games.pgn"]);
        bench.expect(0, &["--parse", query]);
    }
    // Each of several queries has its own.
    bench.expect(0, &["-i", "games.pgn", "-o", "out/", "header", "cqli", "line"]);
    let is_cql6 = |name: &str| {
        let written = String::from_utf8(bench.get(&format!("out/{name}.pgn"))).unwrap();
        written.contains("{Game number 1}")
    };
    assert!(is_cql6("header") && is_cql6("line") && !is_cql6("cqli"));
    bench.put("wrong.cql", b"// babson: dialect cql\ncql(dialect cqli) mate");
    let (_, stderr) = bench.expect(1, &["check", "wrong"]);
    assert!(stderr.contains("wrong.cql:2:5"), "{stderr}");
}
