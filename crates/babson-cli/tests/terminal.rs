//! On a terminal nothing that a game or a query holds is a command; programs get all bytes as they
//! are.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::{Command, Stdio};

/// Sequences that move the cursor, set the title, are one byte long, or turn the text around.
const GAMES: &str = "[Event \"a\u{1b}[2Jb\"]\n[White \"\u{1b}]0;owned\u{7}\"]\n[Black \"\u{9b}31m\u{202e}\u{2066}x\"]\n\n\
                     1. f3 e5 2. g4 Qh4# { \u{1b}c } 0-1\n\n[Event \"\u{1b}[31m\"]\n\n1. e4 \u{1b}[5m\u{202e}Ke5 *\n";

const COMMANDS: &[&str] = &[
    "-i games.pgn -o out.pgn query.cql",
    "-i games.pgn -o - query.cql",
    "-i games.pgn --count query.cql",
    "-i games.pgn -o out.pgn --debug query.cql",
    "-i games.pgn -guipgnstdout query.cql",
    "-i games.pgn -o out.pgn kept.cql --showdictionaries",
    "-i games.pgn -o out.pgn stopped.cql",
    "-i games.pgn -o out.pgn failing.cql",
    "-i games.pgn -o '{tag:White}.pgn' query.cql",
    "-i \"$(printf 'no\\033[2J.pgn')\" query.cql",
    "profile query.cql -i games.pgn",
    // The sequences of these names choose colors, as diagnostics do.
    "-i games.pgn -i \"$(printf '\\033[31mz.pgn')\" -o \"$(printf '\\033[31mout.pgn')\" query.cql",
    "-i games.pgn -o games.pgn \"$(printf '\\033[31mno.cql')\"",
    "check \"$(printf '\\033[31mwrong.cql')\"",
    "-i games.pgn \"$(printf '\\033[31mfailing.cql')\" -o out.pgn",
    "-i games.pgn --cql \"similarposition \\\"$(printf '\\033[31mno.pgn')\\\"\"",
    "-i games.pgn -o out.jpg --cql \"$(printf '\\033[31mmate')\"",
    "check wrong.cql",
    "check \"$(printf 'no\\033[2J.cql')\"",
    "explain query.cql",
    "--parse query.cql",
    "-echo query.cql",
    "fmt - < query.cql",
    "position '8/8/8/3k4/8/8/3P4/3K4 w - - 0 1' --cql \"$(cat query.cql)\"",
    "position '8/8/8/3k4/8/8/3P4/3K4 w - - 0 1' --json --cql \"$(cat query.cql)\"",
    "position \"$(printf '8/8/8/3k4/8\\033[2J')\"",
    "perft \"$(printf '8\\033[2J')\" 2",
    "\"$(printf -- '--x\\033[2J')\"",
];

#[test]
fn nothing_is_a_command_to_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    put("games.pgn", GAMES);
    put(
        "query.cql",
        "message(\"\u{1b}[2J\u{202e}\" player white player black) message quiet(\"\u{1b}c\") // \u{1b}[1m\u{200f}",
    );
    put(
        "kept.cql",
        "dictionary str --> int (sum) D\nD[player white] += 1\npersistent str p = \"\"\np += player black\ninitial",
    );
    put("stopped.cql", "cql_abort(\"\u{1b}[2J\" player white)");
    put("failing.cql", "readfile (\"x\u{1b}[2J\" + player black + \".pgn\") == \"\"");
    put("wrong.cql", "mate \u{1b}[2J\u{202e} \"\u{9b}31m\u{1b}[2J");
    put("\u{1b}[31mz.pgn", "[FEN \"gar\u{1b}[31mb\"]\n\n1. e4 *\n");
    put("\u{1b}[31mwrong.cql", "mate \u{1b}[31m");
    put("\u{1b}[31mfailing.cql", "readfile (\"x\u{1b}[31m\" + player black + \".pgn\") == \"\"");
    for words in COMMANDS {
        let command = format!("'{}' {words} --color never", env!("CARGO_BIN_EXE_babson"));
        let shell = |script: &[&str]| {
            Command::new(script[0])
                .args(&script[1..])
                .current_dir(folder.path())
                .env_remove("BABSON_CONFIG")
                .stdin(Stdio::null())
                .output()
                .unwrap()
                .stdout
        };
        let shown = shell(&["script", "-qec", &format!("{command} 2>&1"), "/dev/null"]);
        let shown = String::from_utf8_lossy(&shown).into_owned();
        assert!(!shown.is_empty(), "{words}");
        // The progress bar ends by clearing its line.
        let rest = shown.replace("\u{1b}[K", "");
        let is_command =
            |letter: char| letter != '\r' && babson::command::terminal::is_command(letter);
        assert!(!rest.contains(is_command), "{words}\n{rest:?}");
        // For programs nothing is changed.
        if words.starts_with("-i games.pgn -o - ") || words.starts_with("-echo") {
            let piped = shell(&["sh", "-c", &command]);
            let piped = String::from_utf8_lossy(&piped);
            assert!(piped.contains('\u{1b}') && piped.contains("\u{202e}"), "{words}\n{piped:?}");
        }
    }
}

/// The colors of `-colorize` are ours.
#[test]
fn colors_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("query.cql"), "mate // \u{1b}[2J").unwrap();
    let command = format!("'{}' -colorize query.cql", env!("CARGO_BIN_EXE_babson"));
    let output = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(folder.path())
        .env_remove("BABSON_CONFIG")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(shown.contains("\u{1b}[1;34mmate\u{1b}[0m"), "{shown:?}");
    assert!(shown.contains("\\u{1b}[2J") && !shown.contains("\u{1b}[2J"), "{shown:?}");
}
