//! What tests need to damage tables.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;

use super::columns::shifted;
use super::{BlockId, Table};
use crate::error::TableError;
use crate::layout::Layout;
use crate::row_sums::{self, RowSums};
use crate::schema::{Column, ColumnSet};

fn in_memory(range: &Range<u64>) -> Range<usize> {
    range.start as usize..range.end as usize
}

impl Table {
    /// Where the bytes of a column of a batch are in the file.
    pub(crate) fn column_range(&self, batch: usize, column: Column) -> Range<usize> {
        let block = &self.frame.batches[batch];
        let [metadata] = self.read([block.metadata.clone()]).unwrap();
        let header = block.record_batch(&metadata, None).unwrap();
        let ranges = self.layout.ranges(&header, block.body.end - block.body.start).unwrap();
        in_memory(&shifted(&ranges[column.index()], block.body.start))
    }

    /// Where the items of the rows of a column of a batch are in the file.
    pub(crate) fn items_range(&self, batch: usize, column: Column) -> Range<usize> {
        let block = &self.frame.batches[batch];
        let [metadata] = self.read([block.metadata.clone()]).unwrap();
        let header = block.record_batch(&metadata, None).unwrap();
        let items = self.layout.buffers(&header, column.index()).last().flatten().unwrap();
        in_memory(&shifted(&items, block.body.start))
    }

    /// The ranges of the metadata of all blocks.
    pub(crate) fn metadata_ranges(&self) -> Vec<Range<usize>> {
        let blocks = self.frame.dictionaries.iter().chain(&self.frame.batches);
        blocks.map(|block| in_memory(&block.metadata)).collect()
    }

    /// Returns the table with other bytes, whose blocks are in the same places. All its checksums
    /// are computed from these bytes.
    pub(crate) fn with_bytes(&self, bytes: Vec<u8>) -> Table {
        let mut frame = self.frame.as_ref().clone();
        let dictionaries = frame
            .dictionaries
            .iter_mut()
            .zip(0..)
            .map(|(block, id)| (block, Some(id), Layout::of_texts()));
        let batches = frame.batches.iter_mut();
        let batches = batches.map(|block| (block, None, self.layout.as_ref().clone()));
        for (block, id, layout) in dictionaries.chain(batches) {
            block.sums.metadata = crc32fast::hash(&bytes[in_memory(&block.metadata)]);
            let body = &bytes[in_memory(&block.body)];
            if let Ok(header) = block.record_batch(&bytes[in_memory(&block.metadata)], id)
                && let Ok(ranges) = layout.ranges(&header, body.len() as u64)
            {
                let sums = ranges.iter().map(|range| crc32fast::hash(&body[in_memory(range)]));
                block.sums.columns = sums.collect();
            }
        }
        let source = Arc::new(Bytes::from(bytes));
        let table = Table { source, frame: Arc::new(frame), row_sums: None, ..self.clone() };
        let row_sums = self.row_sums.as_ref().map(|_| Arc::new(table.sums_of_rows()));
        Table { row_sums, ..table }
    }

    /// The same table with other bytes that come from elsewhere.
    pub(crate) fn with_source(&self, source: Arc<dyn crate::TableSource>) -> Table {
        Table { source, ..self.clone() }
    }

    /// The checksums that its rows have. A batch that cannot be read has zeros.
    fn sums_of_rows(&self) -> RowSums {
        let rows = || self.frame.batches.iter().map(|block| block.sums.rows);
        let mut digits = String::new();
        for (batch, rows) in rows().enumerate() {
            let before = digits.len();
            if self.append_row_sums(batch, &mut digits).is_err() {
                digits.truncate(before);
                let sums = row_sums::COLUMNS.len() * row_sums::count(rows as usize);
                digits.push_str(&"00000000".repeat(sums));
            }
        }
        RowSums::of(digits.into(), rows()).unwrap()
    }

    fn append_row_sums(&self, batch: usize, digits: &mut String) -> Result<(), TableError> {
        let read = self.batch(batch, ColumnSet::of(&row_sums::COLUMNS))?;
        let block = self.block(BlockId::Batch(batch));
        let [metadata, body] = self.read([block.metadata.clone(), block.body.clone()])?;
        let header = block.record_batch(&metadata, None)?;
        let ranges = self.layout.ranges(&header, body.len() as u64);
        let ranges = ranges.map_err(TableError::damaged)?;
        for column in row_sums::COLUMNS {
            let index = column.index();
            let items = self.layout.buffers(&header, index).last().flatten();
            let items = items.ok_or(TableError::damaged("no items"))?;
            let head = &body[in_memory(&(ranges[index].start..items.start))];
            let array = read.arrays[index].as_ref().ok_or(TableError::damaged("no column"))?;
            row_sums::append(digits, head, array);
        }
        Ok(())
    }
}
