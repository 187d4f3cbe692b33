//! The columns of outputs that are tables: a `.csv` or `.tsv`, and a `.jsonl` or `.json` of flat
//! objects.
//!
//! The columns have one name each in all outputs (`schema`). A list of columns is parsed (`parse`),
//! and each matching position becomes a row of cells (`cell`, `row`).

pub(crate) mod cell;
pub(crate) mod parse;
mod row;
mod schema;
mod standard;

use std::borrow::Cow;

use babson_chess::Color;
use babson_lang::hir::Type;
use babson_lang::nearest_of;
use babson_vm::Program;

use crate::error::ColumnsError;
use crate::sink::MatchedGame;
use crate::sink::position::matched_positions;
pub use cell::Cell;
pub use row::safe_csv;
pub(crate) use row::{CellStyle, JsonStyle, RowStyle, Separator, append, head};
pub use schema::{COLUMN_FORMS, COLUMNS, ColumnForm, ColumnInfo, ColumnType, GROUP_KEYS};

/// The columns of a table of matching positions, each with its heading.
///
/// ```
/// use babson_engine::{Columns, ColumnsError};
///
/// let columns = Columns::parse("game,white,tag:Opening,next.san,sort:\"moves, in all\"")?;
/// let headings: Vec<&str> = columns.headings().collect();
/// assert_eq!(headings, ["game", "white", "Opening", "next.san", "moves, in all"]);
/// let error = Columns::parse("game,whit").unwrap_err();
/// assert!(error.to_string().starts_with("'whit' is not a column; did you mean white?"));
/// # Ok::<(), ColumnsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    columns: Vec<NamedColumn>,
}

/// The names in queries that can be columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ColumnNames {
    /// The names of the sort keys, the most significant first.
    pub sort_keys: Vec<String>,
    /// The names of the fields, in the order of the query.
    pub fields: Vec<String>,
}

impl ColumnNames {
    /// The names in these programs, each once.
    pub fn of<'p>(programs: impl IntoIterator<Item = &'p Program>) -> ColumnNames {
        let mut names = ColumnNames::default();
        for program in programs {
            let keys = program.sorts().iter().map(|key| key.name.as_str());
            push_new(&mut names.sort_keys, keys);
            push_new(&mut names.fields, program.fields());
        }
        names
    }

    /// Adds the names in other queries, each once.
    pub fn add(&mut self, other: &ColumnNames) {
        push_new(&mut self.sort_keys, other.sort_keys.iter().map(String::as_str));
        push_new(&mut self.fields, other.fields.iter().map(String::as_str));
    }
}

fn push_new<'n>(names: &mut Vec<String>, more: impl IntoIterator<Item = &'n str>) {
    for name in more {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
}

/// A column with its heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedColumn {
    pub(crate) heading: String,
    pub(crate) column: Column,
}

/// What the cells of a column hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Column {
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
    Tag(Cow<'static, str>),
    /// The rating of a player.
    Elo(Color),
    /// The day of the game.
    Date,
    /// The year of the game.
    Year,
    /// Its month, a number.
    Month,
    /// The first year of its decade.
    Decade,
    /// This number of first letters of its ECO code.
    EcoPrefix(usize),
    Sort(String),
    Field(String),
}

impl Columns {
    /// Parses a list of columns, with commas between them. A name that contains a comma is put in
    /// quotes, in which two quotes stand for one.
    ///
    /// # Errors
    /// The list is empty, a name is not a column, or a column is named twice.
    pub fn parse(text: &str) -> Result<Columns, ColumnsError> {
        parse::columns(text)
    }

    /// The columns that the matches of a query with these names have by default: the
    /// [standard](ColumnInfo::standard) ones, then the sort keys and the fields.
    pub fn of_query(names: &ColumnNames) -> Columns {
        standard::columns(names, false)
    }

    /// As [`Columns::of_query`], for several queries: the first column is the name of the query.
    pub fn of_queries(names: &ColumnNames) -> Columns {
        standard::columns(names, true)
    }

    /// The headings, in order.
    pub fn headings(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.heading.as_str())
    }

    /// Checks that the sort key or field of each such column exists in a query.
    ///
    /// # Errors
    /// No query has a sort key or a field of this name.
    pub fn check(&self, names: &ColumnNames) -> Result<(), ColumnsError> {
        self.columns.iter().try_for_each(|column| column.column.check(names))
    }

    /// What the cells of each column are, in the matches of these programs. A sort key has numbers
    /// if it has numbers in all of them; otherwise it is [`ColumnType::Value`], and so is a field.
    pub fn types(&self, programs: &[&Program]) -> Vec<ColumnType> {
        self.columns.iter().map(|column| column.column.column_type(programs)).collect()
    }

    /// Calls `take` with the cells of the row of each matching position, for a
    /// [`Format`](crate::Format) of rows.
    ///
    /// ```
    /// use babson_engine::{
    ///     Cell, Columns, Format, Input, Job, MatchText, MatchedGame, Omitted, Settings, Silent,
    ///     Task, TextSink, scan,
    /// };
    /// use babson_lang::{Dialect, analyze};
    ///
    /// /// The rows of columns, as lines of debugging.
    /// struct Rows(Columns);
    ///
    /// impl Format for Rows {
    ///     fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> Omitted {
    ///         self.0.for_each_row(matched, |row| {
    ///             out.bytes().extend_from_slice(format!("{row:?}\n").as_bytes());
    ///         });
    ///         Omitted::default()
    ///     }
    /// }
    ///
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// let rows = Rows(Columns::parse("white,ply,san")?);
    /// let sink = TextSink::new("rows", rows, move |text| {
    ///     sender.send(String::from_utf8(text.to_vec())?)?;
    ///     Ok(std::ops::ControlFlow::Continue(()))
    /// });
    /// let job = Job::new(&analyze("mate", Dialect::CQLI).unwrap().query).unwrap();
    /// let games = Input::bytes("games", *b"1. f3 e5 2. g4 Qh4# 0-1\n");
    /// scan(&[games], vec![Task::new(job).sink(sink)], &Settings::default(), &mut Silent)?;
    /// assert_eq!(receiver.recv()?, "[None, Number(4), Text(\"Qh4#\")]\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_each_row(&self, matched: &MatchedGame<'_>, mut take: impl FnMut(&[Cell<'_>])) {
        let cells = |place: Option<&_>| -> Vec<Option<Cell<'_>>> {
            self.columns.iter().map(|column| cell::of(&column.column, matched, place)).collect()
        };
        let shared = cells(None);
        let mut row = Vec::with_capacity(shared.len());
        for place in matched_positions(matched.game, matched.outcome) {
            row.clear();
            for (column, cell) in self.columns.iter().zip(&shared) {
                row.push(match cell {
                    Some(Cell::Text(text)) => Cell::Text(Cow::Borrowed(&**text)),
                    Some(Cell::Number(number)) => Cell::Number(*number),
                    Some(Cell::None) => Cell::None,
                    None => cell::of(&column.column, matched, Some(&place)).unwrap_or(Cell::None),
                });
            }
            take(&row);
        }
    }

    /// Whether a column holds the comments of a position.
    pub(crate) fn has_comments(&self) -> bool {
        self.columns.iter().any(|column| column.column == Column::Comment)
    }

    /// Adds a column. A heading that another column has already gets the prefix of its kind, and
    /// then a number.
    fn push(&mut self, heading: &str, column: Column) {
        let is_free = |heading: &str| self.headings().all(|other| other != heading);
        let heading = column.free_heading(heading, is_free);
        self.columns.push(NamedColumn { heading, column });
    }
}

impl Column {
    /// Checks that its sort key or field exists in a query.
    pub(crate) fn check(&self, names: &ColumnNames) -> Result<(), ColumnsError> {
        let missing = |name: &String, known: &[String]| {
            let near = nearest_of(name, known.iter().map(String::as_str)).map(str::to_owned);
            (!known.contains(name)).then(|| (name.clone(), near, known.to_owned()))
        };
        if let Column::Sort(name) = self
            && let Some((name, near, known)) = missing(name, &names.sort_keys)
        {
            return Err(ColumnsError::UnknownSortKey { name, near, known });
        }
        if let Column::Field(name) = self
            && let Some((name, near, known)) = missing(name, &names.fields)
        {
            return Err(ColumnsError::UnknownField { name, near, known });
        }
        Ok(())
    }

    /// The heading, or if it is not free, with the prefix of its kind, and then with a number.
    pub(crate) fn free_heading(&self, heading: &str, is_free: impl Fn(&str) -> bool) -> String {
        let prefix = if let Column::Tag(_) = self {
            "tag:"
        } else if let Column::Sort(_) = self {
            "sort:"
        } else if let Column::Field(_) = self {
            "field:"
        } else {
            ""
        };
        let full = format!("{prefix}{heading}");
        let numbered = (2..).map(|number| format!("{full}.{number}"));
        let mut headings = [heading.to_owned(), full.clone()].into_iter().chain(numbered);
        headings.find(|heading| is_free(heading)).unwrap_or_default()
    }

    /// What its cells are, in the matches of these programs.
    fn column_type(&self, programs: &[&Program]) -> ColumnType {
        if let Some(known) = COLUMNS.iter().find(|info| info.column == *self) {
            return known.column_type;
        }
        if let Column::Sort(name) = self {
            let mut keys = programs.iter().flat_map(|program| program.sorts());
            let is_text = keys.any(|key| key.name == *name && key.ty == Type::String);
            return if is_text { ColumnType::Value } else { ColumnType::Number };
        }
        if let Column::Field(_) = self { ColumnType::Value } else { ColumnType::Text }
    }

    /// Whether each matching position has a value of its own.
    pub(crate) fn is_of_position(&self) -> bool {
        match self {
            Column::Id
            | Column::Ply
            | Column::MoveNumber
            | Column::Side
            | Column::Move
            | Column::San
            | Column::Uci
            | Column::Next
            | Column::NextSan
            | Column::NextUci
            | Column::Fen
            | Column::Comment
            | Column::Field(_) => true,
            Column::Game
            | Column::Input
            | Column::Number
            | Column::Offset
            | Column::Query
            | Column::Tag(_)
            | Column::Elo(_)
            | Column::Date
            | Column::Year
            | Column::Month
            | Column::Decade
            | Column::EcoPrefix(_)
            | Column::Sort(_) => false,
        }
    }

    /// Whether its values can be numbers: for a sort key or a field, and for a tag unless the tag
    /// is a name, a date or a result.
    pub(crate) fn has_numbers(&self) -> bool {
        match self {
            Column::Game
            | Column::Number
            | Column::Offset
            | Column::Id
            | Column::Ply
            | Column::MoveNumber
            | Column::Elo(_)
            | Column::Year
            | Column::Month
            | Column::Decade
            | Column::Sort(_)
            | Column::Field(_) => true,
            Column::Tag(name) => !TEXT_TAGS.contains(&&**name),
            Column::Input
            | Column::Query
            | Column::Side
            | Column::Move
            | Column::San
            | Column::Uci
            | Column::Next
            | Column::NextSan
            | Column::NextUci
            | Column::Fen
            | Column::Comment
            | Column::Date
            | Column::EcoPrefix(_) => false,
        }
    }
}

/// The tags whose values are never numbers.
const TEXT_TAGS: [&str; 7] = ["Event", "Site", "Date", "White", "Black", "Result", "ECO"];

#[cfg(test)]
mod tests;
