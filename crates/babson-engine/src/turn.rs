//! The order of large results: a thread with results that are too large to wait in memory waits
//! until the merge has taken all results before them.

use std::sync::{Condvar, Mutex, PoisonError};

/// The number of a batch of results: the number of its chunk, and its number in the chunk.
pub(crate) type BatchNumber = (u64, u64);

/// The number of the batch that the merging thread waits for.
#[derive(Default)]
pub(crate) struct Turn {
    /// `None` after the merge has ended.
    next: Mutex<Option<BatchNumber>>,
    changed: Condvar,
}

impl Turn {
    /// A turn that begins with the first batch.
    pub(crate) fn new() -> Turn {
        Turn { next: Mutex::new(Some((0, 0))), changed: Condvar::new() }
    }

    /// Waits until this batch is the next one. Returns whether the merge still takes batches.
    ///
    /// The batches of the first unfinished chunk wait only for each other, and their thread has
    /// sent the results of all its earlier chunks. So the turn always advances.
    pub(crate) fn wait(&self, batch: BatchNumber) -> bool {
        let next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let is_later = |next: &mut Option<BatchNumber>| next.is_some_and(|next| next < batch);
        let next = self.changed.wait_while(next, is_later);
        next.unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Whether the merge still takes batches.
    pub(crate) fn is_open(&self) -> bool {
        self.next.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn set(&self, next: Option<BatchNumber>) {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) = next;
        self.changed.notify_all();
    }
}

/// Advances the turn. Dropping it ends all waiting.
pub(crate) struct TurnSetter<'t>(pub(crate) &'t Turn);

impl TurnSetter<'_> {
    pub(crate) fn set(&self, next: BatchNumber) {
        self.0.set(Some(next));
    }
}

impl Drop for TurnSetter<'_> {
    fn drop(&mut self) {
        self.0.set(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_wait_for_their_turn() {
        let turn = Turn::new();
        assert!(turn.wait((0, 0)));
        std::thread::scope(|scope| {
            let turns = TurnSetter(&turn);
            let later = scope.spawn(|| turn.wait((1, 0)));
            let last = scope.spawn(|| turn.wait((2, 0)));
            turns.set((0, 1));
            turns.set((1, 0));
            assert!(later.join().unwrap());
            drop(turns);
            assert!(!last.join().unwrap());
        });
        assert!(!turn.wait((0, 0)));
    }
}
