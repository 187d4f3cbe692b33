//! The driving of a search: threads take chunks from a queue, and one thread collects the results.

mod queue;
mod taker;
mod threads;

use babson_vm::run::last_read;

use crate::error::Error;
use crate::job::Job;
use crate::worker::{Plan, Worker};
pub(crate) use queue::{ChunkQueue, QueueItem, UnreadInput};
pub(crate) use taker::BatchTaker;
pub(crate) use threads::many_threads;

/// The number of the last game that a job needs. Games after it are not read.
pub(crate) fn last_wanted(plan: &Plan) -> u64 {
    let last_of = |job: &Job| last_read(job.range, &job.options);
    plan.jobs.iter().map(last_of).max().unwrap_or(u64::MAX)
}

/// Searches on this thread.
pub(crate) fn one_thread(
    queue: &ChunkQueue<'_>,
    worker: &mut Worker<'_>,
    taker: &mut dyn BatchTaker<'_>,
) -> Result<(), Error> {
    while !taker.is_done() {
        if let Some(stopped) = worker.stopped() {
            return Err(stopped.into());
        }
        let Some(item) = queue.take() else { break };
        let chunk = match item.map_err(|(_, error)| error)? {
            QueueItem::Chunk(chunk) => chunk,
            QueueItem::Broken(_, input) => {
                taker.take_broken(input)?;
                continue;
            }
        };
        let mut outcome = Ok(());
        worker.search(&chunk, |result| {
            outcome = chunk.check().map_err(Error::from).and_then(|()| taker.take(result));
            outcome.is_ok() && !taker.is_done()
        })?;
        outcome?;
        // A sink may have ended a query; the others go on.
        worker.tell(|job| taker.runs(job));
    }
    Ok(())
}
