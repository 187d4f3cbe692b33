//! Cutting a stream at game boundaries: what is not yet cut waits in a buffer.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use babson_pgn::find_boundary;

use super::cutter::overlong;
use super::lines;
use super::long_text::{LongFile, LongText};
use crate::input::Watch;

/// How much of an overlong game of a stream is kept to show.
pub(super) const SAMPLE: usize = 1 << 12;

/// How much of the text before it is needed to tell whether a line begins a game.
const LOOK_BACK: usize = 1 << 16;

pub(super) struct Stream {
    reader: Box<dyn Read + Send>,
    pub(super) packed: bool,
    /// The bytes that `reader` has taken from the input, and how many of them chunks stand for.
    taken: Arc<AtomicU64>,
    told: u64,
    /// Tells whether the file was changed, if it is one.
    pub(super) watch: Option<Watch>,
    /// Whether the texts of overlong games are wanted.
    keeps_long: bool,
    /// What was read but not yet handed out. Begins at a boundary, or at the stream's beginning.
    buffer: Vec<u8>,
    /// The end was read, or what went wrong made it the end.
    ended: bool,
    /// What went wrong; told when all that came before it is handed out.
    failed: Option<io::Error>,
    /// Chunks that are ready.
    ready: VecDeque<Piece>,
}

/// A part of a stream.
pub(super) enum Piece {
    Games(Vec<u8>),
    Overlong { sample: Vec<u8>, length: u64, lines: u64, text: Option<LongText> },
}

impl Stream {
    pub(super) fn new(
        reader: Box<dyn Read + Send>,
        packed: bool,
        taken: Arc<AtomicU64>,
        keeps_long: bool,
    ) -> Stream {
        Stream {
            reader,
            packed,
            taken,
            told: 0,
            watch: None,
            keeps_long,
            failed: None,
            buffer: Vec::new(),
            ended: false,
            ready: VecDeque::new(),
        }
    }

    /// How many bytes were taken from the input since the last call.
    pub(super) fn newly_taken(&mut self) -> u64 {
        let before = std::mem::replace(&mut self.told, self.taken.load(Ordering::Relaxed));
        self.told - before
    }

    /// Reads until the buffer holds `wanted` bytes or the stream ends.
    fn fill(&mut self, wanted: usize) {
        let missing = wanted.saturating_sub(self.buffer.len());
        if missing > 0 && !self.ended {
            let read = self.reader.by_ref().take(missing as u64).read_to_end(&mut self.buffer);
            match read {
                Ok(read) => self.ended = read < missing,
                // What was read before it stays.
                Err(error) => {
                    self.ended = true;
                    self.failed = Some(error);
                }
            }
        }
    }

    /// The first boundary at or after `from` whose line is known to its end.
    fn boundary(&self, from: usize) -> Option<usize> {
        let found = find_boundary(&self.buffer, from)?;
        let rest = &self.buffer[found..];
        let complete = self.ended || memchr::memchr2(b'\n', b'\r', rest).is_some();
        complete.then_some(found)
    }

    pub(super) fn next(&mut self, size: usize, longest: usize) -> io::Result<Option<Piece>> {
        if let Some(piece) = self.ready.pop_front() {
            return Ok(Some(piece));
        }
        let mut from = size;
        loop {
            self.fill(from.saturating_add(size));
            let cut = match self.boundary(size) {
                None if self.ended => Some(self.buffer.len()),
                cut => cut,
            };
            if let Some(cut) = cut {
                return match (cut, self.failed.take()) {
                    (0, Some(error)) => Err(error),
                    (0, None) => Ok(None),
                    (_, failed) => {
                        self.failed = failed;
                        self.cut(cut, longest).map(Some)
                    }
                };
            }
            if self.buffer.len() > longest.saturating_add(size) {
                break;
            }
            // Twice as much, so that looking again stays linear.
            from = self.buffer.len();
            let wanted = from.saturating_mul(2).min(longest + 2 * size);
            self.fill(wanted);
        }
        // The last game in the buffer is too long. Those before it are handed out as they are.
        let mut last = 0;
        while let Some(next) = find_boundary(&self.buffer, last + 1) {
            last = next;
        }
        let rest = self.buffer.split_off(last);
        let before = std::mem::replace(&mut self.buffer, rest);
        let overlong = self.skip_overlong()?;
        if before.is_empty() {
            return Ok(Some(overlong));
        }
        self.ready.push_back(overlong);
        Ok(Some(Piece::Games(before)))
    }

    /// Takes what lies before the boundary `cut` (not 0) out of the buffer, or the games before an
    /// overlong one.
    fn cut(&mut self, cut: usize, longest: usize) -> io::Result<Piece> {
        let overlong = overlong(&self.buffer[..cut], longest);
        let cut = overlong.filter(|&last| last > 0).unwrap_or(cut);
        let rest = self.buffer.split_off(cut);
        let piece = std::mem::replace(&mut self.buffer, rest);
        if overlong != Some(0) {
            return Ok(Piece::Games(piece));
        }
        let mut long = self.long_file()?;
        if let Some(long) = &mut long {
            long.add(&piece)?;
        }
        Ok(Piece::Overlong {
            sample: piece[..piece.len().min(SAMPLE)].to_vec(),
            length: piece.len() as u64,
            lines: lines(&piece),
            text: long.map(LongFile::text),
        })
    }

    fn long_file(&self) -> io::Result<Option<LongFile>> {
        self.keeps_long.then(LongFile::new).transpose()
    }

    /// Reads on to the next boundary, keeping only the beginning of the game to show.
    fn skip_overlong(&mut self) -> io::Result<Piece> {
        let mut long = self.long_file()?;
        let sample = self.buffer[..self.buffer.len().min(SAMPLE)].to_vec();
        let (mut length, mut line_ends) = (0, 0);
        let mut pass = |bytes: &[u8]| {
            length += bytes.len() as u64;
            line_ends += lines(bytes);
            long.as_mut().map_or(Ok(()), |long| long.add(bytes))
        };
        loop {
            let cut = self.buffer.len().saturating_sub(LOOK_BACK);
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
        Ok(Piece::Overlong { sample, length, lines: line_ends, text: long.map(LongFile::text) })
    }
}
