//! The databases of a folder.

use std::collections::{HashSet, VecDeque};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::extension::is_database_name;
use super::skipped::SkipReason;
use super::sniff::is_pgn_text;
use crate::error::InputError;
use crate::limits::MAX_FOLDER_DEPTH;

/// The databases of a folder and its folders, in order of path.
///
/// Hidden files and folders, whose names begin with a dot, are left out, and so are pipes and
/// devices. A folder to which links lead is read once, under its own name if it is in `folder`.
///
/// A database that cannot be read is one of them, also if it is a link that leads nowhere.
///
/// `skipped` gets the files that are not read, and have the name of games in another form or
/// begin as PGN does.
///
/// # Errors
/// A folder cannot be read, or folders are nested too deeply.
pub(super) fn databases(
    folder: &Path,
    skipped: &mut dyn FnMut(&Path, SkipReason),
) -> Result<Vec<PathBuf>, InputError> {
    let mut walk = Walk { folders: vec![(folder.to_owned(), 0)], ..Walk::default() };
    // Links come last, so that a folder is not read under the name of a link to it.
    while let Some((folder, depth)) = walk.folders.pop().or_else(|| walk.links.pop_front()) {
        walk.read(&folder, depth)?;
    }
    walk.found.sort();
    walk.skipped.sort_by(|(one, _), (two, _)| one.cmp(two));
    walk.skipped.iter().for_each(|(path, reason)| skipped(path, *reason));
    Ok(walk.found)
}

/// The state of a walk through folders.
#[derive(Default)]
struct Walk {
    /// The folders that are not read yet, with their depth.
    folders: Vec<(PathBuf, usize)>,
    /// Such folders that are links.
    links: VecDeque<(PathBuf, usize)>,
    /// The paths, without links, of the folders that are read.
    read: HashSet<PathBuf>,
    found: Vec<PathBuf>,
    skipped: Vec<(PathBuf, SkipReason)>,
}

impl Walk {
    fn read(&mut self, folder: &Path, depth: usize) -> Result<(), InputError> {
        if !self.read.insert(fs::canonicalize(folder).map_err(cannot_read(folder))?) {
            return Ok(());
        }
        if depth > MAX_FOLDER_DEPTH {
            let reason = format!("folders are nested more than {MAX_FOLDER_DEPTH} deep");
            return Err(cannot_read(folder)(io::Error::other(reason)));
        }
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder).map_err(cannot_read(folder))? {
            let path = entry.map_err(cannot_read(folder))?.path();
            if !path.file_name().is_some_and(is_hidden) {
                paths.push(path);
            }
        }
        // The order decides under which link a folder is read that has several.
        paths.sort();
        paths.into_iter().try_for_each(|path| self.take(path, depth + 1))
    }

    /// Takes an entry of a folder.
    fn take(&mut self, path: PathBuf, depth: usize) -> Result<(), InputError> {
        let is_named = path.file_name().is_some_and(is_database_name);
        let data = match fs::metadata(&path) {
            Ok(data) => data,
            Err(_) => {
                self.found.extend(is_named.then_some(path));
                return Ok(());
            }
        };
        if data.is_dir() {
            match path.is_symlink() {
                true => self.links.push_back((path, depth)),
                false => self.folders.push((path, depth)),
            }
        } else if data.is_file() && (is_named || is_pgn_text(&path).unwrap_or(true)) {
            self.found.push(path);
        } else if data.is_file()
            && let Some(name) = path.file_name()
        {
            // A folder has many files that are not games.
            match SkipReason::of(name, || Ok(Box::new(File::open(&path)?))) {
                reason @ (SkipReason::Foreign | SkipReason::NotNamed) => {
                    self.skipped.push((path, reason));
                }
                SkipReason::NotPgn => {}
            }
        }
        Ok(())
    }
}

fn cannot_read(path: &Path) -> impl FnOnce(io::Error) -> InputError {
    let path = path.display().to_string();
    |source| InputError::Read { path, source }
}

/// Whether the name of a file is hidden.
pub(super) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let found = databases(folder, &mut |_, _| ()).unwrap().into_iter();
        let name = |path: PathBuf| path.strip_prefix(folder).unwrap().display().to_string();
        found.map(|path| name(path).replace('\\', "/")).collect()
    }

    #[test]
    fn folders_are_read_with_their_folders() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        for name in ["b.pgn", "a/z.pgn", "a/b/c.pgn.bz2", "a.pgn", "a/.x/d.pgn", ".e.pgn"] {
            put(name, "");
        }
        put("a/games.txt", "[Event \"x\"]\n");
        put("a/readme.txt", "Games\n");
        put("a/picture.png", "");
        assert_eq!(
            names(folder.path()),
            ["a/b/c.pgn.bz2", "a/games.txt", "a/z.pgn", "a.pgn", "b.pgn"]
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_contains_itself_is_read_once() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("one/two")).unwrap();
        fs::write(path("one/a.pgn"), b"").unwrap();
        fs::write(path("one/two/b.pgn"), b"").unwrap();
        symlink(folder.path(), path("one/two/all")).unwrap();
        symlink("one", path("link")).unwrap();
        assert_eq!(names(folder.path()), ["one/a.pgn", "one/two/b.pgn"]);
    }

    #[test]
    fn folders_that_are_nested_too_deeply() {
        let folder = tempfile::tempdir().unwrap();
        let mut deep = folder.path().to_owned();
        (0..=MAX_FOLDER_DEPTH).for_each(|_| deep.push("d"));
        fs::create_dir_all(&deep).unwrap();
        let error = databases(folder.path(), &mut |_, _| ()).unwrap_err().to_string();
        assert!(error.contains("folders are nested more than"), "{error}");
    }
}
