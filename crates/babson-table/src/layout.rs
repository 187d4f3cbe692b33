//! Where the columns of a block are in its body.

use std::ops::Range;

use arrow_ipc::RecordBatch;
use arrow_schema::{DataType, Field, Schema, UnionMode};

use crate::limits::MAX_BUFFER_BYTES;

/// The buffers of the columns of a block.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The widths of the items of each buffer, in the order of the body.
    widths: Vec<usize>,
    /// The index of the first buffer of each column.
    firsts: Vec<usize>,
}

impl Layout {
    /// The layout of the batches of a schema that has numbers in place of dictionaries.
    ///
    /// # Errors
    /// Tables have no columns of the type of this one.
    pub(crate) fn of_batches(schema: &Schema) -> Result<Layout, &str> {
        let mut layout = Layout { widths: Vec::new(), firsts: Vec::new() };
        for field in schema.fields() {
            layout.firsts.push(layout.widths.len());
            let data_type =
                Some(field.data_type()).filter(|data_type| is_type_of_tables(data_type));
            data_type
                .and_then(|data_type| {
                    add_widths(data_type, &mut std::iter::empty(), &mut layout.widths)
                })
                .ok_or(field.name().as_str())?;
        }
        Ok(layout)
    }

    /// The layout of a dictionary: validity, offsets and bytes of its texts.
    pub(crate) fn of_texts() -> Layout {
        Layout { widths: vec![1, 4, 1], firsts: vec![0] }
    }

    /// The number of columns.
    pub(crate) fn columns(&self) -> usize {
        self.firsts.len()
    }

    /// The bytes of each column in the body of a block, which has this length. They follow each
    /// other and are all bytes of the body: the padding after a buffer belongs to its column.
    ///
    /// # Errors
    /// A buffer is not within the body, or not after the one before it.
    pub(crate) fn ranges(
        &self,
        batch: &RecordBatch<'_>,
        body: u64,
    ) -> Result<Vec<Range<u64>>, &'static str> {
        let buffers = batch.buffers().unwrap_or_default();
        if buffers.len() != self.widths.len() {
            return Err("it has another number of columns");
        }
        let mut starts = Vec::with_capacity(self.widths.len());
        let mut end = 0;
        for buffer in buffers {
            let place = place(buffer).filter(|place| place.start >= end && place.end <= body);
            let place = place.ok_or("the place of a column in it is wrong")?;
            starts.push(place.start);
            end = place.end;
        }
        let start = |column: usize| match self.firsts.get(column) {
            Some(0) => 0,
            Some(&first) => starts[first],
            None => body,
        };
        Ok((0..self.columns()).map(|column| start(column)..start(column + 1)).collect())
    }

    /// Returns true if the length of each buffer of a column is a multiple of the width of its
    /// items. For a compressed buffer, this is the length that its first bytes claim, so test the
    /// column against its checksum first. `bytes` are the bytes of the column, which begin in the
    /// body at `start`.
    pub(crate) fn has_whole_items(
        &self,
        batch: &RecordBatch<'_>,
        (bytes, start): (&[u8], u64),
        column: usize,
    ) -> bool {
        let is_compressed = batch.compression().is_some();
        let buffers = self.buffers(batch, column);
        buffers.zip(&self.widths[self.indices(column)]).all(|(place, width)| {
            let bytes = place.and_then(|place| {
                let [begin, end] = [place.start, place.end].map(|at| at.checked_sub(start));
                bytes.get(usize::try_from(begin?).ok()?..usize::try_from(end?).ok()?)
            });
            let length = match is_compressed {
                true => bytes.and_then(decompressed_len),
                false => bytes.map(<[u8]>::len),
            };
            length.is_some_and(|length| length % width == 0)
        })
    }

    /// The indices of the buffers of a column.
    pub(crate) fn indices(&self, column: usize) -> Range<usize> {
        let end = self.firsts.get(column + 1).copied().unwrap_or(self.widths.len());
        self.firsts[column]..end
    }

    /// The place of each buffer of a column in the body of a block; `None` if it is wrong.
    pub(crate) fn buffers(
        &self,
        batch: &RecordBatch<'_>,
        column: usize,
    ) -> impl Iterator<Item = Option<Range<u64>>> {
        let indices = self.indices(column);
        let buffers = batch.buffers().into_iter().flatten();
        buffers.skip(indices.start).take(indices.len()).map(place)
    }

    /// The widths of the items of each buffer of a column.
    pub(crate) fn item_widths(&self, column: usize) -> &[usize] {
        &self.widths[self.indices(column)]
    }
}

/// The place of a buffer in the body of its block; `None` if no block is as long.
fn place(buffer: &arrow_ipc::Buffer) -> Option<Range<u64>> {
    let start = u64::try_from(buffer.offset()).ok()?;
    Some(start..start.checked_add(u64::try_from(buffer.length()).ok()?)?)
}

/// Returns the length that a buffer of a compressed table claims to have after decompression. The
/// buffer begins with this length, or with -1 if the rest of the buffer is not compressed.
fn decompressed_len(buffer: &[u8]) -> Option<usize> {
    if buffer.is_empty() {
        return Some(0);
    }
    let (claimed, rest) = buffer.split_first_chunk::<8>()?;
    match i64::from_le_bytes(*claimed) {
        -1 => Some(rest.len()),
        length if length <= MAX_BUFFER_BYTES => usize::try_from(length).ok(),
        _ => None,
    }
}

/// Returns true if a table of this crate may have a column of this type.
fn is_type_of_tables(data_type: &DataType) -> bool {
    if let DataType::List(item) = data_type {
        return is_type_of_tables(item.data_type());
    }
    let is_text = matches!(data_type, DataType::Utf8 | DataType::Binary);
    is_text || data_type.primitive_width().is_some()
}

/// Appends to `widths` the width of the items of each buffer of a column of this type, in the order
/// in which a block of any Arrow file has the buffers: the bits of validity first. A column of
/// views has further buffers, and the next number of `views` says how many. Returns `None` if
/// `views` has too few numbers.
pub(crate) fn add_widths(
    data_type: &DataType,
    views: &mut impl Iterator<Item = usize>,
    widths: &mut Vec<usize>,
) -> Option<()> {
    use DataType as T;

    let mut children: Vec<&Field> = Vec::new();
    match data_type {
        T::Null => {}
        T::Utf8 | T::Binary => widths.extend([1, 4, 1]),
        T::LargeUtf8 | T::LargeBinary => widths.extend([1, 8, 1]),
        T::Utf8View | T::BinaryView => {
            widths.extend([1, 16]);
            widths.extend(std::iter::repeat_n(1, views.next()?));
        }
        T::FixedSizeBinary(width) => widths.extend([1, usize::try_from(*width).ok()?.max(1)]),
        T::List(item) | T::Map(item, _) => {
            widths.extend([1, 4]);
            children.push(item);
        }
        T::LargeList(item) => {
            widths.extend([1, 8]);
            children.push(item);
        }
        T::ListView(item) => {
            widths.extend([1, 4, 4]);
            children.push(item);
        }
        T::LargeListView(item) => {
            widths.extend([1, 8, 8]);
            children.push(item);
        }
        T::FixedSizeList(item, _) => {
            widths.push(1);
            children.push(item);
        }
        T::Struct(fields) => {
            widths.push(1);
            children.extend(fields.iter().map(AsRef::as_ref));
        }
        T::Union(fields, mode) => {
            widths.push(1);
            widths.extend((*mode == UnionMode::Dense).then_some(4));
            children.extend(fields.iter().map(|(_, field)| field.as_ref()));
        }
        T::RunEndEncoded(ends, values) => children.extend([ends.as_ref(), values.as_ref()]),
        T::Dictionary(keys, _) => widths.extend([1, keys.primitive_width()?]),
        // Its items are bits.
        T::Boolean => widths.extend([1, 1]),
        T::Int8
        | T::Int16
        | T::Int32
        | T::Int64
        | T::UInt8
        | T::UInt16
        | T::UInt32
        | T::UInt64
        | T::Float16
        | T::Float32
        | T::Float64
        | T::Timestamp(..)
        | T::Date32
        | T::Date64
        | T::Time32(_)
        | T::Time64(_)
        | T::Duration(_)
        | T::Interval(_)
        | T::Decimal32(..)
        | T::Decimal64(..)
        | T::Decimal128(..)
        | T::Decimal256(..) => widths.extend([1, data_type.primitive_width()?]),
    }
    children.into_iter().try_for_each(|child| add_widths(child.data_type(), views, widths))
}
