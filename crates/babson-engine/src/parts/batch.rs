//! The results of some games as data.

use std::ops::Range;

use babson_vm::{Outcome, PartData, RuntimeError};
use serde::{Deserialize, Serialize};

use super::slice::Slice;
use crate::report::DamagedGame;
use crate::worker::{BlockResult, ChunkResult, GameFailure, JobResult, RejectedText, Remark};

/// A game that matched, and the outcome of the query.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StoredMatch {
    pub(crate) game: u64,
    pub(crate) input_number: u64,
    pub(crate) offset: u64,
    pub(crate) text: Vec<u8>,
    pub(crate) outcome: Outcome,
}

/// A batch of results: a [`ChunkResult`] whose matches are not written yet.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Batch {
    first_game: u64,
    games: u64,
    bytes: u64,
    input_bytes: u64,
    remarks: Vec<StoredRemark>,
    rejects: Vec<u8>,
    pub(super) jobs: Vec<JobBatch>,
}

/// The results of one job.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct JobBatch {
    pub(super) matches: Vec<StoredMatch>,
    messages: Vec<u8>,
    message_ends: Vec<(u64, usize)>,
    errors: Vec<StoredFailure>,
    evaluated: u64,
    seconds: f64,
    pub(super) part: Option<PartData>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredFailure {
    game: u64,
    before: u64,
    error: RuntimeError,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredRemark {
    report: DamagedGame,
    note: bool,
    jobs: Option<Vec<usize>>,
    on_write: bool,
    rank: usize,
    rejected: StoredReject,
}

/// The text of a damaged game.
#[derive(Debug, Serialize, Deserialize)]
enum StoredReject {
    None,
    /// Its range in [`Batch::rejects`].
    Range(Range<usize>),
    /// The text that stands in the part before the batch.
    Long,
}

/// The result of a block outside the games.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredBlock {
    messages: Vec<u8>,
    error: Option<RuntimeError>,
}

impl From<BlockResult> for StoredBlock {
    fn from(block: BlockResult) -> StoredBlock {
        StoredBlock { messages: block.messages, error: block.error }
    }
}

impl From<StoredBlock> for BlockResult {
    fn from(block: StoredBlock) -> BlockResult {
        BlockResult { messages: block.messages, error: block.error }
    }
}

impl Batch {
    /// The data of a batch of results. A long text of a damaged game is returned beside it.
    pub(super) fn of(result: ChunkResult) -> (Batch, Option<crate::chunk::LongText>) {
        let mut long = None;
        let remarks = result.remarks.into_iter().map(|remark| StoredRemark {
            report: remark.report,
            note: remark.note,
            jobs: remark.jobs,
            on_write: remark.on_write,
            rank: remark.rank,
            rejected: match remark.rejected {
                None => StoredReject::None,
                Some(RejectedText::Range(range)) => StoredReject::Range(range),
                Some(RejectedText::Long(text)) => {
                    long = Some(text);
                    StoredReject::Long
                }
            },
        });
        let jobs = result.jobs.into_iter().map(|job| JobBatch {
            matches: job.stored,
            messages: job.messages,
            message_ends: job.message_ends,
            errors: job
                .errors
                .into_iter()
                .map(|failure| StoredFailure {
                    game: failure.game,
                    before: failure.before,
                    error: failure.error,
                })
                .collect(),
            evaluated: job.evaluated,
            seconds: job.seconds,
            part: job.part.as_ref().map(babson_vm::Part::to_data),
        });
        let batch = Batch {
            first_game: result.first_game,
            games: result.games,
            bytes: result.bytes,
            input_bytes: result.input_bytes,
            remarks: remarks.collect(),
            rejects: result.rejects,
            jobs: jobs.collect(),
        };
        (batch, long)
    }

    /// Whether it can be of a slice and of so many jobs.
    pub(super) fn fits(&self, jobs: usize, slice: &Slice) -> bool {
        let games = slice.first_game..=slice.first_game.saturating_add(slice.games);
        let is_job = |job: &usize| *job < jobs;
        self.jobs.len() == jobs
            && self.games <= slice.games
            && games.contains(&self.first_game)
            && self.remarks.iter().all(|remark| remark.jobs.iter().flatten().all(is_job))
            && self.jobs.iter().all(|job| job.evaluated <= slice.games)
    }

    /// Fills `result` with all but the matches and the persistent parts. `long` is the long text
    /// before the batch; `writes` tells whether the matches of a job are written.
    pub(super) fn restore(
        &mut self,
        result: &mut ChunkResult,
        long: Option<crate::chunk::LongText>,
        writes: impl Fn(usize) -> bool,
    ) {
        result.first_game = self.first_game;
        result.games = self.games;
        result.bytes = self.bytes;
        result.input_bytes = self.input_bytes;
        result.rejects = std::mem::take(&mut self.rejects);
        // Damage that shows when a game is written is not reported if it is not written.
        let is_seen = |remark: &StoredRemark| {
            let jobs = remark.jobs.iter().flatten();
            !remark.on_write || jobs.copied().any(&writes)
        };
        let remarks = std::mem::take(&mut self.remarks).into_iter().filter(is_seen);
        result.remarks = remarks
            .map(|remark| Remark {
                report: remark.report,
                note: remark.note,
                jobs: remark.jobs,
                on_write: remark.on_write,
                rank: remark.rank,
                rejected: match remark.rejected {
                    StoredReject::None => None,
                    StoredReject::Range(range) => Some(RejectedText::Range(range)),
                    StoredReject::Long => long.clone().map(RejectedText::Long),
                },
            })
            .collect();
        for (job, results) in self.jobs.iter_mut().zip(&mut result.jobs) {
            job.restore(results);
        }
    }
}

impl JobBatch {
    fn restore(&mut self, results: &mut JobResult) {
        results.messages = std::mem::take(&mut self.messages);
        results.message_ends = std::mem::take(&mut self.message_ends);
        let errors = std::mem::take(&mut self.errors).into_iter();
        results.errors = errors
            .map(|failure| GameFailure {
                game: failure.game,
                before: failure.before,
                error: failure.error,
            })
            .collect();
        results.evaluated = self.evaluated;
        results.seconds = self.seconds;
    }
}
