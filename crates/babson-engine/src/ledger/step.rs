//! The steps of a completion, and how each is undone.

use std::fs::{self, OpenOptions};
use std::path::PathBuf;
use std::sync::Arc;

use super::cleanup::{CleanupError, remove_file};

/// A step of a completion.
#[derive(Debug)]
pub(super) enum CompletionStep {
    /// The file had this length before it was appended to.
    Append { path: PathBuf, length: u64 },
    /// The file did not exist before.
    Create(PathBuf),
    /// The old file has this other name.
    Replace { path: PathBuf, backup: PathBuf },
}

impl CompletionStep {
    /// Undoes the step.
    pub(super) fn undo(&self) -> Result<(), CleanupError> {
        match self {
            CompletionStep::Append { path, length } => {
                let file = OpenOptions::new().write(true).open(path);
                let cut = file.and_then(|file| file.set_len(*length));
                let (path, length) = (path.clone(), *length);
                cut.map_err(|source| CleanupError::Truncate { path, length, source })
            }
            CompletionStep::Create(path) => remove_file(path),
            CompletionStep::Replace { path, backup } => {
                let renamed = fs::rename(backup, path);
                let (path, backup) = (path.clone(), backup.clone());
                renamed.map_err(|source| CleanupError::Restore { path, backup, source })
            }
        }
    }

    /// Removes the backup, which only `undo` needs.
    pub(super) fn discard_backup(&self) -> Result<(), CleanupError> {
        match self {
            CompletionStep::Replace { backup, .. } => remove_file(backup),
            CompletionStep::Append { .. } | CompletionStep::Create(_) => Ok(()),
        }
    }
}

/// Tells one completion from all others, also of other ledgers.
pub(super) type CompletionId = Arc<()>;
