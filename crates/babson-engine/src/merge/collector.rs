//! The merge as what collects the results of a search.

use babson_vm::PipeFailure;

use super::Merger;
use crate::chunk::Chunk;
use crate::collect::Fillers;
use crate::drive::{Collector, UnreadInput};
use crate::error::Error;
use crate::worker::{ChunkResult, Worker};

impl<'m> Collector<'m> for Merger<'m> {
    fn fillers(&self) -> Fillers<'m> {
        Merger::fillers(self)
    }

    fn join(&mut self, worker: &mut Worker<'_>, chunk: &Chunk, result: &mut ChunkResult) {
        worker.join(chunk, result, |job| Merger::runs(self, job));
    }

    fn take(&mut self, result: ChunkResult) -> Result<(), Error> {
        Merger::take(self, result)
    }

    fn take_broken(&mut self, input: UnreadInput) -> Result<(), Error> {
        Merger::take_broken(self, input);
        Ok(())
    }

    fn take_closed(&mut self, closed: Vec<Vec<PipeFailure>>) {
        Merger::take_closed(self, closed);
    }

    fn fewer_threads(&mut self, started: usize, wanted: usize) {
        Merger::fewer_threads(self, started, wanted);
    }

    fn runs(&self, job: usize) -> bool {
        Merger::runs(self, job)
    }

    fn is_done(&self) -> bool {
        Merger::is_done(self)
    }
}
