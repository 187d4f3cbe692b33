//! Where the bytes of a database are.

use std::fmt::Debug;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use babson::table::{TableError, TableSource};
use bytes::Bytes;

use crate::limits::{BLOCK, KEPT_BLOCKS, READ_AHEAD};

/// Bytes that can be read anywhere: in memory, or a file of the user, which stays where it is.
pub trait ByteSource: Debug + Send + Sync {
    /// How many there are.
    fn length(&self) -> u64;

    /// The bytes of a range, which is within the [length](ByteSource::length).
    ///
    /// # Errors
    /// They cannot be read: a file was deleted, for instance.
    fn read_range(&self, range: Range<u64>) -> io::Result<Bytes>;

    /// Whether a range costs nothing.
    fn is_in_memory(&self) -> bool {
        false
    }
}

/// Bytes in memory, in blocks, so that what grows is not copied.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    /// All but the last one have the same length.
    blocks: Vec<Bytes>,
    length: u64,
}

impl Blocks {
    /// One block.
    pub(crate) fn of(bytes: Vec<u8>) -> Blocks {
        let length = bytes.len() as u64;
        Blocks { blocks: vec![bytes.into()], length }
    }

    /// Adds a block.
    fn push(&mut self, block: Vec<u8>) {
        self.length += block.len() as u64;
        self.blocks.push(block.into());
    }

    /// The length of the blocks.
    fn block(&self) -> u64 {
        self.blocks.first().map_or(1, |block| block.len() as u64).max(1)
    }
}

impl ByteSource for Blocks {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_range(&self, range: Range<u64>) -> io::Result<Bytes> {
        let place = |offset: u64| {
            let (block, at) = (offset / self.block(), offset % self.block());
            Some((usize::try_from(block).ok()?, usize::try_from(at).ok()?))
        };
        let beyond = || io::Error::from(io::ErrorKind::UnexpectedEof);
        let (first, start) = place(range.start).ok_or_else(beyond)?;
        let length =
            usize::try_from(range.end.saturating_sub(range.start)).map_err(|_| beyond())?;
        if length == 0 {
            return Ok(Bytes::new());
        }
        let block = self.blocks.get(first).ok_or_else(beyond)?;
        if let Some(end) = start.checked_add(length).filter(|end| *end <= block.len()) {
            return Ok(block.slice(start..end));
        }
        let mut bytes = Vec::with_capacity(length);
        bytes.extend_from_slice(block.get(start..).unwrap_or_default());
        for block in self.blocks.get(first + 1..).unwrap_or_default() {
            let rest = length - bytes.len();
            bytes.extend_from_slice(block.get(..rest).unwrap_or(block));
        }
        match bytes.len() == length {
            true => Ok(bytes.into()),
            false => Err(beyond()),
        }
    }

    fn is_in_memory(&self) -> bool {
        self.blocks.len() <= 1
    }
}

/// Bytes that are collected in blocks.
#[derive(Debug, Default)]
pub(crate) struct BlockWriter {
    done: Blocks,
    last: Vec<u8>,
}

impl BlockWriter {
    /// Adds what a reader gives in one piece, at most `most` bytes. Returns how many came.
    ///
    /// # Errors
    /// The reader fails, or there is no memory.
    pub(crate) fn read_from(&mut self, reader: &mut dyn Read, most: usize) -> io::Result<usize> {
        if self.last.len() == BLOCK {
            self.done.push(std::mem::take(&mut self.last));
        }
        if self.last.capacity() < BLOCK {
            let more = BLOCK - self.last.len();
            self.last.try_reserve_exact(more).map_err(|_| io::Error::other(NO_MEMORY))?;
        }
        let start = self.last.len();
        self.last.resize(start + most.min(BLOCK - start), 0);
        let read = reader.read(&mut self.last[start..]);
        self.last.truncate(start + read.as_ref().map_or(0, |read| *read));
        read
    }

    /// How many bytes there are.
    pub(crate) fn length(&self) -> u64 {
        self.done.length + self.last.len() as u64
    }

    /// The bytes.
    pub(crate) fn finish(mut self) -> Blocks {
        self.last.shrink_to_fit();
        self.done.push(self.last);
        self.done
    }
}

/// What is said where the browser gives no more memory.
pub(crate) const NO_MEMORY: &str = "the browser has no memory left for it";

/// A reader of the bytes of a source.
#[derive(Debug)]
pub(crate) struct SourceReader {
    source: Arc<dyn ByteSource>,
    at: u64,
}

impl SourceReader {
    pub(crate) fn new(source: Arc<dyn ByteSource>) -> SourceReader {
        SourceReader { source, at: 0 }
    }

    /// A reader from an offset on that reads ahead.
    pub(crate) fn buffered(source: Arc<dyn ByteSource>, at: u64) -> BufReader<SourceReader> {
        BufReader::with_capacity(READ_AHEAD, SourceReader { source, at })
    }
}

impl Read for SourceReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = self.source.length().saturating_sub(self.at);
        let length = rest.min(buffer.len() as u64);
        let bytes = self.source.read_range(self.at..self.at + length)?;
        let read = bytes.len().min(buffer.len());
        buffer[..read].copy_from_slice(&bytes[..read]);
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for SourceReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (from, by) = match to {
            SeekFrom::Start(offset) => (offset, 0),
            SeekFrom::End(by) => (self.source.length(), by),
            SeekFrom::Current(by) => (self.at, by),
        };
        let at = from.checked_add_signed(by);
        self.at = at.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        Ok(self.at)
    }
}

/// The bytes of a table. A search asks for many short ranges that are near each other, and each
/// read of a file takes its time, so they are read in blocks, and the last blocks are kept.
#[derive(Debug)]
pub(crate) struct TableBytes {
    source: Arc<dyn ByteSource>,
    /// The blocks that are kept with their numbers; the one that was used last is the last one.
    kept: Mutex<Vec<(u64, Bytes)>>,
}

impl TableBytes {
    pub(crate) fn new(source: Arc<dyn ByteSource>) -> TableBytes {
        TableBytes { source, kept: Mutex::default() }
    }

    /// The block of this number.
    fn block(&self, number: u64) -> io::Result<Bytes> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let block = match kept.iter().rposition(|(one, _)| *one == number) {
            Some(place) => kept.remove(place).1,
            None => {
                let start = number * READ_AHEAD as u64;
                let end = (start + READ_AHEAD as u64).min(self.source.length());
                self.source.read_range(start..end.max(start))?
            }
        };
        if kept.len() >= KEPT_BLOCKS {
            kept.remove(0);
        }
        kept.push((number, block.clone()));
        Ok(block)
    }

    fn read_range(&self, range: Range<u64>) -> io::Result<Bytes> {
        let length = range.end.saturating_sub(range.start);
        if self.source.is_in_memory() || length == 0 || length > READ_AHEAD as u64 {
            return self.source.read_range(range);
        }
        // It is in one block or in two.
        let size = READ_AHEAD as u64;
        let (first, last) = (range.start / size, (range.end - 1) / size);
        let part = |number: u64| {
            let block = self.block(number)?;
            let at = |offset: u64| offset.saturating_sub(number * size).min(block.len() as u64);
            let (start, end) = (at(range.start), at(range.end));
            Ok::<_, io::Error>(block.slice(start as usize..end as usize))
        };
        let bytes = match first == last {
            true => part(first)?,
            false => [part(first)?, part(last)?].concat().into(),
        };
        match bytes.len() as u64 == length {
            true => Ok(bytes),
            false => Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
        }
    }
}

impl TableSource for TableBytes {
    fn length(&self) -> u64 {
        self.source.length()
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, TableError> {
        let all: io::Result<Vec<Bytes>> =
            ranges.iter().map(|range| self.read_range(range.clone())).collect();
        all.map_err(|error| TableError::Read(error.to_string()))
    }

    fn is_in_memory(&self) -> bool {
        self.source.is_in_memory()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn blocks_are_read_as_one_text() {
        let mut blocks = Blocks::default();
        [b"abc", b"def"].into_iter().for_each(|block| blocks.push(block.to_vec()));
        blocks.push(b"g".to_vec());
        let text = b"abcdefg";
        for start in 0..=7 {
            for end in start..=7 {
                let read = blocks.read_range(start..end).unwrap();
                assert_eq!(read, text[start as usize..end as usize], "{start}..{end}");
            }
        }
        assert!(blocks.read_range(6..8).is_err() && blocks.read_range(9..10).is_err());
        let mut reader = SourceReader::buffered(Arc::new(blocks), 2);
        let mut read = String::new();
        reader.read_to_string(&mut read).unwrap();
        assert_eq!(read, "cdefg");
    }

    /// A source that counts its reads.
    #[derive(Debug)]
    struct Counted(Vec<u8>, AtomicUsize);

    impl ByteSource for Counted {
        fn length(&self) -> u64 {
            self.0.len() as u64
        }

        fn read_range(&self, range: Range<u64>) -> io::Result<Bytes> {
            self.1.fetch_add(1, Ordering::Relaxed);
            Ok(self.0[range.start as usize..range.end as usize].to_vec().into())
        }
    }

    #[test]
    fn ranges_of_a_table_are_read_in_blocks() {
        let text: Vec<u8> = (0..3 * READ_AHEAD + 77).map(|at| (at % 251) as u8).collect();
        let source = Arc::new(Counted(text.clone(), AtomicUsize::new(0)));
        let table = TableBytes::new(source.clone());
        let ends =
            [0, 1, 5, READ_AHEAD - 1, READ_AHEAD, READ_AHEAD + 1, 3 * READ_AHEAD, text.len()];
        for start in ends {
            for end in ends.into_iter().filter(|end| *end > start) {
                let range = start as u64..end as u64;
                let read = table.read_ranges(std::slice::from_ref(&range)).unwrap();
                assert!(read[0] == text[start..end], "{range:?}");
            }
        }
        // Each block once, and the ranges that are longer than a block.
        let reads = source.1.load(Ordering::Relaxed);
        assert!((4..20).contains(&reads), "{reads} reads");
        let beyond = text.len() as u64 - 1..text.len() as u64 + 1;
        assert!(table.read_ranges(&[beyond]).is_err());
    }

    #[test]
    fn what_is_written_is_read() {
        let text: Vec<u8> = (0..2 * BLOCK + 5).map(|at| (at % 251) as u8).collect();
        let (mut writer, mut rest) = (BlockWriter::default(), &text[..]);
        while writer.read_from(&mut rest, 100_000).unwrap() > 0 {}
        assert_eq!(writer.length(), text.len() as u64);
        let blocks = writer.finish();
        let around = BLOCK as u64 - 3..2 * BLOCK as u64 + 4;
        let expected = &text[BLOCK - 3..2 * BLOCK + 4];
        assert_eq!(blocks.read_range(around).unwrap(), expected);
    }
}
