//! The scan of some rows of a table.

use std::ops::Range;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, RecordBatch, RecordBatchOptions};
use arrow::compute::{filter_record_batch, prep_null_mask_filter};
use arrow::datatypes::{Schema, SchemaRef};
use babson_input::chunk::game_text;
use babson_table::{Batch, ColumnSet, Table, TableError};
use datafusion::error::{DataFusionError, Result};
use datafusion::physical_plan::metrics::{
    BaselineMetrics, Count, ExecutionPlanMetricsSet, MetricBuilder,
};

use crate::columns::external;
use crate::evaluator::Evaluator;
use crate::plan::{CqlFilter, RowFilter, ScanPlan};

/// Iterator over the batches of SQL that some rows of a table give.
pub(crate) struct PartitionScan {
    plan: Arc<ScanPlan>,
    /// The rows that are not read yet.
    rows: Range<u64>,
    /// The most rows of a batch of SQL.
    batch_size: usize,
    /// The most rows that are still needed.
    needed: usize,
    /// The batch of the table that the next row is in, once it was reached.
    reading: Option<TableBatch>,
    metrics: ScanMetrics,
}

struct ScanMetrics {
    baseline: BaselineMetrics,
    /// Games whose moves were replayed.
    replayed: Count,
    /// Games that could not be read to their ends.
    damaged: Count,
}

/// A batch of the table. Its columns are read when they are first needed.
struct TableBatch {
    index: usize,
    /// The columns of the guard of each query.
    guards: Vec<Option<Batch>>,
    games: Option<Batch>,
    tested: Option<RecordBatch>,
    shown: Option<RecordBatch>,
}

/// Some rows of a batch of the table, a bit for each: the lowest bit of the first word first.
struct RowBits {
    words: Vec<u64>,
    len: usize,
}

impl PartitionScan {
    pub(crate) fn new(
        plan: Arc<ScanPlan>,
        rows: Range<u64>,
        batch_size: usize,
        metrics: &ExecutionPlanMetricsSet,
        partition: usize,
    ) -> PartitionScan {
        let metrics = ScanMetrics {
            baseline: BaselineMetrics::new(metrics, partition),
            replayed: MetricBuilder::new(metrics).counter("games_replayed", partition),
            damaged: MetricBuilder::new(metrics).counter("games_damaged", partition),
        };
        let needed = plan.limit.unwrap_or(usize::MAX);
        let batch_size = batch_size.max(1);
        PartitionScan { plan, rows, batch_size, needed, reading: None, metrics }
    }

    /// The rows of the next batch that has some; none at the end.
    fn next_batch(&mut self) -> Result<Option<RecordBatch>> {
        let elapsed = self.metrics.baseline.elapsed_compute().clone();
        let _timer = elapsed.timer();
        while self.rows.start < self.rows.end && self.needed > 0 {
            let plan = Arc::clone(&self.plan);
            let table = plan.table.open.table();
            let index = batch_of(table, self.rows.start);
            let (first, end) = (table.first_row(index), table.first_row(index + 1));
            let end = end.min(self.rows.end).min(self.rows.start + self.batch_size as u64);
            let rows = (self.rows.start - first) as usize..(end - first) as usize;
            self.rows.start = end;
            let mut reading = match self.reading.take() {
                Some(reading) if reading.index == index => reading,
                Some(_) | None => TableBatch::new(index, plan.queries.len()),
            };
            let found = self.rows_of(&plan, &mut reading, rows)?;
            self.reading = Some(reading);
            if let Some(mut found) = found {
                found = found.slice(0, found.num_rows().min(self.needed));
                self.needed -= found.num_rows();
                return Ok(Some(found));
            }
        }
        self.plan.table.open.check_unchanged().map_err(external)?;
        Ok(None)
    }

    /// The rows of a range of a batch that pass all conditions; none if there are none.
    fn rows_of(
        &self,
        plan: &ScanPlan,
        reading: &mut TableBatch,
        rows: Range<usize>,
    ) -> Result<Option<RecordBatch>> {
        let mut left = RowBits::all(rows.len());
        let mut decided = Vec::new();
        let first = plan.table.open.table().first_row(reading.index) + rows.start as u64 + 1;
        for (query, filter) in plan.queries.iter().enumerate() {
            if let Some((low, high)) = filter.query.game_range() {
                left.clear_unless(|row| (low..=high).contains(&(first + row as u64)));
            }
            let (open, known) = reading.guarded(plan, query, filter, &rows)?;
            left.keep(|word| open[word] | known.get(word).copied().unwrap_or_default());
            decided.push(known);
        }
        if left.is_empty() {
            return Ok(None);
        }
        if let Some(filter) = &plan.rows {
            reading.test(plan, filter, &rows, &mut left)?;
        }
        for (filter, decided) in plan.queries.iter().zip(&decided) {
            self.search(plan, reading, filter, decided, &rows, &mut left)?;
        }
        if left.is_empty() {
            return Ok(None);
        }
        let shown = reading.shown(plan)?.slice(rows.start, rows.len());
        Ok(Some(match left.is_all() {
            true => shown,
            false => filter_record_batch(&shown, &left.mask())?,
        }))
    }

    /// Keeps the rows whose games the query matches. The guard has decided some.
    fn search(
        &self,
        plan: &ScanPlan,
        reading: &mut TableBatch,
        filter: &CqlFilter,
        decided: &[u64],
        rows: &Range<usize>,
        left: &mut RowBits,
    ) -> Result<()> {
        let is_open = |word: usize| !decided.get(word).copied().unwrap_or_default();
        if (0..left.words.len()).all(|word| left.words[word] & is_open(word) == 0) {
            return Ok(());
        }
        let batch = reading.games(plan)?;
        let mut text = Vec::new();
        filter.query.with_evaluator(|evaluator| {
            for row in left.rows() {
                if is_open(row / 64) >> (row % 64) & 1 != 0
                    && !self.matches(filter, evaluator, batch, rows.start + row, &mut text)?
                {
                    left.words[row / 64] &= !(1 << (row % 64));
                }
            }
            Ok(())
        })
    }

    /// Whether the query matches in the game of a row.
    fn matches(
        &self,
        filter: &CqlFilter,
        evaluator: &mut Evaluator,
        batch: &Batch,
        row: usize,
        joined: &mut Vec<u8>,
    ) -> Result<bool> {
        let game = game_text(batch, row, joined);
        let number = batch.first_row() + row as u64 + 1;
        let answer = evaluator.answer(&game, number);
        let answer = answer
            .map_err(|error| DataFusionError::Execution(filter.query.blame(&error.message)))?;
        self.metrics.replayed.add(1);
        self.metrics.damaged.add(usize::from(answer.is_damaged));
        Ok(answer.matches == Some(true))
    }
}

impl Iterator for PartitionScan {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        let next = self.next_batch();
        match &next {
            Ok(Some(batch)) => self.metrics.baseline.record_output(batch.num_rows()),
            // Nothing is read after an error.
            Ok(None) | Err(_) => self.rows.start = self.rows.end,
        }
        next.transpose()
    }
}

/// The index of the batch that has a row.
fn batch_of(table: &Table, row: u64) -> usize {
    let (mut low, mut high) = (0, table.batches());
    while low < high {
        let middle = low + (high - low) / 2;
        if table.first_row(middle + 1) <= row { low = middle + 1 } else { high = middle }
    }
    low
}

impl TableBatch {
    fn new(index: usize, queries: usize) -> TableBatch {
        TableBatch { index, guards: vec![None; queries], games: None, tested: None, shown: None }
    }

    /// These columns of the batch.
    fn read(&self, plan: &ScanPlan, columns: ColumnSet) -> Result<Batch> {
        let open = &plan.table.open;
        let damaged = |source: TableError| external(open.damaged(source));
        open.table().batch(self.index, columns).map_err(damaged)
    }

    /// The rows that must be searched for a query, and those that match by the decision of its
    /// guard; no words if the guard decides nothing.
    fn guarded(
        &mut self,
        plan: &ScanPlan,
        query: usize,
        filter: &CqlFilter,
        rows: &Range<usize>,
    ) -> Result<(Vec<u64>, Vec<u64>)> {
        let batch = match self.guards[query].take() {
            Some(batch) => batch,
            None => self.read(plan, filter.guard.columns())?,
        };
        let open = &plan.table.open;
        let (guards, decides) = ([filter.query.guard()], [filter.query.is_decided()]);
        let selection = filter.guard.select(&guards, &decides, open.table(), &batch, rows);
        let mut selection = selection.map_err(|source| external(open.damaged(source)))?;
        self.guards[query] = Some(batch);
        Ok((selection.selected, selection.decided.pop().unwrap_or_default()))
    }

    /// Keeps the rows that pass a condition on their columns.
    fn test(
        &mut self,
        plan: &ScanPlan,
        filter: &RowFilter,
        rows: &Range<usize>,
        left: &mut RowBits,
    ) -> Result<()> {
        let tested = match self.tested.take() {
            Some(tested) => tested,
            None => {
                let schema = Arc::new(plan.table.schema.project(&filter.columns)?);
                self.records(plan, &filter.columns, &schema)?
            }
        };
        let mut some = tested.slice(rows.start, rows.len());
        self.tested = Some(tested);
        if !left.is_all() {
            some = filter_record_batch(&some, &left.mask())?;
        }
        let passes = filter.test.evaluate(&some)?.into_array(some.num_rows())?;
        let Some(passes) = passes.as_boolean_opt() else {
            return Err(DataFusionError::Internal("a condition is not boolean".to_owned()));
        };
        // What is not known is not true.
        let passes = match passes.null_count() {
            0 => passes.clone(),
            _ => prep_null_mask_filter(passes),
        };
        let mut passes = passes.values().iter();
        left.clear_unless(|_| passes.next() == Some(true));
        Ok(())
    }

    /// The columns of the games.
    fn games(&mut self, plan: &ScanPlan) -> Result<&Batch> {
        let games = match self.games.take() {
            Some(games) => games,
            None => self.read(plan, ColumnSet::GAME)?,
        };
        Ok(self.games.insert(games))
    }

    /// The columns that SQL asks for.
    fn shown(&mut self, plan: &ScanPlan) -> Result<&RecordBatch> {
        let shown = match self.shown.take() {
            Some(shown) => shown,
            None => self.records(plan, &plan.projection, &plan.schema)?,
        };
        Ok(self.shown.insert(shown))
    }

    /// Columns of the schema of the table, for all rows of the batch.
    fn records(
        &self,
        plan: &ScanPlan,
        columns: &[usize],
        schema: &SchemaRef,
    ) -> Result<RecordBatch> {
        let batch = self.read(plan, plan.table.file_columns(columns))?;
        let arrays = columns.iter().map(|&index| plan.table.array(index, &batch));
        let arrays = arrays.collect::<Result<Vec<ArrayRef>>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(batch.len()));
        let schema: Arc<Schema> = Arc::clone(schema);
        Ok(RecordBatch::try_new_with_options(schema, arrays, &options)?)
    }
}

impl RowBits {
    /// All of these many rows.
    fn all(len: usize) -> RowBits {
        let mut words = vec![!0; len.div_ceil(64)];
        if let Some(last) = words.last_mut().filter(|_| !len.is_multiple_of(64)) {
            *last = (1 << (len % 64)) - 1;
        }
        RowBits { words, len }
    }

    /// Leaves out the rows that do not pass.
    fn clear_unless(&mut self, mut passes: impl FnMut(usize) -> bool) {
        for row in self.rows() {
            if !passes(row) {
                self.words[row / 64] &= !(1 << (row % 64));
            }
        }
    }

    /// Keeps the rows of these words of bits.
    fn keep(&mut self, bits: impl Fn(usize) -> u64) {
        self.words.iter_mut().enumerate().for_each(|(index, word)| *word &= bits(index));
    }

    fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    fn is_all(&self) -> bool {
        self.words.iter().map(|word| word.count_ones() as usize).sum::<usize>() == self.len
    }

    /// The rows, ascending, as they are now.
    fn rows(&self) -> Vec<usize> {
        let is_set = |row: &usize| self.words[row / 64] >> (row % 64) & 1 != 0;
        (0..self.len).filter(is_set).collect()
    }

    fn mask(&self) -> BooleanArray {
        let is_set = |row: usize| self.words[row / 64] >> (row % 64) & 1 != 0;
        BooleanArray::from_iter((0..self.len).map(|row| Some(is_set(row))))
    }
}
