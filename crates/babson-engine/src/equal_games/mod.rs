//! Games that are equal to earlier ones, by their [hashes](GameHash).

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Mutex, PoisonError};

use babson_chess::VariantNames;
use babson_input::chunk::Chunk;
use babson_pgn::{GameHash, Needs, Reader};
use babson_vm::run::{GameRange, GameText, is_inside};

/// The games that were seen. A game takes 9 to 18 bytes.
#[derive(Default)]
pub(crate) struct SeenGames(HashSet<u64, BuildHasherDefault<MixedHasher>>);

impl SeenGames {
    /// Adds a game. Returns whether it is new: whether no equal one was added before.
    pub(crate) fn insert(&mut self, game: GameHash) -> bool {
        self.0.insert(game.0)
    }
}

/// The hasher of numbers whose bits are mixed already.
#[derive(Default)]
struct MixedHasher(u64);

impl Hasher for MixedHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Finds the games of a scan that are equal to earlier ones. The threads read the games of their
/// chunks in parallel, and compare them in the order of the chunks.
///
/// Each range of games has a set of its own: the games that one query searches must not depend on
/// the ranges of the others.
pub(crate) struct EqualGames {
    seen: Mutex<Vec<(Option<GameRange>, SeenGames)>>,
    /// Readers that no thread uses at the moment.
    readers: Mutex<Vec<Reader>>,
    variants: VariantNames,
}

impl EqualGames {
    /// No game was seen yet. The games of each range are compared with each other.
    pub(crate) fn new(ranges: &[Option<GameRange>], variants: VariantNames) -> EqualGames {
        let seen = ranges.iter().map(|range| (*range, SeenGames::default())).collect();
        EqualGames { seen: Mutex::new(seen), readers: Mutex::default(), variants }
    }

    /// The hashes of the games of a chunk. None for a game that is not read to its end, since it
    /// cannot be known whether it is equal to another.
    pub(crate) fn hashes(&self, chunk: &Chunk) -> Vec<Option<GameHash>> {
        // A table has the hashes of its games, with the usual names of variants.
        if self.variants == VariantNames::default()
            && let Some(rows) = &chunk.rows
            && let Ok(hashes) = rows.hashes()
        {
            return hashes.into_iter().map(Some).collect();
        }
        let kept = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut reader = kept.unwrap_or_else(|| Reader::new().with_variants(self.variants.clone()));
        let mut joined = Vec::new();
        let games = 0..chunk.games();
        let hashes = games.map(|index| hash(chunk, index, &mut reader, &mut joined)).collect();
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
        hashes
    }

    /// Marks the games of a chunk that are equal to earlier ones of a range. Games outside of the
    /// range are neither marked nor remembered. Called in the order of the chunks.
    pub(crate) fn mark(&self, chunk: &mut Chunk, hashes: &[Option<GameHash>]) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let first = chunk.start.game;
        let marks = |(range, seen): &mut (Option<GameRange>, SeenGames)| {
            let is_equal = |(number, hash): (u64, &Option<GameHash>)| {
                hash.is_some_and(|hash| is_inside(*range, number) && !seen.insert(hash))
            };
            (first..).zip(hashes).map(is_equal).collect()
        };
        chunk.equal = seen.iter_mut().map(marks).collect();
    }
}

/// The hash of a game of a chunk.
fn hash(
    chunk: &Chunk,
    index: usize,
    reader: &mut Reader,
    joined: &mut Vec<u8>,
) -> Option<GameHash> {
    let text = match &chunk.rows {
        Some(rows) => rows.any_row(index)?.game(joined),
        None => {
            let text = chunk.text(index);
            if chunk.is_overlong(text) || chunk.torn == Some(index) {
                return None;
            }
            GameText::Pgn(chunk.split_text(index))
        }
    };
    Some(GameHash::of(&text.read(reader, Needs::ALL).ok()?))
}

#[cfg(all(test, feature = "table"))]
mod tests;
