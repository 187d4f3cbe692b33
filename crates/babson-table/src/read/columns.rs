//! Reading the columns of a block.
//!
//! Of a table in memory, a block is taken as a whole, without a copy. Of a table that is elsewhere,
//! only the requested columns are read. They are put into a smaller body, and the metadata of the
//! block, which says where its buffers are, is changed to fit it.

use std::ops::Range;

use arrow_buffer::{Buffer, MutableBuffer};
use arrow_ipc::{RecordBatch, root_as_message};
use bytes::Bytes;

use super::rows::ColumnBytes;
use super::{BlockId, ReadRows, Table};
use crate::error::TableError;
use crate::frame::{batch_of, message_bytes};
use crate::layout::Layout;
use crate::limits::{MAX_BATCHES_AHEAD, MAX_BYTES_AHEAD};
use crate::schema::{Column, ColumnSet};
use crate::source::TableSource;

/// The bytes of a buffer in the metadata of a block: its offset and its length.
const BUFFER_BYTES: usize = 16;

/// The alignment of columns in a body.
const ALIGNMENT: usize = 64;

impl Table {
    /// Reads ranges of the file.
    pub(super) fn read<const N: usize>(
        &self,
        ranges: [Range<u64>; N],
    ) -> Result<[Bytes; N], TableError> {
        let parts = self.read_all(&ranges)?;
        parts.try_into().map_err(|_| other_bytes())
    }

    /// Reads ranges of the file, as [`read_all`] does.
    pub(super) fn read_all(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, TableError> {
        read_all(&*self.source, ranges)
    }

    /// The id of a dictionary in its metadata.
    fn dictionary(id: BlockId) -> Option<i64> {
        match id {
            BlockId::Texts(dictionary) => Some(dictionary as i64),
            BlockId::Batch(_) => None,
        }
    }

    /// Tests the metadata of a block, and the columns with these indices, against their checksums.
    /// Then gives `take` the header of the block and a body that has these columns.
    pub(super) fn with_columns<T>(
        &self,
        id: BlockId,
        columns: &[usize],
        rows: ReadRows<'_>,
        take: impl FnOnce(RecordBatch<'_>, Buffer) -> Result<T, TableError>,
    ) -> Result<T, TableError> {
        let block = self.block(id);
        let within = |error: TableError| error.within(self.name(id));
        let [metadata] = self.read([block.metadata.clone()])?;
        let header = block.record_batch(&metadata, Table::dictionary(id)).map_err(within)?;
        let of_texts = Layout::of_texts();
        let layout = match id {
            BlockId::Texts(_) => &of_texts,
            BlockId::Batch(_) => self.layout.as_ref(),
        };
        let ranges = layout.ranges(&header, block.body.end - block.body.start);
        let ranges = ranges.map_err(|reason| within(TableError::damaged(reason)))?;
        if self.source.is_in_memory() {
            let [body] = self.read([block.body.clone()])?;
            for &column in columns {
                let range = &ranges[column];
                // The ranges are within the body.
                let bytes = &body[range.start as usize..range.end as usize];
                let head = match rows {
                    ReadRows::CheckedLater => self.head_sum(id, column),
                    ReadRows::All | ReadRows::Selected(_) => None,
                };
                let items = layout.buffers(&header, column).last().flatten();
                let tested = match (head, items) {
                    (Some(sum), Some(items)) => {
                        let head = &bytes[..(items.start - range.start) as usize];
                        crc32fast::hash(head) == sum
                    }
                    (None, _) | (_, None) => crc32fast::hash(bytes) == block.sums.columns[column],
                };
                if !tested {
                    return Err(self.wrong_sum(id, column));
                }
                self.check_items(id, layout, &header, column, (bytes, range.start))?;
            }
            return take(header, Buffer::from(body));
        }
        let places: Vec<_> =
            columns.iter().map(|&column| (column, ranges[column].clone())).collect();
        let found = match rows {
            ReadRows::Selected(rows) => self.read_rows(id, (layout, &header), &places, rows)?,
            ReadRows::All | ReadRows::CheckedLater => {
                let start = block.body.start;
                let in_file = places.iter().map(|(_, range)| shifted(range, start));
                let parts = self.read_all(&in_file.collect::<Vec<_>>())?;
                parts.into_iter().map(ColumnBytes::whole).collect()
            }
        };
        for ((column, range), found) in places.iter().zip(&found) {
            if found.is_whole && crc32fast::hash(&found.bytes) != block.sums.columns[*column] {
                return Err(self.wrong_sum(id, *column));
            }
            // What says where the rows are has a checksum of its own.
            let items = layout.buffers(&header, *column).last().flatten();
            if !found.is_whole
                && let Some((sum, items)) = self.head_sum(id, *column).zip(items)
                && let Some(head) = found.bytes.get(..(items.start - range.start) as usize)
                && crc32fast::hash(head) != sum
            {
                return Err(self.wrong_sum(id, *column));
            }
            self.check_items(id, layout, &header, *column, (&found.bytes[..], range.start))?;
        }
        let (moved, body) = joined(&metadata, (layout, &header), &places, &found);
        let message = root_as_message(message_bytes(&moved)).ok();
        let header = message.and_then(|message| batch_of(&message, Table::dictionary(id)));
        take(header.ok_or(within(TableError::damaged("its metadata cannot be read")))?, body)
    }

    /// Tests the lengths of the buffers of a column, whose bytes begin in the body of the block at
    /// an offset.
    fn check_items(
        &self,
        id: BlockId,
        layout: &Layout,
        header: &RecordBatch<'_>,
        column: usize,
        (bytes, start): (&[u8], u64),
    ) -> Result<(), TableError> {
        let within = |error: TableError| error.within(self.name(id));
        match layout.has_whole_items(header, (bytes, start), column) {
            true => Ok(()),
            false => {
                let reason = "the length of a column in it is wrong";
                Err(within(TableError::damaged(reason)))
            }
        }
    }

    /// Prepares to read these columns of the next batches. A source far away then reads them at
    /// once instead of one after another, if it keeps what it reads. Call this for each batch in
    /// turn, before the batch is read: it does something at one call of several. If the table is in
    /// memory, it does nothing.
    ///
    /// # Errors
    /// The source cannot read them. Damage is not an error here.
    ///
    /// # Panics
    /// If the index is not less than the number of batches.
    pub fn read_ahead(&self, index: usize, columns: ColumnSet) -> Result<(), TableError> {
        if self.source.is_in_memory() || !index.is_multiple_of(MAX_BATCHES_AHEAD) {
            return Ok(());
        }
        let end = self.batches().min(index + MAX_BATCHES_AHEAD);
        let blocks = &self.frame.batches[index..end];
        let metadata: Vec<_> = blocks.iter().map(|block| block.metadata.clone()).collect();
        let mut length = 0;
        let mut ranges = Vec::new();
        for (block, metadata) in blocks.iter().zip(self.read_all(&metadata)?) {
            let Ok(header) = block.record_batch(&metadata, None) else { break };
            let places = self.layout.ranges(&header, block.body.end - block.body.start);
            let Ok(places) = places else { break };
            let places: Vec<_> = columns
                .iter()
                .map(Column::index)
                .map(|column| shifted(&places[column], block.body.start))
                .collect();
            length += places.iter().map(|place| place.end - place.start).sum::<u64>();
            if length > MAX_BYTES_AHEAD {
                break;
            }
            ranges.extend(places);
        }
        self.read_all(&ranges).map(drop)
    }
}

/// Reads ranges of the file, and tests that the source has given the bytes of each.
pub(super) fn read_all(
    source: &dyn TableSource,
    ranges: &[Range<u64>],
) -> Result<Vec<Bytes>, TableError> {
    let parts = source.read_ranges(ranges)?;
    let fits = |(part, range): (&Bytes, &Range<u64>)| {
        u64::try_from(part.len()).ok() == range.end.checked_sub(range.start)
    };
    match parts.len() == ranges.len() && parts.iter().zip(ranges).all(fits) {
        true => Ok(parts),
        false => Err(other_bytes()),
    }
}

/// The error of a source that breaks its contract.
pub(super) fn other_bytes() -> TableError {
    TableError::Read("other bytes of the table came than the requested ones".to_owned())
}

/// The place in the file of a range of a body that begins at `start`.
pub(super) fn shifted(range: &Range<u64>, start: u64) -> Range<u64> {
    range.start + start..range.end + start
}

/// Puts columns one after another into a body. Returns the metadata of the block with the new
/// places of their buffers, and the body. The places of other buffers are wrong then.
fn joined(
    metadata: &Bytes,
    (layout, header): (&Layout, &RecordBatch<'_>),
    places: &[(usize, Range<u64>)],
    columns: &[ColumnBytes],
) -> (Vec<u8>, Buffer) {
    let mut moved = metadata.to_vec();
    let buffers = header.buffers().map_or(&[][..], |buffers| buffers.bytes());
    // The header is a view of the metadata.
    let first = buffers.as_ptr() as usize - metadata.as_ptr() as usize;
    let length = columns.iter().map(|column| column.bytes.len().next_multiple_of(ALIGNMENT)).sum();
    let mut body = MutableBuffer::with_capacity(length);
    for ((column, range), found) in places.iter().zip(columns) {
        let indices = layout.indices(*column);
        for (index, place) in indices.zip(layout.buffers(header, *column)) {
            let within = place.map_or(0, |place| place.start.saturating_sub(range.start));
            let offset = body.len() as u64 + within;
            let at = first + BUFFER_BYTES * index;
            moved[at..at + 8].copy_from_slice(&offset.to_le_bytes());
        }
        body.extend_from_slice(&found.bytes);
        body.resize(body.len().next_multiple_of(ALIGNMENT), 0);
    }
    (moved, body.into())
}
