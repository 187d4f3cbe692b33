//! Standard output and standard error that are closed or full, and threads that do not start.

use std::process::Output;

use crate::bench::{Bench, corpus};

const FEN: &str = "6k1/8/6K1/8/8/8/8/R7 w - - 4 30";

/// A command line of every command that prints a result.
const PRINTERS: &[&[&str]] = &[
    &[],
    &["-h"],
    &["--version"],
    &["check", "--help"],
    &["games.pgn", "mate.cql"],
    &["games.pgn", "mate.cql", "-o", "found.pgn"],
    &["games.pgn", "mate.cql", "-o", "-"],
    &["games.pgn", "mate.cql", "--format", "csv"],
    &["games.pgn", "mate.cql", "--group", "result"],
    &["games.pgn", "mate.cql", "-q", "--count"],
    &["games.pgn", "mate.cql", "-q", "--guipgnstdout"],
    &["games.pgn", "mate.cql", "--dryrun"],
    &["odd.pgn", "mate.cql", "-q", "--rejects", "-", "-o", "found.pgn"],
    &["games.pgn", "mate.cql", "all.cql", "-o", "found"],
    &["games.pgn", "mate.cql", "all.cql", "-q", "--count"],
    &["explain", "mate.cql"],
    &["why", "games.pgn", "mate.cql", "-g", "1"],
    &["profile", "mate.cql", "-i", "games.pgn"],
    &["plan", "games.pgn"],
    &["merge", "0.part", "-o", "-"],
    &["merge", "0.part", "-o", "found.pgn"],
    &["pack", "games.pgn", "-o", "games.arrow"],
    &["pack", "--check", "packed.arrow"],
    &["convert", "--to", "unicode", "mate.cql"],
    &["position", FEN],
    &["position", FEN, "--json"],
    &["perft", FEN, "2"],
    &["completions", "bash"],
    &["man"],
    &["help", "mate"],
];

/// Runs with these redirections of a shell. Those of standard error lose the messages.
fn redirected(bench: &Bench, words: &[&str], redirections: &str) -> Output {
    let babson = bench.command(&[]);
    let mut shell = std::process::Command::new("sh");
    shell.arg("-c").arg(format!("exec \"$@\" {redirections}")).arg("sh");
    shell.arg(babson.get_program()).args(words);
    shell.current_dir(bench.path("")).env_remove("BABSON_CONFIG");
    shell.stdin(std::process::Stdio::null()).output().unwrap()
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.put("odd.pgn", b"[Event \"odd\"]\n\n1. e4 e5 2. Ke4 *\n");
    bench.expect(0, &["pack", "games.pgn", "-o", "packed.arrow"]);
    let (slice, _) = bench.expect(0, &["plan", "games.pgn", "--slices", "1"]);
    bench.expect(0, &["scan", "--slice", &slice, "mate.cql", "-o", "0.part"]);
    bench
}

/// What cannot be printed is an error: it is not lost without a word.
#[test]
fn results_that_cannot_be_printed() {
    let bench = bench();
    let (slice, _) = bench.expect(0, &["plan", "games.pgn", "--slices", "1"]);
    let scans = [
        vec!["scan", "--slice", &slice, "mate.cql", "-o", "1.part"],
        vec!["scan", "--slice", &slice, "mate.cql", "-o", "-"],
    ];
    let printers = PRINTERS.iter().map(|words| words.to_vec()).chain(scans);
    for words in printers {
        // Open only for reading is as good as closed.
        let full = if cfg!(target_os = "linux") { ">/dev/full" } else { ">&-" };
        for redirection in [">&-", "1</dev/null", full] {
            let output = redirected(&bench, &words, redirection);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(3), "{words:?} {redirection}\n{stderr}");
            assert!(stderr.contains("cannot write stdout: "), "{words:?} {redirection}\n{stderr}");
            let without = redirected(&bench, &words, &format!("{redirection} 2>&-"));
            assert_eq!(without.status.code(), Some(3), "{words:?} {redirection} 2>&-");
        }
        let output = redirected(&bench, &words, "2>&-");
        assert_eq!(output.status.code(), Some(0), "{words:?} 2>&-");
        let output = redirected(&bench, &words, ">/dev/null");
        assert_eq!(output.status.code(), Some(0), "{words:?} >/dev/null");
    }
    // Nothing is printed, so nothing is lost.
    let silent = ["games.pgn", "mate.cql", "-q", "-o", "found.pgn"];
    assert_eq!(redirected(&bench, &silent, ">&- 2>&-").status.code(), Some(0));
    assert!(bench.text("found.pgn").contains("Qh4#"));
}

/// Standard output that cannot take the matches is found before the search.
#[test]
fn a_closed_output_is_found_before_the_search() {
    let bench = Bench::new();
    for words in [
        &["games.pgn", "-o", "-", "-o", "found.pgn", "--cql", "message(\"here\") check"][..],
        &["games.pgn", "--count", "--cql", "message(\"here\") check"],
    ] {
        let output = redirected(&bench, words, ">&-");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{stderr}");
        assert_eq!(stderr, "babson: cannot write stdout: it is closed\n");
        assert!(!bench.path("found.pgn").exists());
    }
}

/// Under a limit of memory threads do not start: there are fewer, or none. A run ends with its
/// result or with an error, and never with a panic.
#[test]
#[cfg(target_os = "linux")]
fn threads_that_do_not_start() {
    let bench = Bench::new();
    let masters = corpus("masters-2k.pgn");
    let words = ["-i", &masters, "--threads", "200", "--nommap", "--count", "--cql", "mate"];
    let (expected, _) = bench.expect(0, &words);
    let mut fewer = 0;
    for kilobytes in [30_000, 60_000, 150_000, 400_000, 800_000] {
        let babson = bench.command(&[]);
        let mut shell = std::process::Command::new("sh");
        let script = format!("ulimit -v {kilobytes} && exec \"$@\"");
        shell.arg("-c").arg(script).arg("sh").arg(babson.get_program()).args(words);
        let output = shell.env_remove("BABSON_CONFIG").output().unwrap();
        let (stdout, stderr) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(!stderr.contains("panicked"), "{kilobytes}: {stderr}");
        match output.status.code() {
            Some(0) => {
                assert_eq!(stdout, expected, "{kilobytes}");
                fewer += usize::from(stderr.contains("of 200 threads could be started"));
            }
            Some(3) => assert!(stderr.contains("no thread could be started"), "{stderr}"),
            // The memory is too little for the program itself.
            None | Some(126 | 127 | 134 | 139) => {}
            code => panic!("{kilobytes}: {code:?} {stderr}"),
        }
    }
    assert!(fewer > 0, "no limit lets only some of the threads start");
}
