//! Compressing an output, if its name has the extension of a compressed file.

use std::fs::File;
#[cfg(any(feature = "gzip", feature = "zstd"))]
use std::io::Write;
use std::io::{self, Read};
use std::path::Path;

use babson_input::{Codec, MAGIC_LEN};

use super::writer::EndWrite;

/// A file that is written again after a signal has interrupted a write. flate2 makes it an error at
/// the end of a member.
#[cfg(feature = "gzip")]
struct RetryingFile(File);

#[cfg(feature = "gzip")]
impl Write for RetryingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.0.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                written => return written,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(feature = "gzip")]
impl EndWrite for flate2::write::GzEncoder<RetryingFile> {
    fn end(&mut self) -> io::Result<()> {
        self.try_finish()
    }
}

#[cfg(feature = "zstd")]
impl EndWrite for zstd::stream::write::Encoder<'static, File> {
    fn end(&mut self) -> io::Result<()> {
        self.do_finish()?;
        self.flush()
    }
}

/// The compression of a file of this name.
pub(super) fn of_name(path: &Path) -> Codec {
    let Some(extension) = path.extension() else { return Codec::Plain };
    match extension.to_ascii_lowercase().as_encoded_bytes() {
        b"gz" => Codec::Gzip,
        b"zst" => Codec::Zstd,
        _ => Codec::Plain,
    }
}

/// A writer to the file that compresses: a member of gzip or a frame of zstd. Several of them, one
/// after another, are one text.
pub(super) fn writer(codec: Codec, file: File) -> io::Result<Box<dyn EndWrite>> {
    match codec {
        Codec::Gzip => gzip(file),
        Codec::Zstd => zstd(file),
        Codec::Plain | Codec::Bzip2 | Codec::Xz | Codec::Zip => Ok(Box::new(file)),
    }
}

#[cfg(feature = "gzip")]
fn gzip(file: File) -> io::Result<Box<dyn EndWrite>> {
    let file = RetryingFile(file);
    Ok(Box::new(flate2::write::GzEncoder::new(file, flate2::Compression::default())))
}

#[cfg(not(feature = "gzip"))]
fn gzip(_: File) -> io::Result<Box<dyn EndWrite>> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "gzip is not built into this program"))
}

#[cfg(feature = "zstd")]
fn zstd(file: File) -> io::Result<Box<dyn EndWrite>> {
    let mut encoder = zstd::stream::write::Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL)?;
    encoder.include_checksum(true)?;
    Ok(Box::new(encoder))
}

#[cfg(not(feature = "zstd"))]
fn zstd(_: File) -> io::Result<Box<dyn EndWrite>> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "zstd is not built into this program"))
}

/// An error if a file that is appended to has another compression than its name says. A file that
/// does not exist or is empty has any.
pub(super) fn check_appended(codec: Codec, path: &Path) -> io::Result<()> {
    let mut first = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(MAGIC_LEN as u64).read_to_end(&mut first)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    match first.is_empty() || Codec::of(&first) == codec {
        true => Ok(()),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "its compression is not that of its name, so nothing can be appended to it",
        )),
    }
}
