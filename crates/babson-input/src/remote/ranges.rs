//! The ranges of a remote table: read in blocks, several at once, and kept up to a limit.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use babson_table::{TableError, TableSource};
use bytes::{Bytes, BytesMut};

use super::blocks::BlockCache;
use super::connection::Connection;
use super::failure::Failure;
use super::remote_file::{RemoteFile, WeakFile};
use crate::limits::{MAX_BLOCK, MAX_RANGE};

/// A remote table as the source of a [`Table`](babson_table::Table).
pub(crate) struct RemoteRanges {
    /// To be told if the file has changed. The file holds this value.
    file: WeakFile,
    connection: Result<Arc<Connection>, Failure>,
    contents: Result<super::remote_file::Contents, Failure>,
    length: u64,
    blocks: BlockCache,
}

impl RemoteRanges {
    pub(super) fn new(file: &RemoteFile, length: u64, limit: u64) -> RemoteRanges {
        RemoteRanges {
            file: file.weak(),
            connection: file.connection(),
            contents: file.contents(),
            length,
            blocks: BlockCache::new(limit),
        }
    }

    /// Reads blocks, those that follow each other in one request, several requests at once.
    fn fetch(&self, numbers: &[u64]) -> Result<Vec<Bytes>, Failure> {
        let connection = Arc::clone(self.connection.as_ref().map_err(Clone::clone)?);
        let version = self.contents.as_ref().map_err(Clone::clone)?.version.clone();
        let ranges = joined(numbers, self.length);
        let reading = Arc::clone(&connection);
        let parts = connection.run(async move {
            let read = |range: Range<u64>| {
                let (connection, version) = (Arc::clone(&reading), version.clone());
                let read = async move { connection.read(range, Some(&version)).await };
                tokio::spawn(read)
            };
            let tasks: Vec<_> = ranges.into_iter().map(read).collect();
            let mut parts = Vec::with_capacity(tasks.len());
            let mut failure = None;
            for task in tasks {
                match (task.await.map_err(|_| Failure::ended()), &failure) {
                    (_, Some(_)) => {}
                    (Ok(Ok((_, part))), None) => parts.push(part),
                    (Ok(Err(failed)) | Err(failed), None) => failure = Some(failed),
                }
            }
            failure.map_or(Ok(parts), Err)
        })??;
        let block = MAX_BLOCK as usize;
        let blocks = parts.iter().flat_map(|part| {
            (0..part.len()).step_by(block).map(|at| part.slice(at..part.len().min(at + block)))
        });
        // A block must not keep the whole answer in memory that it came in.
        let blocks: Vec<Bytes> = blocks.map(|block| Bytes::copy_from_slice(&block)).collect();
        if blocks.len() == numbers.len() { Ok(blocks) } else { Err(Failure::odd()) }
    }
}

/// The ranges of these blocks, which are in order: those that follow each other in one, up to a
/// limit.
fn joined(numbers: &[u64], length: u64) -> Vec<Range<u64>> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for number in numbers {
        let start = number * MAX_BLOCK;
        let end = (start + MAX_BLOCK).min(length);
        match ranges.last_mut() {
            Some(last) if last.end == start && end - last.start <= MAX_RANGE => last.end = end,
            Some(_) | None => ranges.push(start..end),
        }
    }
    ranges
}

impl TableSource for RemoteRanges {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, TableError> {
        if ranges.iter().any(|range| range.end > self.length) {
            let reason = "a part of the table is beyond the end of the file".to_owned();
            return Err(TableError::Read(reason));
        }
        let blocks_of = |range: &Range<u64>| range.start / MAX_BLOCK..range.end.div_ceil(MAX_BLOCK);
        let is_empty = |range: &&Range<u64>| range.start >= range.end;
        let numbers = ranges.iter().filter(|range| !is_empty(range)).flat_map(blocks_of).collect();
        let blocks = self.blocks.get(&numbers, |missing| self.fetch(missing));
        let blocks = blocks
            .map_err(|failure| TableError::Read(self.file.note(failure).message().to_owned()))?;
        let part = |number: u64, range: &Range<u64>| {
            let first = number * MAX_BLOCK;
            let block = blocks.get(&number).cloned().unwrap_or_default();
            let start = range.start.saturating_sub(first) as usize;
            let end = range.end.saturating_sub(first).min(block.len() as u64) as usize;
            block.slice(start.min(end)..end)
        };
        let parts = ranges.iter().map(|range| {
            if is_empty(&range) {
                return Bytes::new();
            }
            let numbers = blocks_of(range);
            if numbers.end - numbers.start == 1 {
                return part(numbers.start, range);
            }
            let mut bytes = BytesMut::with_capacity((range.end - range.start) as usize);
            numbers.for_each(|number| bytes.extend_from_slice(&part(number, range)));
            bytes.freeze()
        });
        Ok(parts.collect())
    }
}

impl fmt::Debug for RemoteRanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteRanges").field("length", &self.length).finish_non_exhaustive()
    }
}
