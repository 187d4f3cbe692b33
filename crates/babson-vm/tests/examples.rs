//! The programs in `examples/`, which `cargo test` builds: each is run and its output checked.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests run programs and read sources"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const GAMES: &str = "[White \"a\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"b\"]\n\n1. d4 *\n\n\
                     [White \"c\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Runs an example.
fn output(name: &str, words: &[&str]) -> Output {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(Path::parent).unwrap();
    let program = folder.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "{}: `cargo test -p babson-vm` builds it", program.display());
    Command::new(program).args(words).output().unwrap()
}

/// What an example prints.
fn printed(name: &str, words: &[&str]) -> String {
    let output = output(name, words);
    assert!(output.status.success(), "{name} {words:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// What an example that fails prints.
fn failure(name: &str, words: &[&str]) -> String {
    let output = output(name, words);
    assert!(!output.status.success(), "{name} {words:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn file(folder: &Path, name: &str, text: &str) -> String {
    let path: PathBuf = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn search_games() {
    let folder = tempfile::tempdir().unwrap();
    let games = file(folder.path(), "games.pgn", GAMES);
    assert_eq!(printed("search_games", &["mate", &games]), "1 2...Qh4#\n3 3.Qxe5#\n");
    let error = failure("search_games", &["check\nmat", &games]);
    assert!(error.starts_with("Error: 2:1: unknown name `mat`"), "{error}");
    let error = failure("search_games", &["import \"mine\" f(Q)", &games]);
    assert!(error.starts_with("Error: 1:8: no file `mine` was found to import"), "{error}");
    let zip = file(folder.path(), "games.zip", "PK\u{3}\u{4}\u{14}\0\0\0\0\0");
    let error = failure("search_games", &["mate", &zip]);
    assert!(error.contains("ForeignText(Zip)"), "{error}");
}

#[test]
fn match_positions() {
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    assert_eq!(printed("match_positions", &["mate", START, mated]), "no\nyes\n");
    let error = failure("match_positions", &["mate", "8/8"]);
    assert!(error.contains("8/8: the board has 2 ranks"), "{error}");
}

#[test]
fn position_values() {
    let folder = tempfile::tempdir().unwrap();
    let games = file(folder.path(), "games.pgn", GAMES);
    assert_eq!(printed("position_values", &["mate #p", &games]), "1 2...Qh4# 8\n3 3.Qxe5# 7\n");
    assert_eq!(printed("position_values", &["btm check k", &games]), "3 3.Qxe5# e7\n");
}

#[test]
fn permit_files() {
    let folder = tempfile::tempdir().unwrap();
    let name = file(folder.path(), "name.cqo", "Morphy");
    let query = format!("readfile \"{name}\" == \"Morphy\"");
    assert_eq!(printed("permit_files", &[&query, START, &name]), "yes\n");
    let error = failure("permit_files", &[&query, START]);
    assert!(error.contains("readfile is not allowed here"), "{error}");
}

/// Whoever copies a program of the crate needs no other dependency.
#[test]
fn the_programs_need_one_crate() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let examples = fs::read_dir(root.join("examples")).unwrap();
    let examples = examples.map(|entry| entry.unwrap().path());
    let pages = [root.join("README.md"), root.join("../..").join("docs/src/vm.md")];
    for path in examples.chain(pages) {
        let text = fs::read_to_string(&path).unwrap();
        for other in ["babson_chess", "babson_lang", "babson_pgn", "babson::"] {
            assert!(!text.contains(other), "{}: {other}", path.display());
        }
    }
}
