//! Reading whole files up to a limit.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use babson_vm::in_units;

/// Checks that a name is not a pipe, a device or a folder: opening or reading one may never end. A
/// name that does not exist yet passes.
pub(super) fn check_regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(data) if !data.is_file() => Err(io::Error::other("it is not a regular file")),
        _ => Ok(()),
    }
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
/// The system's error; an error if the file is not a regular file; [`io::ErrorKind::FileTooLarge`]
/// if it is longer, also if it grows while it is read.
pub fn read_regular_file(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    check_regular(path)?;
    let file = File::open(path)?;
    if file.metadata()?.len() > limit as u64 {
        return Err(too_large(limit));
    }
    read_up_to(file, limit)
}

/// Reads a stream of at most `limit` bytes to its end.
///
/// # Errors
/// The error of the stream; [`io::ErrorKind::FileTooLarge`] if it is longer.
pub fn read_up_to(stream: impl Read, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take((limit as u64).saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

fn too_large(limit: usize) -> io::Error {
    let limit = in_units(limit);
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {limit}"))
}
