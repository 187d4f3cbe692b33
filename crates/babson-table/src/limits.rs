//! The limits of a table, each with its reason.

/// Rows of a batch. Larger batches cost less to open, smaller ones less memory to write.
pub const MAX_BATCH_ROWS: usize = 1 << 14;

/// Rows that share a checksum: so few that a search of few games reads little more than their rows.
/// Fewer would make the checksums longer, which are 3/8 of a byte for each row now.
pub(crate) const SUMMED_ROWS: usize = 64;

/// Bytes of tags, texts and moves after which a batch ends before it has all its rows, so that a
/// batch fits in memory and within the offsets of Arrow, which have 31 bits.
pub(crate) const MAX_BATCH_BYTES: usize = 1 << 26;

/// Bytes of a row. With the rows and texts before it in a batch it stays within the offsets of
/// Arrow.
pub(crate) const MAX_ROW_BYTES: usize = i32::MAX as usize - MAX_BATCH_BYTES - MAX_DISTINCT_BYTES;

/// Bytes and number of the distinct texts of a column that are numbered. A column with more is
/// written as plain texts: numbering would not make it smaller, and the texts are held in memory.
pub(crate) const MAX_DISTINCT_BYTES: usize = 1 << 25;
pub(crate) const MAX_DISTINCT: usize = 1 << 20;

/// Bytes of a decompressed buffer: the offsets of Arrow have 31 bits. A damaged table may claim
/// any length.
pub(crate) const MAX_BUFFER_BYTES: i64 = i32::MAX as i64;

/// Rows of a row group of a Parquet file, which is encoded in memory: some 80 MB.
#[cfg(feature = "parquet")]
pub(crate) const MAX_GROUP_ROWS: usize = 8 * MAX_BATCH_ROWS;

/// Bytes at the end of a table that is not in memory which are read to find its footer. The footer
/// of a table of a hundred thousand games has 70 KB.
pub(crate) const MAX_TAIL_BYTES: u64 = 1 << 17;

/// Batches of a table that is not in memory whose columns are read at once. A request to a server
/// takes as long as some hundred kilobytes, which is what a fact of the games of eight batches has.
pub(crate) const MAX_BATCHES_AHEAD: usize = 8;

/// Bytes of columns that are read ahead.
pub(crate) const MAX_BYTES_AHEAD: u64 = 1 << 24;
