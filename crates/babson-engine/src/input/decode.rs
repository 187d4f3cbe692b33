//! Recognizing and undoing the compression of an input.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::OpenInput;
use super::table::{self, PackedText};
use super::watch::Watch;
use crate::error::Error;

/// The compression of an input, recognized by its first four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Plain,
    Gzip,
    Zstd,
}

impl Packing {
    pub(super) fn of(first: &[u8]) -> Packing {
        match first {
            [0x1f, 0x8b, ..] => Packing::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Packing::Zstd,
            // A skippable frame, with which files of parallel compressors begin.
            [low, 0x2a, 0x4d, 0x18, ..] if (0x50..=0x5f).contains(low) => Packing::Zstd,
            _ => Packing::Plain,
        }
    }
}

/// Whether a text begins as UTF-16 does: with a byte-order mark or with two ASCII characters.
pub(super) fn is_utf16(first: &[u8]) -> bool {
    let ascii = |byte: u8| matches!(byte, b'\n' | b'\r' | b' '..=b'~');
    match *first {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [a, 0, b, 0] | [0, a, 0, b] => ascii(a) && ascii(b),
        _ => false,
    }
}

/// Whether a plain text can begin with these bytes.
fn is_text(first: &[u8]) -> bool {
    let first = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first);
    !first.is_empty() && first.iter().all(|byte| matches!(byte, b'\t'..=b'\r' | b' '..=b'~'))
}

/// A reader that counts the bytes read.
pub(super) struct Counting {
    source: Box<dyn Read + Send>,
    taken: Arc<AtomicU64>,
}

impl Counting {
    pub(super) fn new(source: Box<dyn Read + Send>, taken: &Arc<AtomicU64>) -> Counting {
        Counting { source, taken: Arc::clone(taken) }
    }
}

impl Read for Counting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.taken.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// A stream of plain bytes over a stream that may be compressed. `packed` tells whether the name
/// has the extension of a compressed file.
pub(super) fn decode(
    source: Box<dyn Read + Send>,
    name: &str,
    packed: bool,
    watch: Option<Watch>,
) -> Result<OpenInput, Error> {
    let taken = Arc::new(AtomicU64::new(0));
    let mut source = Counting::new(source, &taken);
    let mut first = Vec::with_capacity(table::MAGIC_LEN);
    source
        .by_ref()
        .take(table::MAGIC_LEN as u64)
        .read_to_end(&mut first)
        .map_err(|source| Error::Read { path: name.to_owned(), source })?;
    // A text is recognized by its first four bytes, a table by more.
    let start = first.get(..4).unwrap_or(&first);
    if is_utf16(start) {
        let reason = "it is UTF-16, not UTF-8 (convert it: iconv -f UTF-16 -t UTF-8)";
        return Err(Error::Read {
            path: name.to_owned(),
            source: io::Error::new(io::ErrorKind::InvalidData, reason),
        });
    }
    let packing = Packing::of(start);
    // A file whose extension does not match its content is still read. A compressed file with
    // damage in its first bytes is refused: read as text, it would be a database without games.
    if packed && packing == Packing::Plain && !is_text(start) {
        let reason = "it has the extension of a compressed file, but it is neither zstd nor gzip";
        return Err(Error::Decompress {
            path: name.to_owned(),
            source: io::Error::new(io::ErrorKind::InvalidData, reason),
        });
    }
    let is_table = table::is_table(OsStr::new(name), &first);
    let whole = io::Cursor::new(first).chain(source);
    if is_table {
        return table::of_reader(whole, name, watch);
    }
    let damage = |source| Error::Decompress { path: name.to_owned(), source };
    let reader: Box<dyn Read + Send> = match packing {
        Packing::Plain => Box::new(whole),
        Packing::Gzip => Box::new(PackedText::new(gzip(whole).map_err(damage)?)),
        Packing::Zstd => Box::new(PackedText::new(zstd(whole).map_err(damage)?)),
    };
    Ok(OpenInput::Stream { reader, packed: packing != Packing::Plain, taken, watch })
}

/// The plain bytes of all members. A `GzDecoder` would silently stop after the first one.
#[cfg(feature = "gzip")]
fn gzip(packed: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let packed = io::BufReader::with_capacity(1 << 16, packed);
    Ok(Box::new(flate2::bufread::MultiGzDecoder::new(packed)))
}

#[cfg(not(feature = "gzip"))]
fn gzip(_: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    Err(not_built_in("gzip"))
}

/// The plain bytes of all frames.
#[cfg(feature = "zstd")]
fn zstd(packed: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    Ok(Box::new(zstd::stream::read::Decoder::new(packed)?))
}

#[cfg(not(feature = "zstd"))]
fn zstd(_: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    Err(not_built_in("zstd"))
}

/// The error for a compression whose feature is off.
#[cfg(not(all(feature = "gzip", feature = "zstd")))]
fn not_built_in(packing: &str) -> io::Error {
    let reason = format!("it is compressed with {packing}, which is not built into this program");
    io::Error::new(io::ErrorKind::Unsupported, reason)
}

#[cfg(all(test, not(any(feature = "gzip", feature = "zstd"))))]
mod tests_without_compression {
    use super::*;

    #[test]
    fn a_compression_that_is_not_built_in_is_an_error() {
        for (name, first) in
            [("gzip", &[0x1f, 0x8b, 8, 0][..]), ("zstd", &[0x28, 0xb5, 0x2f, 0xfd])]
        {
            let error = decode(Box::new(first), "a.pgn", false, None).err().expect(name);
            assert!(error.to_string().contains(&format!("compressed with {name}")), "{error}");
        }
    }
}

#[cfg(all(test, feature = "gzip", feature = "zstd"))]
pub(super) mod tests {
    use std::io::Write;

    use super::super::Input;
    use super::super::tests::text;
    use super::*;

    #[test]
    fn the_compressed_bytes_of_a_packed_file_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let text_of_many = b"[Event \"x\"]\n\n1. e4 *\n\n".repeat(10_000);
        for (name, bytes) in [
            ("a.pgn.gz", gzip(&text_of_many)),
            ("a.pgn.zst", zstd::encode_all(&text_of_many[..], 1).unwrap()),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, &bytes).unwrap();
            let opened = Input::File(path).open(true).unwrap();
            let OpenInput::Stream { ref taken, .. } = opened else { panic!("{name} is mapped") };
            let taken = Arc::clone(taken);
            assert_eq!(text(opened), text_of_many, "{name}");
            assert_eq!(taken.load(Ordering::Relaxed), bytes.len() as u64, "{name}");
        }
    }

    #[test]
    fn a_packed_name_needs_a_packed_file_or_a_text() {
        let folder = tempfile::tempdir().unwrap();
        let mut damaged = zstd::encode_all(&b"[Event \"x\"]"[..], 1).unwrap();
        damaged[0] ^= 1;
        for name in ["a.pgn.zst", "a.PGN.ZSTD", "a.pgn.gz", "a.gzip"] {
            let path = folder.path().join(name);
            let input = Input::File(path.clone());
            for bytes in [&damaged[..], b"", b"\0\0\0\0", b"\x1f"] {
                std::fs::write(&path, bytes).unwrap();
                assert!(
                    matches!(input.open(true), Err(Error::Decompress { .. })),
                    "{name}: {bytes:?}"
                );
            }
            for bytes in [&b"[Event \"x\"]"[..], b"\r\n[E", b"\xef\xbb\xbf[Event"] {
                std::fs::write(&path, bytes).unwrap();
                assert_eq!(text(input.open(true).unwrap()), bytes, "{name}");
            }
        }
    }

    pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn all_members_and_frames_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn.gz");
        std::fs::write(&path, [gzip(b"one "), gzip(b"two")].concat()).unwrap();
        assert_eq!(text(Input::File(path).open(true).unwrap()), b"one two");

        let frame = |bytes: &[u8]| zstd::encode_all(bytes, 1).unwrap();
        let skippable = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9];
        let path = folder.path().join("b.pgn.zst");
        let bytes = [&skippable[..], &frame(b"one "), &skippable, &frame(b"two")].concat();
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(text(Input::File(path).open(true).unwrap()), b"one two");
    }
}
