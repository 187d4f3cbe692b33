//! The result of a scan.

use babson_vm::{BrokenInput, Counter};
use serde::{Deserialize, Serialize};

use crate::error::FatalError;
use crate::guard_stats::GuardStats;

/// The result of a scan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Summary {
    /// Games read, without those after the last range.
    pub games: u64,
    /// Damaged games among them.
    pub damaged: u64,
    /// Damaged games that could not be searched at all: games that are too long to be read, and
    /// games of a damaged table whose moves cannot be played. All other damaged games were searched
    /// up to the damage.
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
    /// Whether the observer [had enough](crate::Observer::event), so that the games after the last
    /// one that was read were not searched.
    #[serde(default)]
    pub ended_early: bool,
    /// The games that were written because [no query matched](crate::Settings::nonmatching).
    pub nonmatching: u64,
    /// One result a query, in the order of the queries.
    pub queries: Vec<QuerySummary>,
    /// The files of split outputs that the queries share, each with its number of matches. The
    /// files of a split output for games that no query matches are here too, each with its number
    /// of games. The files of one output are sorted by name.
    pub files: Vec<(String, u64)>,
    /// Threads that searched.
    pub threads: usize,
}

impl Summary {
    /// Adds the final states of the queries.
    pub(crate) fn take_states(&mut self, states: Vec<FinalState>) {
        for (query, state) in self.queries.iter_mut().zip(states) {
            query.persistents = state.persistents;
            query.dictionaries = state.dictionaries;
            query.profile = state.profile;
        }
    }
}

/// The state of a query after the last game.
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
pub struct QuerySummary {
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
    /// Games whose moves were not read for the query, or not to the end, because their tags, their
    /// row of a table, or their first positions tell whether it matches. Damage in the other moves
    /// is reported only if the game is written or read for another query.
    #[serde(default)]
    pub unread_moves: u64,
    /// Seconds of evaluation, over all threads. Measured only with more than one query.
    pub seconds: f64,
    /// The lines of the persistent variables.
    pub persistents: Vec<String>,
    /// The dictionaries, if [requested](crate::Settings::dictionaries): a line for each, followed
    /// by a line for each of its keys.
    pub dictionaries: Vec<String>,
    /// The counters of a profiled program (only with one thread).
    pub profile: Vec<Counter>,
    /// Whether one of its sinks [had enough](crate::Sink::write): the query ended with the match
    /// that the sink got, or no sorted match was written after it.
    #[serde(default)]
    pub ended_early: bool,
    /// Why the query ended before the last game. Its output was not written then.
    pub stopped: Option<FatalError>,
    /// How its game guard chose games of tables, if
    /// [requested](crate::Settings::guard_stats).
    pub guard: Option<GuardStats>,
}
