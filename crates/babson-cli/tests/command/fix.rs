//! `babson check --fix`: which mistakes it mends, and what it leaves to the author.

use std::fs;

use crate::bench::Bench;

/// A fix can make room for the next one: errors of the lexer hide errors of the grammar.
#[test]
fn certain_mistakes_are_mended_in_the_file() {
    let bench = Bench::new();
    let wrong = "// é\nMate && !wtm\nplayer “Carlsen”\n";
    bench.put("wrong.cql", wrong.as_bytes());
    let (stdout, told) = bench.expect(1, &["check", "wrong.cql"]);
    assert_eq!(stdout, "");
    assert!(told.ends_with("babson check --fix mends these mistakes\n"), "{told}");
    assert_eq!(bench.text("wrong.cql"), wrong);
    let (stdout, told) = bench.expect(0, &["check", "--fix", "wrong.cql"]);
    assert_eq!((&*stdout, &*told), ("", "babson: fixed 4 mistakes in wrong.cql\n"));
    assert_eq!(bench.text("wrong.cql"), "// é\nmate and not wtm\nplayer \"Carlsen\"\n");
    // A correct query is not written.
    let written = || fs::metadata(bench.path("wrong.cql")).unwrap().modified().unwrap();
    let before = written();
    let (stdout, told) = bench.expect(0, &["check", "--fix", "wrong.cql"]);
    assert_eq!((&*stdout, &*told, before), ("", "babson: nothing to fix\n", written()));
}

/// More mistakes than a check tells at once.
#[test]
fn many_mistakes_are_mended() {
    let bench = Bench::new();
    bench.put("wrong.cql", "Mate\n".repeat(60).as_bytes());
    let (_, told) = bench.expect(0, &["check", "--fix", "wrong.cql"]);
    assert_eq!(told, "babson: fixed 60 mistakes in wrong.cql\n");
    assert_eq!(bench.text("wrong.cql"), "mate\n".repeat(60));
}

#[test]
fn the_author_chooses_the_others() {
    let bench = Bench::new();
    bench.put("wrong.cql", b"mate\n  K atacks q\n");
    let (_, told) = bench.expect(1, &["check", "--fix", "wrong.cql"]);
    let shown = "wrong.cql:2: E0201: possible fix: replace by `attacks`: K attacks q\n\
                 babson: nothing was fixed; 1 error is left to you\n";
    assert!(told.contains("unknown name `atacks`") && told.ends_with(shown), "{told}");
    assert_eq!(bench.text("wrong.cql"), "mate\n  K atacks q\n");
    // A warning has fixes, too, and is not an error.
    bench.put("warned.cql", b"move Q");
    let (_, told) = bench.expect(0, &["check", "--fix", "warned.cql"]);
    let shown = "possible fix: replace by `move from Q`: move from Q\n\
                 babson: nothing was fixed; 1 warning is left to you\n";
    assert!(told.ends_with(shown), "{told}");
}

/// The query of standard input is printed with its fixes, as `fmt` does.
#[test]
fn standard_input_is_printed() {
    let bench = Bench::new();
    let run = |text: &str| {
        bench.put("query", text.as_bytes());
        let query = fs::File::open(bench.path("query")).unwrap();
        bench.command(&["check", "--fix", "-"]).stdin(query).output().unwrap()
    };
    let output = run("Mate");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "mate");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "babson: fixed 1 mistake in <stdin>\n");
    let output = {
        bench.put("query", b"Mate");
        let query = fs::File::open(bench.path("query")).unwrap();
        bench.command(&["check", "--fix", "--json", "-"]).stdin(query).output().unwrap()
    };
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["diagnostics"].as_array().map(Vec::len), Some(0), "only one of the two");
    let output = run("K atacks q");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "K atacks q");
    assert_eq!(output.status.code(), Some(1));
}

/// What is printed is what came in, also in another encoding and with a mark.
#[test]
fn standard_input_keeps_its_encoding() {
    let bench = Bench::new();
    for (query, printed, code) in [
        (&b"Mate // \xe9"[..], &b"Mate // \xe9"[..], 1),
        (b"mate // \xe9", b"mate // \xe9", 0),
        ("\u{feff}Mate".as_bytes(), "\u{feff}mate".as_bytes(), 0),
        ("\u{feff}mate".as_bytes(), "\u{feff}mate".as_bytes(), 0),
    ] {
        bench.put("query", query);
        let stdin = fs::File::open(bench.path("query")).unwrap();
        let output = bench.command(&["check", "--fix", "-"]).stdin(stdin).output().unwrap();
        assert_eq!(output.stdout, printed, "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code));
    }
}

/// A shell names a pipe for `<(…)`. It is read once, and not replaced by a file.
#[cfg(unix)]
#[test]
fn a_pipe_is_not_mended() {
    use std::io::Write as _;
    use std::process::Stdio;

    let bench = Bench::new();
    let run = |query: &[u8]| {
        let mut command = bench.command(&["check", "--fix", "/dev/stdin"]);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(query).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(run(b"mate"), (Some(0), "babson: nothing to fix\n".to_owned()));
    let (code, told) = run(b"Mate");
    assert_eq!(code, Some(3), "{told}");
    assert!(told.contains("cannot mend /dev/stdin: it is not a file on disk"), "{told}");
    let (code, told) = run(b"Mate // \xe9");
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("E0201") && !told.contains("cannot mend"), "{told}");
}

/// Filters of options and imported files are not changed; their fixes are shown.
#[test]
fn only_the_file_of_the_query_is_changed() {
    let bench = Bench::new();
    bench.put("mine.cql", b"import \"lib\" f() Mate");
    bench.put("lib.cql", b"function f() { CHECK }");
    let (_, told) = bench.expect(1, &["check", "--fix", "mine.cql"]);
    assert!(told.starts_with("babson: fixed 1 mistake in mine.cql\n"), "{told}");
    assert_eq!(bench.text("mine.cql"), "import \"lib\" f() mate");
    assert_eq!(bench.text("lib.cql"), "function f() { CHECK }");
    assert!(told.contains("lib.cql:1:16"), "{told}");
    let (stdout, told) = bench.expect(1, &["check", "--fix", "--cql", "CHECK"]);
    assert_eq!(stdout, "");
    assert!(told.contains("certain fix, not written: replace by `check`: check\n"), "{told}");
    // The fix of the file does not move with the filters before it.
    let words = ["check", "--fix", "--cql", "wtm && btm", "mine.cql"];
    bench.put("mine.cql", b"Mate");
    bench.expect(1, &words);
    assert_eq!(bench.text("mine.cql"), "Mate", "the errors of `wtm && btm` come first");
}

/// The hint promises what `--fix` does.
#[test]
fn the_hint_counts_what_is_mended() {
    let bench = Bench::new();
    bench.put("lib.cql", b"function f() { CHECK }");
    bench.put("one.cql", b"import \"lib\" f() Mate");
    bench.put("two.cql", b"import \"lib\" f()");
    bench.put("latin1.cql", b"Mate // \xe9");
    for (words, hint) in [
        (&["two.cql"][..], None),
        (&["--cql", "CHECK"], None),
        (&["latin1.cql"], None),
        (&["one.cql", "two.cql"], Some("mends 1 of these mistakes")),
        (&["one.cql", "two.cql", "lib.cql"], Some("mends 2 of these mistakes")),
    ] {
        let (_, told) = bench.expect(1, &[&["check"], words].concat());
        match hint {
            Some(hint) => assert!(told.contains(hint), "{words:?}: {told}"),
            None => assert!(!told.contains("babson check --fix"), "{words:?}: {told}"),
        }
    }
}

#[test]
fn what_cannot_be_mended_is_left() {
    let bench = Bench::new();
    let utf16: Vec<u8> = "\u{feff}Mate".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for wrong in
        [&b"Mate \xff"[..], &utf16, b"(match (position :mat))", b"", b"cql(dialect x) Mate"]
    {
        bench.put("wrong.cql", wrong);
        bench.expect(1, &["check", "--fix", "wrong.cql"]);
        assert_eq!(fs::read(bench.path("wrong.cql")).unwrap(), wrong);
    }
    // A comment in Latin-1 would become another text.
    bench.put("wrong.cql", b"Mate // \xe9");
    bench.expect(1, &["check", "--fix", "wrong.cql"]);
    assert_eq!(fs::read(bench.path("wrong.cql")).unwrap(), b"Mate // \xe9");
    // A byte-order mark stays.
    bench.put("wrong.cql", "\u{feff}Mate".as_bytes());
    bench.expect(0, &["check", "--fix", "wrong.cql"]);
    assert_eq!(bench.text("wrong.cql"), "\u{feff}mate");
    let path = bench.path("wrong.cql");
    fs::write(&path, "Mate").unwrap();
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let (_, told) = bench.expect(3, &["check", "--fix", "wrong.cql"]);
    assert!(told.contains("wrong.cql: it is read-only"), "{told}");
    assert_eq!(bench.text("wrong.cql"), "Mate");
    let (_, told) = bench.expect(3, &["check", "--fix", "missing.cql"]);
    assert!(told.contains("missing.cql"), "{told}");
}

/// What an imported file has is mended before the queries are checked that import it, whatever
/// their order is.
#[test]
fn imported_files_are_mended_first() {
    let bench = Bench::new();
    bench.put("a.cql", b"import \"l\"\nmate && c(K)\n");
    bench.put("l.cql", b"function c(S) { S && wtm }\n");
    let (stdout, told) = bench.expect(0, &["check", "--fix", "a.cql", "l.cql"]);
    assert_eq!(stdout, "");
    assert!(!told.contains("error["), "{told}");
    assert!(told.contains("fixed 2 mistakes in 2 files"), "{told}");
    assert_eq!(bench.text("a.cql"), "import \"l\"\nmate and c(K)\n");
    assert_eq!(bench.text("l.cql"), "function c(S) { S and wtm }\n");
    // The first file is mended twice, since what it imports hides its second mistake.
    bench.put("a.cql", b"import \"l\"\nmate && c(K)\nCHECK\n");
    bench.put("l.cql", b"function c(S) { S && wtm }\n");
    let (_, told) = bench.expect(0, &["check", "--fix", "a.cql", "l.cql"]);
    assert_eq!(told.matches("in a.cql").count(), 2, "{told}");
    assert!(told.contains("fixed 3 mistakes in 2 files"), "{told}");
    assert_eq!(bench.text("a.cql"), "import \"l\"\nmate and c(K)\ncheck\n");
}

/// A query of `--cql` has no file, so the author makes its certain fixes, too.
#[test]
fn a_certain_fix_that_no_file_takes_is_shown() {
    let bench = Bench::new();
    let (_, told) = bench.expect(1, &["check", "--fix", "--cql", "Mate"]);
    let shown = "E0201: certain fix, not written: replace by `mate`: mate\n\
                 babson: nothing was fixed; 1 error is left to you\n";
    assert!(told.ends_with(shown), "{told}");
}
