//! Checking a table.

use std::path::Path;

use babson_input::{Input, InputError, OpenInput, TableSummary};
use babson_table::TableError;

use crate::error::Error;

/// Tests all bytes of a table against its checksums, and its columns against each other. The path
/// `-` is standard input, as in [`Input::expand`].
///
/// # Errors
/// The file cannot be read, is not a table, or is damaged.
pub fn check_table(path: &Path, mapped: bool) -> Result<TableSummary, Error> {
    let input = if Input::is_stdin(path) { Input::Stdin } else { Input::File(path.to_owned()) };
    match input.open(mapped)? {
        OpenInput::Table(table) => Ok(table.verify()?),
        OpenInput::Mapped(_) | OpenInput::Stream { .. } => {
            let source = TableError::NotArrow;
            Err(InputError::Table { path: input.name(), source }.into())
        }
    }
}
