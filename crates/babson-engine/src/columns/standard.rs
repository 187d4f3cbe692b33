//! The columns that a `.csv` has by default.

use super::parse::named;
use super::{Column, ColumnNames, Columns};

/// The columns before those of the sort keys. What programs have read for long stays where it is.
const FIRST: [&str; 12] = [
    "game", "id", "ply", "move", "fen", "white", "black", "result", "event", "site", "date",
    "round",
];

/// The columns after those of the sort keys and before those of the fields.
const MORE: [&str; 8] =
    ["comment", "input", "number", "offset", "next", "whiteelo", "blackelo", "eco"];

/// The columns of the matches of queries with these names.
pub(super) fn columns(names: &ColumnNames, names_query: bool) -> Columns {
    let mut columns = Columns { columns: Vec::new() };
    let push_all = |columns: &mut Columns, words: &[&str]| {
        for word in words {
            if let Some(column) = named(word) {
                columns.push(word, column);
            }
        }
    };
    push_all(&mut columns, if names_query { &["query"] } else { &[] });
    push_all(&mut columns, &FIRST);
    for key in &names.sort_keys {
        columns.push(key, Column::Sort(key.clone()));
    }
    push_all(&mut columns, &MORE);
    for field in &names.fields {
        columns.push(field, Column::Field(field.clone()));
    }
    columns
}
