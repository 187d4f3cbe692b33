//! The ranges of a remote table: read in blocks, several at once, and kept up to a limit.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use babson_table::{TableError, TableSource};
use bytes::{Bytes, BytesMut};

use super::connection::{Connection, ended};
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
    /// The bytes that are kept.
    limit: u64,
    blocks: Mutex<Blocks>,
    /// Wakes threads that wait for blocks of other threads.
    arrived: Condvar,
}

/// The blocks of a file that are known, by their numbers.
#[derive(Default)]
struct Blocks {
    known: HashMap<u64, Block>,
    /// Counts uses, to find the block that was not used for the longest time.
    uses: u64,
    /// The bytes of all blocks.
    bytes: u64,
}

enum Block {
    /// A thread is reading it.
    Coming,
    Here {
        bytes: Bytes,
        last_use: u64,
    },
}

impl Blocks {
    /// A block that is here.
    fn get(&mut self, number: u64) -> Option<Bytes> {
        self.uses += 1;
        match self.known.get_mut(&number)? {
            Block::Coming => None,
            Block::Here { bytes, last_use } => {
                *last_use = self.uses;
                Some(bytes.clone())
            }
        }
    }

    fn put(&mut self, number: u64, bytes: Bytes) {
        self.uses += 1;
        self.bytes += bytes.len() as u64;
        self.known.insert(number, Block::Here { bytes, last_use: self.uses });
    }

    /// Forgets blocks that were not used for the longest time, until the others fit.
    fn shrink(&mut self, limit: u64) {
        if self.bytes <= limit {
            return;
        }
        let here = self.known.iter().filter_map(|(number, block)| match block {
            Block::Coming => None,
            Block::Here { last_use, .. } => Some((*last_use, *number)),
        });
        let mut here: Vec<(u64, u64)> = here.collect();
        here.sort_unstable();
        // Some more than needed, since it looks at all blocks each time.
        let limit = limit - limit / 8;
        for (_, number) in here {
            if self.bytes <= limit {
                break;
            }
            if let Some(Block::Here { bytes, .. }) = self.known.remove(&number) {
                self.bytes -= bytes.len() as u64;
            }
        }
    }
}

impl RemoteRanges {
    pub(super) fn new(file: &RemoteFile, length: u64, limit: u64) -> RemoteRanges {
        RemoteRanges {
            file: file.weak(),
            connection: file.connection(),
            contents: file.contents(),
            length,
            limit,
            blocks: Mutex::default(),
            arrived: Condvar::new(),
        }
    }

    fn blocks(&self) -> MutexGuard<'_, Blocks> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
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
                match (task.await.map_err(|_| ended()), &failure) {
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

    /// All of these blocks, from memory or from the server.
    fn get(&self, numbers: &BTreeSet<u64>) -> Result<HashMap<u64, Bytes>, Failure> {
        let mut found = HashMap::new();
        loop {
            let mut blocks = self.blocks();
            let mut missing = Vec::new();
            let mut waits = false;
            for number in numbers
                .iter()
                .filter(|number| !found.contains_key(*number))
                .copied()
                .collect::<Vec<_>>()
            {
                match blocks.get(number) {
                    Some(block) => drop(found.insert(number, block)),
                    None if blocks.known.contains_key(&number) => waits = true,
                    None => missing.push(number),
                }
            }
            if missing.is_empty() {
                if !waits {
                    return Ok(found);
                }
                // Another thread reads the others. If it fails, they are missing then.
                drop(self.arrived.wait(blocks));
                continue;
            }
            for number in &missing {
                blocks.known.insert(*number, Block::Coming);
            }
            drop(blocks);
            let fetched = self.fetch(&missing);
            let mut blocks = self.blocks();
            for number in &missing {
                blocks.known.remove(number);
            }
            if let Ok(fetched) = &fetched {
                for (number, bytes) in missing.into_iter().zip(fetched) {
                    blocks.put(number, bytes.clone());
                    found.insert(number, bytes.clone());
                }
                blocks.shrink(self.limit);
            }
            drop(blocks);
            self.arrived.notify_all();
            fetched?;
        }
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
        let blocks = self.get(&numbers);
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
