//! Counting the bytes that are read of an input.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A reader that counts the bytes read.
pub(super) struct Counting {
    source: Box<dyn Read + Send>,
    taken: Arc<AtomicU64>,
}

impl Counting {
    pub(super) fn new(source: Box<dyn Read + Send>, taken: &Arc<AtomicU64>) -> Counting {
        Counting { source, taken: Arc::clone(taken) }
    }
}

impl Read for Counting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.taken.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
