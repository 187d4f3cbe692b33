//! The columns that a `.csv` has by default.

use super::{Column, ColumnNames, Columns};

/// The columns of the matches of queries with these names.
pub(super) fn columns(names: &ColumnNames, names_query: bool) -> Columns {
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
    for key in &names.sort_keys {
        columns.push(key, Column::Sort(key.clone()));
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
    for field in &names.fields {
        columns.push(field, Column::Field(field.clone()));
    }
    columns
}
