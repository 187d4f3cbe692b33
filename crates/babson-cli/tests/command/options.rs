//! The words of the command line.

use std::io::Write;
use std::process::Stdio;

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
        ("", "which query? See babson --help; for all games write `--cql true`"),
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

/// `babson help` and `babson help COMMAND` print what `--help` prints.
#[test]
fn help_is_a_command() {
    let bench = Bench::new();
    let stdout = |words: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_babson"))
            .args(words)
            .current_dir(bench.path(""))
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    assert_eq!(stdout(&["help"]), stdout(&["--help"]));
    for command in ["check", "explain", "profile", "fmt", "convert", "position", "perft", "help"] {
        let (code, text, _) = stdout(&["help", command]);
        assert_eq!(code, Some(0), "{command}");
        assert!(text.starts_with(&format!("usage: babson {command} ")), "{text}");
        assert!(text.starts_with(&stdout(&[command, "--help"]).1), "{command}");
    }
    let position = stdout(&["help", "position"]).1;
    for option in ["[--legal]", "[--reachable]", "[--reverse]"] {
        assert!(position.contains(option), "{position}");
    }
    assert_eq!(position.matches("--cql FILTERS  ").count(), 1, "{position}");
    assert!(position.contains("filters to evaluate on the position"), "{position}");
    for (word, hint) in [("chek", "did you mean check?"), ("xyzzy", "see babson --help")] {
        let (code, _, stderr) = stdout(&["help", word]);
        assert_eq!(code, Some(2));
        let what = "is not a command, an option or a word of the language";
        assert_eq!(stderr, format!("babson: '{word}' {what}; {hint}\n"));
    }
    // A word that is none of these, but that the help or a recipe of the cookbook mentions.
    for (word, line) in [
        ("zip", "  -i, --input FILE "),
        ("Spreadsheet", "  --safecsv, --safe-csv "),
        ("windmill", "Which games have a windmill, "),
        ("bz2", "  -i, --input FILE "),
        ("bzip2", "  -i, --input FILE "),
        ("Excel", "  -o, --output FILE "),
        (
            "novelty",
            "With which move does a game leave a database of known games?\n(Databases, recipe ",
        ),
        ("duplicates", "Which games are in a database twice?\n(Databases, recipe "),
        (
            "pandas",
            "How does a downloaded archive of games become a table in pandas?\n(Databases, recipe ",
        ),
    ] {
        let (code, text, _) = stdout(&["help", word]);
        assert_eq!((code, text.starts_with(line)), (Some(0), true), "{word}: {text}");
    }
    for option in ["--limit", "--top"] {
        let (code, _, stderr) = stdout(&["-i", "a.pgn", "--cql", "mate", option, "0"]);
        assert_eq!((code, stderr), (Some(2), format!("babson: {option}: 0 is less than 1\n")));
    }
    let (_, text, _) = stdout(&["help", "exit"]);
    assert!(text.contains("--exit-status"), "{text}");
    assert!(text.ends_with("\nExit codes  (docs/src/command-line.md#exit-codes)\n"), "{text}");
    let (code, _, stderr) = stdout(&["help", "e0899"]);
    let expected = "babson: 'e0899' is not the code of a diagnostic; near it are E0801, E0802\n";
    assert_eq!((code, stderr.as_str()), (Some(2), expected));
    let (code, _, stderr) = stdout(&["help", "check", "fmt"]);
    let expected = "babson: 'check fmt' is not a command, an option or a word of the language; \
                    see babson --help\n";
    assert_eq!((code, stderr.as_str()), (Some(2), expected));
}

const COMMANDS: [&str; 10] = [
    "check",
    "explain",
    "profile",
    "fmt",
    "convert",
    "position",
    "perft",
    "completions",
    "man",
    "help",
];

#[test]
fn the_pages_of_the_commands() {
    let bench = Bench::new();
    let pages = COMMANDS.map(|command| bench.expect(0, &["help", command]).0);
    insta::assert_snapshot!("pages", pages.join("\n"));
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
        (Some(2), "babson: no games: name an input with -i FILE.pgn\n")
    );
    let (code, _, stderr) = reading(b"mate", &["-", "-i", "-", "--count"]);
    assert_eq!((code, stderr.as_str()), (Some(2), "babson: stdin can be read only once\n"));
    // A device without an end is not a pipe of games.
    let (_, stderr) = bench.expect(2, &["mate.cql", "--count"]);
    assert_eq!(stderr, "babson: no games: name an input with -i FILE.pgn\n");
}

/// A query without a file has no name for its output, except in CQL 6.2.
#[test]
fn a_search_without_an_output_counts() {
    let bench = Bench::new();
    let (stdout, stderr) = bench.expect(0, &["games.pgn", "--cql", "mate"]);
    assert_eq!(stdout, "2\n");
    assert!(stderr.starts_with("babson: no output is named"), "{stderr}");
    let (_, stderr) =
        bench.expect(0, &["games.pgn", "mate.cql", "--cql", "check", "-q", "-o", "-"]);
    assert_eq!(stderr, "");
    assert!(!bench.path("cqldefault-out.pgn").exists());
    assert_eq!(bench.expect(0, &["games.pgn", "--cql", "mate", "-q"]), ("2\n".into(), "".into()));
    bench.expect(0, &["games.pgn", "--cql", "mate", "--dialect", "cql6"]);
    assert!(bench.path("cqldefault-out.pgn").exists());
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

/// Without any word the command says what it is and where to read on.
#[test]
fn the_command_alone_is_short() {
    let (stdout, _) = Bench::new().expect(0, &[]);
    assert!(stdout.lines().count() <= 40, "{}", stdout.lines().count());
    for part in ["CQL, the Chess Query Language", "--cql", "-o mates.pgn", "babson --help"] {
        assert!(stdout.contains(part), "{part} is missing: {stdout}");
    }
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
fn the_format_of_standard_output() {
    let bench = Bench::new();
    let formats = [
        ("pgn", "[Event "),
        ("jsonl", "{\"game\""),
        ("json", "[\n{\"game\""),
        ("csv", "game,"),
        ("tsv", "game\t"),
        ("epd", "rnb"),
    ];
    for (format, begin) in formats {
        let words = ["games.pgn", "--cql", "mate", "--format", format, "-q"];
        let (stdout, stderr) = bench.expect(0, &words);
        assert!(stdout.starts_with(begin), "{format}: {stdout}");
        assert_eq!(stderr, "", "{format}");
        assert_eq!(bench.expect(0, &[&words[..], &["-o", "-"]].concat()).0, stdout);
    }
    let words = ["games.pgn", "mate.cql", "-o", "x.csv", "--format"];
    bench.expect(0, &[&words[..], &["csv"]].concat());
    let (_, stderr) = bench.expect(2, &[&words[..], &["epd"]].concat());
    assert_eq!(stderr, "babson: -o x.csv: its extension names another format than --format\n");
    let (_, stderr) = bench.expect(2, &["games.pgn", "mate.cql", "--format", "arrow"]);
    assert_eq!(
        stderr,
        "babson: --format: a game table is written to a file: name it with -o FILE.arrow\n"
    );
}

/// `-h` fits a screen and has examples; `--help` has every option.
#[test]
fn the_short_help_fits_a_screen() {
    let bench = Bench::new();
    let (short, _) = bench.expect(0, &["-h"]);
    assert!(short.lines().count() <= 24, "{short}");
    assert!(short.contains("examples:") && short.contains("babson help TOPIC"), "{short}");
    let (long, _) = bench.expect(0, &["--help"]);
    assert!(long.contains("--maxopenoutputfiles") && !short.contains("--maxopenoutputfiles"));
}

/// Every word of the language, option and command has a help.
#[test]
fn help_explains_words_and_options() {
    let bench = Bench::new();
    for (topic, part) in [
        ("castle", "In the language (Moves"),
        ("check", "usage: babson check"),
        ("check", "In the language ("),
        ("--limit", "--limit N"),
        ("limit", "(option of the search, "),
        ("checkmate", "write `mate`"),
        ("⊢", "In the language ("),
        ("-->", "In the language (Line"),
        ("error[E0201]", "error E0201: an unknown name"),
        ("E0107", "error[E0107]: the condition of `if` is one filter"),
        ("w0301", "Mended:\n\n  year == 1920\n"),
    ] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_babson"))
            .args(["help", topic])
            .current_dir(bench.path(""))
            .output()
            .unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && stdout.contains(part), "{topic}: {stdout}");
    }
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

#[test]
fn default_options() {
    let bench = Bench::new();
    bench.put("remark.cql", b"cql()\n; a remark\nmate");
    bench.put("cqli.cql", b"cql(dialect cqli)\n; a remark\nmate");
    bench.put("write.cql", b"writefile(\"made.cqo\" \"x\")");
    let run = |config: &[u8], code: i32, words: &[&str]| {
        bench.put("config", config);
        let output = bench.command(words).env("BABSON_CONFIG", "config").output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{words:?}\n{stdout}\n{stderr}");
        (stdout, stderr)
    };
    let scan = ["-i", "games.pgn", "--count"];
    let cql6 = b"# my defaults\n\n--dialect=cql6\n--limit\n1\n";
    assert_eq!(run(cql6, 0, &[&scan[..], &["remark"]].concat()).0, "1\n");
    // What is written wins, and so does what a query says of itself.
    assert_eq!(run(cql6, 0, &[&scan[..], &["remark", "--limit", "2"]].concat()).0, "2\n");
    run(cql6, 1, &[&scan[..], &["remark", "--dialect", "cqli"]].concat());
    run(cql6, 1, &[&scan[..], &["cqli"]].concat());
    run(cql6, 1, &[&scan[..], &["remark", "--no-config"]].concat());
    run(b"--quiet", 0, &[&scan[..], &["mate", "--silent"]].concat());
    // The other commands take those that are theirs.
    run(cql6, 0, &["check", "remark"]);
    run(cql6, 1, &["check", "remark", "--noconfig"]);
    for words in [&["fmt", "--check", "mate.cql"][..], &["convert", "--to", "ascii", "remark.cql"]]
    {
        let output = bench.run(words);
        let config = b"--dialect=cql6\n--threads=4";
        bench.put("config", config);
        let words: Vec<&str> = words.to_vec();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_babson"));
        let status = command
            .current_dir(bench.path(""))
            .args(&words)
            .env("BABSON_CONFIG", "config")
            .output()
            .unwrap()
            .status;
        assert!(status.code() != Some(2), "{words:?} {output:?}");
    }
    // Nothing lifts --secure, here or there.
    for (config, option) in [(&b"--secure"[..], "--count"), (b"--count", "--secure")] {
        let (_, stderr) = run(config, 1, &["-i", "games.pgn", "write", option]);
        assert!(stderr.contains("forbidden by --secure"), "{stderr}");
    }
    for wrong in ["--nosecure", "--secure=no", "--no-secure"] {
        let (_, stderr) = run(wrong.as_bytes(), 2, &["-i", "games.pgn", "write", "--secure"]);
        assert!(stderr.contains("$BABSON_CONFIG"), "{stderr}");
    }
    assert!(!bench.path("made.cqo").exists());
    // A file that cannot be read might have held --secure.
    for command in [&["-i", "games.pgn", "--count", "mate"][..], &["check", "mate"]] {
        let output = bench.command(command).env("BABSON_CONFIG", "none").output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        let output = bench.command(command).env("BABSON_CONFIG", "").output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    for wrong in [&b"mate.cql"[..], b"--help", b"-u\nmate.cql", b"--threads 4", b"\xff"] {
        run(wrong, 2, &["-i", "games.pgn", "--count", "mate"]);
    }
}

/// Who builds Babson and runs the first command of the README has a clean clone.
#[test]
fn what_the_readme_writes_is_ignored() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
    let (readme, ignored) = (read("README.md"), read(".gitignore"));
    let mut written = 0;
    for line in readme.lines().filter(|line| line.contains("babson")) {
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            if word == "-o"
                && let Some(name) = words.next().filter(|name| *name != "-")
            {
                assert!(ignored.lines().any(|line| line == format!("/{name}")), "{name}");
                written += 1;
            }
        }
    }
    assert_eq!(written, 4);
}

#[test]
fn a_recipe_is_named_by_its_number_or_its_words() {
    let bench = Bench::new();
    let (all, _) = bench.expect(0, &["cookbook"]);
    assert!(all.contains("   14  Which games ended in mate?"), "{all}");
    let (recipe, _) = bench.expect(0, &["cookbook", "14"]);
    assert!(recipe.starts_with("Which games ended in mate?\n"), "{recipe}");
    assert_eq!(
        bench.expect(0, &["cookbook", "back", "rank"]),
        bench.expect(0, &["cookbook", "back rank"])
    );
    for number in ["0", "200", "99999999999999999999"] {
        let (_, told) = bench.expect(2, &["cookbook", number]);
        assert!(
            told.contains(&format!("has the number {number}: the recipes are 1 to ")),
            "{told}"
        );
    }
    let (_, told) = bench.expect(2, &["cookbook", "battery"]);
    assert!(told.contains("babson help battery prints what the book has on it"), "{told}");
    for topic in ["mate", "check", "back rank"] {
        let (found, _) = bench.expect(0, &["cookbook", topic]);
        assert!(found.contains(topic) && found.len() < all.len(), "{topic}: {found}");
    }
    bench.expect(0, &["cookbook", "14", "games.pgn", "--count"]);
    // A file that the recipe needs is missing.
    let (_, missing) = bench.expect(1, &["cookbook", "4", "games.pgn"]);
    assert!(missing.contains("--> recipe 4:"), "{missing}");
    let (_, several) = bench.expect(2, &["cookbook", "mate", "games.pgn"]);
    assert!(several.contains("name one by its number"), "{several}");
    let (_, ignored) = bench.expect(2, &["cookbook", "14", "--count"]);
    assert!(ignored.contains("name a database"), "{ignored}");
}
