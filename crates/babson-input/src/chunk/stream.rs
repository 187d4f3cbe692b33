//! Cutting a stream at game boundaries. The bytes that are not cut yet wait in a buffer.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use babson_pgn::find_boundary;
use babson_vm::run::MAX_LOOK_BACK;
use crc32fast::Hasher;

use super::cutter::OverlongGame;
use super::lines;
use super::long_text::LongFile;
use super::overlong::last_if_overlong;
use crate::error::InputError;
use crate::input::Watch;
use crate::limits::MAX_SAMPLE;

pub(super) struct Stream {
    reader: Box<dyn Read + Send>,
    pub(super) compressed: bool,
    /// The bytes that `reader` has read from the input, and how many of them chunks have counted.
    taken: Arc<AtomicU64>,
    counted: u64,
    /// Detects changes of the file, if the input is one.
    pub(super) watch: Option<Watch>,
    /// Whether the texts of overlong games are kept.
    keeps_long: bool,
    /// Whether overlong games have checksums.
    pub(super) hashes: bool,
    /// The bytes that are read but not yet cut. Begins at a boundary or at the start of the stream.
    buffer: Vec<u8>,
    /// Whether the stream has ended, perhaps with an error.
    ended: bool,
    /// The error, which is reported after all chunks before it.
    failed: Option<io::Error>,
    /// Chunks that are ready.
    ready: VecDeque<StreamChunk>,
}

/// A chunk of a stream.
pub(super) enum StreamChunk {
    Games(Vec<u8>),
    Overlong { sample: Vec<u8>, game: OverlongGame },
}

impl Stream {
    pub(super) fn new(
        reader: Box<dyn Read + Send>,
        compressed: bool,
        taken: Arc<AtomicU64>,
        keeps_long: bool,
    ) -> Stream {
        Stream {
            reader,
            compressed,
            taken,
            counted: 0,
            watch: None,
            keeps_long,
            hashes: false,
            failed: None,
            buffer: Vec::new(),
            ended: false,
            ready: VecDeque::new(),
        }
    }

    /// Whether all that could be read is cut, and the stream has failed after it.
    pub(super) fn is_torn(&self) -> bool {
        self.failed.is_some() && self.buffer.is_empty() && self.ready.is_empty()
    }

    /// Whether the stream has ended without an error, and all of it is cut.
    pub(super) fn is_read(&self) -> bool {
        self.ended && self.failed.is_none() && self.buffer.is_empty() && self.ready.is_empty()
    }

    /// How many bytes were read from the input since the last call.
    pub(super) fn newly_taken(&mut self) -> u64 {
        let before = std::mem::replace(&mut self.counted, self.taken.load(Ordering::Relaxed));
        self.counted - before
    }

    /// Reads until the buffer holds `wanted` bytes or the stream ends.
    fn fill(&mut self, wanted: usize) {
        let missing = wanted.saturating_sub(self.buffer.len());
        if missing > 0 && !self.ended {
            let read = self.reader.by_ref().take(missing as u64).read_to_end(&mut self.buffer);
            match read {
                Ok(read) => self.ended = read < missing,
                // The bytes before the error stay.
                Err(error) => {
                    self.ended = true;
                    self.failed = Some(error);
                }
            }
        }
    }

    /// The first boundary at or after `from` whose line is completely in the buffer.
    fn boundary(&self, from: usize) -> Option<usize> {
        let found = find_boundary(&self.buffer, from)?;
        let rest = &self.buffer[found..];
        let complete = self.ended || memchr::memchr2(b'\n', b'\r', rest).is_some();
        complete.then_some(found)
    }

    /// The next chunk. The inner error is one of reading. The outer error is that the text of a
    /// long game cannot be kept, or that the file has changed: it comes instead of a chunk, or of
    /// an error of reading, that may come from the change.
    pub(super) fn next(
        &mut self,
        size: usize,
        longest: usize,
    ) -> Result<io::Result<Option<StreamChunk>>, InputError> {
        let chunk = self.next_chunk(size, longest)?;
        if let Some(watch) = &self.watch {
            watch.check()?;
        }
        Ok(chunk)
    }

    fn next_chunk(
        &mut self,
        size: usize,
        longest: usize,
    ) -> Result<io::Result<Option<StreamChunk>>, InputError> {
        if let Some(chunk) = self.ready.pop_front() {
            return Ok(Ok(Some(chunk)));
        }
        let mut from = size;
        loop {
            self.fill(from.saturating_add(size));
            let cut = match self.boundary(size) {
                None if self.ended => Some(self.buffer.len()),
                cut => cut,
            };
            if let Some(cut) = cut {
                return match cut {
                    0 => Ok(self.failed.take().map_or(Ok(None), Err)),
                    cut => self.cut(cut, longest).map(|chunk| Ok(Some(chunk))),
                };
            }
            if self.buffer.len() > longest.saturating_add(size) {
                break;
            }
            // Doubling the buffer keeps the repeated search linear.
            from = self.buffer.len();
            let wanted = from.saturating_mul(2).min(longest + 2 * size);
            self.fill(wanted);
        }
        // The last game in the buffer is too long. The games before it are the next chunk.
        let mut last = 0;
        while let Some(next) = find_boundary(&self.buffer, last + 1) {
            last = next;
        }
        let rest = self.buffer.split_off(last);
        let before = std::mem::replace(&mut self.buffer, rest);
        let overlong = self.skip_overlong()?;
        if before.is_empty() {
            return Ok(Ok(Some(overlong)));
        }
        self.ready.push_back(overlong);
        Ok(Ok(Some(StreamChunk::Games(before))))
    }

    /// Removes the bytes before the boundary `cut` (not 0) from the buffer, or only the games
    /// before an overlong one.
    fn cut(&mut self, cut: usize, longest: usize) -> Result<StreamChunk, InputError> {
        let overlong = last_if_overlong(&self.buffer[..cut], longest);
        let cut = overlong.filter(|&last| last > 0).unwrap_or(cut);
        let rest = self.buffer.split_off(cut);
        let chunk = std::mem::replace(&mut self.buffer, rest);
        if overlong != Some(0) {
            return Ok(StreamChunk::Games(chunk));
        }
        let mut long = self.long_file()?;
        if let Some(long) = &mut long {
            long.add(&chunk)?;
        }
        let mut hasher = Hasher::new();
        if self.hashes {
            hasher.update(&chunk);
        }
        Ok(StreamChunk::Overlong {
            sample: chunk[..chunk.len().min(MAX_SAMPLE)].to_vec(),
            game: OverlongGame {
                length: chunk.len() as u64,
                lines: lines(&chunk),
                text: long.map(LongFile::text),
                hasher,
            },
        })
    }

    fn long_file(&self) -> Result<Option<LongFile>, InputError> {
        self.keeps_long.then(LongFile::new).transpose()
    }

    /// Reads to the next boundary. Keeps only the beginning of the game, to be shown.
    fn skip_overlong(&mut self) -> Result<StreamChunk, InputError> {
        let mut long = self.long_file()?;
        let sample = self.buffer[..self.buffer.len().min(MAX_SAMPLE)].to_vec();
        let (mut length, mut line_ends) = (0, 0);
        let mut ends_with_return = false;
        let (hashes, mut hasher) = (self.hashes, Hasher::new());
        let mut pass = |bytes: &[u8]| {
            length += bytes.len() as u64;
            if hashes {
                hasher.update(bytes);
            }
            // A carriage return and the line feed after it are one end, also in two pieces.
            line_ends -= u64::from(ends_with_return && bytes.first() == Some(&b'\n'));
            line_ends += lines(bytes);
            ends_with_return = bytes.last().map_or(ends_with_return, |&byte| byte == b'\r');
            long.as_mut().map_or(Ok(()), |long| long.add(bytes))
        };
        loop {
            let cut = self.buffer.len().saturating_sub(MAX_LOOK_BACK);
            pass(&self.buffer[..cut])?;
            self.buffer.drain(..cut);
            self.buffer.shrink_to(1 << 22);
            let from = self.buffer.len();
            self.fill(from + (1 << 20));
            // From 1: the buffer begins in the middle of a line.
            if let Some(boundary) = self.boundary(1) {
                pass(&self.buffer[..boundary])?;
                self.buffer.drain(..boundary);
                break;
            }
            if self.ended {
                pass(&self.buffer)?;
                self.buffer.clear();
                break;
            }
        }
        let text = long.map(LongFile::text);
        let game = OverlongGame { length, lines: line_ends, text, hasher };
        Ok(StreamChunk::Overlong { sample, game })
    }
}
