//! Reading some rows of columns of a table that is not in memory.

use std::ops::Range;

use arrow_ipc::RecordBatch;
use bytes::Bytes;

use super::columns::shifted;
use super::{BlockId, Table};
use crate::error::TableError;
use crate::layout::Layout;
use crate::limits::SUMMED_ROWS;
use crate::row_sums::rows_of;

/// The bytes of a column.
pub(super) struct ColumnBytes {
    pub(super) bytes: Bytes,
    /// Whether they are all there, so that they have their checksum.
    pub(super) is_whole: bool,
}

/// The beginning of a column, or all of it.
struct Head {
    bytes: Bytes,
    /// If more of the column is missing.
    values: Option<Values>,
}

/// The values of a column of lists or of bytes.
struct Values {
    /// Where they are in the body of the block.
    place: Range<u64>,
    /// Where the values of the rows are in the body. They follow each other.
    ranges: Vec<Range<u64>>,
}

impl ColumnBytes {
    pub(super) fn whole(bytes: Bytes) -> ColumnBytes {
        ColumnBytes { bytes, is_whole: true }
    }
}

impl Table {
    /// Reads the bytes of columns, which are at these places in the body of a block. Of a column
    /// that has checksums of rows, it reads the values of these rows only, with those that share
    /// their checksums: bit `i` of word `w` is row `64 * w + i`. Zeros are in place of the others.
    /// If this saves little, the column is read as a whole, as those without checksums of rows are.
    pub(super) fn read_rows(
        &self,
        id: BlockId,
        (layout, header): (&Layout, &RecordBatch<'_>),
        places: &[(usize, Range<u64>)],
        rows: &[u64],
    ) -> Result<Vec<ColumnBytes>, TableError> {
        let start = self.block(id).body.start;
        let values = |column: usize| {
            let is_listed = header.compression().is_none()
                && self.head_sum(id, column).is_some()
                && matches!(layout.item_widths(column), [1, 4, .., _]);
            let buffers = || layout.buffers(header, column);
            is_listed.then(|| buffers().last().flatten().zip(buffers().nth(1).flatten())).flatten()
        };
        // First what says where the rows are.
        let heads: Vec<Range<u64>> = places
            .iter()
            .map(|(column, range)| {
                let end = values(*column).map_or(range.end, |(values, _)| values.start);
                shifted(&(range.start..end), start)
            })
            .collect();
        let mut columns = Vec::new();
        for ((column, range), bytes) in places.iter().zip(self.read_all(&heads)?) {
            let Some((place, offsets)) = values(*column) else {
                columns.push(Head { bytes, values: None });
                continue;
            };
            let width = layout.item_widths(*column).last().copied().unwrap_or(1) as u64;
            let at = usize::try_from(offsets.start - range.start).unwrap_or(usize::MAX);
            let offsets = bytes.get(at..).unwrap_or_default();
            let ranges = value_ranges(offsets, (&place, width), rows, header.length());
            let ranges = ranges.ok_or_else(|| {
                let name = self.schema.field(*column).name();
                let reason = format!("the place of a row in the column {name} is wrong");
                TableError::Damaged(reason).within(self.name(id))
            })?;
            let length: u64 = ranges.iter().map(|range| range.end - range.start).sum();
            let all = place.start..range.end;
            let ranges = match length > (all.end - all.start) / 2 {
                true => vec![all.clone()],
                false => ranges,
            };
            columns.push(Head { bytes, values: Some(Values { place: all, ranges }) });
        }
        // Then the rows of all columns at once.
        let values = columns.iter().filter_map(|head| head.values.as_ref());
        let ranges = values.flat_map(|values| &values.ranges).map(|range| shifted(range, start));
        let mut parts = self.read_all(&ranges.collect::<Vec<_>>())?.into_iter();
        let columns = columns.into_iter().map(|Head { bytes, values }| {
            let Some(Values { place, ranges }) = values else {
                return ColumnBytes::whole(bytes);
            };
            let is_whole = ranges == [place.clone()];
            let first = bytes.len();
            let mut column = vec![0; first + (place.end - place.start) as usize];
            column[..first].copy_from_slice(&bytes);
            for (range, part) in ranges.iter().zip(&mut parts) {
                let at = first + (range.start - place.start) as usize;
                column[at..at + part.len()].copy_from_slice(&part);
            }
            ColumnBytes { bytes: column.into(), is_whole }
        });
        Ok(columns.collect())
    }
}

/// A word of bits of rows is for the rows that share a checksum.
const _: () = assert!(SUMMED_ROWS == u64::BITS as usize);

/// The ranges of the values of some rows and of those that share their checksums, with rows that
/// follow each other in one range. `offsets` begins with the offsets of the column, and the values
/// are at a place and have a width. Returns `None` if the offsets are wrong.
fn value_ranges(
    offsets: &[u8],
    (values, width): (&Range<u64>, u64),
    rows: &[u64],
    count: i64,
) -> Option<Vec<Range<u64>>> {
    let count = usize::try_from(count).ok()?;
    let offset = |row: usize| {
        let digits = offsets.get(4 * row..)?.first_chunk::<4>()?;
        let offset = u64::try_from(i32::from_le_bytes(*digits)).ok()?;
        let at = values.start.checked_add(offset.checked_mul(width)?)?;
        (at <= values.end).then_some(at)
    };
    let mut ranges: Vec<Range<u64>> = Vec::new();
    let groups = rows.iter().enumerate().filter(|(_, word)| **word != 0);
    for rows in groups.map(|(group, _)| rows_of(group, count)) {
        for row in rows {
            let (start, end) = (offset(row)?, offset(row + 1)?);
            match ranges.last_mut() {
                Some(last) if start < last.end => return None,
                Some(last) if start == last.end && start <= end => last.end = end,
                _ if start < end => ranges.push(start..end),
                _ if start == end => {}
                Some(_) | None => return None,
            }
        }
    }
    Some(ranges)
}
