//! The results of some games as data.

use babson_vm::SharedChangesData;
use babson_vm::run::ReadPurpose;
use serde::{Deserialize, Serialize};

use super::slice::Slice;
use crate::collect::{SliceBatches, StoredMatch, stored_matches};
use crate::worker::{ChunkResult, JobLog, Remark};

/// A batch of results: a [`ChunkResult`] whose matches are not written yet.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredBatch {
    pub(super) first_game: u64,
    pub(super) games: u64,
    pub(super) bytes: u64,
    pub(super) input_bytes: u64,
    pub(super) rewritten_table: Option<String>,
    pub(super) remarks: Vec<Remark>,
    pub(super) others: SliceBatches,
    pub(super) jobs: Vec<JobBatch>,
}

/// The results of one job.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct JobBatch {
    pub(super) matches: Vec<StoredMatch>,
    pub(super) log: JobLog,
    pub(super) changes: Option<SharedChangesData>,
}

impl StoredBatch {
    /// The data of a batch of results.
    pub(super) fn of(mut result: ChunkResult) -> StoredBatch {
        let stored = stored_matches(&mut result.collected, result.jobs.len());
        let jobs = result.jobs.into_iter().zip(stored).map(|(job, matches)| JobBatch {
            matches,
            log: job.log,
            changes: job.changes.as_ref().map(babson_vm::SharedChanges::to_data),
        });
        StoredBatch {
            first_game: result.first_game,
            games: result.games,
            bytes: result.bytes,
            input_bytes: result.input_bytes,
            rewritten_table: result.rewritten_table,
            remarks: result.remarks,
            others: SliceBatches::take(&mut result.collected),
            jobs: jobs.collect(),
        }
    }

    /// Whether it can be a batch of this slice, for this number of jobs, that begins with the game
    /// `next_game`. A part may be forged, so all sums and indices in it are checked.
    pub(super) fn fits(&self, jobs: usize, slice: &Slice, next_game: u64) -> bool {
        let end = slice.first_game + slice.games;
        let fits = self.first_game == next_game && self.games <= end - next_game;
        let games = next_game..next_game.saturating_add(self.games);
        let remark_fits = |remark: &Remark| {
            games.contains(&remark.report.game)
                && remark.jobs.iter().flatten().all(|&job| job < jobs)
        };
        let job_fits = |job: &JobBatch| {
            let mut matches = job.matches.iter();
            let log = &job.log;
            let mut errors = log.errors.iter();
            let mut unread = log.unread.iter();
            log.evaluated <= self.games
                && log.unread.is_sorted_by(|a, b| a.end <= b.start)
                && unread.all(|range| games.start <= range.start && range.end <= games.end)
                && errors.all(|error| games.contains(&error.game) && error.before < log.evaluated)
                && job.matches.is_sorted_by(|a, b| a.game < b.game)
                && matches.all(|hit| games.contains(&hit.game) && hit.input < slice.ranges.len())
        };
        fits && self.jobs.len() == jobs
            && self.remarks.iter().all(remark_fits)
            && self.jobs.iter().all(job_fits)
    }

    /// Fills `result` with all but what the collectors have and the changes of persistent state.
    /// `rereads` tells whether the matching games of a job are read again.
    pub(super) fn restore(&mut self, result: &mut ChunkResult, rereads: impl Fn(usize) -> bool) {
        result.first_game = self.first_game;
        result.games = self.games;
        result.bytes = self.bytes;
        result.input_bytes = self.input_bytes;
        result.rewritten_table = self.rewritten_table.take();
        result.remarks = std::mem::take(&mut self.remarks);
        // Damage that shows when a game is written is not reported if it is not written.
        result.remarks.retain(|remark| {
            let mut jobs = remark.jobs.iter().flatten();
            remark.purpose == ReadPurpose::Search || jobs.any(|&job| rereads(job))
        });
        for (job, results) in self.jobs.iter_mut().zip(&mut result.jobs) {
            results.log = std::mem::take(&mut job.log);
        }
    }
}
