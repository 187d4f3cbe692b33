//! The chunks of a scan, each taken by the thread that searches it.
//!
//! No thread does nothing but cut. A thread that wants work cuts the next chunk, which takes as
//! long as finding one boundary, and then finds the games of its chunk while others cut theirs.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::chunk::{Chunk, ChunkStart, Cutter, Numbering, ReadRange, RowChoice};
use crate::error::Error;
use crate::worker::Plan;

/// The chunks up to the last game that a job needs.
pub(crate) struct ChunkQueue<'a> {
    cutter: Mutex<Cutter<'a>>,
    numbering: Numbering,
    /// Number of the last game that a job needs.
    last: u64,
    /// The rows of tables that are read.
    choice: RowChoice<'a>,
    /// Whether all chunks with games that a job needs have been taken.
    ended: AtomicBool,
    /// Whether the inputs were read to their end.
    exhausted: AtomicBool,
}

/// Ends the waiting of the other threads if this one panics before it has numbered its chunk.
struct AbandonOnPanic<'n>(&'n Numbering);

impl Drop for AbandonOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abandon();
        }
    }
}

impl<'a> ChunkQueue<'a> {
    /// The chunks of all inputs.
    pub(crate) fn new(cutter: Cutter<'a>, last: u64) -> ChunkQueue<'a> {
        ChunkQueue::starting_at(cutter, ChunkStart::default(), last)
    }

    /// The chunks of a slice, whose first one begins at `start`.
    pub(crate) fn starting_at(cutter: Cutter<'a>, start: ChunkStart, last: u64) -> ChunkQueue<'a> {
        ChunkQueue {
            cutter: Mutex::new(cutter),
            numbering: Numbering::new(0, start),
            last,
            choice: RowChoice::None,
            ended: AtomicBool::new(false),
            exhausted: AtomicBool::new(false),
        }
    }

    /// The same chunks. Those of tables are read as far as the jobs of this plan need them.
    pub(crate) fn for_plan(mut self, plan: &'a Plan) -> ChunkQueue<'a> {
        self.choice = match plan.nonmatching {
            None => RowChoice::Jobs(&plan.jobs),
            Some(_) => RowChoice::AllForJobs(&plan.jobs),
        };
        self
    }

    /// The same chunks. Those of tables have all of their rows.
    #[cfg(feature = "table")]
    pub(crate) fn with_all_rows(mut self) -> ChunkQueue<'a> {
        self.choice = RowChoice::All;
        self
    }

    /// What was read of each input, if all were read to their end and the chunks have checksums.
    /// Inputs without games may be missing at the end.
    pub(crate) fn read(&self) -> Option<Vec<ReadRange>> {
        let is_whole =
            self.exhausted.load(Ordering::Relaxed) && !self.ended.load(Ordering::Relaxed);
        is_whole.then(|| self.numbering.read())
    }

    /// Takes the next chunk, or the error instead of it with the index that it would have had.
    pub(crate) fn take(&self) -> Option<Result<Chunk, (u64, Error)>> {
        if self.ended.load(Ordering::Relaxed) {
            return None;
        }
        let _guard = AbandonOnPanic(&self.numbering);
        // A poisoned lock means that another thread has panicked: the scan ends.
        let Some(cut) = self.cutter.lock().ok()?.next() else {
            self.exhausted.store(true, Ordering::Relaxed);
            return None;
        };
        let taken = match cut {
            Ok(cut) => {
                let index = cut.index;
                let mut chunk = match Chunk::of(cut, self.choice) {
                    Ok(chunk) => chunk,
                    Err(error) => {
                        // The chunks before it must still be numbered.
                        let games = self.numbering.games_before(index)?;
                        self.ended.store(true, Ordering::Relaxed);
                        return (games < self.last).then_some(Err((index, error)));
                    }
                };
                if !self.numbering.number(&mut chunk) {
                    return None;
                }
                let is_needed = chunk.start.game <= self.last;
                if chunk.end_at(self.last) {
                    self.ended.store(true, Ordering::Relaxed);
                }
                is_needed.then_some(Ok(chunk))
            }
            Err(error) => {
                let index = error.index;
                let games = self.numbering.games_before(index)?;
                self.ended.store(true, Ordering::Relaxed);
                (games < self.last).then(|| Err((index, error.after(games))))
            }
        };
        if taken.is_none() {
            self.ended.store(true, Ordering::Relaxed);
        }
        taken
    }
}
