//! The scan: the inputs are cut into chunks, the chunks are searched, the results are merged.

mod count;
mod events;
mod queue;
mod threads;

#[cfg(test)]
pub(crate) mod tests;

use babson_vm::{PipeFailure, Sharing};

use crate::chunk::{Chunk, Cutter};
use crate::error::Error;
use crate::identity::OwnFiles;
use crate::input::{Input, InputStamps};
use crate::job::{Job, Settings, Task};
use crate::limits::{MAX_CHUNK, MIN_CHUNK};
use crate::merge::Merger;
use crate::output::Outputs;
use crate::report::{Observer, Summary};
use crate::worker::{ChunkResult, Plan, Worker};
pub use count::count;
pub use events::RunningScan;
pub(crate) use queue::{ChunkQueue, QueueItem, UnreadInput};
pub(crate) use threads::many_threads;

/// Runs all jobs on the games of all inputs, each game replayed once.
///
/// Games are numbered consecutively over all inputs. The events and every byte of the outputs are
/// the same for any number of threads.
///
/// An input that is damaged or cannot be read does not end the scan: its games before the damage
/// are searched, [`Observer::broken_input`] tells of it, and the scan goes on with the next input.
/// [`Summary::broken_inputs`] lists such inputs.
///
/// # Errors
/// No game of any input can be read, an input has changed while it was read, an output cannot be
/// written, the system starts no thread, or a query needs something that the inputs do not have. No
/// output is created then. If a query needs the number of all games (`lastgamenumber`), each input
/// must be whole. A pipe whose reader goes away is an error, [`Error::ClosedPipe`], only if all
/// remaining output would go to such pipes. A panic, also of a sink or of the observer, is the
/// error [`Error::Panicked`]. A job that its own query ended is not an error: see
/// [`JobSummary::stopped`](crate::JobSummary::stopped).
pub fn scan(
    inputs: &[Input],
    tasks: Vec<Task>,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<Summary, Error> {
    let (summary, outputs) = scan_held(inputs, tasks, settings, observer)?;
    outputs.complete()?;
    Ok(summary)
}

/// As [`scan`], but returns the outputs for the caller to complete, perhaps together with others.
///
/// # Errors
/// As [`scan`].
pub fn scan_held(
    inputs: &[Input],
    tasks: Vec<Task>,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<(Summary, Outputs), Error> {
    Error::catch(|| scan_uncaught(inputs, tasks, settings, observer))
}

fn scan_uncaught(
    inputs: &[Input],
    tasks: Vec<Task>,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<(Summary, Outputs), Error> {
    tasks.iter().try_for_each(|task| task.job.check())?;
    let names = inputs.iter().map(Input::name).collect();
    let own_files = OwnFiles::new(inputs, &tasks, settings)?;
    let rows = observer.takes_matches();
    let (mut plan, sinks) = Plan::new(tasks, names, settings, rows);
    let mut counted = None;
    if plan.jobs.iter().any(|job| job.wants_last_number) {
        counted = Some(InputStamps::of(inputs)?);
        plan.last_number = Some(count(inputs, settings.threads, settings.mapped)?);
    }
    let rejects = own_files.create_rejects(settings)?;
    let rejects_wanted = rejects.is_some();
    let mut merger = Merger::new(&plan, sinks, settings.split, own_files, rejects, observer)?;
    let threads =
        if plan.jobs.iter().any(needs_one_thread) { 1 } else { settings.search_threads() };
    let cutter = Cutter::new(inputs, chunk_size(inputs, threads))
        .with_long_texts(rejects_wanted)
        .with_mapping(settings.mapped);
    let queue = ChunkQueue::new(cutter, last_wanted(&plan)).for_plan(&plan);
    let mut worker = Worker::new(&plan);
    merger.take_blocks(worker.begin())?;
    let threads = if threads == 1 {
        one_thread(&queue, &mut worker, &mut merger)?;
        1
    } else {
        many_threads(&queue, &mut worker, &mut merger, threads)?
    };
    merger.check_inputs(inputs.len())?;
    if let Some(stamps) = counted {
        stamps.check()?;
    }
    merger.take_blocks(worker.end())?;
    merger.take_closed(worker.close());
    let states = worker.final_states(settings.dictionaries);
    let (mut summary, outputs) = merger.finish()?;
    summary.threads = threads;
    summary.take_states(states);
    Ok((summary, outputs))
}

/// The bytes of a chunk of these inputs.
pub(crate) fn chunk_size(inputs: &[Input], threads: usize) -> usize {
    let total: u64 = inputs.iter().filter_map(Input::size).sum();
    (total / (threads as u64 * 16)).clamp(MIN_CHUNK, MAX_CHUNK) as usize
}

/// Whether the games must be run in order: a game may depend on persistent variables of an earlier
/// one, or on the number of earlier matches.
fn needs_one_thread(job: &Job) -> bool {
    match job.program.sharing() {
        Sharing::Nothing => false,
        Sharing::Joined => job.limit.is_some(),
        Sharing::InOrder(_) => true,
    }
}

/// The number of the last game that a job needs. Games after all ranges are not read, except the
/// first of them if the output is that of CQL 6.2, which reads and counts it.
pub(crate) fn last_wanted(plan: &Plan) -> u64 {
    let last_of = |job: &Job| {
        let last = job.range.map_or(u64::MAX, |range| range.1);
        last.saturating_add(u64::from(job.options.cql6_output))
    };
    plan.jobs.iter().map(last_of).max().unwrap_or(u64::MAX)
}

/// What takes the results of a search in game order: the merge, or the part of a slice.
pub(crate) trait Collector {
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
    fn fewer_threads(&mut self, started: usize, wanted: usize);

    /// Whether a job has not ended.
    fn runs(&self, job: usize) -> bool;

    /// Whether all jobs have ended.
    fn is_done(&self) -> bool;
}

impl Collector for Merger<'_> {
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

/// Searches on this thread.
pub(crate) fn one_thread(
    queue: &ChunkQueue<'_>,
    worker: &mut Worker<'_>,
    collector: &mut dyn Collector,
) -> Result<(), Error> {
    while !collector.is_done()
        && let Some(item) = queue.take()
    {
        let chunk = match item.map_err(|(_, error)| error)? {
            QueueItem::Chunk(chunk) => chunk,
            QueueItem::Broken(_, input) => {
                collector.take_broken(input)?;
                continue;
            }
        };
        let mut outcome = Ok(());
        worker.search(&chunk, |result| {
            outcome = chunk.check().and_then(|()| collector.take(result));
            outcome.is_ok() && !collector.is_done()
        });
        outcome?;
    }
    Ok(())
}
