//! Reading a table.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_buffer::Buffer;
use arrow_ipc::MetadataVersion;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::RecordBatchDecoder;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use bytes::Bytes;

use crate::batch::{Batch, Texts};
use crate::error::TableError;
use crate::frame::{BlockFrame, END, Frame, add_widths, footer, footer_range};
use crate::schema::{COLUMNS, Column, ColumnSet, TextForm, field, keys};

/// The widths of the buffers of a dictionary: validity, offsets, bytes.
const TEXT_WIDTHS: [usize; 3] = [1, 4, 1];

/// A table that was opened. Cheap to copy; several threads can read batches at once.
///
/// ```
/// use babson_table::{Table, TableError};
/// let error = Table::open(b"[Event \"?\"]"[..].into()).err();
/// assert_eq!(error, Some(TableError::NotArrow));
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    bytes: Buffer,
    frame: Arc<Frame>,
    /// Arrow's schema with numbers in place of dictionaries. It has perhaps more columns than ours.
    schema: SchemaRef,
    /// The widths of the items of its buffers.
    widths: Arc<[usize]>,
    forms: [TextForm; 9],
    /// The index of the first row of each batch, and the number of all rows.
    first_rows: Arc<[u64]>,
    writer: Arc<str>,
    results: Texts,
}

impl Table {
    /// Opens a table from the bytes of its file, which may be mapped. Reads only the footer.
    ///
    /// # Errors
    /// The bytes are not those of a whole table that this program can read.
    pub fn open(bytes: Bytes) -> Result<Table, TableError> {
        let bytes = Buffer::from(bytes);
        let range = footer_range(&bytes)?;
        let (footer, checksums) = footer(&bytes[range.clone()])?;
        let frame = Frame::of(&footer, checksums, range.start)?;
        let schema = footer.schema().ok_or(TableError::damaged("it has no schema"))?;
        let schema = try_fb_to_schema(schema).map_err(TableError::damaged)?;
        let forms = forms(&schema)?;
        let mut first_rows = vec![0];
        let mut rows = 0;
        for batch in &frame.batches {
            rows += u64::from(batch.sums.rows);
            first_rows.push(rows);
        }
        let games = schema.metadata().get(keys::GAMES).and_then(|games| games.parse().ok());
        if games != Some(rows) {
            return Err(TableError::damaged("the number of its games is wrong"));
        }
        let numbered = forms.iter().filter(|form| **form == TextForm::Numbered).count();
        // Dictionaries are written with the first batch. Other columns may have more.
        if !frame.batches.is_empty() && frame.dictionaries.len() < numbered {
            return Err(TableError::damaged("a dictionary is missing"));
        }
        let schema_of_batches = numbered_schema(&schema);
        let mut widths = Vec::new();
        for field in schema_of_batches.fields() {
            add_widths(field.data_type(), &mut widths).ok_or_else(|| {
                let name = field.name();
                TableError::Foreign(format!("tables have no columns of the type of {name}"))
            })?;
        }
        let writer = schema.metadata().get(keys::WRITER).map_or("", |writer| writer.as_str());
        let writer = writer.into();
        let no_texts = StringArray::from(Vec::<&str>::new());
        let mut table = Table {
            bytes,
            frame: Arc::new(frame),
            schema: Arc::new(schema_of_batches),
            widths: widths.into(),
            forms,
            first_rows: first_rows.into(),
            writer,
            results: Texts { values: Arc::new(no_texts), numbered: false },
        };
        table.results = table.texts(Column::RESULT)?;
        Ok(table)
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

    /// The distinct texts of a column. They are read at each call.
    ///
    /// # Errors
    /// The texts are damaged.
    pub fn texts(&self, column: Column) -> Result<Texts, TableError> {
        let at = Column::TEXTS.iter().position(|text| *text == column);
        let is_numbered = at.is_some_and(|at| self.forms[at] == TextForm::Numbered);
        let before = &self.forms[..at.unwrap_or_default()];
        let id = before.iter().filter(|form| **form == TextForm::Numbered).count();
        let block = self.frame.dictionaries.get(id).filter(|_| is_numbered);
        let Some(block) = block else {
            let values = Arc::new(StringArray::from(Vec::<&str>::new()));
            return Ok(Texts { values, numbered: is_numbered });
        };
        let schema = Arc::new(Schema::new(vec![Field::new("", DataType::Utf8, true)]));
        let batch = self.decode(block, Some(id as i64), schema, None)?;
        let values = batch.column(0).as_string::<i32>().clone();
        if values.null_count() > 0 {
            return Err(TableError::damaged("a text of a dictionary is null"));
        }
        Ok(Texts { values: Arc::new(values), numbered: true })
    }

    /// Columns of a batch. Without compression they are not copied.
    ///
    /// # Errors
    /// The columns are damaged.
    ///
    /// # Panics
    /// If the index is not less than the number of batches.
    pub fn batch(&self, index: usize, columns: ColumnSet) -> Result<Batch, TableError> {
        let indices: Vec<usize> = columns.iter().map(Column::index).collect();
        let block = &self.frame.batches[index];
        let decoded = self.decode(block, None, self.schema.clone(), Some(&indices))?;
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

    /// The bytes of a batch, for instance for a checksum.
    ///
    /// # Panics
    /// If the index is not less than the number of batches.
    pub fn batch_bytes(&self, index: usize) -> &[u8] {
        self.bytes.get(self.frame.batches[index].body.clone()).unwrap_or_default()
    }

    /// The bytes of the texts of each column that has numbers of texts, for instance for a
    /// checksum.
    pub fn dictionary_bytes(&self) -> impl Iterator<Item = &[u8]> {
        let dictionaries = self.frame.dictionaries.iter();
        dictionaries.map(|block| self.bytes.get(block.body.clone()).unwrap_or_default())
    }

    fn decode(
        &self,
        block: &BlockFrame,
        dictionary: Option<i64>,
        schema: SchemaRef,
        columns: Option<&[usize]>,
    ) -> Result<RecordBatch, TableError> {
        let widths = if dictionary.is_some() { &TEXT_WIDTHS } else { &*self.widths };
        let batch = block.record_batch(&self.bytes, dictionary, widths)?;
        let body = block.body(&self.bytes);
        let (none, version) = (HashMap::new(), MetadataVersion::V5);
        let decoder = RecordBatchDecoder::try_new(&body, batch, schema, &none, &version);
        decoder
            .and_then(|decoder| decoder.with_projection(columns).read_record_batch())
            .map_err(TableError::damaged)
    }

    /// The ranges of the metadata of all blocks.
    #[cfg(test)]
    pub(crate) fn metadata_ranges(&self) -> Vec<std::ops::Range<usize>> {
        let blocks = self.frame.dictionaries.iter().chain(&self.frame.batches);
        blocks.map(|block| block.metadata.clone()).collect()
    }

    /// The table with other bytes of the same frame, and checksums that fit them.
    #[cfg(test)]
    pub(crate) fn with_bytes(&self, bytes: Vec<u8>) -> Table {
        let mut frame = self.frame.as_ref().clone();
        for block in frame.dictionaries.iter_mut().chain(&mut frame.batches) {
            block.sums.metadata = crc32fast::hash(&bytes[block.metadata.clone()]);
        }
        Table { bytes: Buffer::from_vec(bytes), frame: Arc::new(frame), ..self.clone() }
    }

    /// Tests all of the file against its checksums, and that all columns can be read.
    ///
    /// # Errors
    /// Something is damaged.
    pub fn verify(&self) -> Result<(), TableError> {
        let differs =
            |what: &str| TableError::Damaged(format!("{what} does not have its checksum"));
        if crc32fast::hash(&self.bytes[self.frame.head.clone()]) != self.frame.head_sum {
            return Err(differs("its head"));
        }
        if self.bytes[self.frame.end.clone()] != END {
            return Err(TableError::damaged("the end of its batches is not marked"));
        }
        let has_sum = |block: &BlockFrame| {
            crc32fast::hash(&self.bytes[block.body.clone()]) == block.sums.body
        };
        if !self.frame.dictionaries.iter().all(has_sum) {
            return Err(differs("a dictionary"));
        }
        let mut lengths = [0; 9];
        for (length, column) in lengths.iter_mut().zip(Column::TEXTS) {
            *length = self.texts(column)?.len();
        }
        for index in 0..self.batches() {
            if !has_sum(&self.frame.batches[index]) {
                return Err(differs(&format!("batch {}", index + 1)));
            }
            let batch = self.batch(index, ColumnSet::ALL)?;
            for (column, length) in Column::TEXTS.into_iter().zip(lengths) {
                let in_range = |codes: crate::Codes<'_>| {
                    (0..batch.len()).all(|row| codes.get(row).is_none_or(|code| code < length))
                };
                if !batch.codes(column).is_none_or(in_range) {
                    return Err(TableError::damaged("a text has a number that is not in use"));
                }
            }
            for (row, &plies) in batch.plies().iter().enumerate() {
                let moves = batch.moves(row).map(<[u16]>::len);
                let complete = moves.is_some() || batch.movetext(row).is_some();
                if !complete || moves.is_some_and(|moves| moves != usize::from(plies)) {
                    return Err(TableError::damaged("a game lacks moves"));
                }
            }
        }
        Ok(())
    }
}

/// The forms of the texts, if the schema is that of a table. It may have more columns at its end.
fn forms(schema: &Schema) -> Result<[TextForm; 9], TableError> {
    let mut forms = [TextForm::Numbered; 9];
    let mut texts = forms.iter_mut();
    for (at, column) in Column::all().enumerate() {
        let own = schema.fields().get(at);
        let fits = |form| own.is_some_and(|own| **own == field(column, form));
        let is_text = Column::TEXTS.contains(&column);
        let form = if is_text && fits(TextForm::Numbered) {
            TextForm::Numbered
        } else if fits(TextForm::Plain) {
            TextForm::Plain
        } else {
            let name = column.name();
            return Err(TableError::Foreign(format!("its column {} is not {name}", at + 1)));
        };
        if is_text && let Some(next) = texts.next() {
            *next = form;
        }
    }
    Ok(forms)
}

/// The schema with the numbers of texts in place of dictionaries. So a batch can be read without
/// its dictionaries.
fn numbered_schema(schema: &Schema) -> Schema {
    let fields = schema.fields().iter().map(|field| {
        if let DataType::Dictionary(keys, _) = field.data_type() {
            Field::new(field.name(), keys.as_ref().clone(), field.is_nullable())
        } else {
            field.as_ref().clone()
        }
    });
    Schema::new(fields.collect::<Vec<_>>())
}
