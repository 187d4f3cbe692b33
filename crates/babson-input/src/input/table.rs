//! Game tables as inputs.

use std::ffi::OsStr;
use std::io::Read;

use babson_pgn::FileSignature;

#[cfg(feature = "table")]
use super::OpenTable;
use super::extension::is_table_name;
use super::refusal::is_table_format;
use super::{MappedFile, OpenInput, Watch};
use crate::error::InputError;
use crate::remote::RemoteFile;

/// Whether an input of this name that begins with these bytes is read as a table. One that only has
/// the name of a table, or the first bytes of another format of data tools, is refused then.
pub(super) fn is_table(name: &OsStr, first: &[u8]) -> bool {
    is_table_name(name) || FileSignature::of(first).is_some_and(is_table_format)
}

/// Opens a mapped table.
#[cfg(feature = "table")]
pub(super) fn of_map(map: MappedFile, name: &str) -> Result<OpenInput, InputError> {
    struct Owner(std::sync::Arc<MappedFile>);
    impl AsRef<[u8]> for Owner {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }
    let watch = map.watch.clone();
    let bytes = bytes::Bytes::from_owner(Owner(std::sync::Arc::new(map)));
    let table = OpenTable::open(std::sync::Arc::new(bytes), name, Some(watch))?;
    Ok(OpenInput::Table(table))
}

/// Opens a table that is read into memory, since it is not a file that can be mapped.
#[cfg(feature = "table")]
pub(super) fn of_reader(
    mut reader: impl Read,
    name: &str,
    watch: Option<Watch>,
) -> Result<OpenInput, InputError> {
    let mut bytes = Vec::new();
    let read = reader.read_to_end(&mut bytes);
    read.map_err(|source| InputError::Read { path: name.to_owned(), source })?;
    let table = OpenTable::open(std::sync::Arc::new(bytes::Bytes::from(bytes)), name, watch)?;
    Ok(OpenInput::Table(table))
}

/// Opens a table on a server. Its parts are read when they are needed.
#[cfg(all(feature = "table", feature = "remote"))]
pub(super) fn of_remote(file: &RemoteFile) -> Result<OpenInput, InputError> {
    let fail = |source| InputError::Read { path: file.name().to_owned(), source };
    let watch = Watch::of_remote(file.clone());
    let table = OpenTable::open(file.ranges().map_err(fail)?, file.name(), Some(watch))?;
    Ok(OpenInput::Table(table))
}

#[cfg(all(feature = "table", not(feature = "remote")))]
pub(super) fn of_remote(file: &RemoteFile) -> Result<OpenInput, InputError> {
    match *file {}
}

#[cfg(not(feature = "table"))]
pub(super) fn of_remote(file: &RemoteFile) -> Result<OpenInput, InputError> {
    Err(no_tables(file.name()))
}

#[cfg(not(feature = "table"))]
fn no_tables(name: &str) -> InputError {
    let source = babson_vm::InputReason::TableNotBuiltIn.into_error();
    InputError::Read { path: name.to_owned(), source }
}

#[cfg(not(feature = "table"))]
pub(super) fn of_map(_: MappedFile, name: &str) -> Result<OpenInput, InputError> {
    Err(no_tables(name))
}

#[cfg(not(feature = "table"))]
pub(super) fn of_reader(
    _: impl Read,
    name: &str,
    _: Option<Watch>,
) -> Result<OpenInput, InputError> {
    Err(no_tables(name))
}
