//! The first tries of newcomers, each with the sentence that it gets: `table.txt`.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const TABLE: &str = include_str!("table.txt");

const GAMES: &str = "[Event \"a\"]\n[WhiteElo \"2600\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
                     [Event \"b\"]\n[White \"Alekhine, Alexander\"]\n\n1. e4 *\n\n[Event \"c\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";

/// A row of the table.
struct Try<'t> {
    typed: &'t str,
    code: i32,
    sentences: Vec<&'t str>,
}

impl Try<'_> {
    fn read(line: &str) -> Try<'_> {
        let mut cells = line.split(" | ").map(str::trim);
        let (typed, code) = (cells.next().unwrap(), cells.next().unwrap());
        let code = code.parse().unwrap_or_else(|_| panic!("{line}"));
        Try { typed, code, sentences: cells.collect() }
    }

    /// The lines that the sentences give to be typed.
    fn lines(&self) -> Vec<&str> {
        let mut lines = Vec::new();
        for sentence in &self.sentences {
            let pieces: Vec<&str> = sentence.split('`').collect();
            let quoted = pieces.chunks_exact(2).map(|pair| (pair[0], pair[1]));
            let is_line = |(before, line): &(&str, &str)| {
                before.ends_with("write ") || line.starts_with("babson ")
            };
            lines.extend(quoted.filter(is_line).map(|(_, line)| line));
        }
        lines
    }
}

fn rows() -> Vec<Try<'static>> {
    let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(Try::read).collect()
}

/// A folder with what a newcomer has, and with the names that stand in the sentences.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    fs::create_dir(folder.path().join("FOLDER")).unwrap();
    ["games.pgn", "GAMES.pgn", "FOLDER/games.pgn"].into_iter().for_each(|name| put(name, GAMES));
    put("QUERY.cql", "cql() mate");
    folder
}

/// Runs a line in the shell.
fn shell(folder: &Path, line: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_babson"));
    let mut path = program.parent().unwrap().as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.current_dir(folder).env("PATH", path).env_remove("BABSON_CONFIG").args(["-c", line]);
    shell.stdin(Stdio::null()).output().unwrap()
}

/// The line of the shell in which this piece of advice is followed.
fn followed(advice: &str) -> String {
    if advice.starts_with("babson ") {
        return advice.to_owned();
    }
    if advice.ends_with(".cql") {
        return format!("babson games.pgn {advice}");
    }
    if advice.starts_with('-') {
        return format!("babson games.pgn --cql true {advice}");
    }
    format!("babson check --cql '{advice}'")
}

#[test]
fn first_tries() {
    let rows = rows();
    assert!(rows.len() >= 60, "{}", rows.len());
    let mut wrong = Vec::new();
    for row in &rows {
        // With this feature they are inputs.
        if cfg!(feature = "remote") && row.typed.contains("http") {
            continue;
        }
        let folder = folder();
        let Output { status, stdout, stderr } = shell(folder.path(), row.typed);
        let answer = String::from_utf8_lossy(&stdout) + String::from_utf8_lossy(&stderr);
        if status.code() != Some(row.code) {
            wrong.push(format!("{}\n  exit code {status}:\n{answer}", row.typed));
        }
        assert!(!row.sentences.is_empty(), "{}", row.typed);
        for sentence in row.sentences.iter().filter(|sentence| !answer.contains(**sentence)) {
            wrong.push(format!("{}\n  does not say: {sentence}\n{answer}", row.typed));
        }
        for line in row.lines() {
            let line = followed(line);
            let Output { status, stdout, stderr } = shell(folder.path(), &line);
            if !status.success() {
                let answer = String::from_utf8_lossy(&stdout) + String::from_utf8_lossy(&stderr);
                wrong.push(format!("{}\n  leads to {line}, {status}:\n{answer}", row.typed));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
