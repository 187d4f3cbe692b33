//! The search of files on several threads.

use std::io::Write;
use std::path::Path;

use babson_chess::VariantNames;
use babson_engine::{
    FoundGame, LazyTracing, NonmatchingSink, PartDestination, QueryText, ResumedScan, SharedSink,
    Slice, SliceResult, Unpublished,
};

pub use babson_engine::{
    ConditionStats, Error, FatalError, GuardStats, Input, Job, MAX_THREADS, Observer,
    OutputRefusal, QuerySummary, RunningScan, Settings, Silent, Summary, Task, count,
};

use crate::{Query, StopSignal};

/// A scan of files on several threads, before it starts. Each game is replayed once for all
/// queries.
///
/// Matches, messages, damaged games and progress come as [`Event`](crate::Event)s in the order of
/// the games, or go to sinks. They and the outputs are the same for any number of threads.
///
/// ```
/// use babson::{Event, FileSink, Query, Scan, Task};
///
/// # let folder = tempfile::tempdir()?;
/// # let (games, out) = (folder.path().join("games.pgn"), folder.path().join("out.jsonl"));
/// # std::fs::write(&games, "[White \"Adams\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// let (mates, checks) = (Query::compile("mate")?, Query::compile("check")?);
/// let mut scan = Scan::open([&games])?.query(&mates).query(&checks).threads(2).start()?;
/// for event in scan.by_ref() {
///     if let Event::Match { query, hit } = event {
///         println!("query {query} matches in game {} of {}", hit.origin.number, hit.origin.input);
///     }
/// }
/// assert_eq!(scan.finish()?.queries[1].matches, 1);
///
/// let task = Task::new(&mates).limit(10).sink(FileSink::jsonl(&out));
/// let summary = Scan::open([&games])?.task(task).run()?;
/// assert_eq!((summary.games, summary.queries[0].matches), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "it does nothing until it is started"]
pub struct Scan {
    inputs: Vec<Input>,
    tasks: Vec<Task>,
    settings: Settings,
    allow_no_query: bool,
}

impl From<&Query> for Job {
    /// The query with its options, named by its name.
    fn from(query: &Query) -> Job {
        let mut job = Job::of_program(query.program().clone(), query.typed());
        job.options = query.options().clone();
        job.layout = query.layout();
        query.name().unwrap_or_default().clone_into(&mut job.title);
        job.text = Some(QueryText {
            text: query.text().to_owned(),
            parts: query.spans().clone(),
            dialect: query.dialect(),
        });
        let query = query.clone();
        job.tracing = LazyTracing::new(move || query.tracing());
        job
    }
}

impl Scan {
    /// A scan of these files, in this order, whatever their extensions. A folder stands for all
    /// databases in it, and `-` for standard input.
    ///
    /// # Errors
    /// As [`Input::expand`].
    pub fn open<P: AsRef<Path>>(names: impl IntoIterator<Item = P>) -> Result<Scan, Error> {
        let mut inputs = Vec::new();
        for name in names {
            inputs.extend(Input::expand(name)?);
        }
        Ok(Scan::of(inputs))
    }

    /// A scan of these inputs, which may be readers and bytes in memory.
    pub fn of(inputs: impl IntoIterator<Item = Input>) -> Scan {
        Scan {
            inputs: inputs.into_iter().collect(),
            tasks: Vec::new(),
            settings: Settings::default(),
            allow_no_query: false,
        }
    }

    /// Adds a query, with the options that its header names. Its matches are counted, and come as
    /// events. It is short for [`Scan::task`], which takes options and sinks.
    pub fn query(self, query: &Query) -> Scan {
        self.task(Task::new(query))
    }

    /// Adds a query with its options and its sinks. Queries are numbered from 0 in events and in
    /// the summary. All must know the same [names of
    /// variants](crate::QueryBuilder::variants), which the games may have too: otherwise the scan
    /// is [refused](Error::VariantNames) when it starts.
    ///
    /// A [`FileSink`](crate::FileSink) writes a file, and a [`GroupSink`](crate::sink::GroupSink)
    /// counts the matches in groups:
    ///
    /// ```
    /// use babson::sink::{GroupKeys, GroupSink};
    /// use babson::{Query, Scan, Task};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let games = folder.path().join("games.pgn");
    /// # std::fs::write(&games, "[ECO \"C50\"]\n\n1. e4 e5 2. Bc4 a6 3. Qh5 a5 4. Qxf7# 1-0\n")?;
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// let sink = GroupSink::new(GroupKeys::parse("eco:1,san")?, move |table| {
    ///     // Nobody receives the table of a scan that was given up.
    ///     let _ = sender.send(table);
    /// });
    /// let mates = Query::compile("mate")?;
    /// Scan::open([&games])?.task(Task::new(&mates).sink(sink)).run()?;
    /// let table = receiver.recv()?;
    /// for row in table.rows() {
    ///     println!("{:?}: {} games, {:?} percent", row.keys, row.games(), row.score());
    /// }
    /// assert_eq!((table.rows().len(), table.rows()[0].won), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// The three best matches of one query, and seven matches of another, chosen at random:
    ///
    /// ```
    /// use babson::sink::DEFAULT_SEED;
    /// use babson::{FileSink, Query, Scan, Task};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let [games, best, some] = ["games", "best", "some"].map(|name| folder.path().join(name));
    /// # std::fs::write(&games, "[White \"a\"]\n\n1. d4 d5 2. c4 *\n\n1. c4 *\n\n".repeat(50))?;
    /// let longest = Query::compile("terminal  sort \"plies\" ply")?;
    /// let pawns = Query::compile("btm")?;
    /// let scan = Scan::open([&games])?
    ///     .task(Task::new(&longest).top(3).sink(FileSink::epd(&best)))
    ///     .task(Task::new(&pawns).limit(80).sample(7, DEFAULT_SEED).sink(FileSink::jsonl(&some)));
    /// let summary = scan.run()?;
    /// assert_eq!((summary.queries[0].matches, summary.queries[1].matches), (100, 80));
    /// assert!(std::fs::read_to_string(&best)?.starts_with("rnbqkbnr/ppp1pppp/8/3p4/2PP4/"));
    /// assert_eq!(std::fs::read_to_string(&some)?.lines().count(), 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn task(mut self, task: Task) -> Scan {
        self.tasks.push(task);
        self
    }

    /// Writes the matches of all queries to this output too, in the order of the games. Each match
    /// names its [query](crate::QueryBuilder::name).
    ///
    /// ```
    /// use babson::{FileSink, Query, Scan};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (games, out) = (folder.path().join("games.pgn"), folder.path().join("out.epd"));
    /// # std::fs::write(&games, "[White \"Adams\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// let mates = Query::builder("mate").name("mates").compile()?;
    /// let checks = Query::builder("check").name("checks").compile()?;
    /// let scan = Scan::open([&games])?.query(&mates).query(&checks).shared(FileSink::epd(&out));
    /// scan.run()?;
    /// let text = std::fs::read_to_string(&out)?;
    /// let queries: Vec<_> = text.lines().map(|line| line.contains(" query \"checks\";")).collect();
    /// assert_eq!(queries, [false, true]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shared(mut self, output: impl Into<SharedSink>) -> Scan {
        self.settings.shared.push(output.into());
        self
    }

    /// Writes the games that are searched and that no query matches to this output, in the order of
    /// the games: PGN, or a game table. They are as they are in the inputs. With `among`, only
    /// those that this query matches, which sees each game alone.
    ///
    /// Games outside the range of a query, after its limit or with an error are not written; see
    /// [`NonmatchingSink`]. A search in slices does not have these games and is
    /// [refused](crate::scan::OutputRefusal::SlicedGames).
    ///
    /// ```
    /// use babson::{FileSink, Query, Scan, Task};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let [games, out, rest] = ["games", "out", "rest"].map(|name| folder.path().join(name));
    /// # let other = "[White \"Bob\"]\n\n1. e4 *";
    /// # let texts = ["1. f3 e5 2. g4 Qh4# 0-1", "[White \"Ann\"]\n\n1. e4 *", other];
    /// # std::fs::write(&games, texts.join("\n\n"))?;
    /// let (mates, ann) = (Query::compile("mate")?, Query::compile("player \"Ann\"")?);
    /// let scan = Scan::open([&games])?.task(Task::new(&mates).sink(FileSink::pgn(&out)));
    /// let summary = scan.nonmatching(FileSink::pgn(&rest), Some(&ann)).run()?;
    /// assert_eq!((summary.queries[0].matches, summary.nonmatching), (1, 1));
    /// assert!(std::fs::read_to_string(&rest)?.contains("Ann"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nonmatching(
        mut self,
        output: impl Into<NonmatchingSink>,
        among: Option<&Query>,
    ) -> Scan {
        let output = output.into();
        self.settings.nonmatching = Some(match among {
            Some(query) => output.among(query.into()),
            None => output,
        });
        self
    }

    /// The number of threads that search: 0 means 1, and 256 is the most. By default as many
    /// threads search as the system can run at once.
    pub fn threads(mut self, threads: usize) -> Scan {
        self.settings.threads = threads;
        self
    }

    /// Leaves out games that are equal to an earlier one, with the same players, date and moves.
    /// A search in slices [refuses](Error::SlicedUnique) it. See [`Settings::unique`].
    ///
    /// ```
    /// use babson::{Query, Scan};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let games = folder.path().join("games.pgn");
    /// # std::fs::write(&games, "[White \"Adams\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// // The same file twice.
    /// let scan = Scan::open([&games, &games])?.query(&Query::compile("mate")?).unique(true);
    /// let summary = scan.run()?;
    /// assert_eq!((summary.queries[0].matches, summary.equal_games), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unique(mut self, unique: bool) -> Scan {
        self.settings.unique = unique;
        self
    }

    /// Stops the scan by this signal: it ends with [`Error::Stopped`], and no output is written.
    ///
    /// ```
    /// use babson::{CancelToken, Error, Query, Scan, StopSignal, Stopped};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let games = folder.path().join("games.pgn");
    /// # std::fs::write(&games, "[White \"Adams\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// let token = CancelToken::default();
    /// let stop = StopSignal { cancel: Some(token.clone()), ..StopSignal::default() };
    /// let scan = Scan::open([&games])?.query(&Query::compile("mate")?).stop(stop);
    /// // From another thread, perhaps.
    /// token.cancel();
    /// let error = scan.run().unwrap_err();
    /// assert!(matches!(error, Error::Stopped { stopped: Stopped::Cancelled, .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stop(mut self, signal: StopSignal) -> Scan {
        self.settings.stop = signal;
        self
    }

    /// Whether plain files are mapped into memory: see [`Settings::mapped`].
    pub fn mapped(mut self, mapped: bool) -> Scan {
        self.settings.mapped = mapped;
        self
    }

    /// Whether the scan may have no query. By default such a scan is an
    /// [error](Error::NoQuery), unless it only makes a [plan](Scan::plan). With `true` it searches
    /// no game. A program needs this if all its queries may have errors, and it still wants its
    /// outputs and slices.
    pub fn allow_no_query(mut self, allow: bool) -> Scan {
        self.allow_no_query = allow;
        self
    }

    /// Changes the settings that have no method here.
    pub fn settings(mut self, change: impl FnOnce(&mut Settings)) -> Scan {
        change(&mut self.settings);
        self
    }

    /// Starts the scan on threads of its own.
    ///
    /// # Errors
    /// The scan has no query, or the queries know different names of variants: [`Error::NoQuery`],
    /// [`Error::VariantNames`].
    pub fn start(self) -> Result<RunningScan, Error> {
        let (inputs, tasks, settings) = self.prepared()?;
        Ok(RunningScan::start(inputs, tasks, settings))
    }

    /// Runs the scan to its end. The matches go to the sinks.
    ///
    /// # Errors
    /// An input cannot be read, an output cannot be written, or a query needs something that the
    /// inputs do not have. No output is created then. A pipe whose reader goes away is an error,
    /// [`Error::ClosedPipe`], only if all remaining output would go to such pipes. A panic is
    /// [`Error::Panicked`]. All errors of [`Scan::start`] can happen too.
    pub fn run(self) -> Result<Summary, Error> {
        self.observe(&mut Silent)
    }

    /// Runs the scan to its end on this thread and tells an observer what happens. A closure is an
    /// observer. It may [end the scan](Observer::event) with any game; that is not an error, and
    /// the outputs have the matches up to this game.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use babson::{Event, Query, Scan};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let games = folder.path().join("games.pgn");
    /// # std::fs::write(&games, "1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(100))?;
    /// let mut numbers = Vec::new();
    /// let summary = Scan::open([&games])?.query(&Query::compile("mate")?).observe(&mut |event| {
    ///     if let Event::Match { hit, .. } = event {
    ///         numbers.push(hit.game);
    ///     }
    ///     Ok(if numbers.len() < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    /// })?;
    /// assert_eq!(numbers, [1, 2, 3]);
    /// assert_eq!((summary.games, summary.ended_early), (3, true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Scan::run`].
    pub fn observe(self, observer: &mut dyn Observer) -> Result<Summary, Error> {
        let (inputs, tasks, settings) = self.prepared()?;
        babson_engine::scan(&inputs, tasks, &settings, observer)
    }

    /// The games that the first query matches.
    pub(crate) fn matching_games(
        self,
        observer: &mut dyn Observer,
    ) -> Result<(Summary, Vec<FoundGame>), Error> {
        let (inputs, tasks, settings) = self.prepared()?;
        let job = tasks.into_iter().next().map(|task| task.job).ok_or(Error::NoQuery)?;
        babson_engine::matching_games(&inputs, job, &settings, observer)
    }

    /// As [`Scan::observe`], but returns the outputs for the caller to
    /// [publish](Unpublished::publish), perhaps together with outputs of its own.
    ///
    /// # Errors
    /// As [`Scan::run`].
    pub fn run_unpublished(
        self,
        observer: &mut dyn Observer,
    ) -> Result<(Summary, Unpublished), Error> {
        let (inputs, tasks, settings) = self.prepared()?;
        babson_engine::scan_unpublished(&inputs, tasks, &settings, observer)
    }

    /// As [`Scan::run_unpublished`], but keeps the results of finished slices in a folder. If the
    /// scan is interrupted, the next one with the same queries and inputs goes on where it ended.
    /// Sinks and the observer get the matches and messages when all slices are searched. Two such
    /// scans may run at once in the same folder.
    ///
    /// ```
    /// use babson::scan::Silent;
    /// use babson::{FileSink, Query, Scan, Task};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let [games, out, kept] = ["games.pgn", "out.pgn", "kept"].map(|n| folder.path().join(n));
    /// # std::fs::write(&games, "[White \"a\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n")?;
    /// let query = Query::compile("mate")?;
    /// let scan = Scan::open([&games])?.task(Task::new(&query).sink(FileSink::pgn(&out)));
    /// let scanned = scan.resume(&kept, &mut Silent)?;
    /// assert!(kept.exists() && !out.exists());
    /// assert_eq!(scanned.publish()?.queries[0].matches, 1);
    /// assert!(out.exists() && !kept.exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Scan::run_unpublished`]; or an input is not a file, or the folder cannot be written.
    pub fn resume(self, folder: &Path, observer: &mut dyn Observer) -> Result<ResumedScan, Error> {
        let (inputs, tasks, settings) = self.prepared()?;
        babson_engine::scan_resumed(&inputs, tasks, &settings, folder, observer)
    }

    /// Cuts the inputs into at most `slices` slices (at least one). Each slice can be
    /// [searched](Scan::slice) by a thread, a process or a machine of its own, and the results are
    /// then [merged](Scan::merge). A slice may reach from one input into the next ones. The plan
    /// does not depend on queries, and the scan needs none.
    ///
    /// ```
    /// use babson::slices::SliceResult;
    /// use babson::{Query, Scan};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let games = folder.path().join("games.pgn");
    /// # std::fs::write(&games, "[White \"a\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(100))?;
    /// let query = Query::compile("mate")?;
    /// let scan = Scan::open([&games])?.query(&query);
    /// let mut results = Vec::new();
    /// for slice in scan.plan(3)? {
    ///     let mut bytes = Vec::new();
    ///     scan.slice(&slice, &mut bytes)?;
    ///     let name = format!("slice {}", slice.index);
    ///     results.push(SliceResult::read(name, std::io::Cursor::new(bytes))?);
    /// }
    /// assert_eq!(scan.merge(results)?.queries[0].matches, 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// An input that is not PGN, and so has no game, is left out: [`Scan::plan_observed`] tells.
    ///
    /// # Errors
    /// An input is not a file, its name is not UTF-8, or it cannot be read; or inputs are not PGN,
    /// and no other input has a game.
    pub fn plan(&self, slices: usize) -> Result<Vec<Slice>, Error> {
        self.plan_observed(slices, &mut Silent)
    }

    /// As [`Scan::plan`], and tells an observer of each input that is left out.
    ///
    /// # Errors
    /// As [`Scan::plan`].
    pub fn plan_observed(
        &self,
        slices: usize,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Slice>, Error> {
        let Settings { threads, mapped, .. } = self.settings;
        babson_engine::plan_observed(&self.inputs, slices, threads, mapped, observer)
    }

    /// Searches one slice of the [plan](Scan::plan) and writes its result, which is
    /// [read](SliceResult::read) and [merged](Scan::merge). Sinks get nothing yet. The slice names
    /// its files; the inputs of this scan are not read.
    ///
    /// # Errors
    /// A file is not the one of the plan or cannot be read, the result cannot be written, or a
    /// query needs the games in order and the plan has several slices. All errors of
    /// [`Scan::start`] can happen too.
    pub fn slice(&self, slice: &Slice, out: impl Write) -> Result<(), Error> {
        babson_engine::scan_slice(slice, self.jobs(), &self.checked_settings()?, "", out)
    }

    /// As [`Scan::slice`], to standard output or to a file that appears under its name only when it
    /// is complete. The note is for the caller: [`SliceResult::note`] returns it. The observer gets
    /// the progress and the threads that did not start. All other events come when the result is
    /// merged.
    ///
    /// # Errors
    /// As [`Scan::slice`]; or the output cannot be written. A pipe whose reader goes away ends the
    /// search with [`Error::ClosedPipe`].
    pub fn slice_to(
        &self,
        slice: &Slice,
        note: &str,
        destination: &PartDestination,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let settings = self.checked_settings()?;
        babson_engine::scan_slice_to(slice, self.jobs(), &settings, note, destination, observer)
    }

    /// Merges the results of all slices, in any order: what [`Scan::run`] would do with the whole
    /// inputs. Queries, limit and range must be those with which the slices were searched. The
    /// inputs of this scan are not read. The sinks get the matches, so the scan is consumed.
    ///
    /// A query that reads files (`readfile`, `similarposition`) is the same query only if its
    /// [host](crate::QueryBuilder::host) reads the same contents here as in the search of the
    /// slices. So slices that were searched with a [`SystemHost`](crate::host::SystemHost) cannot
    /// be merged with a [`RefusingHost`](crate::host::RefusingHost), nor after the file was
    /// changed.
    ///
    /// # Errors
    /// A result is missing, doubled, damaged, or of another plan or query: [`Error::SliceResult`]
    /// names it. As [`Scan::run`] otherwise.
    pub fn merge(self, results: Vec<SliceResult>) -> Result<Summary, Error> {
        let (_, tasks, settings) = self.prepared()?;
        babson_engine::merge(results, tasks, &settings, &mut Silent)
    }

    /// As [`Scan::merge`], but tells an observer what happened, and returns the outputs for the
    /// caller to complete.
    ///
    /// # Errors
    /// As [`Scan::merge`].
    pub fn merge_unpublished(
        self,
        results: Vec<SliceResult>,
        observer: &mut dyn Observer,
    ) -> Result<(Summary, Unpublished), Error> {
        let (_, tasks, settings) = self.prepared()?;
        babson_engine::merge_unpublished(results, tasks, &settings, observer)
    }

    /// The inputs, tasks and settings, checked.
    fn prepared(self) -> Result<(Vec<Input>, Vec<Task>, Settings), Error> {
        let settings = self.checked_settings()?;
        Ok((self.inputs, self.tasks, settings))
    }

    /// The queries with their options.
    fn jobs(&self) -> Vec<Job> {
        self.tasks.iter().map(|task| task.job.clone()).collect()
    }

    /// The settings, with the names of variants that the queries know, if queries can be run.
    fn checked_settings(&self) -> Result<Settings, Error> {
        if self.tasks.is_empty() && !self.allow_no_query {
            return Err(Error::NoQuery);
        }
        let mut settings = self.settings.clone();
        let mut known = (settings.variants != VariantNames::default())
            .then(|| ("the settings of the scan".to_owned(), &self.settings.variants));
        for (index, Task { job, .. }) in self.tasks.iter().enumerate() {
            let shown = match job.title.as_str() {
                "" => format!("query {index}"),
                name => format!("query {index} ({name})"),
            };
            match &known {
                Some((one, names)) if *names != job.program.variants() => {
                    return Err(Error::VariantNames { one: one.clone(), other: shown });
                }
                Some(_) => {}
                None => known = Some((shown, job.program.variants())),
            }
        }
        if let Some((_, names)) = known {
            settings.variants.clone_from(names);
        }
        Ok(settings)
    }
}
