//! The columns that a `.csv` has by default.

use super::{Column, Columns};

/// The columns of the matches of queries with these sort keys.
pub(super) fn columns<'k>(sort_keys: impl Iterator<Item = &'k str>, names_query: bool) -> Columns {
    let mut columns = Columns { columns: Vec::new() };
    let tag = |name: &str| Column::Tag(name.to_owned());
    if names_query {
        columns.push("query", Column::Query);
    }
    for (heading, column) in [
        ("game", Column::Game),
        ("id", Column::Id),
        ("ply", Column::Ply),
        ("move", Column::Move),
        ("fen", Column::Fen),
        ("white", tag("White")),
        ("black", tag("Black")),
        ("result", tag("Result")),
        ("event", tag("Event")),
        ("site", tag("Site")),
        ("date", tag("Date")),
        ("round", tag("Round")),
    ] {
        columns.push(heading, column);
    }
    // What programs have read for long stays where it is.
    let mut seen: Vec<&str> = Vec::new();
    for key in sort_keys {
        if !seen.contains(&key) {
            seen.push(key);
            columns.push(key, Column::Sort(key.to_owned()));
        }
    }
    for (heading, column) in [
        ("comment", Column::Comment),
        ("input", Column::Input),
        ("number", Column::Number),
        ("offset", Column::Offset),
        ("next", Column::Next),
        ("whiteelo", tag("WhiteElo")),
        ("blackelo", tag("BlackElo")),
        ("eco", tag("ECO")),
    ] {
        columns.push(heading, column);
    }
    columns
}
