//! Cutting a stream into games.

use std::io::{self, Read};

use babson_pgn::{FileSignature, Games, find_boundary, is_not_pgn};

use super::LineCounter;
use crate::InputReason;
use crate::limits::{LAST_GAME, MAX_GAME, MAX_LOOK_BACK, MAX_SHOWN, READ_SIZE};

/// A game of a stream.
#[derive(Debug)]
pub struct StreamGame<'s> {
    /// Its text; only its beginning if it is overlong.
    pub text: &'s [u8],
    /// The offset of its first byte in the stream.
    pub offset: u64,
    /// Whether it is longer than [`MAX_GAME`], so that it is not read.
    pub is_overlong: bool,
    /// The name of the text and the number of the game in it, if somebody has given them to the
    /// game: a stream does not know its name.
    pub name: Option<(&'s str, u64)>,
    block: &'s [u8],
    start: usize,
    lines: &'s mut LineCounter,
}

impl StreamGame<'_> {
    /// Returns the line of an offset in its text, from 1 at the start of the stream. The offsets of
    /// all games ascend.
    pub fn line_of(&mut self, offset: usize) -> u64 {
        self.lines.at(self.block, self.start + offset)
    }
}

/// The text of some games, one after another.
#[derive(Debug)]
struct GameBlock {
    /// The offset of its first byte in the stream.
    offset: u64,
    /// The text; only its beginning if it is one game that is too long to be read.
    text: Vec<u8>,
    is_overlong: bool,
    /// The start and the end of the games that were not taken yet.
    games: std::vec::IntoIter<(usize, usize)>,
    lines: LineCounter,
}

/// A reader whose bytes are cut into games: of PGN, which may begin with anything that is not the
/// signature of another format. A game comes as soon as the next one begins.
#[derive(Debug)]
pub struct GameStream<R> {
    reader: R,
    /// The games that are cut but not taken yet.
    block: Option<GameBlock>,
    /// The bytes that are read but not cut yet. Begins at a boundary or at the start of the stream.
    buffer: Vec<u8>,
    /// No boundary begins before this offset in the buffer, except at 0.
    searched: usize,
    /// The end of the last complete line in the buffer.
    complete: usize,
    offset: u64,
    line: u64,
    /// Whether the beginning of the stream was checked.
    checked: bool,
    ended: bool,
    /// The error of the reader, which is reported after the games before it.
    failed: Option<io::Error>,
}

impl<R: Read> GameStream<R> {
    /// A stream of the games of this reader.
    pub fn new(reader: R) -> GameStream<R> {
        GameStream {
            reader,
            block: None,
            buffer: Vec::new(),
            searched: 1,
            complete: 0,
            offset: 0,
            line: 1,
            checked: false,
            ended: false,
            failed: None,
        }
    }

    /// Returns the next game.
    ///
    /// # Errors
    /// The reader failed, or the stream is not PGN; [`ForeignText`] is the source of the error if
    /// the stream is another format. The games before the failure have come.
    pub fn next_game(&mut self) -> io::Result<Option<StreamGame<'_>>> {
        loop {
            if let Some((start, end)) = self.block.as_mut().and_then(|block| block.games.next()) {
                let game = self.block.as_mut().map(
                    |GameBlock { offset, text, is_overlong, lines, .. }| StreamGame {
                        text: &text[start..end],
                        offset: *offset + start as u64,
                        is_overlong: *is_overlong || end - start > MAX_GAME,
                        name: None,
                        block: text,
                        start,
                        lines,
                    },
                );
                return Ok(game);
            }
            self.block = self.next_block()?;
            if self.block.is_none() {
                return Ok(None);
            }
        }
    }

    /// Reads once.
    fn fill(&mut self) {
        let start = self.buffer.len();
        self.buffer.resize(start + READ_SIZE, 0);
        let read = loop {
            match self.reader.read(&mut self.buffer[start..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.buffer.truncate(start + read.as_ref().map_or(0, |&read| read));
        if let Some(line_end) = memchr::memrchr2(b'\n', b'\r', &self.buffer[start..]) {
            self.complete = start + line_end;
        }
        match read {
            Ok(0) => self.ended = true,
            Ok(_) => {}
            Err(error) => {
                self.ended = true;
                self.failed = Some(error);
            }
        }
    }

    /// The last boundary whose line is completely in the buffer, if it is not the first byte. It is
    /// looked for from the end, since [`Games`](babson_pgn::Games) finds the others.
    fn last_boundary(&mut self) -> Option<usize> {
        let complete = if self.ended { self.buffer.len() } else { self.complete };
        let (mut last, mut length) = (None, LAST_GAME);
        let mut start = complete;
        while last.is_none() && start > self.searched {
            start = complete.saturating_sub(length).max(self.searched);
            let mut at = start;
            while let Some(boundary) = find_boundary(&self.buffer, at).filter(|&at| at < complete) {
                last = Some(boundary);
                at = boundary + 1;
            }
            length *= 4;
        }
        // A line that is not complete is searched again.
        self.searched = self.searched.max(complete);
        last
    }

    /// The next games, to the last boundary that is known.
    fn next_block(&mut self) -> io::Result<Option<GameBlock>> {
        loop {
            let boundary = self.last_boundary();
            let is_known = self.buffer.len() >= FileSignature::LENGTH || self.ended;
            // The first game of a live stream may be shorter.
            if !self.checked && (is_known || boundary.is_some()) {
                self.checked = true;
                check_beginning(&self.buffer)?;
            }
            if let Some(boundary) = boundary {
                return Ok(Some(self.cut(boundary)));
            }
            if self.ended {
                let is_whole = self.offset == 0 && self.failed.is_none();
                if is_whole && is_not_pgn(&self.buffer) {
                    self.buffer.clear();
                    return Err(InputReason::NotPgn.into_error());
                }
                return match (self.buffer.len(), self.failed.take()) {
                    (0, None) => Ok(None),
                    (0, Some(error)) => Err(error),
                    (length, failed) => {
                        self.failed = failed;
                        Ok(Some(self.cut(length)))
                    }
                };
            }
            if self.buffer.len() > MAX_GAME + READ_SIZE {
                let game = self.skip_game();
                let is_whole = game.offset == 0 && self.ended && self.buffer.is_empty();
                if is_whole && self.failed.is_none() && is_not_pgn(&game.text) {
                    return Err(InputReason::NotPgn.into_error());
                }
                return Ok(Some(game));
            }
            self.fill();
        }
    }

    /// Removes the bytes before a boundary from the buffer.
    fn cut(&mut self, boundary: usize) -> GameBlock {
        let (offset, line) = (self.offset, self.line);
        let mut text = self.pass(boundary);
        let is_overlong = text.len() > MAX_GAME && find_boundary(&text, 1).is_none();
        let games: Vec<(usize, usize)> = if is_overlong {
            text.truncate(MAX_SHOWN);
            vec![(0, text.len())]
        } else {
            Games::new(&text).map(|(start, text)| (start, start + text.len())).collect()
        };
        let (games, lines) = (games.into_iter(), LineCounter::new(line));
        GameBlock { offset, text, is_overlong, games, lines }
    }

    /// Removes the first bytes from the buffer and counts them.
    fn pass(&mut self, bytes: usize) -> Vec<u8> {
        self.offset += bytes as u64;
        self.line += babson_pgn::count_lines(&self.buffer, 0..bytes);
        self.searched = self.searched.saturating_sub(bytes).max(1);
        self.complete = self.complete.saturating_sub(bytes);
        let rest = self.buffer.split_off(bytes);
        std::mem::replace(&mut self.buffer, rest)
    }

    /// Reads to the next boundary and keeps only the beginning of the game.
    fn skip_game(&mut self) -> GameBlock {
        let (offset, lines) = (self.offset, LineCounter::new(self.line));
        let text = self.buffer[..MAX_SHOWN].to_vec();
        loop {
            let passed = self.buffer.len().saturating_sub(MAX_LOOK_BACK);
            self.pass(passed);
            self.fill();
            let boundary = find_boundary(&self.buffer, self.searched);
            let end = boundary.or(self.ended.then_some(self.buffer.len()));
            if let Some(end) = end {
                self.pass(end);
                self.searched = 1;
                let games = vec![(0, text.len())].into_iter();
                return GameBlock { offset, text, is_overlong: true, games, lines };
            }
        }
    }
}

/// A stream is in another format, not PGN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the text is {0}")]
pub struct ForeignText(pub FileSignature);

/// Refuses what is not text: read as text, it would be a database without games.
fn check_beginning(first: &[u8]) -> io::Result<()> {
    FileSignature::of(first).map_or(Ok(()), |format| {
        Err(io::Error::new(io::ErrorKind::InvalidData, ForeignText(format)))
    })
}
