//! An input that is open.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::{MappedFile, OpenTable, Watch};

/// An open input.
pub enum OpenInput {
    /// A game table.
    Table(Arc<OpenTable>),
    /// A mapped file.
    Mapped(Arc<MappedFile>),
    /// Bytes that are read in order.
    Stream {
        /// The plain bytes.
        reader: Box<dyn Read + Send>,
        /// Whether the input is compressed.
        compressed: bool,
        /// How many bytes the reader has read from the input, before decompression.
        taken: Arc<AtomicU64>,
        /// Detects changes of the file, if the bytes come from one.
        watch: Option<Watch>,
    },
}
