//! Themes in several formulations, `corpus/goldens/same.txt`: the formulations of a theme find the
//! same positions. Nothing here was observed elsewhere: a mistake shows where it touches one
//! formulation and not the other.

use std::fs;
use std::path::Path;

use babson::pgn::{Games, Needs, Reader};
use babson::{Dialect, Query, RunOptions};

mod parallel;
use parallel::failures;

/// So many games of the database are enough to tell formulations apart, and quick without
/// optimisation.
const GAMES: usize = 40;

#[test]
fn formulations_of_a_theme_find_the_same_positions() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let studies = fs::read(corpus.join("games/studies.pgn")).expect("studies.pgn");
    let games: Vec<&[u8]> = Games::new(&studies).map(|(_, game)| game).take(GAMES).collect();
    let text = fs::read_to_string(corpus.join("goldens/same.txt")).expect("same.txt");
    let groups: Vec<Vec<String>> = text
        .split("\n\n")
        .map(|group| {
            let lines = group.lines().filter(|line| !line.starts_with("# "));
            lines.map(|line| line.replace('⏎', "\n")).collect()
        })
        .filter(|group: &Vec<String>| !group.is_empty())
        .collect();
    assert_eq!(groups.len(), 158, "a theme is lost or new");

    let failures = failures(&groups, |group| check(group, &games));
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

fn check(group: &[String], games: &[&[u8]]) -> Result<(), String> {
    let mut first = None;
    for query in group {
        let found = positions(query, games).map_err(|error| format!("{query}\n   {error}"))?;
        if found.is_empty() {
            return Err(format!("{query}\n   finds nothing and so proves nothing"));
        }
        let (other, expected) = first.get_or_insert_with(|| (query, found.clone()));
        let differs = |one: &[(u64, u32)], two: &[(u64, u32)]| {
            one.iter().find(|position| !two.contains(position)).copied()
        };
        if let Some(position) = differs(expected, &found).or_else(|| differs(&found, expected)) {
            return Err(format!(
                "{other}\n{query}\n   differ first at (game, position) {position:?}"
            ));
        }
    }
    Ok(())
}

/// Game numbers and position ids that the query finds.
fn positions(query: &str, games: &[&[u8]]) -> Result<Vec<(u64, u32)>, String> {
    let options = RunOptions { variations: Some(true), ..RunOptions::default() };
    let query =
        Query::builder(query).dialect(Dialect::CQL6).options(|run| *run = options).compile();
    let query = query.map_err(|error| error.to_string())?;
    let mut matcher = query.matcher().last_number(games.len() as u64);
    let mut reader = Reader::new();
    let mut found = Vec::new();
    for (number, text) in (1..).zip(games) {
        let hit = matcher
            .run(&reader.read(text, Needs::ALL))
            .map_err(|error| format!("game {number}: {error}"))?;
        found.extend(hit.iter().flat_map(|hit| hit.positions()).map(|id| (number, *id)));
    }
    Ok(found)
}
