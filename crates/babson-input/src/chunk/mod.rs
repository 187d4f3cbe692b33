//! Numbered chunks of the inputs. Each chunk consists of whole games.
//!
//! ```text
//! Cutter ── CutChunk ──> Chunk::of ── Chunk ──> Numbering::number ── numbered Chunk
//! (one at a time)       (in parallel)          (in the order of the chunks)
//! ```
//!
//! Cutting only finds the next boundary. Finding the games of a chunk and counting its lines costs
//! more and is done by the thread that searches it. So nothing but the boundary is serial.

mod cutter;
mod long_text;
mod numbering;
mod overlong;
#[cfg(feature = "table")]
mod rows;
#[cfg(not(feature = "table"))]
#[path = "no_rows.rs"]
mod rows;
#[cfg(feature = "table")]
mod selection;
mod stream;
#[cfg(feature = "table")]
mod table_games;

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use babson_pgn::{GameResult, Games, SplitText, TextFacts, count_lines, is_not_pgn};
use babson_vm::GameGuard;
use babson_vm::run::MAX_GAME;
use crc32fast::Hasher;

use crate::error::InputError;
use crate::input::MappedFile;
pub use crate::limits::MAX_CHUNK;
use crate::limits::MIN_CHUNK;
pub use babson_vm::run::RowName;
pub use cutter::{CutChunk, CutError, Cutter, EvenCuts};
pub use long_text::{LongFile, LongText};
pub use numbering::{BrokenPlace, ChunkStart, ChunkTurn, Numbering, ReadRange};
#[cfg(feature = "table")]
pub use rows::game_text;
pub use rows::{ChunkRows, TableRow};
#[cfg(feature = "table")]
pub use selection::{GuardColumns, Selection};
#[cfg(feature = "table")]
pub use table_games::TableGames;

/// What queries test of the games of a table before these are read: a guard for each query, or none
/// if the query needs all games.
pub type Guards<'g> = [Option<&'g GameGuard>];

/// The rows of tables that are read. All chunks of a table are read with one choice, since its
/// first chunk prepares what the guards ask of the table.
pub enum RowChoice<'g> {
    /// None: the games are only counted.
    None,
    /// Those in which a query may match or do anything else.
    Guarded {
        /// The guards of the queries.
        guards: Vec<Option<&'g GameGuard>>,
        /// For each query, whether a game need not be searched if its guard decides that it
        /// matches.
        decides: Vec<bool>,
        /// For each query, whether its matches are written: then such a game is still read.
        writes: Vec<bool>,
    },
    /// All, with the same ones selected.
    AllGuarded(Vec<Option<&'g GameGuard>>),
    /// All.
    All,
    /// All, with all their columns: see [`ChunkRows::append_to`].
    Stored,
}

/// The bytes of a chunk of inputs of this length in all, for this number of threads (0 as 1).
pub fn chunk_size(length: u64, threads: usize) -> usize {
    (length / ((threads.max(1) as u64).saturating_mul(16))).clamp(MIN_CHUNK, MAX_CHUNK) as usize
}

/// Some whole games.
pub struct Chunk {
    /// Counted from 0, over all inputs.
    pub index: u64,
    /// Which input.
    pub input: usize,
    /// The offset of its first byte in the (decompressed) input.
    pub offset: u64,
    /// The numbers of its first game and its first line.
    pub start: ChunkStart,
    /// The offset of each game in the chunk, and finally the end of the last one.
    pub starts: Vec<usize>,
    /// What is known of the text of each game; nothing of an overlong one.
    facts: Vec<TextFacts>,
    /// Whether the only game of the chunk is longer than [`MAX_GAME`]. The bytes are then its
    /// beginning.
    pub overlong: bool,
    /// The index of its last game, if its input cannot be read to the end of that game.
    pub torn: Option<usize>,
    /// For each range of games that queries search, whether each game is equal to an earlier one
    /// of the range; empty if such games are not left out.
    pub equal: Vec<Vec<bool>>,
    /// The text of the overlong game, if it was requested.
    pub long_text: Option<LongText>,
    /// Bytes of text of the chunk.
    pub length: u64,
    /// The number of its lines.
    pub lines: u64,
    /// The checksum of the text or of the rows, if it is requested.
    pub hasher: Option<Hasher>,
    /// Bytes of the input that were read for it: fewer if it is compressed, and some are read
    /// ahead.
    pub input_length: u64,
    /// The games, if they come from a table. The bytes are then empty.
    pub rows: Option<ChunkRows>,
    bytes: ChunkBytes,
}

pub(crate) enum ChunkBytes {
    Mapped(Arc<MappedFile>, Range<usize>),
    Owned(Vec<u8>),
}

impl ChunkBytes {
    fn get(&self) -> &[u8] {
        match self {
            ChunkBytes::Mapped(map, range) => map.get(range.clone()).unwrap_or_default(),
            ChunkBytes::Owned(bytes) => bytes,
        }
    }
}

impl CutChunk {
    /// Makes the chunk of it.
    ///
    /// # Errors
    /// As [`Chunk::of`], with the place of the chunk.
    pub fn read(self, choice: &RowChoice<'_>) -> Result<Chunk, CutError> {
        let (index, input) = (self.index, self.input);
        Chunk::of(self, choice).map_err(|error| CutError { index, input, error })
    }
}

impl Chunk {
    /// Finds the games and counts the lines of a chunk, or reads these of its rows. Its start is
    /// not known yet.
    ///
    /// # Errors
    /// The rows are damaged, or the chunk is the whole text of an input and has no game.
    pub fn of(cut: CutChunk, choice: &RowChoice<'_>) -> Result<Chunk, InputError> {
        let CutChunk { index, input, offset, input_length, bytes, overlong, .. } = cut;
        let CutChunk { ends_torn, hashes, rows, whole_of, .. } = cut;
        let rows_length = rows.as_ref().map(|rows| rows.length());
        let text = bytes.get();
        if let Some(path) = whole_of
            && is_not_pgn(text)
        {
            return Err(InputError::NotPgn { path });
        }
        let mut starts = Vec::with_capacity(text.len() / 512 + 2);
        let mut facts = Vec::with_capacity(starts.capacity());
        let mut end = 0;
        let is_overlong = overlong.is_some();
        let hasher = hashes.then(|| {
            if let Some(overlong) = &overlong {
                return overlong.hasher.clone();
            }
            let mut hasher = Hasher::new();
            match &rows {
                Some(rows) => rows.hash(&mut hasher),
                None => hasher.update(text),
            }
            hasher
        });
        let rows = rows.map(|rows| rows.read(choice)).transpose()?;
        let (length, line_count, long_text) = match overlong {
            Some(overlong) => {
                starts.push(0);
                end = text.len();
                (overlong.length, overlong.lines, overlong.text)
            }
            None => {
                let mut games = Games::new(text);
                while let Some((offset, game)) = games.next() {
                    starts.push(offset);
                    facts.push(games.facts());
                    end = offset + game.len();
                }
                (text.len() as u64, lines(text), None)
            }
        };
        let last = starts.last().and_then(|&last| text.get(last..end));
        let is_torn = ends_torn && last.is_some_and(|game| !ends_with_result(game));
        let torn = starts.len().checked_sub(1).filter(|_| is_torn);
        if !starts.is_empty() {
            starts.push(end);
        }
        Ok(Chunk {
            index,
            input,
            offset,
            start: ChunkStart::default(),
            starts,
            facts,
            overlong: is_overlong,
            torn,
            equal: Vec::new(),
            long_text,
            length: rows_length.unwrap_or(length),
            lines: line_count,
            hasher,
            input_length,
            rows,
            bytes,
        })
    }

    /// The text of all the games.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get()
    }

    /// Tests whether what was read can be trusted. Bytes that are not mapped cannot change.
    ///
    /// # Errors
    /// The file has changed since it was opened.
    pub fn check(&self) -> Result<(), InputError> {
        if let Some(rows) = &self.rows {
            return rows.check();
        }
        match &self.bytes {
            ChunkBytes::Mapped(map, _) => map.watch.check(),
            ChunkBytes::Owned(_) => Ok(()),
        }
    }

    /// Returns the text of a game of a chunk without rows. If the game is overlong, returns the
    /// beginning of its text.
    pub fn text(&self, index: usize) -> &[u8] {
        let bound = |index: usize| self.starts.get(index).copied().unwrap_or_default();
        self.bytes().get(bound(index)..bound(index + 1)).unwrap_or_default()
    }

    /// As [`text`](Chunk::text), with what is known of it.
    pub fn split_text(&self, index: usize) -> SplitText<'_> {
        let facts = self.facts.get(index).copied().unwrap_or_default();
        SplitText::new(self.text(index)).with_facts(facts)
    }

    /// Whether a text of a game of the chunk is too long to be read.
    pub fn is_overlong(&self, text: &[u8]) -> bool {
        self.overlong || text.len() > MAX_GAME
    }

    /// Whether a game is equal to an earlier one of a range, and left out by its queries.
    pub fn is_equal(&self, range: usize, index: usize) -> bool {
        self.equal.get(range).and_then(|games| games.get(index)) == Some(&true)
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        match &self.rows {
            Some(rows) => rows.games(),
            None => self.starts.len().saturating_sub(1),
        }
    }

    /// Leaves out the games after the game `last`. Returns whether later chunks are not needed.
    pub fn end_at(&mut self, last: u64) -> bool {
        let wanted = last.saturating_add(1).saturating_sub(self.start.game);
        let is_last = self.games() as u64 >= wanted;
        if let Some(rows) = &mut self.rows {
            rows.truncate(wanted.try_into().unwrap_or(usize::MAX));
        } else if (self.games() as u64) > wanted {
            self.starts.truncate(wanted as usize + 1);
            self.torn = None;
            self.length = self.starts.last().map_or(0, |&end| end as u64);
        }
        is_last
    }
}

/// Whether a text ends as whole games do.
fn ends_with_result(game: &[u8]) -> bool {
    let last = game.trim_ascii_end().rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    use GameResult::{BlackWins, Draw, Unknown, WhiteWins};
    [WhiteWins, BlackWins, Draw, Unknown].iter().any(|result| last == result.text().as_bytes())
}

/// The number of lines of a text that ends where a line ends, or at the end of its file.
pub(crate) fn lines(text: &[u8]) -> u64 {
    count_lines(text, 0..text.len())
}
