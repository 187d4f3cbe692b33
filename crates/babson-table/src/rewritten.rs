//! Tables that another program has read and written anew, such as pyarrow or Polars: files or
//! streams of Arrow without our checksums, perhaps with other types of the same columns.
//!
//! Nothing in them is trusted. The columns that hold the games are read and the games replayed, and
//! their rows are packed into a new table in memory. So all facts come from the moves, whatever the
//! program did with the other columns.

use std::io::Cursor;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::FileDecoder;
use arrow_ipc::{Block, MetadataVersion, root_as_footer, root_as_message};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use babson_chess::Position;
use babson_pgn::{CodedGame, GameFlags, GameResult, Needs, Reader};

use crate::compression::Compression;
use crate::error::TableError;
use crate::frame::{
    CONTINUATION, END, MAGIC, check_known_version, footer_range, message_bytes, next_message,
};
use crate::layout::add_widths;
use crate::rows::{GameOrigin, Rows};
use crate::schema::{Column, keys};
use crate::write::TableWriter;

/// The columns that hold the games and where they come from.
pub(crate) const NEEDED: [Column; 11] = [
    Column::INPUT,
    Column::NUMBER,
    Column::OFFSET,
    Column::LENGTH,
    Column::LINE,
    Column::RESULT,
    Column::TAGS,
    Column::MOVETEXT,
    Column::MOVES,
    Column::CHECKS,
    Column::FLAGS,
];

/// Writers align the parts of a file to at most this many bytes.
const MAX_ALIGNMENT: usize = 64;

/// Packs the games of a file or stream of Arrow into a new table, and returns its bytes.
///
/// # Errors
/// A column is missing or has another type, the file or stream is compressed, or a game cannot be
/// played.
pub(crate) fn packed_anew(bytes: &Buffer) -> Result<Vec<u8>, TableError> {
    // The library of Arrow panics on some wrong offsets. `pack` refuses the known ones before the
    // library reads them; a panic on any other becomes an error here.
    let packed = catch_unwind(AssertUnwindSafe(|| pack(bytes)));
    packed.unwrap_or_else(|_| Err(unreadable()))
}

fn unreadable() -> TableError {
    TableError::damaged("another program has written it, and its columns cannot be read")
}

fn pack(bytes: &Buffer) -> Result<Vec<u8>, TableError> {
    match bytes.starts_with(MAGIC) {
        true => pack_file(bytes),
        false => pack_stream(bytes),
    }
}

/// Packs the blocks that the footer of a file lists.
fn pack_file(bytes: &Buffer) -> Result<Vec<u8>, TableError> {
    let range = footer_range(bytes)?;
    let footer = root_as_footer(&bytes[range.clone()]).map_err(|_| unreadable())?;
    let schema = footer.schema().and_then(|schema| try_fb_to_schema(schema).ok());
    let mut unpacker = Unpacker::new(schema.ok_or_else(unreadable)?, footer.version())?;
    let dictionaries = footer.dictionaries().into_iter().flatten();
    let blocks = dictionaries.chain(footer.recordBatches().into_iter().flatten());
    let places = blocks.clone().map(|block| block_range(block, range.start));
    let places: Vec<Range<usize>> = places.collect::<Option<_>>().ok_or_else(unreadable)?;
    if !are_all(&bytes[..range.start], &places) {
        return Err(TableError::damaged(
            "there is something before its footer that the footer does not list, such as another \
             table",
        ));
    }
    for (block, place) in blocks.zip(places) {
        unpacker.take(block, &bytes.slice_with_length(place.start, place.len()))?;
    }
    unpacker.packer.finish()
}

/// Whether these blocks are all that there is after the schema, but for the end of the messages and
/// padding. The games of a block that the footer does not list would be lost. `bytes`: those before
/// the footer.
fn are_all(bytes: &[u8], places: &[Range<usize>]) -> bool {
    let mut places: Vec<&Range<usize>> = places.iter().collect();
    places.sort_unstable_by_key(|place| place.start);
    let first = places.first().map(|place| place.start);
    let mut at = schema_end(bytes).or(first).unwrap_or(bytes.len());
    for place in places {
        if place.start != at {
            return false;
        }
        at = place.end;
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let padding = rest.strip_prefix(&END).unwrap_or(rest);
    padding.len() < MAX_ALIGNMENT && padding.iter().all(|byte| *byte == 0)
}

/// The end of the schema of a file, which comes first. `None` if nothing tells its length: Polars
/// writes it without one.
fn schema_end(bytes: &[u8]) -> Option<usize> {
    let padding = bytes.get(MAGIC.len()..)?.iter().take_while(|byte| **byte == 0).count();
    let start = MAGIC.len() + padding;
    let length = bytes.get(start..)?.strip_prefix(&CONTINUATION)?.first_chunk::<4>()?;
    Some(start + 8 + usize::try_from(i32::from_le_bytes(*length)).ok()?)
}

/// The range of a block in a file whose footer begins at `limit`.
fn block_range(block: &Block, limit: usize) -> Option<Range<usize>> {
    let start = usize::try_from(block.offset()).ok()?;
    let middle = start.checked_add(usize::try_from(block.metaDataLength()).ok()?)?;
    let end = middle.checked_add(usize::try_from(block.bodyLength()).ok()?)?;
    (end <= limit).then_some(start..end)
}

/// Packs the messages of a stream.
fn pack_stream(bytes: &Buffer) -> Result<Vec<u8>, TableError> {
    let mut unpacker: Option<Unpacker> = None;
    let mut at = 0;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        if let Some(after) = rest.strip_prefix(&END) {
            // Such as another stream, whose games would be lost.
            if !after.is_empty() {
                return Err(TableError::damaged(
                    "something follows the end of its stream, such as another table",
                ));
            }
            return unpacker.ok_or_else(unreadable)?.packer.finish();
        }
        let body = next_message(rest).ok_or(TableError::CutStream)?;
        match &mut unpacker {
            None => {
                let message = root_as_message(&rest[8..body.start]).map_err(|_| unreadable())?;
                let schema = message.header_as_schema();
                let schema = schema.and_then(|schema| try_fb_to_schema(schema).ok());
                let schema = schema.ok_or_else(unreadable)?;
                unpacker = Some(Unpacker::new(schema, message.version())?);
            }
            Some(unpacker) => {
                let lengths = i32::try_from(body.start).ok().zip(i64::try_from(body.len()).ok());
                let (metadata, length) = lengths.ok_or_else(unreadable)?;
                let block = Block::new(0, metadata, length);
                unpacker.take(&block, &bytes.slice_with_length(at, body.end))?;
            }
        }
        at += body.end;
    }
}

/// Decodes the columns of games in each block, and packs the games. Before it decodes a block, it
/// checks the lengths of the buffers, since the library of Arrow panics on some wrong lengths.
struct Unpacker {
    schema: SchemaRef,
    decoder: FileDecoder,
    packer: Packer,
}

impl Unpacker {
    fn new(schema: Schema, version: MetadataVersion) -> Result<Unpacker, TableError> {
        let packer = Packer::new(&schema)?;
        let columns = NEEDED.iter().map(|column| schema.index_of(column.name()));
        let columns = columns.collect::<Result<Vec<usize>, _>>().map_err(|_| unreadable())?;
        let schema = Arc::new(schema);
        let decoder = FileDecoder::new(Arc::clone(&schema), version).with_projection(columns);
        Ok(Unpacker { schema, decoder, packer })
    }

    /// Takes a block: its metadata and its body.
    fn take(&mut self, block: &Block, bytes: &Buffer) -> Result<(), TableError> {
        let metadata = usize::try_from(block.metaDataLength()).map_err(|_| unreadable())?;
        let message = bytes.get(..metadata).map(message_bytes).unwrap_or_default();
        let message = root_as_message(message).map_err(|_| unreadable())?;
        let body = bytes.len() - metadata;
        if let Some(dictionary) = message.header_as_dictionary_batch() {
            // Other columns may have dictionaries, too.
            let Some(values) = self.values_of(dictionary.id()) else { return Ok(()) };
            check_buffers(dictionary.data().ok_or_else(unreadable)?, [values], body)?;
            return self.decoder.read_dictionary(block, bytes).map_err(|_| unreadable());
        }
        let batch = message.header_as_record_batch().ok_or_else(unreadable)?;
        let types = self.schema.fields().iter().map(|field| field.data_type());
        check_buffers(batch, types, body)?;
        let batch = self.decoder.read_record_batch(block, bytes).map_err(|_| unreadable())?;
        self.packer.add(&batch.ok_or_else(unreadable)?)
    }

    /// Returns the type of the values of a dictionary; `None` if the column with this dictionary is
    /// not a column of games.
    fn values_of(&self, dictionary: i64) -> Option<&DataType> {
        #[expect(deprecated, reason = "the decoder finds dictionaries by these numbers")]
        let mut fields = self.schema.fields_with_dict_id(dictionary).into_iter();
        let is_needed = |field: &&Field| NEEDED.iter().any(|column| column.name() == field.name());
        // If several fields have this dictionary, the decoder takes the type from the first.
        let field = fields.next().filter(is_needed)?;
        if let DataType::Dictionary(_, values) = field.data_type() { Some(values) } else { None }
    }
}

/// Checks the buffers of a batch whose columns have these types. `body` is the length of the body
/// of its message.
///
/// # Errors
/// A buffer is not within the body, or its length is not a multiple of the width of its items. Or
/// the body is compressed: then a buffer claims its length, and only a checksum could tell whether
/// the claim is right.
fn check_buffers<'t>(
    batch: arrow_ipc::RecordBatch<'_>,
    types: impl IntoIterator<Item = &'t DataType>,
    body: usize,
) -> Result<(), TableError> {
    if batch.compression().is_some() {
        return Err(TableError::CompressedAnew);
    }
    let buffers = batch.buffers().ok_or_else(unreadable)?;
    // A column of views that claims more buffers than the batch has is wrong, and the list of its
    // widths could fill the memory.
    let views = batch.variadicBufferCounts().into_iter().flatten();
    let mut views = views
        .map_while(|count| usize::try_from(count).ok().filter(|count| *count <= buffers.len()));
    let mut widths = Vec::new();
    let mut types = types.into_iter();
    let are_known = types.try_for_each(|data_type| {
        add_widths(data_type, &mut views, &mut widths).filter(|()| widths.len() <= buffers.len())
    });
    let is_sound = |(buffer, width): (&arrow_ipc::Buffer, usize)| {
        let start = usize::try_from(buffer.offset()).ok();
        let length = usize::try_from(buffer.length()).ok();
        let end = start.zip(length).and_then(|(start, length)| start.checked_add(length));
        end.is_some_and(|end| end <= body) && length.is_some_and(|length| length % width == 0)
    };
    match are_known.is_some() && buffers.iter().zip(widths).all(is_sound) {
        true => Ok(()),
        false => Err(unreadable()),
    }
}

/// Packs the games of batches.
pub(crate) struct Packer {
    writer: TableWriter<Cursor<Vec<u8>>>,
    reader: Reader,
    /// The number of rows so far.
    rows: usize,
}

impl Packer {
    /// Packs the games of batches with this schema.
    ///
    /// # Errors
    /// It lacks a column of games.
    pub(crate) fn new(schema: &Schema) -> Result<Packer, TableError> {
        Ok(Packer { writer: writer_of(schema)?, reader: Reader::new(), rows: 0 })
    }

    /// Adds the games of a batch.
    pub(crate) fn add(&mut self, batch: &RecordBatch) -> Result<(), TableError> {
        let mut rows = Rows::default();
        let games = Games::of(batch)?;
        for row in 0..batch.num_rows() {
            self.rows += 1;
            games.add(row, &mut self.reader, &mut rows).map_err(|why| {
                TableError::damaged(why).within(format_args!("row {}", self.rows))
            })?;
        }
        self.writer.append(&rows).map_err(TableError::damaged)
    }

    /// Returns the bytes of the new table.
    pub(crate) fn finish(self) -> Result<Vec<u8>, TableError> {
        let mut table = Vec::new();
        self.writer.finish(&mut table, Compression::None).map_err(TableError::damaged)?;
        Ok(table)
    }
}

/// Returns the writer for the new table. Fails if the schema lacks a column of games.
fn writer_of(schema: &Schema) -> Result<TableWriter<Cursor<Vec<u8>>>, TableError> {
    let metadata = |key| schema.metadata().get(key).map(String::as_str);
    if let Some(version) = metadata(keys::VERSION) {
        check_known_version(version, metadata(keys::WRITER))?;
    }
    let missing: Vec<&str> = NEEDED
        .iter()
        .map(|column| column.name())
        .filter(|name| schema.index_of(name).is_err())
        .collect();
    match missing.first() {
        None => {}
        // With most of the columns it is a game table, even if its metadata is lost.
        Some(_) if missing.len() * 2 < NEEDED.len() => {
            return Err(TableError::MissingColumns(missing.join(", ")));
        }
        Some(first) => return Err(TableError::Foreign(format!("it has no column {first}"))),
    }
    let program = metadata(keys::WRITER).unwrap_or("another program");
    Ok(TableWriter::new(Cursor::new(Vec::new()), program))
}

/// The columns of a batch that hold the games.
struct Games<'b> {
    input: Texts<'b>,
    result: Texts<'b>,
    /// In the order of [`NEEDED`].
    arrays: Vec<&'b dyn Array>,
}

/// A column of texts: itself, or numbers of texts.
struct Texts<'b> {
    column: &'b dyn Array,
    /// For each row the index in `texts`; none if each row has a text of its own.
    numbers: Option<Vec<usize>>,
    texts: &'b dyn Array,
}

impl<'b> Texts<'b> {
    fn of(column: &'b dyn Array) -> Texts<'b> {
        match column.as_any_dictionary_opt() {
            None => Texts { column, numbers: None, texts: column },
            Some(dictionary) => {
                let texts = dictionary.values().as_ref();
                // Without texts all rows are null.
                let numbers =
                    if texts.is_empty() { Vec::new() } else { dictionary.normalized_keys() };
                Texts { column, numbers: Some(numbers), texts }
            }
        }
    }

    fn get(&self, row: usize) -> Result<Option<&'b str>, String> {
        let index = match &self.numbers {
            Some(numbers) => numbers.get(row).copied(),
            None => Some(row),
        };
        match index {
            Some(index) if self.column.is_valid(row) && self.texts.is_valid(index) => {
                text(self.texts, index).map(Some)
            }
            Some(_) | None => Ok(None),
        }
    }
}

const RESULTS: [GameResult; 4] =
    [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];

impl<'b> Games<'b> {
    fn of(batch: &'b RecordBatch) -> Result<Games<'b>, TableError> {
        let column = |column: &Column| batch.column_by_name(column.name()).map(AsRef::as_ref);
        let arrays: Option<Vec<&dyn Array>> = NEEDED.iter().map(column).collect();
        let arrays = arrays.ok_or_else(unreadable)?;
        let texts = |column: Column| {
            let column = NEEDED.iter().position(|needed| *needed == column);
            column.map(|at| Texts::of(arrays[at])).ok_or_else(unreadable)
        };
        let (input, result) = (texts(Column::INPUT)?, texts(Column::RESULT)?);
        Ok(Games { input, result, arrays })
    }

    fn array(&self, column: Column) -> &'b dyn Array {
        let at = NEEDED.iter().position(|needed| *needed == column);
        self.arrays[at.unwrap_or_default()]
    }

    fn number(&self, column: Column, row: usize) -> Result<u64, String> {
        let number = number(self.array(column), row);
        number.ok_or_else(|| format!("the column {} has no number", column.name()))
    }

    fn numbers<T: TryFrom<u64>>(
        &self,
        column: Column,
        row: usize,
    ) -> Result<Option<Vec<T>>, String> {
        let array = self.array(column);
        if array.is_null(row) {
            return Ok(None);
        }
        let wrong = || format!("the column {} is not a list of numbers", column.name());
        let list = if let Some(list) = array.as_list_opt::<i32>() {
            list.value(row)
        } else if let Some(list) = array.as_list_opt::<i64>() {
            list.value(row)
        } else {
            return Err(wrong());
        };
        let item = |index| T::try_from(number(list.as_ref(), index)?).ok();
        (0..list.len()).map(item).collect::<Option<_>>().map(Some).ok_or_else(wrong)
    }

    /// Replays the game of a row and adds it. An error says what is wrong.
    fn add(&self, row: usize, reader: &mut Reader, rows: &mut Rows) -> Result<(), String> {
        let origin = GameOrigin {
            input: self.input.get(row)?.unwrap_or_default(),
            number: self.number(Column::NUMBER, row)?,
            offset: self.number(Column::OFFSET, row)?,
            length: self.number(Column::LENGTH, row)?,
            line: self.number(Column::LINE, row)?,
        };
        let tags = bytes(self.array(Column::TAGS), row)?.unwrap_or_default();
        if let Some(movetext) = bytes(self.array(Column::MOVETEXT), row)? {
            let text = [tags, movetext].concat();
            rows.add(&reader.read(&text, Needs::ALL), origin);
            return Ok(());
        }
        let moves = self.numbers(Column::MOVES, row)?.ok_or("it has no moves")?;
        let checks = self.numbers(Column::CHECKS, row)?.unwrap_or_default();
        let flags = GameFlags(self.number(Column::FLAGS, row)? as u32);
        let result = self.result.get(row)?.filter(|_| flags.has(GameFlags::RESULT));
        let result =
            result.and_then(|text| RESULTS.into_iter().find(|result| result.text() == text));
        // The tags say where the game begins, whatever the flags say.
        let coded = CodedGame { tags, usual_start: false, moves: &moves, checks: &checks, result };
        let game = reader.replay_if(&coded, Needs::ALL, |_| true);
        let (game, _) = game.map_err(|error| error.to_string())?;
        let is_right =
            |position: &Position| position.in_check() == position.is_attacked_king(position.side());
        match game.positions().iter().all(is_right) {
            true => rows.add(&game, origin),
            false => return Err("the column checks does not fit the moves".to_owned()),
        }
        Ok(())
    }
}

fn text(array: &dyn Array, row: usize) -> Result<&str, String> {
    if let Some(texts) = array.as_string_opt::<i32>() {
        Ok(texts.value(row))
    } else if let Some(texts) = array.as_string_opt::<i64>() {
        Ok(texts.value(row))
    } else if let Some(texts) = array.as_string_view_opt() {
        Ok(texts.value(row))
    } else {
        Err("a column of texts has another type".to_owned())
    }
}

fn bytes(array: &dyn Array, row: usize) -> Result<Option<&[u8]>, String> {
    let value = if array.is_null(row) {
        return Ok(None);
    } else if let Some(bytes) = array.as_binary_opt::<i32>() {
        bytes.value(row)
    } else if let Some(bytes) = array.as_binary_opt::<i64>() {
        bytes.value(row)
    } else if let Some(bytes) = array.as_binary_view_opt() {
        bytes.value(row)
    } else {
        return Err("a column of bytes has another type".to_owned());
    };
    Ok(Some(value))
}

/// A number of any type of whole numbers; none if it is null, negative or not a whole number.
fn number(array: &dyn Array, row: usize) -> Option<u64> {
    fn of<T: ArrowPrimitiveType<Native: TryInto<u64>>>(
        array: &dyn Array,
        row: usize,
    ) -> Option<u64> {
        array.as_primitive_opt::<T>()?.value(row).try_into().ok()
    }
    if array.is_null(row) {
        return None;
    }
    let data_type = array.data_type();
    if *data_type == DataType::UInt64 {
        return of::<UInt64Type>(array, row);
    }
    of::<UInt8Type>(array, row)
        .or_else(|| of::<UInt16Type>(array, row))
        .or_else(|| of::<UInt32Type>(array, row))
        .or_else(|| of::<Int8Type>(array, row))
        .or_else(|| of::<Int16Type>(array, row))
        .or_else(|| of::<Int32Type>(array, row))
        .or_else(|| of::<Int64Type>(array, row))
}
