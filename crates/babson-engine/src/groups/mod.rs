//! Groups: how many games match for each value of some keys, and their score.
//!
//! A list of keys is parsed (`parse`). The threads that find matches write a record of each
//! (`record`), the records are added up in the order of the games (`counter`), with what a rating
//! performance needs (`performance`), and at the end they are a table (`table`) that is written as
//! text, CSV or JSON lines (`write`). A caller that finds matches without a scan counts them in a
//! `tally`.

pub(crate) mod counter;
mod parse;
mod performance;
mod record;
pub(crate) mod table;
mod tally;
mod write;

use std::num::NonZeroU32;

use babson_pgn::Needs;
use serde::Serialize;

use crate::columns::{Column, ColumnNames, GROUP_KEYS};
use crate::error::GroupKeysError;
use crate::job::Job;
use crate::match_text::MatchText;
use crate::sink::{Format, MatchedGame, Omitted};
pub(crate) use counter::GroupCounter;
pub use counter::TooManyGroups;
pub use table::{GroupRow, GroupTable};
pub use tally::GroupTally;
pub(crate) use write::GroupTableFormat;

/// The keys by which matches are grouped: any [columns](crate::Columns), and `player`. `move` and
/// `next` are the moves without their numbers.
///
/// A key of the game (a tag, `year`, `eco:1`, `player`, …) has one value in a game, `player` two. A
/// key of the position (`san`, `ply`, `field:NAME`, …) has a value at each matching position: the
/// game counts once in the group of each value, with the number of positions that have it. The
/// suffix `/N` rounds numbers down to a multiple of N: `white_elo/100`, `"sort:a, b"/5`. A
/// suffix inside the quotes belongs to the name: `"sort:points/2"`.
///
/// ```
/// use babson_engine::{GroupKeys, GroupKeysError};
///
/// let groups = GroupKeys::parse("decade,eco:1,white_elo/200,tag:TimeControl")?;
/// let headings: Vec<&str> = groups.headings().collect();
/// assert_eq!(headings, ["decade", "eco:1", "white_elo/200", "TimeControl"]);
/// let error = GroupKeys::parse("yaer").unwrap_err();
/// assert!(error.to_string().starts_with("'yaer' is not a key; did you mean year?"));
/// # Ok::<(), GroupKeysError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupKeys {
    keys: Vec<NamedKey>,
}

/// A key with its heading.
#[derive(Clone, Debug, PartialEq, Eq)]
struct NamedKey {
    heading: String,
    key: Key,
    /// Numbers are rounded down to a multiple of this.
    band: Option<NonZeroU32>,
}

/// What the values of a key are.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Key {
    Column(Column),
    /// Either player: the game counts for both.
    Player,
}

/// The value of a key. Values are in the order none, numbers, texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum GroupValue {
    /// A tag that the game does not have, a move that was not played, a key that was never bound.
    None,
    /// A number.
    Number(i64),
    /// A text. If it is longer than 1,000 bytes, its beginning, followed by `…`.
    Text(String),
}

/// The headings of the numbers of a group, which no key has.
const COUNTS: [&str; 9] =
    ["games", "positions", "won", "drawn", "lost", "other", "score", "performance", "share"];

impl GroupKeys {
    /// Parses a list of keys, with commas between them. A name that contains a comma is put in
    /// quotes, as in a list of [columns](crate::Columns::parse).
    ///
    /// # Errors
    /// The list is empty, a name is not a key, a key is named twice, or a key with `/N` has no
    /// numbers.
    pub fn parse(text: &str) -> Result<GroupKeys, GroupKeysError> {
        parse::groups(text)
    }

    /// The headings of the keys, in order.
    pub fn headings(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(|key| key.heading.as_str())
    }

    /// Checks that the sort key or field of each such key exists in a query.
    ///
    /// # Errors
    /// No query has a sort key or a field of this name.
    pub fn check(&self, names: &ColumnNames) -> Result<(), GroupKeysError> {
        for key in &self.keys {
            match &key.key {
                Key::Column(column) => column.check(names)?,
                Key::Player => {}
            }
        }
        Ok(())
    }

    /// The same keys after the name of the query, unless it is a key already. A key with its
    /// heading, such as a tag `query`, gets another one.
    #[must_use]
    pub(crate) fn with_query(&self) -> GroupKeys {
        if self.query_key().is_some() {
            return self.clone();
        }
        let query = Key::Column(Column::Query);
        let first = NamedKey { heading: "query".to_owned(), key: query, band: None };
        let mut groups = GroupKeys { keys: vec![first] };
        for key in &self.keys {
            let mut key = key.clone();
            if let Key::Column(column) = &key.key
                && groups.headings().any(|taken| taken == key.heading)
            {
                key.heading = groups.free_heading(&key.heading, column);
            }
            groups.keys.push(key);
        }
        groups
    }

    /// The index of the key that is the name of the query.
    fn query_key(&self) -> Option<usize> {
        self.keys.iter().position(|key| key.key == Key::Column(Column::Query))
    }

    /// The number of leading keys that have an order of their own, such as the year. Groups are
    /// sorted by these keys first.
    fn series(&self) -> usize {
        let mut keys = self.keys.iter();
        keys.position(|key| !key.is_series()).unwrap_or(self.keys.len())
    }

    fn free_heading(&self, heading: &str, column: &Column) -> String {
        let is_free = |heading: &str| {
            // A key of its own has its name as its heading, also after a tag of this name.
            let is_key = GROUP_KEYS.iter().any(|key| heading.eq_ignore_ascii_case(key.name));
            let is_reserved = is_key || COUNTS.contains(&heading);
            !is_reserved && self.headings().all(|other| other != heading)
        };
        column.free_heading(heading, is_free)
    }
}

impl NamedKey {
    fn is_series(&self) -> bool {
        let column = match &self.key {
            Key::Column(column) => column,
            Key::Player => return false,
        };
        let is_ordered = matches!(
            column,
            Column::Date
                | Column::Year
                | Column::Month
                | Column::Decade
                | Column::Ply
                | Column::MoveNumber
        );
        let is_date = matches!(column, Column::Tag(name) if name == "Date");
        is_ordered || is_date || self.band.is_some() || *column == Column::Query
    }

    fn is_of_position(&self) -> bool {
        match &self.key {
            Key::Column(column) => column.is_of_position(),
            Key::Player => false,
        }
    }
}

/// The format of the records of matches, which a [`GroupCounter`] adds up.
#[derive(Debug)]
pub(crate) struct GroupFormat(pub(crate) GroupKeys);

impl Format for GroupFormat {
    fn needs(&self, job: &Job) -> Needs {
        match self.0.keys.iter().any(NamedKey::is_of_position) {
            true => Needs { variations: job.variations(), ..Needs::MAIN_LINE },
            false => Needs::TAGS,
        }
    }

    fn comments(&self, _: &Job) -> bool {
        self.0.keys.iter().any(|key| key.key == Key::Column(Column::Comment))
    }

    fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> Omitted {
        record::append(&self.0, matched, out.bytes());
        Omitted::default()
    }
}

#[cfg(test)]
mod tests;
