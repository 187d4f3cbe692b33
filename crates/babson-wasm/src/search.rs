//! A search in slices of time.

use babson::Event;
use babson::run::RunLimit;
use babson::search::{SearchError, SearchStep, SourceSearch};
use babson_api::{
    ApiError, DamagedLine, ErrorCode, LimitOwner, MAX_TOLD_ERRORS, MatchLine, MessageLine,
    ProgressLine, RequestQuery, SearchLine, SearchRequest, StopReason, SummaryLine, body,
    ignored_files, untold_errors,
};

use crate::clock::{SliceClock, SliceEnd};
use crate::database::Databases;
use crate::places::{ChosenGames, Places};

/// A search that goes on when it is called: [`SearchRun::step`].
///
/// ```
/// use babson_wasm::{Database, Databases, SearchRun};
///
/// let mut databases = Databases::default();
/// databases.add(Database::read("mine", b"1. f3 e5 2. g4 Qh4# 0-1".to_vec())?);
/// let mut search = SearchRun::new(&databases, r#"{"query": "mate", "games": true}"#)?;
/// let lines = search.step(100.0, &|| 0.0);
/// assert!(lines.starts_with(r#"{"type":"match","database":"mine","game":1,"#), "{lines}");
/// assert!(lines.contains(r#"{"type":"summary","games":1,"matches":1,"#) && search.is_done());
/// # Ok::<(), babson_api::ApiError>(())
/// ```
pub struct SearchRun {
    search: SourceSearch<ChosenGames>,
    places: Places,
    /// Whether a match has its game as PGN.
    with_games: bool,
    limit: Option<u64>,
    clock: SliceClock,
    told_errors: usize,
    stopped: Option<StopReason>,
    /// The error that ended the search.
    failed: Option<ApiError>,
    is_done: bool,
    /// Lines that wait for the next step.
    lines: String,
}

impl SearchRun {
    /// Begins the search of a body.
    ///
    /// # Errors
    /// The call does not take the body, the query has an error, or no database has the name.
    pub fn new(databases: &Databases, text: &str) -> Result<SearchRun, ApiError> {
        let request: SearchRequest = body(text)?;
        let clock = SliceClock::new(request.timeout_seconds()?);
        let wrong = |message: &str| ApiError::new(ErrorCode::Request, message);
        if request.columns.is_some() {
            return Err(wrong("there are no columns here: a match has all that they show"));
        }
        let limit = request.match_limit()?;
        let places = Places::new(databases.chosen(request.databases.as_deref())?);
        let source = RequestQuery::new(&request.query, request.dialect)?;
        let query = source.compile_search(request.variations)?;
        let search = places.search(&query, limit).keep_pgn(request.games);
        let mut run = SearchRun {
            search,
            places,
            with_games: request.games,
            limit,
            clock,
            told_errors: 0,
            stopped: None,
            failed: None,
            is_done: false,
            lines: String::new(),
        };
        for note in ignored_files(&query) {
            run.message(None, note);
        }
        Ok(run)
    }

    /// Goes on for some milliseconds, or to the end, and returns the lines of the answer that came
    /// meanwhile, and how far it is. `now` is a clock in milliseconds. One game is searched at
    /// least, whatever it takes.
    pub fn step(&mut self, milliseconds: f64, now: &dyn Fn() -> f64) -> String {
        if self.is_done {
            return String::new();
        }
        let mut clock = self.clock;
        let end = clock.slice(milliseconds, now, || self.go_on());
        self.clock = clock;
        match end {
            SliceEnd::Done => self.end(),
            SliceEnd::Late => {
                self.stopped = Some(StopReason::Timeout);
                self.end();
            }
            SliceEnd::Over => self.push(&SearchLine::Progress(self.progress())),
        }
        std::mem::take(&mut self.lines)
    }

    /// Does what comes next. Returns whether only the last line is left.
    fn go_on(&mut self) -> bool {
        if self.stopped.is_some() {
            return true;
        }
        match self.search.step() {
            SearchStep::Event(event) => self.take(*event),
            SearchStep::Searched => {}
            SearchStep::Ended => return true,
        }
        self.stopped.is_some()
    }

    /// Ends the search: the next step gives only its last line.
    pub fn cancel(&mut self) {
        if !self.is_done {
            self.stopped.get_or_insert(StopReason::Cancelled);
        }
    }

    /// Whether the last line has come.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    fn progress(&self) -> ProgressLine {
        self.places.progress(&self.search, &self.clock)
    }

    /// Writes the last line.
    fn end(&mut self) {
        self.is_done = true;
        if let Some(text) = untold_errors(self.told_errors) {
            self.message(None, text);
        }
        let line = match self.failed.take() {
            Some(error) => SearchLine::Error(error),
            None => {
                let ProgressLine { games, total_games, matches, seconds } = self.progress();
                let is_full = self.limit.is_some_and(|limit| matches >= limit);
                let is_limited = is_full && games < total_games;
                let stopped = self.stopped.or(is_limited.then_some(StopReason::Limit));
                // Only the request has limits here.
                let owner = LimitOwner::Request;
                let stopped_by = stopped.and_then(|reason| reason.limit_owner(owner, owner));
                SearchLine::Summary(SummaryLine { games, matches, seconds, stopped, stopped_by })
            }
        };
        self.push(&line);
    }

    fn push(&mut self, line: &SearchLine) {
        self.lines.push_str(&line.to_json());
    }

    fn message(&mut self, game: Option<u64>, text: impl Into<String>) {
        let place = game.and_then(|game| self.places.of(game));
        let place = place.map(|(database, number)| (database.name.as_str(), number));
        let line = MessageLine::new(place, text);
        self.push(&SearchLine::Message(line));
    }

    fn take(&mut self, event: Result<Event, SearchError>) {
        let event = match event {
            Ok(event) => event,
            Err(error) => {
                self.failed = Some(ApiError::new(ErrorCode::Unreadable, error.to_string()));
                return;
            }
        };
        match event {
            Event::Match { hit, .. } => {
                let pgn = self.search.take_pgn(hit.game).filter(|_| self.with_games);
                let pgn = pgn.map(|pgn| String::from_utf8_lossy(&pgn).into_owned());
                let Some((database, number)) = self.places.of(hit.game) else { return };
                let line = MatchLine::new(&database.name, number, hit, pgn);
                self.push(&SearchLine::Match(Box::new(line)));
            }
            Event::Message { game, lines, .. } => {
                let text = String::from_utf8_lossy(&lines).trim_end_matches('\n').to_owned();
                self.message(game, text);
            }
            Event::Damaged(damaged) => {
                let Some((database, game)) = self.places.of(damaged.game) else { return };
                let line = DamagedLine {
                    database: database.name.clone(),
                    game,
                    line: damaged.line,
                    reason: damaged.reason.to_string(),
                    text: String::from_utf8_lossy(&damaged.text).into_owned(),
                    more: damaged.more,
                };
                self.push(&SearchLine::Damaged(line));
            }
            Event::RuntimeError { game, error, .. } if error.limit == Some(RunLimit::Steps) => {
                self.message(game, error.to_string());
                self.stopped = Some(StopReason::Steps);
            }
            Event::RuntimeError { error, .. } if error.fatal => {
                self.failed = Some(ApiError::new(ErrorCode::Runtime, error.to_string()));
            }
            Event::RuntimeError { game, error, .. } => {
                self.told_errors += 1;
                if self.told_errors <= MAX_TOLD_ERRORS {
                    self.message(game, error.to_string());
                }
            }
            // Nothing of the game is lost; a search of bytes gives no others.
            Event::Matched { .. }
            | Event::Noted(_)
            | Event::BrokenInput(_)
            | Event::FewerThreads { .. }
            | Event::Progress(_)
            | _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Database;

    #[test]
    fn a_search_that_is_cancelled_gives_only_its_last_line() {
        let mut databases = Databases::default();
        let text = "1. f3 e5 2. g4 Qh4# 0-1\n\n".repeat(100);
        databases.add(Database::read("mine", text.into_bytes()).unwrap());
        let mut search = SearchRun::new(&databases, r#"{"query": "mate"}"#).unwrap();
        let first = search.step(0.0, &|| 0.0);
        assert!(first.contains(r#""type":"match""#) && !search.is_done(), "{first}");
        search.cancel();
        let last = search.step(0.0, &|| 0.0);
        assert_eq!(last.lines().count(), 1, "{last}");
        assert!(last.contains(r#""stopped":"cancelled""#) && search.is_done(), "{last}");
    }
}
