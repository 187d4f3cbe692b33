//! The command as a whole: bad input, exit codes, streams, and the same bytes whatever the threads.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const GAMES: &[u8] = b"[Event \"a\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Event \"b\"]\n\n1. e4 *\n\n\
                       [Event \"c\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";

/// The command in a folder of its own, without progress.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Bench {
        let bench = Bench {
            folder: tempfile::tempdir().unwrap(),
        };
        bench.put("games.pgn", GAMES);
        bench.put("mate.cql", b"cql() mate");
        bench.put("all.cql", b"cql() initial");
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    fn get(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_babson"));
        command
            .current_dir(self.folder.path())
            .args(words)
            .arg("--noprogress");
        command
    }

    fn run(&self, words: &[&str]) -> Output {
        self.command(words).stdin(Stdio::null()).output().unwrap()
    }

    /// Runs and expects this exit code; standard output and standard error.
    fn expect(&self, code: i32, words: &[&str]) -> (String, String) {
        let output = self.run(words);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(
            output.status.code(),
            Some(code),
            "{words:?}\n{stdout}\n{stderr}"
        );
        assert!(!stderr.contains("panicked"), "{stderr}");
        (stdout, stderr)
    }
}

fn corpus(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../corpus/games")
        .join(name)
        .display()
        .to_string()
}

fn gzip_members(parts: &[&[u8]]) -> Vec<u8> {
    let mut all = Vec::new();
    for part in parts {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(part).unwrap();
        all.extend(encoder.finish().unwrap());
    }
    all
}

#[test]
fn a_run_and_its_summary() {
    let bench = Bench::new();
    let (stdout, _) = bench.expect(0, &["-i", "games.pgn", "-o", "out.pgn", "mate", "-s"]);
    let last = stdout.lines().last().unwrap();
    assert!(last.starts_with("2 matches of 3 games in 0."), "{last}");
    assert!(
        last.ends_with(" seconds using 1 thread to out.pgn"),
        "{last}"
    );
    assert!(
        String::from_utf8(bench.get("out.pgn"))
            .unwrap()
            .contains("2.g4 Qh4# {CQL} 0-1")
    );
    bench.expect(0, &["-i", "games.pgn", "mate.cql"]);
    assert_eq!(bench.get("mate-out.pgn"), bench.get("out.pgn"));
}

#[test]
fn queries_with_errors() {
    let bench = Bench::new();
    for (query, word) in [
        ("cql() matee", "matee"),
        ("cql() {mate", "{mate"),
        ("cql() K + 1", "1:"),
        ("", "empty"),
        ("// x", "empty"),
    ] {
        bench.put("bad.cql", query.as_bytes());
        let (stdout, stderr) = bench.expect(1, &["-i", "games.pgn", "bad.cql"]);
        assert!(stdout.is_empty());
        assert!(
            stderr.contains("bad.cql:1") && stderr.contains('^'),
            "{query}: {stderr}"
        );
        assert!(stderr.contains(word), "{query}: {stderr}");
        assert!(!bench.path("bad-out.pgn").exists());
        bench.expect(1, &["check", "bad.cql"]);
    }
    let (_, told) = bench.expect(0, &["check", "mate.cql"]);
    assert_eq!(told, "", "nothing to say");
    bench.put("moves.cql", b"wtm\nmovenumber > 20\n");
    let (_, told) = bench.expect(0, &["check", "moves.cql"]);
    for part in [
        "warning",
        "moves.cql:2:1",
        "movenumber_from_fen",
        "--dialect",
    ] {
        assert!(told.contains(part), "{part} is missing: {told}");
    }
    for dialect in ["cqli", "cql6"] {
        let (_, told) = bench.expect(0, &["check", "--dialect", dialect, "moves.cql"]);
        assert_eq!(told, "", "the author chose");
    }
    let (_, told) = bench.expect(0, &["-i", "games.pgn", "moves.cql"]);
    assert!(!told.contains("warning"), "a run says nothing: {told}");
    let (stdout, _) = bench.expect(0, &["explain", "mate.cql"]);
    assert!(stdout.contains("mate") || stdout.contains("Mate"));
}

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
        &["-i", "games.pgn", "-o", "out.csv", "mate"],
        &["-i", "games.pgn", "--hhdb", "x", "mate"],
        &["-i", "games.pgn", "mate", "all"],
        &["-i", "games.pgn", "--quiet", "--silent", "mate"],
    ] {
        let (_, stderr) = bench.expect(2, words);
        assert!(stderr.starts_with("babson: "), "{stderr}");
    }
}

#[test]
fn inputs_and_outputs_that_fail() {
    let bench = Bench::new();
    bench.put("broken.pgn.zst", b"\x28\xb5\x2f\xfdnot really a frame");
    fs::create_dir(bench.path("folder")).unwrap();
    for words in [
        &["-i", "missing.pgn", "mate"][..],
        &["-i", "games.pgn", "missing.cql"],
        &["-i", "games.pgn", "-o", "folder", "mate"],
        &["-i", "games.pgn", "-o", "no/such/folder.pgn", "mate"],
        &["-i", "broken.pgn.zst", "mate"],
    ] {
        let (_, stderr) = bench.expect(3, words);
        assert!(stderr.contains("cannot "), "{stderr}");
    }
    assert!(!bench.path("mate-out.pgn").exists());
    #[cfg(target_os = "linux")]
    {
        let (_, stderr) = bench.expect(3, &["-i", "games.pgn", "-o", "/dev/full", "mate"]);
        assert!(stderr.contains("cannot write /dev/full"), "{stderr}");
    }
}

#[test]
fn odd_databases_are_no_failures() {
    let bench = Bench::new();
    let nest = format!("[Event \"n\"]\n\n1. e4 {} *\n", "(1. d4 ".repeat(200_000));
    let mut state = 1u64;
    let random: Vec<u8> = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 56) as u8
    })
    .take(300_000)
    .collect();
    for (name, bytes) in [
        ("empty.pgn", Vec::new()),
        ("long.pgn", vec![b'x'; 20 << 20]),
        ("random.pgn", random),
        ("nest.pgn", nest.into_bytes()),
    ] {
        bench.put(name, &bytes);
        let (stdout, _) = bench.expect(0, &["-i", name, "-o", "out.pgn", "mate", "-variations"]);
        assert!(stdout.contains("0 matches of "), "{name}: {stdout}");
        assert!(bench.get("out.pgn").is_empty());
    }
}

#[test]
fn damaged_games_are_reported_and_kept() {
    let bench = Bench::new();
    let text =
        b"[Event \"a\"]\n\n1. e4 e5 2. Ke5 *\n\n[Event \"b\"]\n\n1. e4 { no end\n\n".to_vec();
    bench.put("bad.pgn", &[&text[..], GAMES].concat());
    let words = [
        "-i",
        "bad.pgn",
        "-o",
        "out.pgn",
        "--rejects",
        "rejects.pgn",
        "all",
    ];
    let (stdout, stderr) = bench.expect(0, &words);
    assert!(
        stderr.contains("bad.pgn:3: game 1: illegal move: Ke5"),
        "{stderr}"
    );
    assert!(stderr.contains("bad.pgn:7: game 2: "), "{stderr}");
    let lines: Vec<&str> = stdout.lines().collect();
    assert!(
        lines[lines.len() - 2].starts_with("2 damaged games"),
        "{stdout}"
    );
    assert!(
        lines[lines.len() - 1].starts_with("5 matches of 5 games"),
        "{stdout}"
    );
    let rejects = String::from_utf8(bench.get("rejects.pgn")).unwrap();
    assert!(rejects.contains("Ke5") && rejects.contains("no end") && !rejects.contains("Qh4#"));
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let bench = Bench::new();
    let games = corpus("masters-2k.pgn");
    bench.put(
        "sort.cql",
        b"cql() check message(\"here\") sort \"ply\" ply",
    );
    for query in ["mate", "sort"] {
        let run = |threads: &str, out: &str| {
            let words = ["-i", &games, "-o", out, "--threads", threads, query];
            let (stdout, _) = bench.expect(0, &words);
            let messages: Vec<String> = stdout
                .lines()
                .filter(|line| line.starts_with("Game: "))
                .map(str::to_owned)
                .collect();
            (bench.get(out), messages)
        };
        let one = run("1", "one.pgn");
        assert!(!one.0.is_empty());
        assert!(one == run("8", "eight.pgn"), "{query}");
    }
}

#[test]
fn all_kinds_of_input() {
    let bench = Bench::new();
    let (head, tail) = GAMES.split_at(60);
    fs::create_dir(bench.path("db")).unwrap();
    bench.put("a.pgn.gz", &gzip_members(&[head, tail]));
    let frame = |bytes: &[u8]| zstd::encode_all(bytes, 1).unwrap();
    bench.put("a.pgn.zst", &[frame(head), frame(tail)].concat());
    bench.put("db/1.pgn", GAMES);
    bench.put("db/2.pgn.gz", &gzip_members(&[GAMES]));
    for (input, count) in [
        ("games.pgn", "2\n"),
        ("a.pgn.gz", "2\n"),
        ("a.pgn.zst", "2\n"),
        ("db", "4\n"),
    ] {
        let (stdout, stderr) = bench.expect(0, &["-i", input, "--count", "mate"]);
        assert_eq!(stdout, count, "{input}");
        assert!(stderr.contains("matches of"));
    }
    let mut child = bench
        .command(&["-i", "-", "-o", "-", "mate"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(GAMES).unwrap();
    let output = child.wait_with_output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success()
            && stdout.matches("{CQL}").count() == 2
            && !stdout.contains("matches of")
    );
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let bench = Bench::new();
    let games = corpus("masters-2k.pgn");
    let mut child = bench
        .command(&["-i", &games, "-o", "-", "all"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn several_queries_in_one_scan() {
    let bench = Bench::new();
    bench.put("bad.cql", b"cql() nonsense");
    let words = [
        "-i",
        "games.pgn",
        "-o",
        "out/",
        "mate.cql",
        "bad.cql",
        "all.cql",
    ];
    bench.expect(1, &words);
    bench.expect(0, &["-i", "games.pgn", "-o", "single.pgn", "mate.cql"]);
    assert_eq!(bench.get("out/mate.pgn"), bench.get("single.pgn"));
    assert!(!bench.path("out/bad.pgn").exists());
    let summary = String::from_utf8(bench.get("out/summary.csv")).unwrap();
    let lines: Vec<&str> = summary.lines().collect();
    assert_eq!(lines[0], "query,status,games,positions,seconds");
    assert!(lines[1].starts_with("mate,ok,2,2,"), "{summary}");
    assert!(
        lines[2].contains("error: ") && lines[2].starts_with("bad,"),
        "{summary}"
    );
    assert!(lines[3].starts_with("all,ok,3,3,"), "{summary}");
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
fn json_lines_and_perft() {
    let bench = Bench::new();
    bench.expect(0, &["-i", "games.pgn", "-o", "out.jsonl", "mate"]);
    let text = String::from_utf8(bench.get("out.jsonl")).unwrap();
    let first = text.lines().next().unwrap();
    assert!(
        first.starts_with(
            "{\"game\": 1, \"positions\": [{\"id\": 4, \"ply\": 4, \"fen\": \"rnb1kbnr/"
        ),
        "{first}"
    );
    assert!(
        first.contains("\"comments\": [{\"id\": 4, \"text\": \"CQL\"}]"),
        "{first}"
    );
    let output = Command::new(env!("CARGO_BIN_EXE_babson"))
        .args(["perft", "3"])
        .output()
        .unwrap();
    assert_eq!(output.stdout, b"8902\n");
}
