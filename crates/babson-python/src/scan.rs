//! Scans: many inputs and queries, on all cores, into tables, files and numbers.

use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use babson::scan::Job;
use babson::sink::{ColumnNames, Columns, GroupKeys, GroupSink, GroupTable};
use babson::{Error, Input, Scan, Task};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::PlainError;
use crate::inputs;
use crate::numbers::{limit, number};
use crate::options::WriteOptions;
use crate::query::PyQuery;
use crate::rows::{self, RowBatches};
use crate::run::{FoundItems, Message, Running};
use crate::table::{PyBatch, PyTable};
use crate::work::{self, Messages, Raised};

/// Begins a scan of some inputs: a path, a list of paths, or a binary file object. Nothing is
/// searched before a result is taken.
///
/// >>> import babson, io
/// >>> games = b'[Date "1901.??.??"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Date "1902.??.??"]\n\n*\n'
/// >>> babson.scan(io.BytesIO(games)).query("mate").count()
/// 1
/// >>> table = babson.scan(io.BytesIO(games)).query("mate").columns("game,ply,next.san").to_arrow()
/// >>> table.to_pydict()
/// {'game': [1], 'ply': [4], 'next.san': [None]}
#[pyfunction]
pub(crate) fn scan(inputs: &Bound<'_, PyAny>) -> PyResult<PyScan> {
    let raised = Raised::default();
    let inputs = inputs::inputs(inputs, &raised)?;
    Ok(PyScan {
        inputs,
        raised,
        queries: Vec::new(),
        threads: None,
        timeout: None,
        progress: None,
        columns: None,
    })
}

/// A scan before it starts. Each method that changes it returns a new scan.
#[pyclass(frozen, module = "babson", name = "Scan")]
pub(crate) struct PyScan {
    inputs: Vec<Input>,
    /// Exceptions of the file objects among the inputs.
    raised: Raised,
    queries: Vec<ScanQuery>,
    threads: Option<usize>,
    timeout: Option<Duration>,
    progress: Option<Py<PyAny>>,
    columns: Option<Columns>,
}

/// A query of a scan.
#[derive(Clone)]
struct ScanQuery {
    query: PyQuery,
    /// Its name in the results.
    name: String,
    limit: Option<u64>,
}

impl ScanQuery {
    fn task(&self) -> Task {
        let task = Task::new(&self.query.query);
        match self.limit {
            Some(limit) => task.limit(limit),
            None => task,
        }
    }
}

impl PyScan {
    fn copied(&self, py: Python<'_>) -> PyScan {
        PyScan {
            inputs: self.inputs.clone(),
            raised: self.raised.clone(),
            queries: self.queries.clone(),
            threads: self.threads,
            timeout: self.timeout,
            progress: self.progress.as_ref().map(|callable| callable.clone_ref(py)),
            columns: self.columns.clone(),
        }
    }

    /// Starts the scan. `prepare` gives its tasks and outputs.
    fn start<T: Send + 'static>(
        &self,
        py: Python<'_>,
        prepare: impl FnOnce(Scan, Messages<Message<T>>) -> Result<Scan, Error> + Send + 'static,
    ) -> PyResult<Running<T>> {
        if self.queries.is_empty() {
            return Err(PlainError::new_err("the scan has no query: add one by .query(...)"));
        }
        let progress = self.progress.as_ref().map(|callable| callable.clone_ref(py));
        // A server may be asked for its part of it.
        let total = match progress {
            Some(_) => py.detach(|| Input::total_size(&self.inputs)),
            None => 0,
        };
        let (inputs, threads) = (self.inputs.clone(), self.threads);
        let progress = progress.map(|callable| (callable, total));
        Running::start(&self.raised, self.timeout, progress, move |messages| {
            let mut scan = Scan::of(inputs);
            if let Some(threads) = threads {
                scan = scan.threads(threads);
            }
            prepare(scan, messages)
        })
    }

    /// Runs a scan whose tasks are made by `task`.
    fn run(
        &self,
        py: Python<'_>,
        prepare: impl FnOnce(Scan) -> Result<Scan, Error> + Send + 'static,
    ) -> PyResult<babson::Summary> {
        self.start::<()>(py, move |scan, _messages| prepare(scan))?.finish(py)
    }

    /// The matches: a number, or with several queries a number for each by name.
    fn counted<'py>(
        &self,
        py: Python<'py>,
        summary: &babson::Summary,
    ) -> PyResult<Bound<'py, PyAny>> {
        let matches = summary.queries.iter().map(|query| query.matches);
        if let [_] = self.queries.as_slice() {
            return Ok(matches.sum::<u64>().into_pyobject(py)?.into_any());
        }
        let counts = PyDict::new(py);
        for (query, matches) in self.queries.iter().zip(matches) {
            counts.set_item(&query.name, matches)?;
        }
        Ok(counts.into_any())
    }

    fn names(&self) -> ColumnNames {
        let mut names = ColumnNames::default();
        self.queries.iter().for_each(|query| names.add(&query.query.query.column_names()));
        names
    }

    /// The columns of the rows, and their schema.
    fn rows(&self) -> PyResult<(Columns, SchemaRef)> {
        let names = self.names();
        let columns = match &self.columns {
            Some(columns) => columns.clone(),
            None if self.queries.len() > 1 => Columns::of_queries(&names),
            None => Columns::of_query(&names),
        };
        columns.check(&names).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let jobs: Vec<Job> =
            self.queries.iter().map(|query| Job::from(&query.query.query)).collect();
        let schema = rows::schema(&columns, &jobs);
        Ok((columns, schema))
    }

    /// Starts the search of rows.
    fn start_rows(&self, py: Python<'_>) -> PyResult<(SchemaRef, Running<RecordBatch>)> {
        let (columns, schema) = self.rows()?;
        let (queries, of_batches) = (self.queries.clone(), Arc::clone(&schema));
        let running = self.start(py, move |scan, messages| {
            let batches = RowBatches::new(columns, of_batches, messages);
            let sinks = batches.sinks(queries.len());
            let tasks = queries.iter().zip(sinks).map(|(query, sink)| query.task().sink(sink));
            Ok(tasks.fold(scan, Scan::task))
        })?;
        Ok((schema, running))
    }
}

#[pymethods]
impl PyScan {
    /// Adds a query: a `Query` or its text. Each game is replayed once for all queries.
    ///
    /// The results have the query under the name; by default its own, else its text. At most
    /// `limit` games match.
    #[pyo3(signature = (q, *, name=None, limit=None))]
    fn query(
        &self,
        q: &Bound<'_, PyAny>,
        name: Option<&str>,
        limit: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyScan> {
        let (query, limit) = (PyQuery::of(q)?, self::limit(limit)?);
        let name = name.unwrap_or(query.title()).to_owned();
        if self.queries.iter().any(|other| other.name == name) {
            return Err(PyValueError::new_err(format!(
                "two queries have the name {name:?}: give one another name by name="
            )));
        }
        let mut scan = self.copied(q.py());
        let query = query.named(q.py(), &name)?;
        scan.queries.push(ScanQuery { query, name, limit });
        Ok(scan)
    }

    /// Sets the number of threads; by default all cores are used.
    fn threads(&self, n: &Bound<'_, PyAny>) -> PyResult<PyScan> {
        // More threads than there may be are as many as there may be.
        let threads = usize::try_from(number("the number of threads", 1, n)?).unwrap_or(usize::MAX);
        Ok(PyScan { threads: Some(threads), ..self.copied(n.py()) })
    }

    /// Ends the scan with `LimitError` after this number of seconds.
    fn timeout(&self, py: Python<'_>, s: f64) -> PyResult<PyScan> {
        Ok(PyScan { timeout: work::timeout(Some(s))?, ..self.copied(py) })
    }

    /// Calls a callable with a `Progress` some ten times a second. Without one, tqdm shows a bar.
    #[pyo3(signature = (callable=None))]
    fn progress(&self, py: Python<'_>, callable: Option<&Bound<'_, PyAny>>) -> PyResult<PyScan> {
        let callable = match callable {
            Some(callable) if callable.is_callable() => callable.clone(),
            Some(other) => {
                return Err(PyTypeError::new_err(format!(
                    "a callable gets the progress, not {}",
                    other.get_type().name()?
                )));
            }
            None => py.import("babson._progress")?.getattr("TqdmBar")?.call0()?,
        };
        Ok(PyScan { progress: Some(callable.unbind()), ..self.copied(py) })
    }

    /// Chooses the columns of tables and of files of rows: a list such as "game,ply,fen,next.san".
    fn columns(&self, py: Python<'_>, columns: &str) -> PyResult<PyScan> {
        let columns =
            Columns::parse(columns).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(PyScan { columns: Some(columns), ..self.copied(py) })
    }

    /// The number of games that match; with several queries a dict of numbers, by name.
    fn count<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let queries = self.queries.clone();
        let summary = self.run(py, move |scan| {
            Ok(queries.iter().fold(scan, |scan, query| scan.task(query.task().games_only())))
        })?;
        self.counted(py, &summary)
    }

    /// A table with a row for each matching position.
    fn to_arrow(&self, py: Python<'_>) -> PyResult<PyTable> {
        let (schema, mut running) = self.start_rows(py)?;
        let mut batches = Vec::new();
        while let Some(found) = running.next(py)? {
            batches.extend(found);
        }
        running.finish(py)?;
        Ok(PyTable::new(schema, batches))
    }

    /// The same table as a `polars.DataFrame`.
    fn to_polars<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        // A missing package is an error before the search.
        py.import("polars")?;
        Bound::new(py, self.to_arrow(py)?)?.call_method0("to_polars")
    }

    /// The same table as a `pandas.DataFrame`.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("pandas")?;
        Bound::new(py, self.to_arrow(py)?)?.call_method0("to_pandas")
    }

    /// The rows of matching positions as they are found, in record batches.
    fn batches(&self, py: Python<'_>) -> PyResult<PyBatches> {
        let (_, running) = self.start_rows(py)?;
        Ok(PyBatches(FoundItems::new(running)))
    }

    /// Counts the matches in groups by some keys, such as "year" or "eco:1,white".
    fn group(&self, py: Python<'_>, keys: &str) -> PyResult<PyTable> {
        let keys =
            GroupKeys::parse(keys).map_err(|error| PyValueError::new_err(error.to_string()))?;
        keys.check(&self.names()).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let (sender, receiver) = mpsc::channel::<GroupTable>();
        let [query] = self.queries.as_slice() else {
            return Err(PlainError::new_err(
                "groups are of one query: make a scan for each, or write(path, group=...) for all",
            ));
        };
        let query = query.clone();
        self.run(py, move |scan| {
            let sink = GroupSink::new(keys, move |table| {
                // Nobody receives the table of a scan that was given up.
                let _ = sender.send(table);
            });
            Ok(scan.task(query.task().sink(sink)))
        })?;
        let table = receiver.recv().map_err(|_| PlainError::new_err("the scan has no groups"))?;
        PyTable::of_groups(&table)
    }

    /// Writes the matches to a file, whose extension is its format: .pgn, .jsonl, .json, .csv,
    /// .tsv, .epd, .html, .arrow, or .txt with `group`. Returns what `count()` returns.
    ///
    /// Options: `group` (a str of keys), `compression` ("zstd" or None, of .arrow), `sort` (False
    /// keeps the order of the games), `top` and `sample` (a number of games), `seed`, `fragments`
    /// (True or a number of plies), `marks`, `safe_csv`, `append` (True adds to a file), `unique`
    /// (True leaves out equal games).
    #[pyo3(signature = (path, **options))]
    fn write<'py>(
        &self,
        py: Python<'py>,
        path: PathBuf,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = WriteOptions::read(options, self.columns.clone())?;
        options.check(&path)?;
        let queries = self.queries.clone();
        let summary = self.run(py, move |scan| {
            let scan = scan.unique(options.unique);
            let mut tasks = queries.iter().map(|query| options.task(query.task()));
            if let ([_], Some(task)) = (queries.as_slice(), tasks.next()) {
                return Ok(scan.task(task.sink(options.sink(&path))));
            }
            let tasks = queries.iter().map(|query| options.task(query.task()));
            Ok(tasks.fold(scan, Scan::task).shared(options.sink(&path)))
        })?;
        self.counted(py, &summary)
    }

    fn __repr__(&self) -> String {
        format!("<babson.Scan inputs: {}, queries: {}>", self.inputs.len(), self.queries.len())
    }
}

/// The record batches of a scan, as they are found.
#[pyclass(module = "babson", name = "Batches")]
pub(crate) struct PyBatches(FoundItems<RecordBatch>);

#[pymethods]
impl PyBatches {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<PyBatch>> {
        Ok(self.0.next(py)?.map(PyBatch))
    }

    /// Ends the scan.
    fn close(&mut self, py: Python<'_>) {
        self.0.close(py);
    }
}
