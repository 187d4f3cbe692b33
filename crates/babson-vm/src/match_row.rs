//! A match as data: what JSONL outputs and the events of a scan hold.

use babson_chess::{Color, fen, san};
use babson_lang::hir::SortKey;
use babson_pgn::Game;
use babson_pgn::tags::{decode, value_text};
use serde::{Deserialize, Serialize};

use crate::{GameColumns, Outcome, SortValue};

/// Where a game comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Origin {
    /// The input as it is named in messages; empty for a game without one.
    pub input: String,
    /// The number of the game in its input, from 1.
    pub number: u64,
    /// The offset of its first byte in the (decompressed) input.
    pub offset: u64,
}

impl Origin {
    /// The place of a game in an input.
    pub fn new(input: impl Into<String>, number: u64, offset: u64) -> Origin {
        Origin { input: input.into(), number, offset }
    }
}

/// A game that matched, with all that the query says of it. Serialized as JSON it is a row of a
/// JSONL output; empty lists are left out.
///
/// Text that is not UTF-8 in the game is read as Latin-1, the encoding of PGN.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Match {
    /// The number of the game, from 1 over all inputs.
    pub game: u64,
    /// Where the game comes from.
    #[serde(flatten)]
    pub origin: Origin,
    /// The usual tags, under the names that they have as columns.
    #[serde(flatten)]
    pub columns: Box<GameColumns>,
    /// The matching positions, ascending by id.
    pub positions: Vec<MatchedPosition>,
    /// The sort keys of the query, the most significant first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sort: Vec<SortEntry>,
    /// The comments that the query added.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<AddedComment>,
    /// The values that `field` recorded, by position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldEntry>,
    /// The tags as they are written, in their order. Their values are without the backslashes of
    /// PGN.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "tag_map")]
    pub tags: Vec<(String, String)>,
}

/// A matching position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MatchedPosition {
    /// Its position id; 0 is the initial position.
    pub id: u32,
    /// Plies from the initial position.
    pub ply: u32,
    /// The move before it with its number, `12...Nf6`; empty for the initial position.
    #[serde(rename = "move", default, skip_serializing_if = "String::is_empty")]
    pub mv: String,
    /// The move that follows it in the game, with its number; empty for the last position.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub next: String,
    /// Its FEN.
    pub fen: String,
}

/// The value of a sort key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SortEntry {
    /// The name of the key.
    pub name: String,
    /// Its value; `None` if the key was never bound.
    pub value: Option<SortData>,
}

/// The value of a sort key or of a field, as text that is UTF-8.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SortData {
    /// A number.
    Number(i32),
    /// A string.
    Text(String),
}

/// A comment that a query added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AddedComment {
    /// The id of its position.
    pub id: u32,
    /// Its text.
    pub text: String,
}

/// A value that `field` recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FieldEntry {
    /// The id of its position.
    pub id: u32,
    /// The name of the field.
    pub name: String,
    /// Its value.
    pub value: SortData,
}

impl From<&SortValue> for SortData {
    fn from(value: &SortValue) -> SortData {
        match value {
            SortValue::Number(number) => SortData::Number(*number),
            SortValue::Text(text) => SortData::Text(decode(text).into_owned()),
        }
    }
}

impl Match {
    /// The match of a game that was read with [`Needs::ALL`](babson_pgn::Needs::ALL), the outcome
    /// of a query with these sort keys, and the tags to be written.
    pub fn new<'t>(
        number: u64,
        origin: Origin,
        game: &Game<'_>,
        outcome: &Outcome,
        sorts: &[SortKey],
        tags: impl IntoIterator<Item = (&'t [u8], &'t [u8])>,
    ) -> Match {
        let positions = outcome.positions.iter().filter_map(|&id| matched_position(game, id));
        let sort = sorts.iter().zip(&outcome.sort).map(|(key, value)| SortEntry {
            name: key.name.clone(),
            value: value.as_ref().map(SortData::from),
        });
        let comments = outcome
            .comments
            .iter()
            .map(|(id, text)| AddedComment { id, text: decode(text).into_owned() });
        let fields = outcome.fields.iter().map(|field| FieldEntry {
            id: field.position,
            name: field.name.clone(),
            value: SortData::from(&field.value),
        });
        let tags = tags
            .into_iter()
            .map(|(name, value)| (decode(name).into_owned(), value_text(value).into_owned()));
        Match {
            game: number,
            origin,
            columns: Box::new(GameColumns::of(game, outcome)),
            positions: positions.collect(),
            sort: sort.collect(),
            comments: comments.collect(),
            fields: fields.collect(),
            tags: tags.collect(),
        }
    }

    /// About how many bytes of memory it takes, for those who collect many.
    pub fn bytes(&self) -> usize {
        let positions = self.positions.iter().map(|position| 48 + position.fen.len());
        let comments = self.comments.iter().map(|comment| 32 + comment.text.len());
        let tags = self.tags.iter().map(|(name, value)| 48 + name.len() + value.len());
        let sort = self.sort.iter().map(|entry| match &entry.value {
            Some(SortData::Text(text)) => 48 + text.len(),
            Some(SortData::Number(_)) | None => 48,
        });
        let fields = self.fields.iter().map(|field| match &field.value {
            SortData::Text(text) => 64 + field.name.len() + text.len(),
            SortData::Number(_) => 64 + field.name.len(),
        });
        positions.chain(comments).chain(fields).chain(tags).chain(sort).sum::<usize>()
            + self.origin.input.len()
            + self.columns.bytes()
    }

    /// The value of a tag as it is written; the first if there are several of its name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.0 == name).map(|tag| tag.1.as_str())
    }
}

fn matched_position(game: &Game<'_>, id: u32) -> Option<MatchedPosition> {
    let (position, node) = (game.positions().get(id as usize)?, game.nodes().get(id as usize)?);
    Some(MatchedPosition {
        id,
        ply: u32::from(node.ply),
        mv: move_before(game, id),
        next: move_after(game, id),
        fen: fen::write(position, game.rules()),
    })
}

/// The move before a position with its number, `12...Nf6`; empty for the initial position.
pub fn move_before(game: &Game<'_>, id: u32) -> String {
    let mut text = String::new();
    let node = game.nodes().get(id as usize).filter(|_| id != 0);
    if let Some(node) = node
        && let Some(before) = game.positions().get(node.parent as usize)
    {
        let dots = if before.side() == Color::White { "." } else { "..." };
        text = format!("{}{dots}", before.full_moves());
        text.push_str(&san::write(before, game.rules(), node.mv));
    }
    text
}

/// The main continuation of a position with its number, `32.e8=N+`; empty for the last position.
pub fn move_after(game: &Game<'_>, id: u32) -> String {
    game.first_child(id).map(|next| move_before(game, next)).unwrap_or_default()
}

/// Tags as a map. If a name occurs twice, its first tag counts, as in filters.
mod tag_map {
    use std::collections::HashSet;
    use std::fmt;

    use serde::de::{MapAccess, Visitor};
    use serde::ser::SerializeMap;
    use serde::{Deserializer, Serializer};

    type Tags = Vec<(String, String)>;

    pub(super) fn serialize<S: Serializer>(tags: &Tags, serializer: S) -> Result<S::Ok, S::Error> {
        let mut names = HashSet::with_capacity(tags.len());
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in tags {
            if names.insert(name) {
                map.serialize_entry(name, value)?;
            }
        }
        map.end()
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(source: D) -> Result<Tags, D::Error> {
        struct TagVisitor;

        impl<'de> Visitor<'de> for TagVisitor {
            type Value = Tags;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map of tags")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tags, A::Error> {
                let mut tags = Vec::new();
                while let Some(tag) = map.next_entry()? {
                    tags.push(tag);
                }
                Ok(tags)
            }
        }

        source.deserialize_map(TagVisitor)
    }
}
