//! Opening a table, whoever has written it.

use std::sync::Arc;

use arrow_buffer::Buffer;
use bytes::Bytes;

use crate::error::TableError;
use crate::frame::is_rewritten;
use crate::limits::MAX_TAIL_BYTES;
#[cfg(feature = "parquet")]
use crate::parquet_games;
use crate::read::Table;
use crate::rewritten::packed_anew;
use crate::source::TableSource;

impl Table {
    /// Opens a table from the bytes of its file, which may be mapped. Reads only the footer and the
    /// few texts of the column of results.
    ///
    /// A table has no checksums if another program has read it and written it anew, as a file or
    /// as a stream of Arrow, or if it is a Parquet file (with the feature `parquet`). Then `open`
    /// reads all of it, replays its games, and takes the facts from the moves: see
    /// [`is_rewritten`](Table::is_rewritten).
    ///
    /// # Errors
    /// The bytes are not a table, or they are cut off or damaged, or this program cannot read them:
    /// [`TableError`] says which.
    pub fn open(bytes: Bytes) -> Result<Table, TableError> {
        #[cfg(feature = "parquet")]
        if parquet_games::is_parquet(&bytes) {
            let packed = parquet_games::packed_anew(bytes)?;
            return Ok(packed_table(packed.into())?.into_rewritten());
        }
        match packed_table(bytes.clone()) {
            Err(_) if is_rewritten(&bytes) => {
                let packed = packed_anew(&Buffer::from(bytes))?;
                Ok(packed_table(packed.into())?.into_rewritten())
            }
            opened => opened,
        }
    }

    /// Opens a table whose bytes are read where they are, as far as they are needed: its footer and
    /// the few texts of the column of results now, and later the columns of the batches that are
    /// read.
    ///
    /// # Errors
    /// As [`open`](Table::open); or the source cannot read the bytes; or another program has
    /// written the table anew ([`TableError::RewrittenAfar`]): all of such a table has to be read.
    pub fn open_source(source: Arc<dyn TableSource>) -> Result<Table, TableError> {
        if source.is_in_memory() {
            let mut bytes = source.read_ranges(std::slice::from_ref(&(0..source.length())))?;
            return Table::open(bytes.pop().unwrap_or_default());
        }
        Table::open_packed(source, MAX_TAIL_BYTES)
    }
}

/// Opens a table in memory that this crate has written.
fn packed_table(bytes: Bytes) -> Result<Table, TableError> {
    Table::open_packed(Arc::new(bytes), MAX_TAIL_BYTES)
}
