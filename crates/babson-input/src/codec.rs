//! The compression of files: recognized by their first bytes, and undone.

use std::io::{self, Read};

use babson_pgn::FileSignature;
use babson_vm::InputReason;

/// The compression of an input, recognized by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// It is not compressed.
    Plain,
    /// A stream of bzip2.
    Bzip2,
    /// Members of gzip.
    Gzip,
    /// Streams of xz.
    Xz,
    /// An archive, each of whose members may be compressed.
    Zip,
    /// Frames of zstd.
    Zstd,
}

/// How many bytes [`Codec::of`] needs.
pub const MAGIC_LEN: usize = FileSignature::LENGTH;

impl Codec {
    /// The compression of a text that begins with these bytes: the first [`MAGIC_LEN`], or all.
    pub fn of(first: &[u8]) -> Codec {
        FileSignature::of(first).map_or(Codec::Plain, Codec::of_signature)
    }

    fn of_signature(signature: FileSignature) -> Codec {
        match signature {
            FileSignature::Bzip2 => Codec::Bzip2,
            FileSignature::Gzip => Codec::Gzip,
            FileSignature::Xz => Codec::Xz,
            FileSignature::Zip => Codec::Zip,
            FileSignature::Zstd => Codec::Zstd,
            FileSignature::Lz4
            | FileSignature::Rar
            | FileSignature::SevenZip
            | FileSignature::Tar
            | FileSignature::ArrowFile
            | FileSignature::ArrowStream
            | FileSignature::Feather
            | FileSignature::Parquet
            | FileSignature::Utf16 => Codec::Plain,
        }
    }
}

/// The plain bytes of a stream of some compression: of all its members, streams or frames, one
/// after another.
pub struct Decoded<R: Read>(Decoder<R>);

enum Decoder<R: Read> {
    Plain(R),
    #[cfg(feature = "bzip2")]
    Bzip2(Box<bzip2::bufread::MultiBzDecoder<io::BufReader<R>>>),
    // A `GzDecoder` would silently stop after the first member.
    #[cfg(feature = "gzip")]
    Gzip(Box<flate2::bufread::MultiGzDecoder<io::BufReader<R>>>),
    #[cfg(feature = "xz")]
    Xz(Box<lzma_rust2::XzReader<io::BufReader<R>>>),
    #[cfg(feature = "zstd")]
    Zstd(Box<zstd::stream::read::Decoder<'static, io::BufReader<R>>>),
    #[cfg(all(feature = "ruzstd", not(feature = "zstd")))]
    Zstd(Box<crate::zstd_frames::ZstdFrames<io::BufReader<R>>>),
}

impl<R: Read> Decoded<R> {
    /// The plain bytes of a stream of this compression.
    ///
    /// # Errors
    /// The codec is the one of archives, or is not built into this program.
    pub fn new(codec: Codec, bytes: R) -> io::Result<Decoded<R>> {
        Ok(Decoded(match codec {
            Codec::Plain => Decoder::Plain(bytes),
            Codec::Zip => return Err(InputReason::ArchiveStream.into_error()),
            #[cfg(feature = "bzip2")]
            Codec::Bzip2 => {
                Decoder::Bzip2(Box::new(bzip2::bufread::MultiBzDecoder::new(buffered(bytes))))
            }
            #[cfg(not(feature = "bzip2"))]
            Codec::Bzip2 => return Err(not_built_in("bzip2")),
            #[cfg(feature = "gzip")]
            Codec::Gzip => {
                Decoder::Gzip(Box::new(flate2::bufread::MultiGzDecoder::new(buffered(bytes))))
            }
            #[cfg(not(feature = "gzip"))]
            Codec::Gzip => return Err(not_built_in("gzip")),
            // A stream that needs more memory than the usual ones is an error.
            #[cfg(feature = "xz")]
            Codec::Xz => Decoder::Xz(Box::new(lzma_rust2::XzReader::new_mem_limit(
                buffered(bytes),
                true,
                crate::limits::MAX_XZ_MEMORY,
            ))),
            #[cfg(not(feature = "xz"))]
            Codec::Xz => return Err(not_built_in("xz")),
            #[cfg(feature = "zstd")]
            Codec::Zstd => {
                Decoder::Zstd(Box::new(zstd::stream::read::Decoder::with_buffer(buffered(bytes))?))
            }
            #[cfg(all(feature = "ruzstd", not(feature = "zstd")))]
            Codec::Zstd => {
                Decoder::Zstd(Box::new(crate::zstd_frames::ZstdFrames::new(buffered(bytes))))
            }
            #[cfg(not(any(feature = "ruzstd", feature = "zstd")))]
            Codec::Zstd => return Err(not_built_in("zstd")),
        }))
    }
}

/// Compressed data, read in pieces of 64 KiB.
#[cfg(any(
    feature = "bzip2",
    feature = "gzip",
    feature = "ruzstd",
    feature = "xz",
    feature = "zstd"
))]
fn buffered<R: Read>(bytes: R) -> io::BufReader<R> {
    io::BufReader::with_capacity(1 << 16, bytes)
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Decoder::Plain(bytes) => bytes.read(buffer),
            #[cfg(feature = "bzip2")]
            Decoder::Bzip2(decoder) => decoder.read(buffer),
            #[cfg(feature = "gzip")]
            Decoder::Gzip(decoder) => decoder.read(buffer),
            #[cfg(feature = "xz")]
            Decoder::Xz(decoder) => decoder.read(buffer),
            #[cfg(any(feature = "ruzstd", feature = "zstd"))]
            Decoder::Zstd(decoder) => decoder.read(buffer),
        }
    }
}

/// The error for a compression whose feature is off.
#[cfg(not(all(
    feature = "bzip2",
    feature = "gzip",
    feature = "xz",
    feature = "zip",
    any(feature = "ruzstd", feature = "zstd")
)))]
pub(crate) fn not_built_in(codec: &'static str) -> io::Error {
    InputReason::CodecNotBuiltIn(codec).into_error()
}
