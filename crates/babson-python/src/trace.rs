//! What the filters of a query did: traces, and why a query matches in a game or does not.

use babson::Query;
use babson::chess::{Position, Rules};
use babson::why::{GameWhy, Trace, TraceEntry};
use pyo3::prelude::*;

use crate::spans::CharSpans;
use crate::{value, views};

/// What each filter of a query did at a position. As a str it is a line for each filter.
#[pyclass(frozen, module = "babson", name = "Trace")]
pub(crate) struct PyTrace {
    query: Query,
    /// The board, if the trace is not of a game.
    board: Option<(Position, Rules)>,
    trace: Trace,
}

impl PyTrace {
    pub(crate) fn new(query: Query, board: Option<(Position, Rules)>, trace: Trace) -> PyTrace {
        PyTrace { query, board, trace }
    }
}

/// What a filter did at a position.
#[pyclass(frozen, module = "babson", name = "TraceEntry")]
pub(crate) struct PyTraceEntry {
    /// The text of the filter.
    #[pyo3(get)]
    text: String,
    /// Where it stands in the text of the query.
    #[pyo3(get)]
    span: (usize, usize),
    entry: TraceEntry,
}

impl PyTraceEntry {
    fn new(query: &Query, entry: &TraceEntry) -> PyTraceEntry {
        let text = query.text();
        let words: Vec<&str> = entry.span.text(text).split_whitespace().collect();
        let span = CharSpans::new(text).of(entry.span);
        PyTraceEntry { text: words.join(" "), span, entry: entry.clone() }
    }
}

#[pymethods]
impl PyTraceEntry {
    /// A few words for the kind of the filter.
    #[getter]
    fn label(&self) -> &str {
        &self.entry.label
    }

    /// The number of filters that it is an operand of.
    #[getter]
    fn depth(&self) -> u32 {
        self.entry.depth
    }

    /// "yes" if it matched, "no" if it did not, "not evaluated" if it was not reached.
    #[getter]
    fn verdict(&self) -> String {
        self.entry.verdict().to_string()
    }

    /// How often it was evaluated.
    #[getter]
    fn evaluated(&self) -> u64 {
        self.entry.evaluated
    }

    /// How often it matched.
    #[getter]
    fn matched(&self) -> u64 {
        self.entry.matched
    }

    /// Its value; `None` if it has none.
    #[getter]
    fn value(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.entry.value.as_ref().map(|value| value::to_python(py, value)).transpose()
    }

    fn __repr__(&self) -> String {
        format!("<babson.TraceEntry {:?}: {}>", self.text, self.entry.verdict())
    }
}

#[pymethods]
impl PyTrace {
    /// Whether the query matches at the position.
    #[getter]
    fn matched(&self) -> bool {
        self.trace.matched
    }

    /// The id of the position in its game; 0 for a board.
    #[getter]
    fn position(&self) -> u32 {
        self.trace.position
    }

    /// The filters, operands after the filter that they belong to.
    #[getter]
    fn entries(&self) -> Vec<PyTraceEntry> {
        self.trace.entries.iter().map(|entry| PyTraceEntry::new(&self.query, entry)).collect()
    }

    fn __str__(&self) -> String {
        self.trace.to_string().trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        let verdict = if self.trace.matched { "a match" } else { "no match" };
        format!("<babson.Trace {verdict}, filters: {}>", self.trace.entries.len())
    }

    fn _repr_html_(&self, py: Python<'_>) -> Option<String> {
        let board = self.board.as_ref()?;
        Some(py.detach(|| views::of_trace(&self.query, board, &self.trace)))
    }
}

/// Why a query matches in a game or does not. As a str it is the answer in words.
#[pyclass(frozen, module = "babson", name = "Why")]
pub(crate) struct PyWhy {
    query: Query,
    why: GameWhy,
}

impl PyWhy {
    pub(crate) fn new(query: Query, why: GameWhy) -> PyWhy {
        PyWhy { query, why }
    }
}

#[pymethods]
impl PyWhy {
    /// Whether a search finds the game.
    #[getter]
    fn matched(&self) -> bool {
        self.why.matched
    }

    /// The plies of the main line.
    #[getter]
    fn plies(&self) -> u32 {
        self.why.plies
    }

    /// The ids of the positions at which the query matches.
    #[getter]
    fn matches(&self) -> Vec<u32> {
        self.why.why.matches.clone()
    }

    /// What each filter did at one position.
    #[getter]
    fn trace(&self) -> PyTrace {
        PyTrace::new(self.query.clone(), None, self.why.why.trace.clone())
    }

    /// The entry of the trace that failed first; `None` if the query matches there.
    #[getter]
    fn failed(&self) -> Option<PyTraceEntry> {
        let entry = self.why.why.trace.entries.get(self.why.why.failed? as usize)?;
        Some(PyTraceEntry::new(&self.query, entry))
    }

    /// The FEN of the position of the trace.
    #[getter]
    fn fen(&self) -> Option<&str> {
        let id = self.why.why.trace.position;
        let mut positions = self.why.game.positions.iter();
        positions.find(|position| position.id == id).map(|position| position.fen.as_str())
    }

    /// The filters that failed first: for each its text, the number of positions at which it failed
    /// first, and the id of the first of them.
    #[getter]
    fn failures(&self) -> Vec<(String, u32, u32)> {
        let entries = &self.why.why.trace.entries;
        let failures = self.why.why.failures.iter().filter_map(|failure| {
            let entry = entries.get(failure.entry as usize)?;
            let text = PyTraceEntry::new(&self.query, entry).text;
            Some((text, failure.positions, failure.first))
        });
        failures.collect()
    }

    fn __str__(&self) -> String {
        let why = &self.why.why;
        let mut out = match why.matches.len() {
            0 => format!("the query matches at none of {} positions\n", why.positions),
            count => format!("the query matches at {count} of {} positions\n", why.positions),
        };
        out.push_str(&why.trace.to_string());
        for (text, positions, _) in self.failures() {
            out.push_str(&format!("fails first at {positions} positions: {text}\n"));
        }
        out.trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        let verdict = if self.why.matched { "a match" } else { "no match" };
        format!("<babson.Why game={}: {verdict}>", self.why.game.game)
    }

    fn _repr_html_(&self, py: Python<'_>) -> Option<String> {
        let board = babson::chess::fen::parse(self.fen()?).ok()?;
        Some(py.detach(|| views::of_trace(&self.query, &board, &self.why.why.trace)))
    }
}
