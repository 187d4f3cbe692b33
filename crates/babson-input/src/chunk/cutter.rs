//! Cutting inputs into chunks at game boundaries.
//!
//! A chunk is cut without a look at its games: only the boundary at its end is found. The chunk
//! does not depend on its neighbors.

use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use babson_pgn::find_boundary;
use babson_vm::run::MAX_GAME;
use crc32fast::Hasher;

use super::long_text::LongText;
use super::overlong::last_if_overlong;
use super::rows::{CutRows, RowCutter};
use super::stream::{Stream, StreamChunk};
use super::{ChunkBytes, lines};
use crate::error::InputError;
use crate::input::{Input, MappedFile, OpenInput, Watch};
use crate::limits::MAX_SAMPLE;

/// Iterator over the chunks of all inputs.
pub struct Cutter<'a> {
    inputs: &'a [Input],
    /// The least size of a chunk in bytes.
    size: usize,
    pub(super) longest: usize,
    /// Whether the texts of overlong games are kept.
    keeps_long: bool,
    /// Whether plain files are mapped.
    mapped: bool,
    /// Whether the chunks have checksums.
    hashes: bool,
    /// Whether tables are tested against their checksums.
    tests_tables: bool,
    pub(super) source: Option<InputCursor>,
    /// The index of the input of `source`.
    input: usize,
    pub(super) next_input: usize,
    next_index: u64,
    next_offset: u64,
    /// The bytes of each input, or the rows of a table, that are cut; empty for all of all inputs.
    ranges: Vec<Range<u64>>,
    cuts: EvenCuts,
}

/// The offsets that cut the texts of some files, one after another, into pieces of the same length.
/// Each piece ends at the first game boundary from its offset on.
#[derive(Clone, Copy, Debug, Default)]
pub struct EvenCuts {
    /// The length of all texts.
    pub length: u64,
    /// The number of pieces. There is at most one for each byte.
    pub count: u64,
    /// Where the text begins that is cut.
    pub begin: u64,
}

impl EvenCuts {
    /// The first cut after an offset of the text.
    pub fn after(self, offset: u64) -> Option<u64> {
        if self.length == 0 {
            return None;
        }
        let offset = self.begin + offset;
        let [length, count, offset] = [self.length, self.count, offset].map(u128::from);
        let index = ((offset + 1) * count).div_ceil(length);
        let cut = u64::try_from((length * index).checked_div(count)?).ok()?;
        (cut < self.length).then_some(cut - self.begin)
    }
}

pub(super) enum InputCursor {
    Mapped { map: Arc<MappedFile>, at: usize },
    Stream(Stream),
    Table(RowCutter),
}

/// A chunk whose games are not found yet.
pub struct CutChunk {
    /// Counted from 0, over all inputs.
    pub index: u64,
    /// Which input.
    pub input: usize,
    /// The offset of its first byte in the (decompressed) input.
    pub(super) offset: u64,
    /// Bytes of the input that were read for it.
    pub(super) input_length: u64,
    pub(super) bytes: ChunkBytes,
    /// If it is a game that is too long to be read.
    pub(super) overlong: Option<OverlongGame>,
    /// Whether the input cannot be read after it.
    pub(super) ends_torn: bool,
    /// Whether the chunk has a checksum.
    pub(super) hashes: bool,
    /// The name of its input, if the chunk is the whole text of it.
    pub(super) whole_of: Option<String>,
    /// The rows, if it is a chunk of a table. There are no bytes then.
    pub(super) rows: Option<CutRows>,
}

/// An overlong game.
pub(super) struct OverlongGame {
    pub(super) length: u64,
    pub(super) lines: u64,
    pub(super) text: Option<LongText>,
    /// The checksum of its text, if it is requested.
    pub(super) hasher: Hasher,
}

/// Why a chunk could not be cut. Its input has no more chunks.
pub struct CutError {
    /// The index that the chunk would have had.
    pub index: u64,
    /// Which input.
    pub input: usize,
    /// What is wrong with it.
    pub error: InputError,
}

impl CutError {
    /// The error of a stream that failed in its middle.
    fn of_stream(path: String, compressed: bool, source: io::Error) -> InputError {
        match compressed {
            true => InputError::Decompress { path, source },
            false => InputError::Read { path, source },
        }
    }
}

impl<'a> Cutter<'a> {
    /// The chunks of these inputs, each of at least `size` bytes except the last of each input.
    pub fn new(inputs: &'a [Input], size: usize) -> Cutter<'a> {
        Cutter {
            inputs,
            size: size.max(1),
            longest: MAX_GAME,
            keeps_long: false,
            mapped: true,
            hashes: false,
            tests_tables: false,
            source: None,
            input: 0,
            next_input: 0,
            next_index: 0,
            next_offset: 0,
            ranges: Vec::new(),
            cuts: EvenCuts::default(),
        }
    }

    /// The same chunks, with the texts of games that are too long to be read.
    pub fn with_long_texts(mut self, wanted: bool) -> Cutter<'a> {
        self.keeps_long = wanted;
        self
    }

    /// The same chunks, with plain files mapped or read.
    pub fn with_mapping(mut self, mapped: bool) -> Cutter<'a> {
        self.mapped = mapped;
        self
    }

    /// The same chunks, but a table is tested against its checksums before its first chunk.
    #[cfg(feature = "table")]
    pub fn with_tested_tables(mut self) -> Cutter<'a> {
        self.tests_tables = true;
        self
    }

    /// The same chunks, with the checksums of their texts.
    pub fn with_checksums(mut self) -> Cutter<'a> {
        self.hashes = true;
        self
    }

    /// The chunks of only these bytes of each input, which begin and end at game boundaries, or of
    /// these rows if the input is a table.
    pub fn with_ranges(mut self, ranges: Vec<Range<u64>>) -> Cutter<'a> {
        self.ranges = ranges;
        self
    }

    /// The bytes or rows of an input that are cut.
    fn range(&self, input: usize) -> Range<u64> {
        self.ranges.get(input).cloned().unwrap_or(0..u64::MAX)
    }

    /// The same bytes in chunks that also end at the boundaries of these cuts.
    pub fn with_cuts(mut self, cuts: EvenCuts) -> Cutter<'a> {
        self.cuts = cuts;
        self
    }

    /// Leaves out the remaining chunks of an input.
    pub fn leave(&mut self, input: usize) {
        if self.input == input {
            self.source = None;
        }
    }

    /// Opens the next input. Returns whether there is one.
    #[cfg_attr(
        not(feature = "table"),
        expect(unreachable_code, unused_variables, reason = "there are no tables")
    )]
    fn open_next(&mut self) -> Result<bool, InputError> {
        let Some(input) = self.inputs.get(self.next_input) else {
            return Ok(false);
        };
        self.input = self.next_input;
        self.next_input += 1;
        let range = self.range(self.input);
        self.next_offset = range.start;
        self.source = Some(match input.open(self.mapped)? {
            OpenInput::Mapped(map) => {
                let at = usize::try_from(range.start).unwrap_or(usize::MAX);
                InputCursor::Mapped { map, at }
            }
            OpenInput::Table(table) => {
                if self.tests_tables {
                    table.verify()?;
                }
                let rows = RowCutter::new(table, range);
                self.next_offset = rows.offset();
                InputCursor::Table(rows)
            }
            OpenInput::Stream { reader, compressed, taken, watch } => {
                let fail = |source| CutError::of_stream(input.name(), compressed, source);
                let file = watch.as_ref().filter(|_| !compressed);
                let reader = range_of(reader, &range, file, &taken).map_err(fail)?;
                let mut stream = Stream::new(reader, compressed, taken, self.keeps_long);
                stream.watch = watch;
                stream.hashes = self.hashes;
                InputCursor::Stream(stream)
            }
        });
        Ok(true)
    }

    fn next_chunk(&mut self) -> Result<Option<CutChunk>, InputError> {
        loop {
            let range = self.range(self.input);
            let cut = self.cuts.after(self.next_offset);
            let length = cut.and_then(|cut| usize::try_from(cut - self.next_offset).ok());
            let size = length.map_or(self.size, |length| length.min(self.size));
            let Some(source) = &mut self.source else {
                match self.open_next()? {
                    true => continue,
                    false => return Ok(None),
                }
            };
            let next = match source {
                InputCursor::Table(rows) => {
                    if let Some(rows) = rows.next(cut) {
                        return Ok(Some(self.rows(rows)));
                    }
                    None
                }
                InputCursor::Mapped { map, at } => {
                    let end = usize::try_from(range.end).unwrap_or(usize::MAX);
                    let end = end.min(map.len());
                    next_of_map(map, at, end, size, self.longest, (self.keeps_long, self.hashes))
                }
                InputCursor::Stream(stream) => {
                    let next = stream.next(size, self.longest)?;
                    let next = next.map_err(|source| {
                        let path = self.inputs[self.input].name();
                        CutError::of_stream(path, stream.compressed, source)
                    })?;
                    next.map(|chunk| match chunk {
                        StreamChunk::Games(bytes) => (ChunkBytes::Owned(bytes), None),
                        StreamChunk::Overlong { sample, game } => {
                            (ChunkBytes::Owned(sample), Some(game))
                        }
                    })
                }
            };
            match next {
                Some((bytes, overlong)) => return Ok(Some(self.chunk(bytes, overlong))),
                None => self.source = None,
            }
        }
    }

    /// Makes a chunk of rows of a table.
    fn rows(&mut self, rows: CutRows) -> CutChunk {
        let length = rows.length();
        let chunk = self.chunk(ChunkBytes::Owned(Vec::new()), None);
        self.next_offset += length;
        CutChunk { input_length: length, rows: Some(rows), ..chunk }
    }

    /// Makes a chunk of the next bytes.
    fn chunk(&mut self, bytes: ChunkBytes, overlong: Option<OverlongGame>) -> CutChunk {
        let text_length = bytes.get().len() as u64;
        let length = overlong.as_ref().map_or(text_length, |overlong| overlong.length);
        let (input_length, ends_torn) = match &mut self.source {
            Some(InputCursor::Stream(stream)) => (stream.newly_taken(), stream.is_torn()),
            Some(InputCursor::Mapped { .. } | InputCursor::Table(_)) | None => (length, false),
        };
        let is_whole = self.next_offset == 0
            && match &self.source {
                Some(InputCursor::Mapped { map, at }) => *at == map.len(),
                // The range of a slice may end before the stream.
                Some(InputCursor::Stream(stream)) => {
                    stream.is_read() && self.range(self.input).end == u64::MAX
                }
                Some(InputCursor::Table(_)) | None => false,
            };
        let whole_of = is_whole.then(|| self.inputs[self.input].name());
        let chunk = CutChunk {
            index: self.next_index,
            input: self.input,
            offset: self.next_offset,
            input_length,
            bytes,
            overlong,
            ends_torn,
            hashes: self.hashes,
            whole_of,
            rows: None,
        };
        self.next_index += 1;
        self.next_offset += length;
        chunk
    }
}

/// The bytes of a range in the text of a stream. If the text is a `file`, the bytes before the
/// range are not read.
fn range_of(
    mut reader: Box<dyn Read + Send>,
    range: &Range<u64>,
    file: Option<&Watch>,
    taken: &Arc<AtomicU64>,
) -> io::Result<Box<dyn Read + Send>> {
    let Range { start, end } = *range;
    match file.filter(|_| start > 0) {
        Some(file) => reader = file.read_from(start, taken)?,
        None => drop(io::copy(&mut reader.by_ref().take(start), &mut io::sink())?),
    }
    Ok(if end == u64::MAX { reader } else { Box::new(reader.take(end - start)) })
}

/// The bytes of a chunk, and what is known of it if it is an overlong game.
type NextBytes = (ChunkBytes, Option<OverlongGame>);

/// The next bytes of a mapped file, from `at` on and before `last`. The text of an overlong game is
/// kept if `keeps_long` is set, and has its checksum if `hashes` is.
fn next_of_map(
    map: &Arc<MappedFile>,
    at: &mut usize,
    last: usize,
    size: usize,
    longest: usize,
    (keeps_long, hashes): (bool, bool),
) -> Option<NextBytes> {
    if *at >= last {
        return None;
    }
    let begin = *at;
    let mut end = find_boundary(map, begin.saturating_add(size)).map_or(last, |end| end.min(last));
    let overlong = match last_if_overlong(&map[begin..end], longest) {
        Some(0) => {
            let text = &map[begin..end];
            let whole = || LongText::Mapped(map.clone(), begin..end);
            let mut hasher = Hasher::new();
            if hashes {
                hasher.update(text);
            }
            Some(OverlongGame {
                length: text.len() as u64,
                lines: lines(text),
                text: keeps_long.then(whole),
                hasher,
            })
        }
        // The games before the overlong one come first.
        Some(last) => {
            end = begin + last;
            None
        }
        None => None,
    };
    *at = end;
    let shown = if overlong.is_some() { end.min(begin + MAX_SAMPLE) } else { end };
    Some((ChunkBytes::Mapped(map.clone(), begin..shown), overlong))
}

impl Iterator for Cutter<'_> {
    type Item = Result<CutChunk, CutError>;

    fn next(&mut self) -> Option<Result<CutChunk, CutError>> {
        let next = self.next_chunk();
        next.map_err(|error| {
            // Nothing of the input is read after an error.
            self.source = None;
            let index = self.next_index;
            self.next_index += 1;
            CutError { index, input: self.input, error }
        })
        .transpose()
    }
}
