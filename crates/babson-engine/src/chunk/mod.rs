//! Numbered chunks of the inputs. Each chunk consists of whole games.

mod cutter;
mod long_text;
mod overlong;
mod stream;

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use crate::error::Error;
use crate::input::MappedFile;
pub(crate) use cutter::Chunks;
pub(crate) use long_text::LongText;

/// Some whole games.
pub(crate) struct Chunk {
    /// Counted from 0, over all inputs.
    pub(crate) index: u64,
    /// Which input.
    pub(crate) input: usize,
    /// Line of the chunk's first byte in its input, from 1.
    pub(crate) first_line: u64,
    /// Number of the chunk's first game, from 1 over all inputs.
    pub(crate) first_game: u64,
    /// The offset of each game, and finally the end of the last one.
    pub(crate) starts: Vec<usize>,
    /// Whether the only game of the chunk is longer than [`MAX_GAME`](crate::MAX_GAME). The bytes
    /// are then its beginning.
    pub(crate) overlong: bool,
    /// The text of the overlong game, if it was requested.
    pub(crate) long_text: Option<LongText>,
    /// Bytes of text of the chunk.
    pub(crate) length: u64,
    /// Bytes of the input that were read for it: fewer if it is compressed, and some are read
    /// ahead.
    pub(crate) input_length: u64,
    bytes: ChunkBytes,
}

enum ChunkBytes {
    Mapped(Arc<MappedFile>, Range<usize>),
    Owned(Vec<u8>),
}

impl Chunk {
    /// The text of all the games.
    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.bytes {
            ChunkBytes::Mapped(map, range) => map.get(range.clone()).unwrap_or_default(),
            ChunkBytes::Owned(bytes) => bytes,
        }
    }

    /// An error if the file has changed since it was opened. Bytes that are not mapped cannot
    /// change.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match &self.bytes {
            ChunkBytes::Mapped(map, _) => map.watch.check(),
            ChunkBytes::Owned(_) => Ok(()),
        }
    }

    /// The number of games.
    pub(crate) fn games(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
}

/// The number of lines: of line feeds, or of carriage returns in a text without line feeds.
pub(crate) fn lines(text: &[u8]) -> u64 {
    let count = |byte| memchr::memchr_iter(byte, text).count() as u64;
    match count(b'\n') {
        0 => count(b'\r'),
        feeds => feeds,
    }
}
