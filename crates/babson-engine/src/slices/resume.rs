//! A scan that keeps the parts of finished slices, so that it can go on after an interruption.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::merge::merge_held;
use super::part_file::SliceResult;
use super::search::{fingerprint, needs_order, scan_slice};
use super::slice::{Slice, plan};
use crate::destination::Destination;
use crate::error::Error;
use crate::identity::OwnFiles;
use crate::input::Input;
use crate::job::{Job, Settings, Task};
use crate::limits::MAX_RESUMED_SLICE;
use crate::output::{Output, Outputs};
use crate::report::{Observer, Progress, Summary};

/// Searches a slice as [`scan_slice`] does and writes its part to an output. A file appears under
/// its name only when it is complete.
///
/// # Errors
/// As [`scan_slice`]; or the output cannot be written. A pipe whose reader goes away ends the
/// search with [`Error::ClosedPipe`].
pub fn scan_slice_to(
    slice: &Slice,
    jobs: Vec<Job>,
    settings: &Settings,
    note: &str,
    destination: &Destination,
) -> Result<(), Error> {
    let tasks: Vec<Task> = jobs.iter().cloned().map(Task::from).collect();
    OwnFiles::new(&[slice.open_input()], &tasks, settings)?.claim_output(destination)?;
    let mut output = PartOutput(Output::create(destination, &settings.ledger)?);
    scan_slice(slice, jobs, settings, note, &mut output)?;
    output.0.finish()
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

/// As [`scan_held`](crate::scan_held), slice by slice: the part of each finished slice is kept in
/// `folder`. If the scan is interrupted, the next one with the same queries and inputs goes on
/// where it ended. The events come at the end, except the progress.
///
/// The parts belong to the caller, who [removes](remove_parts) them when the outputs are complete.
///
/// # Errors
/// As [`scan`](crate::scan); or an input is not a file, or the folder cannot be written.
pub fn scan_resumed(
    inputs: &[Input],
    tasks: Vec<Task>,
    settings: &Settings,
    folder: &Path,
    observer: &mut dyn Observer,
) -> Result<(Summary, Outputs, Vec<PathBuf>), Error> {
    Error::catch(|| resume_uncaught(inputs, tasks, settings, folder, observer))
}

fn resume_uncaught(
    inputs: &[Input],
    tasks: Vec<Task>,
    settings: &Settings,
    folder: &Path,
    observer: &mut dyn Observer,
) -> Result<(Summary, Outputs, Vec<PathBuf>), Error> {
    OwnFiles::new(inputs, &tasks, settings)?;
    let fail = |source| Error::Write { path: folder.display().to_string(), source };
    fs::create_dir_all(folder).map_err(fail)?;
    let jobs: Vec<Job> = tasks.iter().map(|task| task.job.clone()).collect();
    let total: u64 = inputs.iter().filter_map(Input::size).sum();
    let count = match jobs.iter().any(needs_order) {
        // With several inputs a plan has several slices, which the search then refuses.
        true => 1,
        false => total.div_ceil(MAX_RESUMED_SLICE).max(1) as usize,
    };
    let slices = plan(inputs, count, settings.threads, settings.mapped)?;
    let mark = fingerprint(&jobs, settings);
    let mut paths = Vec::new();
    let mut progress = Progress::default();
    for slice in &slices {
        let path = folder.join(format!("{}-{mark:08x}-{}.part", slice.plan, slice.index));
        // A part that is damaged is searched again.
        let is_done = SliceResult::open(&path).and_then(SliceResult::check).is_ok();
        if !is_done {
            let part = Destination::File(path.clone());
            scan_slice_to(slice, jobs.clone(), settings, "", &part)?;
        }
        paths.push(path);
        progress.games += slice.games;
        progress.bytes += slice.end.unwrap_or(slice.input_length) - slice.begin;
        progress.input_bytes = progress.bytes;
        observer.progress(progress)?;
    }
    let results =
        paths.iter().map(SliceResult::open).collect::<Result<Vec<SliceResult>, Error>>()?;
    let (mut summary, outputs) = merge_held(results, tasks, settings, observer)?;
    summary.threads = settings.threads.max(1);
    Ok((summary, outputs, paths))
}

/// Removes the parts of a complete scan, and their folder if nothing else is in it.
pub fn remove_parts(paths: &[PathBuf]) {
    for path in paths {
        let _ = fs::remove_file(path);
    }
    if let Some(folder) = paths.first().and_then(|path| path.parent()) {
        let _ = fs::remove_dir(folder);
    }
}
