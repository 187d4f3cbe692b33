//! The completion of some outputs together, step by step, so that it can be undone.

use std::io;
use std::sync::Arc;

use super::cleanup::CleanupError;
use super::entries::{Entries, Ledger};
use super::step::{CompletionId, CompletionStep};

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
            locked.iter_mut().flat_map(|entries| entries.take_steps(&self.id)).collect();
        let mut outcome = named;
        if outcome.is_ok() && steps.len() < self.recorded {
            // The other steps were undone when their ledger was abandoned.
            let error = locked.iter().zip(&ledgers).find_map(|(entries, ledger)| {
                let index = files.iter().position(|other| address(other) == address(ledger))?;
                Some((index, entries.check().err()?))
            });
            outcome = error.map_or(Ok(()), Err);
        }
        let errors: Vec<CleanupError> = match outcome {
            Ok(()) => steps.iter().filter_map(|step| step.discard_backup().err()).collect(),
            Err(_) => steps.iter().rev().filter_map(|step| step.undo().err()).collect(),
        };
        if let Some(entries) = locked.first_mut() {
            entries.cleanup_errors.extend(errors);
        }
        outcome
    }
}
