//! Files that are opened once, for many scans.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{MappedFile, OpenInput, OpenTable};
use crate::error::InputError;

/// A file that is open: the value of [`Input::Opened`](super::Input::Opened). Clones share it.
#[derive(Clone)]
pub struct OpenedFile(Arc<SharedFile>);

struct SharedFile {
    path: PathBuf,
    name: String,
    content: FileContent,
}

enum FileContent {
    Table(Arc<OpenTable>),
    Mapped(Arc<MappedFile>),
}

impl OpenedFile {
    /// The file of this path and name in messages; `None` if it is read as a stream.
    pub(super) fn of(path: PathBuf, name: String, opened: OpenInput) -> Option<OpenedFile> {
        let content = match opened {
            OpenInput::Table(table) => FileContent::Table(table),
            OpenInput::Mapped(map) => FileContent::Mapped(map),
            OpenInput::Stream { .. } => return None,
        };
        Some(OpenedFile(Arc::new(SharedFile { path, name, content })))
    }

    /// The same bytes for another scan.
    ///
    /// # Errors
    /// The file has changed.
    pub(super) fn open(&self) -> Result<OpenInput, InputError> {
        self.check_unchanged()?;
        Ok(match &self.0.content {
            FileContent::Table(table) => OpenInput::Table(Arc::clone(table)),
            FileContent::Mapped(map) => OpenInput::Mapped(Arc::clone(map)),
        })
    }

    /// Checks that the file has not changed since it was opened. A file that gets the name of this
    /// one is not a change.
    ///
    /// # Errors
    /// It has changed.
    pub fn check_unchanged(&self) -> Result<(), InputError> {
        match &self.0.content {
            FileContent::Table(table) => table.check_unchanged(),
            FileContent::Mapped(map) => map.watch.check(),
        }
    }

    /// The name in messages.
    pub(super) fn name(&self) -> &str {
        &self.0.name
    }

    /// The path under which it was opened.
    pub(super) fn path(&self) -> &Path {
        &self.0.path
    }

    /// The size in bytes when it was opened.
    pub(super) fn size(&self) -> u64 {
        match &self.0.content {
            FileContent::Table(table) => table.size(),
            FileContent::Mapped(map) => map.len() as u64,
        }
    }

    /// The number of games of a table; `None` for a text, whose games have to be counted.
    pub fn games_of_table(&self) -> Option<u64> {
        match &self.0.content {
            FileContent::Table(table) => Some(table.rows()),
            FileContent::Mapped(_) => None,
        }
    }
}

impl fmt::Debug for OpenedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OpenedFile").field(&self.0.path).finish()
    }
}

impl PartialEq for OpenedFile {
    fn eq(&self, other: &OpenedFile) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for OpenedFile {}
