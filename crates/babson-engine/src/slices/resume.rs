//! A scan that keeps the parts of finished slices, so that it can go on after an interruption.

use std::collections::HashSet;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use babson_input::Input;

use super::folder::{FolderInUse, KeptParts, NewFolders};
use super::merge::merge_each;
use super::part_file::{PartHead, PartTotals, SliceResult};
use super::plan::plan_observed;
use super::search::{
    OwnEvents, SliceObserver, check_settings, fingerprint, needs_order, scan_observed,
};
use super::slice::Slice;
use crate::destination::{Destination, PartDestination};
use crate::drive::BatchTaker as _;
use crate::error::Error;
use crate::job::Job;
use crate::limits::{MAX_RESUMED_SLICE, MIN_RESUMED_SLICE, MIN_RESUMED_SLICES};
use crate::merge::{Merger, SearchProgress};
use crate::observer::Observer;
use crate::output::{Output, Unpublished};
use crate::scan::own_files;
use crate::summary::Summary;
use crate::task::{Settings, Task};

/// Searches a slice as [`scan_slice`](crate::scan_slice) does and writes its part to an output. A
/// file appears under its name only when it is complete. The observer gets the progress and the
/// threads that did not start; the other events are in the part.
///
/// # Errors
/// As [`scan_slice`](crate::scan_slice); or the output cannot be written. A pipe whose reader goes
/// away ends the search with [`Error::ClosedPipe`].
pub fn scan_slice_to(
    slice: &Slice,
    jobs: Vec<Job>,
    settings: &Settings,
    note: &str,
    destination: &PartDestination,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let mut events = OwnEvents(observer);
    Error::catch(|| {
        scan_observed_to(slice, jobs, settings, note, destination, &mut events)?;
        Ok(())
    })
}

/// As [`scan_slice_to`]. Returns how many threads searched, and what the part holds.
fn scan_observed_to(
    slice: &Slice,
    jobs: Vec<Job>,
    settings: &Settings,
    note: &str,
    destination: &PartDestination,
    observer: &mut dyn SliceObserver,
) -> Result<(usize, PartTotals), Error> {
    let destination = Destination::from(destination);
    let tasks: Vec<Task> = jobs.iter().cloned().map(Task::new).collect();
    own_files(&slice.inputs(), &tasks, settings)?.claim_output(&destination)?;
    let mut output = PartOutput(Output::create_plain(&destination, &settings.ledger)?);
    let searched = scan_observed(slice, jobs, settings, note, &mut output, observer)?;
    output.0.finish()?;
    Ok(searched)
}

/// Tells the merge of the events of the slices that are searched.
struct MergerEvents<'e, 'm> {
    merger: &'e mut Merger<'m>,
    /// What the finished slices hold that are not merged.
    finished: &'e PartTotals,
    /// Whether the merger knows that not all threads started: it says so once.
    are_fewer: &'e mut bool,
}

impl SliceObserver for MergerEvents<'_, '_> {
    fn progress(&mut self, progress: &SearchProgress) -> Result<(), Error> {
        let mut sum = self.finished.clone();
        sum.add(progress.clone().into());
        let PartTotals { games, bytes, input_bytes, matches, failed: _ } = sum;
        self.merger.report_progress(&SearchProgress { games, bytes, input_bytes, matches })?;
        self.merger.check_observer(games)
    }

    fn fewer_threads(&mut self, started: usize, wanted: usize) -> Result<(), Error> {
        if !std::mem::replace(self.are_fewer, true) {
            self.merger.fewer_threads(started, wanted)?;
        }
        self.merger.check_observer(self.finished.games)
    }
}

/// The search of the slices that have no part.
struct ResumedSearch<'s> {
    settings: &'s Settings,
    jobs: Vec<Job>,
    /// The most threads that searched a slice. If all parts are there, this thread does all the
    /// work.
    threads: usize,
    /// Whether the merger knows that not all threads started.
    are_fewer: bool,
}

impl ResumedSearch<'_> {
    /// Searches the slices without a part, in their order, until the slices before have ended all
    /// jobs. Returns the indices of those that it searched.
    fn missing(
        &mut self,
        slices: &[Slice],
        head_of: &impl Fn(&Slice) -> PartHead,
        path_of: &impl Fn(&Slice) -> PathBuf,
        merger: &mut Merger<'_>,
    ) -> Result<HashSet<usize>, Error> {
        let mut searched = HashSet::new();
        let mut finished = PartTotals::default();
        for slice in slices {
            if self.jobs.iter().enumerate().all(|(index, job)| finished.ends(index, job.limit)) {
                break;
            }
            let path = path_of(slice);
            let totals = match SliceResult::totals(&path, &head_of(slice)) {
                Some(totals) => totals,
                None => {
                    searched.insert(slice.index);
                    self.slice(slice, &path, &finished, merger)?
                }
            };
            finished.add(totals);
        }
        Ok(searched)
    }

    /// Searches a slice and writes its part to a file. `finished` is what was searched before it
    /// and is not merged.
    fn slice(
        &mut self,
        slice: &Slice,
        path: &Path,
        finished: &PartTotals,
        merger: &mut Merger<'_>,
    ) -> Result<PartTotals, Error> {
        let part = PartDestination::File(path.to_owned());
        let are_fewer = &mut self.are_fewer;
        let mut events = MergerEvents { merger, finished, are_fewer };
        let jobs = self.jobs.clone();
        let (threads, totals) =
            scan_observed_to(slice, jobs, self.settings, "", &part, &mut events)?;
        self.threads = self.threads.max(threads);
        Ok(totals)
    }
}

/// An output as a writer. It fails if nobody reads it any more.
struct PartOutput(Output);

impl PartOutput {
    fn check_reader(&self) -> io::Result<()> {
        if self.0.is_closed() { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
    }
}

impl Write for PartOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(io::Error::other)?;
        self.check_reader()?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(io::Error::other)?;
        self.check_reader()
    }
}

/// The result of [`scan_resumed`]. The caller completes the outputs, perhaps together with others,
/// and removes the parts when that is done.
#[must_use = "the outputs are not complete yet"]
#[non_exhaustive]
pub struct ResumedScan {
    /// The result of the scan.
    pub summary: Summary,
    /// The outputs, to be completed.
    pub outputs: Unpublished,
    /// The parts of the slices, which are not needed when the outputs are complete.
    pub parts: KeptParts,
}

impl ResumedScan {
    /// Completes the outputs and removes the parts.
    ///
    /// # Errors
    /// An output cannot be completed. The parts stay then, so the scan can be run again.
    pub fn publish(self) -> Result<Summary, Error> {
        self.outputs.publish()?;
        self.parts.remove();
        Ok(self.summary)
    }
}

/// As [`scan_unpublished`](crate::scan_unpublished), slice by slice: the part of each finished
/// slice is kept in `folder`. If the scan is interrupted, the next one with the same queries and
/// inputs goes on where it ended. First all slices without a part are searched, then the parts are
/// merged: the events come and the outputs are written when all are there. The progress is the one
/// of the search. The scan ends with the slice in which all queries have ended, for instance by a
/// limit.
///
/// Parts that no scan can use any more, because their input was changed, are removed from the
/// folder, and so is what a scan that was killed has left there, unless another scan uses the
/// folder. The parts of this scan belong to the caller.
///
/// ```
/// use babson_engine::{Input, Job, Settings, Silent, Task, scan_resumed};
/// use babson_lang::{Dialect, analyze};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let (path, kept) = (folder.path().join("games.pgn"), folder.path().join("kept"));
/// # std::fs::write(&path, "[Event \"a\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(100)).unwrap();
/// let job = Job::new(&analyze("mate", Dialect::CQLI).unwrap().query).unwrap();
/// let (inputs, settings) = ([Input::File(path)], Settings::default());
/// let scan = scan_resumed(&inputs, vec![Task::new(job)], &settings, &kept, &mut Silent)?;
/// assert!(scan.parts.paths()[0].exists());
/// assert_eq!(scan.publish()?.queries[0].matches, 100);
/// assert!(!kept.exists());
/// # Ok::<(), babson_engine::Error>(())
/// ```
///
/// # Errors
/// As [`scan`](crate::scan); or an input is not a file, or the folder cannot be written.
pub fn scan_resumed(
    inputs: &[Input],
    tasks: Vec<Task>,
    settings: &Settings,
    folder: &Path,
    observer: &mut dyn Observer,
) -> Result<ResumedScan, Error> {
    Error::catch(|| resume_uncaught(inputs, tasks, settings, folder, observer))
}

/// How many slices a scan of this number of bytes has if it can be resumed.
fn resumed_slices(bytes: u64) -> u64 {
    let more = MIN_RESUMED_SLICES.min(bytes / MIN_RESUMED_SLICE);
    bytes.div_ceil(MAX_RESUMED_SLICE).max(more).max(1)
}

fn resume_uncaught(
    inputs: &[Input],
    tasks: Vec<Task>,
    settings: &Settings,
    folder: &Path,
    observer: &mut dyn Observer,
) -> Result<ResumedScan, Error> {
    tasks.iter().try_for_each(|task| task.job.check())?;
    check_settings(settings)?;
    own_files(inputs, &tasks, settings)?;
    let fail = |source: io::Error| {
        let is_other = source.kind() == ErrorKind::AlreadyExists;
        let source = if is_other { io::Error::other("it is not a folder") } else { source };
        Error::Write { path: folder.display().to_string(), source }
    };
    // Before all games are counted.
    let made = NewFolders::create(folder).map_err(fail)?;
    let scanned = resume_in(folder, inputs, tasks, settings, observer, fail);
    if scanned.is_err() {
        made.remove_empty();
    }
    scanned
}

/// Resumes a scan in a folder that exists. `fail` makes the error of the folder.
fn resume_in(
    folder: &Path,
    inputs: &[Input],
    tasks: Vec<Task>,
    settings: &Settings,
    observer: &mut dyn Observer,
    fail: impl FnOnce(io::Error) -> Error,
) -> Result<ResumedScan, Error> {
    let jobs: Vec<Job> = tasks.iter().map(|task| task.job.clone()).collect();
    let total: u64 = inputs.iter().filter_map(Input::size).sum();
    let in_order = jobs.iter().any(needs_order);
    let count = match in_order {
        true => 1,
        false => resumed_slices(total) as usize,
    };
    let slices = plan_observed(inputs, count, settings.threads, settings.mapped, observer)?;
    let plan_id = slices.first().map(|slice| slice.plan.as_str()).unwrap_or_default();
    let mark = fingerprint(&jobs, settings);
    let scan = format!("{plan_id}-{mark:08x}");
    let in_use = FolderInUse::enter(folder, &scan).map_err(fail)?;
    let head_of = |slice: &Slice| PartHead {
        slice: slice.clone(),
        in_order,
        fingerprint: mark,
        note: String::new(),
    };
    let path_of = |slice: &Slice| folder.join(format!("{scan}-{}.part", slice.index));
    let mut search = ResumedSearch { settings, jobs, threads: 1, are_fewer: false };
    let mut waiting = slices.iter();
    let mut searched = None;
    let next = |merger: &mut Merger<'_>| {
        // What is missing is searched before anything is merged. An interruption then loses at most
        // a slice, and the next scan repeats nothing but the merge.
        if searched.is_none() && !merger.is_done() {
            searched = Some(search.missing(&slices, &head_of, &path_of, merger)?);
        }
        let Some(slice) = waiting.next().filter(|_| !merger.is_done()) else {
            return Ok(None);
        };
        let path = path_of(slice);
        let is_new = searched.as_ref().is_some_and(|new| new.contains(&slice.index));
        // A part that is damaged is searched again, and so is one that only has the right name.
        let is_whole = is_new
            || SliceResult::open(&path)
                .is_ok_and(|result| result.head == head_of(slice) && result.check().is_ok());
        if !is_whole {
            search.slice(slice, &path, &PartTotals::default(), merger)?;
        }
        SliceResult::open(&path).map(Some)
    };
    let (mut summary, outputs) = merge_each(&slices, in_order, tasks, settings, observer, next)?;
    summary.threads = search.threads;
    let paths = slices.iter().map(path_of).collect();
    let parts = KeptParts::new(paths, scan, in_use);
    Ok(ResumedScan { summary, outputs, parts })
}
