//! The queries that the makers of the language printed, `corpus/seeds/*.cql`, in both readings.
//!
//! `corpus/goldens/seeds.txt` says of each what the two dialects make of it: how many games of
//! `studies.pgn` it finds on the main lines, `compiles` where a run would take too long for a test
//! (`puzzles.jsonl` has the printed results of those), `refused`, or `stops` for an error at the
//! first game.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use babson::pgn::{Games, Needs, Reader};
use babson::{Dialect, Query, RunOptions};

mod listed;
mod parallel;
use listed::names_all_files;
use parallel::failures;

#[test]
fn the_makers_queries_find_what_they_found() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let studies = fs::read(corpus.join("games/studies.pgn")).expect("studies.pgn");
    let studies: Vec<&[u8]> = Games::new(&studies).map(|(_, game)| game).collect();
    let text = fs::read_to_string(corpus.join("goldens/seeds.txt")).expect("seeds.txt");
    let mut cases = Vec::new();
    let mut listed = BTreeSet::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, cqli, cql6] = words[..] else {
            panic!("a line of seeds.txt is NAME CQLI CQL6, not {line:?}");
        };
        let file = format!("{name}.cql");
        let query = fs::read_to_string(corpus.join("seeds").join(&file)).expect(name);
        cases.push((name, Dialect::CQLI, query.clone(), cqli));
        cases.push((name, Dialect::CQL6, query, cql6));
        listed.insert(file);
    }
    names_all_files("seeds.txt", &listed, &corpus.join("seeds"));

    let failures = failures(&cases, |(name, dialect, query, expect)| {
        let got = outcome(query, *dialect, &studies, *expect == "compiles");
        if got == *expect {
            return Ok(());
        }
        let cql6 = *dialect == Dialect::CQL6;
        let reading = if cql6 { "cql6" } else { "cqli" };
        Err(format!("{name} ({reading}): expected {expect}, got {got}"))
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A word of `seeds.txt`.
fn outcome(query: &str, dialect: Dialect, games: &[&[u8]], only_compile: bool) -> String {
    // Main lines only, whatever the header says.
    let options = RunOptions { variations: Some(false), ..RunOptions::default() };
    let Ok(query) = Query::builder(query).dialect(dialect).options(|run| *run = options).compile()
    else {
        return "refused".to_owned();
    };
    if only_compile {
        return "compiles".to_owned();
    }
    let mut matcher = query.matcher();
    let mut reader = Reader::new();
    let mut found = 0;
    for text in games {
        match matcher.run(&reader.read(text, Needs::ALL)) {
            Ok(hit) => found += usize::from(hit.is_some()),
            Err(_) => return "stops".to_owned(),
        }
    }
    found.to_string()
}
