//! A walk over folders that finds their queries, with bounds.

use std::fs;
use std::io;
use std::path::Path;

use crate::limits::MAX_FOLDER_DEPTH;

/// What a walk finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry<'p> {
    /// A file with the name of a query.
    Query(&'p Path),
    /// A file or folder that is not read, and why: it may be or contain a query.
    LeftOut(&'p Path, &'static str),
}

/// A walk over folders without links, which may lead back to where they stand. Hidden folders are
/// not searched.
pub(crate) struct Walk {
    /// Entries that may still be read.
    left: usize,
}

pub(crate) const UNREADABLE: &str = "cannot be read";
pub(crate) const TOO_MANY: &str = "beyond the number of files that are searched";
const TOO_DEEP: &str = "too deep in the workspace";

impl Walk {
    /// A walk that reads this number of entries of folders.
    pub(crate) fn new(entries: usize) -> Walk {
        Walk { left: entries }
    }

    /// Calls `see` for each query below a folder, in the order of the names.
    ///
    /// # Errors
    /// The first error of `see`, which ends the walk.
    pub(crate) fn folder<E>(
        &mut self,
        folder: &Path,
        see: &mut dyn FnMut(Entry<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.entries(folder, 0, see)
    }

    fn entries<E>(
        &mut self,
        folder: &Path,
        depth: usize,
        see: &mut dyn FnMut(Entry<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let entries = fs::read_dir(folder).and_then(|all| all.take(self.left + 1).collect());
        let mut entries: Vec<fs::DirEntry> = match entries {
            Ok(entries) => entries,
            // A folder that is gone has no queries.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(_) => return see(Entry::LeftOut(folder, UNREADABLE)),
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            if self.left == 0 {
                return see(Entry::LeftOut(folder, TOO_MANY));
            }
            self.left -= 1;
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            let path = entry.path();
            match entry.file_type() {
                Err(_) => see(Entry::LeftOut(&path, UNREADABLE))?,
                Ok(kind) if kind.is_dir() && !is_hidden => match depth < MAX_FOLDER_DEPTH {
                    true => self.entries(&path, depth + 1, see)?,
                    false => see(Entry::LeftOut(&path, TOO_DEEP))?,
                },
                Ok(kind) if kind.is_file() && is_query(&path) => see(Entry::Query(&path))?,
                Ok(_) => {}
            }
        }
        Ok(())
    }
}

/// Whether a file has the name of a query.
fn is_query(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("cql"))
}
