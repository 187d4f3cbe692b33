//! The chunks of a scan, each taken by the thread that searches it.
//!
//! No thread does nothing but cut. A thread that wants work cuts the next chunk, which takes as
//! long as finding one boundary, and then finds the games of its chunk while others cut theirs.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use babson_input::chunk::{
    BrokenPlace, Chunk, ChunkStart, ChunkTurn, CutError, Cutter, Numbering, ReadRange, RowChoice,
};
use babson_vm::BrokenInput;

use crate::equal_games::EqualGames;
use crate::error::Error;
use crate::job::Job;
use crate::worker::Plan;

/// What comes from the queue.
pub(crate) enum QueueItem {
    Chunk(Chunk),
    /// An input that could not be read to its end, with the index that its next chunk would have
    /// had.
    Broken(u64, UnreadInput),
}

/// An input that could not be read to its end.
pub(crate) struct UnreadInput {
    pub(crate) report: BrokenInput,
    /// The same as an error, for a scan that ends with it.
    pub(crate) error: Error,
}

/// The chunks up to the last game that a job needs.
pub(crate) struct ChunkQueue<'a> {
    cutter: Mutex<Cutter<'a>>,
    numbering: Numbering,
    /// Number of the last game that a job needs.
    last: u64,
    /// The rows of tables that are read.
    choice: RowChoice<'a>,
    /// What finds the games that are equal to earlier ones, if these are left out.
    equal: Option<EqualGames>,
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
            equal: None,
            ended: AtomicBool::new(false),
            exhausted: AtomicBool::new(false),
        }
    }

    /// Makes the queue read from tables only the rows that this plan needs. If the plan leaves out
    /// equal games, the queue finds them.
    pub(crate) fn for_plan(mut self, plan: &'a Plan) -> ChunkQueue<'a> {
        let guards = plan.jobs.iter().map(Job::guard).collect();
        self.choice = match plan.reads_all() {
            false => {
                let (decides, writes) = (plan.deciding(), plan.writing());
                RowChoice::Guarded { guards, decides, writes }
            }
            true => RowChoice::AllGuarded(guards),
        };
        self.equal = plan.unique.then(|| EqualGames::new(&plan.ranges, plan.variants.clone()));
        self
    }

    /// Makes the queue read all rows of tables with all their columns.
    #[cfg(feature = "table")]
    pub(crate) fn with_stored_rows(mut self) -> ChunkQueue<'a> {
        self.choice = RowChoice::Stored;
        self
    }

    /// What was read of each input, if all were read to their end and the chunks have checksums.
    /// Inputs without games may be missing at the end.
    pub(crate) fn read(&self) -> Option<Vec<ReadRange>> {
        let is_whole =
            self.exhausted.load(Ordering::Relaxed) && !self.ended.load(Ordering::Relaxed);
        is_whole.then(|| self.numbering.read())
    }

    /// Takes the next chunk, or the report of an input that cannot be read on. An error ends the
    /// queue, and comes with the index that the chunk would have had.
    pub(crate) fn take(&self) -> Option<Result<QueueItem, (u64, Error)>> {
        while !self.ended.load(Ordering::Relaxed) {
            let _guard = AbandonOnPanic(&self.numbering);
            // A poisoned lock means that another thread has panicked: the scan ends.
            let Some(cut) = self.cutter.lock().ok()?.next() else {
                self.exhausted.store(true, Ordering::Relaxed);
                return None;
            };
            let taken = match cut.and_then(|cut| cut.read(&self.choice)) {
                Ok(chunk) => self.number(chunk),
                Err(error) => self.end_input(error),
            };
            match taken {
                Taken::Item(item) => return Some(item),
                Taken::LeftOut => {}
                Taken::End => self.ended.store(true, Ordering::Relaxed),
            }
        }
        None
    }

    /// Numbers a chunk.
    fn number(&self, mut chunk: Chunk) -> Taken {
        let hashes = self.equal.as_ref().map(|equal| equal.hashes(&chunk));
        let mark = |chunk: &mut Chunk| {
            if let Some((equal, hashes)) = self.equal.as_ref().zip(hashes) {
                equal.mark(chunk, &hashes);
            }
        };
        match self.numbering.number(&mut chunk, mark) {
            ChunkTurn::Numbered => {}
            ChunkTurn::LeftOut => return Taken::LeftOut,
            ChunkTurn::Abandoned => return Taken::End,
        }
        let is_needed = chunk.start.game <= self.last;
        if chunk.end_at(self.last) {
            self.ended.store(true, Ordering::Relaxed);
        }
        match is_needed {
            true => Taken::Item(Ok(QueueItem::Chunk(chunk))),
            false => Taken::End,
        }
    }

    /// Ends an input that cannot be read on, or the queue, if the error is not one of the input
    /// alone.
    fn end_input(&self, CutError { index, input, error }: CutError) -> Taken {
        // The chunks before it must still be numbered.
        let Some(BrokenPlace { index, input_games, games }) =
            self.numbering.end_input(index, input)
        else {
            return Taken::LeftOut;
        };
        if games >= self.last {
            return Taken::End;
        }
        let Some(mut report) = error.broken_input() else {
            self.ended.store(true, Ordering::Relaxed);
            return Taken::Item(Err((index, error.into())));
        };
        if let Ok(mut cutter) = self.cutter.lock() {
            cutter.leave(input);
        }
        report.games = input_games;
        report.last_game = (games > 0).then_some(games);
        let error = error.after(input_games).into();
        Taken::Item(Ok(QueueItem::Broken(index, UnreadInput { report, error })))
    }
}

/// What a thread has taken from the queue.
#[expect(clippy::large_enum_variant, reason = "a chunk is moved once")]
enum Taken {
    Item(Result<QueueItem, (u64, Error)>),
    /// A chunk of an input that could not be read on.
    LeftOut,
    /// Nothing, and there is nothing more.
    End,
}
