//! Cutting inputs into numbered chunks at game boundaries.
//!
//! One thread walks the boundaries, which costs a small part of a replay, and so every chunk
//! leaves with the exact number of its first game: `gamenumber`, messages and headers need it
//! while the chunk is searched. A chunk needs no second look and knows nothing of its neighbours.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use babson_pgn::{Games, find_boundary};

use crate::error::Error;
use crate::input::{Input, MappedFile, Opened, Watch};

/// The longest game text that is read, in bytes. A longer one is reported and passed over, so that
/// a file that is no PGN at all cannot fill the memory.
pub const MAX_GAME: usize = 32 << 20;

/// How much of an overlong game of a stream is kept to show.
const SAMPLE: usize = 1 << 12;

/// How much of the text before it is needed to tell whether a line begins a game.
const LOOK_BACK: usize = 1 << 16;

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

/// The text of a game that is too long to be read, for whoever collects the damaged games.
#[derive(Clone)]
pub(crate) enum LongText {
    Mapped(Arc<MappedFile>, Range<usize>),
    /// A file without a name, and how much of it is more than white space at the end.
    File(Arc<File>, u64),
}

impl LongText {
    /// Hands out the text in pieces, without the white space at its end.
    pub(crate) fn read(
        &self,
        mut take: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (file, length) = match self {
            LongText::Mapped(map, range) => {
                let text = map.get(range.clone()).unwrap_or_default();
                return take(text.trim_ascii_end());
            }
            LongText::File(file, length) => (file, *length),
        };
        let fail = |source| Error::Read { path: "the file of a long game".to_owned(), source };
        let mut file = file.as_ref();
        file.seek(SeekFrom::Start(0)).map_err(fail)?;
        let mut text = file.take(length);
        let mut piece = vec![0; 1 << 16];
        loop {
            match text.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(read) => take(&piece[..read])?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(fail(error)),
            }
        }
    }
}

/// A file in which the text of a long game is collected.
struct LongFile {
    file: File,
    length: u64,
    /// The length without the white space at the end.
    trimmed: u64,
}

impl LongFile {
    fn new() -> io::Result<LongFile> {
        Ok(LongFile { file: tempfile::tempfile()?, length: 0, trimmed: 0 })
    }

    fn add(&mut self, text: &[u8]) -> io::Result<()> {
        self.file.write_all(text)?;
        match text.trim_ascii_end().len() {
            0 => {}
            trimmed => self.trimmed = self.length + trimmed as u64,
        }
        self.length += text.len() as u64;
        Ok(())
    }

    fn text(self) -> LongText {
        LongText::File(Arc::new(self.file), self.trimmed)
    }
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

/// Iterator over the chunks of all inputs.
pub(crate) struct Chunks<'a> {
    inputs: &'a [Input],
    /// Sizes of chunks in bytes, at least.
    size: usize,
    longest: usize,
    /// Whether the texts of overlong games are wanted.
    keeps_long: bool,
    source: Option<Source>,
    /// The input that `source` belongs to.
    input: usize,
    next_input: usize,
    next_index: u64,
    next_game: u64,
    next_line: u64,
}

enum Source {
    Mapped { map: Arc<MappedFile>, at: usize },
    Stream(Stream),
}

struct Stream {
    reader: Box<dyn Read + Send>,
    packed: bool,
    /// The bytes that `reader` has taken from the input, and how many of them chunks stand for.
    taken: Arc<AtomicU64>,
    told: u64,
    /// Tells whether the file was changed, if it is one.
    watch: Option<Watch>,
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
enum Piece {
    Games(Vec<u8>),
    Overlong { sample: Vec<u8>, length: u64, lines: u64, text: Option<LongText> },
}

/// What is known of an overlong game.
struct Overlong {
    length: u64,
    lines: u64,
    text: Option<LongText>,
}

impl<'a> Chunks<'a> {
    /// The chunks of these inputs, each of at least `size` bytes but for the last ones.
    pub(crate) fn new(inputs: &'a [Input], size: usize) -> Chunks<'a> {
        Chunks {
            inputs,
            size: size.max(1),
            longest: MAX_GAME,
            keeps_long: false,
            source: None,
            input: 0,
            next_input: 0,
            next_index: 0,
            next_game: 1,
            next_line: 1,
        }
    }

    /// The same chunks, with the texts of games that are too long to be read.
    pub(crate) fn with_long_texts(mut self, wanted: bool) -> Chunks<'a> {
        self.keeps_long = wanted;
        self
    }

    fn next_chunk(&mut self) -> Result<Option<Chunk>, Error> {
        loop {
            let Some(source) = &mut self.source else {
                let Some(input) = self.inputs.get(self.next_input) else {
                    return Ok(None);
                };
                self.source = Some(match input.open()? {
                    Opened::Mapped(map) => Source::Mapped { map, at: 0 },
                    Opened::Stream { reader, packed, taken, watch } => {
                        let stream = Stream::new(reader, packed, taken, self.keeps_long);
                        Source::Stream(Stream { watch, ..stream })
                    }
                });
                self.input = self.next_input;
                self.next_input += 1;
                self.next_line = 1;
                continue;
            };
            let piece = match source {
                Source::Mapped { map, at } if *at < map.len() => {
                    let begin = *at;
                    let mut end =
                        find_boundary(map, begin.saturating_add(self.size)).unwrap_or(map.len());
                    let overlong = match overlong(&map[begin..end], self.longest) {
                        Some(0) => {
                            let text = &map[begin..end];
                            let whole = || LongText::Mapped(map.clone(), begin..end);
                            Some(Overlong {
                                length: text.len() as u64,
                                lines: lines(text),
                                text: self.keeps_long.then(whole),
                            })
                        }
                        // Those before it come first.
                        Some(last) => {
                            end = begin + last;
                            None
                        }
                        None => None,
                    };
                    *at = end;
                    let shown = match overlong {
                        Some(_) => end.min(begin + SAMPLE),
                        None => end,
                    };
                    Some((Bytes::Mapped(map.clone(), begin..shown), overlong))
                }
                Source::Mapped { .. } => None,
                Source::Stream(stream) => stream
                    .next(self.size, self.longest)
                    .map_err(|source| {
                        let path = self.inputs[self.input].name();
                        let before = self.next_game - 1;
                        let reason = format!("{source} (after {before} games)");
                        let source = io::Error::new(source.kind(), reason);
                        if stream.packed {
                            Error::Decompress { path, source }
                        } else {
                            Error::Read { path, source }
                        }
                    })?
                    .map(|piece| match piece {
                        Piece::Games(bytes) => (Bytes::Owned(bytes), None),
                        Piece::Overlong { sample, length, lines, text } => {
                            (Bytes::Owned(sample), Some(Overlong { length, lines, text }))
                        }
                    }),
            };
            match piece {
                Some((bytes, overlong)) => return Ok(Some(self.number(bytes, overlong))),
                None => {
                    if let Some(Source::Stream(Stream { watch: Some(watch), .. })) = &self.source {
                        watch.check()?;
                    }
                    self.source = None;
                }
            }
        }
    }

    /// Makes a chunk of the bytes that come next.
    fn number(&mut self, bytes: Bytes, overlong: Option<Overlong>) -> Chunk {
        let mut chunk = Chunk {
            index: self.next_index,
            input: self.input,
            first_line: self.next_line,
            first_game: self.next_game,
            starts: Vec::new(),
            overlong: overlong.is_some(),
            long_text: None,
            length: 0,
            input_length: 0,
            bytes,
        };
        let text = chunk.bytes();
        let is_overlong = overlong.is_some();
        let Overlong { length, lines, text: long_text } = overlong.unwrap_or_else(|| Overlong {
            length: text.len() as u64,
            lines: lines(text),
            text: None,
        });
        let mut starts = Vec::with_capacity(text.len() / 512 + 2);
        let mut end = 0;
        if is_overlong {
            starts.push(0);
            end = text.len();
        } else {
            for (offset, game) in Games::new(text) {
                starts.push(offset);
                end = offset + game.len();
            }
        }
        if !starts.is_empty() {
            starts.push(end);
        }
        chunk.starts = starts;
        chunk.long_text = long_text;
        chunk.length = length;
        chunk.input_length = match &mut self.source {
            Some(Source::Stream(stream)) => stream.newly_taken(),
            _ => length,
        };
        self.next_index += 1;
        self.next_game += chunk.games() as u64;
        self.next_line += lines;
        chunk
    }
}

impl Iterator for Chunks<'_> {
    type Item = Result<Chunk, Error>;

    fn next(&mut self) -> Option<Result<Chunk, Error>> {
        let next = self.next_chunk();
        if next.is_err() {
            // After an error nothing more is read.
            self.source = None;
            self.next_input = self.inputs.len();
        }
        next.transpose()
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

/// Where the last game of some whole games begins, if it is longer than `longest`.
fn overlong(games: &[u8], longest: usize) -> Option<usize> {
    if games.len() <= longest {
        return None;
    }
    let mut last = 0;
    while let Some(next) = find_boundary(games, last + 1) {
        last = next;
    }
    (games.len() - last > longest).then_some(last)
}

impl Stream {
    fn new(
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
    fn newly_taken(&mut self) -> u64 {
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

    fn next(&mut self, size: usize, longest: usize) -> io::Result<Option<Piece>> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;
    use std::path::PathBuf;

    fn database(games: usize) -> Vec<u8> {
        let mut text = Vec::new();
        for game in 0..games {
            text.extend(
                format!(
                    "[Event \"e{game}\"]\n[White \"{game}\"]\n\n1. e4 e5 {{[x \"1\"]}} 1-0\n\n"
                )
                .into_bytes(),
            );
        }
        text
    }

    type Summary = (u64, u64, Vec<u8>, bool, Vec<u8>);

    fn walk(chunks: Chunks<'_>) -> Vec<Summary> {
        chunks
            .map(|chunk| {
                let chunk = chunk.unwrap();
                let mut whole = Vec::new();
                if let Some(long) = &chunk.long_text {
                    let collect = |piece: &[u8]| {
                        whole.extend_from_slice(piece);
                        Ok(())
                    };
                    long.read(collect).unwrap();
                }
                (chunk.first_game, chunk.first_line, chunk.bytes().to_vec(), chunk.overlong, whole)
            })
            .collect()
    }

    fn streamed(text: Vec<u8>, size: usize, longest: usize) -> Vec<Summary> {
        let inputs = [Input::Stdin];
        let mut chunks = Chunks::new(&inputs, size);
        chunks.longest = longest;
        chunks.source = Some(Source::Stream(Stream::new(
            Box::new(Cursor::new(text)),
            false,
            Arc::default(),
            true,
        )));
        chunks.next_input = 1;
        walk(chunks)
    }

    #[test]
    fn streams_and_maps_give_the_same_chunks() {
        let feeds = database(50);
        let returns: Vec<u8> =
            feeds.iter().map(|&byte| if byte == b'\n' { b'\r' } else { byte }).collect();
        let folder = tempfile::tempdir().unwrap();
        let path: PathBuf = folder.path().join("a.pgn");
        for text in [feeds, returns] {
            std::fs::write(&path, &text).unwrap();
            for size in [1, 7, 60, 100, 1000, 100_000] {
                let inputs = [Input::File(path.clone())];
                let mapped = walk(Chunks::new(&inputs, size));
                assert_eq!(mapped, streamed(text.clone(), size, 1 << 20), "{size}");
                let joined: Vec<u8> = mapped.iter().flat_map(|chunk| chunk.2.clone()).collect();
                assert_eq!(joined, text);
                let last = mapped.last().unwrap();
                assert_eq!(last.1 + lines(&last.2), lines(&text) + 1);
                if size == 100 {
                    assert!(mapped.len() > 20);
                }
            }
        }
    }

    #[test]
    fn an_overlong_game_does_not_take_its_neighbours() {
        let mut text = database(3);
        text.extend(b"[Event \"long\"]\n\n");
        text.extend(std::iter::repeat_n(b'x', 3 << 20));
        text.extend(b"\n\n");
        text.extend(database(2));
        let chunks = streamed(text.clone(), 200, 100_000);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        std::fs::write(&path, &text).unwrap();
        let inputs = [Input::File(path)];
        let mut mapped = Chunks::new(&inputs, 200).with_long_texts(true);
        mapped.longest = 100_000;
        assert_eq!(walk(mapped), chunks);
        assert_eq!(chunks.iter().filter(|chunk| chunk.3).count(), 1);
        let long = chunks.iter().find(|chunk| chunk.3).unwrap();
        assert_eq!(long.0, 4);
        assert!(long.2.len() <= SAMPLE && long.2.starts_with(b"[Event \"long\"]"));
        let whole = [&b"[Event \"long\"]\n\n"[..], &vec![b'x'; 3 << 20]].concat();
        assert!(long.4 == whole);
        let last = chunks.last().unwrap();
        assert!(last.2.ends_with(b"[White \"1\"]\n\n1. e4 e5 {[x \"1\"]} 1-0\n\n"));
        let after: Vec<u8> =
            chunks.iter().skip_while(|chunk| !chunk.3).skip(1).flat_map(|c| c.2.clone()).collect();
        assert_eq!(after, database(2));
        let lines = memchr::memchr_iter(b'\n', &text).count() as u64;
        let tail = memchr::memchr_iter(b'\n', &last.2).count() as u64;
        assert_eq!(last.1 + tail, lines + 1);
    }

    /// A reader that fails when it has given what it has.
    struct Failing(Cursor<Vec<u8>>);

    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.read(buffer)? {
                0 => Err(io::Error::other("torn")),
                read => Ok(read),
            }
        }
    }

    #[test]
    fn what_precedes_a_failure_is_handed_out() {
        let text = database(50);
        for size in [10, 1000, 1 << 20] {
            let inputs = [Input::Stdin];
            let mut chunks = Chunks::new(&inputs, size);
            let reader = Box::new(Failing(Cursor::new(text.clone())));
            chunks.source = Some(Source::Stream(Stream::new(reader, true, Arc::default(), false)));
            chunks.next_input = 1;
            let mut bytes = Vec::new();
            let error = loop {
                match chunks.next().unwrap() {
                    Ok(chunk) => bytes.extend_from_slice(chunk.bytes()),
                    Err(error) => break error.to_string(),
                }
            };
            assert_eq!(bytes, text);
            assert_eq!(error, "cannot decompress <stdin>: torn (after 50 games)");
            assert!(chunks.next().is_none());
        }
    }
}
