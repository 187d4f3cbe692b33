//! Files that could not be removed or restored.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use babson_pgn::Shown;

/// A file that a run has left, because the system refused to remove or to restore it. Nothing else
/// of the run fails for that reason, so [`Ledger::cleanup_errors`](crate::Ledger::cleanup_errors)
/// is the only place that tells.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CleanupError {
    /// A temporary file, or a new output of outputs that failed together.
    #[error("cannot remove {}, which is not needed: {source}", shown(path))]
    Remove {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// An output that was replaced, of outputs that failed together.
    #[error("cannot restore {}: {source}; its old contents are in {}", shown(path), shown(backup))]
    Restore {
        /// The output.
        path: PathBuf,
        /// The old file.
        backup: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// An output that was appended to, of outputs that failed together.
    #[error("cannot cut {} back to its old length, {length} bytes: {source}", shown(path))]
    Truncate {
        /// The output.
        path: PathBuf,
        /// Its length before.
        length: u64,
        /// The system's reason.
        source: io::Error,
    },
}

fn shown(path: &Path) -> String {
    Shown(&path.to_string_lossy()).to_string()
}

/// Removes a file, unless there is none.
pub(super) fn remove_file(path: &Path) -> Result<(), CleanupError> {
    removed(path, fs::remove_file(path))
}

/// Removes a folder with what is in it, unless there is none.
pub(super) fn remove_folder(path: &Path) -> Result<(), CleanupError> {
    removed(path, fs::remove_dir_all(path))
}

fn removed(path: &Path, result: io::Result<()>) -> Result<(), CleanupError> {
    match result {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(CleanupError::Remove { path: path.to_owned(), source })
        }
        Ok(()) | Err(_) => Ok(()),
    }
}
