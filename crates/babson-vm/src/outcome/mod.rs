//! The outcome of a query on one game.

mod comments;

use std::borrow::Cow;

use babson_lang::Span;
use babson_pgn::{Annotations, Game, Needs};
use serde::{Deserialize, Serialize};

use crate::Value;
use crate::stop::Stopped;
pub use comments::Comments;

/// The result of one query on one game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Whether the game is to be written.
    pub matched: bool,
    /// Ids of the matching positions, ascending.
    pub positions: Vec<u32>,
    /// The value of the query's last filter at each of `positions`; `Bool(true)` if it is a
    /// condition. Empty unless the program was compiled
    /// [for it](crate::CompileOptions::value).
    pub values: Vec<Value>,
    /// The added comments by position id. The comments of one position are in their final order.
    /// Empty unless the game matched. Braces and bytes above 127 are still as the query made them.
    pub comments: Comments,
    /// How many of the first comments are the sort header, which stands before the original comment
    /// of the initial position. 0 in CQL 6.2's layout, where the header is that position's last.
    pub headers: usize,
    /// Ids of the positions whose original comment is not to be written; ascending.
    pub removed_comments: Vec<u32>,
    /// The tags set by `settag`, in order of their first setting, with the last value.
    pub tags: Vec<(String, Vec<u8>)>,
    /// The tags that are not to be written, by `removetag`.
    pub removed_tags: Vec<String>,
    /// What `message` printed: whole lines, in order, whether or not the game matched.
    pub messages: Vec<u8>,
    /// The values that `field` recorded, by position. The values of one position are in the order
    /// in which the query first recorded them. Empty unless the game matched.
    pub fields: Vec<Field>,
    /// The values of [`Program::sorts`](crate::Program::sorts), in that order; `None` was never
    /// bound and is worse than any value.
    pub sort: Vec<Option<SortValue>>,
    /// The error that ended the evaluation. Then the game did not match and is not written.
    pub error: Option<RuntimeError>,
}

/// Whether the tag of a name is not to be written.
pub type HidesTag<'a> = &'a dyn Fn(&[u8]) -> bool;

impl Outcome {
    /// Calls `write` with what the query adds to its game. If there is a `hides`, tags whose name
    /// it takes are not written. If not `unique`, equal comments of a position are all written.
    pub fn annotate<T>(
        &self,
        game: &Game<'_>,
        hides: Option<HidesTag<'_>>,
        unique: bool,
        write: impl FnOnce(&Annotations<'_>) -> T,
    ) -> T {
        let comments: Vec<(u32, &[u8])> = self.comments.iter().collect();
        let tags: Vec<(&[u8], &[u8])> =
            self.tags.iter().map(|(name, value)| (name.as_bytes(), value.as_slice())).collect();
        let mut hidden: Vec<&[u8]> = self.removed_tags.iter().map(String::as_bytes).collect();
        if let Some(hides) = hides {
            let names = game.tags().map(|tag| tag.0);
            let names = names.chain(tags.iter().map(|tag| tag.0)).chain(Annotations::ROSTER);
            hidden.extend(names.filter(|name| hides(name)));
        }
        write(&Annotations {
            comments: &comments,
            headers: self.headers,
            removed: &self.removed_comments,
            tags: &tags,
            hidden_tags: &hidden,
            keep_duplicates: !unique,
        })
    }

    /// The comments that the query added to a position.
    pub fn comments_at(&self, id: u32) -> impl ExactSizeIterator<Item = &[u8]> {
        self.comments.at(id)
    }

    /// The values that `field` recorded at a position.
    pub fn fields_at(&self, id: u32) -> &[Field] {
        entries_at(&self.fields, id, |field| field.position)
    }

    pub(crate) fn clear(&mut self) {
        self.matched = false;
        self.positions.clear();
        self.values.clear();
        self.comments.clear();
        self.headers = 0;
        self.removed_comments.clear();
        self.tags.clear();
        self.removed_tags.clear();
        self.messages.clear();
        self.fields.clear();
        self.sort.clear();
        self.error = None;
    }
}

/// A value that `field` recorded for a position (`docs/src/language/comments.md#fields`).
///
/// ```
/// use babson_lang::{Dialect, analyze};
/// use babson_pgn::Reader;
/// use babson_vm::{GameContext, Machine, Program, RunOptions, SortValue};
///
/// let query = analyze("mate field(\"mover\" to)  field(\"ply\" ply)", Dialect::CQLI).unwrap().query;
/// let program = Program::compile(&query).unwrap();
/// let mut reader = Reader::new();
/// let game = reader.read(b"1. f3 e5 2. g4 Qh4# 0-1\n", program.needs());
/// let context = GameContext { number: 1, last_number: None, options: &RunOptions::default() };
/// let mut machine = Machine::new(program.clone());
/// let fields = &machine.run(&game, &context).unwrap().fields;
/// assert_eq!(fields[0].name, "mover");
/// assert_eq!(fields[0].value, SortValue::Text(b"h4".to_vec()));
/// assert_eq!((fields[1].position, &fields[1].value), (4, &SortValue::Number(4)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// The id of the position.
    pub position: u32,
    /// The name.
    pub name: String,
    /// The value.
    pub value: SortValue,
}

/// The value of a sort key or of a field.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SortValue {
    /// A number.
    Number(i32),
    /// A string; compared byte by byte.
    Text(Vec<u8>),
}

impl std::fmt::Display for SortValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SortValue::Number(number) => write!(f, "{number}"),
            SortValue::Text(text) => f.write_str(&String::from_utf8_lossy(text)),
        }
    }
}

/// A limit of a run that whoever starts the run may raise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RunLimit {
    /// The game used up [`RunOptions::steps`](crate::RunOptions::steps).
    Steps,
    /// A program of `commandpipe` did not answer in the time that the host gives it.
    AnswerTime,
}

/// A game or position was not searched, because of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The game was read without a part that the query needs: without its variations, say, the
    /// query would find too little. These are the parts; read the game with
    /// [`Program::needs_with`](crate::Program::needs_with).
    #[error("the game was read without what the query needs: {}", .0.names().join(", "))]
    MissingNeeds(Needs),
    /// The run was stopped.
    #[error("{0}")]
    Stopped(#[from] Stopped),
    /// The caller asked for the value at a position, but the program was compiled without values.
    /// [`CompileOptions::value`](crate::CompileOptions::value) compiles one with them.
    #[error("the program was compiled without the values of its query")]
    NoValues,
}

impl From<RunError> for RuntimeError {
    fn from(error: RunError) -> RuntimeError {
        RuntimeError {
            filter: "query".into(),
            span: Span::default(),
            position: 0,
            message: error.to_string(),
            fatal: matches!(error, RunError::Stopped(_)),
            limit: None,
        }
    }
}

/// An error that only the evaluation can find.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
#[non_exhaustive]
pub struct RuntimeError {
    /// The kind of filter that failed, as one word of the language or of this crate.
    pub filter: Cow<'static, str>,
    /// Where it stands in the query.
    pub span: Span,
    /// Id of the position at which it was evaluated.
    pub position: u32,
    /// One sentence without a final stop.
    pub message: String,
    /// Whether the whole run ends (failed `assert`, `cql_abort`, file errors); else only the
    /// game is skipped.
    pub fatal: bool,
    /// The limit that was reached, if it is one that a run may be given more of.
    pub limit: Option<RunLimit>,
}

impl RuntimeError {
    /// The error of a filter at this place of the query and at the initial position. The game is
    /// skipped.
    pub fn new(
        filter: impl Into<Cow<'static, str>>,
        span: Span,
        message: impl Into<String>,
    ) -> RuntimeError {
        let (filter, message) = (filter.into(), message.into());
        RuntimeError { filter, span, position: 0, message, fatal: false, limit: None }
    }
}

/// The entries of a position, among entries in the order of their positions. They are searched, not
/// counted off: a game can have as many matching positions as entries.
fn entries_at<T>(entries: &[T], id: u32, position: impl Fn(&T) -> u32) -> &[T] {
    let first = entries.partition_point(|entry| position(entry) < id);
    let later = &entries[first..];
    let count = later.iter().take_while(|entry| position(entry) == id).count();
    &later[..count]
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::entries_at;

    #[test]
    fn the_entries_of_a_position() {
        let entries = [(0, "a"), (0, "b"), (3, "c"), (9, "d"), (9, "e")];
        for (id, first, count) in [(0, 0, 2), (1, 2, 0), (3, 2, 1), (9, 3, 2), (10, 5, 0)] {
            let found = entries_at(&entries, id, |entry| entry.0);
            assert_eq!(found, &entries[first..first + count], "{id}");
        }
        assert!(entries_at::<(u32, ())>(&[], 0, |entry| entry.0).is_empty());
    }

    /// Twice as many matching positions, each with a comment, are not four times the work.
    #[test]
    fn growth_with_the_matching_positions() {
        let looked_at = |positions: u32| {
            let entries: Vec<u32> = (0..positions).collect();
            let looked_at = Cell::new(0);
            for id in 0..positions {
                let found = entries_at(&entries, id, |entry| {
                    looked_at.set(looked_at.get() + 1);
                    *entry
                });
                assert_eq!(found, [id]);
            }
            looked_at.get()
        };
        let (once, twice) = (looked_at(20_000), looked_at(40_000));
        assert!(twice * 10 < once * 23, "{once} and {twice} looks");
    }
}
