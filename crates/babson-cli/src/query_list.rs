//! The queries of a command that looks at each by itself: files, and folders with their subfolders.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::config::ReadingOptions;
use crate::failure::Failure;
use crate::project;
use crate::query::QueryFile;
use crate::query_folder::QueryTree;
use crate::show_name::ShowName as _;

/// The queries that words of a command line name. With a folder among the words each file is there
/// once; otherwise the queries are what the words name, in their order.
#[derive(Debug, Default)]
pub(crate) struct QueryList {
    pub(crate) files: Vec<QueryFile>,
    /// The folders that were read.
    pub(crate) folders: Vec<PathBuf>,
    /// Why a file or folder cannot be read.
    pub(crate) unread: Vec<Failure>,
    /// Whether a folder is among the words.
    pub(crate) has_folder: bool,
}

impl QueryList {
    /// The queries of these words. A folder stands for all `.cql` files in it and in its
    /// subfolders, in order of path, as [`QueryTree::read`] finds them.
    ///
    /// # Errors
    /// A word is not a query, or a folder has no queries.
    pub(crate) fn read(words: &[OsString]) -> Result<QueryList, Failure> {
        let mut list = QueryList::default();
        for word in words {
            let path = Path::new(word);
            if path.is_dir() {
                list.add_tree(path)?;
            } else {
                list.files.extend(QueryFile::expand(std::slice::from_ref(word))?);
            }
        }
        if list.has_folder {
            list.leave_each_once();
        }
        Ok(list)
    }

    /// The same for a command that also takes filters of options. Without words and filters it is
    /// all queries of the project.
    ///
    /// # Errors
    /// As [`QueryList::read`]; or there are neither words nor filters nor a project.
    pub(crate) fn read_or_project(
        words: &[OsString],
        reading: &ReadingOptions,
    ) -> Result<QueryList, Failure> {
        if !words.is_empty() {
            return QueryList::read(words);
        }
        if !reading.has_query()
            && let Some(project) = project::of_folder("".as_ref(), reading)?
        {
            let folder = project.folder();
            let is_current = folder.as_os_str().is_empty();
            let folder = if is_current { Path::new(".") } else { folder };
            return QueryList::read(&[folder.as_os_str().to_owned()]);
        }
        let files = QueryFile::of_words(words, reading)?;
        Ok(QueryList { files, ..QueryList::default() })
    }

    fn add_tree(&mut self, folder: &Path) -> Result<(), Failure> {
        let tree = QueryTree::read(folder);
        let shown = folder.shown();
        if tree.files.is_empty() && tree.unread.is_empty() {
            return Err(Failure::Io(format!("cannot read {shown}: the folder has no queries")));
        }
        self.has_folder = true;
        self.folders.extend(tree.folders);
        self.unread.extend(
            tree.unread
                .into_iter()
                .map(|(path, why)| Failure::Io(format!("cannot read {}: {why}", path.shown()))),
        );
        // Paths in the current folder are shown without `./`.
        let shown = |path: PathBuf| path.strip_prefix(".").map(Path::to_owned).unwrap_or(path);
        self.files.extend(tree.files.into_iter().map(shown).map(QueryFile::at));
        Ok(())
    }

    /// Drops the files that are there before, perhaps under another name.
    pub(crate) fn leave_each_once(&mut self) {
        let mut known = HashSet::new();
        self.files.retain(|file| {
            let path = file.path.as_ref().filter(|_| !file.is_stdin());
            let real = path.map(|path| path.canonicalize().unwrap_or_else(|_| path.clone()));
            real.is_none_or(|real| known.insert(real))
        });
    }
}
