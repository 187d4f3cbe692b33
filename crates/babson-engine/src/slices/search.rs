//! The search of a slice.

use std::io::Write;

use babson_input::chunk::{Chunk, Cutter, chunk_size};
use babson_vm::run::GameFailure;
use babson_vm::{HostError, PipeFailure, Sharing};

use super::batch::StoredBatch;
use super::part_file::{PartFrame, PartHead, PartTotals, PartWriter};
use super::slice::Slice;
use crate::collect::{Fillers, slice_fillers};
use crate::drive::{BatchTaker, ChunkQueue, UnreadInput, last_wanted, many_threads, one_thread};
use crate::error::{Error, OrderReason, OutputRefusal};
use crate::formats::NonmatchingSink;
use crate::job::Job;
use crate::limits::{MAX_LONG_PIECE, MAX_READ_FILE};
use crate::merge::SearchProgress;
use crate::observer::{Observer, Silent, tell};
use crate::task::Settings;
use crate::worker::{ChunkResult, Plan, Worker};
use babson_vm::{Event, Progress};

/// Searches a slice and writes its result to `out`, to be read by
/// [`SliceResult::read`](crate::SliceResult::read). `note` is stored with it for whoever merges.
///
/// ```
/// use babson_engine::{Input, Job, Settings, Silent, SliceResult, Task, merge, plan, scan_slice};
/// use babson_lang::{Dialect, analyze};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("games.pgn");
/// # std::fs::write(&path, "[Event \"a\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(100)).unwrap();
/// let job = Job::new(&analyze("mate", Dialect::CQLI).unwrap().query).unwrap();
/// let settings = Settings::default();
/// let mut results = Vec::new();
/// // On other threads, processes or machines:
/// for slice in plan(&[Input::File(path)], 3, 1, true)? {
///     let mut bytes = Vec::new();
///     scan_slice(&slice, vec![job.clone()], &settings, "", &mut bytes)?;
///     let name = format!("slice {}", slice.index);
///     results.push(SliceResult::read(name, std::io::Cursor::new(bytes))?);
/// }
/// // In any order:
/// results.reverse();
/// let summary = merge(results, vec![Task::new(job)], &settings, &mut Silent)?;
/// assert_eq!((summary.games, summary.queries[0].matches), (100, 100));
/// # Ok::<(), babson_engine::Error>(())
/// ```
///
/// # Errors
/// The file is not the one of the plan, was changed since or cannot be read; the result cannot be
/// written; or a query needs the games in order and the plan has several slices. A change of a
/// compressed file is not found if all queries end before its end, for instance by a limit.
pub fn scan_slice(
    slice: &Slice,
    jobs: Vec<Job>,
    settings: &Settings,
    note: &str,
    out: impl Write,
) -> Result<(), Error> {
    Error::catch(|| {
        scan_observed(slice, jobs, settings, note, out, &mut OwnEvents(&mut Silent))?;
        Ok(())
    })
}

/// A receiver of the events of the search of a slice that are not in its part.
pub(super) trait SliceObserver {
    /// These games are finished, all together.
    ///
    /// # Errors
    /// An error ends the search.
    fn progress(&mut self, progress: &SearchProgress) -> Result<(), Error>;

    /// The system started only some of the threads that were wanted.
    ///
    /// # Errors
    /// An error ends the search.
    fn fewer_threads(&mut self, started: usize, wanted: usize) -> Result<(), Error>;
}

/// The observer of a scan as one of the search of a slice.
pub(super) struct OwnEvents<'o>(pub(super) &'o mut dyn Observer);

impl SliceObserver for OwnEvents<'_> {
    fn progress(&mut self, progress: &SearchProgress) -> Result<(), Error> {
        let mut sum = Progress::default();
        (sum.games, sum.bytes, sum.input_bytes) =
            (progress.games, progress.bytes, progress.input_bytes);
        sum.matches = progress.matches.iter().sum();
        tell(self.0, Event::Progress(sum), sum.games)
    }

    fn fewer_threads(&mut self, started: usize, wanted: usize) -> Result<(), Error> {
        tell(self.0, Event::FewerThreads { started, wanted }, 0)
    }
}

/// As [`scan_slice`], and tells an observer of events. Returns how many threads searched, and what
/// the part holds.
pub(super) fn scan_observed(
    slice: &Slice,
    jobs: Vec<Job>,
    settings: &Settings,
    note: &str,
    out: impl Write,
    observer: &mut dyn SliceObserver,
) -> Result<(usize, PartTotals), Error> {
    jobs.iter().try_for_each(Job::check)?;
    check_settings(settings)?;
    let in_order = jobs.iter().any(needs_order);
    if slice.count != 1 {
        jobs.iter().try_for_each(check_may_be_cut)?;
    }
    slice.check()?;
    let head = PartHead {
        slice: slice.clone(),
        in_order,
        fingerprint: fingerprint(&jobs, settings),
        note: note.to_owned(),
    };
    let names = slice.input_names().collect();
    let mut plan = Plan::of_slices(jobs, names, settings);
    if plan.jobs.iter().any(|job| job.wants_last_number) {
        plan.last_number = Some(slice.last_game);
    }
    let inputs = slice.inputs();
    let threads = settings.search_threads();
    let size = chunk_size(slice.length(), threads);
    let cutter = Cutter::new(&inputs, size)
        .with_long_texts(settings.rejects.is_some())
        .with_mapping(settings.mapped)
        .with_ranges(slice.extents())
        .with_checksums();
    let queue = ChunkQueue::starting_at(cutter, slice.start(), last_wanted(&plan)).for_plan(&plan);
    let fail = |source| Error::write(PART_NAME, source);
    let mut taker = PartTaker {
        out: PartWriter::new(out, head).map_err(fail)?,
        jobs: &plan.jobs,
        settings,
        progress: SearchProgress { matches: vec![0; plan.jobs.len()], ..Default::default() },
        observer,
        failed: vec![false; plan.jobs.len()],
        closed: vec![Vec::new(); plan.jobs.len()],
    };
    let mut worker = Worker::new(&plan, taker.fillers());
    let begun = worker.begin();
    for (failed, block) in taker.failed.iter_mut().zip(&begun) {
        *failed = block.error.is_some();
    }
    let threads = if in_order {
        taker.write(&PartFrame::Begin(begun))?;
        search_in_order(&queue, &mut worker, &mut taker, settings.dictionaries)?;
        1
    } else {
        // What the merge does when it begins is done again there.
        worker.tell(|job| !taker.failed[job]);
        let started = many_threads(&queue, &mut worker, &mut taker, threads)?;
        let closed = std::mem::take(&mut taker.closed);
        taker.write(&PartFrame::Closed(closed))?;
        started
    };
    slice.check_read(queue.read().as_deref(), settings.mapped)?;
    let SearchProgress { games, bytes, input_bytes, matches } = taker.progress;
    let totals = PartTotals { games, bytes, input_bytes, matches, failed: taker.failed };
    taker.out.finish(totals.clone()).map_err(fail)?;
    Ok((threads, totals))
}

/// Searches the games on this thread, and writes what the queries do at their end.
fn search_in_order<W: Write>(
    queue: &ChunkQueue<'_>,
    worker: &mut Worker<'_>,
    taker: &mut PartTaker<'_, '_, W>,
    dictionaries: bool,
) -> Result<(), Error> {
    one_thread(queue, worker, taker)?;
    let ended = worker.end();
    let closed = worker.close();
    let states = worker.final_states(dictionaries);
    taker.write(&PartFrame::Ended(ended, states))?;
    taker.write(&PartFrame::Closed(closed))
}

/// An error if an output needs games that parts do not hold, or a slice the games of others.
pub(super) fn check_settings(settings: &Settings) -> Result<(), Error> {
    if settings.unique {
        return Err(Error::SlicedUnique);
    }
    let refused = |output: &NonmatchingSink| Err(output.refusal(OutputRefusal::SlicedGames));
    settings.nonmatching.as_ref().map_or(Ok(()), refused)
}

/// The name of the output in messages.
const PART_NAME: &str = "the part of the slice";

/// An error if the games of a query must be run in order.
fn check_may_be_cut(job: &Job) -> Result<(), Error> {
    let reason = match job.program.sharing() {
        Sharing::Nothing => return Ok(()),
        Sharing::Joined if job.limit.is_none() => return Ok(()),
        Sharing::Joined => OrderReason::MatchLimit,
        Sharing::InOrder(why) => OrderReason::Games(why.clone()),
    };
    Err(Error::NeedsOrder { reason })
}

/// Whether a query can be searched only in a plan of one slice.
pub(super) fn needs_order(job: &Job) -> bool {
    check_may_be_cut(job).is_err()
}

/// A number that is equal for equal queries and settings: their results belong together.
pub(super) fn fingerprint(jobs: &[Job], settings: &Settings) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    let mut add = |text: String| {
        hasher.update(text.as_bytes());
        hasher.update(b"\0");
    };
    add(env!("CARGO_PKG_VERSION").to_owned());
    for job in jobs {
        add(job.program.explanation().typed);
        // The dialect decides what the reader does.
        add(format!("{:?}", job.program.needs()));
        let read = job.program.read_files().map(|file| (file, job.options.memory));
        let similar = job.program.submission().map(|(file, _)| (file, usize::MAX));
        for (file, limit) in read.chain(similar) {
            add(format!("{file} {}", content_mark(job, file, limit.min(MAX_READ_FILE))));
        }
        // The host does not belong to the query.
        let mut options = job.options.clone();
        options.host = std::sync::Arc::new(babson_vm::RefusingHost);
        add(format!("{options:?} {:?} {:?} {}", job.range, job.limit, job.sort));
        add(format!("{:?}", job.program.header()));
    }
    add(format!("{} {:?}", settings.skip_unknown_variants, settings.variants));
    let Settings { dictionaries, guard_stats, .. } = settings;
    add(format!("{} {dictionaries} {guard_stats}", settings.rejects.is_some()));
    hasher.finalize()
}

/// What the query sees of a file. Its host reads the file: another way could open what the query
/// must not open, or find something else.
fn content_mark(job: &Job, file: &str, limit: usize) -> String {
    match job.options.host.read_file(file, limit) {
        Ok(bytes) => format!("{:08x}", crc32fast::hash(&bytes)),
        Err(HostError::Refused) => "refused".to_owned(),
        Err(HostError::Failed(error)) => format!("{:?}", error.kind()),
        Err(error) => error.to_string(),
    }
}

/// Writes the batches of results to a part.
struct PartTaker<'o, 'p, W: Write> {
    out: PartWriter<W>,
    jobs: &'p [Job],
    settings: &'p Settings,
    progress: SearchProgress,
    observer: &'o mut dyn SliceObserver,
    /// Which jobs an error has ended.
    failed: Vec<bool>,
    closed: Vec<Vec<PipeFailure>>,
}

impl<W: Write> PartTaker<'_, '_, W> {
    fn write(&mut self, frame: &PartFrame) -> Result<(), Error> {
        self.out.write(frame).map_err(|source| Error::write(PART_NAME, source))
    }
}

impl<'p, W: Write> BatchTaker<'p> for PartTaker<'_, 'p, W> {
    fn fillers(&self) -> Fillers<'p> {
        slice_fillers(self.jobs, self.settings)
    }

    fn join(&mut self, _: &mut Worker<'_>, _: &Chunk, _: &mut ChunkResult) {}

    fn take(&mut self, result: ChunkResult) -> Result<(), Error> {
        for (index, job) in result.jobs.iter().enumerate() {
            let matches = &mut self.progress.matches[index];
            *matches += job.matches.len() as u64;
            let is_fatal = |failure: &GameFailure| failure.error.fatal;
            self.failed[index] |= job.log.errors.iter().any(is_fatal);
        }
        self.progress.games += result.games;
        self.progress.bytes += result.bytes;
        self.progress.input_bytes += result.input_bytes;
        let mut batch = StoredBatch::of(result);
        if let Some(long) = batch.others.long_text().take() {
            long.read(|text| {
                for piece in text.chunks(MAX_LONG_PIECE) {
                    self.write(&PartFrame::LongText(piece.to_vec()))?;
                }
                Ok::<(), Error>(())
            })?;
        }
        self.write(&PartFrame::Batch(Box::new(batch)))?;
        self.observer.progress(&self.progress)
    }

    /// A part holds all games of its slice or does not exist.
    fn take_broken(&mut self, input: UnreadInput) -> Result<(), Error> {
        Err(input.error)
    }

    fn take_closed(&mut self, closed: Vec<Vec<PipeFailure>>) {
        for (failures, closed) in self.closed.iter_mut().zip(closed) {
            failures.extend(closed);
        }
    }

    fn fewer_threads(&mut self, started: usize, wanted: usize) -> Result<(), Error> {
        self.observer.fewer_threads(started, wanted)
    }

    fn runs(&self, job: usize) -> bool {
        let has_all = self.jobs[job].limit.is_some_and(|limit| self.progress.matches[job] >= limit);
        !self.failed[job] && !has_all
    }

    fn is_done(&self) -> bool {
        !(0..self.jobs.len()).any(|job| self.runs(job))
    }
}
