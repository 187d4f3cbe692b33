//! The reports of a scan: events while it runs, and the summary at the end.

use std::ops::{ControlFlow, Range};

pub use babson_vm::{BrokenInput, DamagedGame, Event, InputFailure, Progress};
use babson_vm::{ConditionRows, Counter, GameGuard};
use serde::{Deserialize, Serialize};

use crate::error::{Error, FatalError};

/// A receiver of the events of a scan. They come in the order of the games, on the thread that
/// called the scan. A closure is one:
///
/// ```
/// use std::ops::ControlFlow;
///
/// use babson_engine::{Event, Input, Job, Settings, Task, scan};
/// use babson_lang::{Dialect, analyze};
///
/// let job = Job::new(&analyze("mate", Dialect::CQLI).unwrap().query).unwrap();
/// let games = Input::bytes("games", "1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(9).into_bytes());
/// let mut first = None;
/// let mut observer = |event: Event| {
///     Ok(match event {
///         Event::Match { hit, .. } => {
///             first = Some(hit);
///             ControlFlow::Break(())
///         }
///         _ => ControlFlow::Continue(()),
///     })
/// };
/// let summary = scan(&[games], vec![Task::new(job)], &Settings::default(), &mut observer)?;
/// assert_eq!((summary.games, summary.ended_early), (1, true));
/// assert_eq!(first.unwrap().positions[0].mv, "2...Qh4#");
/// # Ok::<(), babson_engine::Error>(())
/// ```
pub trait Observer {
    /// Takes the next event. [`ControlFlow::Break`] means *enough*: no event comes after it, and
    /// the scan ends with the game of this event. That game is complete: each of its matches is
    /// counted and written, also those of other queries. Nothing counts of the games after it.
    /// Outputs are finished, and [`Summary::ended_early`] tells of it.
    ///
    /// All games ended with the last one that was reported if the event is not of a game. How many
    /// that are at an [`Event::Progress`] depends on the number of threads, and so does how many
    /// games an [`Event::Message`] is of. Whatever the query keeps from game to game, such as
    /// persistent variables, and the files that it writes may also be of games after the last one.
    ///
    /// A plan of slices, the part of a slice and a packed table have all games or do not exist.
    /// There *enough* is [`Error::Stopped`]. A scan that can be resumed is stopped while it
    /// searches, and then goes on with the next run; the merge ends early as a scan does.
    ///
    /// # Errors
    /// An error ends the scan; [`Error::ClosedPipe`] ends it without a message, and if the event is
    /// a message, only if nothing else is read.
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error>;

    /// Whether a match comes as data ([`Event::Match`], the default) or only as the number of its
    /// game ([`Event::Matched`]), which is faster.
    fn takes_matches(&self) -> bool {
        true
    }
}

impl<F: FnMut(Event) -> Result<ControlFlow<()>, Error>> Observer for F {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        self(event)
    }
}

/// Tells an observer of an event of work that is whole or does not exist, after so many games.
///
/// # Errors
/// As [`Observer::event`]; or the observer has enough.
pub(crate) fn tell(observer: &mut dyn Observer, event: Event, games: u64) -> Result<(), Error> {
    match observer.event(event)? {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::ended_early(games)),
    }
}

/// An observer that ignores all events.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn event(&mut self, _event: Event) -> Result<ControlFlow<()>, Error> {
        Ok(ControlFlow::Continue(()))
    }

    fn takes_matches(&self) -> bool {
        false
    }
}

/// The result of a scan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Summary {
    /// Games read, without those after the last range.
    pub games: u64,
    /// Damaged games among them.
    pub damaged: u64,
    /// Of the damaged games, those that could not be searched at all: those that are too long to be
    /// read, and those of a damaged table whose moves cannot be played. The others were searched up
    /// to the damage.
    pub left_out: u64,
    /// Games that a query left out, because each is equal to an earlier one of its range: see
    /// [`Settings::unique`](crate::Settings::unique).
    #[serde(default)]
    pub equal_games: u64,
    /// The game tables that another program has written anew, so that they have no checksums. Their
    /// games were replayed to be searched, and `babson pack` makes tables of them that open faster.
    #[serde(default)]
    pub rewritten_tables: Vec<String>,
    /// The inputs that could not be read to their ends, in their order. Their games before the
    /// failure are among the games read; what comes after it was not searched.
    #[serde(default)]
    pub broken_inputs: Vec<BrokenInput>,
    /// Whether the observer [had enough](Observer::event), so that the games after the last one
    /// that was read were not searched.
    #[serde(default)]
    pub ended_early: bool,
    /// The games that were written because [no query matched](crate::Settings::nonmatching).
    pub nonmatching: u64,
    /// One result a job, in the order of the jobs.
    pub jobs: Vec<JobSummary>,
    /// The files of split outputs that the queries share, each with its number of matches, and of
    /// a split output of the games that none matches; those of an output in order of name.
    pub files: Vec<(String, u64)>,
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

/// The state of a job after the last game.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FinalState {
    /// The lines of its persistent variables.
    pub(crate) persistents: Vec<String>,
    /// The lines of its dictionaries.
    pub(crate) dictionaries: Vec<String>,
    /// The counters of a profiled program, which is not searched in slices.
    #[serde(skip)]
    pub(crate) profile: Vec<Counter>,
}

/// The result of one query.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct JobSummary {
    /// The files of split outputs, each with its number of games, in order of name.
    pub files: Vec<(String, u64)>,
    /// The outputs that have no room for all matching games, each with the number of those that it
    /// leaves out.
    pub left_out: Vec<(String, u64)>,
    /// Games that matched (and were within the limit).
    pub matches: u64,
    /// Matching positions of those games.
    pub positions: u64,
    /// Games that were skipped because of a run-time error.
    pub failed_games: u64,
    /// Games whose moves were not read for the query, because their tags, or their row of a table,
    /// tell whether it matches. Damage in these moves is reported only if the game is written or
    /// read for another query.
    #[serde(default)]
    pub unread_moves: u64,
    /// Seconds of evaluation, over all threads. Measured only with more than one job.
    pub seconds: f64,
    /// The lines of the persistent variables.
    pub persistents: Vec<String>,
    /// The dictionaries, if [requested](crate::Settings::dictionaries): a line for each, followed
    /// by a line for each of its keys.
    pub dictionaries: Vec<String>,
    /// The counters of a profiled program (only with one thread).
    pub profile: Vec<Counter>,
    /// Whether one of its sinks [had enough](crate::Sink::write), so that the query ended with this
    /// match, or its sorted matches were not all written.
    #[serde(default)]
    pub ended_early: bool,
    /// Why the query ended before the last game. Its output was not written then.
    pub stopped: Option<FatalError>,
    /// How its game guard chose games of tables, if
    /// [requested](crate::Settings::guard_stats).
    pub guard: Option<GuardStats>,
}

/// How the game guard of a query chose games of tables: the conditions on a game without which the
/// query finds nothing there.
///
/// ```
/// # #[cfg(feature = "table")] {
/// use babson_engine::{Compression, Input, Job, Settings, Silent, Task, pack, scan};
/// use babson_lang::{Dialect, analyze};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let [games, table] = ["games.pgn", "games.arrow"].map(|name| folder.path().join(name));
/// # std::fs::write(&games, "1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"a\"]\n\n1. e4 *\n").unwrap();
/// let mut settings = Settings::default();
/// pack(&[Input::File(games)], &table, Compression::None, &settings, &mut Silent).unwrap();
/// let query = analyze("mate wtm", Dialect::CQLI).unwrap().query;
/// let job = Job::new(&query).unwrap();
/// settings.guard_stats = true;
/// let summary = scan(&[Input::File(table)], vec![Task::new(job)], &settings, &mut Silent).unwrap();
/// let guard = summary.jobs[0].guard.as_ref().unwrap();
/// assert_eq!((guard.games, guard.conditions.len()), (2, 1));
/// assert_eq!((guard.conditions[0].condition.as_str(), guard.conditions[0].left), ("mate", 1));
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GuardStats {
    /// The games of tables that were tested: those that count for the query.
    pub games: u64,
    /// The conditions, in the order in which they are tested. Without any, all games are searched.
    pub conditions: Vec<ConditionStats>,
}

/// How a condition of a game guard chose games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ConditionStats {
    /// The condition, in the terms of the language.
    pub condition: String,
    /// The games that it lets through.
    pub passed: u64,
    /// The games that it and all conditions before it let through. Those of the last one are
    /// searched.
    pub left: u64,
}

impl GuardStats {
    /// No game was tested yet.
    pub(crate) fn of(guard: Option<&GameGuard>) -> GuardStats {
        let condition =
            |text: &str| ConditionStats { condition: text.to_owned(), ..Default::default() };
        let conditions = guard.map(|guard| guard.conditions().map(condition).collect());
        GuardStats { games: 0, conditions: conditions.unwrap_or_default() }
    }

    /// Adds those of the rows that are in the range.
    pub(crate) fn add(&mut self, conditions: &[ConditionRows], rows: Range<u64>) {
        self.games += rows.end.saturating_sub(rows.start);
        let below =
            |end: u64| 1u64.checked_shl(u32::try_from(end).unwrap_or(64)).map_or(!0, |bit| bit - 1);
        let count = |words: &[u64]| {
            let mask = |first: u64| {
                below(rows.end.saturating_sub(first)) & !below(rows.start.saturating_sub(first))
            };
            let bits = |(number, word): (u64, &u64)| (word & mask(64 * number)).count_ones();
            (0..).zip(words).map(bits).map(u64::from).sum::<u64>()
        };
        for (stats, rows) in self.conditions.iter_mut().zip(conditions) {
            stats.passed += count(&rows.passed);
            stats.left += count(&rows.left);
        }
    }
}
