//! Cutting inputs into slices.

use std::ops::Range;
use std::sync::Mutex;

use babson_input::chunk::{Chunk, ChunkStart, Cutter, EvenCuts, MAX_CHUNK, RowChoice};
use babson_input::{Input, InputError, InputStamps, OpenInput};
use babson_pgn::find_boundary;
use babson_vm::Event;
use crc32fast::Hasher;

use super::checksum::edge_checksum;
use super::slice::{InputRange, Slice};
use crate::channels::ArrayQueue;
use crate::error::Error;
use crate::limits::MAX_THREADS;
use crate::observer::{Observer, Silent, tell};
use crate::slice_error::SliceRefusal;
use crate::threads::share;

/// Games and lines of a range.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    games: u64,
    lines: u64,
}

/// Cuts the inputs into at most `count` slices (at least one) of about the same length, and counts
/// their games with this number of threads. A slice may reach from one input into the next ones, so
/// a plan of one slice has all inputs in it. An input that is compressed, or in an archive, is not
/// cut.
///
/// Plain files are mapped or read (see [`Settings::mapped`](crate::Settings::mapped)); the slices
/// are the same. One thread reads a file that is not mapped. An input that is not PGN has no game
/// and is left out.
///
/// ```
/// use babson_engine::{Input, plan};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("games.pgn");
/// std::fs::write(&path, "[Event \"a\"]\n\n1. e4 *\n\n".repeat(1000)).unwrap();
/// let slices = plan(&[Input::File(path)], 4, 2, true)?;
/// assert_eq!(slices.len(), 4);
/// assert_eq!(slices[1].first_game, slices[0].games + 1);
/// # Ok::<(), babson_engine::Error>(())
/// ```
///
/// # Errors
/// An input is neither a file nor in an archive, its name is not UTF-8, or it cannot be read; or
/// inputs are not PGN, and no other input has a game.
pub fn plan(
    inputs: &[Input],
    count: usize,
    threads: usize,
    mapped: bool,
) -> Result<Vec<Slice>, Error> {
    plan_observed(inputs, count, threads, mapped, &mut Silent)
}

/// As [`plan`], and tells the observer of each input that is left out.
///
/// # Errors
/// As [`plan`].
pub fn plan_observed(
    inputs: &[Input],
    count: usize,
    threads: usize,
    mapped: bool,
    observer: &mut dyn Observer,
) -> Result<Vec<Slice>, Error> {
    let stamps = InputStamps::of(inputs)?;
    let total: u64 = inputs.iter().filter_map(Input::size).sum();
    let count = (count as u64).clamp(1, total.max(1));
    let mut cuts = EvenCuts { length: total, count, begin: 0 };
    let mut pieces = Vec::new();
    for input in inputs {
        let refuse = |reason| Err(Error::Slice { input: input.name(), reason });
        let Some((path, extent)) = input.file_extent()? else {
            return refuse(SliceRefusal::NotAFile);
        };
        let Some(path) = path.to_str() else {
            return refuse(SliceRefusal::NameNotUtf8);
        };
        if matches!(input, Input::Remote(file) if file.has_query()) {
            return refuse(SliceRefusal::SignedUrl);
        }
        let length = extent.end - extent.start;
        let piece = |form, range, cuts| {
            let extent = extent.clone();
            Piece { input, path, extent, form, range, cuts }
        };
        let whole = 0..u64::MAX;
        match input.open(mapped)? {
            OpenInput::Mapped(map) => {
                let ranges = ranges(&map, cuts).into_iter();
                let plain = |range| piece(InputForm::Plain, range, EvenCuts::default());
                pieces.extend(ranges.map(plain));
            }
            OpenInput::Table(table) => {
                pieces.push(piece(InputForm::Table { rows: table.rows() }, whole, cuts));
            }
            OpenInput::Stream { compressed: true, .. } => {
                pieces.push(piece(InputForm::Compressed, whole, EvenCuts::default()));
            }
            OpenInput::Stream { compressed: false, .. } => {
                pieces.push(piece(InputForm::Plain, whole, cuts));
            }
        }
        cuts.begin += length;
    }
    let mut counted = Vec::new();
    let mut first_error = None;
    for ranges in count_pieces(&pieces, threads, mapped)? {
        match ranges {
            Ok(ranges) => counted.extend(ranges),
            Err(Error::Input(error @ InputError::NotPgn { .. })) => {
                if let Some(report) = error.broken_input() {
                    tell(observer, Event::BrokenInput(report), 0)?;
                }
                first_error.get_or_insert(error);
            }
            Err(error) => return Err(error),
        }
    }
    stamps.check()?;
    let games = counted.iter().map(|(_, counts)| counts.games).sum::<u64>();
    if games == 0
        && let Some(error) = first_error
    {
        return Err(error.into());
    }
    Ok(numbered(counted, EvenCuts { begin: 0, ..cuts }))
}

/// Cuts a text into ranges of whole games.
fn ranges(text: &[u8], cuts: EvenCuts) -> Vec<Range<u64>> {
    let mut ranges = Vec::new();
    let mut begin = 0;
    // A text is in memory, but the cuts are places in all inputs together.
    while let Some(cut) = cuts.after(begin)
        && let Ok(cut) = usize::try_from(cut)
        && let Some(end) = find_boundary(text, cut)
    {
        ranges.push(begin..end as u64);
        begin = end as u64;
    }
    ranges.push(begin..text.len() as u64);
    ranges
}

/// The form of an input of slices.
#[derive(Clone, Copy)]
enum InputForm {
    Plain,
    Compressed,
    Table { rows: u64 },
}

/// A piece of an input, whose games one thread counts.
struct Piece<'i> {
    input: &'i Input,
    /// The path of the file, and the bytes of the input in it.
    path: &'i str,
    extent: Range<u64>,
    form: InputForm,
    /// The bytes of the text, or the rows.
    range: Range<u64>,
    /// Where the piece is cut into several ranges.
    cuts: EvenCuts,
}

impl Piece<'_> {
    /// The ranges, not numbered yet, and what each has.
    fn count(&self, mapped: bool) -> CountedPiece {
        let inputs = std::slice::from_ref(self.input);
        let cutter = Cutter::new(inputs, MAX_CHUNK as usize)
            .with_mapping(mapped)
            .with_ranges(vec![self.range.clone()])
            .with_cuts(self.cuts)
            .with_checksums();
        let mut ranges = Vec::new();
        let mut games = 0;
        // Of a table, the shares of its file.
        let Range { start: mut begin, .. } = self.range;
        let mut end = begin;
        let (mut counts, mut text) = (Counts::default(), Hasher::new());
        for cut in cutter {
            let cut = cut.map_err(|error| error.error.after(games))?;
            let chunk = Chunk::of(cut, &RowChoice::None)?;
            games += chunk.games() as u64;
            counts.games += chunk.games() as u64;
            counts.lines += chunk.lines;
            if let Some(hasher) = &chunk.hasher {
                text.combine(hasher);
            }
            chunk.check()?;
            end = chunk.offset + chunk.length;
            if self.cuts.after(begin).is_some_and(|cut| cut <= end) {
                let range = self.range(begin..end, games, counts, std::mem::take(&mut text))?;
                ranges.push((range, std::mem::take(&mut counts)));
                begin = end;
            }
        }
        if begin < end || ranges.is_empty() {
            ranges.push((self.range(begin..end, games, counts, text)?, counts));
        }
        Ok(ranges)
    }

    /// The range of these bytes. Up to its end the piece has `games`.
    fn range(
        &self,
        bytes: Range<u64>,
        games: u64,
        counts: Counts,
        text: Hasher,
    ) -> Result<InputRange, Error> {
        let member = if let Input::Member(member) = self.input {
            Some(member.name().to_owned())
        } else {
            None
        };
        let whole = self.extent.clone();
        let (range, end, rows, checked) = match self.form {
            InputForm::Plain => (bytes.clone(), Some(bytes.end), None, bytes),
            InputForm::Compressed => (bytes, None, None, whole),
            // A piece is a whole table, and each row is a game.
            InputForm::Table { rows } => {
                (games - counts.games..games, Some(games), Some(rows), whole)
            }
        };
        Ok(InputRange {
            input: self.path.to_owned(),
            member,
            begin: range.start,
            end,
            rows,
            input_length: self.extent.end - self.extent.start,
            edge_checksum: edge_checksum(self.input, self.path, checked)?,
            text_checksum: text.finalize(),
            first_game: 1,
            first_line: 1,
        })
    }
}

/// The ranges of a piece and what each has, or why it cannot be read.
type CountedPiece = Result<Vec<(InputRange, Counts)>, Error>;

/// The ranges of all pieces, in order.
fn count_pieces(
    pieces: &[Piece<'_>],
    threads: usize,
    mapped: bool,
) -> Result<Vec<CountedPiece>, Error> {
    let queue = ArrayQueue::new(pieces.len().max(1));
    for index in 0..pieces.len() {
        // The queue has room for all.
        let _ = queue.push(index);
    }
    let results = Mutex::new(Vec::new());
    let count_pieces = || {
        while let Some(index) = queue.pop() {
            let counted = pieces[index].count(mapped);
            if let Ok(mut results) = results.lock() {
                results.push((index, counted));
            }
        }
    };
    share(threads.min(pieces.len()).clamp(1, MAX_THREADS) - 1, count_pieces)?;
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(index, _)| *index);
    Ok(results.into_iter().map(|(_, counted)| counted).collect())
}

/// Puts the ranges into slices and numbers them, given what each range has. A range that begins at
/// the next cut or after it begins a slice; so does a compressed input whose middle is there.
fn numbered(counted: Vec<(InputRange, Counts)>, cuts: EvenCuts) -> Vec<Slice> {
    let mut start = ChunkStart::default();
    let last_game = counted.iter().map(|(_, counts)| counts.games).sum();
    let mut hasher = Hasher::new();
    let mut slices: Vec<Slice> = Vec::new();
    let (mut input_begin, mut input_length) = (0, 0);
    let mut slice_end = None;
    for (mut range, counts) in counted {
        // The first range of an input begins at its first byte.
        if range.begin == 0 {
            start = ChunkStart { game: start.game, ..ChunkStart::default() };
            input_begin += input_length;
            input_length = range.input_length;
        }
        (range.first_game, range.first_line) = (start.input_game, start.line);
        hasher.update(format!("{range:?}").as_bytes());
        // Compressed inputs of about the same length are slices of their own if there are enough.
        let into = if range.end.is_some() { range.offset() } else { range.input_length / 2 };
        let position = input_begin + into;
        if slices.is_empty() || slice_end.is_some_and(|end| position >= end) {
            slice_end = cuts.after(position);
            slices.push(Slice {
                plan: String::new(),
                index: slices.len(),
                count: 0,
                ranges: Vec::new(),
                first_game: start.game,
                games: 0,
                last_game,
                checksum: 0,
            });
        }
        if let Some(slice) = slices.last_mut() {
            slice.ranges.push(range);
            slice.games += counts.games;
        }
        start.game += counts.games;
        start.input_game += counts.games;
        start.line += counts.lines;
    }
    // The ranges do not tell how they are put into slices.
    hasher.update(format!("{} slices", slices.len()).as_bytes());
    let plan = format!("{:08x}", hasher.finalize());
    let count = slices.len();
    let sealed = |slice| Slice { plan: plan.clone(), count, ..slice }.sealed();
    slices.into_iter().map(sealed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first cut is more than 4 GiB behind the text, which an index of 32 bits would not tell.
    #[test]
    fn a_cut_behind_the_text_is_none() {
        let text = "[Event \"a\"]\n\n1. e4 *\n\n".repeat(20);
        let cuts = EvenCuts { length: (1 << 33) + 200, count: 2, begin: 0 };
        let ranges = ranges(text.as_bytes(), cuts);
        assert_eq!((ranges.len(), ranges[0].end), (1, text.len() as u64));
    }
}
