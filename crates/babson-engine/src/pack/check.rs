//! Checking a table.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use babson_table::Table;
use bytes::Bytes;

use crate::error::Error;
use crate::input::{Input, MappedFile, OpenInput};

/// What a table says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSummary {
    /// The number of its games.
    pub games: u64,
    /// The program that wrote it.
    pub writer: String,
}

/// Tests all bytes of a table against its checksums, and its columns against each other.
///
/// # Errors
/// The file cannot be read, is not a table, or is damaged.
pub fn check_table(path: &Path, mapped: bool) -> Result<TableSummary, Error> {
    let input = Input::File(path.to_owned());
    let bytes = match input.open(mapped)? {
        OpenInput::Mapped(map) => Bytes::from_owner(MapOwner(map)),
        OpenInput::Stream { mut reader, .. } => {
            let mut bytes = Vec::new();
            let read = reader.read_to_end(&mut bytes);
            read.map_err(|source| Error::Read { path: input.name(), source })?;
            bytes.into()
        }
    };
    let damaged = |source| Error::Table { path: input.name(), source };
    let table = Table::open(bytes).map_err(damaged)?;
    table.verify().map_err(damaged)?;
    Ok(TableSummary { games: table.len(), writer: table.writer().to_owned() })
}

struct MapOwner(Arc<MappedFile>);

impl AsRef<[u8]> for MapOwner {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
