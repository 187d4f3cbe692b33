//! The scan: a thread that cuts, threads that search, and this one, which merges.
//!
//! All channels are bounded: at most a few chunks a thread are under way, whatever the file's
//! size. Tokens see to it: a chunk is cut only when a token is free, and its token comes back when
//! its results are merged.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam::channel::{bounded, unbounded};

use babson_vm::Sharing;

use crate::chunk::{Chunk, Chunks};
use crate::error::Error;
use crate::identity::OwnFiles;
use crate::input::Input;
use crate::job::{Job, Settings};
use crate::merge::Merger;
use crate::output::{Destination, Output, Outputs};
use crate::report::{Observer, Summary};
use crate::worker::{Found, Plan, Worker};

/// Sizes of chunks: small ones share the end of the work better, large ones cost less to hand over.
/// The texts of matches wait in memory by the chunk, and JSON is fifteen times as long as PGN.
const LEAST_CHUNK: u64 = 64 << 10;
const GREATEST_CHUNK: u64 = 1 << 18;

/// Runs all jobs on the games of all inputs, each game replayed once.
///
/// Games are numbered on through the inputs. Everything the observer is told, and every byte of
/// the outputs, is the same for any number of threads.
///
/// # Errors
/// Inputs that cannot be read, outputs that cannot be written, and queries that the inputs cannot
/// serve: then no output is there. A pipe whose reader goes away is not an error as long as there
/// is something else to write; where all that is left would go to such pipes,
/// [`Error::ClosedPipe`]. A job that was ended by its own query is no error here: see
/// [`JobSummary::stopped`](crate::JobSummary::stopped).
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

/// [`scan`], but the outputs wait to be completed, perhaps together with others.
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
    if jobs.iter().any(|job| job.wants_last_number) {
        plan.last_number = Some(count(inputs)?);
    }
    let own = OwnFiles::new(inputs, jobs, settings)?;
    let rejects = match &settings.rejects {
        Some(path) if !settings.split.dry_run => {
            Some(Output::create(&Destination::File(path.clone()))?)
        }
        _ => None,
    };
    let rejects_wanted = rejects.is_some();
    let mut merger = Merger::new(jobs, settings.split, own, rejects, observer)?;
    let threads = if jobs.iter().any(needs_one_thread) { 1 } else { settings.threads.max(1) };
    let total: u64 = inputs.iter().filter_map(Input::size).sum();
    let size = (total / (threads as u64 * 16)).clamp(LEAST_CHUNK, GREATEST_CHUNK) as usize;
    let chunks = Chunks::new(inputs, size).with_long_texts(rejects_wanted);
    // Games after every range are not read, but for the first of them, which CQL 6.2 reads and
    // counts.
    let last_of = |job: &Job| {
        let last = job.range.map_or(u64::MAX, |range| range.1);
        last.saturating_add(u64::from(job.options.cql6_output))
    };
    let last_wanted = jobs.iter().map(last_of).max().unwrap_or(u64::MAX);
    let chunks = Wanted { chunks, last: last_wanted, done: false };
    let mut worker = Worker::new(&plan);
    merger.take_blocks(worker.begin())?;
    if threads == 1 {
        one_thread(chunks, &mut worker, &mut merger)?;
    } else {
        many_threads(chunks, &mut worker, &mut merger, threads)?;
    }
    merger.take_blocks(worker.end())?;
    merger.take_blocks(worker.close())?;
    let kept = worker.kept(settings.dictionaries);
    let (mut summary, outputs) = merger.finish()?;
    summary.threads = threads;
    for (job, kept) in summary.jobs.iter_mut().zip(kept) {
        job.persistents = kept.persistents;
        job.dictionaries = kept.dictionaries;
        job.profile = kept.profile;
    }
    Ok((summary, outputs))
}

/// The number of games of the inputs.
///
/// # Errors
/// As for reading; standard input cannot be read twice, so it is refused.
pub fn count(inputs: &[Input]) -> Result<u64, Error> {
    if inputs.iter().any(|input| input.size().is_none()) {
        return Err(Error::Refused(
            "the query asks for lastgamenumber, so the games must be counted first, which a stream \
             does not allow: save it to a file"
                .to_owned(),
        ));
    }
    let mut games = 0;
    for chunk in Chunks::new(inputs, GREATEST_CHUNK as usize) {
        games += chunk?.games() as u64;
    }
    Ok(games)
}

/// The chunks up to the last game that anybody asks for.
struct Wanted<'a> {
    chunks: Chunks<'a>,
    last: u64,
    done: bool,
}

impl Iterator for Wanted<'_> {
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

/// Whether the games must be run in their order: a game may look at what an earlier one left, or
/// what they leave depends on how many of them have matched.
fn needs_one_thread(job: &Job) -> bool {
    match job.program.sharing() {
        Sharing::Nothing => false,
        Sharing::Joined => job.limit.is_some(),
        Sharing::InOrder(_) => true,
    }
}

fn one_thread(
    chunks: Wanted<'_>,
    worker: &mut Worker<'_>,
    merger: &mut Merger<'_>,
) -> Result<(), Error> {
    for chunk in chunks {
        merger.take(worker.search(&chunk?))?;
        if merger.is_done() {
            break;
        }
    }
    Ok(())
}

/// Forks of the worker search the chunks; what their games leave behind is joined in it.
fn many_threads(
    mut chunks: Wanted<'_>,
    worker: &mut Worker<'_>,
    merger: &mut Merger<'_>,
    threads: usize,
) -> Result<(), Error> {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let tokens = 2 * threads + 2;
        let (token_back, token) = bounded::<()>(tokens);
        for _ in 0..tokens {
            // There is room: the channel is as long as there are tokens.
            let _ = token_back.try_send(());
        }
        let (task_in, task_out) = bounded::<Chunk>(tokens);
        let (found_in, found_out) = unbounded::<Result<Found, Error>>();
        let cutter_out = found_in.clone();
        let stopped = &stop;
        scope.spawn(move || {
            while token.recv().is_ok() && !stopped.load(Ordering::Relaxed) {
                match chunks.next() {
                    None => break,
                    Some(Ok(chunk)) => {
                        if task_in.send(chunk).is_err() {
                            break;
                        }
                    }
                    Some(Err(error)) => {
                        let _ = cutter_out.send(Err(error));
                        break;
                    }
                }
            }
        });
        let mut forks = Vec::new();
        for _ in 0..threads {
            let tasks = task_out.clone();
            let out = found_in.clone();
            let mut fork = worker.fork();
            let searching = scope.spawn(move || {
                for chunk in tasks {
                    if stopped.load(Ordering::Relaxed)
                        || out.send(Ok(fork.search_part(&chunk))).is_err()
                    {
                        break;
                    }
                }
                fork.close()
            });
            forks.push(searching);
        }
        drop((task_out, found_in));
        // The tokens bound how many results can wait here for an earlier one.
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        let mut outcome = Ok(());
        'merge: for found in found_out {
            match found {
                Ok(found) => waiting.insert(found.index, found),
                // What was cut before the error is still merged by the loop's end.
                Err(error) => {
                    outcome = Err(error);
                    continue;
                }
            };
            while let Some(mut found) = waiting.remove(&next) {
                next += 1;
                worker.join(&mut found, |job| merger.runs(job));
                if let Err(error) = merger.take(found) {
                    outcome = Err(error);
                    break 'merge;
                }
                worker.tell(|job| merger.runs(job));
                if merger.is_done() {
                    outcome = Ok(());
                    break 'merge;
                }
                let _ = token_back.send(());
            }
        }
        stop.store(true, Ordering::Relaxed);
        drop(token_back);
        for searching in forks {
            match searching.join() {
                Ok(closed) if outcome.is_ok() => outcome = merger.take_blocks(closed),
                Ok(_) => {}
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        outcome
    })
}
