//! The reports of a scan: events while it runs, and the summary at the end.

use babson_vm::{Counter, Match, RuntimeError};
pub use babson_vm::{DamagedGame, Event, Progress};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::worker::FinalState;

/// A receiver of the events of a scan. The events come in game order, on the thread that called the
/// scan. Each method does nothing by default.
pub trait Observer {
    /// The `message` filters of a job printed these whole lines for one game.
    ///
    /// # Errors
    /// An error ends the scan; [`Error::ClosedPipe`] ends it without a message.
    fn message(&mut self, _job: usize, _lines: &[u8]) -> Result<(), Error> {
        Ok(())
    }

    /// A game is damaged.
    fn damaged(&mut self, _game: &DamagedGame) {}

    /// A game was read leniently, and nothing of it was lost.
    fn noted(&mut self, _game: &DamagedGame) {}

    /// A run-time error ended the evaluation of a query on a game.
    fn runtime_error(&mut self, _job: usize, _game: u64, _error: &RuntimeError) {}

    /// Whether [`matched`](Observer::matched) takes matches as data, which costs time.
    fn takes_matches(&self) -> bool {
        false
    }

    /// A game matched. The match comes if [`takes_matches`](Observer::takes_matches) says so.
    fn matched(&mut self, _job: usize, _game: u64, _hit: Option<Match>) {}

    /// More games are finished.
    ///
    /// # Errors
    /// An error ends the scan; [`Error::ClosedPipe`] ends it without a message.
    fn progress(&mut self, _progress: Progress) -> Result<(), Error> {
        Ok(())
    }
}

/// An observer that ignores all events.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// The result of a scan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Games read, without those after the last range.
    pub games: u64,
    /// Damaged games among them.
    pub damaged: u64,
    /// One result a job, in the order of the jobs.
    pub jobs: Vec<JobSummary>,
    /// Threads that searched.
    pub threads: usize,
}

impl Summary {
    /// Adds the final states of the jobs.
    pub(crate) fn take_states(&mut self, states: Vec<FinalState>) {
        for (job, state) in self.jobs.iter_mut().zip(states) {
            job.persistents = state.persistents;
            job.dictionaries = state.dictionaries;
            job.profile = state.profile;
        }
    }
}

/// The result of one query.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JobSummary {
    /// The files of split outputs, each with its number of games, in order of name.
    pub files: Vec<(String, u64)>,
    /// Games that matched (and were within the limit).
    pub matches: u64,
    /// Matching positions of those games.
    pub positions: u64,
    /// Games that were skipped because of a run-time error.
    pub failed_games: u64,
    /// Seconds of evaluation, over all threads. Measured only with more than one job.
    pub seconds: f64,
    /// The lines of the persistent variables.
    pub persistents: Vec<String>,
    /// The dictionaries, if [requested](crate::Settings::dictionaries): a line for each, followed
    /// by a line for each of its keys.
    pub dictionaries: Vec<String>,
    /// The counters of a profiled program (only with one thread).
    pub profile: Vec<Counter>,
    /// Why the query ended before the last game. Its output was not written then.
    pub stopped: Option<Stopped>,
}

/// The query ended the run: a failed `assert`, `cql_abort`, or a failed `readfile`, `writefile` or
/// `commandpipe`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stopped {
    /// Game number; 0 before the first game or after the last one.
    pub game: u64,
    /// The message of the machine.
    pub message: String,
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.game {
            0 => write!(f, "{} (outside the games)", self.message),
            game => write!(f, "{} (game {game})", self.message),
        }
    }
}
