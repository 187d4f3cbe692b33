//! Opening a table, whoever has written it.

use arrow_buffer::Buffer;
use bytes::Bytes;

use crate::error::TableError;
use crate::frame::is_rewritten;
#[cfg(feature = "parquet")]
use crate::parquet_games;
use crate::read::Table;
use crate::rewritten::packed_anew;

impl Table {
    /// Opens a table from the bytes of its file, which may be mapped. Reads only the footer and the
    /// few texts of the column of results.
    ///
    /// A table has no checksums if another program has read it and written it anew, as a file or as
    /// a stream of Arrow, or if it is a Parquet file (with the feature `parquet`). Then `open` reads
    /// all of it, replays its games, and takes the facts from the moves: see
    /// [`is_rewritten`](Table::is_rewritten).
    ///
    /// # Errors
    /// The bytes are not a table, or they are cut off or damaged, or this program cannot read them:
    /// [`TableError`] says which.
    pub fn open(bytes: Bytes) -> Result<Table, TableError> {
        #[cfg(feature = "parquet")]
        if parquet_games::is_parquet(&bytes) {
            let packed = parquet_games::packed_anew(bytes)?;
            let table = Table::open_packed(Buffer::from_vec(packed))?;
            return Ok(table.into_rewritten());
        }
        let bytes = Buffer::from(bytes);
        match Table::open_packed(bytes.clone()) {
            Err(_) if is_rewritten(&bytes) => {
                let table = Table::open_packed(Buffer::from_vec(packed_anew(&bytes)?))?;
                Ok(table.into_rewritten())
            }
            opened => opened,
        }
    }
}
