//! Recognizing what is not text by its first bytes.

use std::fmt;

/// A format of files that is recognized by its first bytes. Read as PGN, such a file would be a
/// database without games.
///
/// ```
/// use babson_pgn::FileSignature;
///
/// assert_eq!(FileSignature::of(b"BZh91AY&SY"), Some(FileSignature::Bzip2));
/// assert_eq!(FileSignature::of(b"[Event \"Club\"]"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileSignature {
    /// Compressed with bzip2.
    Bzip2,
    /// Compressed with gzip.
    Gzip,
    /// Compressed with LZ4.
    Lz4,
    /// Compressed with xz.
    Xz,
    /// Compressed with zstd.
    Zstd,
    /// A RAR archive.
    Rar,
    /// A 7-Zip archive.
    SevenZip,
    /// A tar archive.
    Tar,
    /// A zip archive.
    Zip,
    /// An Arrow file, as game tables are.
    ArrowFile,
    /// An Arrow stream.
    ArrowStream,
    /// A Feather file of version 1.
    Feather,
    /// A Parquet file.
    Parquet,
    /// Text in UTF-16.
    Utf16,
}

/// Where a tar archive names its format.
const TAR_NAME: usize = 257;

/// The name of the format of tar archives.
const TAR: &[u8] = b"ustar";

impl FileSignature {
    /// The number of first bytes that tell all formats apart.
    pub const LENGTH: usize = TAR_NAME + TAR.len();

    /// The format of a file with these first bytes, at most [`FileSignature::LENGTH`] of them;
    /// `None` if it may be text, or is too short to tell.
    pub fn of(first: &[u8]) -> Option<FileSignature> {
        let ascii = |byte: u8| matches!(byte, b'\n' | b'\r' | b' '..=b'~');
        // The names of two formats could begin a text, but then no control character follows.
        let is_binary = |next: u8| next.is_ascii_control() && !next.is_ascii_whitespace();
        Some(match *first {
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, ..]
            // The end of an empty stream.
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, ..] => FileSignature::Bzip2,
            [0x1f, 0x8b, ..] => FileSignature::Gzip,
            [0x04, 0x22, 0x4d, 0x18, ..] => FileSignature::Lz4,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => FileSignature::Xz,
            [0x28, 0xb5, 0x2f, 0xfd, ..]
            // A skippable frame, with which files of parallel compressors begin.
            | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => FileSignature::Zstd,
            [b'R', b'a', b'r', b'!', 0x1a, 0x07, ..] => FileSignature::Rar,
            [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => FileSignature::SevenZip,
            [b'P', b'K', 3, 4, ..]
            // The end of an archive without members.
            | [b'P', b'K', 5, 6, ..] => FileSignature::Zip,
            [b'A', b'R', b'R', b'O', b'W', b'1', ..] => FileSignature::ArrowFile,
            [0xff, 0xff, 0xff, 0xff, ..] => FileSignature::ArrowStream,
            [b'F', b'E', b'A', b'1', next, ..] if is_binary(next) => FileSignature::Feather,
            [b'P', b'A', b'R', b'1', next, ..] if is_binary(next) => FileSignature::Parquet,
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => FileSignature::Utf16,
            [a, 0, b, 0, ..] | [0, a, 0, b, ..] if ascii(a) && ascii(b) => FileSignature::Utf16,
            _ if first.get(TAR_NAME..).is_some_and(|name| name.starts_with(TAR)) => {
                FileSignature::Tar
            }
            _ => return None,
        })
    }
}

/// What kind of format a [`FileSignature`] tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormatKind {
    /// One compressed file.
    Compression,
    /// Several files in one.
    Archive,
    /// Columns of data: the format of game tables, or another one of data tools.
    Columns,
    /// Text in another encoding than UTF-8.
    Text,
}

/// What is known of a [`FileSignature`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatSpec {
    /// What a file of this format is, after `it is`.
    pub name: &'static str,
    /// The usual extension of such files.
    pub extension: &'static str,
    /// The kind of the format.
    pub kind: FormatKind,
}

impl FileSignature {
    /// What is known of the format.
    pub const fn spec(self) -> FormatSpec {
        use FormatKind::{Archive, Columns, Compression, Text};

        let (name, extension, kind) = match self {
            FileSignature::Bzip2 => ("compressed with bzip2", ".bz2", Compression),
            FileSignature::Gzip => ("compressed with gzip", ".gz", Compression),
            FileSignature::Lz4 => ("compressed with LZ4", ".lz4", Compression),
            FileSignature::Xz => ("compressed with xz", ".xz", Compression),
            FileSignature::Zstd => ("compressed with zstd", ".zst", Compression),
            FileSignature::Rar => ("a RAR archive", ".rar", Archive),
            FileSignature::SevenZip => ("a 7-Zip archive", ".7z", Archive),
            FileSignature::Tar => ("a tar archive", ".tar", Archive),
            FileSignature::Zip => ("a zip archive", ".zip", Archive),
            FileSignature::ArrowFile => ("an Arrow file, as game tables are", ".arrow", Columns),
            FileSignature::ArrowStream => ("an Arrow stream", ".arrows", Columns),
            FileSignature::Feather => ("a Feather file", ".feather", Columns),
            FileSignature::Parquet => ("a Parquet file", ".parquet", Columns),
            FileSignature::Utf16 => ("UTF-16, not UTF-8", ".txt", Text),
        };
        FormatSpec { name, extension, kind }
    }
}

/// The [name](FormatSpec::name) of the format.
impl fmt::Display for FileSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.spec().name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_and_no_text() {
        let mut tar = vec![b'a'; FileSignature::LENGTH];
        tar[TAR_NAME..].copy_from_slice(TAR);
        for (first, format) in [
            (&b"BZh91AY&SY"[..], FileSignature::Bzip2),
            (b"BZh9\x17\x72\x45\x38", FileSignature::Bzip2),
            (b"\x1f\x8b\x08", FileSignature::Gzip),
            (b"\x04\x22\x4d\x18", FileSignature::Lz4),
            (b"\xfd7zXZ\0", FileSignature::Xz),
            (b"\x28\xb5\x2f\xfd", FileSignature::Zstd),
            (b"\x5a\x2a\x4d\x18", FileSignature::Zstd),
            (b"Rar!\x1a\x07\x01", FileSignature::Rar),
            (b"7z\xbc\xaf\x27\x1c", FileSignature::SevenZip),
            (b"PK\x03\x04", FileSignature::Zip),
            (b"PK\x05\x06", FileSignature::Zip),
            (b"ARROW1\0\0", FileSignature::ArrowFile),
            (b"\xff\xff\xff\xff\x08", FileSignature::ArrowStream),
            (b"FEA1\0\0", FileSignature::Feather),
            (b"PAR1\x15\x04", FileSignature::Parquet),
            (b"\xff\xfe[\0", FileSignature::Utf16),
            (b"\xfe\xff\0[", FileSignature::Utf16),
            (b"[\0E\0v", FileSignature::Utf16),
            (b"\0[\0E", FileSignature::Utf16),
            (&tar, FileSignature::Tar),
        ] {
            assert_eq!(FileSignature::of(first), Some(format));
            // The first byte decides, except in a format that is named later. What is left of a
            // byte-order mark does not tell.
            let mut damaged = first.to_vec();
            damaged[0] ^= 0x20;
            let is_late = format == FileSignature::Tar || first.starts_with(b"\0[");
            let is_known = FileSignature::of(&damaged) == Some(format);
            assert!(is_late || !is_known || first.starts_with(b"[\0"), "{format:?}");
        }
        for text in ["", "[Event \"x\"]", "\u{feff}[Event", "PAR1\n", "FEA1 e4", "BZh9", "1. e4"] {
            assert_eq!(FileSignature::of(text.as_bytes()), None, "{text}");
        }
    }
}
