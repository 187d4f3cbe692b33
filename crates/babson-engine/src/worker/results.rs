//! What is found in some games.

use std::ops::Range;

use babson_vm::{Counter, Outcome, Part, RuntimeError, SortValue};

use crate::chunk::LongText;
use crate::job::Job;
use crate::limits::MAX_WAITING;
use crate::report::DamagedGame;
use crate::text::{Mark, Text};

/// What outlives the games of a job.
pub(crate) struct Kept {
    /// The lines of its persistent variables.
    pub(crate) persistents: Vec<String>,
    /// The lines of its dictionaries.
    pub(crate) dictionaries: Vec<String>,
    pub(crate) profile: Vec<Counter>,
}

/// What `cqlbegin` or `cqlend` of a query did.
pub(crate) struct Block {
    pub(crate) messages: Vec<u8>,
    pub(crate) error: Option<RuntimeError>,
}

impl Block {
    pub(super) fn of(outcome: &Outcome) -> Block {
        Block { messages: outcome.messages.clone(), error: outcome.error.clone() }
    }
}

/// A game that was given up.
pub(crate) struct Failure {
    pub(crate) game: u64,
    /// How many games of the part were evaluated before it.
    pub(crate) before: u64,
    pub(crate) error: RuntimeError,
}

/// What was found in the games of a chunk, or of a part of it.
pub(crate) struct Found {
    /// No part of the chunk comes after it.
    pub(crate) is_last: bool,
    pub(crate) first_game: u64,
    pub(crate) games: u64,
    /// Of the whole chunk, with its first part.
    pub(crate) bytes: u64,
    pub(crate) input_bytes: u64,
    pub(crate) remarks: Vec<Remark>,
    /// The texts of damaged games, if they are wanted: see [`Rejected::Text`].
    pub(crate) rejects: Vec<u8>,
    pub(crate) jobs: Vec<FoundByJob>,
}

impl Found {
    pub(super) fn new(jobs: &[Job], first_game: u64) -> Found {
        let of_job = |job: &Job| FoundByJob {
            texts: job.sinks.iter().map(|_| Text::default()).collect(),
            ..FoundByJob::default()
        };
        Found {
            is_last: false,
            first_game,
            games: 0,
            bytes: 0,
            input_bytes: 0,
            remarks: Vec::new(),
            rejects: Vec::new(),
            jobs: jobs.iter().map(of_job).collect(),
        }
    }

    /// How many bytes it holds.
    pub(super) fn size(&self) -> usize {
        self.rejects.len() + self.jobs.iter().map(FoundByJob::size).sum::<usize>()
    }

    /// Whether it is too large to wait for the results before it.
    pub(crate) fn is_large(&self) -> bool {
        let entries = self.jobs.iter().filter_map(|job| job.part.as_ref()).map(Part::bytes);
        self.size().saturating_add(entries.sum()) > MAX_WAITING
    }
}

/// What one query found in some games; everything in game order.
#[derive(Default)]
pub(crate) struct FoundByJob {
    pub(crate) matches: Vec<Match>,
    /// The text for each sink: that of all matches, one after another.
    pub(crate) texts: Vec<Text>,
    pub(crate) messages: Vec<u8>,
    /// Game and end of its messages.
    pub(crate) message_ends: Vec<(u64, usize)>,
    pub(crate) errors: Vec<Failure>,
    /// Bytes of the sort keys, names of files and errors.
    pub(super) more: usize,
    /// How many games were evaluated.
    pub(crate) evaluated: u64,
    pub(crate) seconds: f64,
    /// What these games left behind in what games share, if they do not all run on one thread.
    pub(crate) part: Option<Part>,
}

impl FoundByJob {
    pub(super) fn size(&self) -> usize {
        self.more + self.messages.len() + self.texts.iter().map(Text::len).sum::<usize>()
    }
}

/// A damage or a note that is to be told.
pub(crate) struct Remark {
    pub(crate) report: DamagedGame,
    /// Nothing is lost: the game is not damaged.
    pub(crate) note: bool,
    /// The jobs that the game was read for, if not for all: it counts if the game counts for one of
    /// them.
    pub(crate) jobs: Option<Vec<usize>>,
    /// Of the damages of a game, and of its notes, the one of the lowest rank that counts is told.
    pub(crate) rank: usize,
    /// The text of the damaged game, if it is wanted.
    pub(crate) rejected: Option<Rejected>,
}

/// The text of a damaged game.
pub(crate) enum Rejected {
    /// Its place in [`Found::rejects`].
    Text(Range<usize>),
    Long(LongText),
}

/// A game that matched.
pub(crate) struct Match {
    pub(crate) game: u64,
    pub(crate) positions: u64,
    pub(crate) keys: Box<[Option<SortValue>]>,
    /// Where its text ends in each of [`FoundByJob::texts`].
    pub(crate) ends: Box<[Mark]>,
    /// The names of its files, one for each output that is many.
    pub(crate) names: Box<[String]>,
}
