//! The blocks of a file that are kept, up to a limit, and that threads share.

use std::collections::{BTreeSet, HashMap};
use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::failure::Failure;

/// The blocks of a file that are known, by their numbers. A block that several threads need is read
/// once.
pub(super) struct BlockCache {
    /// The bytes that are kept.
    limit: u64,
    blocks: Mutex<Blocks>,
    /// Wakes threads that wait for blocks of other threads.
    arrived: Condvar,
}

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

/// Blocks that this thread reads. If it does not get them, even by a panic, they are missing again
/// when this value is dropped, and the threads that wait for them read them themselves.
struct ComingBlocks<'c> {
    cache: &'c BlockCache,
    numbers: Vec<u64>,
}

impl Drop for ComingBlocks<'_> {
    fn drop(&mut self) {
        let mut blocks = self.cache.lock();
        for number in &self.numbers {
            blocks.known.remove(number);
        }
        drop(blocks);
        self.cache.arrived.notify_all();
    }
}

impl BlockCache {
    pub(super) fn new(limit: u64) -> BlockCache {
        BlockCache { limit, blocks: Mutex::default(), arrived: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Blocks> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All of these blocks. `fetch` reads those that are not known, in the order of their numbers.
    ///
    /// # Errors
    /// The error of `fetch`.
    pub(super) fn get(
        &self,
        numbers: &BTreeSet<u64>,
        fetch: impl Fn(&[u64]) -> Result<Vec<Bytes>, Failure>,
    ) -> Result<HashMap<u64, Bytes>, Failure> {
        let mut found = HashMap::new();
        loop {
            let mut blocks = self.lock();
            let mut missing = Vec::new();
            let mut waits = false;
            for &number in numbers {
                if found.contains_key(&number) {
                    continue;
                }
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
            let mut coming = ComingBlocks { cache: self, numbers: missing };
            let fetched = fetch(&coming.numbers)?;
            let mut blocks = self.lock();
            for (number, bytes) in mem::take(&mut coming.numbers).into_iter().zip(fetched) {
                blocks.put(number, bytes.clone());
                found.insert(number, bytes);
            }
            blocks.shrink(self.limit);
            drop(blocks);
            // Wakes the threads that wait.
            drop(coming);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Barrier;

    use super::*;

    /// A thread that waits for blocks of another one reads them itself if the other one fails, by
    /// an error or by a panic.
    #[test]
    fn blocks_of_a_thread_that_fails_are_read_by_another_one() {
        let fail = || Err(Failure::ended());
        for outcome in [fail, || panic!("a bug")] {
            let (cache, begun) = (BlockCache::new(1 << 20), Barrier::new(2));
            let numbers = BTreeSet::from([1, 2]);
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    let fetch = |_: &[u64]| {
                        begun.wait();
                        // Long enough for the other thread to wait.
                        std::thread::sleep(std::time::Duration::from_millis(50));
                        outcome()
                    };
                    let got = catch_unwind(AssertUnwindSafe(|| cache.get(&numbers, fetch)));
                    assert!(!matches!(got, Ok(Ok(_))));
                });
                begun.wait();
                let fetch = |numbers: &[u64]| {
                    Ok(numbers.iter().map(|number| Bytes::from(vec![*number as u8])).collect())
                };
                let found = cache.get(&BTreeSet::from([1, 2, 3]), fetch).unwrap();
                assert_eq!(found.len(), 3);
                assert!(found.iter().all(|(number, bytes)| bytes[..] == [*number as u8]));
            });
            // Each block is counted once.
            assert_eq!(cache.lock().bytes, 3);
        }
    }
}
