//! Matches: the iterator of a search, and what it gives.

use std::ops::ControlFlow;
use std::sync::mpsc::TrySendError;

use babson::matches::SortData;
use babson::sink::{Format, MatchText, MatchedGame, Omitted, TextSink};
use babson::{Query, SinkResult};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::limits::MATCHES_TOGETHER;
use crate::run::{FoundItems, Message, Running};
use crate::views;
use crate::work::Messages;

/// A match as it comes from the threads of a scan.
pub(crate) struct MatchRecord {
    row: babson::Match,
    pgn: Vec<u8>,
}

/// Writes a match for [`MatchRecord::read`].
struct RecordFormat;

impl Format for RecordFormat {
    fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> Omitted {
        // The row has no map but those with strings as keys.
        let row = serde_json::to_vec(&matched.row()).unwrap_or_default();
        out.bytes().extend_from_slice(&(row.len() as u64).to_le_bytes());
        out.bytes().extend_from_slice(&row);
        matched.append_pgn(out.bytes())
    }
}

impl MatchRecord {
    fn read(text: &[u8]) -> SinkResult<MatchRecord> {
        let (length, text) = text.split_first_chunk().ok_or("a match without a length")?;
        let length = usize::try_from(u64::from_le_bytes(*length))?;
        let (row, pgn) = text.split_at_checked(length).ok_or("a match that is too short")?;
        Ok(MatchRecord { row: serde_json::from_slice(row)?, pgn: pgn.to_vec() })
    }
}

/// The sink that sends matches, some at a time.
pub(crate) fn sink(messages: Messages<Message<MatchRecord>>) -> TextSink {
    let mut waiting = Waiting { messages, records: Vec::new() };
    TextSink::new("the iterator of matches", RecordFormat, move |text| {
        waiting.records.push(MatchRecord::read(text)?);
        Ok(waiting.send_if_enough())
    })
}

/// Matches on their way to Python: as many together as come while Python is busy.
struct Waiting {
    messages: Messages<Message<MatchRecord>>,
    records: Vec<MatchRecord>,
}

impl Waiting {
    /// Sends the matches if they are taken now, or if they are many.
    fn send_if_enough(&mut self) -> ControlFlow<()> {
        let records = std::mem::take(&mut self.records);
        if records.len() >= MATCHES_TOGETHER {
            return match self.messages.send(Message::Found(records)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            };
        }
        match self.messages.try_send(Message::Found(records)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(TrySendError::Full(Message::Found(records))) => {
                self.records = records;
                ControlFlow::Continue(())
            }
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => ControlFlow::Break(()),
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if !self.records.is_empty() {
            // Whether anybody takes them makes no difference any more.
            let _ = self.messages.send(Message::Found(std::mem::take(&mut self.records)));
        }
    }
}

/// A game that matched.
///
/// >>> import babson, io
/// >>> games = io.BytesIO(b'[White "Adams"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n')
/// >>> found = next(babson.compile("mate").search(games))
/// >>> found.game, found.tags["White"], found.moves
/// (1, 'Adams', ['2...Qh4#'])
#[pyclass(frozen, module = "babson", name = "Match")]
pub(crate) struct PyMatch {
    row: babson::Match,
    pgn: Vec<u8>,
    /// What found it, for its page.
    query: Query,
}

impl PyMatch {
    pub(crate) fn new(record: MatchRecord, query: Query) -> PyMatch {
        PyMatch { row: record.row, pgn: record.pgn, query }
    }

    fn comment_at(&self, id: u32) -> Option<String> {
        let first = self.row.comments.partition_point(|comment| comment.id < id);
        let comments = self.row.comments[first..].iter().take_while(|comment| comment.id == id);
        let texts: Vec<&str> = comments.map(|comment| comment.text.as_str()).collect();
        (!texts.is_empty()).then(|| texts.join("; "))
    }
}

#[pymethods]
impl PyMatch {
    /// The number of the game, from 1 over all inputs.
    #[getter]
    fn game(&self) -> u64 {
        self.row.game
    }

    /// The name of the input.
    #[getter]
    fn input(&self) -> &str {
        &self.row.origin.input
    }

    /// The number of the game in its input, from 1.
    #[getter]
    fn number(&self) -> u64 {
        self.row.origin.number
    }

    /// The offset of the game in its input, in bytes of text.
    #[getter]
    fn offset(&self) -> u64 {
        self.row.origin.offset
    }

    /// The tags of the game, by name.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        for (name, value) in &self.row.tags {
            // The first tag of a name counts, as in filters.
            if !tags.contains(name)? {
                tags.set_item(name, value)?;
            }
        }
        Ok(tags)
    }

    /// The matching positions.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for position in &self.row.positions {
            list.append(Py::new(
                py,
                PyMatchedPosition {
                    id: position.id,
                    ply: position.ply,
                    fen: position.fen.clone(),
                    played: text_if_any(&position.mv),
                    next: text_if_any(&position.next),
                    comment: self.comment_at(position.id),
                },
            )?)?;
        }
        Ok(list)
    }

    /// The FENs of the matching positions.
    #[getter]
    fn fens(&self) -> Vec<&str> {
        self.row.positions.iter().map(|position| position.fen.as_str()).collect()
    }

    /// The moves before the matching positions, such as `12...Nf6`; `None` for the initial
    /// position.
    #[getter]
    fn moves(&self) -> Vec<Option<&str>> {
        let moves = self.row.positions.iter().map(|position| position.mv.as_str());
        moves.map(|mv| Some(mv).filter(|mv| !mv.is_empty())).collect()
    }

    /// The comments that the query added, in the order of their positions.
    #[getter]
    fn comments(&self) -> Vec<&str> {
        self.row.comments.iter().map(|comment| comment.text.as_str()).collect()
    }

    /// The values of the sort keys of the query, by name.
    #[getter]
    fn sort<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let sort = PyDict::new(py);
        for entry in &self.row.sort {
            sort.set_item(&entry.name, entry.value.as_ref().map(data))?;
        }
        Ok(sort)
    }

    /// The values that the filter `field` recorded: for each, the id of its position, its name and
    /// its value.
    #[getter]
    fn fields(&self) -> Vec<(u32, &str, Data<'_>)> {
        let fields = self.row.fields.iter();
        fields.map(|field| (field.id, field.name.as_str(), data(&field.value))).collect()
    }

    /// The game with the comments and tags that the query added, as PGN.
    fn pgn(&self) -> String {
        let text = babson::pgn::tags::decode(&self.pgn);
        // Between two games of a file there is an empty line.
        format!("{}\n", text.trim_end())
    }

    fn __repr__(&self) -> String {
        let tag = |name| self.row.tag(name).unwrap_or("?");
        format!(
            "<babson.Match game={} {:?} - {:?}, positions: {}>",
            self.row.game,
            tag("White"),
            tag("Black"),
            self.row.positions.len()
        )
    }

    fn _repr_html_(&self, py: Python<'_>) -> String {
        py.detach(|| views::of_match(&self.query, &self.row, &self.pgn))
    }
}

fn text_if_any(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// A number or a text.
#[derive(IntoPyObject)]
enum Data<'d> {
    Number(i32),
    Text(&'d str),
}

fn data(value: &SortData) -> Data<'_> {
    match value {
        SortData::Number(number) => Data::Number(*number),
        SortData::Text(text) => Data::Text(text),
    }
}

/// A matching position.
#[pyclass(frozen, module = "babson", name = "MatchedPosition")]
pub(crate) struct PyMatchedPosition {
    /// Its id in the game; 0 is the initial position.
    #[pyo3(get)]
    id: u32,
    /// The plies before it.
    #[pyo3(get)]
    ply: u32,
    /// Its FEN.
    #[pyo3(get)]
    fen: String,
    played: Option<String>,
    /// The move that was played in it, with its number; `None` at the end of the game.
    #[pyo3(get)]
    next: Option<String>,
    /// The comments of the query at it, with `; ` between them.
    #[pyo3(get)]
    comment: Option<String>,
}

#[pymethods]
impl PyMatchedPosition {
    /// The move before it with its number, such as `12...Nf6`.
    #[getter(r#move)]
    fn played(&self) -> Option<&str> {
        self.played.as_deref()
    }

    /// The same move without its number, such as `Nf6`.
    #[getter]
    fn san(&self) -> Option<&str> {
        self.played.as_deref().map(|mv| mv.rsplit('.').next().unwrap_or(mv))
    }

    fn __repr__(&self) -> String {
        format!("<babson.MatchedPosition ply={} fen={:?}>", self.ply, self.fen)
    }
}

/// The matches of a search, in the order of the games, or as the query sorts them.
///
/// The search runs on threads of its own while the matches are taken. It ends early by `close()`,
/// or at the end of a `with` block.
#[pyclass(module = "babson", name = "Matches")]
pub(crate) struct PyMatches {
    found: FoundItems<MatchRecord>,
    query: Query,
}

impl PyMatches {
    pub(crate) fn new(running: Running<MatchRecord>, query: Query) -> PyMatches {
        PyMatches { found: FoundItems::new(running), query }
    }
}

#[pymethods]
impl PyMatches {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<PyMatch>> {
        let record = self.found.next(py)?;
        Ok(record.map(|record| PyMatch::new(record, self.query.clone())))
    }

    /// How many games were searched; `None` before the end.
    #[getter]
    fn games(&self) -> Option<u64> {
        self.found.games()
    }

    /// Ends the search.
    fn close(&mut self, py: Python<'_>) {
        self.found.close(py);
    }

    fn __enter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __exit__(
        &mut self,
        py: Python<'_>,
        _kind: &Bound<'_, PyAny>,
        _error: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) {
        self.close(py);
    }
}
