//! The steps of a completion, and how each is undone.

use std::fs::{self, OpenOptions};
use std::path::PathBuf;
use std::sync::Arc;

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
    /// Undoes the step. A failure is ignored: there is nobody to report it to.
    pub(super) fn undo(&self) {
        let _ = match self {
            CompletionStep::Append { path, length } => {
                OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(*length))
            }
            CompletionStep::Create(path) => fs::remove_file(path),
            CompletionStep::Replace { path, backup } => fs::rename(backup, path),
        };
    }

    /// Removes the backup, which only `undo` needs.
    pub(super) fn discard_backup(&self) {
        match self {
            CompletionStep::Replace { backup, .. } => {
                let _ = fs::remove_file(backup);
            }
            CompletionStep::Append { .. } | CompletionStep::Create(_) => {}
        }
    }
}

/// Tells one completion from all others, also of other ledgers.
pub(super) type CompletionId = Arc<()>;
