//! The numbers of games and lines over all chunks.

use std::sync::{Condvar, Mutex, PoisonError};

use crc32fast::Hasher;

use super::Chunk;

/// Where a chunk begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChunkStart {
    /// Number of its first game, from 1 over all inputs.
    pub(crate) game: u64,
    /// Number of its first game in its input, from 1.
    pub(crate) input_game: u64,
    /// Line of its first byte in its input, from 1.
    pub(crate) line: u64,
}

impl Default for ChunkStart {
    fn default() -> ChunkStart {
        ChunkStart { game: 1, input_game: 1, line: 1 }
    }
}

/// The chunk that is numbered next.
struct NextChunk {
    index: u64,
    /// The input of the chunk before it.
    input: usize,
    start: ChunkStart,
    /// What all chunks before it held, for each input, if they have checksums.
    read: Vec<ReadRange>,
}

/// What was read of a range of an input.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadRange {
    /// The number of its games.
    pub(crate) games: u64,
    /// The checksum of its text.
    pub(crate) text: Hasher,
}

/// Gives each chunk the numbers of its first game and line: the sums over all chunks before it.
///
/// The threads count the games of their chunks in parallel, and each adds its counts when those of
/// all earlier chunks are added. A thread numbers its chunk before it takes another, so nobody
/// waits longer than one chunk takes to count.
pub(crate) struct Numbering {
    /// `None` after a thread has ended without numbering its chunk.
    next: Mutex<Option<NextChunk>>,
    changed: Condvar,
}

impl Numbering {
    /// The numbering of chunks whose first one, of the input `input`, begins at `start`.
    pub(crate) fn new(input: usize, start: ChunkStart) -> Numbering {
        let next = NextChunk { index: 0, input, start, read: Vec::new() };
        Numbering { next: Mutex::new(Some(next)), changed: Condvar::new() }
    }

    /// Waits until all earlier chunks are numbered and numbers this one. Returns whether it was
    /// numbered.
    pub(crate) fn number(&self, chunk: &mut Chunk) -> bool {
        self.turn(chunk.index, |next| {
            if chunk.input != next.input {
                next.input = chunk.input;
                next.start = ChunkStart { game: next.start.game, ..ChunkStart::default() };
            }
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
        })
        .is_some()
    }

    /// The number of games before the chunk of this index, which will not come.
    pub(crate) fn games_before(&self, index: u64) -> Option<u64> {
        self.turn(index, |next| next.start.game - 1)
    }

    /// What the chunks held that were numbered so far, for each input up to the last one that had a
    /// chunk, if the chunks have checksums.
    pub(crate) fn read(&self) -> Vec<ReadRange> {
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
    pub(crate) fn abandon(&self) {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.changed.notify_all();
    }
}
