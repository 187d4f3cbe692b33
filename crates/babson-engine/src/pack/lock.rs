//! The lock of a table that is replaced.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use babson_input::{FileNumber, InputError};

use crate::error::{Error, OutputRefusal};
use crate::existing::existing;
use crate::output::resolved;

/// A table that is about to be replaced, by a new one or by a longer one. As long as this value
/// lives it is locked, so that two runs that replace it do not undo each other's work.
pub(super) struct TableLock {
    /// The name as it was given, and the file that it stands for.
    name: String,
    path: PathBuf,
    /// `None` where files cannot be locked.
    file: Option<File>,
}

impl TableLock {
    /// Locks a table that exists.
    ///
    /// # Errors
    /// It cannot be opened, is not a file, or another process has locked it.
    pub(super) fn of(table: &Path) -> Result<TableLock, Error> {
        let name = table.display().to_string();
        let read = |source| Error::read(name.clone(), source);
        let path = resolved(table).map_err(read)?;
        if !fs::metadata(&path).map_err(read)?.is_file() {
            return Err(read(io::Error::other("it is not a file")));
        }
        let file = loop {
            match open_locked(&path) {
                // Before the lock, the process that had it may have replaced the table.
                Ok(Some(file)) if !is_at(&file, &path) => {}
                Ok(file) => break file,
                Err(TryLockError::WouldBlock) => {
                    return Err(refused(&name, OutputRefusal::LockedTable));
                }
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(TryLockError::Error(error)) => return Err(read(error)),
            }
        };
        Ok(TableLock { name, path, file })
    }

    /// Locks a file that a new table may replace; `None` if there is none, or if it cannot be read
    /// and so is not a table that somebody appends to.
    ///
    /// # Errors
    /// Another process has locked it, or the system does not say.
    pub(super) fn of_replaced(table: &Path) -> Result<Option<TableLock>, Error> {
        match existing(table) {
            Ok(Some(data)) if data.is_file() => {}
            Ok(_) => return Ok(None),
            Err(source) => return Err(Error::read(table.display().to_string(), source)),
        }
        match TableLock::of(table) {
            Ok(lock) => Ok(Some(lock)),
            Err(Error::Input(InputError::Read { source, .. }))
                if matches!(
                    source.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied
                ) =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The name as it was given.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Checks that the table still has its name.
    ///
    /// # Errors
    /// Another file has it now.
    pub(super) fn check(&self) -> Result<(), Error> {
        match self.file.as_ref().is_none_or(|file| is_at(file, &self.path)) {
            true => Ok(()),
            false => Err(refused(&self.name, OutputRefusal::ReplacedTable)),
        }
    }
}

/// What stays open while a table gets the name of the old one: on Windows nothing that holds the
/// old one open, as that would keep its name.
pub(super) fn open_while_replaced<T>(open: T) -> Option<T> {
    (!cfg!(windows)).then_some(open)
}

/// Opens a file and locks it. `None` where files cannot be locked.
#[cfg(not(windows))]
fn open_locked(path: &Path) -> Result<Option<File>, TryLockError> {
    let file = File::open(path).map_err(TryLockError::Error)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::Error(error)) if has_no_locks(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether files cannot be locked there. NFS refuses the lock of a file that is only read (EBADF),
/// and every lock without its daemon (ENOLCK).
#[cfg(not(windows))]
fn has_no_locks(error: &io::Error) -> bool {
    #[cfg(unix)]
    if let Some(errno) = rustix::io::Errno::from_io_error(error) {
        use rustix::io::Errno;
        if [Errno::BADF, Errno::NOLCK].contains(&errno) {
            return true;
        }
    }
    error.kind() == io::ErrorKind::Unsupported
}

/// Opens a file so that nobody else can open it in this way. On Windows a lock would also keep a
/// search from reading the file.
#[cfg(windows)]
fn open_locked(path: &Path) -> Result<Option<File>, TryLockError> {
    use std::os::windows::fs::OpenOptionsExt as _;
    const FILE_SHARE_READ: u32 = 1;
    const FILE_SHARE_DELETE: u32 = 4;
    const ERROR_SHARING_VIOLATION: i32 = 32;
    let mut options = fs::OpenOptions::new();
    // Others may read the file and give it another name, but not write to it as this does.
    options.read(true).write(true).share_mode(FILE_SHARE_READ | FILE_SHARE_DELETE);
    options.open(path).map(Some).map_err(|error| match error.raw_os_error() {
        Some(ERROR_SHARING_VIOLATION) => TryLockError::WouldBlock,
        _ => TryLockError::Error(error),
    })
}

fn refused(name: &str, reason: OutputRefusal) -> Error {
    Error::OutputRefused { path: name.to_owned(), reason }
}

/// Whether an open file still has its name.
fn is_at(open: &File, path: &Path) -> bool {
    FileNumber::of(path) == FileNumber::of_open(open)
}

#[cfg(all(test, unix))]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn file_systems_without_locks() {
        for errno in [Errno::BADF, Errno::NOLCK, Errno::NOTSUP] {
            assert!(has_no_locks(&errno.into()), "{errno}");
        }
        for errno in [Errno::IO, Errno::WOULDBLOCK, Errno::ACCESS] {
            assert!(!has_no_locks(&errno.into()), "{errno}");
        }
    }
}
