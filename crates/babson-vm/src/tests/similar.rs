//! `similarposition`.

use babson_lang::Dialect;

use super::host::MemoryHost;
use super::{comments, run_program};
use crate::{CompileOptions, Outcome, Program, RunOptions, SortValue};

const FILE: &str = "[FEN \"8/8/8/8/8/2k5/8/1RK5 w - - 0 1\"]\n[Result \"*\"]\n\n1. Kd1 *\n\n\
[Event \"x\"]\n[FEN \"8/8/8/3k4/8/8/3P4/3K4 w - - 0 1\"]\n[Result \"*\"]\n\n1. Kc2 Kc4 *\n";
const GAME: &[u8] = b"[FEN \"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"]\n[Result \"*\"]\n\n1. Kf2 Kf4 *\n";

/// Runs a query; `FILE` in it stands for the name of the file.
fn run(query: &str, pgn: &[u8], options: &RunOptions) -> Result<Outcome, String> {
    run_with(FILE, query, pgn, options)
}

/// The same where the file holds these games.
fn run_with(file: &str, query: &str, pgn: &[u8], options: &RunOptions) -> Result<Outcome, String> {
    let query = query.replace("FILE", "f.pgn");
    let host = MemoryHost::of(&[("f.pgn", file)]);
    let errors = |errors: Vec<babson_lang::Diagnostic>| errors[0].message.clone();
    let analysis = babson_lang::analyze(&query, Dialect::CQL6).map_err(errors)?;
    let compiling = CompileOptions { host, ..CompileOptions::default() };
    let program = Program::compile_with(&analysis.query, &compiling).map_err(errors)?;
    let games = file.matches("[FEN").count();
    assert_eq!(program.submission(), Some(("f.pgn", games)));
    Ok(run_program(&program, pgn, options))
}

fn texts(query: &str, pgn: &[u8]) -> Vec<(u32, String)> {
    texts_with(FILE, query, pgn)
}

fn texts_with(file: &str, query: &str, pgn: &[u8]) -> Vec<(u32, String)> {
    let options = RunOptions {
        cql6_output: true,
        header: false,
        match_string: Some(String::new()),
        ..RunOptions::default()
    };
    let outcome = run_with(file, query, pgn, &options).unwrap();
    let found = comments(&outcome).into_iter();
    found.map(|(node, text)| (node, text.replace("f.pgn", "FILE"))).collect()
}

#[test]
fn shifts_and_mirrors_with_pawns() {
    let found = texts("cql() similarposition \"FILE\"", GAME);
    let expect = [
        (0, "see FILE game: 2 at move: 1 wtm right^1"),
        (0, " submission game: 2"),
        (1, "see FILE game: 2 at move: 1 btm reflect_v"),
        (2, "see FILE game: 2 at move: 2 wtm reflect_v"),
    ];
    assert_eq!(found, expect.map(|(node, text)| (node, text.to_owned())));
    // The maps do not include a swap of the colors or a shift along the files.
    let swapped = b"[FEN \"4k3/4p3/8/8/4K3/8/8/8 b - - 0 1\"]\n[Result \"*\"]\n\n*\n";
    assert!(texts("cql() similarposition \"FILE\"", swapped).is_empty());
    let higher = b"[FEN \"8/8/3k4/8/8/3P4/3K4/8 w - - 0 1\"]\n[Result \"*\"]\n\n*\n";
    assert!(texts("cql() similarposition \"FILE\"", higher).is_empty());
}

#[test]
fn symmetries_without_pawns() {
    let turned = b"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n[Result \"*\"]\n\n*\n";
    assert!(texts("cql() similarposition \"FILE\"", turned).is_empty());
    let turned = b"[FEN \"5KR1/8/5k2/8/8/8/8/8 w - - 0 1\"]\n[Result \"*\"]\n\n*\n";
    assert_eq!(
        texts("cql() similarposition nosort \"FILE\"", turned),
        [(0, "see FILE game: 1 at move: 1 wtm rotate180".to_owned())]
    );
    // No translation.
    let shifted = b"[FEN \"8/8/8/8/8/3k4/8/2RK4 w - - 0 1\"]\n[Result \"*\"]\n\n*\n";
    assert!(texts("cql() similarposition nosort \"FILE\"", shifted).is_empty());
    // The side to move counts.
    let other = b"[FEN \"5KR1/8/5k2/8/8/8/8/8 b - - 0 1\"]\n[Result \"*\"]\n\n*\n";
    assert!(texts("cql() similarposition nosort \"FILE\"", other).is_empty());
}

/// A position that a game of the file repeats is two hits, and each has its comment. So has each
/// position of a game that is a hit.
#[test]
fn both_hits_in_one_game() {
    let start = "[FEN \"8/8/8/8/8/2k5/8/1RK5 w - - 0 1\"]\n[Result \"*\"]\n\n";
    let file = format!("{start}1. Kd1 Kd3 2. Kc1 Kc3 *\n\n{start}1. Rb5 *\n");
    let hits = [
        "see FILE game: 1 at move: 1 wtm ",
        "see FILE game: 1 at move: 3 wtm ",
        "see FILE game: 2 at move: 1 wtm ",
    ];
    let query = "cql() similarposition nosort \"FILE\"";
    let all = |found: Vec<(u32, String)>, node: u32| -> Vec<String> {
        found.into_iter().filter(|(at, _)| *at == node).map(|(_, text)| text).collect()
    };
    let lone = format!("{start}*\n");
    assert_eq!(all(texts_with(&file, query, lone.as_bytes()), 0), hits);
    // Two positions of the searched game, and a second filter that adds nothing.
    let game = format!("{start}1. Kd1 Kd3 2. Kc1 Kc3 *\n");
    let found = texts_with(&file, query, game.as_bytes());
    assert_eq!(
        (all(found.clone(), 0), all(found.clone(), 4)),
        (hits.map(str::to_owned).to_vec(), hits.map(str::to_owned).to_vec())
    );
    assert_eq!(all(found, 1), ["see FILE game: 1 at move: 1 btm "]);
    // Of the maps that lead from one position of the file to the board the first one counts.
    let symmetric = "[FEN \"8/8/8/3k4/8/8/8/3K4 w - - 0 1\"]\n[Result \"*\"]\n\n*\n";
    let found = texts_with(symmetric, query, symmetric.as_bytes());
    assert_eq!(all(found, 0), ["see FILE game: 1 at move: 1 wtm "]);
    // With a sort, the smallest number of a game of the file is the key, and the comments stay.
    let sorted = texts_with(&file, "cql() similarposition \"FILE\"", lone.as_bytes());
    assert_eq!(all(sorted, 0)[..3], hits);
}

#[test]
fn without_maps_and_without_sort() {
    let query = "cql() similarposition nosort notransform \"FILE\"";
    assert!(texts(query, GAME).is_empty());
    let same = b"[FEN \"8/8/8/3k4/8/8/3P4/3K4 w - - 5 9\"]\n[Result \"*\"]\n\n*\n";
    assert_eq!(texts(query, same), [(0, "see FILE game: 2 at move: 1 wtm ".to_owned())]);
    let outcome = run("cql() similarposition \"FILE\"", GAME, &RunOptions::default()).unwrap();
    assert_eq!(outcome.sort, [Some(SortValue::Number(2))]);
}

#[test]
fn mistakes() {
    let message = |query: &str| run(query, GAME, &RunOptions::default()).unwrap_err();
    assert!(message("cql() similarposition \"f.txt\"").contains("`.pgn`"));
    assert!(message("cql() similarposition \"nosuch.pgn\"").contains("cannot read nosuch.pgn"));
    let two = "cql() similarposition \"FILE\" similarposition notransform \"FILE\"";
    assert!(message(two).contains("same file and maps"));
    assert!(message("cql() flip similarposition \"FILE\"").contains("cannot be transformed"));
}
