//! What takes the results of a search.

use babson_input::chunk::Chunk;
use babson_vm::PipeFailure;

use super::UnreadInput;
use crate::collect::Fillers;
use crate::error::Error;
use crate::worker::{ChunkResult, Worker};

/// What takes the results of a search in game order: the merge, or the part of a slice.
pub(crate) trait BatchTaker<'p> {
    /// What gathers the results of the collectors on another thread.
    fn fillers(&self) -> Fillers<'p>;

    /// Joins what the games of the next batch changed in persistent state into `worker`.
    fn join(&mut self, worker: &mut Worker<'_>, chunk: &Chunk, result: &mut ChunkResult);

    /// Takes the next batch.
    fn take(&mut self, result: ChunkResult) -> Result<(), Error>;

    /// Takes an input that could not be read to its end.
    ///
    /// # Errors
    /// It is to end the search.
    fn take_broken(&mut self, input: UnreadInput) -> Result<(), Error>;

    /// Takes the errors of programs that a thread has asked, for each job.
    fn take_closed(&mut self, closed: Vec<Vec<PipeFailure>>);

    /// The system started only some of the threads that were wanted.
    ///
    /// # Errors
    /// It is to end the search.
    fn fewer_threads(&mut self, started: usize, wanted: usize) -> Result<(), Error>;

    /// Whether a job has not ended.
    fn runs(&self, job: usize) -> bool;

    /// Whether all jobs have ended.
    fn is_done(&self) -> bool;
}
