//! Assignments in the place of conditions on tags and filters.

use super::*;

/// The query after the fix of the warning; `None` without a warning.
fn mended(query: &str) -> Option<String> {
    let warnings = analyze(query, Dialect::CQLI).unwrap_or_else(|_| panic!("{query}")).warnings;
    let warning = warnings.iter().find(|one| one.code == Code::UnreadVariable)?;
    assert!(warning.help.is_some(), "{query}");
    Some(warning.fixes[0].apply(query).unwrap())
}

#[test]
fn a_constant_for_a_tag_or_filter_is_reported() {
    for (query, meant) in [
        ("White = \"Alekhine\"", "player white \"Alekhine\""),
        ("mate BLACK = \"Alekhine, Alexander\"", "mate player black \"Alekhine, Alexander\""),
        ("ECO = \"C50\" mate", "eco \"C50\" mate"),
        ("Result = \"1-0\" and mate", "result 1-0 and mate"),
        ("Event = \"Linares\"", "event \"Linares\""),
        ("Round = 3 mate", "tag \"Round\" == \"3\" mate"),
        ("WhiteElo = 2500", "elo white == 2500"),
        ("Year = 2020 mate", "year == 2020 mate"),
        ("Year = \"2020\" mate", "year == 2020 mate"),
        ("find { yeer = 2020 mate }", "find { year == 2020 mate }"),
        ("Evnt = \"Linares\"", "event \"Linares\""),
        ("moves = 20 mate", "movenumber == 20 mate"),
        ("rooks = 2", "[Rr] == 2"),
    ] {
        assert_eq!(mended(query).as_deref(), Some(meant), "{query}");
        assert!(analyze(meant, Dialect::CQLI).is_ok(), "{meant}");
    }
}

#[test]
fn other_assignments_are_not_reported() {
    for query in [
        // The variable is read.
        "White = \"Alekhine\" player white == White",
        "Year = 2020 year > Year",
        "function f(x) { x > Round } Round = 3 f(ply)",
        "Year = 2020 message(\"the year \" Year)",
        // It counts, or outlives the game.
        "Year = 0 Year += 1",
        "persistent Round = 3 mate",
        // The assignment is a condition.
        "Result = K attacks q",
        // The name has no such meaning.
        "counter = 3 mate",
        "x = 3 mate",
        // A value that the tag cannot have.
        "Result = 3 mate",
        "size = 3 mate",
        "gate = 3 mate",
    ] {
        assert_eq!(mended(query), None, "{query}");
    }
}
