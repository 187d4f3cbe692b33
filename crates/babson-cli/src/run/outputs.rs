//! Where the matches go.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use babson_engine::{Destination, Format, Job, Sink};

use super::settings::Wanted;
use crate::failure::Failure;
use crate::query::QueryFile;

/// The outputs of a single query: those of the options, else the header's, else QUERY-out.pgn.
pub(super) fn of_one(wanted: &Wanted, job: &Job, file: &QueryFile) -> Result<Vec<Sink>, Failure> {
    if wanted.count && wanted.outputs.is_empty() {
        return Ok(Vec::new());
    }
    let mut names = wanted.outputs.clone();
    if names.is_empty() {
        let header = job.program.header().output.clone();
        names.push(header.unwrap_or_else(|| format!("{}-out.pgn", file.stem())));
    }
    let mut seen = HashSet::new();
    let mut sinks = Vec::new();
    for name in &names {
        if !seen.insert(name) {
            return Err(Failure::Usage(format!("-o {name} is given twice")));
        }
        sinks.push(sink(name)?);
    }
    Ok(sinks)
}

fn sink(name: &str) -> Result<Sink, Failure> {
    if name == "-" || name.eq_ignore_ascii_case("stdout") {
        return Ok(Sink {
            format: Format::Pgn,
            destination: Destination::Stdout,
        });
    }
    let lower = name.to_ascii_lowercase();
    let path = PathBuf::from(name);
    let format = match Format::of_name(name) {
        Some(format) => format,
        None if [".csv", ".epd", ".html"]
            .iter()
            .any(|ending| lower.ends_with(ending)) =>
        {
            return Err(Failure::Usage(format!("not supported yet: -o {name}")));
        }
        // A device or a pipe has no ending.
        None if path.exists() && !path.is_file() && !path.is_dir() => Format::Pgn,
        None if path.is_dir() => {
            return Err(Failure::Io(format!(
                "cannot write {name}: it is a directory (which takes the outputs of several queries)"
            )));
        }
        None => {
            return Err(Failure::Usage(format!(
                "-o {name}: an output ends in .pgn or .jsonl"
            )));
        }
    };
    Ok(Sink {
        format,
        destination: Destination::File(path),
    })
}

/// The folder for the outputs of several queries. None if matches are only counted.
pub(super) fn folder(wanted: &Wanted, files: &[QueryFile]) -> Result<Option<PathBuf>, Failure> {
    let mut stems = HashSet::new();
    for file in files {
        if !stems.insert(file.stem().to_lowercase()) {
            let stem = file.stem();
            return Err(Failure::Usage(format!(
                "two queries are called {stem}, and so their outputs"
            )));
        }
    }
    match wanted.outputs.as_slice() {
        [] if wanted.count => Ok(None),
        [name] if name != "-" && !Path::new(name).is_file() && Format::of_name(name).is_none() => {
            Ok(Some(PathBuf::from(name)))
        }
        _ => Err(Failure::Usage(
            "several queries need one folder for their outputs: -o DIR/".to_owned(),
        )),
    }
}

/// The output of one of several queries.
pub(super) fn of_several(folder: Option<&Path>, file: &QueryFile, wanted: &Wanted) -> Vec<Sink> {
    let path = folder.map(|folder| folder.join(format!("{}.pgn", file.stem())));
    path.filter(|_| !wanted.count)
        .map(|path| Sink {
            format: Format::Pgn,
            destination: Destination::File(path),
        })
        .into_iter()
        .collect()
}

/// Checks and prepares what the options say about all outputs.
pub(super) fn prepare(wanted: &Wanted, sinks: &[Sink]) -> Result<(), Failure> {
    for sink in sinks {
        let Destination::File(path) = &sink.destination else {
            continue;
        };
        let shown = path.display();
        if wanted.no_clobber && path.is_file() {
            return Err(Failure::Io(format!(
                "cannot write {shown}: it exists (--noclobber)"
            )));
        }
        if let Some(folder) = path.parent().filter(|_| wanted.create_directories) {
            std::fs::create_dir_all(folder).map_err(|error| {
                Failure::Io(format!(
                    "cannot make the folder {}: {error}",
                    folder.display()
                ))
            })?;
        }
    }
    Ok(())
}

/// Whether games are written to standard output.
pub(super) fn use_stdout(sinks: &[Sink]) -> bool {
    sinks
        .iter()
        .any(|sink| sink.destination == Destination::Stdout)
}

/// The names of the outputs, one a line.
pub(super) fn names(sinks: &[Sink]) -> String {
    sinks
        .iter()
        .map(|sink| format!("{}\n", sink.destination.name()))
        .collect()
}
