//! `commandpipe` and `--secure` through the command; `docs/examples/evaluate.py` with an engine.

#![cfg(unix)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{babson, text};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Whether a program is there; says so if it is not.
fn has(program: &str) -> bool {
    let there = Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .output()
        .is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("skipped: {program} is not installed");
    }
    there
}

#[test]
fn the_same_for_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let games = root().join("corpus/games/masters-2k.pgn");
    let games = games.to_str().unwrap();
    let mut outputs = Vec::new();
    for threads in ["1", "4"] {
        let query = r#"initial comment(commandpipe("cat" player white)) message quiet (commandpipe("cat" eco))"#;
        let output = babson(
            folder.path(),
            &["-i", games, "-o", "o.pgn", "--threads", threads, "--cql", query],
        );
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let written = fs::read(folder.path().join("o.pgn")).unwrap();
        let shown = text(&output.stdout).lines().take(2000).collect::<Vec<_>>().join("\n");
        outputs.push((written, shown));
    }
    assert!(outputs[0] == outputs[1]);
    assert!(text(&outputs[0].0).contains("{CQL}"));
}

#[test]
fn an_error_names_filter_and_game() {
    let folder = tempfile::tempdir().unwrap();
    let games =
        "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n\n[Event \"c\"]\n\n1. c4 *\n";
    fs::write(folder.path().join("g.pgn"), games).unwrap();
    // It answers the first request, then ends.
    let query = r#"initial commandpipe("sh -c 'read x; echo $x'" event)"#;
    let output = babson(folder.path(), &["-s", "-i", "g.pgn", "-o", "o.pgn", "--cql", query]);
    let shown = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.contains("game 2: commandpipe: \"sh -c read x; echo $x\": it ended"), "{shown}");
    assert!(shown.contains("exit status: 0"), "{shown}");
    let written = text(&fs::read(folder.path().join("o.pgn")).unwrap());
    assert!(written.contains("\"a\"") && !written.contains("\"b\"") && written.contains("\"c\""));
    // One that hangs.
    let query = r#"initial commandpipe("sleep 100" event)"#;
    let output = babson(
        folder.path(),
        &["-i", "g.pgn", "-o", "p.pgn", "--pipetimeout", "1", "--limit", "1", "--cql", query],
    );
    let shown = text(&output.stderr);
    assert!(shown.contains("no answer within 1 s (the run ends)"), "{shown}");
    assert!(shown.contains("= help: `--pipetimeout N` waits N seconds"), "{shown}");
    assert!(shown.contains("the run ends"), "{shown}");
    assert!(!folder.path().join("p.pgn").exists());
}

#[test]
fn a_secure_run_starts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("g.pgn"), "[Event \"a\"]\n\n1. e4 *\n").unwrap();
    for (name, filter) in [
        ("commandpipe", r#"flipcolor {Kg1 commandpipe("touch seen" "x")}"#),
        ("readfile", r#"readfile "g.pgn""#),
        ("writefile", r#"writefile("seen.cqo" "x")"#),
        ("similarposition", r#"similarposition "g.pgn""#),
        ("commandpipe", r#"function F() {commandpipe("touch seen" "x")} F() F()"#),
        ("readfile", r#"cqlbegin {x = readfile "g.pgn"} initial"#),
        ("writefile", r#"initial cqlend {writefile("seen.cqo" "x")}"#),
    ] {
        fs::write(folder.path().join("q.cql"), format!("cql()\n  {filter}\n")).unwrap();
        let output = babson(folder.path(), &["--secure", "-i", "g.pgn", "-o", "o.pgn", "q.cql"]);
        let shown = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{shown}");
        assert!(shown.contains(&format!("`{name}` is forbidden by --secure")), "{shown}");
        assert!(shown.contains("q.cql:2:"), "{shown}");
        assert_eq!(shown.matches("forbidden").count(), 1, "{shown}");
        assert!(!folder.path().join("o.pgn").exists());
        assert!(!folder.path().join("seen").exists() && !folder.path().join("seen.cqo").exists());
    }
    let output =
        babson(folder.path(), &["--secure", "-i", "g.pgn", "-o", "o.pgn", "--cql", "initial"]);
    assert_eq!(output.status.code(), Some(0));
}

/// The query that asks the example's engine, and what it prints.
fn evaluations(engine: &str, depth: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let games = "[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\"]\n\n1. Ra8# 1-0\n";
    fs::write(folder.path().join("g.pgn"), games).unwrap();
    let script = root().join("docs/examples/evaluate.py").canonicalize().unwrap();
    let query = format!(
        r#"if value = int commandpipe("python3 '{}' {engine} {depth}" currentfen) then message quiet (value) else message quiet ("none")"#,
        script.display()
    );
    let output = babson(folder.path(), &["-i", "g.pgn", "--count", "--cql", &query]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout) + &text(&output.stderr)
}

#[test]
fn the_example_talks_to_an_engine() {
    if !has("python3") {
        return;
    }
    // A stand-in that knows one answer.
    let folder = tempfile::tempdir().unwrap();
    let engine = folder.path().join("engine.sh");
    let lines = [
        "#!/bin/sh",
        "while read word rest; do case \"$word\" in",
        "uci) echo uciok ;; isready) echo readyok ;; quit) exit ;;",
        "position) fen=\"$rest\" ;;",
        "go) case \"$fen\" in *\" w \"*) echo info depth 1 score cp 31 nodes 5 ;; esac; echo bestmove a1a8 ;;",
        "esac; done",
    ];
    fs::write(&engine, lines.join("\n") + "\n").unwrap();
    std::fs::set_permissions(&engine, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let shown = evaluations(engine.to_str().unwrap(), "1");
    assert!(shown.contains("31\nnone\n"), "{shown}");
}

#[test]
fn the_example_talks_to_stockfish() {
    if has("python3") && has("stockfish") {
        let shown = evaluations("stockfish", "6");
        assert!(shown.contains("9999\nnone\n"), "{shown}");
    }
}

#[test]
fn a_signal_ends_the_programs_too() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("g.pgn"), "[Event \"a\"]\n\n1. e4 *\n").unwrap();
    // It never answers, does not care that nobody asks, and has a child.
    let query = r#"commandpipe("sh -c 'sleep 300 & echo $$ $! > pids.new; mv pids.new pids; while :; do sleep 1; done'" "x")"#;
    let mut child = Command::new(env!("CARGO_BIN_EXE_babson"))
        .current_dir(folder.path())
        .args(["-i", "g.pgn", "--count", "--pipetimeout", "0", "--cql", query])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // So many looks are enough on any machine: each comes after the others have had the processor.
    let mut looks = 0;
    let mut wait = |what: &str| {
        looks += 1;
        assert!(looks < MAX_LOOKS, "{what}");
        std::thread::sleep(std::time::Duration::from_millis(10));
    };
    let pids = loop {
        match fs::read_to_string(folder.path().join("pids")) {
            Ok(text) => break text,
            Err(_) => wait("the program starts"),
        }
    };
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert!(!child.wait().unwrap().success());
    for pid in pids.split_whitespace() {
        let alive = || {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            !stat.is_empty() && !stat.contains(") Z ")
        };
        while alive() {
            wait("the program ends");
        }
    }
}

/// A program that answers twice: the same error every time, for any number of threads, and no
/// output.
#[test]
fn two_lines_for_a_request_are_always_the_same_error() {
    let folder = tempfile::tempdir().unwrap();
    let games = "[Event \"a\"]\n\n1. e4 *\n\n".repeat(3000);
    fs::write(folder.path().join("g.pgn"), games).unwrap();
    for script in [
        "while read x; do echo a; echo b; done",
        "while read x; do echo a; sleep 0.002; echo b; done",
    ] {
        let query = format!(r#"initial commandpipe("sh -c '{script}'" event)"#);
        let mut told = Vec::new();
        for threads in ["1", "1", "3", "3"] {
            let words = ["-i", "g.pgn", "-o", "o.pgn", "--threads", threads, "--cql", &query];
            let output = babson(folder.path(), &words);
            assert_eq!(output.status.code(), Some(1));
            assert!(!folder.path().join("o.pgn").exists());
            told.push(text(&output.stderr));
        }
        assert!(told[0].contains("game 1: commandpipe"), "{}", told[0]);
        assert!(told[0].contains("more than one line for a request (the run ends)"), "{}", told[0]);
        assert!(told.iter().all(|other| *other == told[0]), "{told:#?}");
    }
    // The line that nobody asked for comes when all has been asked.
    let query = r#"initial commandpipe("sh -c 'while read x; do echo a; done; echo b'" event)"#;
    for threads in ["1", "3"] {
        let words = ["-i", "g.pgn", "-o", "o.pgn", "--threads", threads, "--cql", query];
        let output = babson(folder.path(), &words);
        let shown = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{shown}");
        assert!(shown.contains("more than one line for a request"), "{shown}");
        assert!(!folder.path().join("o.pgn").exists());
    }
}

/// As in a scan, what a program says too much is found after the last position.
#[test]
fn a_second_line_is_an_error_of_position_too() {
    let run = |query: &str, more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_babson"))
            .args(["position", "6k1/8/6K1/8/8/8/8/R7 w - - 4 30", "--cql", query])
            .args(more)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        (output.status.code(), text(&output.stderr))
    };
    let query = r#"commandpipe("sh -c 'while read x; do echo a; done; echo b'" "x")"#;
    for more in [&[][..], &["--json"]] {
        let (code, shown) = run(query, more);
        assert_eq!(code, Some(1), "{shown}");
        assert_eq!(shown.matches("more than one line for a request").count(), 1, "{shown}");
    }
    let (code, shown) = run(r#"commandpipe("cat" "x")"#, &[]);
    assert_eq!(code, Some(0), "{shown}");
}

/// Looks at what another process does before it counts as stuck.
const MAX_LOOKS: usize = 20_000;
