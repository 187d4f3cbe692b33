//! The outputs without names.

use crate::bench::Bench;

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
