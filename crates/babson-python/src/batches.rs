//! Games in columns of Arrow: `babson.search_batches`.
//!
//! A batch of games comes in, from Spark, Dask, Ray or any other engine, and a batch of matching
//! positions goes out: the columns of the games but their moves, then the columns of the match.

use std::sync::Arc;

use arrow_array::builder::{Int32Builder, StringBuilder};
use arrow_array::{Array as _, ArrayRef, RecordBatch, UInt32Array};
use arrow_schema::{Field, Schema};
use arrow_select::take::take;
use babson::Query;
use babson::pgn::Reader;
use pyo3::prelude::*;
use pyo3::types::PyIterator;

use crate::capsules;
use crate::errors::{arrow_error, runtime_error};
use crate::game_text::{GameColumns, MOVES};
use crate::query::PyQuery;
use crate::run::warn;
use crate::table::PyBatch;
use crate::work::{self, Raised};

/// The columns of a match: the ply of the position, the moves before and after it, its FEN, and the
/// comments of the query at it.
const MATCH_COLUMNS: [&str; 5] = ["ply", "move", "next", "fen", "comment"];

/// Searches games that are rows of Arrow record batches, and gives batches of matching positions.
///
/// A batch is a record batch or a table of any library with Arrow. A game is in the column
/// `movetext` (PGN, with or without tags) or `moves` (texts of SAN or UCI moves, or lists of them).
/// Columns with the names of tags, such as `white` or `WhiteElo`, are tags for the query. The rows
/// that come out are matching positions, with all columns of their game but the moves, and `ply`,
/// `move`, `next`, `fen` and `comment`; a name that the games have too gets the prefix `match_`.
/// Batches of pyarrow come out as batches of pyarrow, as Spark's `mapInArrow` wants them.
#[pyfunction]
pub(crate) fn search_batches(
    query: &Bound<'_, PyAny>,
    batches: &Bound<'_, PyAny>,
) -> PyResult<PyBatchSearch> {
    let query = PyQuery::of(query)?.query;
    let batches = batches.try_iter()?.unbind();
    Ok(PyBatchSearch { query, batches, ready: Vec::new().into_iter(), pyarrow: false, damaged: 0 })
}

/// The batches of matches of `search_batches`.
#[pyclass(module = "babson", name = "BatchSearch")]
pub(crate) struct PyBatchSearch {
    query: Query,
    batches: Py<PyIterator>,
    ready: std::vec::IntoIter<RecordBatch>,
    /// Whether the batches that are ready come from pyarrow.
    pyarrow: bool,
    damaged: u64,
}

#[pymethods]
impl PyBatchSearch {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        loop {
            if let Some(batch) = self.ready.next() {
                let query = self.query.clone();
                let searched = work::run(py, &Raised::default(), None, move |stop| {
                    BatchSearch::new(&query.with_stop(stop)).search(&batch)
                })?;
                let (found, damaged) = searched?;
                self.damaged += damaged;
                let found = Bound::new(py, PyBatch(found))?.into_any();
                return Ok(Some(match self.pyarrow {
                    true => py.import("pyarrow")?.call_method1("record_batch", (found,))?,
                    false => found,
                }));
            }
            let Some(next) = self.batches.bind(py).clone().next() else {
                let damaged = std::mem::take(&mut self.damaged);
                if damaged > 0 {
                    warn(py, &format!("damaged games: {damaged}, searched up to the damage"))?;
                }
                return Ok(None);
            };
            let next = next?;
            let module: String = next.get_type().module()?.extract()?;
            self.pyarrow = module.split('.').next() == Some("pyarrow");
            self.ready = capsules::batches(&next)?.into_iter();
        }
    }
}

/// The search of a batch.
struct BatchSearch<'q> {
    query: &'q Query,
    /// The row of the game of each matching position.
    rows: Vec<u32>,
    plies: Int32Builder,
    /// The other columns of [`MATCH_COLUMNS`].
    texts: [StringBuilder; 4],
    damaged: u64,
}

impl<'q> BatchSearch<'q> {
    fn new(query: &'q Query) -> BatchSearch<'q> {
        let texts = std::array::from_fn(|_| StringBuilder::new());
        BatchSearch { query, rows: Vec::new(), plies: Int32Builder::new(), texts, damaged: 0 }
    }

    /// The matches of a batch, and the number of its damaged games.
    fn search(mut self, batch: &RecordBatch) -> PyResult<(RecordBatch, u64)> {
        let games = GameColumns::of(batch)?;
        let mut matcher = self.query.matcher();
        let mut reader = Reader::new();
        let mut text = Vec::new();
        let needs = self.query.needs();
        for row in 0..batch.num_rows() {
            if !games.write(row, &mut text) {
                continue;
            }
            let game = reader.read(&text, needs);
            self.damaged += u64::from(game.damage().is_some());
            let number = row as u64 + 1;
            let hit = matcher.run_as(&game, number).map_err(|error| runtime_error(&error))?;
            let Some(hit) = hit else { continue };
            let found = hit.row();
            let comment = |id: u32| {
                let comments = found.comments.iter().filter(|comment| comment.id == id);
                comments.map(|comment| comment.text.as_str()).collect::<Vec<_>>().join("; ")
            };
            for position in &found.positions {
                self.rows.push(row as u32);
                self.plies.append_value(i32::try_from(position.ply).unwrap_or(i32::MAX));
                let comment = comment(position.id);
                let cells = [&position.mv, &position.next, &position.fen, &comment];
                for (column, cell) in self.texts.iter_mut().zip(cells) {
                    column.append_option(Some(cell).filter(|cell| !cell.is_empty()));
                }
            }
        }
        Ok((self.finish(batch)?, self.damaged))
    }

    fn finish(&mut self, batch: &RecordBatch) -> PyResult<RecordBatch> {
        let rows = UInt32Array::from(std::mem::take(&mut self.rows));
        let (mut fields, mut columns) = (Vec::new(), Vec::<ArrayRef>::new());
        for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
            if !MOVES.contains(&field.name().as_str()) {
                fields.push(Arc::clone(field));
                columns.push(take(column, &rows, None).map_err(arrow_error)?);
            }
        }
        let plies: ArrayRef = Arc::new(self.plies.finish());
        let texts = self.texts.iter_mut().map(|text| Arc::new(text.finish()) as ArrayRef);
        for (name, column) in MATCH_COLUMNS.into_iter().zip(std::iter::once(plies).chain(texts)) {
            let is_taken = fields.iter().any(|field| field.name() == name);
            let name = if is_taken { format!("match_{name}") } else { name.to_owned() };
            fields.push(Arc::new(Field::new(name, column.data_type().clone(), true)));
            columns.push(column);
        }
        let schema = Arc::new(Schema::new(fields));
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(rows.len()));
        RecordBatch::try_new_with_options(schema, columns, &options).map_err(arrow_error)
    }
}
