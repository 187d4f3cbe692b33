//! A walk over folders that finds their queries, with bounds.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::Path;

/// What a walk finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry<'p> {
    /// A file with the name of a query.
    Query(&'p Path),
    /// A file or folder that is not read, and why: it may be or contain a query.
    LeftOut(&'p Path, &'static str),
    /// A folder, or a file with another name.
    Other,
}

/// A walk over folders without links, which may lead back to where they stand. Hidden folders are
/// not searched.
pub(crate) struct Walk {
    /// Entries that may still be read, in all folders together.
    left: usize,
}

pub(crate) const UNREADABLE: &str = "cannot be read";
pub(crate) const TOO_MANY: &str = "beyond the number of files that are searched";

impl Walk {
    /// A walk that reads this number of entries of folders.
    pub(crate) fn new(entries: usize) -> Walk {
        Walk { left: entries }
    }

    /// Calls `see` for each entry of a folder and of those below it: those with fewer folders above
    /// them first, and in one folder in the order of the names.
    ///
    /// # Errors
    /// The first error of `see`, which ends the walk.
    pub(crate) fn folder<E>(
        &mut self,
        folder: &Path,
        see: &mut dyn FnMut(Entry<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut folders = VecDeque::from([folder.to_owned()]);
        while let Some(folder) = folders.pop_front() {
            let (entries, is_whole) = match self.entries(&folder) {
                Ok(found) => found,
                // A folder that is gone has no queries.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(_) => {
                    see(Entry::LeftOut(&folder, UNREADABLE))?;
                    continue;
                }
            };
            for entry in entries {
                let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
                let path = entry.path();
                match entry.file_type() {
                    Err(_) => see(Entry::LeftOut(&path, UNREADABLE))?,
                    Ok(kind) if kind.is_file() && is_query(&path) => see(Entry::Query(&path))?,
                    Ok(kind) => {
                        see(Entry::Other)?;
                        if kind.is_dir() && !is_hidden {
                            folders.push_back(path);
                        }
                    }
                }
            }
            if !is_whole {
                return see(Entry::LeftOut(&folder, TOO_MANY));
            }
        }
        Ok(())
    }

    /// The entries of a folder that may still be read, and whether these are all.
    fn entries(&mut self, folder: &Path) -> io::Result<(Vec<fs::DirEntry>, bool)> {
        let mut all = fs::read_dir(folder)?;
        let mut found: Vec<fs::DirEntry> = Vec::new();
        while self.left > 0
            && let Some(entry) = all.next()
        {
            found.push(entry?);
            self.left -= 1;
        }
        found.sort_by_key(fs::DirEntry::file_name);
        Ok((found, self.left > 0 || all.next().is_none()))
    }
}

/// Whether a file has the name of a query.
fn is_query(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("cql"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_of_all_folders_together() {
        let root = tempfile::tempdir().unwrap();
        for folder in ["a/deep", "b"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        for file in ["a/deep/far.cql", "a/near.cql", "b/other.cql", "top.cql"] {
            fs::write(root.path().join(file), "mate").unwrap();
        }
        let found = |entries: usize| {
            let mut names: Vec<String> = Vec::new();
            let mut walk = Walk::new(entries);
            let mut see = |entry: Entry<'_>| {
                names.push(match entry {
                    Entry::Query(path) => path.file_stem().unwrap().display().to_string(),
                    Entry::LeftOut(path, why) => {
                        assert_eq!(why, TOO_MANY);
                        format!("{} …", path.file_name().unwrap().display())
                    }
                    Entry::Other => return Ok::<(), ()>(()),
                });
                Ok(())
            };
            for folder in ["a", "."] {
                walk.folder(&root.path().join(folder), &mut see).unwrap();
            }
            names
        };
        // Two entries of `a` and one of `a/deep`; three of the root, and four of its folders.
        assert_eq!(found(10), ["near", "far", "top", "near", "other", "far"]);
        assert_eq!(found(3)[..2], ["near", "far"]);
        assert_eq!(found(3).len(), 3);
        assert_eq!(found(2)[..2], ["near", "deep …"]);
    }
}
