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

    /// The bytes of each column in the body of a block. They follow each other and are all bytes of
    /// the body: the padding after a buffer belongs to its column.
    ///
    /// # Errors
    /// A buffer is not within the body, or not after the one before it.
    pub(crate) fn ranges(
        &self,
        batch: &RecordBatch<'_>,
        body: &[u8],
    ) -> Result<Vec<Range<usize>>, &'static str> {
        let buffers = batch.buffers().unwrap_or_default();
        if buffers.len() != self.widths.len() {
            return Err("it has another number of columns");
        }
        let mut starts = Vec::with_capacity(self.widths.len());
        let mut end = 0;
        for buffer in buffers {
            let start = usize::try_from(buffer.offset()).ok().filter(|start| *start >= end);
            let bytes = start.zip(usize::try_from(buffer.length()).ok());
            let bytes = bytes.and_then(|(start, length)| {
                starts.push(start);
                body.get(start..start.checked_add(length)?)
            });
            let bytes = bytes.ok_or("the place of a column in it is wrong")?;
            end = starts.last().map_or(0, |start| start + bytes.len());
        }
        let start = |column: usize| match self.firsts.get(column) {
            Some(0) => 0,
            Some(&first) => starts[first],
            None => body.len(),
        };
        Ok((0..self.columns()).map(|column| start(column)..start(column + 1)).collect())
    }

    /// Where the items of a column begin: its last buffer. [`ranges`](Layout::ranges) has tested
    /// the places of all buffers.
    pub(crate) fn items_start(&self, batch: &RecordBatch<'_>, column: usize) -> Option<usize> {
        let end = self.firsts.get(column + 1).copied().unwrap_or(self.widths.len());
        let buffer = batch.buffers()?.iter().nth(end.checked_sub(1)?)?;
        usize::try_from(buffer.offset()).ok()
    }

    /// Returns true if the length of each buffer of a column is a multiple of the width of its
    /// items. For a compressed buffer, this is the length that its first bytes claim, so test the
    /// column against its checksum first.
    pub(crate) fn has_whole_items(
        &self,
        batch: &RecordBatch<'_>,
        body: &[u8],
        column: usize,
    ) -> bool {
        let is_compressed = batch.compression().is_some();
        let first = self.firsts[column];
        let end = self.firsts.get(column + 1).copied().unwrap_or(self.widths.len());
        let buffers = batch.buffers().into_iter().flatten().skip(first);
        buffers.zip(&self.widths[first..end]).all(|(buffer, width)| {
            let start = usize::try_from(buffer.offset()).ok();
            let bytes = start.zip(usize::try_from(buffer.length()).ok());
            let bytes =
                bytes.and_then(|(start, length)| body.get(start..start.checked_add(length)?));
            let length = match is_compressed {
                true => bytes.and_then(decompressed_len),
                false => bytes.map(<[u8]>::len),
            };
            length.is_some_and(|length| length % width == 0)
        })
    }
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
