//! The options of `Scan.write`.

use std::path::Path;

use babson::report;
use babson::sink::{Columns, DEFAULT_SEED, Destination, FileFormat, FileSink, GroupKeys};
use babson::table::Compression;
use babson::{Task, sink};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::numbers::number;

/// The options, and the columns of the scan.
#[derive(Default)]
pub(crate) struct WriteOptions {
    columns: Option<Columns>,
    groups: Option<GroupKeys>,
    compression: Option<Compression>,
    keeps_order: bool,
    top: Option<u64>,
    sample: Option<u64>,
    seed: u64,
    fragments: Option<sink::FragmentLength>,
    marks: bool,
    safe_csv: bool,
    append: bool,
    /// Whether equal games are left out.
    pub(crate) unique: bool,
}

const NAMES: &str =
    "append, compression, fragments, group, marks, safe_csv, sample, seed, sort, top and unique";

impl WriteOptions {
    /// Reads keyword arguments.
    pub(crate) fn read(
        given: Option<&Bound<'_, PyDict>>,
        columns: Option<Columns>,
    ) -> PyResult<WriteOptions> {
        let mut options = WriteOptions { columns, seed: DEFAULT_SEED, ..WriteOptions::default() };
        for (name, value) in given.into_iter().flat_map(|given| given.iter()) {
            let name: String = name.extract()?;
            match name.as_str() {
                "append" => options.append = value.extract()?,
                "compression" => options.compression = Some(compression(&value)?),
                "fragments" => options.fragments = fragments(&value)?,
                "group" => {
                    let keys: String = value.extract()?;
                    let keys = GroupKeys::parse(&keys);
                    options.groups =
                        Some(keys.map_err(|error| PyValueError::new_err(error.to_string()))?);
                }
                "marks" => options.marks = value.extract()?,
                "safe_csv" => options.safe_csv = value.extract()?,
                "sample" => options.sample = optional("sample", &value)?,
                "seed" => options.seed = number("seed", 0, &value)?,
                "sort" => options.keeps_order = !value.extract::<bool>()?,
                "top" => options.top = optional("top", &value)?,
                "unique" => options.unique = value.extract()?,
                other => {
                    return Err(PyTypeError::new_err(format!(
                        "write() has no option {other:?}: its options are {NAMES}"
                    )));
                }
            }
        }
        if options.top.is_some() && options.sample.is_some() {
            return Err(PyValueError::new_err("top and sample exclude each other"));
        }
        Ok(options)
    }

    /// Checks the extension of a file.
    pub(crate) fn check(&self, path: &Path) -> PyResult<()> {
        match FileSink::at(path) {
            Some(_) => Ok(()),
            None => Err(PyValueError::new_err(format!(
                "{}: the extension is not the one of a format: .pgn, .jsonl, .json, .csv, .tsv, \
                 .epd, .html, .arrow, .txt",
                path.display()
            ))),
        }
    }

    /// A task with the options of its matches.
    pub(crate) fn task(&self, mut task: Task) -> Task {
        task = task.sorted(!self.keeps_order).marks(self.marks).safe_csv(self.safe_csv);
        if let Some(top) = self.top {
            task = task.top(top);
        }
        if let Some(sample) = self.sample {
            task = task.sample(sample, self.seed);
        }
        match self.fragments {
            Some(length) => task.fragments(length),
            None => task,
        }
    }

    /// The output.
    pub(crate) fn sink(&self, path: &Path) -> FileSink {
        let path = path.to_owned();
        let format = FileFormat::of_name(&path.to_string_lossy()).unwrap_or(FileFormat::Pgn);
        let destination =
            if self.append { Destination::Append(path) } else { Destination::File(path) };
        let mut sink = match format {
            FileFormat::Html => report::sink(destination),
            format => FileSink::new(format, destination),
        };
        if let Some(groups) = &self.groups {
            sink = sink.with_groups(groups.clone());
        } else if let Some(columns) = &self.columns {
            sink = sink.with_columns(columns.clone());
        }
        match self.compression {
            Some(compression) => sink.with_compression(compression),
            None => sink,
        }
    }
}

/// A compression of game tables.
pub(crate) fn compression(value: &Bound<'_, PyAny>) -> PyResult<Compression> {
    if value.is_none() {
        return Ok(Compression::None);
    }
    let name: String = value.extract()?;
    match name.as_str() {
        "zstd" => Ok(Compression::Zstd),
        "none" => Ok(Compression::None),
        other => Err(PyValueError::new_err(format!(
            "{other:?} is not a compression: it is \"zstd\" or None"
        ))),
    }
}

fn fragments(value: &Bound<'_, PyAny>) -> PyResult<Option<sink::FragmentLength>> {
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true().then_some(sink::FragmentLength::ToEnd));
    }
    let plies = u32::try_from(number("fragments", 0, value)?).unwrap_or(u32::MAX);
    Ok(Some(sink::FragmentLength::Plies(plies)))
}

/// A number of games, or None.
fn optional(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    if value.is_none() { Ok(None) } else { number(name, 0, value).map(Some) }
}
