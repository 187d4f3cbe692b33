//! The checksums of rows.
//!
//! Most bytes of a table are tags, moves and texts of moves, and a search needs them only of the
//! games that pass its guard. So these columns have checksums for a few rows each, beside the
//! checksum of the whole column, and a search tests no other rows than it reads. The footer has
//! them as hexadecimal digits, eight for each number, for each batch and each of these columns in
//! this order:
//!
//! 1. the checksum of the bytes before the items of the rows: validity and offsets
//! 2. for each 64 rows, the checksum of their items
//!
//! A compressed table has none, since its columns can only be read as wholes.

use std::fmt::Write as _;
use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt16Type;
use arrow_array::{Array, ArrayRef};
use bytes::Bytes;

use crate::limits::SUMMED_ROWS;
use crate::schema::Column;

/// The columns that have checksums of rows.
pub(crate) const COLUMNS: [Column; 3] = [Column::TAGS, Column::MOVETEXT, Column::MOVES];

/// The checksums of the rows of a table.
#[derive(Clone, Debug)]
pub(crate) struct RowSums {
    digits: Bytes,
    /// The index of the first number of each batch.
    firsts: Vec<usize>,
    /// The number of the numbers of each column of a batch.
    counts: Vec<usize>,
}

/// The number of checksums of a column of a batch with this number of rows.
pub(crate) fn count(rows: usize) -> usize {
    1 + rows.div_ceil(SUMMED_ROWS)
}

/// The items of some rows of one of [`COLUMNS`].
fn items(array: &ArrayRef, rows: Range<usize>) -> &[u8] {
    let range = |offsets: &[i32]| offsets[rows.start] as usize..offsets[rows.end] as usize;
    match array.as_list_opt::<i32>() {
        Some(list) => {
            let codes = list.values().as_primitive::<UInt16Type>().values();
            let Range { start, end } = range(list.value_offsets());
            &codes.inner().as_slice()[2 * start..2 * end]
        }
        None => {
            let bytes = array.as_binary::<i32>();
            &bytes.value_data()[range(bytes.value_offsets())]
        }
    }
}

/// The rows of a column with this many rows that share the checksum with this index.
pub(crate) fn rows_of(index: usize, rows: usize) -> Range<usize> {
    index * SUMMED_ROWS..rows.min((index + 1) * SUMMED_ROWS)
}

/// The checksum of the items of some rows.
pub(crate) fn sum(array: &ArrayRef, rows: Range<usize>) -> u32 {
    crc32fast::hash(items(array, rows))
}

/// Appends the digits of a column of a batch. `head` is what is before the items of its rows.
pub(crate) fn append(digits: &mut String, head: &[u8], array: &ArrayRef) {
    let rows = array.len();
    let sums = (0..rows.div_ceil(SUMMED_ROWS)).map(|index| sum(array, rows_of(index, rows)));
    for sum in std::iter::once(crc32fast::hash(head)).chain(sums) {
        // A string takes any text.
        let _ = write!(digits, "{sum:08x}");
    }
}

impl RowSums {
    /// The checksums with these digits, for batches with these numbers of rows; `None` if the
    /// digits do not fit these numbers.
    pub(crate) fn of(digits: Bytes, rows: impl IntoIterator<Item = u32>) -> Option<RowSums> {
        let mut sums = RowSums { digits, firsts: Vec::new(), counts: Vec::new() };
        let mut first = 0usize;
        for rows in rows {
            let count = count(usize::try_from(rows).ok()?);
            sums.firsts.push(first);
            sums.counts.push(count);
            first = first.checked_add(count.checked_mul(COLUMNS.len())?)?;
        }
        (first.checked_mul(8) == Some(sums.digits.len())).then_some(sums)
    }

    /// The digits of a batch.
    pub(crate) fn digits(&self, batch: usize) -> Option<&str> {
        let length = 8 * COLUMNS.len() * self.counts[batch];
        str::from_utf8(self.digits.get(8 * self.firsts[batch]..)?.get(..length)?).ok()
    }

    fn get(&self, batch: usize, column: Column, index: usize) -> Option<u32> {
        let column = COLUMNS.iter().position(|of_rows| *of_rows == column)?;
        let at = self.firsts[batch] + column * self.counts[batch] + index;
        let digits = self.digits.get(8 * at..)?.first_chunk::<8>()?;
        u32::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
    }

    /// The checksum of what is before the items of a column of a batch.
    pub(crate) fn head(&self, batch: usize, column: Column) -> Option<u32> {
        self.get(batch, column, 0)
    }

    /// The checksum with this index of the items of a column of a batch.
    pub(crate) fn items(&self, batch: usize, column: Column, index: usize) -> Option<u32> {
        self.get(batch, column, 1 + index)
    }
}
