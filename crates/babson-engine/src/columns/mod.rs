//! The columns of outputs that are tables: a `.csv`, and a `.jsonl` of flat objects.
//!
//! A list of columns is parsed (`parse`), and each matching position becomes a row of cells
//! (`cell`, `row`).

mod cell;
mod parse;
mod row;
mod standard;

use babson_lang::nearest_of;

pub use parse::ColumnsError;
pub use row::plain_cell;
pub(crate) use row::{RowStyle, append, csv_head};

/// The columns of a table of matching positions, each with its heading.
///
/// ```
/// use babson_engine::{Columns, ColumnsError};
///
/// let columns = Columns::parse("game,white,tag:WhiteElo,next.san,sort:\"moves, in all\"")?;
/// let headings: Vec<&str> = columns.headings().collect();
/// assert_eq!(headings, ["game", "white", "WhiteElo", "next.san", "moves, in all"]);
/// let error = Columns::parse("game,whit").unwrap_err();
/// assert!(error.to_string().starts_with("'whit' is not a column; did you mean white?"));
/// # Ok::<(), ColumnsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    columns: Vec<NamedColumn>,
}

/// A column with its heading.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NamedColumn {
    heading: String,
    column: Column,
}

/// What the cells of a column hold.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Column {
    /// The number of the game over all inputs.
    Game,
    Input,
    /// The number of the game in its input.
    Number,
    Offset,
    /// The name of the query.
    Query,
    /// The id of the position.
    Id,
    Ply,
    MoveNumber,
    Side,
    /// The move before the position with its number.
    Move,
    San,
    Uci,
    /// The move after the position with its number.
    Next,
    NextSan,
    NextUci,
    Fen,
    Comment,
    Tag(String),
    Sort(String),
}

impl Columns {
    /// Parses a list of columns, with commas between them. A name that contains a comma is put in
    /// quotes, in which two quotes stand for one.
    ///
    /// # Errors
    /// The list is empty, a name is not that of a column, or a column is named twice.
    pub fn parse(text: &str) -> Result<Columns, ColumnsError> {
        parse::columns(text)
    }

    /// The columns that a `.csv` of the matches of a query with these sort keys has by default.
    pub fn of_query<'k>(sort_keys: impl IntoIterator<Item = &'k str>) -> Columns {
        standard::columns(sort_keys.into_iter(), false)
    }

    /// The columns that a `.csv` of the matches of several queries with these sort keys has by
    /// default: the first one is the name of the query.
    pub fn of_queries<'k>(sort_keys: impl IntoIterator<Item = &'k str>) -> Columns {
        standard::columns(sort_keys.into_iter(), true)
    }

    /// The headings, in order.
    pub fn headings(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.heading.as_str())
    }

    /// Checks that each sort key which is a column is one of the keys of the queries.
    ///
    /// # Errors
    /// No query has a sort key of this name.
    pub fn check<'k>(
        &self,
        sort_keys: impl IntoIterator<Item = &'k str>,
    ) -> Result<(), ColumnsError> {
        let known: Vec<&str> = sort_keys.into_iter().collect();
        for NamedColumn { column, .. } in &self.columns {
            let Column::Sort(name) = column else { continue };
            if !known.contains(&name.as_str()) {
                let near = nearest_of(name, known.iter().copied());
                return Err(ColumnsError::UnknownSortKey {
                    name: name.clone(),
                    near: near.map(str::to_owned),
                    known: known.iter().map(|&name| name.to_owned()).collect(),
                });
            }
        }
        Ok(())
    }

    /// Adds a column. A heading that another column has already gets the prefix of its kind, and
    /// then a number.
    fn push(&mut self, heading: &str, column: Column) {
        let prefix = if let Column::Tag(_) = column {
            "tag:"
        } else if let Column::Sort(_) = column {
            "sort:"
        } else {
            ""
        };
        let is_free = |heading: &String| self.headings().all(|other| other != heading);
        let full = format!("{prefix}{heading}");
        let numbered = (2..).map(|number| format!("{full}.{number}"));
        let mut headings = [heading.to_owned(), full.clone()].into_iter().chain(numbered);
        let heading = headings.find(is_free).unwrap_or_default();
        self.columns.push(NamedColumn { heading, column });
    }
}

#[cfg(test)]
mod tests;
