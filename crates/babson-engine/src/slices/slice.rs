//! A piece of the inputs of a scan as plain data.

use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use babson_input::chunk::{Chunk, ChunkStart, Cutter, MAX_CHUNK, ReadRange, RowChoice};
use babson_input::{Archive, ArchiveMember, Input};
use crc32fast::Hasher;
use serde::{Deserialize, Serialize};

use super::checksum::{FieldHasher, edge_checksum, file_checksum};
use crate::error::Error;
use crate::limits::MAX_SLICE_NUMBER;
use crate::slice_error::SliceRefusal;

/// A piece of the inputs of a scan, which can be searched alone. It is plain data, for instance a
/// line of JSON. [`plan`](super::plan) makes slices. A slice that was edited is refused.
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
        fields.finalize()
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
    pub(super) fn offset(&self) -> u64 {
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
