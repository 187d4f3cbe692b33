//! The text of a compressed stream.

use std::io::{self, Cursor, Read};
use std::ops::Range;

use babson_pgn::FileSignature;
use babson_vm::InputReason;

use super::refusal::not_text;
use crate::codec::{Codec, Decoded};

/// The text of a compressed stream. It is an error if it is not text, but a table, for instance: no
/// part of a table can be read before its end, so only its columns can be compressed.
///
/// A decoder that finds damage loses what it has written in the same call. So it is always called
/// for as many bytes, however many the reader of the text wants: then the text before the damage is
/// the same for chunks of any size.
pub(super) struct DecodedText<R> {
    source: R,
    /// The first bytes of the text, after they were read.
    first: Option<Cursor<Vec<u8>>>,
    /// The error of the decoder after them.
    failed: Option<io::Error>,
    block: Box<[u8]>,
    /// What is left of the block.
    rest: Range<usize>,
}

/// The bytes of text that one call of a decoder asks for. Few, because damage loses what the call
/// has decoded.
const BLOCK: usize = 1 << 14;

impl<R: Read> DecodedText<R> {
    pub(super) fn new(source: R) -> DecodedText<R> {
        DecodedText { source, first: None, failed: None, block: vec![0; BLOCK].into(), rest: 0..0 }
    }
}

/// The error of a decoder. Each has other words for data that ends too early.
fn in_our_words(error: io::Error) -> io::Error {
    match error.kind() == io::ErrorKind::UnexpectedEof {
        true => InputReason::Truncated.into_error(),
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
                    // What comes after the first bytes is not text either.
                    (self.first, self.block) = (Some(Cursor::default()), Box::default());
                    return Err(not_text(format).into_error());
                }
                self.first.insert(Cursor::new(first))
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

/// The text of a stream that is plain, or compressed with gzip, zstd, xz or bzip2, which its first
/// bytes tell. A plain stream is read six bytes ahead, so that a live stream can be followed; a
/// compressed one gives nothing before 262 bytes of text.
///
/// A read is an error where the compressed data are damaged, if their text is a game table, an
/// archive or compressed again, and if the compression is not built into this program.
///
/// ```
/// use std::io::Read;
///
/// use babson_input::DecompressedText;
///
/// let compressed = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x033\xd4SH5Q\xd0\x02\x00\xd3\x9d\xba\x0e\x07\x00\x00\x00";
/// for bytes in [&compressed[..], b"1. e4 *"] {
///     let mut text = String::new();
///     DecompressedText::new(bytes).read_to_string(&mut text)?;
///     assert_eq!(text, "1. e4 *");
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct DecompressedText<R: Read>(Stage<R>);

/// The first bytes of a stream, and the others.
type Whole<R> = io::Chain<Cursor<Vec<u8>>, R>;

enum Stage<R: Read> {
    /// The first bytes are not known yet.
    Start(R, Vec<u8>),
    Plain(Whole<R>),
    Compressed(Box<DecodedText<Decoded<Whole<R>>>>),
    /// The compression is not built into this program.
    Failed,
}

/// How many bytes tell the compression of a stream.
const COMPRESSION_LENGTH: usize = 6;

impl<R: Read> DecompressedText<R> {
    /// The text of this stream.
    pub fn new(bytes: R) -> DecompressedText<R> {
        DecompressedText(Stage::Start(bytes, Vec::new()))
    }

    /// Reads the first bytes, and finds out what they are.
    fn start(&mut self) -> io::Result<()> {
        let Stage::Start(bytes, first) = &mut self.0 else { return Ok(()) };
        let mut buffer = [0; COMPRESSION_LENGTH];
        while first.len() < COMPRESSION_LENGTH {
            match bytes.read(&mut buffer[first.len()..]) {
                Ok(0) => break,
                Ok(read) => first.extend_from_slice(&buffer[first.len()..][..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let codec = Codec::of(first);
        let Stage::Start(bytes, first) = std::mem::replace(&mut self.0, Stage::Failed) else {
            return Ok(());
        };
        let whole = Cursor::new(first).chain(bytes);
        self.0 = match codec {
            // The reader of the text tells that it is an archive.
            Codec::Plain | Codec::Zip => Stage::Plain(whole),
            Codec::Bzip2 | Codec::Gzip | Codec::Xz | Codec::Zstd => {
                Stage::Compressed(Box::new(DecodedText::new(Decoded::new(codec, whole)?)))
            }
        };
        Ok(())
    }
}

impl<R: Read> Read for DecompressedText<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.start()?;
        match &mut self.0 {
            Stage::Start(..) | Stage::Failed => Ok(0),
            Stage::Plain(text) => text.read(buffer),
            Stage::Compressed(text) => text.read(buffer),
        }
    }
}
