//! Numbered chunks of the inputs, each of some whole games.

mod cutter;
mod long_text;
mod stream;

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use crate::error::Error;
use crate::input::MappedFile;
pub(crate) use cutter::Chunks;
pub(crate) use long_text::LongText;

/// The longest game text that is read, in bytes. A longer one is reported and passed over, so that
/// a file that is no PGN at all cannot fill the memory.
pub const MAX_GAME: usize = 32 << 20;

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
    /// Where each game begins, and after them where the last one ends.
    pub(crate) starts: Vec<usize>,
    /// The only game of the chunk is longer than [`MAX_GAME`]; the bytes are its beginning.
    pub(crate) overlong: bool,
    /// Its text, if it is wanted.
    pub(crate) long_text: Option<LongText>,
    /// Bytes of text that this chunk stands for.
    pub(crate) length: u64,
    /// Bytes of the input that were read for it: of a packed one fewer, and some are read ahead.
    pub(crate) input_length: u64,
    bytes: Bytes,
}

enum Bytes {
    Mapped(Arc<MappedFile>, Range<usize>),
    Owned(Vec<u8>),
}

impl Chunk {
    /// The text of all the games.
    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(map, range) => map.get(range.clone()).unwrap_or_default(),
            Bytes::Owned(bytes) => bytes,
        }
    }

    /// An error if the file has changed since it was opened. What is not mapped was read in whole.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match &self.bytes {
            Bytes::Mapped(map, _) => map.watch.check(),
            Bytes::Owned(_) => Ok(()),
        }
    }

    /// How many games there are.
    pub(crate) fn games(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
}

/// The number of line ends: of line feeds, or of carriage returns where they stand alone.
pub(crate) fn lines(text: &[u8]) -> u64 {
    let count = |byte| memchr::memchr_iter(byte, text).count() as u64;
    match count(b'\n') {
        0 => count(b'\r'),
        feeds => feeds,
    }
}
