//! Where the matches go.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use babson_engine::{Destination, Format, Job, NamePattern, Sink};

use babson_lang::hir::FileName;

use super::settings::Wanted;
use crate::failure::Failure;
use crate::query::QueryFile;

/// The outputs of a single query: none if matches are only counted, else those of the options, else
/// the header's, else QUERY-out.pgn.
pub(super) fn of_one(wanted: &Wanted, job: &Job, file: &QueryFile) -> Result<Vec<Sink>, Failure> {
    if wanted.count {
        return Ok(Vec::new());
    }
    let mut names = wanted.outputs.clone();
    if names.is_empty() && wanted.appends.is_empty() {
        match &job.program.header().output {
            Some(output) if output.any_ending => {
                let why = |why| Failure::Io(format!("cannot write {}: {why}", output.name));
                return Ok(vec![placed(OutputName::of_header(output).map_err(why)?, job)?]);
            }
            Some(output) => names.push(output.name.clone()),
            None => names.push(format!("{}-out.pgn", file.stem())),
        }
    }
    let mut seen = HashSet::new();
    let mut sinks = Vec::new();
    for name in &names {
        if !seen.insert(name) {
            return Err(Failure::Usage(format!("-o {name} is given twice")));
        }
        sinks.push(sink(name, job)?);
    }
    for name in &wanted.appends {
        if !seen.insert(name) {
            return Err(Failure::Usage(format!("{name} is given twice")));
        }
        sinks.push(appended(sink(name, job)?)?);
    }
    Ok(sinks)
}

/// Whether the name of an output means standard output.
pub(super) fn is_stdout(name: &str) -> bool {
    // As a file, a pipe without a reader could not even be opened.
    let is_device = matches!(name, "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1");
    name == "-" || name.eq_ignore_ascii_case("stdout") || is_device
}

/// What the name of an output says.
pub(crate) enum OutputName {
    Stdout,
    File(Format, PathBuf),
    Split(Format, NamePattern),
}

impl OutputName {
    /// Reads a name.
    ///
    /// # Errors
    /// Why there can be no such output, in a sentence.
    pub(crate) fn parse(name: &str) -> Result<OutputName, String> {
        if is_stdout(name) {
            return Ok(OutputName::Stdout);
        }
        let pattern = NamePattern::parse(name)?;
        let path = PathBuf::from(pattern.plain().unwrap_or(name));
        let format = match Format::of_name(name) {
            Some(format) => format,
            // A device or a pipe has no ending.
            None if path.exists() && !path.is_file() && !path.is_dir() => Format::Pgn,
            None if path.is_dir() => {
                return Err(
                    "it is a directory (which takes the outputs of several queries)".to_owned()
                );
            }
            None => {
                return Err("an output ends in .pgn, .jsonl, .csv, .epd or .html".to_owned());
            }
        };
        Ok(match pattern.plain() {
            Some(_) => OutputName::File(format, path),
            None => OutputName::Split(format, pattern),
        })
    }

    /// Reads the name in a header. One of CQL 3 is that of a PGN file, unless it ends as another
    /// kind of output does.
    ///
    /// # Errors
    /// As [`OutputName::parse`].
    pub(crate) fn of_header(output: &FileName) -> Result<OutputName, String> {
        let path = Path::new(&output.name);
        if !output.any_ending || Format::of_name(&output.name).is_some() || path.is_dir() {
            return OutputName::parse(&output.name);
        }
        Ok(match output.name.as_str() {
            "-" | "stdout" => OutputName::Stdout,
            _ => OutputName::File(Format::Pgn, path.to_owned()),
        })
    }
}

/// The output of a name that was read.
fn placed(parsed: OutputName, job: &Job) -> Result<Sink, Failure> {
    let (format, destination) = match parsed {
        OutputName::Stdout => (Format::Pgn, Destination::Stdout),
        OutputName::File(format, path) => (format, Destination::File(path)),
        OutputName::Split(format, pattern) => {
            check_keys(&pattern, job)?;
            let append = false;
            (format, Destination::Split { pattern, append })
        }
    };
    Ok(Sink { format, destination })
}

fn sink(name: &str, job: &Job) -> Result<Sink, Failure> {
    let parsed = OutputName::parse(name).map_err(|why| {
        // That a folder stands where a file should is a matter of the disk.
        if Path::new(name).is_dir() {
            Failure::Io(format!("cannot write {name}: {why}"))
        } else {
            Failure::Usage(format!("-o {name}: {why}"))
        }
    })?;
    placed(parsed, job)
}

/// Checks that the query has the sort keys that a name asks for.
fn check_keys(pattern: &NamePattern, job: &Job) -> Result<(), Failure> {
    let known: Vec<&str> = job.program.sorts().iter().map(|key| key.name.as_str()).collect();
    let Some(missing) = pattern.sort_keys().find(|key| !known.contains(key)) else {
        return Ok(());
    };
    let there = match known.as_slice() {
        [] => "it sorts by nothing".to_owned(),
        known => format!("it has {}", known.join(", ")),
    };
    Err(Failure::Usage(format!(
        "-o {}: the query has no sort key called {missing}; {there}",
        pattern.text()
    )))
}

/// The same output, but at the end of what its file holds.
fn appended(sink: Sink) -> Result<Sink, Failure> {
    match (sink.format, sink.destination) {
        (Format::Html, destination) => Err(Failure::Usage(format!(
            "--append {}: a page cannot grow; write a new one with -o",
            destination.name()
        ))),
        (format, Destination::Split { pattern, .. }) => {
            Ok(Sink { format, destination: Destination::Split { pattern, append: true } })
        }
        (format, Destination::File(path)) => {
            Ok(Sink { format, destination: Destination::Append(path) })
        }
        (format, destination) => Ok(Sink { format, destination }),
    }
}

/// The folder for the outputs of several queries. None if matches are only counted.
pub(super) fn folder(wanted: &Wanted, files: &[QueryFile]) -> Result<Option<PathBuf>, Failure> {
    if wanted.count {
        return Ok(None);
    }
    let mut stems = HashSet::new();
    for file in files {
        if !stems.insert(file.stem().to_lowercase()) {
            let stem = file.stem();
            return Err(Failure::Usage(format!(
                "two queries are called {stem}, and so their outputs"
            )));
        }
    }
    if let Some(name) = wanted.appends.first() {
        return Err(Failure::Usage(format!(
            "--append {name}: the outputs of several queries go to a folder, -o DIR/"
        )));
    }
    match wanted.outputs.as_slice() {
        [name] if name != "-" && !Path::new(name).is_file() && Format::of_name(name).is_none() => {
            Ok(Some(PathBuf::from(name)))
        }
        _ => Err(Failure::Usage(
            "several queries need one folder for their outputs: -o DIR/".to_owned(),
        )),
    }
}

/// The output of one of several queries.
pub(super) fn of_several(folder: Option<&Path>, file: &QueryFile) -> Vec<Sink> {
    let path = folder.map(|folder| folder.join(format!("{}.pgn", file.stem())));
    path.map(|path| Sink { format: Format::Pgn, destination: Destination::File(path) })
        .into_iter()
        .collect()
}

/// Checks and prepares what the options say about all outputs.
pub(super) fn prepare(wanted: &Wanted, sinks: &[Sink]) -> Result<(), Failure> {
    for sink in sinks {
        let (path, replaced) = match &sink.destination {
            Destination::File(path) => (path, true),
            Destination::Append(path) => (path, false),
            // Their files are checked as they come.
            Destination::Split { .. } | Destination::Stdout => continue,
        };
        let shown = path.display();
        if wanted.no_clobber && replaced && path.is_file() {
            return Err(Failure::Io(format!("cannot write {shown}: it exists (--noclobber)")));
        }
        if let Some(folder) = path.parent().filter(|_| wanted.create_directories) {
            std::fs::create_dir_all(folder).map_err(|error| {
                Failure::Io(format!("cannot make the folder {}: {error}", folder.display()))
            })?;
        }
    }
    Ok(())
}

/// What is to be said about outputs that were named and are not written.
pub(super) fn left_out(wanted: &Wanted) -> Option<String> {
    let names: Vec<&str> =
        wanted.outputs.iter().chain(&wanted.appends).map(String::as_str).collect();
    (wanted.count && !names.is_empty())
        .then(|| format!("babson: --count writes nothing: {} is left out", names.join(", ")))
}

/// Whether matches or rejected games are written to standard output, so that all else that is
/// printed goes to standard error.
///
/// # Errors
/// Rejected games are, and matches or the number of `--count` too: nobody could tell one from the
/// other.
pub(super) fn use_stdout(wanted: &Wanted, sinks: &[Sink]) -> Result<bool, Failure> {
    let has_matches = sinks.iter().any(|sink| sink.destination == Destination::Stdout);
    let has_rejects = wanted.rejects == Some(Destination::Stdout);
    let other = match (wanted.count, has_matches || wanted.gui_stdout) {
        (true, _) => Some("the number of --count"),
        (false, true) => Some("the matches"),
        (false, false) => None,
    };
    match other.filter(|_| has_rejects) {
        Some(other) => Err(Failure::Usage(format!(
            "--rejects -: standard output takes {other} already; name a file"
        ))),
        None => Ok(has_matches || has_rejects),
    }
}

/// Whether an output is many files, so that only a scan can name them.
pub(super) fn are_split(sinks: &[Sink]) -> bool {
    sinks.iter().any(is_split)
}

fn is_split(sink: &Sink) -> bool {
    matches!(sink.destination, Destination::Split { .. })
}

/// How the outputs are called in messages.
pub(super) fn names(sinks: &[Sink]) -> Vec<String> {
    sinks.iter().map(|sink| sink.destination.name()).collect()
}

/// The names of the outputs, one a line, but for those that are many files.
pub(super) fn listing(sinks: &[Sink]) -> String {
    let known = sinks.iter().filter(|sink| !is_split(sink));
    known.map(|sink| format!("{}\n", sink.destination.name())).collect()
}
