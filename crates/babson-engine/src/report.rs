//! What a scan tells while it runs, and what it found in the end.

use babson_vm::{Counter, RuntimeError};

use crate::error::Error;

/// A game that could not be read as it stands, or about which there is something to note. It was
/// kept up to the damage and searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedGame {
    /// The input, as it is named in messages.
    pub input: String,
    /// Line of the damage in the (unpacked) input, from 1.
    pub line: u64,
    /// Game number, from 1 over all inputs.
    pub game: u64,
    /// What is wrong, in a few words.
    pub reason: String,
    /// The offending text: at most 80 bytes of it.
    pub text: Vec<u8>,
    /// How many further damages (or notes) the game has.
    pub more: usize,
}

/// How far a scan is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Games read.
    pub games: u64,
    /// Bytes of text read (unpacked).
    pub bytes: u64,
    /// Bytes of the inputs read, as they lie there: packed ones packed. In the end their sizes.
    pub input_bytes: u64,
    /// Games that matched, over all queries.
    pub matches: u64,
}

/// Who is told what happens, always in game order and on the thread that called the scan.
/// All methods do nothing unless they are overridden.
pub trait Observer {
    /// What the `message` filters of a job printed for one game: whole lines.
    ///
    /// # Errors
    /// What is returned ends the scan; [`Error::ClosedPipe`] ends it quietly.
    fn message(&mut self, _job: usize, _lines: &[u8]) -> Result<(), Error> {
        Ok(())
    }

    /// A game is damaged.
    fn damaged(&mut self, _game: &DamagedGame) {}

    /// A game was read with more leniency than goes without saying; nothing of it is lost.
    fn noted(&mut self, _game: &DamagedGame) {}

    /// A query gave up on a game.
    fn runtime_error(&mut self, _job: usize, _game: u64, _error: &RuntimeError) {}

    /// A game matched.
    fn matched(&mut self, _job: usize, _game: u64) {}

    /// Some more games are done.
    fn progress(&mut self, _progress: Progress) {}
}

/// An observer that looks away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// What a scan found.
#[derive(Debug, Default)]
pub struct Summary {
    /// Games read: not those after the range that was asked for.
    pub games: u64,
    /// Damaged games among them.
    pub damaged: u64,
    /// Bytes of text read (unpacked).
    pub bytes: u64,
    /// One result a job, in the order of the jobs.
    pub jobs: Vec<JobSummary>,
    /// Threads that searched.
    pub threads: usize,
}

/// What one query found.
#[derive(Debug, Default)]
pub struct JobSummary {
    /// The files of outputs that are many, each with its number of games, in order of names.
    pub files: Vec<(String, u64)>,
    /// Games that matched (and were within the limit).
    pub matches: u64,
    /// Matching positions of those games.
    pub positions: u64,
    /// Games that were given up because of a run-time error.
    pub failed_games: u64,
    /// Seconds of evaluation, over all threads; only measured with more than one job.
    pub seconds: f64,
    /// The lines of the persistent variables.
    pub persistents: Vec<String>,
    /// The dictionaries, if they are [asked for](crate::Settings::dictionaries): a line for each,
    /// with the lines of its keys below it.
    pub dictionaries: Vec<String>,
    /// The counters of a profiled program (only with one thread).
    pub profile: Vec<Counter>,
    /// Why the query ended before the last game; its output was then not written.
    pub stopped: Option<Error>,
}
