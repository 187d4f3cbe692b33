//! Cutting inputs into slices.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use babson_input::chunk::{Chunk, ChunkStart, Cutter, EvenCuts, MAX_CHUNK, ReadRange, RowChoice};
use babson_input::{Archive, ArchiveMember, Input, InputError, InputStamps, OpenInput};
use babson_pgn::find_boundary;
use babson_vm::Event;
use crc32fast::Hasher;
use serde::{Deserialize, Serialize};

use crate::channels::ArrayQueue;
use crate::error::Error;
use crate::limits::{MAX_CHECKED_BYTES, MAX_SLICE_NUMBER, MAX_THREADS};
use crate::observer::{Observer, Silent, tell};
use crate::slice_error::SliceRefusal;
use crate::threads::share;

/// A piece of the inputs of a scan, which can be searched alone. It is plain data, for instance a
/// line of JSON. [`plan`] makes slices. A slice that was edited is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Slice {
    /// Which plan it belongs to: equal for all its slices.
    pub plan: String,
    /// Its number in the plan, from 0.
    pub index: usize,
    /// The number of slices of the plan.
    pub count: usize,
    /// Its games: a range of one input or of each of several consecutive ones.
    pub ranges: Vec<InputRange>,
    /// The number of its first game, from 1 over all inputs.
    pub first_game: u64,
    /// The number of its games.
    pub games: u64,
    /// The number of games of all inputs.
    pub last_game: u64,
    /// The checksum of all of the above.
    pub checksum: u32,
}

/// A range of an input, from one game boundary to another, or of the rows of a game table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct InputRange {
    /// The path of the input, or of the archive that it is in.
    pub input: String,
    /// The name of the input in its archive, if it is in one.
    pub member: Option<String>,
    /// The offset of its first byte; of a game table, the index of its first row.
    pub begin: u64,
    /// The offset after its last byte or the index after its last row; none for the whole of an
    /// input that is compressed.
    pub end: Option<u64>,
    /// The number of rows of the input, if it is a game table.
    pub rows: Option<u64>,
    /// The length of the file in bytes, or of the compressed bytes of the member.
    pub input_length: u64,
    /// The checksum of its first and its last bytes, of the file or the member if it is compressed
    /// or a table: a file that is not the one that was cut is refused before it is searched.
    pub edge_checksum: u32,
    /// The checksum of its text, decompressed if the input is compressed; of the rows of a table.
    pub text_checksum: u32,
    /// The number of its first game in its input, from 1.
    pub first_game: u64,
    /// The line of its first byte in its input, from 1.
    pub first_line: u64,
}

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
    while let Some(cut) = cuts.after(begin)
        && let Some(end) = find_boundary(text, cut as usize)
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

/// The checksum of the first and the last of these bytes of the file of an input.
fn edge_checksum(input: &Input, path: &str, range: Range<u64>) -> Result<u32, Error> {
    let length = range.end.saturating_sub(range.start).min(MAX_CHECKED_BYTES);
    let edges = [range.start..range.start + length, range.end - length..range.end];
    file_checksum(input, path, edges)
}

/// The checksum of ranges of the file of an input, which is read: a file that is mapped ends the
/// process if it is truncated.
fn file_checksum(
    input: &Input,
    path: &str,
    ranges: impl IntoIterator<Item = Range<u64>>,
) -> Result<u32, Error> {
    let fail = |source| Error::read(path, source);
    let mut hasher = Hasher::new();
    if let Input::Remote(file) = input {
        for range in ranges {
            hasher.update(&file.read_range(range).map_err(fail)?);
        }
        return Ok(hasher.finalize());
    }
    let mut file = File::open(path).map_err(fail)?;
    let mut bytes = Vec::new();
    for range in ranges {
        file.seek(SeekFrom::Start(range.start)).map_err(fail)?;
        let mut rest = file.by_ref().take(range.end - range.start);
        loop {
            bytes.clear();
            let read = rest.by_ref().take(MAX_CHUNK).read_to_end(&mut bytes).map_err(fail)?;
            if read == 0 {
                break;
            }
            hasher.update(&bytes);
        }
    }
    Ok(hasher.finalize())
}

impl Slice {
    /// The input of each range.
    pub fn inputs(&self) -> Vec<Input> {
        // The list of an archive is read once for all its members.
        let mut archives: HashMap<&str, Arc<Archive>> = HashMap::new();
        let inputs = self.ranges.iter().map(|range| match &range.member {
            // `check` tells of a URL that is not read.
            None => Input::named(&range.input)
                .unwrap_or_else(|_| Input::File(PathBuf::from(&range.input))),
            Some(member) => {
                let archive = archives.entry(&range.input);
                let archive = archive.or_insert_with(|| Archive::at(&range.input));
                Input::Member(ArchiveMember::new(Arc::clone(archive), member.clone()))
            }
        });
        inputs.collect()
    }

    /// The name of the input of each range.
    pub(super) fn input_names(&self) -> impl Iterator<Item = String> {
        self.ranges.iter().map(InputRange::name)
    }

    /// The bytes or rows of each range.
    pub(super) fn extents(&self) -> Vec<Range<u64>> {
        self.ranges.iter().map(InputRange::extent).collect()
    }

    /// The number of bytes in the files.
    pub(super) fn length(&self) -> u64 {
        self.ranges.iter().map(InputRange::length).sum()
    }

    /// Where its first chunk begins.
    pub(super) fn start(&self) -> ChunkStart {
        let (input_game, line) =
            self.ranges.first().map_or((1, 1), |range| (range.first_game, range.first_line));
        ChunkStart { game: self.first_game, input_game, line }
    }

    /// Whether the numbers fit together, so that sums of them are numbers, too.
    pub(super) fn is_sound(&self) -> bool {
        let mut ends_with_input = true;
        let mut ranges = self.ranges.iter().enumerate();
        let are_ranges = ranges.all(|(index, range)| {
            // A slice leaves an input at its end and enters the next one at its beginning.
            let follows = index == 0 || (ends_with_input && range.begin == 0);
            ends_with_input = range.end.is_none_or(|end| end == range.limit());
            follows && range.is_sound() && range.first_game <= self.first_game
        });
        let lengths: Option<u64> =
            self.ranges.iter().try_fold(0u64, |sum, range| sum.checked_add(range.input_length));
        let end = self.first_game.checked_add(self.games);
        are_ranges
            && !self.ranges.is_empty()
            && self.index < self.count
            && self.first_game > 0
            && self.last_game <= MAX_SLICE_NUMBER
            && lengths.is_some_and(|sum| sum <= MAX_SLICE_NUMBER)
            && end.is_some_and(|end| end - 1 <= self.last_game)
    }

    /// The same slice with its checksum.
    pub(super) fn sealed(self) -> Slice {
        Slice { checksum: self.sum(), ..self }
    }

    /// The checksum: CRC-32 of the fields except the checksum, in their order. A number has 8
    /// bytes, little-endian. A text and the ranges have their length before them. An option is the
    /// number 0 or 1, and then its value if it has one.
    fn sum(&self) -> u32 {
        let Slice { plan, index, count, ranges, first_game, games, last_game, checksum: _ } = self;
        let mut fields = FieldHasher::default();
        fields.text(plan);
        fields.number(*index as u64);
        fields.number(*count as u64);
        fields.number(ranges.len() as u64);
        for range in ranges {
            range.add_to(&mut fields);
        }
        fields.number(*first_game);
        fields.number(*games);
        fields.number(*last_game);
        fields.0.finalize()
    }

    /// Whether it is as the plan made it: numbers that fit together may still be edited.
    pub(super) fn is_unchanged(&self) -> bool {
        self.sum() == self.checksum
    }

    /// An error if it is not as a plan of this version made it; or if a file is not the one that
    /// was cut, or was changed since, as far as its length and the edges of its ranges tell.
    pub(super) fn check(&self) -> Result<(), Error> {
        let Some(first) = self.ranges.first() else {
            let input = format!("slice {}", self.index);
            return Err(Error::Slice { input, reason: SliceRefusal::NoRanges });
        };
        if !self.is_sound() {
            return Err(first.error(SliceRefusal::Unsound));
        }
        if !self.is_unchanged() {
            return Err(first.error(SliceRefusal::WrongChecksum));
        }
        let inputs = self.inputs();
        self.ranges.iter().zip(&inputs).try_for_each(|(range, input)| range.check(input))
    }

    /// An error if the search did not read the texts and games that were planned. `read` has what
    /// it read of each range; none if it ended before the end of the slice. Then files that are not
    /// compressed are read once more, `mapped` or not, and of a compressed one nothing is known.
    pub(super) fn check_read(&self, read: Option<&[ReadRange]>, mapped: bool) -> Result<(), Error> {
        let Some(read) = read else {
            return self.ranges.iter().try_for_each(|range| range.check_text(mapped));
        };
        let mut games = 0;
        for (index, range) in self.ranges.iter().enumerate() {
            // A range without games has no chunk.
            let read = read.get(index).cloned().unwrap_or_default();
            range.check_text_checksum(read.text.finalize())?;
            games += read.games;
        }
        let input = self.ranges.first().map(InputRange::name).unwrap_or_default();
        match games == self.games {
            true => Ok(()),
            false => {
                let (slice, planned) = (self.index, self.games);
                let reason = SliceRefusal::WrongCount { slice, games, planned };
                Err(Error::Slice { input, reason })
            }
        }
    }
}

/// The checksum of the fields of a slice.
#[derive(Default)]
struct FieldHasher(Hasher);

impl FieldHasher {
    fn number(&mut self, number: u64) {
        self.0.update(&number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.update(text.as_bytes());
    }

    fn option<T>(&mut self, option: Option<T>, add: impl FnOnce(&mut FieldHasher, T)) {
        self.number(option.is_some().into());
        if let Some(value) = option {
            add(self, value);
        }
    }
}

impl InputRange {
    /// Adds its fields to the checksum of its slice, in their order.
    fn add_to(&self, fields: &mut FieldHasher) {
        let InputRange {
            input,
            member,
            begin,
            end,
            rows,
            input_length,
            edge_checksum,
            text_checksum,
            first_game,
            first_line,
        } = self;
        fields.text(input);
        fields.option(member.as_deref(), FieldHasher::text);
        fields.number(*begin);
        fields.option(*end, FieldHasher::number);
        fields.option(*rows, FieldHasher::number);
        fields.number(*input_length);
        fields.number((*edge_checksum).into());
        fields.number((*text_checksum).into());
        fields.number(*first_game);
        fields.number(*first_line);
    }

    /// The name of its input in messages.
    fn name(&self) -> String {
        match &self.member {
            None => self.input.clone(),
            Some(member) => format!("{}/{member}", self.input),
        }
    }

    fn error(&self, reason: SliceRefusal) -> Error {
        Error::Slice { input: self.name(), reason }
    }

    /// Its bytes or rows.
    fn extent(&self) -> Range<u64> {
        self.begin..self.end.unwrap_or(u64::MAX)
    }

    /// The number of bytes of the file, or of rows of the table.
    fn limit(&self) -> u64 {
        self.rows.unwrap_or(self.input_length)
    }

    /// The bytes of the file that are before this byte or row; rows have equal shares.
    fn bytes_before(&self, at: u64) -> u64 {
        let bytes = |rows: u64| u128::from(at) * u128::from(self.input_length) / u128::from(rows);
        self.rows.map_or(at, |rows| bytes(rows.max(1)) as u64)
    }

    /// Where it begins in the file.
    fn offset(&self) -> u64 {
        self.bytes_before(self.begin)
    }

    /// The number of its bytes in the file.
    fn length(&self) -> u64 {
        self.end.map_or(self.input_length, |end| self.bytes_before(end)) - self.offset()
    }

    fn is_sound(&self) -> bool {
        let end = self.end.unwrap_or(self.input_length);
        let is_range = self.begin <= end && end <= self.limit();
        // Before each game and line but the first there is a byte or a row.
        let numbers = 1..=self.begin.saturating_add(1);
        is_range
            && (self.end.is_some() || (self.begin == 0 && self.rows.is_none()))
            && self.rows.is_none_or(|rows| rows <= self.input_length)
            && numbers.contains(&self.first_game)
            && numbers.contains(&self.first_line)
    }

    fn check(&self, input: &Input) -> Result<(), Error> {
        let wrong = || self.error(SliceRefusal::OtherFile);
        if !matches!(Input::named(&self.input)?, Input::Remote(_)) {
            let data = std::fs::metadata(&self.input);
            data.map_err(|source| Error::read(self.input.clone(), source))?;
        }
        let (_, extent) = input.file_extent()?.ok_or_else(wrong)?;
        if extent.end - extent.start != self.input_length {
            return Err(wrong());
        }
        let plain = self.end.filter(|_| self.rows.is_none());
        let checked = plain.map_or(extent, |end| self.begin..end);
        match edge_checksum(input, &self.input, checked)? == self.edge_checksum {
            true => Ok(()),
            false => Err(wrong()),
        }
    }

    /// Reads a file that is not compressed. An error if its text is not the one that was planned.
    fn check_text(&self, mapped: bool) -> Result<(), Error> {
        let Some(end) = self.end else { return Ok(()) };
        let inputs = [Input::named(&self.input)?];
        if self.rows.is_none() {
            let range = std::iter::once(self.begin..end);
            let text = file_checksum(&inputs[0], &self.input, range)?;
            return self.check_text_checksum(text);
        }
        let cutter = Cutter::new(&inputs, MAX_CHUNK as usize)
            .with_mapping(mapped)
            .with_ranges(vec![self.extent()])
            .with_checksums();
        let mut text = Hasher::new();
        for cut in cutter {
            let chunk = Chunk::of(cut.map_err(|error| error.error)?, &RowChoice::None)?;
            if let Some(hasher) = &chunk.hasher {
                text.combine(hasher);
            }
            chunk.check()?;
        }
        self.check_text_checksum(text.finalize())
    }

    fn check_text_checksum(&self, text: u32) -> Result<(), Error> {
        match text == self.text_checksum {
            true => Ok(()),
            false => Err(self.error(SliceRefusal::OtherText)),
        }
    }
}
