//! Reading the games of Parquet files. Nothing in them has a checksum of ours, so they are read as
//! tables that another program has written: the games are replayed.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::error::TableError;
use crate::limits::MAX_BATCH_ROWS;
use crate::rewritten::{NEEDED, Packer};

/// What a Parquet file begins with.
const MAGIC: &[u8] = b"PAR1";

/// Returns true if the bytes begin as a Parquet file does.
pub(crate) fn is_parquet(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Packs the games of a Parquet file into a new table, and returns its bytes.
///
/// # Errors
/// The file is damaged, a column is missing or has another type, or a game cannot be played.
pub(crate) fn packed_anew(bytes: Bytes) -> Result<Vec<u8>, TableError> {
    // Nothing in the file has a checksum of ours. A panic on what is wrong in it becomes an error.
    let packed = catch_unwind(AssertUnwindSafe(|| pack(bytes)));
    packed.unwrap_or_else(|_| Err(TableError::damaged("its columns cannot be read")))
}

fn pack(bytes: Bytes) -> Result<Vec<u8>, TableError> {
    let file = ParquetRecordBatchReaderBuilder::try_new(bytes).map_err(TableError::damaged)?;
    let schema = file.schema().clone();
    let mut packer = Packer::new(&schema)?;
    let columns = NEEDED.iter().map(|column| schema.index_of(column.name()));
    let columns: Vec<usize> = columns.collect::<Result<_, _>>().map_err(TableError::damaged)?;
    let columns = ProjectionMask::roots(file.parquet_schema(), columns);
    let file = file.with_projection(columns).with_batch_size(MAX_BATCH_ROWS);
    for batch in file.build().map_err(TableError::damaged)? {
        packer.add(&batch.map_err(TableError::damaged)?)?;
    }
    packer.finish()
}
