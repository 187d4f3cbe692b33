//! A job: one query of a scan, with its options.

use std::fmt;
use std::sync::{Arc, LazyLock};

use babson_lang::{Diagnostic, QueryText};
use babson_pgn::Layout;
use regex::bytes::Regex;

use babson_vm::{GameGuard, Program, RunOptions, Tracing};

use crate::error::Error;

/// Which tags are written: those whose name matches a pattern of `only` (all if there is none) and
/// no pattern of `never`. A pattern may match anywhere in the name.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TagChoice {
    /// If not empty, all other tags are left out.
    pub only: Vec<Regex>,
    /// Tags that are always left out.
    pub never: Vec<Regex>,
}

impl TagChoice {
    /// Whether any tag can be left out.
    pub(crate) fn hides(&self) -> bool {
        !self.only.is_empty() || !self.never.is_empty()
    }

    /// Whether a tag of this name is written.
    pub(crate) fn shows(&self, name: &[u8]) -> bool {
        let found = |patterns: &[Regex]| patterns.iter().any(|pattern| pattern.is_match(name));
        (self.only.is_empty() || found(&self.only)) && !found(&self.never)
    }
}

/// How much of a game is written from a matching position on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FragmentLength {
    /// All of it.
    ToEnd,
    /// At most this number of plies, in variations too.
    Plies(u32),
}

impl FragmentLength {
    /// The greatest number of plies, if there is one.
    pub(crate) fn plies(self) -> Option<u32> {
        match self {
            FragmentLength::ToEnd => None,
            FragmentLength::Plies(plies) => Some(plies),
        }
    }
}

/// Which of the matching games are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MatchChoice {
    /// This many games (at least one): the games that the sort of the query puts first, in its
    /// order.
    Top(u64),
    /// A random sample of the games, in the order in which all would be written. For a seed, the
    /// sample is the same for any number of threads and slices and in any version of Babson.
    Sample {
        /// How many games, at least one. If fewer match, all of them are written.
        games: u64,
        /// Other seeds choose other games.
        seed: u64,
    },
}

impl MatchChoice {
    /// The greatest number of games that are written.
    pub(crate) fn games(self) -> usize {
        let (MatchChoice::Top(games) | MatchChoice::Sample { games, .. }) = self;
        usize::try_from(games).unwrap_or(usize::MAX).max(1)
    }
}

/// Whether and how the filters of a query are traced. It is found out when an output asks, because
/// the program of a trace has to be compiled.
#[derive(Clone)]
pub struct LazyTracing(Arc<LazyLock<Tracing, TracingMaker>>);

/// What finds it out.
type TracingMaker = Box<dyn FnOnce() -> Tracing + Send>;

impl LazyTracing {
    /// Asks `make` when it is needed, once for all clones.
    pub fn new(make: impl FnOnce() -> Tracing + Send + 'static) -> LazyTracing {
        LazyTracing(Arc::new(LazyLock::new(Box::new(make))))
    }

    /// Whether and how they are traced.
    pub fn get(&self) -> &Tracing {
        &self.0
    }
}

impl Default for LazyTracing {
    /// They are not traced.
    fn default() -> LazyTracing {
        LazyTracing::from(Tracing::Off)
    }
}

impl From<Tracing> for LazyTracing {
    fn from(tracing: Tracing) -> LazyTracing {
        LazyTracing::new(|| tracing)
    }
}

impl fmt::Debug for LazyTracing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LazyTracing")
    }
}

/// One query of a scan with its options.
#[derive(Clone, Debug)]
pub struct Job {
    /// The compiled query.
    pub program: Program,
    /// Options of the machine.
    pub options: RunOptions,
    /// Inclusive range of game numbers, from 1. Games outside it are not searched.
    pub range: Option<(u64, u64)>,
    /// Stop after this many matching games, in game order.
    pub limit: Option<u64>,
    /// Write only some of the matching games; `None` writes all. The other matches are counted and
    /// observed too. With a limit, the choice is among the first matches.
    pub choice: Option<MatchChoice>,
    /// Instead of each matching game, write a game for each of its matching positions: the part of
    /// this length that begins there. Only for PGN, and for EPD, which gets the next moves.
    pub fragment: Option<FragmentLength>,
    /// Whether matches are sorted by the query's keys; otherwise they stay in game order.
    pub sort: bool,
    /// The layout of PGN outputs.
    pub layout: Layout,
    /// The tags of PGN outputs.
    pub tags: TagChoice,
    /// Whether a `'` is written before a CSV cell that a spreadsheet would read as a formula.
    pub safe_csv: bool,
    /// The title of reports.
    pub title: String,
    /// The text of the query, if reports show it.
    pub text: Option<QueryText>,
    /// Whether and how its filters are traced, for outputs that show it.
    pub tracing: LazyTracing,
    /// Whether PGN outputs mark the squares that the filters name.
    pub marks: bool,
    /// Whether the query needs the number of the last game, so that the games are counted first.
    pub wants_last_number: bool,
}

impl Job {
    /// A job that compiles `query` and takes its settings from the header of the query.
    ///
    /// # Errors
    /// The errors of [`Program::compile`].
    pub fn new(query: &babson_lang::hir::Query) -> Result<Job, Vec<Diagnostic>> {
        Ok(Job::of_program(Program::compile(query)?, query))
    }

    /// As [`Job::new`], for a program that is already compiled from `query`.
    pub fn of_program(program: Program, query: &babson_lang::hir::Query) -> Job {
        let header = program.header();
        let range = header.game_range();
        Job {
            program,
            options: RunOptions::default(),
            range,
            limit: None,
            choice: None,
            fragment: None,
            sort: true,
            layout: Layout::default(),
            tags: TagChoice::default(),
            safe_csv: false,
            title: String::new(),
            text: None,
            tracing: LazyTracing::default(),
            marks: false,
            wants_last_number: query.wants_last_number(),
        }
    }

    /// Whether variations are visited: as the options say, otherwise as the header says.
    pub fn variations(&self) -> bool {
        self.program.visits_variations(&self.options)
    }

    /// What its query tests of the games of tables before they are read; none if it needs all of
    /// them.
    pub(crate) fn guard(&self) -> Option<&GameGuard> {
        self.program.game_guard(&self.options)
    }

    /// Whether matches are written only at the end, sorted.
    pub(crate) fn sorts(&self) -> bool {
        self.sort && !self.program.sorts().is_empty()
    }

    /// An error if its options do not fit its query.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let query = || Some(self.title.clone()).filter(|title| !title.is_empty());
        if matches!(self.choice, Some(MatchChoice::Top(_))) && !self.sorts() {
            return Err(Error::TopWithoutSort { query: query() });
        }
        let least = self.program.least_match_count(&self.options);
        if self.options.first_match && least > 1 {
            return Err(Error::FirstOfSeveral { query: query(), least });
        }
        Ok(())
    }
}
