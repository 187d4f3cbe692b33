//! Folders among the words of a command line: of queries, or of games.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// The `.cql` files of a folder, in order of name.
///
/// # Errors
/// The folder cannot be read.
pub(crate) fn queries_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let file = entry?.path();
        if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("cql")) {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a word names a folder without queries. Such a folder is one of games.
pub(crate) fn is_folder_of_games(word: &OsStr) -> bool {
    let path = Path::new(word);
    path.is_dir() && queries_in(path).is_ok_and(|queries| queries.is_empty())
}
