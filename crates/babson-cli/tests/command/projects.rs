//! `babson.toml`: the database, the dialect and the imports of a folder of queries.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use crate::bench::{Bench, GAMES};

/// A query that only the dialect `cql6` reads.
const REMARK: &[u8] = b"cql()\n; a remark\nmate";

fn bench(project: &str) -> Bench {
    let bench = Bench::new();
    fs::create_dir_all(bench.path("q/lib")).unwrap();
    bench.put("babson.toml", project.as_bytes());
    bench.put("q/mate.cql", b"cql() mate");
    bench
}

#[test]
fn the_database_of_the_project_is_searched() {
    let bench = bench("database = 'games.pgn'");
    bench.put("one.pgn", b"[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    let count = |words: &[&str]| bench.expect(0, &[words, &["--count"]].concat()).0;
    for words in [&["mate.cql"][..], &["q/mate.cql"], &["--cql", "mate"]] {
        assert_eq!(count(words), "2\n", "{words:?}");
    }
    // What names games wins.
    assert_eq!(count(&["mate.cql", "-i", "one.pgn"]), "1\n");
    assert_eq!(count(&["mate.cql", "one.pgn"]), "1\n");
    bench.put("header.cql", b"cql(input one.pgn) mate");
    assert_eq!(count(&["header.cql"]), "1\n");
    for word in ["--no-project", "--noproject", "--secure"] {
        let (_, told) = bench.expect(2, &["mate.cql", "--count", word]);
        assert_eq!(
            told,
            "babson: no games: name an input with -i FILE.pgn, or `database` in babson.toml\n"
        );
    }
    // Several databases, and a folder.
    bench.put("babson.toml", b"database = ['one.pgn', 'games.pgn']");
    assert_eq!(count(&["mate.cql"]), "3\n");
    bench.put("babson.toml", b"database = '.'");
    assert_eq!(count(&["mate.cql"]), "3\n");
    // The nearest file counts, and only that.
    bench.put("q/babson.toml", b"database = '../one.pgn'");
    assert_eq!(count(&["q/mate.cql"]), "1\n");
    bench.put("q/babson.toml", b"");
    bench.expect(2, &["q/mate.cql", "--count"]);
    // The other commands that read games.
    for words in [&["why", "mate.cql"][..], &["profile", "mate.cql"]] {
        assert_ne!(bench.expect(0, words).0, "", "{words:?}");
    }
    // A search writes the output that its query names, as ever.
    bench.expect(0, &["mate.cql"]);
    assert!(bench.path("mate-out.pgn").exists());
}

#[test]
fn standard_input_comes_before_the_project() {
    let bench = bench("database = 'games.pgn'");
    let run = |words: &[&str], input: &[u8]| {
        let mut command = bench.command(words);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input);
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    };
    let (count, told) = run(&["all.cql", "--count"], GAMES);
    assert_eq!(count, "3\n");
    assert!(told.starts_with("babson: the games are read from standard input, not"), "{told}");
    let (_, told) = run(&["all.cql", "--count", "-i", "-"], GAMES);
    assert!(!told.contains("standard input"), "{told}");
    // A query on standard input leaves no games there.
    assert_eq!(run(&["-", "--count"], b"mate").0, "2\n");
}

#[test]
fn a_database_that_is_missing_is_of_the_project() {
    let bench = bench("database = ['games.pgn', 'gone.pgn']");
    let (_, told) = bench.expect(3, &["mate.cql", "--count"]);
    assert!(told.contains("gone.pgn") && told.contains("(a database of babson.toml)"), "{told}");
    bench.put("babson.toml", b"database = 'mate.cql'");
    let (_, told) = bench.expect(2, &["mate.cql", "--count"]);
    assert!(told.contains("(a database of babson.toml)"), "{told}");
    // Nobody reads it here.
    let (_, told) = bench.expect(0, &["check", "mate.cql"]);
    assert_eq!(told, "");
    bench.put("babson.toml", b"database = ['games.pgn', 'gone.pgn']");
    let (_, told) = bench.expect(0, &["check", "mate.cql", "q/mate.cql"]);
    let warning = "babson: babson.toml: `database` names gone.pgn, which does not exist\n";
    assert_eq!(told, format!("{warning}babson: checked 2 queries: no errors\n"));
}

#[test]
fn a_project_file_with_mistakes_does_not_stop_the_others() {
    let bench = bench("dialect = 'cqli'");
    bench.put("q/babson.toml", b"database = '~/games.pgn'");
    bench.put("q/two.cql", b"mate");
    bench.put("wide.cql", b"mate   check");
    let (_, told) = bench.expect(3, &["fmt", "q/mate.cql", "gone.cql", "q/two.cql", "wide.cql"]);
    assert_eq!(bench.text("wide.cql"), "mate check\n");
    for part in ["q/babson.toml:1:12: `~` is not the home folder", "cannot read gone.cql"] {
        assert_eq!(told.matches(part).count(), 1, "{part}: {told}");
    }
    let (_, told) = bench.expect(2, &["check", "q"]);
    let summary = "babson: checked 0 queries: 1 project file has mistakes\n";
    assert!(told.ends_with(summary), "{told}");
    let (_, told) = bench.expect(2, &["check", "--fix", "q"]);
    assert!(told.ends_with(summary) && !told.contains("nothing to fix"), "{told}");
}

#[test]
fn the_dialect_of_the_project_is_weaker_than_what_is_written() {
    let bench = bench("dialect = 'cql6'");
    bench.put("remark.cql", REMARK);
    bench.put("cqli.cql", b"cql(dialect cqli)\n; a remark\nmate");
    bench.put("config", b"--dialect=cqli");
    bench.expect(0, &["check", "remark.cql"]);
    bench.expect(0, &["-i", "games.pgn", "--count", "remark.cql"]);
    bench.expect(0, &["explain", "remark.cql"]);
    bench.expect(0, &["convert", "--to", "ascii", "remark.cql"]);
    bench.expect(0, &["fmt", "remark.cql"]);
    bench.expect(0, &["check", "--cql", "; a remark\nmate"]);
    let (json, _) = bench.expect(0, &["check", "--json", "remark.cql"]);
    assert!(json.ends_with("\"dialect\":\"cql6\"}\n"), "{json}");
    for words in [
        &["check", "cqli.cql"][..],
        &["check", "remark.cql", "--dialect", "cqli"],
        &["check", "remark.cql", "--no-project"],
        &["check", "remark.cql", "--secure"],
        &["explain", "remark.cql", "--no-project"],
        &["fmt", "remark.cql", "--no-project"],
    ] {
        bench.expect(1, words);
    }
    // The project is nearer than the defaults of the user.
    let output = bench.command(&["check", "remark.cql"]).env("BABSON_CONFIG", "config").output();
    assert_eq!(output.unwrap().status.code(), Some(0));
    // An output without a name is not of the project.
    let (stdout, _) = bench.expect(0, &["-i", "games.pgn", "--cql", "mate"]);
    assert_eq!(stdout.lines().next(), Some("2"), "{stdout}");
    assert!(!bench.path("cqldefault-out.pgn").exists());
}

#[test]
fn imports_are_found_in_the_folders_of_the_project() {
    let bench = bench("imports = ['q/lib']");
    bench.put("q/lib/side.cql", b"import \"in\" function side() { inner() }");
    bench.put("q/lib/in.cql", b"function inner() { mate }");
    bench.put("main.cql", b"import \"side\" side()");
    for command in ["check", "explain"] {
        bench.expect(0, &[command, "main.cql"]);
        bench.expect(1, &[command, "main.cql", "--no-project"]);
    }
    assert_eq!(bench.expect(0, &["-i", "games.pgn", "--count", "main.cql"]).0, "2\n");
    // The folder of the query and --import-path come first, $BABSON_PATH comes later.
    fs::create_dir(bench.path("other")).unwrap();
    bench.put("other/side.cql", b"function side() { initial }");
    let count = |words: &[&str]| {
        bench.expect(0, &[&["-i", "games.pgn", "--count", "main.cql"][..], words].concat()).0
    };
    assert_eq!(count(&["--import-path", "other"]), "3\n");
    let words = ["-i", "games.pgn", "--count", "main.cql"];
    let output = bench.command(&words).env("BABSON_PATH", "other").output().unwrap();
    assert_eq!(output.stdout, b"2\n");
    bench.put("side.cql", b"function side() { initial }");
    assert_eq!(count(&[]), "3\n");
    // A folder that is missing is one without files, and is named, once.
    bench.put("babson.toml", b"imports = ['gone', 'q/lib']");
    let warning = "babson: babson.toml: `imports` names gone, which is not a folder\n";
    for words in [
        &["-i", "games.pgn", "--count", "main.cql", "mate.cql"][..],
        &["check", "."],
        &["explain", "main.cql"],
    ] {
        let (_, told) = bench.expect(0, words);
        assert_eq!(told.matches(warning).count(), 1, "{words:?}: {told}");
    }
    for (folder, told) in
        [("nosuch", "nosuch: it does not exist"), ("mate.cql", "mate.cql: it is not a folder")]
    {
        let words = ["check", "main.cql", "--import-path", folder];
        assert_eq!(bench.expect(2, &words).1, format!("babson: --import-path {told}\n"));
    }
}

/// Files that only the project file finds may be from somebody else, under any name.
#[test]
fn a_project_gives_no_rights() {
    let bench = bench("imports = ['q/lib']");
    bench.put("q/lib/motifs.cql", b"import \"deep\" function doublecheck() { deep() }");
    bench.put("q/lib/deep.cql", b"function deep() { writefile(\"made.cqo\" \"x\") mate }");
    bench.put("main.cql", b"import \"motifs\" doublecheck()");
    let line = ["-i", "games.pgn", "--count", "main.cql"];
    let (_, told) = bench.expect(1, &line);
    for part in [
        "error[E1403]: `writefile` is forbidden in a file that only the `imports` of babson.toml \
         finds",
        "deep.cql:1:19",
        "name its folder with --import-path",
    ] {
        assert!(told.contains(part), "{part} is missing: {told}");
    }
    assert!(!bench.path("made.cqo").exists());
    bench.expect(1, &["check", "main.cql"]);
    // Whoever trusts the files names their folder, or imports them by their place.
    bench.expect(0, &[&line[..], &["--import-path", "q/lib"]].concat());
    assert!(bench.path("made.cqo").exists());
    bench.put("main.cql", b"import \"q/lib/motifs\" doublecheck()");
    bench.expect(0, &line);
    // A query of its own writes what it says.
    bench.put("main.cql", b"writefile(\"own.cqo\" \"x\") mate");
    bench.expect(0, &line);
    assert!(bench.path("own.cqo").exists());
}

#[test]
fn a_project_file_with_mistakes_is_an_error() {
    let bench = bench("databse = 'games.pgn'\ndialect = 'cql7'\n");
    let expected = "babson: babson.toml:1:1: `databse` is not a setting of a project; did you mean \
                    `database`?\nbabson.toml:2:11: `cql7` is not a dialect; the dialects are `cqli` \
                    and `cql6`\n";
    for words in [
        &["mate.cql", "--count"][..],
        &["check", "mate.cql"],
        &["explain", "q/mate.cql"],
        &["position", "8/8/8/8/8/8/8/K1k5 w - - 0 1", "--cql", "mate"],
        &["fmt", "--check", "mate.cql"],
        &["serve", "--listen", "0"],
        &["check"],
    ] {
        let (stdout, told) = bench.expect(2, words);
        assert_eq!((&*stdout, &*told), ("", expected), "{words:?}");
    }
    bench.expect(0, &["check", "mate.cql", "--no-project"]);
    // One mistake, however many queries.
    for words in [
        &["check", "."][..],
        &["fmt", "."],
        &["explain", "mate.cql", "q/mate.cql"],
        &["mate.cql", "all.cql", "-i", "games.pgn", "-o", "x.csv"],
        &["check", "--fix", "mate.cql", "all.cql"],
    ] {
        let (_, told) = bench.expect(2, words);
        assert_eq!(told.matches("cql7").count(), 1, "{words:?}: {told}");
    }
    assert!(!bench.path("x.csv").exists());
    let (plan, _) = bench.expect(0, &["plan", "games.pgn", "--slices", "1"]);
    let scan = ["scan", "--slice", plan.trim(), "mate.cql", "all.cql", "-o", "one.part"];
    assert_eq!(bench.expect(2, &scan).1, expected);
    // A program gets the mistakes with their places, once.
    for words in [&["check", "--json"][..], &["check", "--json", "mate.cql", "all.cql"]] {
        let (stdout, told) = bench.expect(2, words);
        assert_eq!(told, expected);
        let line: serde_json::Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!(line["project"], "babson.toml");
        let mistake = serde_json::json!({
            "severity": "error",
            "code": "project-file",
            "message": "`databse` is not a setting of a project",
            "help": "did you mean `database`?",
            "span": [0, 7],
        });
        assert_eq!(line["diagnostics"][0], mistake);
        assert_eq!(line["diagnostics"].as_array().unwrap().len(), 2);
    }
    for (text, place) in [
        (&b"dialect = 'cqli"[..], "babson.toml:1:16: "),
        (b"# \xe9", "babson.toml:1:3: the file is not UTF-8 from here on"),
        (b"\xff\xfed\0", "babson.toml:1:1: "),
        (b"[database]\npath = 'games.pgn'", "babson.toml:1:1: `database` is a path"),
    ] {
        bench.put("babson.toml", text);
        let (_, told) = bench.expect(2, &["check", "mate.cql"]);
        assert!(told.contains(place), "{told}");
    }
    bench.put("babson.toml", &vec![b'#'; 2 << 20]);
    let (_, told) = bench.expect(3, &["check", "mate.cql"]);
    assert!(told.contains("cannot read babson.toml: it has more than 1 MiB"), "{told}");
}

#[test]
fn queries_of_two_projects_need_a_database() {
    let bench = bench("database = 'games.pgn'");
    bench.put("q/babson.toml", b"database = '../one.pgn'");
    bench.put("q/two.cql", b"cql() initial");
    let words = ["mate.cql", "q/two.cql", "-o", "all.csv"];
    let (_, told) = bench.expect(2, &words);
    assert_eq!(
        told,
        "babson: the queries are of several projects, babson.toml and q/babson.toml: name the \
         games with -i\n"
    );
    // The same file under another name is another database.
    bench.put("q/babson.toml", b"database = '../games.pgn'");
    bench.expect(2, &words);
    bench.expect(0, &["q", "-o", "all.csv"]);
}

/// The merge needs no project file: the part of a slice has what it says.
#[test]
fn a_part_keeps_the_project() {
    let bench = bench("dialect = 'cql6'");
    bench.put("remark.cql", REMARK);
    let (plan, _) = bench.expect(0, &["plan", "games.pgn", "--slices", "1"]);
    bench.expect(0, &["scan", "--slice", plan.trim(), "remark.cql", "-o", "one.part"]);
    fs::remove_file(bench.path("babson.toml")).unwrap();
    assert_eq!(bench.expect(0, &["merge", "one.part", "--count"]).0, "2\n");
}
