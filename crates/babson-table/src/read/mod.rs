//! Reading a table.

mod columns;
#[cfg(test)]
mod for_tests;
mod lists;
mod opening;
mod rows;

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, StringArray};
use arrow_ipc::MetadataVersion;
use arrow_ipc::reader::RecordBatchDecoder;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use bytes::Bytes;

use crate::batch::{Batch, Results, Texts};
use crate::compression::Compression;
use crate::error::TableError;
use crate::frame::{BlockFrame, END, Frame};
use crate::layout::Layout;
use crate::limits::SUMMED_ROWS;
use crate::row_sums::{self, RowSums};
use crate::schema::{COLUMNS, Column, ColumnSet, TextForm};
use crate::source::TableSource;

/// A block of a table.
#[derive(Clone, Copy)]
enum BlockId {
    /// The dictionary with this index.
    Texts(usize),
    /// The batch with this index.
    Batch(usize),
}

/// Which rows of columns are read.
#[derive(Clone, Copy)]
enum ReadRows<'r> {
    /// All. Whole columns are tested against their checksums.
    All,
    /// All, but [`Table::check_rows`] tests those that have checksums of rows.
    CheckedLater,
    /// Those with a bit, if the table is not in memory: bit `i` of word `w` is row `64 * w + i`.
    /// [`Table::check_rows`] tests them.
    Selected(&'r [u64]),
}

/// A table that was opened. Cheap to copy; several threads can read batches at once.
///
/// ```
/// use babson_table::{Table, TableError};
/// let error = Table::open(b"[Event \"?\"]"[..].into()).err();
/// assert_eq!(error, Some(TableError::NotArrow));
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    source: Arc<dyn TableSource>,
    frame: Arc<Frame>,
    /// Arrow's schema with numbers in place of dictionaries. It has perhaps more columns than ours.
    schema: SchemaRef,
    /// Where its columns are in a batch.
    layout: Arc<Layout>,
    /// The names of the columns with numbered texts, in the order of their dictionaries.
    numbered: Arc<[String]>,
    forms: [TextForm; 9],
    /// The index of the first row of each batch, and the number of all rows.
    first_rows: Arc<[u64]>,
    /// The checksums of rows, if the table has them.
    row_sums: Option<Arc<RowSums>>,
    writer: Arc<str>,
    results: Results,
    rewritten: bool,
}

impl Table {
    /// The table as one that another program has written anew.
    pub(crate) fn into_rewritten(self) -> Table {
        Table { rewritten: true, ..self }
    }

    /// The number of games.
    pub fn len(&self) -> u64 {
        self.first_rows[self.batches()]
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of batches.
    pub fn batches(&self) -> usize {
        self.frame.batches.len()
    }

    /// The index of the first row of a batch. For the index after the last batch, the number of
    /// games.
    ///
    /// # Panics
    /// If the index is greater than the number of batches.
    pub fn first_row(&self, batch: usize) -> u64 {
        self.first_rows[batch]
    }

    /// The program that wrote the table.
    pub fn writer(&self) -> &str {
        &self.writer
    }

    /// Returns true if another program has written the table anew, without checksums. Then this
    /// table is a copy in memory, which [`open`](Table::open) has packed from the games.
    pub fn is_rewritten(&self) -> bool {
        self.rewritten
    }

    /// Returns the distinct texts of a column. Each call decodes them again, so a caller that needs
    /// them for several batches should keep them.
    ///
    /// # Errors
    /// The texts are damaged.
    pub fn texts(&self, column: Column) -> Result<Texts, TableError> {
        let at = Column::TEXTS.iter().position(|text| *text == column);
        let is_numbered = at.is_some_and(|at| self.forms[at] == TextForm::Numbered);
        let before = &self.forms[..at.unwrap_or_default()];
        let id = before.iter().filter(|form| **form == TextForm::Numbered).count();
        if !is_numbered || id >= self.frame.dictionaries.len() {
            let values = Arc::new(StringArray::from(Vec::<&str>::new()));
            return Ok(Texts { values, numbered: is_numbered });
        }
        let schema = Arc::new(Schema::new(vec![Field::new("", DataType::Utf8, true)]));
        let batch = self.decode(BlockId::Texts(id), schema, &[0], ReadRows::All)?;
        let values = batch.column(0).as_string::<i32>().clone();
        if values.null_count() > 0 {
            let error = TableError::damaged("one of them is null");
            return Err(error.within(self.name(BlockId::Texts(id))));
        }
        Ok(Texts { values: Arc::new(values), numbered: true })
    }

    /// Reads columns of a batch and tests them against their checksums. Columns of a table without
    /// compression are not copied.
    ///
    /// # Errors
    /// The columns are damaged.
    ///
    /// # Panics
    /// If the index is not less than the number of batches.
    pub fn batch(&self, index: usize, columns: ColumnSet) -> Result<Batch, TableError> {
        self.batch_with(index, columns, ReadRows::All)
    }

    /// Like [`batch`](Table::batch), but leaves the tags, moves and texts of moves of each row to
    /// [`check_rows`](Table::check_rows), if the table has checksums of rows.
    ///
    /// # Errors
    /// The columns are damaged.
    ///
    /// # Panics
    /// If the index is not less than the number of batches.
    pub fn batch_of_rows(&self, index: usize, columns: ColumnSet) -> Result<Batch, TableError> {
        self.batch_with(index, columns, ReadRows::CheckedLater)
    }

    /// Tests rows of a batch of [`batch_of_rows`](Table::batch_of_rows) against their checksums.
    /// The rows ascend. What is read of other rows may be damaged.
    ///
    /// # Errors
    /// A row is damaged.
    ///
    /// # Panics
    /// If the batch is of another table, or does not have one of the rows.
    pub fn check_rows(
        &self,
        batch: &Batch,
        rows: impl IntoIterator<Item = usize>,
    ) -> Result<(), TableError> {
        let Some(sums) = &self.row_sums else { return Ok(()) };
        let index = self.first_rows.partition_point(|first| *first <= batch.first) - 1;
        let mut tested = 0..0;
        for row in rows {
            if tested.contains(&row) {
                continue;
            }
            let place = row / SUMMED_ROWS;
            tested = row_sums::rows_of(place, batch.rows);
            for column in row_sums::COLUMNS {
                let Some(array) = &batch.arrays[column.index()] else { continue };
                let sum = row_sums::sum(array, tested.clone());
                if sums.items(index, column, place) != Some(sum) {
                    return Err(self.wrong_sum(BlockId::Batch(index), column.index()));
                }
            }
        }
        Ok(())
    }

    /// Like [`batch`](Table::batch), but the caller looks at these rows only: bit `i` of word `w`
    /// is row `64 * w + i`. If the table is not in memory and has checksums of rows, the moves,
    /// tags and texts of these rows are read with those that share their checksums, and tested
    /// against them. The moves, tags and texts of other rows are zeros then.
    ///
    /// # Errors
    /// The columns are damaged, or their bytes cannot be read.
    ///
    /// # Panics
    /// If the index is not less than the number of batches.
    pub fn batch_rows(
        &self,
        index: usize,
        columns: ColumnSet,
        rows: &[u64],
    ) -> Result<Batch, TableError> {
        let batch = self.batch_with(index, columns, ReadRows::Selected(rows))?;
        if !self.source.is_in_memory() {
            let groups = rows.iter().enumerate().filter(|(_, word)| **word != 0);
            let firsts = groups.map(|(group, _)| group * SUMMED_ROWS);
            self.check_rows(&batch, firsts.take_while(|row| *row < batch.len()))?;
        }
        Ok(batch)
    }

    fn batch_with(
        &self,
        index: usize,
        columns: ColumnSet,
        rows: ReadRows<'_>,
    ) -> Result<Batch, TableError> {
        let indices: Vec<usize> = columns.iter().map(Column::index).collect();
        let decoded = self.decode(BlockId::Batch(index), self.schema.clone(), &indices, rows)?;
        let mut arrays: Vec<Option<ArrayRef>> = vec![None; COLUMNS.len()];
        for (index, array) in indices.into_iter().zip(decoded.columns()) {
            arrays[index] = Some(array.clone());
        }
        Ok(Batch {
            rows: decoded.num_rows(),
            first: self.first_rows[index],
            arrays,
            results: self.results.clone(),
        })
    }

    /// A block of the file as it is: its metadata, its body and where they are.
    pub(crate) fn block_of_batch(
        &self,
        index: usize,
    ) -> Result<(Bytes, Bytes, &BlockFrame), TableError> {
        let frame = &self.frame.batches[index];
        let [metadata, body] = self.read([frame.metadata.clone(), frame.body.clone()])?;
        Ok((metadata, body, frame))
    }

    /// The digits of the checksums of the rows of a batch, if the table has them.
    pub(crate) fn row_digits(&self, index: usize) -> Option<&str> {
        self.row_sums.as_ref()?.digits(index)
    }

    /// All columns of a batch, with numbers in place of texts.
    pub(crate) fn stored_batch(&self, index: usize) -> Result<RecordBatch, TableError> {
        let columns: Vec<usize> = (0..self.layout.columns()).collect();
        self.decode(BlockId::Batch(index), self.schema.clone(), &columns, ReadRows::All)
    }

    /// The forms of the columns of [`Column::TEXTS`].
    pub(crate) fn forms(&self) -> &[TextForm; 9] {
        &self.forms
    }

    /// Returns true if the table has more columns than [`COLUMNS`], as a table of matches has.
    pub fn has_other_columns(&self) -> bool {
        self.layout.columns() > COLUMNS.len()
    }

    /// How the table is compressed. A table without games is not.
    ///
    /// # Errors
    /// The first batch is damaged.
    pub fn compression(&self) -> Result<Compression, TableError> {
        if self.frame.batches.is_empty() {
            return Ok(Compression::None);
        }
        self.with_columns(BlockId::Batch(0), &[], ReadRows::All, |header, _| {
            Ok(match header.compression() {
                None => Compression::None,
                Some(_) => Compression::Zstd,
            })
        })
    }

    /// Returns true if all bytes of the table are in memory or mapped: see [`TableSource`].
    pub fn is_in_memory(&self) -> bool {
        self.source.is_in_memory()
    }

    /// Bytes that identify a batch, for instance for a checksum: the bytes of the batch or, if the
    /// table is not in memory, their checksums.
    ///
    /// # Panics
    /// If the index is not less than the number of batches.
    pub fn batch_identity(&self, index: usize) -> Bytes {
        self.identity(&self.frame.batches[index])
    }

    /// Bytes that identify the texts of each column that has numbers of texts, as
    /// [`batch_identity`](Table::batch_identity) does a batch.
    pub fn dictionary_identities(&self) -> impl Iterator<Item = Bytes> {
        self.frame.dictionaries.iter().map(|block| self.identity(block))
    }

    fn identity(&self, block: &BlockFrame) -> Bytes {
        if self.source.is_in_memory() {
            // The block is within the file.
            return self.read([block.body.clone()]).map_or(Bytes::new(), |[body]| body);
        }
        let sums = &block.sums;
        let sums = [sums.rows, sums.metadata].into_iter().chain(sums.columns.iter().copied());
        sums.flat_map(u32::to_le_bytes).collect()
    }

    fn block(&self, id: BlockId) -> &BlockFrame {
        match id {
            BlockId::Texts(dictionary) => &self.frame.dictionaries[dictionary],
            BlockId::Batch(index) => &self.frame.batches[index],
        }
    }

    /// The name of a block in messages.
    fn name(&self, id: BlockId) -> String {
        match id {
            BlockId::Texts(dictionary) => {
                let column = self.numbered.get(dictionary).map_or("a column", String::as_str);
                format!("the texts of {column}")
            }
            BlockId::Batch(index) => {
                let (first, end) = (self.first_row(index) + 1, self.first_row(index + 1));
                format!("batch {} (rows {first} to {end})", index + 1)
            }
        }
    }

    /// The columns of a block with these indices.
    fn decode(
        &self,
        id: BlockId,
        schema: SchemaRef,
        columns: &[usize],
        rows: ReadRows<'_>,
    ) -> Result<RecordBatch, TableError> {
        let is_batch = matches!(id, BlockId::Batch(_));
        self.with_columns(id, columns, rows, |header, body| {
            let list = |column| {
                is_batch.then(|| lists::column(&schema, &self.layout, &header, &body, column))?
            };
            let lists: Vec<Option<ArrayRef>> = columns.iter().copied().map(list).collect();
            let others = columns.iter().zip(&lists).filter(|(_, list)| list.is_none());
            let others: Vec<usize> = others.map(|(column, _)| *column).collect();
            let (none, version) = (HashMap::new(), MetadataVersion::V5);
            let decoded =
                RecordBatchDecoder::try_new(&body, header, Arc::clone(&schema), &none, &version)
                    .map(|decoder| decoder.with_projection(Some(&others)))
                    .and_then(RecordBatchDecoder::read_record_batch);
            let all = decoded.and_then(|decoded| {
                let mut others = decoded.columns().iter().cloned();
                let arrays = lists.into_iter().filter_map(|list| list.or_else(|| others.next()));
                let rows = RecordBatchOptions::new().with_row_count(Some(decoded.num_rows()));
                let schema = Arc::new(schema.project(columns)?);
                RecordBatch::try_new_with_options(schema, arrays.collect(), &rows)
            });
            all.map_err(|_| {
                TableError::damaged("what its columns hold does not fit").within(self.name(id))
            })
        })
    }

    /// The error of a column whose bytes do not have their checksum.
    fn wrong_sum(&self, id: BlockId, column: usize) -> TableError {
        let reason = match id {
            BlockId::Texts(_) => "they do not have their checksum".to_owned(),
            BlockId::Batch(_) => {
                let name = self.schema.field(column).name();
                format!("the column {name} does not have its checksum")
            }
        };
        TableError::Damaged(reason).within(self.name(id))
    }

    /// The checksum of the bytes of a column of a block before the items of its rows, if its rows
    /// have checksums.
    fn head_sum(&self, id: BlockId, column: usize) -> Option<u32> {
        match id {
            BlockId::Texts(_) => None,
            BlockId::Batch(batch) => {
                let of_rows =
                    row_sums::COLUMNS.into_iter().find(|of_rows| of_rows.index() == column);
                self.row_sums.as_ref()?.head(batch, of_rows?)
            }
        }
    }

    /// Tests the metadata of a block, and the columns with these indices, against their checksums.
    fn check(
        &self,
        id: BlockId,
        columns: impl IntoIterator<Item = usize>,
    ) -> Result<(), TableError> {
        let columns: Vec<usize> = columns.into_iter().collect();
        self.with_columns(id, &columns, ReadRows::All, |_, _| Ok(()))
    }

    /// Tests the whole file against its checksums, and checks that the columns of games can be read
    /// and fit each other.
    ///
    /// # Errors
    /// Something is damaged.
    pub fn verify(&self) -> Result<(), TableError> {
        let differs =
            |what: &str| TableError::Damaged(format!("{what} does not have its checksum"));
        let [head, end] = self.read([self.frame.head.clone(), self.frame.end.clone()])?;
        if crc32fast::hash(&head) != self.frame.head_sum {
            return Err(differs("its head"));
        }
        if end[..] != END {
            return Err(TableError::damaged("the end of its batches is not marked"));
        }
        // All dictionaries, also the dictionary of the name of a query, which nothing reads.
        for dictionary in 0..self.frame.dictionaries.len() {
            self.check(BlockId::Texts(dictionary), [0])?;
        }
        let mut lengths = [0; 9];
        for (length, column) in lengths.iter_mut().zip(Column::TEXTS) {
            *length = self.texts(column)?.len();
        }
        for index in 0..self.batches() {
            self.check(BlockId::Batch(index), COLUMNS.len()..self.layout.columns())?;
            let batch = self.batch(index, ColumnSet::ALL)?;
            self.check_rows(&batch, 0..batch.len())?;
            let damaged = |reason: String| {
                TableError::Damaged(reason).within(self.name(BlockId::Batch(index)))
            };
            for (column, length) in Column::TEXTS.into_iter().zip(lengths) {
                let in_range = |numbers: crate::TextNumbers<'_>| {
                    (0..batch.len())
                        .all(|row| numbers.get(row).is_none_or(|number| number < length))
                };
                if !batch.text_numbers(column).is_none_or(in_range) {
                    let name = column.name();
                    return Err(damaged(format!("{name} has a number of no text")));
                }
            }
            for (row, &plies) in batch.plies().iter().enumerate() {
                let moves = batch.moves(row).map(<[u16]>::len);
                let complete = moves.is_some() || batch.movetext(row).is_some();
                if !complete || moves.is_some_and(|moves| moves != usize::from(plies)) {
                    return Err(damaged(format!("its row {} lacks moves", row + 1)));
                }
            }
        }
        Ok(())
    }
}
