//! Detecting that an input file changes while it is read.

use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use super::Input;
use super::counting::Counting;
use crate::error::{FileChange, InputError};
use crate::file_number::FileNumber;
use crate::remote::RemoteFile;

/// What identifies the contents of a file without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Contents {
    length: u64,
    /// `None` if the system does not know.
    modified: Option<SystemTime>,
}

impl Contents {
    fn of(data: &Metadata) -> Contents {
        Contents { length: data.len(), modified: data.modified().ok() }
    }

    /// How the contents have changed up to `now`.
    fn change(self, now: Contents) -> Option<FileChange> {
        if now.length != self.length {
            Some(FileChange::Length { before: self.length, now: now.length })
        } else {
            (now.modified != self.modified).then_some(FileChange::Contents)
        }
    }
}

/// What identifies a file and its contents.
#[derive(Debug)]
pub(super) struct Stamp {
    contents: Contents,
    /// `None` if the file cannot be opened.
    number: Option<FileNumber>,
}

impl Stamp {
    /// The stamp of an open file.
    pub(super) fn of(file: &File) -> io::Result<Stamp> {
        let contents = Contents::of(&file.metadata()?);
        Ok(Stamp { contents, number: FileNumber::of_open(file) })
    }

    /// The stamp of the file of this name, which has this metadata.
    fn at(path: &Path, data: &Metadata) -> Stamp {
        Stamp { contents: Contents::of(data), number: FileNumber::of(path) }
    }

    /// An error if the stamp is not `now`.
    pub(super) fn check(&self, name: &str, now: &Stamp) -> Result<(), InputError> {
        let replaced = (now.number != self.number).then_some(FileChange::Replaced);
        changed(name, replaced.or_else(|| self.contents.change(now.contents)))
    }
}

/// The error of a change.
fn changed(name: &str, change: Option<FileChange>) -> Result<(), InputError> {
    match change {
        Some(change) => Err(InputError::Changed { path: name.to_owned(), change }),
        None => Ok(()),
    }
}

/// An open file with its contents when it was opened, or a file on a server.
#[derive(Clone, Debug)]
pub struct Watch(WatchedFile);

#[derive(Clone, Debug)]
enum WatchedFile {
    Local { file: Arc<File>, name: String, contents: Contents },
    Remote(RemoteFile),
}

impl Watch {
    pub(super) fn new(file: Arc<File>, name: &str, data: &Metadata) -> Watch {
        let (name, contents) = (name.to_owned(), Contents::of(data));
        Watch(WatchedFile::Local { file, name, contents })
    }

    /// The same for a file that had this stamp earlier.
    pub(super) fn with_stamp(file: Arc<File>, name: &str, stamp: &Stamp) -> Watch {
        let (name, contents) = (name.to_owned(), stamp.contents);
        Watch(WatchedFile::Local { file, name, contents })
    }

    /// The same for a file on a server.
    pub(super) fn of_remote(file: RemoteFile) -> Watch {
        Watch(WatchedFile::Remote(file))
    }

    /// The bytes of the file from an offset on. `taken` is set to 0 and counts what is read. Other
    /// readers of this open file must not be used any more.
    pub(crate) fn read_from(
        &self,
        offset: u64,
        taken: &Arc<AtomicU64>,
    ) -> io::Result<Box<dyn Read + Send>> {
        taken.store(0, Ordering::Relaxed);
        let bytes: Box<dyn Read + Send> = match &self.0 {
            WatchedFile::Local { file, .. } => {
                file.as_ref().seek(SeekFrom::Start(offset))?;
                Box::new(Arc::clone(file))
            }
            WatchedFile::Remote(file) => file.read_from(offset),
        };
        Ok(Box::new(Counting::new(bytes, taken)))
    }

    /// An error if the file has changed since it was opened: the text that was read may be a
    /// mixture of old and new. A file that gets the name of this one is not a change: the open file
    /// is read to its end.
    pub(crate) fn check(&self) -> Result<(), InputError> {
        match &self.0 {
            WatchedFile::Local { file, name, contents } => {
                let fail = |source| InputError::Read { path: name.clone(), source };
                let now = Contents::of(&file.metadata().map_err(fail)?);
                changed(name, contents.change(now))
            }
            WatchedFile::Remote(file) => {
                changed(file.name(), file.is_changed().then_some(FileChange::Version))
            }
        }
    }
}

/// The stamps of the input files of a scan that opens them twice: to count the games, then to
/// search them.
#[derive(Debug)]
pub struct InputStamps(Vec<(PathBuf, String, Stamp)>);

impl InputStamps {
    /// The stamps of all inputs that are files.
    ///
    /// # Errors
    /// A file cannot be looked up.
    pub fn of(inputs: &[Input]) -> Result<InputStamps, InputError> {
        let mut stamps = Vec::new();
        let mut known = HashSet::new();
        for input in inputs {
            let Some(path) = input.path().filter(|path| known.insert(path.to_path_buf())) else {
                continue;
            };
            let fail = |source| InputError::Read { path: input.name(), source };
            let data = std::fs::metadata(path).map_err(fail)?;
            if data.is_file() {
                stamps.push((path.to_owned(), input.name(), Stamp::at(path, &data)));
            }
        }
        Ok(InputStamps(stamps))
    }

    /// Tests whether all files are the same as before.
    ///
    /// # Errors
    /// One is not, or cannot be looked up.
    pub fn check(&self) -> Result<(), InputError> {
        for (path, name, stamp) in &self.0 {
            let fail = |source| InputError::Read { path: name.clone(), source };
            stamp.check(name, &Stamp::at(path, &std::fs::metadata(path).map_err(fail)?))?;
        }
        Ok(())
    }
}
