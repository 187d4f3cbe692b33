//! Columns of lists and of bytes, made of the buffers of a block.
//!
//! The decoder of Arrow looks at each offset of such a column by itself. A search of few games
//! needs little else of the column, so here the offsets are tested many at once.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::types::{ArrowPrimitiveType, UInt16Type, UInt64Type};
use arrow_array::{ArrayRef, BinaryArray, ListArray, PrimitiveArray};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_ipc::{FieldNode, RecordBatch};
use arrow_schema::{DataType, Schema};

use crate::layout::Layout;

/// The column with this index; `None` if it is not one of lists or bytes, or not as a table usually
/// has it. Then the decoder of Arrow makes it, or says what is wrong.
pub(super) fn column(
    schema: &Schema,
    layout: &Layout,
    header: &RecordBatch<'_>,
    body: &Buffer,
    column: usize,
) -> Option<ArrayRef> {
    if header.compression().is_some() {
        return None;
    }
    let data_type = schema.field(column).data_type();
    let before = schema.fields()[..column].iter().map(|field| nodes_of(field.data_type()));
    let nodes = header.nodes()?.iter().skip(before.sum());
    let nodes: Vec<&FieldNode> = nodes.take(nodes_of(data_type)).collect();
    let places: Option<Vec<Range<u64>>> = layout.buffers(header, column).collect();
    let buffers: Option<Vec<Buffer>> =
        places?.into_iter().map(|place| slice(body, place)).collect();
    let rows = usize::try_from(header.length()).ok().filter(|rows| *rows > 0)?;
    if nodes.first()?.length() != header.length() {
        return None;
    }
    match (data_type, &buffers?[..], &nodes[..]) {
        (DataType::Binary, [validity, offsets, bytes], [node]) => {
            let offsets = sound_offsets(offsets, rows, bytes.len())?;
            let nulls = nulls(validity, node, rows)?;
            Some(Arc::new(BinaryArray::try_new(offsets, bytes.clone(), nulls).ok()?))
        }
        (DataType::List(item), [validity, offsets, _, items], [node, item_node]) => {
            let items = if *item.data_type() == DataType::UInt16 {
                numbers::<UInt16Type>(items, item_node)?
            } else if *item.data_type() == DataType::UInt64 {
                numbers::<UInt64Type>(items, item_node)?
            } else {
                return None;
            };
            let offsets = sound_offsets(offsets, rows, items.len())?;
            let nulls = nulls(validity, node, rows)?;
            Some(Arc::new(ListArray::try_new(Arc::clone(item), offsets, items, nulls).ok()?))
        }
        _ => None,
    }
}

/// The number of nodes of a column of one of the types that tables have.
fn nodes_of(data_type: &DataType) -> usize {
    if let DataType::List(item) = data_type { 1 + nodes_of(item.data_type()) } else { 1 }
}

fn slice(body: &Buffer, place: Range<u64>) -> Option<Buffer> {
    let (start, end) = (usize::try_from(place.start).ok()?, usize::try_from(place.end).ok()?);
    (start <= end && end <= body.len()).then(|| body.slice_with_length(start, end - start))
}

/// The first items of a buffer; `None` if it has fewer, or does not begin where such an item can.
fn items<T: arrow_buffer::ArrowNativeType>(buffer: &Buffer, len: usize) -> Option<ScalarBuffer<T>> {
    let is_aligned = buffer.as_ptr().cast::<T>().is_aligned();
    let fits = len.checked_mul(size_of::<T>())? <= buffer.len();
    (is_aligned && fits).then(|| ScalarBuffer::new(buffer.clone(), 0, len))
}

/// The offsets of lists of items, if they ascend within the items.
fn sound_offsets(buffer: &Buffer, rows: usize, items_len: usize) -> Option<OffsetBuffer<i32>> {
    let offsets = items::<i32>(buffer, rows.checked_add(1)?)?;
    let ascends = offsets.iter().zip(&offsets[1..]).fold(true, |all, (a, b)| all & (a <= b));
    let is_within = offsets[0] >= 0 && usize::try_from(offsets[rows]).is_ok_and(|e| e <= items_len);
    (ascends && is_within).then(|| OffsetBuffer::new(offsets))
}

/// Which rows have a list. The inner option is `None` if all have.
fn nulls(validity: &Buffer, node: &FieldNode, rows: usize) -> Option<Option<NullBuffer>> {
    if node.null_count() == 0 {
        return Some(None);
    }
    let fits = rows.div_ceil(8) <= validity.len();
    fits.then(|| Some(NullBuffer::new(BooleanBuffer::new(validity.clone(), 0, rows))))
}

/// The numbers in lists, if none is missing.
fn numbers<T: ArrowPrimitiveType>(buffer: &Buffer, node: &FieldNode) -> Option<ArrayRef> {
    let len = usize::try_from(node.length()).ok().filter(|_| node.null_count() == 0)?;
    Some(Arc::new(PrimitiveArray::<T>::new(items::<T::Native>(buffer, len)?, None)))
}
