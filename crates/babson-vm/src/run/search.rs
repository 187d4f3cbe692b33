//! The search of a text for one query, on the calling thread: a stream of games and the run of a
//! query.

use std::collections::{HashMap, VecDeque};
use std::io::{self, Read};
use std::marker::PhantomData;
use std::ops::ControlFlow;

use babson_pgn::{Layout, Reader};

use super::{
    DamageSummary, GameAnswer, GameDamages, GameRun, GameSource, GameStream, NextGame, ReadPurpose,
    SourceGame, last_read, overlong_game,
};
use crate::limits::MAX_KEPT_DAMAGED;
use crate::{
    DamagedGame, Event, Hit, Machine, Match, Program, RunOptions, RuntimeError, SortValue,
    StopSignal, Stopped,
};

/// Iterator over the matches of a query in the games of a source, usually a stream:
/// [`Machine::search`].
///
/// A run-time error is an item, like a match, and the search goes on after it unless it is
/// [fatal](RuntimeError::fatal). The range of games, `matchcount` and the sort keys of the query
/// work as in the command: if the query sorts, its matches come after the last game, the best one
/// first, and wait in memory until then.
///
/// Damaged games are searched up to the damage: see [`Search::damaged`]. [`Search::events`] gives
/// everything in order, also the lines of `message` filters.
pub struct Search<'q, S: GameSource> {
    program: Program,
    options: RunOptions,
    /// A search of a borrowed query does not outlive it, although it has a handle of it.
    query: PhantomData<&'q Program>,
    layout: Layout,
    source: S,
    /// Changes the errors of the source.
    explain: fn(io::Error) -> io::Error,
    run: GameRun,
    reader: Reader,
    /// Reads a matching game again, with everything that its row needs.
    writer: Reader,
    limit: Option<u64>,
    last_number: Option<u64>,
    name: String,
    stage: Stage,
    /// Whether the matching games are kept as PGN.
    keeps_pgn: bool,
    found: Found,
}

/// What a step of a search gave: [`Search::step`].
#[derive(Debug)]
pub enum SearchStep {
    /// A match, a message, a damaged game, or an error.
    Event(Box<Result<Event, SearchError>>),
    /// A game was searched, or a block outside the games was run.
    Searched,
    /// The search has ended.
    Ended,
}

/// What a search has found, and not given to its caller yet.
#[derive(Default)]
struct Found {
    ready: VecDeque<Result<Event, SearchError>>,
    /// Whether matches wait to be sorted.
    sorts: bool,
    unsorted: Vec<(Vec<Option<SortValue>>, Match)>,
    damaged: Vec<DamagedGame>,
    /// The matching games by their numbers, if they are kept.
    pgn: HashMap<u64, Vec<u8>>,
    counts: SearchCounts,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Begin,
    Games,
    /// All games that count are searched.
    End,
    Done,
}

/// What a search has counted so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchCounts {
    /// Games read, without those after the range of the query.
    pub games: u64,
    /// Damaged games among them.
    pub damaged: u64,
    /// Games that matched.
    pub matches: u64,
    /// Games that were skipped because of a run-time error.
    pub failed: u64,
}

/// Why an item of a search is not a match.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The reader failed. The games before the failure were searched.
    #[error("cannot read after game {games}: {source}")]
    Read {
        /// The number of games before the failure.
        games: u64,
        /// The reason of the reader.
        source: io::Error,
    },
    /// A run-time error ended the evaluation on a game.
    #[error("{}{error}", place(*game))]
    Runtime {
        /// The number of the game; `None` outside the games.
        game: Option<u64>,
        /// The error. If it is fatal, it also ends the search.
        error: RuntimeError,
    },
    /// The search was stopped: see [`Search::stop`] and [`RunOptions::stop`].
    #[error("{stopped} after {games} games")]
    Stopped {
        /// How many games were searched.
        games: u64,
        /// Why it was stopped.
        #[source]
        stopped: Stopped,
    },
    /// The query asks for the number of the last game, which a stream does not tell before its end:
    /// see [`Search::last_number`].
    #[error("the query asks for the number of the last game, which is not known in a stream")]
    UnknownLastNumber,
}

fn place(game: Option<u64>) -> String {
    game.map(|game| format!("game {game}: ")).unwrap_or_default()
}

impl Machine {
    /// Searches the games of a PGN text, one after another. The search is a run of its own: it has
    /// the program and the [options](Machine::with_options) of this machine, and begins with the
    /// variables of a new one.
    ///
    /// Another format than PGN is an error, and so is a text without a tag pair or a move.
    ///
    /// ```
    /// use babson_vm::{Dialect, Machine, Program};
    ///
    /// let mut machine = Machine::new(Program::parse("mate", Dialect::CQLI)?);
    /// let bytes = b"1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"Ann\"]\n\n1. e4 *\n";
    /// for hit in machine.search(bytes) {
    ///     assert_eq!(hit?.positions[0].mv, "2...Qh4#");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn search<'m>(&'m mut self, games: &'m [u8]) -> Search<'m, GameStream<&'m [u8]>> {
        self.search_reader(games)
    }

    /// Does the same as [`Machine::search`] for the text that a reader gives: a file, a socket. It
    /// is read in pieces, and a game is searched when the next one begins.
    pub fn search_reader<R: Read>(&mut self, reader: R) -> Search<'_, GameStream<R>> {
        let (program, options) = self.own_options();
        Search::new(program, options, GameStream::new(reader))
    }
}

impl<'q, S: GameSource> Search<'q, S> {
    /// A search of the games of this source.
    pub fn new(program: &'q Program, options: &'q RunOptions, source: S) -> Search<'q, S> {
        Search::of_owned(program.clone(), options.clone(), source)
    }
}

impl<S: GameSource> Search<'static, S> {
    /// A search that owns its program, for a caller that keeps it among its own data and goes on
    /// with it later, such as an event loop.
    ///
    /// ```
    /// use babson_vm::run::{GameStream, Search, SearchStep};
    /// use babson_vm::{Dialect, Program, RunOptions};
    ///
    /// let program = Program::parse("mate", Dialect::CQLI)?;
    /// let games = &b"1. e4 *\n\n[White \"Ann\"]\n\n1. f3 e5 2. g4 Qh4# 0-1"[..];
    /// let source = GameStream::new(games);
    /// let mut search = Search::owned(program, RunOptions::default(), source).keep_pgn(true);
    /// let mut found = Vec::new();
    /// loop {
    ///     match search.step() {
    ///         SearchStep::Event(event) => found.push(event),
    ///         SearchStep::Searched => {}
    ///         SearchStep::Ended => break,
    ///     }
    /// }
    /// assert_eq!(found.len(), 1);
    /// assert!(search.take_pgn(2).unwrap().starts_with(b"[White"));
    /// # Ok::<(), babson_vm::ParseError>(())
    /// ```
    pub fn owned(program: Program, options: RunOptions, source: S) -> Search<'static, S> {
        Search::of_owned(program, options, source)
    }
}

impl<'q, S: GameSource> Search<'q, S> {
    fn of_owned(program: Program, options: RunOptions, source: S) -> Search<'q, S> {
        let found = Found { sorts: !program.sorts().is_empty(), ..Found::default() };
        Search {
            layout: options.layout(),
            source,
            explain: |error| error,
            run: GameRun::new(program.clone(), options.clone()),
            reader: program.reader(&options),
            writer: program.reader(&options),
            limit: None,
            last_number: None,
            name: String::new(),
            stage: Stage::Begin,
            keeps_pgn: false,
            found,
            program,
            options,
            query: PhantomData,
        }
    }

    /// The layout in which matches are written, instead of the one of the options.
    #[must_use]
    pub fn layout(mut self, layout: Layout) -> Search<'q, S> {
        self.layout = layout;
        self
    }

    /// Changes the errors of the reader before they become [`SearchError::Read`], for instance to
    /// say what reads a [foreign text](super::ForeignText).
    #[must_use]
    pub fn explain_read_errors(mut self, explain: fn(io::Error) -> io::Error) -> Search<'q, S> {
        self.explain = explain;
        self
    }

    /// Ends the search after this many matches, in the order of the games.
    #[must_use]
    pub fn limit(mut self, matches: u64) -> Search<'q, S> {
        self.limit = Some(matches);
        self.run = self.run.with_limit(Some(matches));
        self
    }

    /// Whether matches are sorted by the keys of the query (the default).
    #[must_use]
    pub fn sorted(mut self, sort: bool) -> Search<'q, S> {
        self.found.sorts = sort && !self.program.sorts().is_empty();
        self
    }

    /// The number of games that will come, for a query that asks for the number of the last game.
    #[must_use]
    pub fn last_number(mut self, games: u64) -> Search<'q, S> {
        self.last_number = Some(games);
        self.run = self.run.with_last_number(Some(games));
        self
    }

    /// Stops the search by this signal: it ends with [`SearchError::Stopped`].
    ///
    /// ```
    /// use babson_vm::run::SearchError;
    /// use babson_vm::{Dialect, Machine, Program, StopSignal, Stopped};
    ///
    /// let mut machine = Machine::new(Program::parse("while (true) true", Dialect::CQLI)?);
    /// let deadline = Some(std::time::Instant::now());
    /// let stop = StopSignal { deadline, ..StopSignal::default() };
    /// let error = machine.search(b"1. e4 *").stop(stop).next().unwrap().unwrap_err();
    /// assert!(matches!(error, SearchError::Stopped { stopped: Stopped::Deadline, games: 0 }));
    /// # Ok::<(), babson_vm::ParseError>(())
    /// ```
    #[must_use]
    pub fn stop(mut self, signal: StopSignal) -> Search<'q, S> {
        self.run = self.run.with_stop(signal);
        self
    }

    /// The name of the input in matches and reports of damage. By default it is empty.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Search<'q, S> {
        self.name = name.into();
        self
    }

    /// Whether the matching games are kept as PGN, with what the query added, until
    /// [`Search::take_pgn`] takes them.
    #[must_use]
    pub fn keep_pgn(mut self, keep: bool) -> Search<'q, S> {
        self.keeps_pgn = keep;
        self
    }

    /// Takes the matching game of this number as PGN, if it is kept.
    pub fn take_pgn(&mut self, number: u64) -> Option<Vec<u8>> {
        self.found.pgn.remove(&number)
    }

    /// Gives the next event, or searches one game more, so that the caller can do something else
    /// between the games.
    pub fn step(&mut self) -> SearchStep {
        if let Some(event) = self.found.ready.pop_front() {
            return SearchStep::Event(Box::new(event));
        }
        self.advance(&mut |hit| Some(hit.row()))
    }

    /// As [`Search::step`], but calls `take` with a match in place of an event. It is faster if not
    /// everything of a [`Match`] is needed. The matches come in the order of the games, even if the
    /// query sorts.
    pub fn step_hits(&mut self, mut take: impl FnMut(Hit<'_>)) -> SearchStep {
        if let Some(event) = self.found.ready.pop_front() {
            return SearchStep::Event(Box::new(event));
        }
        self.advance(&mut |hit| {
            take(hit);
            None
        })
    }

    /// Does what comes next. `row` makes of a match the row that is kept, if one is.
    fn advance(&mut self, row: &mut dyn FnMut(Hit<'_>) -> Option<Match>) -> SearchStep {
        match self.stage {
            Stage::Begin => self.begin(),
            Stage::Games => self.next_game(row),
            Stage::End => self.end(),
            Stage::Done => return SearchStep::Ended,
        }
        SearchStep::Searched
    }

    /// The damaged games so far, at most 1,000; [`Search::counts`] counts all of them, and
    /// [`Search::events`] gives all.
    pub fn damaged(&self) -> &[DamagedGame] {
        &self.found.damaged
    }

    /// What was counted so far.
    pub fn counts(&self) -> SearchCounts {
        self.found.counts
    }

    /// Iterator over everything that happens, in the order of the games: matches, lines of
    /// `message` filters, damaged games, run-time errors. The item of a reader that fails is an
    /// error.
    pub fn events(self) -> SearchEvents<'q, S> {
        SearchEvents { search: self }
    }

    /// Calls `take` with each match and each error, until it breaks. It is faster than the iterator
    /// if not everything of a [`Match`] is needed: the FENs and moves of all matching positions
    /// take longer than the search of the game. The matches come in the order of the games, even if
    /// the query sorts.
    ///
    /// It searches only the games that the search has not searched yet. The iterator of a search
    /// that sorts searches all games before it gives the first match. The other matches then come
    /// only from the iterator.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use babson_vm::{Dialect, Machine, Program};
    ///
    /// let mut machine = Machine::new(Program::parse("btm", Dialect::CQLI)?);
    /// let mut positions = 0;
    /// let mut search = machine.search(b"1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n");
    /// let end = search.for_each_hit(|hit| match hit {
    ///     Ok(hit) => {
    ///         positions += hit.positions().len();
    ///         ControlFlow::Continue(())
    ///     }
    ///     Err(error) => ControlFlow::Break(error),
    /// });
    /// assert!(end.is_continue());
    /// assert_eq!(positions, 3);
    /// # Ok::<(), babson_vm::ParseError>(())
    /// ```
    pub fn for_each_hit<B>(
        &mut self,
        mut take: impl FnMut(Result<Hit<'_>, SearchError>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut rows = VecDeque::new();
        let flow = self.visit_hits(&mut take, &mut rows);
        rows.append(&mut self.found.ready);
        self.found.ready = rows;
        flow
    }

    /// As [`Search::for_each_hit`]. The matches that are rows already are moved to `rows`.
    fn visit_hits<B>(
        &mut self,
        take: &mut dyn FnMut(Result<Hit<'_>, SearchError>) -> ControlFlow<B>,
        rows: &mut VecDeque<Result<Event, SearchError>>,
    ) -> ControlFlow<B> {
        loop {
            while let Some(event) = self.found.ready.pop_front() {
                let error = match event {
                    Ok(Event::RuntimeError { game, error, .. }) => {
                        SearchError::Runtime { game, error }
                    }
                    Ok(Event::Match { .. }) => {
                        rows.push_back(event);
                        continue;
                    }
                    // What the iterator leaves out too.
                    Ok(_) => continue,
                    Err(error) => error,
                };
                take(Err(error))?;
            }
            let mut flow = ControlFlow::Continue(());
            let step = self.advance(&mut |hit| {
                flow = take(Ok(hit));
                None
            });
            if matches!(step, SearchStep::Ended) {
                return flow;
            }
            flow?;
        }
    }

    fn next_event(&mut self) -> Option<Result<Event, SearchError>> {
        loop {
            match self.step() {
                SearchStep::Event(event) => return Some(*event),
                SearchStep::Searched => {}
                SearchStep::Ended => return None,
            }
        }
    }

    fn begin(&mut self) {
        if self.program.wants_last_number() && self.last_number.is_none() {
            self.found.ready.push_back(Err(SearchError::UnknownLastNumber));
            self.stage = Stage::Done;
            return;
        }
        self.stage = if self.limit == Some(0) { Stage::End } else { Stage::Games };
        self.run.begin();
        if !self.take_block() {
            self.stage = Stage::Done;
        }
    }

    fn end(&mut self) {
        self.stage = Stage::Done;
        self.run.end();
        if self.take_block()
            && let Some(error) = self.run.machine_mut().close_pipes()
        {
            self.found.stop(None, error);
        }
        let program = &self.program;
        let mut sorted = std::mem::take(&mut self.found.unsorted);
        sorted.sort_by(|(one, a), (two, b)| program.compare(one, two).then(a.game.cmp(&b.game)));
        let hits = sorted.into_iter().map(|(_, hit)| Ok(Event::Match { query: 0, hit }));
        self.found.ready.extend(hits);
    }

    /// Reports what a block outside the games did. Returns whether the search goes on.
    fn take_block(&mut self) -> bool {
        let outcome = self.run.outcome();
        self.found.message(None, &outcome.messages);
        let Some(error) = &outcome.error else { return true };
        self.found.stop(None, error.clone());
        false
    }

    /// Ends a search that is stopped. Sorted matches are lost with it, as after an error.
    fn stop_after(&mut self, games: u64, stopped: Stopped) {
        self.found.unsorted.clear();
        self.found.ready.push_back(Err(SearchError::Stopped { games, stopped }));
        self.stage = Stage::Done;
    }

    /// Passes over games that cannot match, to judge by the guard of the query.
    fn skip(&mut self, games: u64) {
        let range = self.program.header().game_range();
        let first = self.found.counts.games + 1;
        let end = first.saturating_add(games);
        let read = end.min(last_read(range, &self.options).saturating_add(1)).max(first);
        self.found.counts.games += read - first;
        let (low, high) = range.unwrap_or((0, u64::MAX));
        self.run.skip(read.min(high.saturating_add(1)).saturating_sub(first.max(low)));
        if read < end {
            self.stage = Stage::End;
        }
    }

    /// Searches the next game. `row` makes of a match the row that is kept, if one is.
    fn next_game(&mut self, row: &mut dyn FnMut(Hit<'_>) -> Option<Match>) {
        let Search { program, options, source, run, reader, writer, found, .. } = self;
        let name = self.name.as_str();
        let mut game = match source.find_next(program.game_guard(options)) {
            Ok(Some(NextGame::Game(game))) => game,
            Ok(Some(NextGame::Skipped(games))) => return self.skip(games),
            Ok(None) => {
                self.stage = Stage::End;
                return;
            }
            Err(source) => {
                let (games, source) = (found.counts.games, (self.explain)(source));
                found.ready.push_back(Err(SearchError::Read { games, source }));
                self.stage = Stage::Done;
                return;
            }
        };
        if let Some(stopped) = run.stopped() {
            let games = found.counts.games;
            return self.stop_after(games, stopped);
        }
        let number = found.counts.games + 1;
        if number > last_read(program.header().game_range(), options) {
            self.stage = Stage::End;
            return;
        }
        found.counts.games = number;
        if !run.is_inside(number) {
            return;
        }
        if let SourceGame::Text(game) = &mut game
            && game.is_overlong
        {
            found.damage(false, overlong_game(name, game.line_of(0), number, game.text));
            return;
        }
        let text = game.text();
        let origin = game.origin(name, number);
        let needs = run.needs();
        // A game that cannot match, to judge by its tags, is not replayed.
        let by_tags = needs.has_moves() && !needs.damage;
        let mut damages = GameDamages::default();
        let read = text.read_if(reader, needs, |head| !by_tags || run.can_match(head, number));
        match read {
            Ok((read, true)) => {
                damages.add(&read, None, ReadPurpose::Search);
                let answer = run.search(&read, number);
                if let (GameAnswer::Stopped, Some(stopped)) = (answer, run.stopped()) {
                    return self.stop_after(number - 1, stopped);
                }
                let outcome = run.outcome();
                // The order of a scan's events.
                found.message(Some(number), &outcome.messages);
                match (answer, &outcome.error) {
                    (GameAnswer::Match, _) => {
                        let whole = match read.is_whole() {
                            true => Ok(read),
                            false => text.read(writer, program.output_needs()),
                        };
                        match whole {
                            Ok(whole) => {
                                run.add_match();
                                let outcome = run.outcome();
                                damages.add(&whole, None, ReadPurpose::Match);
                                let hit = Hit::new(program, options, whole, outcome, number);
                                let hit = hit.with_layout(self.layout).with_origin(origin);
                                if self.keeps_pgn {
                                    found.pgn.insert(number, hit.pgn());
                                }
                                found.take_match(&outcome.sort, row(hit));
                            }
                            // A match that cannot be written is not counted.
                            Err(error) => damages.push(DamageSummary::of_codes(&error)),
                        }
                    }
                    (GameAnswer::Failed, Some(error)) => found.fail(number, error.clone()),
                    (GameAnswer::NoMatch | GameAnswer::Failed | GameAnswer::Stopped, _) => {}
                }
            }
            Ok((read, false)) => {
                damages.add(&read, None, ReadPurpose::Search);
                run.skip(1);
            }
            Err(error) => damages.push(DamageSummary::of_codes(&error)),
        }
        for (_, damage) in damages.ranked() {
            let mut report = damage.report(origin.input, game.line_of(damage.start), number);
            game.blame(&mut report);
            found.damage(damage.note, report);
        }
        if run.has_ended() {
            let is_stopped = run.outcome().error.is_some();
            self.stage = if is_stopped { Stage::Done } else { Stage::End };
        }
    }
}

impl Found {
    fn message(&mut self, game: Option<u64>, lines: &[u8]) {
        if !lines.is_empty() {
            self.ready.push_back(Ok(Event::Message { query: 0, game, lines: lines.to_vec() }));
        }
    }

    /// Counts a match and keeps its row, if it has one.
    fn take_match(&mut self, keys: &[Option<SortValue>], row: Option<Match>) {
        self.counts.matches += 1;
        match row {
            Some(hit) if self.sorts => self.unsorted.push((keys.to_vec(), hit)),
            Some(hit) => self.ready.push_back(Ok(Event::Match { query: 0, hit })),
            None => {}
        }
    }

    /// Takes a run-time error of a game.
    fn fail(&mut self, game: u64, error: RuntimeError) {
        if error.fatal {
            return self.stop(Some(game), error);
        }
        self.counts.failed += 1;
        self.ready.push_back(Ok(Event::RuntimeError { query: 0, game: Some(game), error }));
    }

    /// Takes the error that ends the search. Sorted matches are lost with the run, as in the
    /// command.
    fn stop(&mut self, game: Option<u64>, error: RuntimeError) {
        self.ready.push_back(Ok(Event::RuntimeError { query: 0, game, error }));
        self.unsorted.clear();
    }

    fn damage(&mut self, note: bool, game: DamagedGame) {
        if note {
            self.ready.push_back(Ok(Event::Noted(game)));
            return;
        }
        self.counts.damaged += 1;
        if self.damaged.len() < MAX_KEPT_DAMAGED {
            self.damaged.push(game.clone());
        }
        self.ready.push_back(Ok(Event::Damaged(game)));
    }
}

impl<S: GameSource> Iterator for Search<'_, S> {
    type Item = Result<Match, SearchError>;

    fn next(&mut self) -> Option<Result<Match, SearchError>> {
        loop {
            let event = match self.next_event()? {
                Ok(event) => event,
                Err(error) => return Some(Err(error)),
            };
            if let Event::RuntimeError { game, error, .. } = event {
                return Some(Err(SearchError::Runtime { game, error }));
            }
            // `damaged` has the damaged games, and `events` has everything.
            if let Event::Match { hit, .. } = event {
                return Some(Ok(hit));
            }
        }
    }
}

/// Iterator over the events of a search: [`Search::events`].
pub struct SearchEvents<'q, S: GameSource> {
    search: Search<'q, S>,
}

impl<S: GameSource> SearchEvents<'_, S> {
    /// What was counted so far.
    pub fn counts(&self) -> SearchCounts {
        self.search.counts()
    }
}

impl<S: GameSource> Iterator for SearchEvents<'_, S> {
    type Item = Result<Event, SearchError>;

    fn next(&mut self) -> Option<Result<Event, SearchError>> {
        self.search.next_event()
    }
}
