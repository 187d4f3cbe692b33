//! Files that are not Arrow files, but that data tools write too.

use arrow_ipc::{MessageHeader, root_as_message};
use babson_pgn::FileSignature;

use crate::error::TableError;

/// Why these bytes, which do not begin as an Arrow file does, are not a table.
pub(crate) fn error_of(bytes: &[u8]) -> TableError {
    let first = bytes.get(..FileSignature::LENGTH).unwrap_or(bytes);
    let format = FileSignature::of(first);
    if format == Some(FileSignature::Parquet) {
        // With the feature, only a file without the first bytes of one comes here.
        TableError::Parquet
    } else if format == Some(FileSignature::Feather) {
        TableError::OtherFormat("a Feather file of version 1")
    } else {
        TableError::NotArrow
    }
}

/// Whether these are the first bytes of an Arrow stream: a message that has a schema, with the
/// marker of a message and its length before it.
pub(crate) fn is_stream(bytes: &[u8]) -> bool {
    let message = bytes
        .strip_prefix(&[0xff; 4])
        .and_then(|bytes| bytes.split_first_chunk::<4>())
        .and_then(|(length, rest)| rest.get(..usize::try_from(i32::from_le_bytes(*length)).ok()?));
    let message = message.and_then(|message| root_as_message(message).ok());
    message.is_some_and(|message| message.header_type() == MessageHeader::Schema)
}
