//! Folders among the words of a command line: of queries, or of games.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

/// The queries of a folder and its subfolders.
#[derive(Debug, Default)]
pub(crate) struct QueryTree {
    /// The `.cql` files, in order of path.
    pub(crate) files: Vec<PathBuf>,
    /// The folders that were read.
    pub(crate) folders: Vec<PathBuf>,
    /// What cannot be read, with the reasons.
    pub(crate) unread: Vec<(PathBuf, String)>,
}

/// The folder with what a compiler makes, which has copies of queries at most.
const BUILD_FOLDER: &str = "target";

impl QueryTree {
    /// Reads a folder. Hidden files and folders are left out, and folders named `target`, but not
    /// the folder itself. Links to folders are not followed, so no link leads into a circle.
    pub(crate) fn read(folder: &Path) -> QueryTree {
        let is_wanted = |entry: &DirEntry| {
            let name = entry.file_name();
            let is_hidden = name.as_encoded_bytes().starts_with(b".");
            let is_build = name == BUILD_FOLDER && entry.file_type().is_dir();
            entry.depth() == 0 || !is_hidden && !is_build
        };
        let mut tree = QueryTree::default();
        for entry in WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(is_wanted) {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => tree.folders.push(entry.into_path()),
                Ok(entry) if is_query_file(entry.path()) => match entry.path().metadata() {
                    Ok(file) if file.is_file() => tree.files.push(entry.into_path()),
                    // A pipe, or a link to a folder.
                    Ok(_) => {}
                    Err(error) => tree.unread.push((entry.into_path(), error.to_string())),
                },
                Ok(_) => {}
                Err(error) => {
                    let path = error.path().unwrap_or(folder).to_owned();
                    let why =
                        error.io_error().map_or_else(|| error.to_string(), io::Error::to_string);
                    tree.unread.push((path, why));
                }
            }
        }
        tree
    }
}

/// Whether a file has the name of a query.
pub(crate) fn is_query_file(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("cql"))
}

/// The `.cql` files of a folder, in order of name.
///
/// # Errors
/// The folder cannot be read.
pub(crate) fn queries_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let file = entry?.path();
        if is_query_file(&file) {
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_tree_has_its_queries_in_order() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        for folder in ["b/target", "b/c", ".git", "target/d", "e.cql"] {
            fs::create_dir_all(path(folder)).unwrap();
        }
        for file in [
            "z.cql",
            "a.CQL",
            "a.txt",
            ".h.cql",
            ".git/g.cql",
            "target/d/t.cql",
            "b/target/t.cql",
            "b/c/deep.cql",
            "b/one.cql",
            "e.cql/in.cql",
        ] {
            fs::write(path(file), "mate").unwrap();
        }
        let names = |tree: &QueryTree| {
            let name = |file: &PathBuf| file.strip_prefix(root.path()).unwrap().to_owned();
            let names = tree.files.iter().map(name);
            let names = names.map(|name| name.display().to_string().replace('\\', "/"));
            names.collect::<Vec<_>>().join(" ")
        };
        let tree = QueryTree::read(root.path());
        assert_eq!(names(&tree), "a.CQL b/c/deep.cql b/one.cql e.cql/in.cql z.cql");
        assert_eq!(tree.folders.len(), 4);
        assert!(tree.unread.is_empty());
        // A folder that is named is read, whatever its name.
        assert_eq!(names(&QueryTree::read(&path("target"))), "target/d/t.cql");
        let missing = QueryTree::read(&path("none"));
        assert_eq!(missing.unread[0].0, path("none"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(root.path(), path("b/circle")).unwrap();
            std::os::unix::fs::symlink("itself.cql", path("b/itself.cql")).unwrap();
            std::os::unix::fs::symlink("one.cql", path("b/same.cql")).unwrap();
            std::os::unix::fs::symlink("c", path("b/folder.cql")).unwrap();
            let tree = QueryTree::read(root.path());
            let same = "a.CQL b/c/deep.cql b/one.cql b/same.cql e.cql/in.cql z.cql";
            assert_eq!(names(&tree), same);
            assert_eq!(tree.unread.len(), 1);
            assert_eq!(tree.unread[0].0, path("b/itself.cql"));
        }
    }
}
