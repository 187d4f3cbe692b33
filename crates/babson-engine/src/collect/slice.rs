//! The search of a slice, which gathers for the collectors of the merge and writes nothing.

use babson_input::chunk::LongText;
use serde::{Deserialize, Serialize};

use super::guards::{GuardRows, GuardWorker};
use super::rejects::{RejectedTexts, RejectsWorker};
use super::stored::StoreWorker;
use super::{AnyBatch, Fill, Fillers, put_batch, take_batch};
use crate::job::Job;
use crate::task::Settings;

/// What gathers the matches of these jobs, and what else the merge needs, on one thread.
pub(crate) fn slice_fillers<'p>(jobs: &'p [Job], settings: &Settings) -> Fillers<'p> {
    let mut fills: Vec<Box<dyn Fill + 'p>> = vec![Box::new(StoreWorker::default())];
    if settings.guard_stats {
        fills.push(Box::new(GuardWorker::new(jobs)));
    }
    if settings.rejects.is_some() {
        fills.push(Box::new(RejectsWorker::default()));
    }
    Fillers::from_iter(fills)
}

/// What the search of a slice has gathered of some games besides their matches.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct SliceBatches {
    pub(super) rejects: RejectedTexts,
    pub(super) guards: GuardRows,
}

impl SliceBatches {
    /// Takes it out of the batches of a search.
    pub(crate) fn take(batches: &mut [AnyBatch]) -> SliceBatches {
        SliceBatches { rejects: take_batch(batches), guards: take_batch(batches) }
    }

    /// Gives it to the collectors of the merge, whose batches these are.
    pub(crate) fn put(self, batches: &mut [AnyBatch]) {
        put_batch(batches, self.rejects);
        put_batch(batches, self.guards);
    }

    /// The text of a game that is too long to be read. It is not part of the data.
    pub(crate) fn long_text(&mut self) -> &mut Option<LongText> {
        &mut self.rejects.long
    }

    /// An example for the format of parts.
    #[cfg(test)]
    pub(crate) fn example() -> SliceBatches {
        let rows = babson_vm::ConditionRows { passed: vec![7, 300], left: vec![5, 0] };
        let games = vec![(4, Some(b"Kxx".to_vec())), (5, None)];
        let rejects = RejectedTexts { games, long: None };
        SliceBatches { rejects, guards: GuardRows(vec![Some(vec![rows])]) }
    }
}
