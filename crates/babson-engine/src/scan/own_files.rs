//! The files of a scan: no two may be the same.

use std::borrow::Cow;
use std::path::Path;

use babson_input::Input;

use crate::destination::Destination;
use crate::error::Error;
use crate::formats::{NonmatchingSink, SharedSink};
use crate::identity::OwnFiles;
use crate::task::{Settings, Task};

/// The inputs and the outputs of a scan.
///
/// # Errors
/// [`Error::SameFile`]; or it cannot be found out which file a name stands for.
pub(crate) fn own_files(
    inputs: &[Input],
    tasks: &[Task],
    settings: &Settings,
) -> Result<OwnFiles, Error> {
    let others = settings.other_files.iter();
    let others = others.map(|(path, role)| (Cow::Borrowed(path.as_path()), role.clone()));
    let files = inputs.iter().filter_map(of_input).chain(others);
    let files = files.chain(tasks.iter().flat_map(of_query));
    let mut own = OwnFiles::new(&settings.ledger, files)?;
    if inputs.contains(&Input::Stdin) {
        own.read_stdin();
    }
    let sinks = tasks.iter().flat_map(|task| &task.sinks);
    let sinks = sinks.filter_map(|sink| sink.destination());
    let shared = settings.shared.iter().map(SharedSink::destination);
    let nonmatching = settings.nonmatching.iter().map(NonmatchingSink::destination);
    let destinations = sinks.chain(shared).chain(&settings.rejects).chain(nonmatching);
    if destinations.clone().any(|destination| *destination == Destination::Stdout) {
        own.claim_output(&Destination::Stdout)?;
    }
    // There is one standard output, and it may be the destination of several sinks.
    for destination in destinations.filter(|&destination| *destination != Destination::Stdout) {
        own.claim_output(destination)?;
    }
    Ok(own)
}

/// The file of an input, and its role.
fn of_input(input: &Input) -> Option<(Cow<'_, Path>, String)> {
    Some((Cow::Borrowed(input.path()?), format!("the input {}", input.name())))
}

/// The files that a query reads, and their roles.
fn of_query(task: &Task) -> impl Iterator<Item = (Cow<'_, Path>, String)> {
    let program = &task.job.program;
    let similar = program.submission().map(|(file, _)| (file, "similarposition"));
    let read = program.read_files().map(|file| (file, "readfile"));
    let role =
        |(file, filter)| (Cow::Borrowed(Path::new(file)), format!("the file {file} of {filter}"));
    similar.into_iter().chain(read).map(role)
}
