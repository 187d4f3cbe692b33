//! A job: one query of a scan, with its options; and the settings of the whole scan.

use std::path::PathBuf;
use std::sync::Arc;

use babson_chess::VariantNames;
use babson_lang::{Diagnostic, Dialect, QueryParts};
use babson_pgn::Layout;
use regex::bytes::Regex;

use babson_vm::{Program, RunOptions, Sharing};

use crate::destination::{Destination, SplitRules};
use crate::error::Error;
use crate::ledger::Ledger;
use crate::limits::MAX_THREADS;
use crate::sink::{NonmatchingOutput, SharedOutput, Sink};

/// Which tags are written: those whose name matches a pattern of `only` (all if there is none) and
/// no pattern of `never`. A pattern may match anywhere in the name.
#[derive(Clone, Debug, Default)]
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

/// A range of game numbers, from the first to the last.
pub(crate) type GameRange = (u64, u64);

/// Whether a game is in a range; without a range, every game is.
pub(crate) fn is_inside(range: Option<GameRange>, number: u64) -> bool {
    range.is_none_or(|(low, high)| (low..=high).contains(&number))
}

/// The text of a query, for outputs that show it.
#[derive(Clone, Debug)]
pub struct QueryText {
    /// The text.
    pub text: String,
    /// Its parts.
    pub parts: QueryParts,
    /// The dialect in which it was read.
    pub dialect: Dialect,
}

/// Whether the filters of a query are traced where it matches, for outputs that show why.
#[derive(Clone, Debug, Default)]
pub enum Tracing {
    /// They are not.
    #[default]
    Off,
    /// By this program, which was compiled [for it](babson_vm::CompileOptions::trace).
    On(Arc<Program>),
    /// They cannot be, for this reason.
    Impossible(String),
}

impl Tracing {
    /// Traces by a program, where the query can be evaluated a second time: not if a game sees what
    /// earlier games left, and not if it reads or writes files.
    pub fn of(program: &Program, traced: Result<Arc<Program>, &[Diagnostic]>) -> Tracing {
        match (program.sharing(), traced) {
            (Sharing::InOrder(why), _) => Tracing::Impossible(why.to_owned()),
            (Sharing::Nothing | Sharing::Joined, Ok(program)) => Tracing::On(program),
            (Sharing::Nothing | Sharing::Joined, Err(errors)) => {
                let error = errors.first().map(|error| error.message.clone());
                Tracing::Impossible(error.unwrap_or_default())
            }
        }
    }
}

/// A query of a scan, and where its matches go.
pub struct Task {
    /// The query.
    pub job: Job,
    /// The sinks. With none, matches are only counted.
    pub sinks: Vec<Box<dyn Sink>>,
}

impl From<Job> for Task {
    /// A task that only counts.
    fn from(job: Job) -> Task {
        Task { job, sinks: Vec::new() }
    }
}

/// How much of a game is written from a matching position on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FragmentLength {
    /// All of it.
    ToEnd,
    /// At most so many plies, in variations too.
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

/// One query of a scan with its options.
#[derive(Clone, Debug)]
pub struct Job {
    /// The compiled query.
    pub program: Arc<Program>,
    /// Options of the machine.
    pub options: RunOptions,
    /// Inclusive range of game numbers, from 1. Games outside it are not searched.
    pub range: Option<(u64, u64)>,
    /// Stop after this many matching games, in game order.
    pub limit: Option<u64>,
    /// Write only so many games (at least one): those that its sort puts first, in that order. The
    /// others match, too: they are counted and observed. With a limit, the best of the first.
    pub top: Option<u64>,
    /// Write instead of each matching game a game for each of its matching positions: the part
    /// that begins there, for so many plies. Only PGN, and EPD with the next moves.
    pub fragment: Option<FragmentLength>,
    /// Whether matches are sorted by the query's keys; otherwise they stay in game order.
    pub sort: bool,
    /// The layout of PGN outputs.
    pub layout: Layout,
    /// The tags of PGN outputs.
    pub tags: TagChoice,
    /// Whether a `'` is written before a CSV cell that a spreadsheet would read as a formula.
    pub plain_cells: bool,
    /// The title of reports.
    pub title: String,
    /// The text of the query, if reports show it.
    pub text: Option<QueryText>,
    /// Whether and how its filters are traced.
    pub tracing: Tracing,
    /// Whether PGN outputs mark the squares that the filters name.
    pub marks: bool,
    /// Whether the query needs the number of the last game, so that the games are counted first.
    pub wants_last_number: bool,
}

impl Job {
    /// A job that compiles `query` and takes its settings from the header of the query.
    ///
    /// # Errors
    /// Those of [`Program::compile`].
    pub fn new(query: &babson_lang::hir::Query) -> Result<Job, Vec<Diagnostic>> {
        Ok(Job::of_program(Arc::new(Program::compile(query)?), query))
    }

    /// As [`Job::new`], for a program that is already compiled from `query`.
    pub fn of_program(program: Arc<Program>, query: &babson_lang::hir::Query) -> Job {
        let header = program.header();
        let range = header.game_range();
        Job {
            program,
            options: RunOptions::default(),
            range,
            limit: None,
            top: None,
            fragment: None,
            sort: true,
            layout: Layout::default(),
            tags: TagChoice::default(),
            plain_cells: false,
            title: String::new(),
            text: None,
            tracing: Tracing::Off,
            marks: false,
            wants_last_number: query.wants_last_number(),
        }
    }

    /// Whether variations are visited: as the options say, otherwise as the header says.
    pub fn variations(&self) -> bool {
        self.options.variations.unwrap_or(self.program.header().variations)
    }

    /// Whether matches are written only at the end, sorted.
    pub(crate) fn sorts(&self) -> bool {
        self.sort && !self.program.sorts().is_empty()
    }

    /// An error if its options do not fit its query.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let query = || self.title.clone();
        if self.top.is_some() && !self.sorts() {
            return Err(Error::TopWithoutSort { query: query() });
        }
        let least = self.program.least_match_count(&self.options);
        if self.options.first_match && least > 1 {
            return Err(Error::FirstOfSeveral { query: query(), least });
        }
        Ok(())
    }
}

/// Settings of a whole scan: [`Settings::default`], with its fields changed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// Threads that search: 1 for 0, and at most 256.
    pub threads: usize,
    /// Whether plain files are mapped into memory (the default), which is faster. Otherwise, and
    /// where the system cannot map a file, it is read; results, messages and reports of damage are
    /// the same.
    ///
    /// If another process truncates a mapped file during the scan, the system sends this process
    /// the signal SIGBUS, which ends it unless it is handled. The scan cannot prevent this. A
    /// program that cannot exclude it sets this to `false`: then a truncated file is
    /// [`Error::Changed`](crate::Error::Changed).
    pub mapped: bool,
    /// Where the text of damaged games is written.
    pub rejects: Option<Destination>,
    /// The outputs of all queries: see [`SharedOutput`].
    pub shared: Vec<SharedOutput>,
    /// Where the games are written that are searched and that no query matches. A search in slices
    /// does not have them and [refuses](crate::OutputRefusal::SlicedGames) this.
    pub nonmatching: Option<NonmatchingOutput>,
    /// Whether the counts of the summary are needed even if nobody reads the output of the games
    /// that do not match. Otherwise the scan then ends with [`Error::ClosedPipe`], unless another
    /// output is still read or the observer [takes matches](crate::Observer::takes_matches).
    pub needs_counts: bool,
    /// Files that no output may replace, each with its description for messages: the files of the
    /// queries, and files that the caller writes.
    pub other_files: Vec<(PathBuf, String)>,
    /// Whether games of unknown variants are skipped without a report.
    pub skip_unknown_variants: bool,
    /// Whether games are left out that are equal to an earlier one: to a game with the same
    /// players, date and moves, as [`GameHash`](babson_pgn::GameHash) defines it. Of equal games, a
    /// query searches the first one in its range, whether it matches or not: other queries make no
    /// difference. The games keep their numbers, and
    /// [`Summary::equal_games`](crate::Summary::equal_games) counts those that are left out.
    ///
    /// Each game is read a second time for its hash. Until the end, a hash takes 9 to 18 bytes for
    /// each different range of the queries that has the game. A search in slices sees only a part of the games and [refuses](crate::Error::SlicedUnique)
    /// this.
    pub unique: bool,
    /// The names that the `Variant` tag may have, those that the queries know.
    pub variants: VariantNames,
    /// The rules for outputs that are split into many files.
    pub split: SplitRules,
    /// Whether the summary lists the entries of all dictionaries.
    pub dictionaries: bool,
    /// Whether the summary counts the games of tables that the game guard of each query lets
    /// through: see [`JobSummary::guard`](crate::JobSummary::guard).
    pub guard_stats: bool,
    /// Lists the outputs until they are complete. Whoever keeps a clone can
    /// [abandon](Ledger::abandon) them: the scan then ends with an error.
    pub ledger: Ledger,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            mapped: true,
            rejects: None,
            shared: Vec::new(),
            nonmatching: None,
            needs_counts: false,
            other_files: Vec::new(),
            skip_unknown_variants: false,
            unique: false,
            variants: VariantNames::default(),
            split: SplitRules::default(),
            dictionaries: false,
            guard_stats: false,
            ledger: Ledger::default(),
        }
    }
}

impl Settings {
    /// The number of threads that is used.
    pub(crate) fn search_threads(&self) -> usize {
        self.threads.clamp(1, MAX_THREADS)
    }
}
