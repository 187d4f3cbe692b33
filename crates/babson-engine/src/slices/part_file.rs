//! The part of a slice, which is the file of its result: frames of data, each with its length and
//! its checksum.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use babson_vm::PipeFailure;
use serde::{Deserialize, Serialize};

use super::batch::StoredBatch;
use super::slice::Slice;
use crate::error::Error;
use crate::merge::SearchProgress;
use crate::slice_error::PartRefusal;
use crate::summary::FinalState;
use crate::worker::BlockResult;

/// The first bytes of a part. The number is the version of the format.
const MAGIC: &[u8] = b"babson part 13\n";

/// The first bytes of a part of any version.
pub(super) const MAGIC_WORDS: &[u8] = b"babson part ";

/// What a part is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PartHead {
    pub(super) slice: Slice,
    /// Whether the games were run in order, with what comes before and after them.
    pub(super) in_order: bool,
    /// Equal for equal queries and options.
    pub(super) fingerprint: u32,
    /// What the caller of the scan noted.
    pub(super) note: String,
}

/// A piece of a part.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum PartFrame {
    Head(PartHead),
    /// The results of `cqlbegin`, if the part is of the only slice.
    Begin(Vec<BlockResult>),
    /// A piece of the text of a long game, which the next batch rejects.
    LongText(Vec<u8>),
    Batch(Box<StoredBatch>),
    /// The errors of the programs of `commandpipe`, found when they were closed, for each job.
    Closed(Vec<Vec<PipeFailure>>),
    /// The results of `cqlend` and the final states, if the part is of the only slice.
    Ended(Vec<BlockResult>, Vec<FinalState>),
    /// The end of a complete part. The length of this frame follows it, so that it can be read
    /// alone.
    Complete(PartTotals),
}

/// What a part holds, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PartTotals {
    pub(super) games: u64,
    /// Of the text of the games, and of the inputs.
    pub(super) bytes: u64,
    pub(super) input_bytes: u64,
    /// The matches of each job.
    pub(super) matches: Vec<u64>,
    /// Whether an error ended each job.
    pub(super) failed: Vec<bool>,
}

impl PartTotals {
    /// Adds what another part holds.
    pub(super) fn add(&mut self, other: PartTotals) {
        self.games += other.games;
        self.bytes += other.bytes;
        self.input_bytes += other.input_bytes;
        let jobs = self.matches.len().max(other.matches.len());
        self.matches.resize(jobs, 0);
        self.failed.resize(jobs, false);
        for (sum, matches) in self.matches.iter_mut().zip(other.matches) {
            *sum += matches;
        }
        for (any, failed) in self.failed.iter_mut().zip(other.failed) {
            *any |= failed;
        }
    }

    /// Whether a job with this limit needs no games after these.
    pub(super) fn ends(&self, job: usize, limit: Option<u64>) -> bool {
        let matches = self.matches.get(job).copied().unwrap_or_default();
        self.failed.get(job).is_some_and(|failed| *failed)
            || limit.is_some_and(|limit| matches >= limit)
    }
}

impl From<SearchProgress> for PartTotals {
    fn from(progress: SearchProgress) -> PartTotals {
        let SearchProgress { games, bytes, input_bytes, matches } = progress;
        PartTotals { games, bytes, input_bytes, failed: vec![false; matches.len()], matches }
    }
}

/// Writes a part.
pub(super) struct PartWriter<W> {
    out: W,
}

impl<W: Write> PartWriter<W> {
    pub(super) fn new(mut out: W, head: PartHead) -> io::Result<PartWriter<W>> {
        out.write_all(MAGIC)?;
        let mut writer = PartWriter { out };
        writer.write(&PartFrame::Head(head))?;
        Ok(writer)
    }

    pub(super) fn write(&mut self, frame: &PartFrame) -> io::Result<()> {
        let payload = postcard::to_stdvec(frame).map_err(io::Error::other)?;
        self.write_payload(&payload)
    }

    /// Writes the bytes of a frame.
    pub(super) fn write_payload(&mut self, payload: &[u8]) -> io::Result<()> {
        let length = u32::try_from(payload.len()).map_err(io::Error::other)?.to_le_bytes();
        self.out.write_all(&length)?;
        self.out.write_all(&checksum(length, payload).to_le_bytes())?;
        self.out.write_all(payload)
    }

    pub(super) fn finish(mut self, totals: PartTotals) -> io::Result<()> {
        let frame = PartFrame::Complete(totals);
        let payload = postcard::to_stdvec(&frame).map_err(io::Error::other)?;
        self.write_payload(&payload)?;
        let length = u32::try_from(payload.len()).map_err(io::Error::other)?;
        self.out.write_all(&length.to_le_bytes())?;
        self.out.flush()
    }
}

/// The bytes of a part with the checksums of what its frames hold, as somebody may give them to a
/// damaged part.
#[cfg(test)]
pub(super) fn mended(part: &[u8]) -> Vec<u8> {
    let mut bytes = part.to_vec();
    let mut at = MAGIC.len();
    while let Some(&length) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let start = at + FRAME_HEAD as usize;
        let end = start + u32::from_le_bytes(length) as usize;
        let Some(payload) = bytes.get(start..end) else { break };
        let sum = checksum(length, payload).to_le_bytes();
        bytes[at + 4..start].copy_from_slice(&sum);
        at = end;
    }
    bytes
}

fn checksum(length: [u8; 4], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&length);
    hasher.update(payload);
    hasher.finalize()
}

/// Where the bytes of a part are.
enum PartSource {
    /// In a file that is closed until its turn comes: there may be more parts than a process may
    /// have open files.
    File(PathBuf),
    /// In a reader that is after the head.
    Reader(Box<dyn Read + Send>),
}

/// The result of a slice, which [`scan_slice`](crate::scan_slice) wrote.
pub struct SliceResult {
    name: String,
    source: PartSource,
    pub(super) head: PartHead,
}

impl SliceResult {
    /// Opens a part.
    ///
    /// # Errors
    /// It cannot be read, is not a part, or is damaged at its start. Damage after that is found
    /// when the results are merged.
    pub fn open(path: impl AsRef<Path>) -> Result<SliceResult, Error> {
        let path = path.as_ref();
        let opened = SliceResult::open_file(path)?;
        Ok(SliceResult { source: PartSource::File(path.to_owned()), ..opened })
    }

    fn open_file(path: &Path) -> Result<SliceResult, Error> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|source| Error::read(name.clone(), source))?;
        SliceResult::read(name, BufReader::with_capacity(1 << 16, file))
    }

    /// The result with its file open.
    pub(super) fn reopened(self) -> Result<SliceResult, Error> {
        match &self.source {
            PartSource::Reader(_) => Ok(self),
            PartSource::File(path) => {
                let opened = SliceResult::open_file(path)?;
                if opened.head == self.head { Ok(opened) } else { Err(self.damaged()) }
            }
        }
    }

    /// Reads a result from any reader, which has this name in messages.
    ///
    /// # Errors
    /// As [`SliceResult::open`].
    pub fn read(
        name: impl Into<String>,
        input: impl Read + Send + 'static,
    ) -> Result<SliceResult, Error> {
        let (name, mut input) = (name.into(), Box::new(input));
        let mut magic = Vec::new();
        let limit = MAGIC.len() as u64;
        let read = input.by_ref().take(limit).read_to_end(&mut magic);
        read.map_err(|source| Error::read(name.clone(), source))?;
        if magic != MAGIC {
            let reason = match magic.starts_with(MAGIC_WORDS) {
                true => PartRefusal::OtherVersion,
                false => PartRefusal::NotAPart,
            };
            return Err(Error::SliceResult { name, reason });
        }
        match next_frame(&name, &mut input)?.0 {
            PartFrame::Head(head) => {
                Ok(SliceResult { name, source: PartSource::Reader(input), head })
            }
            PartFrame::Begin(_)
            | PartFrame::LongText(_)
            | PartFrame::Batch(_)
            | PartFrame::Closed(_)
            | PartFrame::Ended(..)
            | PartFrame::Complete(_) => Err(damaged(&name)),
        }
    }

    /// The name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The slice that was searched.
    pub fn slice(&self) -> &Slice {
        &self.head.slice
    }

    /// What the caller of [`scan_slice`](crate::scan_slice) noted.
    pub fn note(&self) -> &str {
        &self.head.note
    }

    /// Reads the result to its end.
    ///
    /// # Errors
    /// It is damaged or cannot be read.
    pub(super) fn check(self) -> Result<(), Error> {
        let mut result = self.reopened()?;
        loop {
            if let PartFrame::Complete(_) = result.next()? {
                return Ok(());
            }
        }
    }

    /// The totals of a complete part with this head, from the two ends of its file. `None` if the
    /// file is not such a part. Damage between the ends is not found.
    pub(super) fn totals(path: &Path, head: &PartHead) -> Option<PartTotals> {
        let result = SliceResult::open_file(path).ok().filter(|result| result.head == *head)?;
        let mut file = File::open(path).ok()?;
        let mut length = [0; 4];
        file.seek(SeekFrom::End(-4)).ok()?;
        file.read_exact(&mut length).ok()?;
        let before = i64::from(u32::from_le_bytes(length)) + FRAME_HEAD + 4;
        file.seek(SeekFrom::End(-before)).ok()?;
        match next_frame(&result.name, &mut file).ok()? {
            (PartFrame::Complete(totals), read) if read == length => Some(totals),
            _ => None,
        }
    }

    /// The next frame; the last is [`PartFrame::Complete`], after which nothing may follow.
    pub(super) fn next(&mut self) -> Result<PartFrame, Error> {
        let PartSource::Reader(input) = &mut self.source else {
            return Err(damaged(&self.name));
        };
        let (frame, length) = next_frame(&self.name, input)?;
        if let PartFrame::Complete(_) = frame {
            check_end(&self.name, length, input)?;
        }
        Ok(frame)
    }

    /// The error of a part whose frames are not in order.
    pub(super) fn damaged(&self) -> Error {
        damaged(&self.name)
    }
}

fn damaged(name: &str) -> Error {
    Error::SliceResult { name: name.to_owned(), reason: PartRefusal::Damaged }
}

/// An error if the length of the last frame does not follow it, or more bytes. Of two parts in one
/// file, for instance, the second would be lost.
fn check_end(name: &str, length: [u8; 4], input: &mut dyn Read) -> Result<(), Error> {
    let mut more = Vec::new();
    let read = input.take(length.len() as u64 + 1).read_to_end(&mut more);
    read.map_err(|source| Error::read(name, source))?;
    match more.strip_prefix(&length) {
        Some([]) => Ok(()),
        None => Err(damaged(name)),
        Some(_) => {
            Err(Error::SliceResult { name: name.to_owned(), reason: PartRefusal::BytesAfterEnd })
        }
    }
}

/// Bytes before the payload of a frame: its length and its checksum.
const FRAME_HEAD: i64 = 8;

/// The next frame, and the length of its payload as it is written.
fn next_frame(name: &str, input: &mut dyn Read) -> Result<(PartFrame, [u8; 4]), Error> {
    let fail = |source: io::Error| {
        if source.kind() == io::ErrorKind::UnexpectedEof {
            return damaged(name);
        }
        Error::read(name, source)
    };
    let (mut length, mut expected) = ([0; 4], [0; 4]);
    input.read_exact(&mut length).map_err(fail)?;
    input.read_exact(&mut expected).map_err(fail)?;
    let mut payload = Vec::new();
    // The length may be damaged: no memory is reserved for it.
    input.take(u64::from(u32::from_le_bytes(length))).read_to_end(&mut payload).map_err(fail)?;
    if checksum(length, &payload) != u32::from_le_bytes(expected) {
        return Err(damaged(name));
    }
    // Bytes after the frame are damage, too.
    match postcard::take_from_bytes(&payload) {
        Ok((frame, [])) => Ok((frame, length)),
        Ok(_) | Err(_) => Err(damaged(name)),
    }
}
