//! The programs in `examples/`, which `cargo test` builds: each is run and its output checked.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use babson::{FileSink, Match, Query, Scan, Task};

const MATES: &str = "[White \"a\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"b\"]\n\n1. d4 Ke5 *\n\n\
                     [White \"c\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n";

/// Starts an example with pipes for standard input and output.
fn start(name: &str, words: &[&str]) -> Child {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(Path::parent).unwrap();
    let program = folder.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "{}: `cargo test -p babson` builds it", program.display());
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

/// Runs an example and returns what it prints.
fn run(name: &str, words: &[&str], stdin: &str) -> String {
    let mut child = start(name, words);
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{name} {words:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn file(folder: &Path, name: &str) -> (PathBuf, String) {
    let path = folder.join(name);
    let text = path.to_str().unwrap().to_owned();
    (path, text)
}

#[test]
fn match_fen() {
    assert_eq!(run("match_fen", &["#R", "4k3/8/8/8/8/8/8/R3K2R w KQ -"], ""), "2\n");
    assert_eq!(run("match_fen", &["wtm R", "4k3/8/8/8/8/8/8/R3K2R w KQ -"], ""), "[a1,h1]\n");
}

#[test]
fn collect_fens() {
    let folder = tempfile::tempdir().unwrap();
    let (path, name) = file(folder.path(), "games.pgn");
    std::fs::write(path, MATES).unwrap();
    let fens = run("collect_fens", &["mate", &name, &name], "");
    assert_eq!(fens.lines().count(), 4);
    assert!(fens.starts_with("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w"), "{fens}");
}

#[test]
fn live_filter() {
    let lines = run("live_filter", &["mate"], MATES);
    let games = lines.lines().map(|line| serde_json::from_str::<Match>(line).unwrap().game);
    assert_eq!(games.collect::<Vec<_>>(), [1, 3]);
    // A reader that goes away ends the filter without an error.
    let mut child = start("live_filter", &["mate"]);
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(MATES.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn colored_squares() {
    let board = run("colored_squares", &["R & _ attackedby k", "8/8/8/8/8/8/1k6/R3K2R w KQ -"], "");
    assert!(board.contains(": R\n") && board.contains(": k\n"), "{board}");
    assert_eq!(board.lines().filter(|line| line.len() == 8).count(), 8, "{board}");
}

#[test]
fn sqlite_sink() {
    let folder = tempfile::tempdir().unwrap();
    let (path, name) = file(folder.path(), "games.pgn");
    std::fs::write(path, MATES).unwrap();
    let (table, table_name) = file(folder.path(), "matches.sqlite");
    run("sqlite_sink", &["mate", &name, &table_name], "");
    let table = rusqlite::Connection::open(table).unwrap();
    let sum = "SELECT count(*), sum(game), sum(ply) FROM matches";
    let sums = table.query_row(sum, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    assert_eq!(sums.unwrap(), (2, 4, 9));
}

#[test]
fn slices() {
    let folder = tempfile::tempdir().unwrap();
    let (path, name) = file(folder.path(), "games.pgn");
    std::fs::write(&path, MATES.repeat(100)).unwrap();
    let (sliced, sliced_name) = file(folder.path(), "sliced.pgn");
    let (whole, _) = file(folder.path(), "whole.pgn");
    let text = "sort gamenumber mate";
    run("slices", &[text, &name, &sliced_name], "");
    let query = Query::compile(text).unwrap();
    let task = Task::new(&query).sink(FileSink::pgn(&whole));
    Scan::open([path]).unwrap().task(task).run().unwrap();
    let whole = std::fs::read(whole).unwrap();
    assert!(whole.len() > 1000);
    assert_eq!(std::fs::read(sliced).unwrap(), whole);
    // The parts are removed.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
}
