//! Detecting that an input file changes while it is read.

use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use super::Input;
use super::counting::Counting;
use crate::error::{Error, FileChange};

/// What identifies the contents of a file without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    length: u64,
    /// `None` if the system does not know.
    modified: Option<SystemTime>,
    /// Device and file number, where the system has them.
    numbers: Option<(u64, u64)>,
}

impl Stamp {
    pub(super) fn of(data: &Metadata) -> Stamp {
        #[cfg(unix)]
        let numbers = {
            use std::os::unix::fs::MetadataExt;
            Some((data.dev(), data.ino()))
        };
        #[cfg(not(unix))]
        let numbers = None;
        Stamp { length: data.len(), modified: data.modified().ok(), numbers }
    }

    /// How the file changed, given its stamp now.
    fn change(&self, now: &Stamp) -> Option<FileChange> {
        if now.numbers != self.numbers {
            Some(FileChange::Replaced)
        } else if now.length != self.length {
            Some(FileChange::Length { before: self.length, now: now.length })
        } else if now.modified != self.modified {
            Some(FileChange::Contents)
        } else {
            None
        }
    }

    /// An error if the stamp is not `now`.
    pub(super) fn check(&self, name: &str, now: &Metadata) -> Result<(), Error> {
        match self.change(&Stamp::of(now)) {
            Some(change) => Err(Error::Changed { path: name.to_owned(), change }),
            None => Ok(()),
        }
    }
}

/// An open file with its stamp when it was opened.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    file: Arc<File>,
    name: String,
    stamp: Stamp,
}

impl Watch {
    pub(super) fn new(file: Arc<File>, name: &str, data: &Metadata) -> Watch {
        Watch::with_stamp(file, name, Stamp::of(data))
    }

    /// The same for a file that had this stamp earlier.
    pub(super) fn with_stamp(file: Arc<File>, name: &str, stamp: Stamp) -> Watch {
        Watch { file, name: name.to_owned(), stamp }
    }

    /// The bytes of the file from an offset on. `taken` is set to 0 and counts what is read. Other
    /// readers of this open file must not be used any more.
    pub(crate) fn read_from(
        &self,
        offset: u64,
        taken: &Arc<AtomicU64>,
    ) -> io::Result<Box<dyn Read + Send>> {
        self.file.as_ref().seek(SeekFrom::Start(offset))?;
        taken.store(0, Ordering::Relaxed);
        Ok(Box::new(Counting::new(Box::new(Arc::clone(&self.file)), taken)))
    }

    /// An error if the file has changed since it was opened: the text that was read may be a
    /// mixture of old and new. A file that gets the name of this one is not a change: the open file
    /// is read to its end.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let fail = |source| Error::Read { path: self.name.clone(), source };
        self.stamp.check(&self.name, &self.file.metadata().map_err(fail)?)
    }
}

/// The stamps of the input files of a scan that opens them twice: to count the games, then to
/// search them.
#[derive(Debug)]
pub(crate) struct InputStamps(Vec<(PathBuf, String, Stamp)>);

impl InputStamps {
    /// The stamps of all inputs that are files.
    ///
    /// # Errors
    /// A file cannot be looked up.
    pub(crate) fn of(inputs: &[Input]) -> Result<InputStamps, Error> {
        let mut stamps = Vec::new();
        let mut known = HashSet::new();
        for input in inputs {
            let Some(path) = input.path().filter(|path| known.insert(path.to_path_buf())) else {
                continue;
            };
            let fail = |source| Error::Read { path: input.name(), source };
            let data = std::fs::metadata(path).map_err(fail)?;
            if data.is_file() {
                stamps.push((path.to_owned(), input.name(), Stamp::of(&data)));
            }
        }
        Ok(InputStamps(stamps))
    }

    /// An error if a file is not the same as before.
    pub(crate) fn check(&self) -> Result<(), Error> {
        for (path, name, stamp) in &self.0 {
            let fail = |source| Error::Read { path: name.clone(), source };
            stamp.check(name, &std::fs::metadata(path).map_err(fail)?)?;
        }
        Ok(())
    }
}
