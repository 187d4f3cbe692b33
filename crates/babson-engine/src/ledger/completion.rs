//! The completion of some outputs together, step by step, so that it can be undone.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Entries, Ledger};

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
    fn discard_backup(&self) {
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

/// The completion of some outputs together.
pub(super) struct Completion {
    pub(super) id: CompletionId,
    pub(super) is_single: bool,
    /// How many steps were recorded.
    pub(super) recorded: usize,
}

impl Completion {
    pub(super) fn record(&mut self, entries: &mut Entries, step: CompletionStep) {
        entries.steps.push((Arc::clone(&self.id), step));
        self.recorded += 1;
    }

    /// Undoes the steps if a file failed or if the outputs were abandoned meanwhile; otherwise the
    /// completion is final. `files` are the ledgers of all files.
    pub(super) fn end(
        self,
        files: &[&Ledger],
        named: Result<(), (usize, io::Error)>,
    ) -> Result<(), (usize, io::Error)> {
        // While they are locked, nobody abandons the ledgers. The order of their addresses keeps
        // two threads from waiting for each other.
        let address = |ledger: &Ledger| Arc::as_ptr(&ledger.entries);
        let mut ledgers = files.to_vec();
        ledgers.sort_by_key(|ledger| address(ledger));
        ledgers.dedup_by_key(|ledger| address(ledger));
        let mut locked: Vec<_> = ledgers.iter().map(|ledger| ledger.lock()).collect();
        let steps: Vec<CompletionStep> =
            locked.iter_mut().flat_map(|entries| entries.take_steps(&self)).collect();
        let mut outcome = named;
        if outcome.is_ok() && steps.len() < self.recorded {
            // The other steps were undone when their ledger was abandoned.
            let error = locked.iter().zip(&ledgers).find_map(|(entries, ledger)| {
                let index = files.iter().position(|other| address(other) == address(ledger))?;
                Some((index, entries.check().err()?))
            });
            outcome = error.map_or(Ok(()), Err);
        }
        match outcome {
            Ok(()) => steps.iter().for_each(CompletionStep::discard_backup),
            Err(_) => steps.iter().rev().for_each(CompletionStep::undo),
        }
        outcome
    }
}
