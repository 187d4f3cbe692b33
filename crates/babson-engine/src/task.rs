//! What a scan does: its queries with their sinks, and its settings.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use babson_chess::VariantNames;
use babson_vm::StopSignal;

use crate::destination::{Destination, SplitRules};
use crate::formats::{NonmatchingSink, SharedSink};
use crate::job::{FragmentLength, Job, MatchChoice, TagChoice};
use crate::ledger::Ledger;
use crate::limits::MAX_THREADS;
use crate::sink::{Sink, reads_positions};

/// A query of a scan with its options, and the sinks that its matches go to. With none, matches are
/// only counted and observed.
///
/// ```
/// use babson_engine::{FileSink, Input, Job, Settings, Silent, Task, scan};
/// use babson_lang::{Dialect, analyze};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("mates.epd");
/// let job = Job::new(&analyze("mate", Dialect::CQLI).unwrap().query).unwrap();
/// let task = Task::new(job).limit(3).sink(FileSink::epd(&path));
/// let games = Input::bytes("games", "1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(9).into_bytes());
/// let summary = scan(&[games], vec![task], &Settings::default(), &mut Silent)?;
/// assert_eq!((summary.games, summary.queries[0].matches), (3, 3));
/// # Ok::<(), babson_engine::Error>(())
/// ```
#[must_use = "it does nothing until a scan runs it"]
#[non_exhaustive]
pub struct Task {
    /// The query.
    pub job: Job,
    /// The sinks.
    pub sinks: Vec<Box<dyn Sink>>,
}

impl Task {
    /// A task without sinks, with the options that the header of the query names.
    pub fn new(query: impl Into<Job>) -> Task {
        Task { job: query.into(), sinks: Vec::new() }
    }

    /// Writes the matches to this sink too. All sinks of a task have the matches in the same order.
    pub fn sink(mut self, sink: impl Sink + 'static) -> Task {
        self.sinks.push(Box::new(sink));
        self
    }

    /// Ends the query after this many matches, in the order of the games.
    pub fn limit(mut self, matches: u64) -> Task {
        self.job.limit = Some(matches);
        self
    }

    /// The numbers of the games to search, from 1, instead of those in the header of the query.
    pub fn range(mut self, games: RangeInclusive<u64>) -> Task {
        self.job.range = Some(games.into_inner());
        self
    }

    /// Asks only which games match, not where. A query that does nothing else ends each game at its
    /// first matching position, the only one that [`QuerySummary::positions`] has then. Unless a
    /// sink [reads positions](Task::reads_positions) or an observer takes the matches, a game of a
    /// table that a condition on the whole game decides is not searched, only read to be written.
    ///
    /// [`QuerySummary::positions`]: crate::QuerySummary::positions
    ///
    /// ```
    /// use babson_engine::{Input, Job, Settings, Silent, Task, scan};
    /// use babson_lang::{Dialect, analyze};
    ///
    /// let job = Job::new(&analyze("check", Dialect::CQLI).unwrap().query).unwrap();
    /// let games = [Input::bytes("games", *b"1. e4 e5 2. Bc4 Nc6 3. Bxf7+ Ke7 4. Bb3 d6 5. Qf3")];
    /// let positions = |task| {
    ///     let summary = scan(&games, vec![task], &Settings::default(), &mut Silent).unwrap();
    ///     (summary.queries[0].matches, summary.queries[0].positions)
    /// };
    /// assert_eq!(positions(Task::new(job).games_only()), (1, 1));
    /// ```
    pub fn games_only(mut self) -> Task {
        let Job { program, options, .. } = &mut self.job;
        options.first_match |= program.is_settled_by_first_match(options);
        self
    }

    /// Whether one of its sinks has what the query says of the positions of the matching games, or
    /// an order that depends on it. Otherwise [`games_only`](Task::games_only) does not change what
    /// the sinks get.
    ///
    /// ```
    /// use babson_engine::{FileSink, Job, Task};
    /// use babson_lang::{Dialect, analyze};
    ///
    /// let reads_positions = |query, sink| {
    ///     let job = Job::new(&analyze(query, Dialect::CQLI).unwrap().query).unwrap();
    ///     Task::new(job).sink(sink).reads_positions()
    /// };
    /// // A comment marks each matching position, unless the query is quiet.
    /// assert!(reads_positions("mate", FileSink::pgn("mates.pgn")));
    /// assert!(!reads_positions("cql(quiet) mate", FileSink::pgn("mates.pgn")));
    /// assert!(reads_positions("cql(quiet) mate", FileSink::jsonl("mates.jsonl")));
    /// ```
    pub fn reads_positions(&self) -> bool {
        reads_positions(&self.job, &self.sinks)
    }

    /// Gives the sinks only the best `games` matching games (at least one): the `sort` of the query
    /// puts them first, and they are written in its order. All other matches are still counted, and
    /// their events still come. With a [limit](Task::limit), the best are chosen among the first
    /// matches. Memory is bounded by `games`, and only matches that may be among the best are
    /// written, so this costs little more than a count.
    ///
    /// A query without `sort`, or a task that is not [sorted](Task::sorted), is refused with
    /// [`Error::TopWithoutSort`](crate::Error::TopWithoutSort).
    pub fn top(mut self, games: u64) -> Task {
        self.job.choice = Some(MatchChoice::Top(games));
        self
    }

    /// Gives the sinks only this many matching games (at least one), a random sample, in the order
    /// in which all would be written. It replaces [`Task::top`]; with a [limit](Task::limit), the
    /// sample is one of the first matches. The other matches are counted and observed too. The
    /// outputs that [all queries share](Settings::shared) refuse it.
    ///
    /// The sample depends only on the seed and on the numbers of the matching games: it is the same
    /// for any number of threads and slices. With one seed, queries that match the same games have
    /// the same sample.
    pub fn sample(mut self, games: u64, seed: u64) -> Task {
        self.job.choice = Some(MatchChoice::Sample { games, seed });
        self
    }

    /// Whether sinks get the matches sorted by the keys of the query (the default). Events always
    /// come in the order of the games.
    pub fn sorted(mut self, sort: bool) -> Task {
        self.job.sort = sort;
        self
    }

    /// PGN outputs have, instead of each matching game, a game for each of its matching positions:
    /// the game from that position on, with its `FEN` tag, for some plies or to its end. EPD
    /// outputs have the next moves, as `bm` and `pv`. Other formats are
    /// [refused](crate::OutputRefusal::Fragments).
    ///
    /// ```
    /// use babson_engine::{FileSink, FragmentLength, Input, Job, Settings, Silent, Task, scan};
    /// use babson_lang::{Dialect, analyze};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("mates.epd");
    /// let query = analyze("move legal : mate", Dialect::CQLI).unwrap().query;
    /// let task = Task::new(Job::new(&query).unwrap()).fragments(FragmentLength::Plies(1));
    /// let games = Input::bytes("games", *b"1. f3 e5 2. g4 Qh4# 0-1\n");
    /// let tasks = vec![task.sink(FileSink::epd(&path))];
    /// scan(&[games], tasks, &Settings::default(), &mut Silent)?;
    /// assert!(std::fs::read_to_string(&path).unwrap().contains(" bm Qh4#; pv Qh4#;"));
    /// # Ok::<(), babson_engine::Error>(())
    /// ```
    pub fn fragments(mut self, length: FragmentLength) -> Task {
        self.job.fragment = Some(length);
        self
    }

    /// The tags that PGN outputs have; by default all.
    pub fn tags(mut self, choice: TagChoice) -> Task {
        self.job.tags = choice;
        self
    }

    /// Whether PGN outputs mark the squares that the filters of the query name at its matches, and
    /// the last and the next move, as `[%csl …]` and `[%cal …]` in comments. A query that cannot be
    /// [traced](Job::tracing) has no marks.
    pub fn marks(mut self, marks: bool) -> Task {
        self.job.marks = marks;
        self
    }

    /// Whether a `'` is written before a CSV cell that a spreadsheet would read as a formula.
    pub fn safe_csv(mut self, safe: bool) -> Task {
        self.job.safe_csv = safe;
        self
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
    /// [`InputError::Changed`](crate::InputError::Changed).
    pub mapped: bool,
    /// Where the text of damaged games is written.
    pub rejects: Option<Destination>,
    /// The outputs of all queries: see [`SharedSink`].
    pub shared: Vec<SharedSink>,
    /// Where the games are written that are searched and that no query matches. A search in slices
    /// does not have them and [refuses](crate::OutputRefusal::SlicedGames) this.
    pub nonmatching: Option<NonmatchingSink>,
    /// Whether the counts of the summary are needed even if nobody reads the output of the games
    /// that do not match. Otherwise the scan then ends with
    /// [`Error::ClosedPipe`](crate::Error::ClosedPipe), unless another output is still read or the
    /// observer [takes matches](crate::Observer::takes_matches).
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
    /// each different range of the queries that has the game. A search in slices sees only a part
    /// of the games and [refuses](crate::Error::SlicedUnique) this.
    pub unique: bool,
    /// The names that the `Variant` tag may have, those that the queries know.
    pub variants: VariantNames,
    /// The rules for outputs that are split into many files.
    pub split: SplitRules,
    /// Whether the summary lists the entries of all dictionaries.
    pub dictionaries: bool,
    /// Whether the summary counts the games of tables that the game guard of each query lets
    /// through: see [`QuerySummary::guard`](crate::QuerySummary::guard).
    pub guard_stats: bool,
    /// Stops the scan before its end. It then ends with [`Error::Stopped`](crate::Error::Stopped),
    /// within a few milliseconds, and writes nothing. An input that is waited for, such as standard
    /// input, is waited for until it gives something.
    pub stop: StopSignal,
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
            stop: StopSignal::default(),
            ledger: Ledger::default(),
        }
    }
}

impl Settings {
    /// Where the text of damaged games is written, unless nothing is written at all.
    pub(crate) fn written_rejects(&self) -> Option<&Destination> {
        self.rejects.as_ref().filter(|_| !self.split.dry_run)
    }

    /// The number of threads that is used.
    pub(crate) fn search_threads(&self) -> usize {
        self.threads.clamp(1, MAX_THREADS)
    }
}
