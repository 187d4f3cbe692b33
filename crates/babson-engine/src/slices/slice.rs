//! Cutting inputs into slices.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Mutex;

use babson_pgn::find_boundary;
use crossbeam::queue::ArrayQueue;
use serde::{Deserialize, Serialize};

use crate::chunk::{Chunk, ChunkStart, Cutter, EvenCuts};
use crate::error::Error;
use crate::input::{Input, InputStamps, OpenInput};
use crate::limits::{MAX_CHECKED_BYTES, MAX_CHUNK};

/// A piece of the inputs of a scan, which can be searched alone. It is plain data, for instance a
/// line of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slice {
    /// Which plan it belongs to: equal for all its slices.
    pub plan: String,
    /// Its number in the plan, from 0.
    pub index: usize,
    /// The number of slices of the plan.
    pub count: usize,
    /// The path of the input.
    pub input: String,
    /// The offset of its first byte.
    pub begin: u64,
    /// The offset after its last byte; none for the whole of an input that is compressed.
    pub end: Option<u64>,
    /// The length of the file in bytes.
    pub input_length: u64,
    /// A checksum of its first and its last bytes, of the file if it is compressed.
    pub checksum: u32,
    /// The number of its first game, from 1 over all inputs.
    pub first_game: u64,
    /// The number of its first game in its input, from 1.
    pub first_input_game: u64,
    /// The line of its first byte in its input, from 1.
    pub first_line: u64,
    /// The number of its games.
    pub games: u64,
    /// The number of games of all inputs.
    pub last_game: u64,
}

/// Games and lines of a slice.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    games: u64,
    lines: u64,
    /// The checksum of the whole text.
    checksum: u32,
}

/// Cuts the inputs into about `count` slices of about the same length, and counts their games with
/// so many threads. Every input has at least one slice, and an input that is compressed has one.
///
/// Plain files are mapped or read (see [`Settings::mapped`](crate::Settings::mapped)); the slices
/// are the same. One thread reads a file that is not mapped.
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
/// An input is not a file, its name is not UTF-8, or it cannot be read.
pub fn plan(
    inputs: &[Input],
    count: usize,
    threads: usize,
    mapped: bool,
) -> Result<Vec<Slice>, Error> {
    let stamps = InputStamps::of(inputs)?;
    let total: u64 = inputs.iter().filter_map(Input::size).sum();
    let mut pieces = Vec::new();
    for input in inputs {
        let refuse = |why: &str| Err(Error::Slice { input: input.name(), reason: why.to_owned() });
        // A pipe has a name, but no size.
        let (Input::File(path), Some(length)) = (input, input.size()) else {
            return refuse("only files can be cut into slices: save it to a file");
        };
        let Some(name) = path.to_str() else {
            return refuse("the name of an input of slices must be UTF-8");
        };
        let wanted = (count as u128 * u128::from(length)).div_ceil(u128::from(total.max(1)));
        let count = u64::try_from(wanted).unwrap_or(u64::MAX).clamp(1, length.max(1));
        let cuts = EvenCuts { length, count };
        let piece = |range, cuts, packed| Piece { input, name, length, packed, range, cuts };
        match input.open(mapped)? {
            OpenInput::Mapped(map) => {
                let ranges = ranges(&map, cuts).into_iter();
                pieces.extend(ranges.map(|range| piece(range, EvenCuts::default(), false)));
            }
            OpenInput::Stream { packed: true, .. } => {
                pieces.push(piece(0..u64::MAX, EvenCuts::default(), true));
            }
            OpenInput::Stream { packed: false, .. } => pieces.push(piece(0..u64::MAX, cuts, false)),
        }
    }
    let counted = count_pieces(&pieces, threads, mapped)?;
    stamps.check()?;
    Ok(numbered(counted))
}

/// Cuts a text into ranges of whole games.
fn ranges(text: &[u8], cuts: EvenCuts) -> Vec<Range<u64>> {
    let mut ranges = Vec::new();
    let mut begin = 0;
    while let Some(cut) = cuts.after(begin)
        && let Some(end) = find_boundary(text, cut as usize)
    {
        ranges.push(begin..end as u64);
        begin = end as u64;
    }
    ranges.push(begin..text.len() as u64);
    ranges
}

/// A piece of an input, whose games one thread counts.
struct Piece<'i> {
    input: &'i Input,
    /// The name of the input.
    name: &'i str,
    /// The length of the file.
    length: u64,
    /// Whether it is compressed.
    packed: bool,
    /// The bytes of the text.
    range: Range<u64>,
    /// Where the piece is cut into several slices.
    cuts: EvenCuts,
}

impl Piece<'_> {
    /// The slices, not numbered yet, and what each has.
    fn count(&self, mapped: bool) -> Result<Vec<(Slice, Counts)>, Error> {
        let inputs = std::slice::from_ref(self.input);
        let cutter = Cutter::new(inputs, MAX_CHUNK as usize)
            .with_mapping(mapped)
            .with_range(self.range.clone())
            .with_cuts(self.cuts);
        let mut slices = Vec::new();
        let mut games = 0;
        let Range { start: mut begin, .. } = self.range;
        let mut end = begin;
        let (mut counts, mut hasher) = (Counts::default(), crc32fast::Hasher::new());
        for cut in cutter {
            let chunk = Chunk::of(cut.map_err(|error| error.after(games))?);
            games += chunk.games() as u64;
            counts.games += chunk.games() as u64;
            counts.lines += chunk.lines;
            hasher.update(chunk.bytes());
            chunk.check()?;
            end = chunk.offset + chunk.length;
            if self.cuts.after(begin).is_some_and(|cut| cut <= end) {
                counts.checksum = std::mem::take(&mut hasher).finalize();
                slices.push((self.slice(begin..end)?, std::mem::take(&mut counts)));
                begin = end;
            }
        }
        if begin < end || slices.is_empty() {
            counts.checksum = hasher.finalize();
            slices.push((self.slice(begin..end)?, counts));
        }
        Ok(slices)
    }

    /// The slice of these bytes of the text.
    fn slice(&self, range: Range<u64>) -> Result<Slice, Error> {
        let checked = if self.packed { 0..self.length } else { range.clone() };
        Ok(Slice {
            plan: String::new(),
            index: 0,
            count: 0,
            input: self.name.to_owned(),
            begin: range.start,
            end: (!self.packed).then_some(range.end),
            input_length: self.length,
            checksum: checksum(self.name, checked)?,
            first_game: 1,
            first_input_game: 1,
            first_line: 1,
            games: 0,
            last_game: 0,
        })
    }
}

/// The slices of all pieces, in order.
fn count_pieces(
    pieces: &[Piece<'_>],
    threads: usize,
    mapped: bool,
) -> Result<Vec<(Slice, Counts)>, Error> {
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
    crossbeam::scope(|scope| {
        for _ in 1..threads.min(pieces.len()) {
            scope.spawn(|_| count_pieces());
        }
        count_pieces();
    })
    .map_err(Error::of_panic)?;
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(index, _)| *index);
    let slices: Result<Vec<_>, Error> = results.into_iter().map(|(_, counted)| counted).collect();
    Ok(slices?.into_iter().flatten().collect())
}

/// Numbers the slices, given what each has.
fn numbered(counted: Vec<(Slice, Counts)>) -> Vec<Slice> {
    let mut start = ChunkStart::default();
    let last_game = counted.iter().map(|(_, counts)| counts.games).sum();
    let count = counted.len();
    let mut hasher = crc32fast::Hasher::new();
    let mut slices = Vec::new();
    for (index, (mut slice, counts)) in counted.into_iter().enumerate() {
        // The first slice of an input begins at its first byte.
        if slice.begin == 0 {
            start = ChunkStart { game: start.game, ..ChunkStart::default() };
        }
        (slice.index, slice.count, slice.last_game) = (index, count, last_game);
        (slice.first_game, slice.first_input_game) = (start.game, start.input_game);
        (slice.first_line, slice.games) = (start.line, counts.games);
        start.game += counts.games;
        start.input_game += counts.games;
        start.line += counts.lines;
        hasher.update(format!("{slice:?} {:08x}", counts.checksum).as_bytes());
        slices.push(slice);
    }
    let plan = format!("{:08x}", hasher.finalize());
    for slice in &mut slices {
        slice.plan.clone_from(&plan);
    }
    slices
}

/// The checksum of the first and the last of these bytes of a file, which is read: a file that is
/// mapped ends the process if it is truncated.
fn checksum(path: &str, range: Range<u64>) -> Result<u32, Error> {
    let fail = |source| Error::Read { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(fail)?;
    let length = range.end.saturating_sub(range.start).min(MAX_CHECKED_BYTES);
    let mut hasher = crc32fast::Hasher::new();
    for begin in [range.start, range.end - length] {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(begin)).map_err(fail)?;
        file.by_ref().take(length).read_to_end(&mut bytes).map_err(fail)?;
        hasher.update(&bytes);
    }
    Ok(hasher.finalize())
}

impl Slice {
    /// The input.
    pub(crate) fn open_input(&self) -> Input {
        Input::File(self.input.clone().into())
    }

    fn error(&self, why: &str) -> Error {
        Error::Slice { input: self.input.clone(), reason: why.to_owned() }
    }

    /// The bytes of the slice.
    pub(crate) fn range(&self) -> Range<u64> {
        self.begin..self.end.unwrap_or(u64::MAX)
    }

    /// Where its first chunk begins.
    pub(crate) fn start(&self) -> ChunkStart {
        ChunkStart {
            game: self.first_game,
            input_game: self.first_input_game,
            line: self.first_line,
        }
    }

    /// An error if the file is not the one that was cut, or was changed since.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let wrong = || {
            self.error(
                "it is not the file that was cut into slices, or it was changed since: make a new \
                 plan",
            )
        };
        let data = std::fs::metadata(&self.input)
            .map_err(|source| Error::Read { path: self.input.clone(), source })?;
        let end = self.end.unwrap_or(self.input_length);
        let is_range = self.begin <= end
            && end <= self.input_length
            && (self.end.is_some() || self.begin == 0)
            && self.index < self.count
            && [self.first_game, self.first_input_game, self.first_line].iter().all(|&n| n > 0);
        if !is_range {
            let why = "it is not a slice: its numbers do not fit together";
            return Err(self.error(why));
        }
        if data.len() != self.input_length {
            return Err(wrong());
        }
        let checked = if self.end.is_some() { self.begin..end } else { 0..self.input_length };
        if checksum(&self.input, checked)? == self.checksum { Ok(()) } else { Err(wrong()) }
    }
}
