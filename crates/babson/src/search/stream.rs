//! Cutting a stream at game boundaries.

use std::io::{self, Read};

use babson_pgn::{FileSignature, NOT_PGN, count_lines, find_boundary, is_not_pgn};

use crate::limits::{LAST_GAME, MAX_GAME, MAX_LOOK_BACK, MAX_SAMPLE, READ_SIZE};

/// The text of some games, one after another.
pub(super) struct GameBlock {
    /// The offset of its first byte in the stream.
    pub(super) offset: u64,
    /// The line of its first byte, from 1.
    pub(super) line: u64,
    /// The text; only its beginning if it is one game that is too long to be read.
    pub(super) text: Vec<u8>,
    pub(super) overlong: bool,
}

/// A reader whose bytes are cut into blocks of games. A block ends where the next game begins, and
/// comes as soon as the reader has given that much.
pub(super) struct GameStream<R> {
    reader: R,
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
    pub(super) fn new(reader: R) -> GameStream<R> {
        GameStream {
            reader,
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

    /// The next games.
    pub(super) fn next(&mut self) -> io::Result<Option<GameBlock>> {
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
                    return Err(io::Error::new(io::ErrorKind::InvalidData, NOT_PGN));
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
                    return Err(io::Error::new(io::ErrorKind::InvalidData, NOT_PGN));
                }
                return Ok(Some(game));
            }
            self.fill();
        }
    }

    /// Removes the bytes before a boundary from the buffer.
    fn cut(&mut self, boundary: usize) -> GameBlock {
        let block = (self.offset, self.line);
        let mut text = self.pass(boundary);
        let overlong = text.len() > MAX_GAME && find_boundary(&text, 1).is_none();
        if overlong {
            text.truncate(MAX_SAMPLE);
        }
        GameBlock { offset: block.0, line: block.1, text, overlong }
    }

    /// Removes the first bytes from the buffer and counts them.
    fn pass(&mut self, bytes: usize) -> Vec<u8> {
        self.offset += bytes as u64;
        self.line += count_lines(&self.buffer, 0..bytes);
        self.searched = self.searched.saturating_sub(bytes).max(1);
        self.complete = self.complete.saturating_sub(bytes);
        let rest = self.buffer.split_off(bytes);
        std::mem::replace(&mut self.buffer, rest)
    }

    /// Reads to the next boundary and keeps only the beginning of the game.
    fn skip_game(&mut self) -> GameBlock {
        let (offset, line) = (self.offset, self.line);
        let text = self.buffer[..MAX_SAMPLE].to_vec();
        loop {
            let passed = self.buffer.len().saturating_sub(MAX_LOOK_BACK);
            self.pass(passed);
            self.fill();
            let boundary = find_boundary(&self.buffer, self.searched);
            let end = boundary.or(self.ended.then_some(self.buffer.len()));
            if let Some(end) = end {
                self.pass(end);
                self.searched = 1;
                return GameBlock { offset, line, text, overlong: true };
            }
        }
    }
}

/// Refuses what is not text: read as text, it would be a database without games.
fn check_beginning(first: &[u8]) -> io::Result<()> {
    let Some(format) = FileSignature::of(first) else { return Ok(()) };
    let help = match format {
        FileSignature::Bzip2
        | FileSignature::Gzip
        | FileSignature::Xz
        | FileSignature::Zstd
        | FileSignature::Zip
        | FileSignature::ArrowFile
        | FileSignature::ArrowStream => ": babson::Scan reads such files",
        FileSignature::Lz4
        | FileSignature::Rar
        | FileSignature::SevenZip
        | FileSignature::Tar
        | FileSignature::Feather
        | FileSignature::Parquet
        | FileSignature::Utf16 => "",
    };
    let reason = format!("the text is {format}{help}");
    Err(io::Error::new(io::ErrorKind::InvalidData, reason))
}
