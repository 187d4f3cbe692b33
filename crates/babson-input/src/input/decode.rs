//! Recognizing and undoing the compression of an input.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use babson_pgn::FileSignature;
use babson_vm::InputReason;

use super::OpenInput;
use super::counting::Counting;
use super::decoded_text::DecodedText;
use super::refusal::{not_compressed, unreadable};
use super::table;
use super::watch::Watch;
use crate::codec::{Codec, Decoded, MAGIC_LEN};
use crate::error::InputError;

/// A stream that has no more bytes because of an error.
struct FailedRead(Option<io::Error>);

impl Read for FailedRead {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// The bytes of an input, which may be compressed.
pub(super) struct Source {
    pub(super) bytes: Box<dyn Read + Send>,
    /// How many bytes were read from the file or the stream.
    pub(super) taken: Arc<AtomicU64>,
    pub(super) watch: Option<Watch>,
    /// Whether the bytes are a decompressed member of an archive.
    pub(super) in_archive: bool,
}

impl Source {
    /// The bytes of a file or of another stream.
    pub(super) fn new(bytes: Box<dyn Read + Send>, watch: Option<Watch>) -> Source {
        let taken = Arc::new(AtomicU64::new(0));
        let bytes = Box::new(Counting::new(bytes, &taken));
        Source { bytes, taken, watch, in_archive: false }
    }
}

/// A stream of plain bytes over a stream that may be compressed. `compressed` tells whether the
/// name has the extension of a compressed file or of an archive.
pub(super) fn decode(
    source: Source,
    name: &str,
    compressed: bool,
) -> Result<OpenInput, InputError> {
    let Source { mut bytes, taken, watch, in_archive } = source;
    let refuse = |reason: InputReason| InputError::Read {
        path: name.to_owned(),
        source: reason.into_error(),
    };
    let fail = |source| match in_archive {
        true => InputError::Decompress { path: name.to_owned(), source },
        false => InputError::Read { path: name.to_owned(), source },
    };
    let mut first = Vec::with_capacity(MAGIC_LEN);
    if let Err(error) = bytes.by_ref().take(MAGIC_LEN as u64).read_to_end(&mut first) {
        if first.is_empty() {
            return Err(fail(error));
        }
        // The bytes before the error are read.
        bytes = Box::new(FailedRead(Some(error)));
    }
    // It looks at the text of a file only if the name promises something else.
    if compressed && let Some(reason) = not_compressed(&first) {
        return Err(InputError::Decompress { path: name.to_owned(), source: reason.into_error() });
    }
    if let Some(reason) = FileSignature::of(&first).and_then(unreadable) {
        return Err(refuse(reason));
    }
    let codec = Codec::of(&first);
    let is_table = table::is_table(OsStr::new(name), &first);
    let whole = io::Cursor::new(first).chain(bytes);
    if is_table {
        if in_archive {
            return Err(refuse(InputReason::TableInArchive));
        }
        return table::of_reader(whole, name, watch);
    }
    if codec == Codec::Zip {
        return Err(refuse(match (in_archive, &watch) {
            (true, _) => InputReason::ArchiveInArchive,
            (false, Some(_)) => InputReason::Archive,
            (false, None) => InputReason::ArchiveStream,
        }));
    }
    let text = Decoded::new(codec, whole)
        .map_err(|source| InputError::Decompress { path: name.to_owned(), source })?;
    let compressed = codec != Codec::Plain || in_archive;
    let reader: Box<dyn Read + Send> =
        if compressed { Box::new(DecodedText::new(text)) } else { Box::new(text) };
    Ok(OpenInput::Stream { reader, compressed, taken, watch })
}

#[cfg(all(
    test,
    not(any(feature = "gzip", feature = "ruzstd", feature = "zip", feature = "zstd"))
))]
mod tests_without_compression {
    use super::*;

    #[test]
    fn a_compression_that_is_not_built_in_is_an_error() {
        for (name, first) in [
            ("gzip", &[0x1f, 0x8b, 8, 0][..]),
            ("zstd", &[0x28, 0xb5, 0x2f, 0xfd]),
            ("bzip2", b"BZh91AY&SY"),
            ("xz", b"\xfd7zXZ\0"),
        ] {
            let source = Source::new(Box::new(first), None);
            let error = decode(source, "a.pgn", false).err().expect(name);
            assert!(error.to_string().contains(&format!("compressed with {name}")), "{error}");
        }
    }

    #[test]
    fn an_archive_that_is_not_built_in_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.zip");
        std::fs::write(&path, b"PK\x03\x04").expect("a file");
        let inputs = super::super::Input::expand(&path).expect("an input that cannot be opened");
        let error = inputs[0].open(false).err().expect("no archives");
        assert!(error.to_string().contains("zip archive, which is not built in"), "{error}");
    }
}

#[cfg(all(test, feature = "bzip2", feature = "gzip", feature = "xz", feature = "zstd"))]
pub(super) mod tests {
    use std::io::Write;
    use std::sync::atomic::Ordering;

    use super::super::Input;
    use super::super::tests::text;
    use super::*;

    #[test]
    fn the_compressed_bytes_of_a_compressed_file_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let text_of_many = b"[Event \"x\"]\n\n1. e4 *\n\n".repeat(10_000);
        for (name, bytes) in [
            ("a.pgn.bz2", bzip2(&text_of_many)),
            ("a.pgn.xz", xz(&text_of_many)),
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
    fn a_compressed_name_needs_a_compressed_file() {
        let folder = tempfile::tempdir().unwrap();
        let mut damaged = zstd::encode_all(&b"[Event \"x\"]"[..], 1).unwrap();
        damaged[0] ^= 1;
        for name in ["a.pgn.zst", "a.PGN.ZSTD", "a.pgn.gz", "a.gzip"] {
            let path = folder.path().join(name);
            let input = Input::File(path.clone());
            for bytes in [&damaged[..], b"", b"\0\0\0\0", b"\x1f", b"CZh91AY&SY", b"ARROW1\0\0"] {
                std::fs::write(&path, bytes).unwrap();
                assert!(
                    matches!(input.open(true), Err(InputError::Decompress { .. })),
                    "{name}: {bytes:?}"
                );
            }
            std::fs::write(&path, b"\r\n[Event \"x\"]").unwrap();
            let error = input.open(true).err().unwrap().to_string();
            assert!(error.ends_with("but it is plain PGN: name it .pgn"), "{error}");
        }
    }

    pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    pub(crate) fn bzip2(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    pub(crate) fn xz(bytes: &[u8]) -> Vec<u8> {
        let options = lzma_rust2::XzOptions::with_preset(1);
        let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_compressed_file_that_ends_early_is_an_error() {
        let text_of_many = b"[Event \"x\"]\n\n1. e4 *\n\n".repeat(10_000);
        for bytes in [bzip2(&text_of_many), xz(&text_of_many), gzip(&text_of_many)] {
            for length in [bytes.len() / 2, bytes.len() - 1] {
                let opened = Input::bytes("a", &bytes[..length]).open(true).unwrap();
                let OpenInput::Stream { mut reader, compressed: true, .. } = opened else {
                    panic!()
                };
                assert!(reader.read_to_end(&mut Vec::new()).is_err());
            }
        }
    }

    #[test]
    fn a_compressed_text_that_is_not_text_is_an_error() {
        let mut tar = vec![b'a'; 600];
        tar[257..262].copy_from_slice(b"ustar");
        for (inner, told) in [
            (gzip(b"x"), "its text is not PGN, but again compressed with gzip: unpack it"),
            (tar, "it is a tar archive, which Babson does not read: unpack it with tar"),
            (b"\xff\xfe[\0".to_vec(), "it is UTF-16, not UTF-8"),
            (b"ARROW1\0\0".to_vec(), "it is a game table that was compressed as a whole"),
        ] {
            for compress in [bzip2, xz, gzip] {
                let opened = Input::bytes("a", compress(&inner)).open(true).unwrap();
                let OpenInput::Stream { mut reader, .. } = opened else { panic!("{told}") };
                let error = reader.read_to_end(&mut Vec::new()).unwrap_err().to_string();
                assert!(error.starts_with(told), "{error}");
            }
        }
    }

    /// Damage after a few bytes of text does not lose them.
    #[test]
    fn the_first_bytes_before_damage_are_read() {
        let text = b"[Event \"x\"]\n\n1. e4 *\n";
        let mut compressed = gzip(text);
        let checksum = compressed.len() - 8;
        compressed[checksum] ^= 1;
        let opened = Input::bytes("a", compressed).open(true).unwrap();
        let OpenInput::Stream { mut reader, .. } = opened else { panic!("no stream") };
        let mut read = Vec::new();
        assert!(reader.read_to_end(&mut read).is_err());
        assert_eq!(read, text);
    }

    #[test]
    fn all_members_and_frames_are_read() {
        let folder = tempfile::tempdir().unwrap();
        for compress in [bzip2, xz, gzip] {
            let two = [compress(b"one "), compress(b"two")].concat();
            assert_eq!(text(Input::bytes("a", two).open(true).unwrap()), b"one two");
            assert_eq!(text(Input::bytes("a", compress(b"")).open(true).unwrap()), b"");
        }
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
