//! The scan: the inputs are cut into chunks, the chunks are searched, the results are merged.

mod threads;

#[cfg(test)]
mod tests;

use babson_vm::Sharing;

use crate::chunk::{Chunk, Chunks};
use crate::error::Error;
use crate::identity::OwnFiles;
use crate::input::{Input, InputStamps};
use crate::job::{Job, Settings};
use crate::limits::{MAX_CHUNK, MIN_CHUNK};
use crate::merge::Merger;
use crate::output::{Output, Outputs};
use crate::report::{Observer, Summary};
use crate::worker::{Plan, Worker};
use threads::many_threads;

/// Runs all jobs on the games of all inputs, each game replayed once.
///
/// Games are numbered consecutively over all inputs. The events and every byte of the outputs are
/// the same for any number of threads.
///
/// # Errors
/// An input cannot be read, an output cannot be written, or a query needs something that the inputs
/// do not have. No output is created then. A pipe whose reader goes away is an error,
/// [`Error::ClosedPipe`], only if all remaining output would go to such pipes. A job that its own
/// query ended is not an error: see [`JobSummary::stopped`](crate::JobSummary::stopped).
pub fn scan(
    inputs: &[Input],
    jobs: &[Job],
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<Summary, Error> {
    let (summary, outputs) = scan_held(inputs, jobs, settings, observer)?;
    outputs.complete()?;
    Ok(summary)
}

/// As [`scan`], but returns the outputs for the caller to complete, perhaps together with others.
///
/// # Errors
/// As [`scan`].
pub fn scan_held(
    inputs: &[Input],
    jobs: &[Job],
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<(Summary, Outputs), Error> {
    let names = inputs.iter().map(Input::name).collect();
    let mut plan = Plan::new(jobs, names, settings.rejects.is_some());
    plan.skip_unknown_variants = settings.skip_unknown_variants;
    plan.variants.clone_from(&settings.variants);
    let mut counted = None;
    if jobs.iter().any(|job| job.wants_last_number) {
        counted = Some(InputStamps::of(inputs)?);
        plan.last_number = Some(count(inputs, settings.mapped)?);
    }
    let own_files = OwnFiles::new(inputs, jobs, settings)?;
    let rejects = match &settings.rejects {
        Some(destination) if !settings.split.dry_run => Some(Output::create(destination)?),
        _ => None,
    };
    let rejects_wanted = rejects.is_some();
    let mut merger = Merger::new(jobs, settings.split, own_files, rejects, observer)?;
    let threads = if jobs.iter().any(needs_one_thread) { 1 } else { settings.threads.max(1) };
    let total: u64 = inputs.iter().filter_map(Input::size).sum();
    let size = (total / (threads as u64 * 16)).clamp(MIN_CHUNK, MAX_CHUNK) as usize;
    let chunks =
        Chunks::new(inputs, size).with_long_texts(rejects_wanted).with_mapping(settings.mapped);
    // Games after all ranges are not read, except the first of them if the output is that of CQL
    // 6.2, which reads and counts it.
    let last_of = |job: &Job| {
        let last = job.range.map_or(u64::MAX, |range| range.1);
        last.saturating_add(u64::from(job.options.cql6_output))
    };
    let last_wanted = jobs.iter().map(last_of).max().unwrap_or(u64::MAX);
    let chunks = RangedChunks { chunks, last: last_wanted, done: false };
    let mut worker = Worker::new(&plan);
    merger.take_blocks(worker.begin())?;
    if threads == 1 {
        one_thread(chunks, &mut worker, &mut merger)?;
    } else {
        many_threads(chunks, &mut worker, &mut merger, threads)?;
    }
    if let Some(stamps) = counted {
        stamps.check()?;
    }
    merger.take_blocks(worker.end())?;
    merger.take_blocks(worker.close())?;
    let states = worker.final_states(settings.dictionaries);
    let (mut summary, outputs) = merger.finish()?;
    summary.threads = threads;
    for (job, state) in summary.jobs.iter_mut().zip(states) {
        job.persistents = state.persistents;
        job.dictionaries = state.dictionaries;
        job.profile = state.profile;
    }
    Ok((summary, outputs))
}

/// The number of games of the inputs. Plain files are mapped or read: see [`Settings::mapped`].
///
/// # Errors
/// An input cannot be read, or is standard input, which cannot be read twice.
pub fn count(inputs: &[Input], mapped: bool) -> Result<u64, Error> {
    if inputs.iter().any(|input| input.size().is_none()) {
        return Err(Error::Refused(
            "the query asks for lastgamenumber, so the games must be counted first, which a stream \
             does not allow: save it to a file"
                .to_owned(),
        ));
    }
    let mut games = 0;
    for chunk in Chunks::new(inputs, MAX_CHUNK as usize).with_mapping(mapped) {
        let chunk = chunk?;
        chunk.check()?;
        games += chunk.games() as u64;
    }
    Ok(games)
}

/// The chunks up to the last game that a job needs.
struct RangedChunks<'a> {
    chunks: Chunks<'a>,
    last: u64,
    done: bool,
}

impl Iterator for RangedChunks<'_> {
    type Item = Result<Chunk, Error>;

    fn next(&mut self) -> Option<Result<Chunk, Error>> {
        if self.done {
            return None;
        }
        let mut chunk = match self.chunks.next()? {
            Ok(chunk) => chunk,
            error => return Some(error),
        };
        let wanted = self.last.saturating_add(1).saturating_sub(chunk.first_game);
        if chunk.games() as u64 >= wanted {
            self.done = true;
            chunk.starts.truncate(wanted as usize + 1);
        }
        Some(Ok(chunk))
    }
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

fn one_thread(
    chunks: RangedChunks<'_>,
    worker: &mut Worker<'_>,
    merger: &mut Merger<'_>,
) -> Result<(), Error> {
    for chunk in chunks {
        let chunk = chunk?;
        let mut outcome = Ok(());
        worker.search(&chunk, |result| {
            outcome = chunk.check().and_then(|()| merger.take(result));
            outcome.is_ok() && !merger.is_done()
        });
        outcome?;
        if merger.is_done() {
            break;
        }
    }
    Ok(())
}
