//! The one table of columns: their names, types and meanings in all outputs.

use std::borrow::Cow;

use babson_chess::Color;

use super::Column;

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnType {
    /// Whole numbers.
    Number,
    /// Texts.
    Text,
    /// Days of the calendar, as `1921-05-07`.
    Date,
    /// Numbers or texts, as the query or the game has them.
    Value,
}

impl ColumnType {
    /// Its name in the book.
    pub fn name(self) -> &'static str {
        match self {
            ColumnType::Number => "number",
            ColumnType::Text => "text",
            ColumnType::Date => "date",
            ColumnType::Value => "number or text",
        }
    }
}

/// A row of the table of columns.
#[derive(Clone, Debug)]
pub struct ColumnInfo {
    /// Its name: the heading of a `.csv`, the key of a JSON object, the word of a list.
    pub name: &'static str,
    /// What its cells are.
    pub column_type: ColumnType,
    /// Whether a cell may have no value.
    pub nullable: bool,
    /// What the cells mean, in one line.
    pub help: &'static str,
    /// Other names, which lists of columns and of keys take too.
    pub aliases: &'static [&'static str],
    /// Whether an output has the column if no columns are chosen.
    pub standard: bool,
    pub(super) column: Column,
}

/// A column whose name has a part that the user chooses, or a key of groups that is not a column.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ColumnForm {
    /// Its name.
    pub name: &'static str,
    /// What its cells are.
    pub column_type: ColumnType,
    /// What the cells mean, in one line.
    pub help: &'static str,
}

const fn column(
    name: &'static str,
    column_type: ColumnType,
    column: Column,
    help: &'static str,
) -> ColumnInfo {
    let (nullable, aliases) = (false, &[]);
    ColumnInfo { name, column_type, nullable, help, aliases, standard: true, column }
}

impl ColumnInfo {
    const fn nullable(mut self) -> ColumnInfo {
        self.nullable = true;
        self
    }

    const fn chosen(mut self) -> ColumnInfo {
        self.standard = false;
        self
    }

    const fn or(mut self, aliases: &'static [&'static str]) -> ColumnInfo {
        self.aliases = aliases;
        self
    }
}

const fn tag(name: &'static str, tag: &'static str, help: &'static str) -> ColumnInfo {
    column(name, ColumnType::Text, Column::Tag(Cow::Borrowed(tag)), help).nullable()
}

/// The columns with a name of their own. The standard ones are in the order of outputs.
#[rustfmt::skip]
pub static COLUMNS: [ColumnInfo; 30] = {
    use ColumnType::*;
    [
        column("game", Number, Column::Game, "the number of the game, from 1 over all inputs"),
        column("input", Text, Column::Input, "the file of the game").or(&["file", "source"]),
        column("number", Number, Column::Number, "the number of the game in its file, from 1"),
        column("id", Number, Column::Id, "the id of the position; 0 is the initial position"),
        column("ply", Number, Column::Ply, "the plies before the position"),
        column("move", Text, Column::Move, "the move before the position: `31...Qd6`").nullable(),
        column("next", Text, Column::Next, "the move that was played in the position: `32.e8=N+`").nullable(),
        column("fen", Text, Column::Fen, "the position"),
        column("comment", Text, Column::Comment, "the comments of the query at the position, with `; ` between them").nullable(),
        tag("white", "White", "the `White` tag"),
        tag("black", "Black", "the `Black` tag"),
        column("white_elo", Number, Column::Elo(Color::White), "the `WhiteElo` tag, from 1 to 4000").nullable().or(&["whiteelo"]),
        column("black_elo", Number, Column::Elo(Color::Black), "the `BlackElo` tag, from 1 to 4000").nullable().or(&["blackelo"]),
        tag("result", "Result", "the result after the moves, otherwise the `Result` tag"),
        tag("event", "Event", "the `Event` tag"),
        tag("site", "Site", "the `Site` tag"),
        tag("round", "Round", "the `Round` tag"),
        column("date", Date, Column::Date, "the day of the `Date` tag, `1921-05-07`, if the tag has year, month and day").nullable(),
        column("year", Number, Column::Year, "the year of the `Date` tag").nullable(),
        column("month", Number, Column::Month, "the month of the `Date` tag, from 1 to 12").nullable(),
        tag("eco", "ECO", "the `ECO` tag"),
        column("offset", Number, Column::Offset, "the offset of the first byte of the game in its file"),
        column("query", Text, Column::Query, "the name of the query: its file, without `.cql`").chosen(),
        column("movenumber", Number, Column::MoveNumber, "the number of the next move").chosen(),
        column("side", Text, Column::Side, "the side to move: `white` or `black`").chosen(),
        column("san", Text, Column::San, "the move before the position, without its number: `Qd6`").nullable().chosen(),
        column("uci", Text, Column::Uci, "the same move in UCI notation: `b8d6`").nullable().chosen(),
        column("next.san", Text, Column::NextSan, "the move that was played in the position: `e8=N+`").nullable().chosen(),
        column("next.uci", Text, Column::NextUci, "the same move in UCI notation: `e7e8n`").nullable().chosen(),
        column("decade", Number, Column::Decade, "the first year of the decade of the `Date` tag").nullable().chosen(),
    ]
};

const fn form(name: &'static str, column_type: ColumnType, help: &'static str) -> ColumnForm {
    ColumnForm { name, column_type, help }
}

/// The columns whose names have a part that the user chooses.
pub const COLUMN_FORMS: [ColumnForm; 4] = [
    form("eco:N", ColumnType::Text, "the first N letters of the `ECO` tag; N is 1, 2 or 3"),
    form("tag:NAME", ColumnType::Text, "the tag of this name, for instance `tag:Opening`"),
    form("sort:NAME", ColumnType::Value, "the key of the `sort` of this name"),
    form(
        "field:NAME",
        ColumnType::Value,
        "the value that `field(\"NAME\" …)` recorded at the position",
    ),
];

/// The keys of groups that are not columns, or mean something else than the column.
pub const GROUP_KEYS: [ColumnForm; 3] = [
    form("player", ColumnType::Text, "each of the two players: the game counts for both"),
    form("move", ColumnType::Text, "the move before the position, without its number: as `san`"),
    form(
        "next",
        ColumnType::Text,
        "the move that was played in the position, without its number: as `next.san`",
    ),
];

/// The column with this name or alias, in lower case.
pub(super) fn named(word: &str) -> Option<Column> {
    let is_named = |info: &&ColumnInfo| info.name == word || info.aliases.contains(&word);
    COLUMNS.iter().find(is_named).map(|info| info.column.clone())
}

/// The names of the columns.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    COLUMNS.iter().map(|info| info.name)
}
