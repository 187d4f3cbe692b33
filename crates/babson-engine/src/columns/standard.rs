//! The columns that matches have by default.

use super::schema::COLUMNS;
use super::{Column, ColumnNames, Columns};

/// The columns of the matches of queries with these names.
pub(super) fn columns(names: &ColumnNames, names_query: bool) -> Columns {
    let mut columns = Columns { columns: Vec::new() };
    if names_query {
        columns.push("query", Column::Query);
    }
    for info in COLUMNS.iter().filter(|info| info.standard) {
        columns.push(info.name, info.column.clone());
    }
    for key in &names.sort_keys {
        columns.push(key, Column::Sort(key.clone()));
    }
    for field in &names.fields {
        columns.push(field, Column::Field(field.clone()));
    }
    columns
}
