//! The checksums of slices: of their fields, and of the files that were cut.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;

use babson_input::Input;
use babson_input::chunk::MAX_CHUNK;
use crc32fast::Hasher;

use crate::error::Error;
use crate::limits::MAX_CHECKED_BYTES;

/// The checksum of the first and the last of these bytes of the file of an input.
pub(super) fn edge_checksum(input: &Input, path: &str, range: Range<u64>) -> Result<u32, Error> {
    let length = range.end.saturating_sub(range.start).min(MAX_CHECKED_BYTES);
    let edges = [range.start..range.start + length, range.end - length..range.end];
    file_checksum(input, path, edges)
}

/// The checksum of ranges of the file of an input, which is read: a file that is mapped ends the
/// process if it is truncated.
pub(super) fn file_checksum(
    input: &Input,
    path: &str,
    ranges: impl IntoIterator<Item = Range<u64>>,
) -> Result<u32, Error> {
    let fail = |source| Error::read(path, source);
    let mut hasher = Hasher::new();
    if let Input::Remote(file) = input {
        for range in ranges {
            hasher.update(&file.read_range(range).map_err(fail)?);
        }
        return Ok(hasher.finalize());
    }
    let mut file = File::open(path).map_err(fail)?;
    let mut bytes = Vec::new();
    for range in ranges {
        file.seek(SeekFrom::Start(range.start)).map_err(fail)?;
        let mut rest = file.by_ref().take(range.end - range.start);
        loop {
            bytes.clear();
            let read = rest.by_ref().take(MAX_CHUNK).read_to_end(&mut bytes).map_err(fail)?;
            if read == 0 {
                break;
            }
            hasher.update(&bytes);
        }
    }
    Ok(hasher.finalize())
}

/// The checksum of the fields of a slice.
#[derive(Default)]
pub(super) struct FieldHasher(Hasher);

impl FieldHasher {
    pub(super) fn finalize(self) -> u32 {
        self.0.finalize()
    }

    pub(super) fn number(&mut self, number: u64) {
        self.0.update(&number.to_le_bytes());
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.update(text.as_bytes());
    }

    pub(super) fn option<T>(&mut self, option: Option<T>, add: impl FnOnce(&mut FieldHasher, T)) {
        self.number(option.is_some().into());
        if let Some(value) = option {
            add(self, value);
        }
    }
}
