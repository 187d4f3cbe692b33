//! `import`: functions of other files.

use std::fs;

use crate::bench::Bench;

fn bench() -> Bench {
    let bench = Bench::new();
    for folder in ["q", "lib"] {
        fs::create_dir(bench.path(folder)).unwrap();
    }
    bench.put("q/mates.cql", b"import \"sides\"\nfunction matedby(s) { mate side(s) }\n");
    bench.put("lib/sides.cql", b"function side(s) { s attacks [kK] }\n");
    bench.put("q/main.cql", b"cql()\nimport \"mates\"\nmatedby(Q) or matedby(q)\n");
    bench
}

#[test]
fn a_query_runs_with_functions_of_files() {
    let bench = bench();
    let plain = bench
        .expect(0, &["-i", "games.pgn", "--count", "--cql", "mate (Q attacks k or q attacks K)"]);
    let line = ["-i", "games.pgn", "--count", "--import-path", "lib", "q/main.cql"];
    assert_eq!(bench.expect(0, &line).0, plain.0);
    for command in ["check", "explain"] {
        bench.expect(0, &[command, "--import-path", "lib", "q/main.cql"]);
    }
    let (_, told) = bench.expect(1, &["check", "q/main.cql"]);
    for part in ["q/mates.cql:1:8", "no file `sides`", "none of the searched folders: `q`; the"] {
        assert!(told.contains(part), "{part} is missing: {told}");
    }
    // All folders that were searched, in their order.
    bench.put("babson.toml", b"imports = ['gone']");
    bench.put("one.cql", b"import \"nosuch\" mate");
    let mut command = bench.command(&["check", "one.cql", "--import-path", "lib"]);
    let told = command.env("BABSON_PATH", "q").output().unwrap().stderr;
    let told = String::from_utf8(told).unwrap();
    let part = "it is in none of the searched folders: `.`, `lib`, `gone` (which does not exist), \
                `q`; the built-in library has `motifs`";
    assert!(told.contains(part), "{told}");
    fs::remove_file(bench.path("babson.toml")).unwrap();
    // A file of one of them was meant.
    bench.put("near.cql", b"function near() { mate }");
    bench.put("one.cql", b"import \"naer\" near()");
    let (_, told) = bench.expect(1, &["check", "--fix", "one.cql"]);
    assert!(told.contains("did you mean `near`? it is in none of the searched folders"), "{told}");
    assert!(told.contains("possible fix: replace by `\"near\"`: import \"near\" near()"), "{told}");
    // A query does not import itself.
    bench.put("mine.cql", b"import \"mime\" mate");
    let (_, told) = bench.expect(1, &["check", "mine.cql"]);
    assert!(!told.contains("did you mean"), "{told}");
    // The built-in library, also of a query without a file.
    bench.expect(0, &["-i", "games.pgn", "--count", "--cql", "import \"motifs\" doublecheck()"]);
    // Formatting and converting look at one file.
    bench.expect(0, &["fmt", "q/main.cql"]);
    let formatted = bench.text("q/main.cql");
    assert!(
        formatted.contains("import \"mates\"") && !formatted.contains("function"),
        "{formatted}"
    );
    bench.expect(0, &["convert", "--to", "unicode", "q/main.cql", "-o", "q/converted.cql"]);
    let converted = bench.text("q/converted.cql");
    assert!(
        converted.contains("import \"mates\"") && !converted.contains("function"),
        "{converted}"
    );
}

#[test]
fn errors_show_the_line_of_the_imported_file() {
    let bench = bench();
    bench.put("lib/sides.cql", b"// a comment\nfunction side(s) { s attaks k }\n");
    let (_, told) = bench.expect(1, &["check", "--import-path", "lib", "q/main.cql"]);
    assert!(told.contains("lib/sides.cql:2:"), "{told}");
    bench.put("lib/sides.cql", b"function matedby(s) { s }\n");
    let (_, told) = bench.expect(1, &["check", "--import-path", "lib", "q/main.cql"]);
    for part in ["`matedby` is already defined", "q/mates.cql:2:", "lib/sides.cql:1:"] {
        assert!(told.contains(part), "{part} is missing: {told}");
    }
    bench.put("lib/sides.cql", b"function side(s) { s }\ncheck\n");
    let (_, told) = bench.expect(1, &["check", "--import-path", "lib", "q/main.cql"]);
    for part in ["only functions", "lib/sides.cql:2:1"] {
        assert!(told.contains(part), "{part} is missing: {told}");
    }
    bench.put("lib/sides.cql", b"import \"../q/mates\"\n");
    let (_, told) = bench.expect(1, &["check", "--import-path", "lib", "q/main.cql"]);
    assert!(told.contains("imports itself: ") && told.contains(" → "), "{told}");
}

#[test]
fn secure_bounds_imports() {
    let bench = bench();
    let secure = |query: &str, status| {
        bench.put("q/s.cql", query.as_bytes());
        let line = ["-i", "games.pgn", "--count", "--secure", "--import-path", "lib", "q/s.cql"];
        bench.expect(status, &line).1
    };
    secure("import \"sides\" mate side(Q)", 0);
    secure("import \"motifs\" doublecheck()", 0);
    bench.put("other.cql", b"function f() { mate }");
    // Whoever wrote the query may have put a file beside it.
    bench.put("q/secret.txt", b"swordfish");
    bench.put("lib/secret.txt", b"swordfish");
    for name in ["mates", "mates.cql", "secret.txt", "secret"] {
        let told = secure(&format!("import \"{name}\" mate"), 1);
        assert!(told.contains("cannot be imported"), "{name}: {told}");
        assert!(!told.contains("swordfish"), "{name}: {told}");
    }
    let absolute = bench.path("q/mates.cql");
    for name in ["../other", "../q/mates", absolute.to_str().unwrap()] {
        let told = secure(&format!("import \"{name}\" mate"), 1);
        assert!(told.contains("forbidden"), "{name}: {told}");
    }
    // A query without a file has no folder.
    let line = ["-i", "games.pgn", "--count", "--secure", "--cql", "import \"other\" f()"];
    assert!(bench.expect(1, &line).1.contains("`other` cannot be imported"));
    bench.expect(0, &["-i", "games.pgn", "--count", "--cql", "import \"other\" f()"]);
}

/// An error shows the text of an imported file, so only queries are imported.
#[test]
fn only_queries_are_imported() {
    let bench = bench();
    for folder in ["q", "lib"] {
        bench.put(&format!("{folder}/secret.txt"), b"swordfish");
        bench.put(&format!("{folder}/.netrc"), b"swordfish");
    }
    for name in ["secret.txt", ".netrc", "../q/secret.txt", "../lib/.netrc"] {
        bench.put("q/s.cql", format!("import \"{name}\" mate").as_bytes());
        let (_, told) = bench.expect(1, &["check", "--import-path", "lib", "q/s.cql"]);
        assert!(told.contains("only files that end in .cql are"), "{name}: {told}");
        assert!(!told.contains("swordfish"), "{name}: {told}");
    }
    // With `--secure` the environment names no folder either.
    bench.put("mine.cql", b"import \"sides\" mate side(Q)");
    for (secure, code) in [(&["--secure"][..], 1), (&[], 0)] {
        let words = [&["-i", "games.pgn", "--count", "mine.cql"], secure].concat();
        let output = bench.command(&words).env("BABSON_PATH", "lib").output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{secure:?}");
    }
}
