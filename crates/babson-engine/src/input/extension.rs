//! The extensions of inputs. Only the bytes of ASCII letters matter, so names need not be UTF-8.

use std::ffi::OsStr;

/// Extensions of PGN databases.
const PGN: [&str; 5] = [".pgn", ".pgn.zst", ".pgn.zstd", ".pgn.gz", ".pgn.gzip"];

/// Extensions of game tables. Other programs use the second one for Arrow files, too.
const TABLE: [&str; 2] = [".arrow", ".feather"];

/// Extensions of compressed files.
const PACKED: [&str; 4] = [".zst", ".zstd", ".gz", ".gzip"];

/// Whether a name ends in one of these, in any case.
fn has_extension(name: &OsStr, extensions: &[&str]) -> bool {
    let name = name.as_encoded_bytes();
    extensions.iter().any(|extension| {
        let end = name.len().checked_sub(extension.len()).and_then(|begin| name.get(begin..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(extension.as_bytes()))
    })
}

/// Whether a file name has the extension of a database: a PGN file, plain or compressed, or a game
/// table. Case does not matter. The rest of the name need not be UTF-8.
///
/// ```
/// use babson_engine::is_database_name;
///
/// assert!(is_database_name("games/a.PGN.zst") && is_database_name("games.arrow"));
/// assert!(!is_database_name("mate.cql"));
/// ```
pub fn is_database_name(name: impl AsRef<OsStr>) -> bool {
    has_extension(name.as_ref(), &PGN) || is_table_name(name)
}

/// Whether a file name has the extension of a game table. Case does not matter.
///
/// ```
/// use babson_engine::is_table_name;
///
/// assert!(is_table_name("games.arrow") && is_table_name("games.feather"));
/// assert!(!is_table_name("games.pgn"));
/// ```
pub fn is_table_name(name: impl AsRef<OsStr>) -> bool {
    has_extension(name.as_ref(), &TABLE)
}

/// Whether a file name has the extension of a compressed file.
pub(super) fn is_packed_name(name: &OsStr) -> bool {
    has_extension(name, &PACKED)
}
