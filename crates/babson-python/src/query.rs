//! Queries: `babson.compile`, and the class `Query`.

use std::time::Instant;

use babson::compile::{QueryBuilder, VariableValue};
use babson::{Dialect, Query, RuntimeError, Scan, StopSignal, Task, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyString, PyTuple};

use crate::limits::INLINE_TIME;
use crate::matches::{self, PyMatches};
use crate::numbers::{limit, number};
use crate::run::Running;
use crate::trace::{PyTrace, PyWhy};
use crate::work::{self, Raised};
use crate::{board, errors, inputs, value, views};

/// A compiled query. Threads may share it, and it can be pickled: its text and its options are.
///
/// >>> import babson
/// >>> query = babson.compile("move legal promote N check")
/// >>> query.matches("8/P7/8/8/8/8/8/k1K5 w - - 0 1")
/// False
#[pyclass(frozen, module = "babson", name = "Query")]
#[derive(Clone)]
pub(crate) struct PyQuery {
    pub(crate) query: Query,
    source: QuerySource,
}

/// What a query is compiled from.
#[derive(Clone)]
struct QuerySource {
    text: String,
    dialect: Option<Dialect>,
    variables: Vec<(String, VariableValue)>,
    name: Option<String>,
}

impl QuerySource {
    fn builder(&self) -> QueryBuilder {
        let mut builder = Query::builder(self.text.as_str());
        if let Some(dialect) = self.dialect {
            builder = builder.dialect(dialect);
        }
        if let Some(name) = &self.name {
            builder = builder.name(name.as_str());
        }
        for (name, value) in &self.variables {
            builder = builder.variable(name.as_str(), value.clone());
        }
        builder
    }

    /// Compiles it, with options that it does not name.
    fn compile(
        &self,
        py: Python<'_>,
        change: impl FnOnce(QueryBuilder) -> QueryBuilder + Send,
    ) -> PyResult<Query> {
        let compiled = py.detach(|| change(self.builder()).compile());
        compiled.map_err(|error| errors::query_error(py, &error, &self.text))
    }
}

/// Compiles a query.
///
/// The dialect is "cqli" or "cql6" (CQL 6.2); by default the one that the query names, else "cqli".
/// Variables are set at each position before the query. Tables and messages
/// have the name. A query that is wrong raises `QueryError`.
///
/// >>> import babson
/// >>> babson.compile("#P + extra", variables={"extra": 3}).evaluate(
/// ...     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
/// 11
/// >>> babson.compile("mate", dialect="cql6").dialect
/// 'cql6'
#[pyfunction]
#[pyo3(signature = (text, *, dialect=None, variables=None, name=None))]
pub(crate) fn compile(
    py: Python<'_>,
    text: &str,
    dialect: Option<&str>,
    variables: Option<&Bound<'_, PyDict>>,
    name: Option<&str>,
) -> PyResult<PyQuery> {
    let dialect = dialect.map(dialect_named).transpose()?;
    let mut values = Vec::new();
    for (name, value) in variables.into_iter().flat_map(|variables| variables.iter()) {
        values.push((name.extract()?, variable(&name, &value)?));
    }
    let name = name.map(str::to_owned);
    let source = QuerySource { text: text.to_owned(), dialect, variables: values, name };
    PyQuery::new(py, source)
}

pub(crate) fn dialect_named(name: &str) -> PyResult<Dialect> {
    Dialect::named(name).ok_or_else(|| {
        PyValueError::new_err(format!("{name:?} is not a dialect: it is \"cqli\" or \"cql6\""))
    })
}

fn variable(name: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<VariableValue> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(VariableValue::Text(text.to_str()?.to_owned()));
    }
    if value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>() {
        return value.extract().map(VariableValue::Number).map_err(|_| {
            PyValueError::new_err(format!(
                "the variable {name} is {value}, but a number has 32 bits"
            ))
        });
    }
    Err(PyTypeError::new_err(format!(
        "the variable {name} is an int or a str, not {}",
        value.get_type().name()?
    )))
}

impl PyQuery {
    fn new(py: Python<'_>, source: QuerySource) -> PyResult<PyQuery> {
        Ok(PyQuery { query: source.compile(py, |builder| builder)?, source })
    }

    /// A query, or the text of one.
    pub(crate) fn of(argument: &Bound<'_, PyAny>) -> PyResult<PyQuery> {
        if let Ok(query) = argument.cast::<PyQuery>() {
            return Ok(query.get().clone());
        }
        let Ok(text) = argument.cast::<PyString>() else {
            return Err(PyTypeError::new_err(format!(
                "a query is a babson.Query or its text (str), not {}",
                argument.get_type().name()?
            )));
        };
        compile(argument.py(), text.to_str()?, None, None, None)
    }

    /// The same query with this name in outputs.
    pub(crate) fn named(&self, py: Python<'_>, name: &str) -> PyResult<PyQuery> {
        PyQuery::new(py, QuerySource { name: Some(name.to_owned()), ..self.source.clone() })
    }

    /// The name, or the text.
    pub(crate) fn title(&self) -> &str {
        self.source.name.as_deref().unwrap_or(&self.source.text)
    }

    /// Asks the query about a board: on this thread if the answer comes at once, else on a thread
    /// of its own, so that Ctrl-C ends it. A query that runs again answers the same, since it
    /// has no files to write.
    fn ask<T: Send + 'static>(
        &self,
        py: Python<'_>,
        ask: impl Fn(&Query) -> Result<T, RuntimeError> + Send + Sync + Clone + 'static,
    ) -> PyResult<T> {
        let deadline = Instant::now() + INLINE_TIME;
        let stop = StopSignal { deadline: Some(deadline), ..StopSignal::default() };
        let first = py.detach(|| ask(&self.query.with_stop(stop)));
        match first {
            Ok(answer) => Ok(answer),
            Err(error) if Instant::now() < deadline => Err(errors::runtime_error(&error)),
            Err(_) => {
                let (query, ask) = (self.query.clone(), ask.clone());
                let asked =
                    work::run(
                        py,
                        &Raised::default(),
                        None,
                        move |stop| ask(&query.with_stop(stop)),
                    );
                asked?.map_err(|error| errors::runtime_error(&error))
            }
        }
    }

    fn value(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<Value> {
        let (position, rules) = board::position(board)?;
        self.ask(py, move |query| query.matcher().evaluate(&position, &rules))
    }
}

#[pymethods]
impl PyQuery {
    /// The text.
    #[getter]
    fn text(&self) -> &str {
        &self.source.text
    }

    /// The dialect in which it was read: "cqli" or "cql6".
    #[getter]
    fn dialect(&self) -> &'static str {
        self.query.dialect().name()
    }

    /// The name, if it has one.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.source.name.as_deref()
    }

    /// The warnings: constructs that probably mean something else.
    ///
    /// >>> import babson
    /// >>> [warning.code for warning in babson.compile("wtm and btm").warnings]
    /// ['W1202']
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        errors::diagnostics(py, self.query.warnings(), &self.source.text)
    }

    /// Whether the query matches at a board: a FEN, or a `chess.Board`.
    ///
    /// >>> import babson
    /// >>> babson.compile("mate").matches("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    /// True
    fn matches(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.value(py, board)? != Value::Bool(false))
    }

    /// The value of the last filter of the query at a board: a bool, an int, a str or a
    /// `SquareSet`; `False` if the query does not match there.
    ///
    /// >>> import babson
    /// >>> babson.compile("R").evaluate("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    /// SquareSet('a1', 'h1')
    fn evaluate(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        value::to_python(py, &self.value(py, board)?)
    }

    /// What each filter of the query does at a board.
    ///
    /// >>> import babson
    /// >>> print(babson.compile("check mate").trace("4k3/8/8/8/8/8/8/4K3 w - - 0 1"))
    /// Check: no
    /// Mate: not evaluated
    fn trace(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<PyTrace> {
        let (position, rules) = board::position(board)?;
        let board = (position, rules);
        let trace = self.ask(py, move |query| {
            let mut reader = babson::pgn::Reader::new();
            let game = reader.one_position(&position, &rules, babson::pgn::Needs::ALL);
            query.matcher().trace(&game, 0)
        })?;
        Ok(PyTrace::new(self.query.clone(), Some(board), trace))
    }

    /// The matches in an input: a path, a list of paths, or a binary file object. They come in the
    /// order of the games, or sorted if the query sorts.
    ///
    /// At most `limit` games match. With `variations`, variations are searched too. The search ends
    /// with `LimitError` after `timeout` seconds.
    ///
    /// >>> import babson, io
    /// >>> games = b'1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 *\n'
    /// >>> [found.game for found in babson.compile("mate").search(io.BytesIO(games))]
    /// [1]
    #[pyo3(signature = (input, *, limit=None, variations=false, timeout=None))]
    fn search(
        &self,
        py: Python<'_>,
        input: &Bound<'_, PyAny>,
        limit: Option<&Bound<'_, PyAny>>,
        variations: bool,
        timeout: Option<f64>,
    ) -> PyResult<PyMatches> {
        let (limit, timeout) = (self::limit(limit)?, work::timeout(timeout)?);
        let raised = Raised::default();
        let inputs = inputs::inputs(input, &raised)?;
        let query = match variations {
            false => self.query.clone(),
            true => self.source.compile(py, |builder| {
                builder.options(|options| options.variations = Some(true))
            })?,
        };
        let searched = query.clone();
        let running = Running::start(&raised, timeout, None, move |messages| {
            let mut task = Task::new(&searched).sink(matches::sink(messages));
            if let Some(limit) = limit {
                task = task.limit(limit);
            }
            Ok(Scan::of(inputs).task(task))
        })?;
        Ok(PyMatches::new(running, query))
    }

    /// Why the query matches in the game of this number or does not. The trace is of the position
    /// after `ply` plies; by default of the first match, or of the position nearest to one.
    ///
    /// >>> import babson, io
    /// >>> games = io.BytesIO(b'1. e4 e5 2. Qh5 Ke7 *\n')
    /// >>> why = babson.compile("check mate").why(games, game=1)
    /// >>> why.matched, why.trace.entries[0].text, why.trace.entries[0].verdict
    /// (False, 'check', 'no')
    #[pyo3(signature = (input, *, game, ply=None))]
    fn why(
        &self,
        py: Python<'_>,
        input: &Bound<'_, PyAny>,
        game: &Bound<'_, PyAny>,
        ply: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyWhy> {
        let game = number("game", 1, game)?;
        let ply = ply.map(|ply| number("ply", 0, ply)).transpose()?;
        let ply = ply.map(|ply| u32::try_from(ply).unwrap_or(u32::MAX));
        let raised = Raised::default();
        let inputs = inputs::inputs(input, &raised)?;
        let query = self.query.clone();
        let why =
            work::run(py, &raised, None, move |stop| query.with_stop(stop).why(inputs, game, ply))?;
        let why = why.map_err(errors::why_error)?;
        Ok(PyWhy::new(self.query.clone(), why))
    }

    /// What the query searches, in English.
    ///
    /// >>> import babson
    /// >>> print(babson.compile("mate").explain())
    /// Games with a position at which this holds:
    /// - the side to move is checkmated
    fn explain(&self) -> String {
        self.query.sentences().join("\n")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let QuerySource { text, dialect, variables, name } = &self.source;
        let values = PyDict::new(py);
        for (name, value) in variables {
            match value {
                VariableValue::Number(number) => values.set_item(name, number)?,
                VariableValue::Text(text) => values.set_item(name, text)?,
                // A kind that a later version of the library may add.
                _ => return Err(PyTypeError::new_err("a variable of this kind cannot be pickled")),
            }
        }
        let make = py.import("babson._babson")?.getattr("_compile_again")?;
        let dialect = dialect.map(|dialect| dialect.name());
        (make, (text, dialect, values, name)).into_pyobject(py)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<PyQuery>() else { return false };
        let (one, other) = (&self.source, &other.get().source);
        (&one.text, &one.dialect, &one.variables, &one.name)
            == (&other.text, &other.dialect, &other.variables, &other.name)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash as _, Hasher as _};
        let mut hasher = DefaultHasher::new();
        self.source.text.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        format!("<babson.Query {:?}>", self.title())
    }

    fn _repr_html_(&self) -> String {
        views::of_query(&self.query)
    }
}

/// Compiles the query of a pickle.
#[pyfunction]
pub(crate) fn _compile_again(
    py: Python<'_>,
    text: &str,
    dialect: Option<&str>,
    variables: &Bound<'_, PyDict>,
    name: Option<&str>,
) -> PyResult<PyQuery> {
    compile(py, text, dialect, Some(variables), name)
}
