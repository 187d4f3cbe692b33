//! Game tables as inputs.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::ops::Range;

use babson_pgn::FileSignature;

use super::decode::unreadable;
use super::extension::is_table_name;
use super::{MappedFile, OpenInput, Watch};
use crate::error::Error;

/// Whether an input of this name that begins with these bytes is read as a table. One that only has
/// the name of a table, or the first bytes of another format of data tools, is refused then.
pub(super) fn is_table(name: &OsStr, first: &[u8]) -> bool {
    is_table_name(name) || FileSignature::of(first).is_some_and(is_table_format)
}

/// Whether it is the format of a table, or another format of data tools.
fn is_table_format(format: FileSignature) -> bool {
    match format {
        FileSignature::ArrowFile
        | FileSignature::ArrowStream
        | FileSignature::Feather
        | FileSignature::Parquet => true,
        FileSignature::Bzip2
        | FileSignature::Gzip
        | FileSignature::Lz4
        | FileSignature::Xz
        | FileSignature::Zstd
        | FileSignature::Rar
        | FileSignature::SevenZip
        | FileSignature::Tar
        | FileSignature::Zip
        | FileSignature::Utf16 => false,
    }
}

/// What is wrong with the text of a compressed stream that is not text.
pub(super) fn not_text(format: FileSignature) -> String {
    if is_table_format(format) {
        return "it is a game table that was compressed as a whole: decompress it, and make a \
                smaller one with babson pack"
            .to_owned();
    }
    unreadable(format)
        .unwrap_or_else(|| format!("its text is not PGN, but again {format}: unpack it"))
}

/// The text of a compressed stream. It is an error if it is not text, but a table, for instance: no
/// part of a table can be read before its end, so only its columns can be compressed.
///
/// A decoder that finds damage loses what it has written in the same call. So it is always called
/// for as many bytes, however many the reader of the text wants: then the text before the damage is
/// the same for chunks of any size.
pub(super) struct DecodedText<R> {
    source: R,
    /// The first bytes of the text, after they were read.
    first: Option<io::Cursor<Vec<u8>>>,
    /// The error of the decoder after them.
    failed: Option<io::Error>,
    block: Box<[u8]>,
    /// What is left of the block.
    rest: Range<usize>,
}

/// How many bytes of text a decoder is called for: few, since so many may be lost.
const BLOCK: usize = 1 << 14;

impl<R: Read> DecodedText<R> {
    pub(super) fn new(source: R) -> DecodedText<R> {
        DecodedText { source, first: None, failed: None, block: vec![0; BLOCK].into(), rest: 0..0 }
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
                let mut first = Vec::with_capacity(FileSignature::LENGTH);
                let mut start = self.source.by_ref().take(FileSignature::LENGTH as u64);
                self.failed = start.read_to_end(&mut first).err();
                if let Some(format) = FileSignature::of(&first) {
                    return Err(io::Error::new(io::ErrorKind::InvalidData, not_text(format)));
                }
                self.first.insert(io::Cursor::new(first))
            }
        };
        let read = first.read(buffer)?;
        if read > 0 {
            return Ok(read);
        }
        if let Some(error) = self.failed.take() {
            return Err(in_our_words(error));
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
