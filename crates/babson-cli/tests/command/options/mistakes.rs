//! The messages about wrong words on the command line.

use crate::bench::{Bench, GAMES};

#[test]
fn mistakes_of_the_command_line() {
    let bench = Bench::new();
    bench.put("games.doc", GAMES);
    let outputs = "an output ends in .pgn, .jsonl, .json, .csv, .tsv or .epd, which may have .gz or \
                   .zst after it, or in .html or .arrow, which may not";
    for (words, sentence) in [
        ("--limti 3 QUERY", "unknown option --limti; did you mean --limit?"),
        (
            "stalemate",
            "'stalemate' is not a file; for a query on the command line write \
             `babson games.pgn --cql stalemate`",
        ),
        (
            "",
            "which query? Name its file, or give filters with --cql; for all games write \
             `--cql true`",
        ),
        (
            "-i games.doc QUERY",
            "games.doc: an input ends in .pgn, .txt, .gz, .zst, .xz, .bz2, .zip, .arrow or .feather",
        ),
        ("-o out.doc QUERY", &format!("-o out.doc: {outputs}")),
        ("-o out.xml QUERY", &format!("-o out.xml: {outputs}")),
        (
            "--append out.html QUERY",
            "--append out.html: an HTML page cannot be appended to; write a new one with -o",
        ),
        (
            "--includetagpattern ( QUERY",
            "--includetagpattern: regex parse error:\n    (\n    ^\nerror: unclosed group",
        ),
        (
            "--variantalias x y QUERY",
            "--variantalias: 'x' is not a variant; the variants are Standard, Chess960, Atomic, \
             Crazyhouse, Giveaway, Suicide, Losers, Horde, King of the Hill, Racing Kings, \
             Three-Check",
        ),
        ("-g 3 2 QUERY", "-g: the range 3 2 is empty: the second number is smaller"),
        (
            "-matchcount 2 1 QUERY",
            "-matchcount: the range 2 1 is empty: the second number is smaller",
        ),
        ("--assign K 3 QUERY", "--assign: 'K' is not the name of a variable"),
        ("--quiet --silent QUERY", "--quiet and --silent exclude each other"),
    ] {
        let words = format!("-i games.pgn {words}");
        let words: Vec<&str> = words
            .split_whitespace()
            .flat_map(|word| match word {
                "QUERY" => vec!["--cql", "mate"],
                word => vec![word],
            })
            .collect();
        let (stdout, stderr) = bench.expect(2, &words);
        assert_eq!((stdout.as_str(), stderr), ("", format!("babson: {sentence}\n")), "{words:?}");
    }
}

/// What is wrong with a command line, and which command takes the option.
#[test]
fn words_that_do_not_belong() {
    let bench = Bench::new();
    let mut told = String::new();
    for line in [
        "check mate --threads 4",
        "profile mate -i games.pgn --json",
        "explain mate --check",
        "profile mate -i games.pgn -o out.pgn",
        "profile mate all -i games.pgn",
        "fmt mate.cql --cql mate",
        "fmt",
        "convert mate.cql",
        "convert --to ascii mate.cql all.cql",
        "convert --to latin mate.cql",
        "convert --to",
        "position",
        "position 8/8 w",
        "position 8/8 --count",
        "position 8/8 --jsno",
        "perft",
        "perft 1 2 3",
        "perft x",
        "perft 1 --variant x",
        "perft 1 --dialect cql6",
        "completions",
        "completions dos",
        "completions bash zsh",
        "man page",
        "man --json",
        "help chek",
        "help check fmt",
        "mate -i games.pgn --divide",
        "mate -i games.pgn --to ascii",
        "mate -i games.pgn --markdown",
        "mate -i games.pgn --threds 4",
        "check mate --nothing",
        "-i",
    ] {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (stdout, stderr) = bench.expect(2, &words);
        assert_eq!(stdout, "", "{line}");
        told.push_str(&format!("$ babson {line}\n{stderr}"));
    }
    insta::assert_snapshot!("errors", told);
}

#[test]
fn a_misspelled_command() {
    let bench = Bench::new();
    for (word, meant) in [
        ("chek", "babson check"),
        ("postion", "babson position"),
        ("exlpain", "babson explain"),
        ("scna", "babson scan"),
        ("threds", "--threads"),
        ("limti", "--limit"),
    ] {
        let (_, stderr) = bench.expect(2, &[word, "mate.cql"]);
        let expected =
            format!("babson: '{word}' is neither a command nor a query; did you mean {meant}?\n");
        assert_eq!(stderr, expected);
    }
    // A query of such a name is a query, and so is a name that resembles no command or option.
    bench.put("chek.cql", b"cql() mate");
    assert_eq!(bench.expect(0, &["chek", "-i", "games.pgn", "--count"]).0, "2\n");
    let (_, stderr) = bench.expect(3, &["absent", "-i", "games.pgn", "--count"]);
    assert!(stderr.contains("cannot read absent.cql"), "{stderr}");
}

/// No message about a search comes before an error that prevents it.
#[test]
fn an_error_comes_without_the_note_about_the_output() {
    let bench = Bench::new();
    bench.put("broken.pgn.gz", b"\x1f\x8bnot gzip");
    bench.put("odd.pgn", b"\xff\xfe[\0E\0");
    for (words, code) in [
        (&["games.pgn", "--cql", "maet"][..], 1),
        (&["missing.pgn", "--cql", "mate"], 3),
        (&["broken.pgn.gz", "--cql", "mate"], 3),
        (&["odd.pgn", "--cql", "mate"], 3),
        (&["games.pgn", "--columns", "nothing", "--cql", "mate"], 2),
        (&["--cql", "mate"], 2),
    ] {
        let (_, stderr) = bench.expect(code, words);
        assert!(!stderr.contains("no output is named"), "{words:?}: {stderr}");
    }
    // The message is printed once.
    let (_, stderr) = bench.expect(0, &["games.pgn", "--threads", "1", "--cql", "mate"]);
    assert_eq!(stderr.matches("no output is named").count(), 1, "{stderr}");
}

/// A path that is far too long for a file is not repeated whole.
#[test]
fn long_paths_are_shortened_in_errors() {
    let bench = Bench::new();
    let long = "a".repeat(6000);
    let (database, query, output) = (long.clone() + ".pgn", long.clone() + ".cql", long + ".csv");
    for (words, code) in [
        (&[database.as_str(), "--cql", "mate"][..], 3),
        (&["games.pgn", &query, "--count"], 3),
        (&["games.pgn", "--cql", "mate", "-o", &output], 3),
        (&["games.pgn", "--cql", "mate", "--limit", &database], 2),
        (&["plan", &database], 3),
    ] {
        let (_, stderr) = bench.expect(code, words);
        assert!(stderr.len() < 1000 && stderr.contains("aaa…aaa"), "{stderr}");
    }
}
