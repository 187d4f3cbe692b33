//! Writing a table.
//!
//! Each dictionary of an Arrow file is written once, before all batches: later versions of a
//! dictionary are an error or, as deltas, refused by other readers. So batches wait in a spool
//! until all texts are known.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::mem;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, Date32Array, DictionaryArray, Int8Array, Int16Array, Int32Array,
    ListArray, RecordBatch, StringArray, UInt8Array, UInt16Array, UInt32Array, UInt64Array,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_ipc::CompressionType;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::writer::{IpcWriteOptions, StreamWriter};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use crate::compression::{Compression, ZSTD_LEVEL};
use crate::error::{TableError, WriteError};
use crate::interner::Interner;
use crate::limits::{MAX_BATCH_BYTES, MAX_BATCH_ROWS, MAX_ROW_BYTES};
use crate::match_row::MatchQuery;
use crate::matches;
#[cfg(feature = "parquet")]
use crate::parquet_file::ParquetFile;
use crate::read::Table;
use crate::rows::{Lists, Rows};
use crate::schema::{
    COLUMNS, Column, ColumnSet, TextForm, field, match_fields, numbered_schema, schema,
};
use crate::stored_rows::AllTexts;
use crate::table_file::TableFile;

/// The size of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSize {
    /// The number of games.
    pub games: u64,
    /// The length of the file.
    pub bytes: u64,
}

/// A writer of a table. The rows of [`append`](TableWriter::append) wait in a spool, which should
/// be a temporary file; [`finish`](TableWriter::finish) writes the table.
///
/// The same rows give the same bytes, however they were divided for `append`. After an error the
/// writer must not be used again.
pub struct TableWriter<S> {
    spool: S,
    /// The lengths of the batches in the spool.
    spooled: Vec<usize>,
    /// The rows of the next batch, and the bytes of their texts and lists.
    pending: Rows,
    pending_bytes: usize,
    /// The texts of [`Column::TEXTS`].
    texts: [TextWriter; 9],
    games: u64,
    program: String,
    /// The query, if the rows are matches.
    query: Option<MatchQuery>,
    /// The table with which the new one begins.
    base: Option<Base>,
}

/// A table that is appended to. Its batches are copied, except the last one: its rows wait with the
/// new rows, so that the new table has the batches that a table of all games has.
struct Base {
    table: Table,
    /// The number of batches that are copied.
    batches: usize,
}

/// The texts of a column.
#[derive(Default)]
struct TextWriter {
    interner: Interner,
    /// True once the column has too many texts to number. Later batches in the spool then have the
    /// texts themselves.
    plain: bool,
}

impl<S: Read + Write + Seek> TableWriter<S> {
    /// A writer with an empty spool. `program` is the name and version of the program, which the
    /// metadata of the table names.
    pub fn new(spool: S, program: &str) -> TableWriter<S> {
        TableWriter {
            spool,
            spooled: Vec::new(),
            pending: Rows::default(),
            pending_bytes: 0,
            texts: Default::default(),
            games: 0,
            program: program.to_owned(),
            query: None,
            base: None,
        }
    }

    /// A writer of a table that begins with the games of another one. The rows are appended to
    /// them: the result is the table that all the games together give, byte for byte. But what the
    /// other table has is copied and not computed, so the time depends on the bytes of its file
    /// and on the new games.
    ///
    /// ```
    /// use std::io::Cursor;
    ///
    /// use babson_table::{Compression, Rows, Table, TableWriter};
    ///
    /// # let mut rows = Rows::default();
    /// # let mut reader = babson_pgn::Reader::new();
    /// # let game = reader.read(b"1. e4 *", babson_pgn::Needs::ALL);
    /// # let (number, offset, length, line) = (1, 0, 7, 1);
    /// # let origin = babson_table::GameOrigin { input: "", number, offset, length, line };
    /// # rows.add(&game, origin);
    /// let mut writer = TableWriter::new(Cursor::new(Vec::new()), "example");
    /// writer.append(&rows)?;
    /// let mut file = Vec::new();
    /// writer.finish(&mut file, Compression::None)?;
    ///
    /// let table = Table::open(file.into())?;
    /// let mut writer = TableWriter::after(&table, Cursor::new(Vec::new()), "example")?;
    /// writer.append(&rows)?;
    /// let mut longer = Vec::new();
    /// assert_eq!(writer.finish(&mut longer, Compression::None)?.games, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The table has more columns than [`COLUMNS`], as a table of matches has, or another program
    /// has written it: [`WriteError::OtherColumns`], [`WriteError::Rewritten`]. Or its texts or its
    /// last rows are damaged, or the spool cannot be written.
    pub fn after(table: &Table, spool: S, program: &str) -> Result<TableWriter<S>, WriteError> {
        if table.is_rewritten() {
            return Err(WriteError::Rewritten);
        }
        if table.has_other_columns() {
            return Err(WriteError::OtherColumns);
        }
        let texts = AllTexts::of(table)?;
        let mut writer = TableWriter::new(spool, program);
        for ((text, texts), column) in
            writer.texts.iter_mut().zip(texts.columns()).zip(Column::TEXTS)
        {
            text.plain = !texts.is_numbered();
            for (number, known) in texts.iter().enumerate() {
                if text.interner.number(known.as_bytes()) as usize != number {
                    let name = column.name();
                    let reason = format_args!("the texts of {name}: one of them is there twice");
                    return Err(TableError::damaged(reason).into());
                }
            }
        }
        let batches = table.batches().saturating_sub(1);
        writer.games = table.first_row(batches);
        writer.base = Some(Base { table: table.clone(), batches });
        if batches < table.batches() {
            let last = table.batch(batches, ColumnSet::ALL)?;
            let mut rows = Rows::default();
            rows.append_stored(&last, &texts, 0..last.len())?;
            writer.append(&rows)?;
        }
        Ok(writer)
    }

    /// Makes this a writer of the matches of a query. Add all rows with
    /// [`Rows::add_match`](crate::Rows::add_match), since each row then has a match.
    #[must_use]
    pub fn with_query(self, query: MatchQuery) -> TableWriter<S> {
        TableWriter { query: Some(query), ..self }
    }

    /// Appends rows. The table has the rows in the order in which they are appended.
    ///
    /// # Errors
    /// The spool cannot be written, or a game is too long for a table.
    pub fn append(&mut self, rows: &Rows) -> Result<(), WriteError> {
        self.append_range(rows, 0..rows.len())
    }

    /// Like [`append`](TableWriter::append), but appends only the rows with the indices in `range`.
    ///
    /// # Errors
    /// The spool cannot be written, or a game is too long for a table.
    ///
    /// # Panics
    /// If `range` ends after the last row.
    pub fn append_range(&mut self, rows: &Rows, range: Range<usize>) -> Result<(), WriteError> {
        let (mut from, end) = (range.start, range.end);
        for row in range {
            let bytes = rows.bytes_of(row);
            if bytes > MAX_ROW_BYTES {
                return Err(WriteError::TooLong(rows.number[row]));
            }
            self.pending_bytes += bytes;
            let pending = self.pending.len() + row + 1 - from;
            if pending == MAX_BATCH_ROWS || self.pending_bytes >= MAX_BATCH_BYTES {
                self.pending.append(rows, from, row + 1);
                self.flush()?;
                from = row + 1;
            }
        }
        self.pending.append(rows, from, end);
        Ok(())
    }

    /// Moves the pending rows to the spool.
    fn flush(&mut self) -> Result<(), WriteError> {
        let rows = mem::take(&mut self.pending);
        self.pending_bytes = 0;
        if rows.is_empty() {
            return Ok(());
        }
        self.games += rows.len() as u64;
        let batch = spool_batch(rows, &mut self.texts, self.query.as_ref())?;
        let mut stream = StreamWriter::try_new(Vec::new(), &batch.schema())?;
        stream.write(&batch)?;
        let bytes = stream.into_inner()?;
        self.spool.write_all(&bytes)?;
        self.spooled.push(bytes.len());
        for text in &mut self.texts {
            if !text.plain && text.interner.is_full() {
                text.plain = true;
                text.interner.close();
            }
        }
        Ok(())
    }

    /// Writes the table.
    ///
    /// # Errors
    /// The table cannot be written, or the spool cannot be read. What was written is then not a
    /// table.
    pub fn finish(
        mut self,
        mut out: impl Write,
        compression: Compression,
    ) -> Result<TableSize, WriteError> {
        let form = self.form(compression)?;
        let options = match compression {
            Compression::None => IpcWriteOptions::default(),
            Compression::Zstd => IpcWriteOptions::default()
                .try_with_compression(Some(CompressionType::ZSTD))?
                .try_with_compression_level(Some(ZSTD_LEVEL))?,
        };
        let has_row_sums = compression == Compression::None;
        let mut table = TableFile::new(&mut out, &form.schema, options, has_row_sums)?;
        let kept = self.base.take_if(|base| base.is_kept(&form, compression));
        if let Some(Base { table: base, batches }) = kept {
            let empty = RecordBatch::new_empty(Arc::new(numbered_schema(&form.schema)));
            table.write_dictionaries(&form.batch(&empty)?)?;
            for index in 0..batches {
                let (metadata, body, frame) = base.block_of_batch(index)?;
                table.copy([&metadata, &body], frame, base.row_digits(index))?;
            }
        }
        self.each_batch(&form, |batch| table.write(batch))?;
        Ok(TableSize { games: self.games, bytes: table.finish()? })
    }

    /// Writes the table as a Parquet file, which has the same columns and no checksums. A table of
    /// [`TableWriter::after`] is written anew.
    ///
    /// # Errors
    /// As [`finish`](TableWriter::finish).
    #[cfg(feature = "parquet")]
    pub fn finish_parquet(
        mut self,
        out: impl Write + Send,
        compression: Compression,
    ) -> Result<TableSize, WriteError> {
        let form = self.form(compression)?;
        let mut file = ParquetFile::new(out, &form.schema, &self.program, compression)?;
        self.each_batch(&form, |batch| file.write(batch))?;
        Ok(TableSize { games: self.games, bytes: file.finish()? })
    }

    /// Moves the last rows to the spool. Returns what makes batches of the table from the spool.
    fn form(&mut self, compression: Compression) -> Result<BatchForm, WriteError> {
        if compression == Compression::Zstd && cfg!(not(feature = "zstd")) {
            return Err(WriteError::Compression);
        }
        self.flush()?;
        let forms = self.texts.each_ref().map(|text| match text.plain {
            true => TextForm::Plain,
            false => TextForm::Numbered,
        });
        let schema = Arc::new(schema(&forms, self.games, &self.program, self.query.as_ref()));
        let distinct = self.texts.iter().map(TextWriter::distinct).collect::<Result<_, _>>()?;
        let query = self
            .query
            .as_ref()
            .map(|query| -> ArrayRef { Arc::new(StringArray::from(vec![query.name.as_str()])) });
        Ok(BatchForm { schema, forms, distinct, query })
    }

    /// Hands on the batches of the table that are not copied, in their order.
    fn each_batch(
        &mut self,
        form: &BatchForm,
        mut write: impl FnMut(&RecordBatch) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        if let Some(Base { table, batches }) = &self.base {
            for index in 0..*batches {
                write(&form.batch(&table.stored_batch(index)?)?)?;
            }
        }
        self.spool.seek(SeekFrom::Start(0))?;
        for &length in &self.spooled {
            write(&form.batch(&read_spooled(&mut self.spool, length)?)?)?;
        }
        Ok(())
    }
}

impl Base {
    /// Whether the new table has the batches of this one, byte for byte.
    fn is_kept(&self, form: &BatchForm, compression: Compression) -> bool {
        let is_same = self.table.compression().is_ok_and(|own| own == compression);
        is_same && self.batches > 0 && self.table.forms() == &form.forms
    }
}

impl TextWriter {
    /// The distinct texts as an array. All batches share it, so that it is written once.
    fn distinct(&self) -> Result<ArrayRef, WriteError> {
        let Interner { bytes, ends, .. } = &self.interner;
        let ends: Vec<i32> = std::iter::once(0).chain(ends.iter().copied()).collect();
        let offsets = OffsetBuffer::new(ScalarBuffer::from(ends));
        Ok(Arc::new(StringArray::try_new(offsets, Buffer::from_vec(bytes.clone()), None)?))
    }
}

/// Converts rows to a batch of the spool. A column of texts has numbers of texts, or the texts
/// themselves if there are too many to number.
fn spool_batch(
    rows: Rows,
    texts: &mut [TextWriter; 9],
    query: Option<&MatchQuery>,
) -> Result<RecordBatch, WriteError> {
    let mut names = rows.texts.into_iter().zip(texts).map(|(column, text)| -> ArrayRef {
        if text.plain { plain(column) } else { Arc::new(numbers(&column, &mut text.interner)) }
    });
    let mut name = || names.next().unwrap_or_else(|| Arc::new(Int32Array::from(Vec::<i32>::new())));
    let [white_elo, black_elo] = rows.elos;
    let mut arrays: Vec<ArrayRef> = vec![
        name(),
        Arc::new(UInt64Array::from(rows.number)),
        Arc::new(UInt64Array::from(rows.offset)),
        Arc::new(UInt32Array::from(rows.length)),
        Arc::new(UInt64Array::from(rows.line)),
    ];
    arrays.extend(names);
    arrays.extend([
        Arc::new(Int16Array::from(white_elo)) as ArrayRef,
        Arc::new(Int16Array::from(black_elo)),
        Arc::new(Date32Array::from(rows.dates)),
        Arc::new(Int16Array::from(rows.years)),
        Arc::new(UInt8Array::from(rows.months)),
        plain(rows.fen),
        plain(rows.variant),
        bytes(rows.tags),
        bytes(rows.movetext),
        Arc::new(UInt16Array::from(rows.plies)),
        list(rows.moves, UInt16Array::from),
        list(rows.checks, UInt64Array::from),
        Arc::new(UInt32Array::from(rows.flags)),
        Arc::new(Int8Array::from(rows.balance_min)),
        Arc::new(Int8Array::from(rows.balance_max)),
    ]);
    arrays.extend(rows.footprint.map(|column| Arc::new(UInt64Array::from(column)) as ArrayRef));
    for column in rows.most.into_iter().chain(rows.least) {
        arrays.push(Arc::new(UInt8Array::from(column)));
    }
    arrays.push(Arc::new(UInt64Array::from(rows.hash)));
    let mut fields: Vec<Field> = Column::all()
        .zip(&arrays)
        .map(|(column, array)| match Column::TEXTS.contains(&column) {
            true => Field::new(column.name(), array.data_type().clone(), true),
            false => field(column, TextForm::Plain),
        })
        .collect();
    if let Some(query) = query {
        let matches = matches::arrays(query, &rows.matches);
        fields.extend(
            match_fields(query)
                .into_iter()
                .zip(&matches)
                .map(|(field, array)| field.with_data_type(array.data_type().clone())),
        );
        arrays.extend(matches);
    }
    Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)?)
}

fn numbers(column: &Lists<u8>, interner: &mut Interner) -> Int32Array {
    let rows = 0..column.valid.len();
    rows.map(|row| column.get(row).map(|text| interner.number(text))).collect()
}

fn offsets(ends: &[usize]) -> OffsetBuffer<i32> {
    // `MAX_BATCH_BYTES` keeps them within 31 bits.
    let ends = std::iter::once(0).chain(ends.iter().map(|&end| end as i32));
    OffsetBuffer::new(ends.collect())
}

fn nulls(valid: Vec<bool>) -> Option<NullBuffer> {
    valid.contains(&false).then(|| NullBuffer::from(valid))
}

fn plain(column: Lists<u8>) -> ArrayRef {
    let items = Buffer::from_vec(column.items);
    Arc::new(StringArray::new(offsets(&column.ends), items, nulls(column.valid)))
}

fn bytes(column: Lists<u8>) -> ArrayRef {
    let items = Buffer::from_vec(column.items);
    Arc::new(BinaryArray::new(offsets(&column.ends), items, nulls(column.valid)))
}

fn list<T, A: Array + 'static>(column: Lists<T>, array: impl FnOnce(Vec<T>) -> A) -> ArrayRef {
    let items = array(column.items);
    let item = Arc::new(Field::new("item", items.data_type().clone(), false));
    Arc::new(ListArray::new(item, offsets(&column.ends), Arc::new(items), nulls(column.valid)))
}

fn read_spooled(spool: &mut impl Read, length: usize) -> Result<RecordBatch, WriteError> {
    let mut bytes = vec![0; length];
    spool.read_exact(&mut bytes)?;
    let mut buffer = Buffer::from_vec(bytes);
    let batch = StreamDecoder::new().decode(&mut buffer)?;
    batch.ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof).into())
}

/// What makes batches of the table from batches of the spool.
struct BatchForm {
    schema: SchemaRef,
    /// Of each column of [`Column::TEXTS`], as `distinct`.
    forms: [TextForm; 9],
    distinct: Vec<ArrayRef>,
    /// The name of the query, if the rows are matches.
    query: Option<ArrayRef>,
}

impl BatchForm {
    /// Makes a batch of the table from one of the spool, or of a table that was read with numbers
    /// in place of texts. In a column whose rows have numbers of texts, it adds the dictionary, or
    /// writes the texts in place of their numbers if the form of the column is plain.
    fn batch(&self, spooled: &RecordBatch) -> Result<RecordBatch, WriteError> {
        let mut columns = spooled.columns().to_vec();
        if let Some((name, column)) = self.query.as_ref().zip(columns.get_mut(COLUMNS.len())) {
            let numbers = column.as_primitive::<Int32Type>().clone();
            *column = Arc::new(DictionaryArray::try_new(numbers, name.clone())?);
        }
        let forms = Column::TEXTS.iter().zip(&self.forms).zip(&self.distinct);
        for ((column, form), distinct) in forms {
            let array = &mut columns[column.index()];
            let Some(numbers) = array.as_any().downcast_ref::<Int32Array>() else {
                debug_assert_eq!(array.data_type(), &DataType::Utf8);
                continue;
            };
            *array = match form {
                TextForm::Numbered => {
                    Arc::new(DictionaryArray::try_new(numbers.clone(), distinct.clone())?)
                }
                TextForm::Plain => {
                    let distinct = distinct.as_string::<i32>();
                    // A table that is appended to may have numbers of no text.
                    let wrong = || WriteError::Arrow("a number has no text".to_owned());
                    let text = |number: Option<i32>| {
                        let index = number.map(|number| usize::try_from(number).ok());
                        let index = index.map(|index| index.filter(|at| *at < distinct.len()));
                        index
                            .map(|at| at.map(|at| distinct.value(at)).ok_or_else(wrong))
                            .transpose()
                    };
                    let texts = numbers.iter().map(text).collect::<Result<StringArray, _>>()?;
                    Arc::new(texts)
                }
            };
        }
        Ok(RecordBatch::try_new(self.schema.clone(), columns)?)
    }
}
