//! A match as a row of a table.

use serde::{Deserialize, Serialize};

/// The match of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchRow {
    /// The number of the game, from 1 over all inputs of the search.
    pub game: u64,
    /// The matching positions.
    pub positions: Vec<PositionRow>,
    /// The comments that the query added, each with the id of its position.
    pub comments: Vec<(u32, String)>,
    /// The values that `field` recorded.
    pub fields: Vec<FieldRow>,
    /// The tags that the query set, each with its value; without one it was removed.
    pub tags: Vec<(String, Option<String>)>,
    /// The values of the sort keys; `None` if a key was never bound.
    pub sort: Vec<Option<SortCell>>,
}

/// A matching position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionRow {
    /// Its id.
    pub id: u32,
    /// Plies from the initial position.
    pub ply: u32,
    /// The move before it with its number; empty for the initial position.
    pub mv: String,
    /// The move that was played in it, with its number; empty for the last position.
    pub next: String,
    /// Its FEN.
    pub fen: String,
}

/// A value that `field` recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldRow {
    /// The id of its position.
    pub id: u32,
    /// The name of the field.
    pub name: String,
    /// The value, a number in decimal digits.
    pub value: String,
}

/// The value of a sort key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SortCell {
    /// A number.
    Number(i32),
    /// A text.
    Text(String),
}

/// What the values of a sort key are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortType {
    /// Numbers.
    Number,
    /// Texts.
    Text,
}

/// The query of a table of matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchQuery {
    /// Its name.
    pub name: String,
    /// Its sort keys, the most significant first.
    pub sorts: Vec<(String, SortType)>,
}

impl MatchRow {
    /// The comments of the query at a position.
    pub(crate) fn comment(&self, position: u32) -> Option<String> {
        // They are in the order of their positions, and there can be many of both.
        let first = self.comments.partition_point(|(id, _)| *id < position);
        let comments = self.comments[first..].iter().take_while(|(id, _)| *id == position);
        let comments: Vec<&str> = comments.map(|(_, text)| text.as_str()).collect();
        (!comments.is_empty()).then(|| comments.join("; "))
    }

    /// The bytes of the columns of the match.
    pub(crate) fn bytes(&self) -> usize {
        let positions = self.positions.iter();
        let positions = positions.map(|row| 24 + row.mv.len() + row.next.len() + row.fen.len());
        let comments = self.comments.iter().map(|(_, text)| 8 + text.len());
        let tags = self
            .tags
            .iter()
            .map(|(name, value)| 8 + name.len() + value.as_ref().map_or(0, String::len));
        let sort = self.sort.iter().flatten().map(|cell| match cell {
            SortCell::Number(_) => 4,
            SortCell::Text(text) => 4 + text.len(),
        });
        let fields = self.fields.iter().map(|field| 12 + field.name.len() + field.value.len());
        positions.chain(comments).chain(fields).chain(tags).chain(sort).sum()
    }
}
