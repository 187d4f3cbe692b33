//! The numbers of games and lines over all chunks.

use std::sync::{Condvar, Mutex, PoisonError};

use crc32fast::Hasher;

use super::Chunk;

/// Where a chunk begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkStart {
    /// Number of its first game, from 1 over all inputs.
    pub game: u64,
    /// Number of its first game in its input, from 1.
    pub input_game: u64,
    /// Line of its first byte in its input, from 1.
    pub line: u64,
}

impl Default for ChunkStart {
    fn default() -> ChunkStart {
        ChunkStart { game: 1, input_game: 1, line: 1 }
    }
}

/// The chunk that is numbered next.
struct NextChunk {
    index: u64,
    /// How many chunks before it were numbered, or could not be read.
    taken: u64,
    /// The input of the chunk before it.
    input: usize,
    /// Whether this input could not be read to its end.
    is_broken: bool,
    start: ChunkStart,
    /// What all chunks before it held, for each input, if they have checksums.
    read: Vec<ReadRange>,
}

/// How a chunk was numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkTurn {
    /// It has its numbers.
    Numbered,
    /// An earlier chunk of its input could not be read, so it is left out.
    LeftOut,
    /// The thread of an earlier chunk has ended without numbering it.
    Abandoned,
}

/// The place of a chunk that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrokenPlace {
    /// Its index among the chunks that are numbered or cannot be read.
    pub index: u64,
    /// The number of games of its input before it.
    pub input_games: u64,
    /// The number of games of all inputs before it.
    pub games: u64,
}

/// What was read of a range of an input.
#[derive(Clone, Debug, Default)]
pub struct ReadRange {
    /// The number of its games.
    pub games: u64,
    /// The checksum of its text.
    pub text: Hasher,
}

impl NextChunk {
    /// Begins to number the chunks of an input.
    fn enter(&mut self, input: usize) {
        if input != self.input {
            (self.input, self.is_broken) = (input, false);
            self.start = ChunkStart { game: self.start.game, ..ChunkStart::default() };
        }
    }
}

/// Gives each chunk the numbers of its first game and line: the sums over all chunks before it.
///
/// The threads count the games of their chunks in parallel. Each thread adds its counts when the
/// counts of all earlier chunks are added. A thread numbers its chunk before it takes another, so
/// no thread waits longer than it takes to count one chunk.
pub struct Numbering {
    /// `None` after a thread has ended without numbering its chunk.
    next: Mutex<Option<NextChunk>>,
    changed: Condvar,
}

impl Numbering {
    /// The numbering of chunks whose first one, of the input `input`, begins at `start`.
    pub fn new(input: usize, start: ChunkStart) -> Numbering {
        let next =
            NextChunk { index: 0, taken: 0, input, is_broken: false, start, read: Vec::new() };
        Numbering { next: Mutex::new(Some(next)), changed: Condvar::new() }
    }

    /// Waits until all earlier chunks are numbered and numbers this one. Its index is then the
    /// number of chunks before it, without those that were left out. `numbered` gets each numbered
    /// chunk in its turn.
    pub fn number(&self, chunk: &mut Chunk, numbered: impl FnOnce(&mut Chunk)) -> ChunkTurn {
        let turn = self.turn(chunk.index, |next| {
            next.enter(chunk.input);
            if next.is_broken {
                return ChunkTurn::LeftOut;
            }
            chunk.index = next.taken;
            next.taken += 1;
            chunk.start = next.start;
            next.start.game += chunk.games() as u64;
            next.start.input_game += chunk.games() as u64;
            next.start.line += chunk.lines;
            if let Some(hasher) = &chunk.hasher {
                if next.read.len() <= chunk.input {
                    next.read.resize_with(chunk.input + 1, ReadRange::default);
                }
                let read = &mut next.read[chunk.input];
                read.games += chunk.games() as u64;
                read.text.combine(hasher);
            }
            numbered(chunk);
            ChunkTurn::Numbered
        });
        turn.unwrap_or(ChunkTurn::Abandoned)
    }

    /// The place of the chunk of this index, which cannot be read. Later chunks of its input are
    /// left out, and the place is none if it is one of these, or if the chunks before it will not
    /// be numbered.
    pub fn end_input(&self, index: u64, input: usize) -> Option<BrokenPlace> {
        let place = self.turn(index, |next| {
            next.enter(input);
            if std::mem::replace(&mut next.is_broken, true) {
                return None;
            }
            next.taken += 1;
            Some(BrokenPlace {
                index: next.taken - 1,
                input_games: next.start.input_game - 1,
                games: next.start.game - 1,
            })
        });
        place.flatten()
    }

    /// What the chunks held that were numbered so far, for each input up to the last one that had a
    /// chunk, if the chunks have checksums.
    pub fn read(&self) -> Vec<ReadRange> {
        let next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        next.as_ref().map_or_else(Vec::new, |next| next.read.clone())
    }

    /// Calls `number` when the turn of the chunk has come.
    fn turn<T>(&self, index: u64, number: impl FnOnce(&mut NextChunk) -> T) -> Option<T> {
        let next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let is_early =
            |next: &mut Option<NextChunk>| next.as_ref().is_some_and(|next| next.index < index);
        let next = self.changed.wait_while(next, is_early);
        let mut next = next.unwrap_or_else(PoisonError::into_inner);
        let result = next.as_mut().map(|next| {
            next.index += 1;
            number(next)
        });
        self.changed.notify_all();
        result
    }

    /// Ends all waiting, since the chunk of some thread will not be numbered.
    pub fn abandon(&self) {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.changed.notify_all();
    }
}
