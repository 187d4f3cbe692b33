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
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_ipc::{CompressionType, root_as_footer, root_as_message};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use crate::checksums::{BlockSums, Checksums, FOOTER_DIGITS, of_footer};
use crate::error::WriteError;
use crate::frame::{END, digits, messages};
use crate::interner::Interner;
use crate::layout::Layout;
use crate::limits::{MAX_BATCH_BYTES, MAX_BATCH_ROWS, MAX_ROW_BYTES};
use crate::match_row::MatchQuery;
use crate::matches;
use crate::row_sums;
use crate::rows::{Lists, Rows};
use crate::schema::{
    COLUMNS, Column, TextForm, field, keys, match_fields, numbered_schema, schema,
};

/// How the columns of a table are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// Not at all: the file is read without a copy.
    None,
    /// With zstd: the file is smaller, and each column is decompressed to be read. An error without
    /// the feature `zstd`.
    Zstd,
}

/// The level of zstd. Lower levels are faster; from here on, higher ones save little.
const ZSTD_LEVEL: i32 = 7;

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
        }
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
        if compression == Compression::Zstd && cfg!(not(feature = "zstd")) {
            return Err(WriteError::Compression);
        }
        self.flush()?;
        let forms = self.texts.each_ref().map(|text| match text.plain {
            true => TextForm::Plain,
            false => TextForm::Numbered,
        });
        let schema = Arc::new(schema(&forms, self.games, &self.program, self.query.as_ref()));
        let options = match compression {
            Compression::None => IpcWriteOptions::default(),
            Compression::Zstd => IpcWriteOptions::default()
                .try_with_compression(Some(CompressionType::ZSTD))?
                .try_with_compression_level(Some(ZSTD_LEVEL))?,
        };
        let distinct: Vec<ArrayRef> =
            self.texts.iter().map(TextWriter::distinct).collect::<Result<_, _>>()?;
        let query = self
            .query
            .as_ref()
            .map(|query| -> ArrayRef { Arc::new(StringArray::from(vec![query.name.as_str()])) });
        let mut table = TableFile::new(&mut out, &schema, options)?;
        table.row_sums = (compression == Compression::None).then(String::new);
        self.spool.seek(SeekFrom::Start(0))?;
        for &length in &self.spooled {
            let batch = read_spooled(&mut self.spool, length)?;
            table.write(&table_batch(&batch, &schema, &forms, &distinct, query.as_ref())?)?;
        }
        let bytes = table.finish()?;
        Ok(TableSize { games: self.games, bytes })
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

/// A file of Arrow, to which checksums are added on its way to `out`.
struct TableFile<W> {
    /// Writes to memory. After each step, these bytes are moved to `out`.
    file: FileWriter<Vec<u8>>,
    out: W,
    /// Where the columns of a batch are.
    layout: Layout,
    checksums: Checksums,
    /// The digits of the checksums of rows; `None` if the table is compressed.
    row_sums: Option<String>,
    /// The checksums of the batches. `finish` appends them to the checksums of the dictionaries.
    batches: Vec<BlockSums>,
    bytes: u64,
}

impl<W: Write> TableFile<W> {
    fn new(out: W, schema: &Schema, options: IpcWriteOptions) -> Result<Self, WriteError> {
        let file = FileWriter::try_new_with_options(Vec::new(), schema, options)?;
        let batches = numbered_schema(schema);
        let layout = Layout::of_batches(&batches)
            .map_err(|name| WriteError::Arrow(format!("the column {name} has an unknown type")))?;
        let (checksums, batches) = (Checksums::default(), Vec::new());
        let mut table =
            TableFile { file, out, layout, checksums, batches, row_sums: None, bytes: 0 };
        let head = mem::take(table.file.get_mut());
        table.checksums.head = crc32fast::hash(&head);
        table.put(&head)?;
        Ok(table)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<(), WriteError> {
        self.file.write(batch)?;
        let bytes = mem::take(self.file.get_mut());
        let unknown = || WriteError::Arrow("a message has an unknown form".to_owned());
        for (metadata, body) in messages(&bytes).ok_or_else(unknown)? {
            let message = root_as_message(&bytes[metadata.start + 8..metadata.end]);
            let message = message.map_err(|error| WriteError::Arrow(error.to_string()))?;
            let dictionary = message.header_as_dictionary_batch().and_then(|batch| batch.data());
            let (header, sums, layout) = match dictionary {
                Some(header) => (header, &mut self.checksums.blocks, &Layout::of_texts()),
                None => {
                    let header = message.header_as_record_batch().ok_or_else(unknown)?;
                    (header, &mut self.batches, &self.layout)
                }
            };
            let body = &bytes[body];
            let ranges = layout.ranges(&header, body);
            let ranges = ranges.map_err(|reason| WriteError::Arrow(reason.to_owned()))?;
            if let Some(digits) = self.row_sums.as_mut().filter(|_| dictionary.is_none()) {
                for column in row_sums::COLUMNS {
                    let index = column.index();
                    let items = layout.items_start(&header, index).ok_or_else(unknown)?;
                    let head = body.get(ranges[index].start..items).ok_or_else(unknown)?;
                    row_sums::append(digits, head, batch.column(index));
                }
            }
            sums.push(BlockSums {
                rows: u32::try_from(header.length()).map_err(|_| unknown())?,
                metadata: crc32fast::hash(&bytes[metadata]),
                columns: ranges.into_iter().map(|range| crc32fast::hash(&body[range])).collect(),
            });
        }
        Ok(self.put(&bytes)?)
    }

    /// Writes the footer. Returns the length of the file.
    fn finish(mut self) -> Result<u64, WriteError> {
        self.checksums.blocks.append(&mut self.batches);
        self.file.write_metadata(keys::CHECKSUMS, self.checksums.text());
        if let Some(digits) = self.row_sums.take() {
            self.file.write_metadata(keys::ROW_CHECKSUMS, digits);
        }
        self.file.finish()?;
        let mut bytes = mem::take(self.file.get_mut());
        // The marker of the end, the footer, its length, and the magic.
        let range = END.len()..bytes.len() - 10;
        let footer = &bytes[range.clone()];
        let read = root_as_footer(footer).map_err(|error| WriteError::Arrow(error.to_string()))?;
        let sums = read
            .custom_metadata()
            .into_iter()
            .flatten()
            .find_map(|pair| pair.value().filter(|_| pair.key() == Some(keys::CHECKSUMS)));
        let at = sums.map(|sums| digits(footer, sums));
        let at = at.ok_or_else(|| WriteError::Arrow("the checksums are missing".to_owned()))?;
        let sum = format!("{:08x}", of_footer(footer, at));
        let at = range.start + at;
        bytes[at..at + FOOTER_DIGITS].copy_from_slice(sum.as_bytes());
        self.put(&bytes)?;
        self.out.flush()?;
        Ok(self.bytes)
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

/// Makes a batch of the table from a batch of the spool. In a column whose rows have numbers of
/// texts, it adds the dictionary, or writes the texts in place of their numbers if the form of the
/// column is plain.
fn table_batch(
    spooled: &RecordBatch,
    schema: &SchemaRef,
    forms: &[TextForm; 9],
    distinct: &[ArrayRef],
    query: Option<&ArrayRef>,
) -> Result<RecordBatch, WriteError> {
    let mut columns = spooled.columns().to_vec();
    if let Some((name, column)) = query.zip(columns.get_mut(COLUMNS.len())) {
        let numbers = column.as_primitive::<Int32Type>().clone();
        *column = Arc::new(DictionaryArray::try_new(numbers, name.clone())?);
    }
    for ((column, form), distinct) in Column::TEXTS.iter().zip(forms).zip(distinct) {
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
                let text = |number: i32| distinct.value(number as usize);
                let texts = numbers.iter().map(|number| number.map(text));
                Arc::new(texts.collect::<StringArray>())
            }
        };
    }
    Ok(RecordBatch::try_new(schema.clone(), columns)?)
}
