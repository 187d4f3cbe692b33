//! Where the bytes of a table are.

use std::fmt::Debug;
use std::ops::Range;

use bytes::Bytes;

use crate::error::TableError;

/// The bytes of the file of a table: a mapped file, or a file of a server that gives ranges of it.
///
/// A [`Table`](crate::Table) asks for all ranges that it can name at once, so a source far away can
/// join ranges that are near each other, read several at a time, and keep what it has read.
///
/// ```
/// use std::ops::Range;
/// use std::sync::Arc;
///
/// use babson_table::{Table, TableError, TableSource};
/// use bytes::Bytes;
///
/// /// A server that is down.
/// #[derive(Debug)]
/// struct Server;
///
/// impl TableSource for Server {
///     fn length(&self) -> u64 {
///         1 << 20
///     }
///
///     fn read_ranges(&self, _: &[Range<u64>]) -> Result<Vec<Bytes>, TableError> {
///         Err(TableError::Read("the server does not answer".to_owned()))
///     }
/// }
///
/// let error = Table::open_source(Arc::new(Server)).unwrap_err();
/// assert_eq!(error.to_string(), "the server does not answer");
/// ```
pub trait TableSource: Debug + Send + Sync {
    /// The length of the file in bytes.
    fn length(&self) -> u64;

    /// Returns the bytes of each range, in the order of the ranges. They may overlap, and may be in
    /// any order. Each of them is within [`length`](TableSource::length).
    ///
    /// # Errors
    /// [`TableError::Read`]: the bytes cannot be read.
    fn read_ranges(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, TableError>;

    /// Returns true if all bytes are in memory or mapped, so that a range is not copied and costs
    /// nothing. Then a table reads blocks as wholes.
    fn is_in_memory(&self) -> bool {
        false
    }
}

/// Bytes in memory, which may be a mapped file.
impl TableSource for Bytes {
    fn length(&self) -> u64 {
        self.len() as u64
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, TableError> {
        let part = |range: &Range<u64>| {
            let [start, end] = [range.start, range.end].map(usize::try_from);
            let range = start.ok()?..end.ok()?;
            self.get(range.clone()).map(|_| self.slice(range))
        };
        let parts = ranges.iter().map(part).collect::<Option<_>>();
        parts.ok_or(TableError::damaged("a part of it is beyond its end"))
    }

    fn is_in_memory(&self) -> bool {
        true
    }
}
