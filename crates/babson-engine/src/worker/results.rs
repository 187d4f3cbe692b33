//! The results of a chunk, in one batch or several.

use std::ops::Range;

use babson_vm::run::{GameFailure, ReadPurpose};
use babson_vm::{DamagedGame, Match, Outcome, RuntimeError, SharedChanges};
use serde::{Deserialize, Serialize};

use crate::collect::AnyBatch;
use crate::limits::MAX_WAITING;

/// The result of `cqlbegin` or `cqlend` of a query.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct BlockResult {
    pub(crate) messages: Vec<u8>,
    pub(crate) error: Option<RuntimeError>,
}

impl BlockResult {
    pub(super) fn of(outcome: &Outcome) -> BlockResult {
        BlockResult { messages: outcome.messages.clone(), error: outcome.error.clone() }
    }
}

/// A batch of results: what all jobs found in the games of a chunk. The results of a large chunk
/// come in several batches, each for consecutive games.
pub(crate) struct ChunkResult {
    /// Whether it is the last batch of its chunk.
    pub(crate) is_last: bool,
    pub(crate) first_game: u64,
    pub(crate) games: u64,
    /// Bytes of the whole chunk in its first batch, 0 in the others.
    pub(crate) bytes: u64,
    pub(crate) input_bytes: u64,
    pub(crate) remarks: Vec<Remark>,
    /// The table that the chunk begins, if another program has written it anew.
    pub(crate) rewritten_table: Option<String>,
    /// The numbers of the games that a query leaves out, because each is equal to an earlier one.
    pub(crate) equal: Vec<u64>,
    pub(crate) jobs: Vec<JobResult>,
    /// For each collector, what it has gathered.
    pub(crate) collected: Vec<AnyBatch>,
    /// Bytes of texts and names, except the bytes that [`JobResult`] counts for each job.
    pub(super) held: usize,
}

impl ChunkResult {
    /// Empty results of this number of jobs.
    pub(crate) fn new(jobs: usize, first_game: u64) -> ChunkResult {
        ChunkResult {
            is_last: false,
            first_game,
            games: 0,
            bytes: 0,
            input_bytes: 0,
            remarks: Vec::new(),
            rewritten_table: None,
            equal: Vec::new(),
            jobs: (0..jobs).map(|_| JobResult::default()).collect(),
            collected: Vec::new(),
            held: 0,
        }
    }

    /// The number of bytes held.
    #[inline]
    pub(super) fn size(&self) -> usize {
        self.held + self.jobs.iter().map(|job| job.held).sum::<usize>()
    }

    /// Whether it is too large to wait in memory for the results before it.
    pub(crate) fn is_large(&self) -> bool {
        let entries =
            self.jobs.iter().filter_map(|job| job.changes.as_ref()).map(SharedChanges::bytes);
        self.size().saturating_add(entries.sum()) > MAX_WAITING
    }
}

/// The results of one job, in game order.
#[derive(Default)]
pub(crate) struct JobResult {
    pub(crate) matches: Vec<GameMatch>,
    pub(crate) log: JobLog,
    /// Bytes of messages, errors, matches as data, and what collectors have of matches.
    pub(super) held: usize,
    /// The changes of these games to persistent state, if the games run on several threads.
    pub(crate) changes: Option<SharedChanges>,
}

/// What a job did in some games besides its matches, in game order. The part of a slice stores it
/// unchanged.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct JobLog {
    pub(crate) messages: Vec<u8>,
    /// For each game with messages, its number and the end of its messages.
    pub(crate) message_ends: Vec<(u64, usize)>,
    pub(crate) errors: Vec<GameFailure>,
    /// How many games were evaluated.
    pub(crate) evaluated: u64,
    /// The numbers of the games whose moves were not read for the job, or not to the end, as
    /// ranges.
    pub(crate) unread: Vec<Range<u64>>,
    pub(crate) seconds: f64,
}

impl JobResult {
    /// Adds the messages of a game.
    pub(super) fn add_messages(&mut self, game: u64, lines: &[u8]) {
        self.log.messages.extend_from_slice(lines);
        self.log.message_ends.push((game, self.log.messages.len()));
        self.held += lines.len();
    }

    /// Adds a match, as data if it is observed.
    pub(super) fn add_match(&mut self, outcome: &Outcome, game: u64, row: Option<Box<Match>>) {
        self.held += row.as_deref().map_or(0, Match::bytes);
        self.matches.push(GameMatch { game, positions: outcome.positions.len() as u64, row });
    }

    /// Counts one position of the last match, which was decided in a run that asks for no more.
    pub(super) fn count_one_position(&mut self) {
        if let Some(last) = self.matches.last_mut() {
            last.positions = 1;
        }
    }

    /// Adds a match of a game that was not read, for a run that asks for one position of a game.
    pub(super) fn add_decided_match(&mut self, game: u64) {
        self.matches.push(GameMatch { game, positions: 1, row: None });
    }
}

impl JobLog {
    /// Adds games whose moves are not read for the job, or not to the end, after those that were
    /// added.
    pub(super) fn add_unread(&mut self, games: Range<u64>) {
        match self.unread.last_mut() {
            Some(last) if last.end == games.start => last.end = games.end,
            Some(_) | None if games.is_empty() => {}
            Some(_) | None => self.unread.push(games),
        }
    }
}

/// A damage or a note to be reported.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Remark {
    pub(crate) report: DamagedGame,
    /// Whether it is a note: nothing is lost and the game is not damaged.
    pub(crate) note: bool,
    /// Whether nothing of the game could be searched.
    pub(crate) left_out: bool,
    /// The jobs for which the game was read, or `None` if it was read for all. It is reported if
    /// the game counts for one of them.
    pub(crate) jobs: Option<Vec<usize>>,
    /// Why the game was read when it was found.
    pub(crate) purpose: ReadPurpose,
    /// Of the damages of a game, and of its notes, the one of the lowest rank that counts is
    /// reported.
    pub(crate) rank: usize,
}

/// A game that matched.
pub(crate) struct GameMatch {
    pub(crate) game: u64,
    pub(crate) positions: u64,
    /// The match as data, if it is observed.
    pub(crate) row: Option<Box<Match>>,
}
