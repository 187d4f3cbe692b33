//! The extensions of inputs. Only the bytes of ASCII letters matter, so names need not be UTF-8.

use std::ffi::OsStr;

use super::foreign::is_foreign_name;

/// The extension of PGN databases, perhaps with one of a compressed file after it.
const PGN: &str = ".pgn";

/// Extensions of game tables. Other programs use the second one for Arrow files, too.
const TABLE: &[&str] = match cfg!(feature = "parquet") {
    true => &[".arrow", ".feather", ".parquet"],
    false => &[".arrow", ".feather"],
};

/// Extensions of compressed files.
const COMPRESSED: [&str; 6] = [".bz2", ".gz", ".gzip", ".xz", ".zst", ".zstd"];

/// The extension of archives.
const ARCHIVE: &str = ".zip";

/// The extension of files that may be PGN or any other text.
const TEXT: &str = ".txt";

/// The name without the first of these extensions that it has, in any case.
fn without<'n>(name: &'n OsStr, extensions: &[&str]) -> Option<&'n [u8]> {
    let name = name.as_encoded_bytes();
    extensions.iter().find_map(|extension| {
        let (stem, end) = name.split_at_checked(name.len().checked_sub(extension.len())?)?;
        end.eq_ignore_ascii_case(extension.as_bytes()).then_some(stem)
    })
}

/// Whether a name ends in one of these, in any case.
pub(super) fn has_extension(name: &OsStr, extensions: &[&str]) -> bool {
    without(name, extensions).is_some()
}

/// Whether a file name has the extension of a database: a PGN file, plain or compressed, a zip
/// archive, or a game table. Case does not matter. The rest of the name need not be UTF-8.
///
/// ```
/// use babson_input::is_database_name;
///
/// assert!(is_database_name("games/a.PGN.zst") && is_database_name("games.arrow"));
/// assert!(is_database_name("a.pgn.xz") && is_database_name("games.zip"));
/// // Only its content can tell.
/// assert!(!is_database_name("mate.cql") && !is_database_name("notes.gz"));
/// ```
pub fn is_database_name(name: impl AsRef<OsStr>) -> bool {
    let name = name.as_ref();
    is_games_name(name) || is_archive_name(name)
}

/// Whether a name has the extension of a database that is not an archive.
pub(super) fn is_games_name(name: &OsStr) -> bool {
    let is_pgn = |stem: &[u8]| {
        let end = stem.len().checked_sub(PGN.len()).and_then(|begin| stem.get(begin..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(PGN.as_bytes()))
    };
    let stem = without(name, &COMPRESSED).unwrap_or(name.as_encoded_bytes());
    is_pgn(stem) || is_table_name(name)
}

/// Whether a name has the extension of a zip archive.
pub(super) fn is_archive_name(name: &OsStr) -> bool {
    has_extension(name, &[ARCHIVE])
}

/// Whether a name has an extension that does not tell whether the file is PGN: the extension of a
/// text, or of a compressed file that is not an archive.
pub(super) fn is_text_name(name: &OsStr) -> bool {
    has_extension(name, &[TEXT]) || is_compressed_name(name) && !is_foreign_name(name)
}

/// Whether a file may be a database by its name. Its extension is one of a database
/// ([`is_database_name`]), or does not tell what is in the file: `.txt`, or any extension of a
/// compressed file. An archive of a kind that is not read
/// ([`is_foreign_name`](crate::is_foreign_name)) is not a database.
///
/// ```
/// use babson_input::may_be_database_name;
///
/// assert!(may_be_database_name("games.bz2") && may_be_database_name("games.TXT"));
/// assert!(!may_be_database_name("games.csv") && !may_be_database_name("games"));
/// assert!(!may_be_database_name("games.tar.gz"));
/// ```
pub fn may_be_database_name(name: impl AsRef<OsStr>) -> bool {
    let name = name.as_ref();
    is_database_name(name) || is_text_name(name)
}

/// Whether a file name has the extension of a game table. Case does not matter.
///
/// ```
/// use babson_input::is_table_name;
///
/// assert!(is_table_name("games.arrow") && is_table_name("games.feather"));
/// assert!(!is_table_name("games.pgn"));
/// ```
pub fn is_table_name(name: impl AsRef<OsStr>) -> bool {
    has_extension(name.as_ref(), TABLE)
}

/// Whether a file name has the extension of a compressed file.
pub(super) fn is_compressed_name(name: &OsStr) -> bool {
    has_extension(name, &COMPRESSED)
}

/// Whether a file name has the extension of a compressed file or of a zip archive.
pub(super) fn says_compressed(name: &OsStr) -> bool {
    is_compressed_name(name) || is_archive_name(name)
}
