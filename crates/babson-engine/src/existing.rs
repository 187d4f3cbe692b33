//! Whether a file exists, and what is known of it.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

/// Whether an error says that a file does not exist, or that its folder cannot have a file of this
/// name.
pub(crate) fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::InvalidFilename
    )
}

/// Returns what is known of a file; `None` if there is none of this name.
///
/// # Errors
/// It cannot be found out whether there is one. Whoever took that for "no" would replace a file
/// that is to be kept.
pub(crate) fn existing(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(data) => Ok(Some(data)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
