//! Cutting inputs into slices.

use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;

use babson_pgn::find_boundary;
use crossbeam::queue::ArrayQueue;
use serde::{Deserialize, Serialize};

use crate::chunk::{Chunk, ChunkStart, Cutter};
use crate::error::Error;
use crate::input::{Input, InputStamps, MappedFile, OpenInput};
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
    /// A checksum of its first and its last bytes.
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
/// so many threads. Every input has at least one slice, and an input that is compressed or cannot
/// be mapped has one.
///
/// ```
/// use babson_engine::{Input, plan};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("games.pgn");
/// std::fs::write(&path, "[Event \"a\"]\n\n1. e4 *\n\n".repeat(1000)).unwrap();
/// let slices = plan(&[Input::File(path)], 4, 2)?;
/// assert_eq!(slices.len(), 4);
/// assert_eq!(slices[1].first_game, slices[0].games + 1);
/// # Ok::<(), babson_engine::Error>(())
/// ```
///
/// # Errors
/// An input is not a file, its name is not UTF-8, or it cannot be read.
pub fn plan(inputs: &[Input], count: usize, threads: usize) -> Result<Vec<Slice>, Error> {
    let stamps = InputStamps::of(inputs)?;
    let total: u64 = inputs.iter().filter_map(Input::size).sum();
    let mut slices = Vec::new();
    for input in inputs {
        let refuse = |why: &str| Err(Error::Refused(format!("{}: {why}", input.name())));
        let Input::File(path) = input else {
            return refuse("only files can be cut into slices: save it to a file");
        };
        let Some(name) = path.to_str() else {
            return refuse("the name of an input of slices must be UTF-8");
        };
        let length = input.size().unwrap_or(0);
        let wanted = (count as u128 * u128::from(length)).div_ceil(u128::from(total.max(1)));
        let slice = |begin: u64, end: Option<u64>, checksum: u32| Slice {
            plan: String::new(),
            index: 0,
            count: 0,
            input: name.to_owned(),
            begin,
            end,
            input_length: length,
            checksum,
            first_game: 1,
            first_input_game: 1,
            first_line: 1,
            games: 0,
            last_game: 0,
        };
        match input.open(true)? {
            OpenInput::Mapped(map) => {
                for range in ranges(&map, wanted as usize) {
                    let checksum = checksum(map.get(range.clone()).unwrap_or_default());
                    slices.push(slice(range.start as u64, Some(range.end as u64), checksum));
                }
            }
            OpenInput::Stream { .. } => slices.push(slice(0, None, checksum_of_file(path)?)),
        }
    }
    let counts = counts(&slices, threads)?;
    stamps.check()?;
    number(&mut slices, &counts);
    Ok(slices)
}

/// Cuts a text into so many ranges of whole games, or fewer.
fn ranges(text: &[u8], count: usize) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut begin = 0;
    let count = count.clamp(1, text.len().max(1));
    for index in 1..count {
        let target = (text.len() as u128 * index as u128 / count as u128) as usize;
        // The boundary of the last range may already be beyond.
        if target <= begin {
            continue;
        }
        let Some(end) = find_boundary(text, target) else { break };
        ranges.push(begin..end);
        begin = end;
    }
    ranges.push(begin..text.len());
    ranges
}

/// Counts the games and lines of all slices.
fn counts(slices: &[Slice], threads: usize) -> Result<Vec<Counts>, Error> {
    let queue = ArrayQueue::new(slices.len().max(1));
    for index in 0..slices.len() {
        // The queue has room for all.
        let _ = queue.push(index);
    }
    let results = Mutex::new(Vec::new());
    let count_slices = || {
        while let Some(index) = queue.pop() {
            let counts = slices[index].counts();
            if let Ok(mut results) = results.lock() {
                results.push((index, counts));
            }
        }
    };
    crossbeam::scope(|scope| {
        for _ in 1..threads.min(slices.len()) {
            scope.spawn(|_| count_slices());
        }
        count_slices();
    })
    .map_err(Error::of_panic)?;
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, counts)| counts).collect()
}

/// Numbers the slices, given what each has.
fn number(slices: &mut [Slice], counts: &[Counts]) {
    let mut start = ChunkStart::default();
    let last_game = counts.iter().map(|counts| counts.games).sum();
    let count = slices.len();
    let mut hasher = crc32fast::Hasher::new();
    for (index, (slice, counts)) in slices.iter_mut().zip(counts).enumerate() {
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
    }
    let plan = format!("{:08x}", hasher.finalize());
    for slice in slices {
        slice.plan.clone_from(&plan);
    }
}

/// The checksum of the first and the last bytes of a slice.
fn checksum(text: &[u8]) -> u32 {
    let end = text.len().min(MAX_CHECKED_BYTES);
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&text[..end]);
    hasher.update(&text[text.len() - end..]);
    hasher.finalize()
}

/// The checksum of the first bytes of a file.
fn checksum_of_file(path: &Path) -> Result<u32, Error> {
    use std::io::Read;

    let fail = |source| Error::Read { path: path.display().to_string(), source };
    let file = std::fs::File::open(path).map_err(fail)?;
    let mut first = Vec::new();
    file.take(MAX_CHECKED_BYTES as u64).read_to_end(&mut first).map_err(fail)?;
    Ok(crc32fast::hash(&first))
}

impl Slice {
    /// The input.
    pub(crate) fn open_input(&self) -> Input {
        Input::File(self.input.clone().into())
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
        let input = self.open_input();
        let wrong = || {
            Error::Refused(format!(
                "{}: it is not the file that was cut into slices, or it was changed since: make a new \
             plan",
                self.input
            ))
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
            return Err(Error::Refused(format!("{}: {why}", self.input)));
        }
        if data.len() != self.input_length {
            return Err(wrong());
        }
        let found = match (self.end, input.open(true)?) {
            (Some(end), OpenInput::Mapped(map)) => self.checksum_in(&map, end).ok_or_else(wrong)?,
            // Not mapped: the first bytes of the whole file, or nothing that is cheap to compare.
            (Some(_), OpenInput::Stream { .. }) => self.checksum,
            (None, _) => checksum_of_file(Path::new(&self.input))?,
        };
        if found == self.checksum { Ok(()) } else { Err(wrong()) }
    }

    fn checksum_in(&self, map: &MappedFile, end: u64) -> Option<u32> {
        Some(checksum(map.get(self.begin as usize..end as usize)?))
    }

    fn counts(&self) -> Result<Counts, Error> {
        let inputs = [self.open_input()];
        let mut counts = Counts::default();
        let mut hasher = crc32fast::Hasher::new();
        for cut in Cutter::new(&inputs, MAX_CHUNK as usize).with_range(self.range()) {
            let chunk = Chunk::of(cut.map_err(|error| error.after(counts.games))?);
            counts.games += chunk.games() as u64;
            counts.lines += chunk.lines;
            hasher.update(chunk.bytes());
            chunk.check()?;
        }
        counts.checksum = hasher.finalize();
        Ok(counts)
    }
}
