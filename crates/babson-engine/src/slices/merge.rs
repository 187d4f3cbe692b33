//! The merge of the results of slices.

use std::collections::{BTreeMap, BTreeSet};

use babson_input::Input;
use babson_input::chunk::LongFile;

use super::batch::StoredBatch;
use super::part_file::{PartFrame, SliceResult};
use super::search::{check_settings, fingerprint};
use super::slice::Slice;
use crate::drive::BatchTaker as _;
use crate::error::Error;
use crate::job::Job;
use crate::merge::Merger;
use crate::observer::Observer;
use crate::output::Unpublished;
use crate::scan::own_files;
use crate::slice_error::{PartRefusal, number_list};
use crate::summary::{FinalState, Summary};
use crate::task::{Settings, Task};
use crate::worker::{Plan, Worker};

/// Merges the results of all slices of a plan, in any order. Outputs, messages, damage and summary
/// are the same as in one scan over everything, except the number of threads.
///
/// The tasks and settings must be those with which the slices were searched, except the sinks and
/// what concerns only them. A query that reads files (`readfile`, `similarposition`) is the same
/// query only if its [host](babson_vm::RunOptions::host) reads the same contents here as in the
/// search of the slices: a host that refuses a file does not.
///
/// # Errors
/// A result is missing, doubled, damaged, or of another plan or query: [`Error::SliceResult`] names
/// it. As [`scan`](crate::scan) otherwise. No output is created then.
pub fn merge(
    results: Vec<SliceResult>,
    tasks: Vec<Task>,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<Summary, Error> {
    let (summary, outputs) = merge_unpublished(results, tasks, settings, observer)?;
    outputs.publish()?;
    Ok(summary)
}

/// As [`merge`], but returns the outputs for the caller to publish.
///
/// # Errors
/// As [`merge`].
pub fn merge_unpublished(
    results: Vec<SliceResult>,
    tasks: Vec<Task>,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<(Summary, Unpublished), Error> {
    Error::catch(|| merge_uncaught(results, tasks, settings, observer))
}

fn merge_uncaught(
    results: Vec<SliceResult>,
    tasks: Vec<Task>,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<(Summary, Unpublished), Error> {
    let jobs: Vec<Job> = tasks.iter().map(|task| task.job.clone()).collect();
    let results = ordered(results, fingerprint(&jobs, settings))?;
    let slices: Vec<Slice> = results.iter().map(|result| result.slice().clone()).collect();
    let in_order = results.iter().any(|result| result.head.in_order);
    let mut results = results.into_iter();
    let next = |_: &mut Merger<'_>| Ok(results.next());
    let (mut summary, outputs) = merge_each(&slices, in_order, tasks, settings, observer, next)?;
    summary.threads = 1;
    Ok((summary, outputs))
}

/// Merges the results of these slices as `next` gives them, in the order of the slices. It may end
/// before the last one if all jobs have ended. `in_order` tells whether the queries need the games
/// in order.
pub(super) fn merge_each(
    slices: &[Slice],
    in_order: bool,
    tasks: Vec<Task>,
    settings: &Settings,
    observer: &mut dyn Observer,
    mut next: impl FnMut(&mut Merger<'_>) -> Result<Option<SliceResult>, Error>,
) -> Result<(Summary, Unpublished), Error> {
    tasks.iter().try_for_each(|task| task.job.check())?;
    check_settings(settings)?;
    let inputs: Vec<String> = slices.iter().flat_map(Slice::input_names).collect();
    let files: BTreeSet<&String> = inputs.iter().collect();
    let files: Vec<Input> = files.into_iter().map(|name| Input::File(name.into())).collect();
    let own_files = own_files(&files, &tasks, settings)?;
    let rows = observer.takes_matches();
    let (mut plan, sinks) = Plan::new(tasks, inputs, settings, rows);
    if plan.jobs.iter().any(|job| job.wants_last_number) {
        plan.last_number = slices.first().map(|slice| slice.last_game);
    }
    let mut merger = Merger::new(&plan, sinks, settings, own_files, observer, None)?;
    let mut worker = Worker::new(&plan, merger.fillers());
    if !in_order {
        merger.take_blocks(worker.begin())?;
    }
    let mut states = None;
    let (mut first_input, mut bytes) = (0, [0; 2]);
    while let Some(result) = next(&mut merger)? {
        let inputs = result.slice().ranges.len();
        let (merger, worker, bytes) = (&mut merger, &mut worker, &mut bytes);
        let mut merging = Merging { merger, worker, first_input, bytes };
        let ended = merging.take(result)?;
        states = states.or(ended);
        first_input += inputs;
    }
    if !in_order {
        merger.take_blocks(worker.end())?;
        merger.take_closed(worker.close());
    }
    let states = states.unwrap_or_else(|| worker.final_states(settings.dictionaries));
    let (mut summary, outputs) = merger.finish()?;
    summary.take_states(states);
    Ok((summary, outputs))
}

/// The results in the order of their slices, if they are all of one plan.
fn ordered(results: Vec<SliceResult>, fingerprint: u32) -> Result<Vec<SliceResult>, Error> {
    let Some(count) = results.first().map(|first| first.slice().count) else {
        return Err(Error::NoParts);
    };
    let refuse =
        |odd: &SliceResult, reason| Err(Error::SliceResult { name: odd.name().to_owned(), reason });
    let plan = |result: &SliceResult| (result.slice().plan.clone(), result.slice().count);
    if let Some((odd, usual)) = odd_one(&results, plan) {
        return refuse(odd, PartRefusal::OtherPlan { usual: usual.name().to_owned() });
    }
    if let Some((odd, usual)) = odd_one(&results, |result| result.head.fingerprint) {
        let usual = Some(usual.name().to_owned());
        return refuse(odd, PartRefusal::OtherQuery { usual });
    }
    let mut ordered: BTreeMap<usize, SliceResult> = BTreeMap::new();
    for result in results {
        let slice = result.slice().index;
        if slice >= count {
            return refuse(&result, PartRefusal::NotInPlan);
        }
        if result.head.fingerprint != fingerprint {
            return refuse(&result, PartRefusal::OtherQuery { usual: None });
        }
        if let Some(other) = ordered.get(&slice) {
            let other = other.name().to_owned();
            return refuse(&result, PartRefusal::SameSlice { slice, other });
        }
        ordered.insert(slice, result);
    }
    let slices = missing(ordered.keys().copied(), count);
    if let Some((first, last)) = slices.first() {
        let word = if slices.len() == 1 && first == last { "slice" } else { "slices" };
        let name = format!("{word} {}", number_list(&slices, 0));
        return Err(Error::SliceResult { name, reason: PartRefusal::Missing { slices } });
    }
    let mut next_game = 1;
    for result in ordered.values() {
        let slice = result.slice();
        if !slice.is_sound() || !slice.is_unchanged() || slice.first_game != next_game {
            return Err(result.damaged());
        }
        next_game += slice.games;
    }
    Ok(ordered.into_values().collect())
}

/// The first result whose key differs from the key of most results, and a result with that key.
fn odd_one<K: Ord>(
    results: &[SliceResult],
    key: impl Fn(&SliceResult) -> K,
) -> Option<(&SliceResult, &SliceResult)> {
    let mut counts: BTreeMap<K, usize> = BTreeMap::new();
    for result in results {
        *counts.entry(key(result)).or_default() += 1;
    }
    // Of equally many, the first result is the usual one.
    let first = results.first().map(&key)?;
    let most = counts.into_iter().max_by_key(|(key, count)| (*count, *key == first));
    let (usual, _) = most?;
    let odd = results.iter().find(|result| key(result) != usual)?;
    Some((odd, results.iter().find(|result| key(result) == usual)?))
}

/// The ranges of slices without a part: the first and the last of each.
fn missing(present: impl Iterator<Item = usize>, count: usize) -> Vec<(usize, usize)> {
    let mut gaps = Vec::new();
    let mut next = 0;
    // The count comes from a part, so it may be any number.
    for index in present.chain([count]) {
        if next < index {
            gaps.push((next, index - 1));
        }
        next = index.saturating_add(1);
    }
    gaps
}

/// A merge in progress.
struct Merging<'m, 'p> {
    merger: &'m mut Merger<'p>,
    worker: &'m mut Worker<'p>,
    /// The index of the first input of the slice.
    first_input: usize,
    /// Bytes of all batches so far: of their text, and of the inputs.
    bytes: &'m mut [u64; 2],
}

impl Merging<'_, '_> {
    /// Takes all frames of a result. Returns the final states if the result has them.
    fn take(&mut self, result: SliceResult) -> Result<Option<Vec<FinalState>>, Error> {
        let mut result = result.reopened()?;
        let mut next_game = result.slice().first_game;
        let jobs = self.worker.jobs();
        let mut states = None;
        let mut long: Option<LongFile> = None;
        loop {
            match result.next()? {
                PartFrame::Complete(_) => return Ok(states),
                PartFrame::Begin(blocks) | PartFrame::Ended(blocks, _) if blocks.len() != jobs => {
                    return Err(result.damaged());
                }
                PartFrame::Begin(blocks) => self.merger.take_blocks(blocks)?,
                PartFrame::LongText(text) => {
                    let file = match long.take() {
                        Some(file) => file,
                        None => LongFile::new()?,
                    };
                    long.insert(file).add(&text)?;
                }
                PartFrame::Batch(mut batch) => {
                    if !batch.fits(jobs, result.slice(), next_game) || !self.adds(&batch) {
                        return Err(result.damaged());
                    }
                    next_game += batch.games;
                    // After the end of all jobs the frames are still read: damage is found.
                    if !self.merger.is_done() {
                        *batch.others.long_text() = long.take().map(LongFile::text);
                        self.take_batch(&result, *batch)?;
                    }
                }
                PartFrame::Closed(closed) => self.merger.take_closed(closed),
                PartFrame::Ended(blocks, ended) => {
                    self.merger.take_blocks(blocks)?;
                    states = Some(ended);
                }
                PartFrame::Head(_) => return Err(result.damaged()),
            }
        }
    }

    /// Adds the bytes of a batch. Returns whether the sums are numbers.
    fn adds(&mut self, batch: &StoredBatch) -> bool {
        let mut sums = self.bytes.iter_mut().zip([batch.bytes, batch.input_bytes]);
        sums.all(|(sum, bytes)| sum.checked_add(bytes).map(|added| *sum = added).is_some())
    }

    fn take_batch(&mut self, from: &SliceResult, mut batch: StoredBatch) -> Result<(), Error> {
        let mut result = self.worker.empty_result();
        let worker = &mut *self.worker;
        batch.restore(&mut result, |job| worker.rereads(job));
        for (job, stored) in batch.jobs.into_iter().enumerate() {
            worker.restore(job, self.first_input, stored.matches, &mut result);
            let runs = self.merger.runs(job);
            if let Some(data) = stored.changes.filter(|_| runs) {
                let joined = worker.join_data(job, data).ok_or_else(|| from.damaged())?;
                if !joined {
                    return Err(Error::DictionaryLimit);
                }
            }
        }
        result.collected = worker.collected();
        batch.others.put(&mut result.collected);
        self.merger.take(result)
    }
}
