//! Recognizing a database by its beginning, where the name of a file does not tell.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use babson_pgn::FileSignature;

use super::Input;
use super::extension::{is_compressed_name, is_database_name, is_text_name};
use super::pgn_text::begins_as_pgn;
use super::refusal::{not_compressed, not_text};
use crate::codec::{Codec, Decoded, MAGIC_LEN};
use crate::limits::MAX_SAMPLE;
use crate::remote::is_remote_name;

/// The first bytes of a text, as many as [`begins_as_pgn`] should get. What comes before an error
/// is enough to tell.
fn beginning(text: impl Read) -> io::Result<Vec<u8>> {
    let mut first = Vec::new();
    match text.take(MAX_SAMPLE as u64).read_to_end(&mut first) {
        Err(error) if first.is_empty() => Err(error),
        Ok(_) | Err(_) => Ok(first),
    }
}

/// Whether a file is a database by its name, or may be one by its name
/// ([`may_be_database_name`]) and its text, which may be compressed, begins as PGN does. A path
/// into a zip archive is one, too: it names some of its members. So is a URL, if this program reads
/// files over the network.
///
/// A compressed file of such a name is also taken for one if it cannot be read, or is empty: the
/// scan tells what is wrong with it.
///
/// [`may_be_database_name`]: crate::may_be_database_name
pub fn is_database_file(path: impl AsRef<Path>) -> bool {
    if cfg!(feature = "remote") && is_remote_name(&path) {
        return true;
    }
    // An archive may have a slash after its name, as a folder.
    let path = path.as_ref().components().as_path();
    let is_empty = || path.metadata().is_ok_and(|data| data.is_file() && data.len() == 0);
    let is_compressed = || {
        let is_compressed = |name| is_text_name(name) && is_compressed_name(name);
        path.file_name().is_some_and(is_compressed)
    };
    is_database_name(path)
        || Input::archive_of(path).is_some()
        || match is_pgn_text(path) {
            Ok(is_pgn) => is_pgn || is_compressed() && is_empty(),
            Err(_) => is_compressed(),
        }
}

/// Whether a file has an extension that does not tell what is in it, and holds games.
pub(super) fn is_pgn_text(path: &Path) -> io::Result<bool> {
    let Some(name) = path.file_name().filter(|name| is_text_name(name) && path.is_file()) else {
        return Ok(false);
    };
    holds_pgn(Box::new(File::open(path)?), name)
}

/// Whether a stream with a name of this extension holds games: it is a text, perhaps compressed,
/// that begins as PGN does, or an archive.
///
/// # Errors
/// The stream cannot be read, or is not what its extension says.
pub(super) fn holds_pgn(mut bytes: Box<dyn Read + Send>, name: &OsStr) -> io::Result<bool> {
    let mut first = Vec::with_capacity(MAGIC_LEN);
    bytes.by_ref().take(MAGIC_LEN as u64).read_to_end(&mut first)?;
    let codec = Codec::of(&first);
    if codec == Codec::Zip {
        return Ok(is_compressed_name(name));
    }
    if is_compressed_name(name)
        && !first.is_empty()
        && let Some(reason) = not_compressed(&first)
    {
        return Err(reason.into_error());
    }
    let text = beginning(Decoded::new(codec, io::Cursor::new(first).chain(bytes))?)?;
    match FileSignature::of(&text).filter(|_| codec != Codec::Plain) {
        Some(format) => Err(not_text(format).into_error()),
        None => Ok(begins_as_pgn(&text)),
    }
}

/// Whether a file with these first bytes is compressed, or is a zip archive.
///
/// ```
/// use babson_input::begins_as_compressed;
///
/// assert!(begins_as_compressed(b"BZh91AY&SY") && !begins_as_compressed(b"mate"));
/// ```
pub fn begins_as_compressed(bytes: &[u8]) -> bool {
    Codec::of(bytes) != Codec::Plain
}

/// Whether a text begins as UTF-16 does.
///
/// ```
/// use babson_input::begins_as_utf16;
///
/// assert!(begins_as_utf16(b"\xff\xfem\0") && begins_as_utf16(b"\0m\0a"));
/// assert!(!begins_as_utf16(b"mate"));
/// ```
pub fn begins_as_utf16(bytes: &[u8]) -> bool {
    let first = bytes.get(..FileSignature::LENGTH).unwrap_or(bytes);
    FileSignature::of(first) == Some(FileSignature::Utf16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_database_by_its_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        assert!(is_database_file(put("a.txt", "[Event \"x\"]\n")));
        assert!(is_database_file(put("A.TXT", "1. d4 d5 *\n")));
        assert!(!is_database_file(put("readme.txt", "Games of the club\n")));
        assert!(!is_database_file(put("a.cql", "[Event \"x\"]\n")));
        assert!(is_database_file("missing.pgn") && !is_database_file("missing.txt"));
        // What cannot be read may be a database.
        assert!(is_database_file(put("bad.xz", "\0\0\0\0")) && is_database_file(put("a.gz", "")));
        assert!(!is_database_file(put("a.tar.gz", "\0\0\0\0")) && !is_database_file("missing.gz"));
    }
}
