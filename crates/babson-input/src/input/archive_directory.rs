//! The list of members of a zip archive, and the decompression of a member.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek};
#[cfg(feature = "zip")]
use std::io::{BufReader, SeekFrom};
use std::ops::Range;

use babson_vm::{ArchiveReason, InputReason};

use crate::codec::{Codec, Decoded};
#[cfg(feature = "zip")]
use crate::limits::MAX_ARCHIVE_DIRECTORY;

/// The members of an archive by name, without folders and links.
#[derive(Debug)]
pub(super) struct Directory(BTreeMap<String, MemberEntry>);

/// What the list of an archive says of a member.
#[derive(Debug)]
pub(super) struct MemberEntry {
    /// Its compressed bytes in the archive.
    pub(super) extent: Range<u64>,
    /// The length and the checksum of its text.
    length: u64,
    checksum: u32,
    method: Method,
    /// Why it cannot be read, in a sentence.
    pub(super) problem: Option<ArchiveReason>,
}

/// The compression of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "zip"), expect(dead_code, reason = "there are no archives"))]
enum Method {
    Stored,
    Deflate,
    Bzip2,
    Zstd,
    Xz,
    /// The number of a method that is not read.
    Other(u16),
}

impl Directory {
    /// The members in order of the bytes of their names.
    pub(super) fn members(&self) -> impl Iterator<Item = (&str, &MemberEntry)> {
        self.0.iter().map(|(name, entry)| (name.as_str(), entry))
    }

    pub(super) fn member(&self, name: &str) -> Option<&MemberEntry> {
        self.0.get(name)
    }

    /// Reads the list of an archive.
    #[cfg(feature = "zip")]
    pub(super) fn read(file: impl Read + Seek) -> io::Result<Directory> {
        let file = Limited { source: BufReader::new(file), left: MAX_ARCHIVE_DIRECTORY };
        let mut archive = zip::ZipArchive::new(file).map_err(cause)?;
        if archive.has_duplicate_names() {
            return Err(invalid(ArchiveReason::SameNames));
        }
        let mut members = BTreeMap::new();
        for index in 0..archive.len() {
            let file = archive.by_index_raw(index).map_err(cause)?;
            if !file.is_file() {
                continue;
            }
            let name = file.name().map_err(cause)?.into_owned();
            members.insert(name, MemberEntry::of(&file)?);
        }
        Ok(Directory(members))
    }

    #[cfg(not(feature = "zip"))]
    pub(super) fn read(_: impl Read + Seek) -> io::Result<Directory> {
        Err(InputReason::ArchiveNotBuiltIn.into_error())
    }
}

fn invalid(reason: ArchiveReason) -> io::Error {
    InputReason::Member(reason).into_error()
}

/// The error of an archive.
#[cfg(feature = "zip")]
fn cause(error: zip::result::ZipError) -> io::Error {
    use zip::result::ZipError;

    if let ZipError::Io(error) = error {
        return error;
    }
    // What the library says of a damaged archive names its parts.
    if let ZipError::InvalidArchive(_) = error {
        return invalid(ArchiveReason::Torn);
    }
    invalid(ArchiveReason::Unsupported(error.to_string()))
}

impl MemberEntry {
    #[cfg(feature = "zip")]
    fn of<R: Read>(file: &zip::read::ZipFile<'_, R>) -> io::Result<MemberEntry> {
        let method = Method::of(file.compression());
        let start = file.data_start().unwrap_or_default();
        let end = start.checked_add(file.compressed_size());
        let problem = match method {
            _ if file.encrypted() => Some(ArchiveReason::Encrypted),
            Method::Other(number) => Some(ArchiveReason::UnknownMethod(number)),
            Method::Stored | Method::Deflate | Method::Bzip2 | Method::Zstd | Method::Xz => None,
        };
        Ok(MemberEntry {
            extent: start..end.ok_or_else(|| invalid(ArchiveReason::WrongLength))?,
            length: file.size(),
            checksum: file.crc32(),
            method,
            problem,
        })
    }

    /// The text of the member, given its compressed bytes.
    pub(super) fn decode(
        &self,
        compressed: impl Read + Send + 'static,
    ) -> io::Result<Box<dyn Read + Send>> {
        let text: Box<dyn Read + Send> = match self.method {
            Method::Stored => Box::new(compressed),
            Method::Deflate => deflate(compressed)?,
            Method::Bzip2 => Box::new(Decoded::new(Codec::Bzip2, compressed)?),
            Method::Zstd => Box::new(Decoded::new(Codec::Zstd, compressed)?),
            Method::Xz => Box::new(Decoded::new(Codec::Xz, compressed)?),
            Method::Other(number) => return Err(invalid(ArchiveReason::UnknownMethod(number))),
        };
        let (left, checksum) = (self.length, self.checksum);
        Ok(Box::new(CheckedText { text, left, checksum, hasher: crc32fast::Hasher::new() }))
    }
}

impl Method {
    #[cfg(feature = "zip")]
    fn of(method: zip::CompressionMethod) -> Method {
        use zip::CompressionMethod as Zip;
        let known = [
            (Zip::STORE, Method::Stored),
            (Zip::DEFLATE, Method::Deflate),
            (Zip::BZIP2, Method::Bzip2),
            (Zip::ZSTD, Method::Zstd),
            (Zip::XZ, Method::Xz),
        ];
        let found = known.into_iter().find(|(number, _)| *number == method);
        found.map_or_else(|| Method::Other(number(method)), |(_, known)| known)
    }
}

/// The number of a method in archives.
#[cfg(feature = "zip")]
#[expect(deprecated, reason = "the crate has no other way to tell the number")]
fn number(method: zip::CompressionMethod) -> u16 {
    method.to_u16()
}

#[cfg(feature = "zip")]
fn deflate(compressed: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let compressed = BufReader::with_capacity(1 << 16, compressed);
    Ok(Box::new(flate2::bufread::DeflateDecoder::new(compressed)))
}

#[cfg(not(feature = "zip"))]
fn deflate(_: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    Err(crate::codec::not_built_in("deflate"))
}

/// The text of a member, which must have the length and the checksum of the list.
struct CheckedText {
    text: Box<dyn Read + Send>,
    left: u64,
    checksum: u32,
    hasher: crc32fast::Hasher,
}

impl Read for CheckedText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        // A text that is too long is read up to its length, however large the buffer is.
        let most = usize::try_from(self.left.max(1)).unwrap_or(usize::MAX);
        let end = buffer.len().min(most);
        let read = self.text.read(&mut buffer[..end])?;
        if read == 0 {
            if self.left > 0 {
                return Err(invalid(ArchiveReason::Short));
            }
            return match self.hasher.clone().finalize() == self.checksum {
                true => Ok(0),
                false => Err(invalid(ArchiveReason::WrongChecksum)),
            };
        }
        let too_long = || invalid(ArchiveReason::Long);
        self.left = self.left.checked_sub(read as u64).ok_or_else(too_long)?;
        self.hasher.update(&buffer[..read]);
        Ok(read)
    }
}

/// A file that delivers a limited number of bytes, since the list of an archive is held in memory.
#[cfg(feature = "zip")]
struct Limited<R> {
    source: R,
    left: u64,
}

#[cfg(feature = "zip")]
impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.left = self
            .left
            .checked_sub(read as u64)
            .ok_or_else(|| invalid(ArchiveReason::LongList(MAX_ARCHIVE_DIRECTORY)))?;
        Ok(read)
    }
}

#[cfg(feature = "zip")]
impl<R: Seek> Seek for Limited<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.source.seek(to)
    }
}
