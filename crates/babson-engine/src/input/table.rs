//! Game tables as inputs.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::ops::Range;

use super::extension::is_table_name;
use super::{MappedFile, OpenInput, Watch};
use crate::error::Error;

/// The first bytes of an Arrow file.
const MAGIC: &[u8] = b"ARROW1";

/// How many bytes [`is_table`] needs.
const MAGIC_LEN: usize = MAGIC.len();

/// Whether an input of this name that begins with these bytes is read as a table. One that only has
/// the name of a table, or the first bytes of another format of data tools, is refused then.
pub(super) fn is_table(name: &OsStr, first: &[u8]) -> bool {
    // An Arrow stream, a Parquet file and a Feather file of version 1. The names of the latter two
    // could begin a text, but then no control character follows.
    let is_other = match first {
        [0xff, 0xff, 0xff, 0xff, ..] => true,
        [b'P', b'A', b'R', b'1', next, ..] | [b'F', b'E', b'A', b'1', next, ..] => {
            next.is_ascii_control() && !next.is_ascii_whitespace()
        }
        _ => false,
    };
    is_table_name(name) || first.starts_with(MAGIC) || is_other
}

/// The text of a compressed stream. It is an error if the text is a table: no part of a table can
/// be read before its end, so only its columns can be compressed.
///
/// A decoder that finds damage loses what it has written in the same call. So it is always called
/// for as many bytes, however many the reader of the text wants: then the text before the damage is
/// the same for chunks of any size.
pub(super) struct DecodedText<R> {
    source: R,
    /// The first bytes of the text, after they were read.
    first: Option<io::Cursor<Vec<u8>>>,
    block: Box<[u8]>,
    /// What is left of the block.
    rest: Range<usize>,
}

/// How many bytes of text a decoder is called for: few, since so many may be lost.
const BLOCK: usize = 1 << 14;

impl<R: Read> DecodedText<R> {
    pub(super) fn new(source: R) -> DecodedText<R> {
        DecodedText { source, first: None, block: vec![0; BLOCK].into(), rest: 0..0 }
    }
}

/// The error of a decoder. Each has other words for data that ends too early.
fn in_our_words(error: io::Error) -> io::Error {
    match error.kind() == io::ErrorKind::UnexpectedEof {
        true => io::Error::new(error.kind(), "its data ends too early"),
        false => error,
    }
}

impl<R: Read> Read for DecodedText<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let first = match &mut self.first {
            Some(first) => first,
            None => {
                let mut first = Vec::with_capacity(MAGIC_LEN);
                let start = self.source.by_ref().take(MAGIC_LEN as u64).read_to_end(&mut first);
                start.map_err(in_our_words)?;
                if first == MAGIC {
                    let reason = "it is a game table that was compressed as a whole: decompress \
                                  it, and make a smaller one with babson pack";
                    return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
                }
                self.first.insert(io::Cursor::new(first))
            }
        };
        let read = first.read(buffer)?;
        if read > 0 {
            return Ok(read);
        }
        if self.rest.is_empty() {
            self.rest = 0..self.source.read(&mut self.block).map_err(in_our_words)?;
        }
        let read = self.block.get(self.rest.clone()).unwrap_or_default().read(buffer)?;
        self.rest.start += read;
        Ok(read)
    }
}

/// Opens a mapped table.
#[cfg(feature = "table")]
pub(super) fn of_map(map: MappedFile, name: &str) -> Result<OpenInput, Error> {
    struct Owner(std::sync::Arc<MappedFile>);
    impl AsRef<[u8]> for Owner {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }
    let watch = map.watch.clone();
    let bytes = bytes::Bytes::from_owner(Owner(std::sync::Arc::new(map)));
    let table = crate::chunk::OpenTable::open(bytes, name, Some(watch))?;
    Ok(OpenInput::Table(table))
}

/// Opens a table that is read into memory, since it is not a file that can be mapped.
#[cfg(feature = "table")]
pub(super) fn of_reader(
    mut reader: impl Read,
    name: &str,
    watch: Option<Watch>,
) -> Result<OpenInput, Error> {
    let mut bytes = Vec::new();
    let read = reader.read_to_end(&mut bytes);
    read.map_err(|source| Error::Read { path: name.to_owned(), source })?;
    let table = crate::chunk::OpenTable::open(bytes.into(), name, watch)?;
    Ok(OpenInput::Table(table))
}

#[cfg(not(feature = "table"))]
fn no_tables(name: &str) -> Error {
    let reason = "it is a game table, which this program was built without";
    let source = std::io::Error::new(std::io::ErrorKind::Unsupported, reason);
    Error::Read { path: name.to_owned(), source }
}

#[cfg(not(feature = "table"))]
pub(super) fn of_map(_: MappedFile, name: &str) -> Result<OpenInput, Error> {
    Err(no_tables(name))
}

#[cfg(not(feature = "table"))]
pub(super) fn of_reader(_: impl Read, name: &str, _: Option<Watch>) -> Result<OpenInput, Error> {
    Err(no_tables(name))
}
