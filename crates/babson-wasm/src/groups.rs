//! The counting of groups, in slices of time.

use babson::Event;
use babson::run::RunLimit;
use babson::search::{SearchError, SearchStep, SourceSearch};
use babson::sink::GroupTally;
use babson_api::{
    ApiError, ErrorCode, GroupAnswer, GroupRequest, GroupSearch, MAX_TOLD_ERRORS, SearchLine, body,
};

use crate::calls::json;
use crate::clock::{SliceClock, SliceEnd};
use crate::database::Databases;
use crate::places::{ChosenGames, Places};

/// The counting of groups, which goes on when it is called: [`GroupRun::step`].
///
/// ```
/// use babson_wasm::{Database, Databases, GroupRun};
///
/// let mut databases = Databases::default();
/// databases.add(Database::read("mine", b"1. f3 e5 2. g4 Qh4# 0-1".to_vec())?);
/// let mut groups = GroupRun::new(&databases, r#"{"query": "mate", "by": ["san"]}"#)?;
/// while !groups.is_done() {
///     groups.step(100.0, &|| 0.0);
/// }
/// assert!(groups.answer()?.contains(r#""rows":[["Qh4#",1,1,0,0,1,0,0.0,null,100.0]]"#));
/// # Ok::<(), babson_api::ApiError>(())
/// ```
pub struct GroupRun {
    search: SourceSearch<ChosenGames>,
    places: Places,
    clock: SliceClock,
    tally: GroupTally,
    /// Which games are not counted, and why.
    messages: Vec<String>,
    failed: Option<ApiError>,
    is_done: bool,
}

impl GroupRun {
    /// Begins to count what the body asks for.
    ///
    /// # Errors
    /// The body is not what the call takes, the query or a key has an error, or there is no such
    /// database.
    pub fn new(databases: &Databases, text: &str) -> Result<GroupRun, ApiError> {
        let request: GroupRequest = body(text)?;
        let clock = SliceClock::new(request.timeout_seconds()?);
        let places = Places::new(databases.chosen(request.databases.as_deref())?);
        let groups = GroupSearch::new(&request)?;
        let search = places.search(groups.query(), groups.limit());
        let (tally, messages, failed, is_done) = (groups.tally()?, Vec::new(), None, false);
        Ok(GroupRun { search, places, clock, tally, messages, failed, is_done })
    }

    /// Goes on for some milliseconds, or to the end. Returns the line that says how far it is,
    /// which is empty at the end.
    pub fn step(&mut self, milliseconds: f64, now: &dyn Fn() -> f64) -> String {
        if self.is_done {
            return String::new();
        }
        let mut clock = self.clock;
        let end = clock.slice(milliseconds, now, || self.go_on());
        self.clock = clock;
        match end {
            SliceEnd::Done => String::new(),
            SliceEnd::Late => {
                self.fail(ErrorCode::Timeout, "the search took longer than it may");
                String::new()
            }
            SliceEnd::Over => {
                let progress = self.places.progress(&self.search, &self.clock);
                SearchLine::Progress(progress).to_json()
            }
        }
    }

    /// Does what comes next. Returns whether it is done.
    fn go_on(&mut self) -> bool {
        let GroupRun { search, tally, failed, .. } = self;
        let step = search.step_hits(|hit| {
            if let Err(error) = tally.add(&hit) {
                *failed = Some(ApiError::new(ErrorCode::Runtime, error.to_string()));
            }
        });
        match step {
            SearchStep::Event(event) => self.take(*event),
            SearchStep::Searched => {}
            SearchStep::Ended => self.is_done = true,
        }
        self.is_done |= self.failed.is_some();
        self.is_done
    }

    /// Ends it: the answer is an error.
    pub fn cancel(&mut self) {
        if !self.is_done {
            self.fail(ErrorCode::Ending, "the search was cancelled");
        }
    }

    /// Whether it is done.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// The table, in JSON.
    ///
    /// # Errors
    /// It is not done, it was cancelled, or it could not be counted to the end.
    pub fn answer(self) -> Result<String, ApiError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if !self.is_done {
            return Err(ApiError::new(ErrorCode::Busy, "the groups are not counted yet"));
        }
        let table = self.tally.finish();
        let table = table.map_err(|error| ApiError::new(ErrorCode::Runtime, error.to_string()))?;
        let mut answer = GroupAnswer::from(&table);
        answer.messages = self.messages;
        json(&answer)
    }

    fn fail(&mut self, code: ErrorCode, message: impl Into<String>) {
        self.failed = Some(ApiError::new(code, message));
        self.is_done = true;
    }

    fn take(&mut self, event: Result<Event, SearchError>) {
        let event = match event {
            Ok(event) => event,
            Err(error) => return self.fail(ErrorCode::Unreadable, error.to_string()),
        };
        match event {
            Event::RuntimeError { error, .. } if error.fatal => {
                self.fail(ErrorCode::Runtime, error.to_string());
            }
            Event::RuntimeError { game, error, .. } => {
                let text = match game.and_then(|game| self.places.of(game)) {
                    Some((database, game)) => format!("{}, game {game}: {error}", database.name),
                    None => error.to_string(),
                };
                if error.limit == Some(RunLimit::Steps) {
                    self.fail(ErrorCode::Runtime, text);
                } else if self.messages.len() < MAX_TOLD_ERRORS {
                    self.messages.push(text);
                }
            }
            // They do not change what is counted: a damaged game counts up to its damage.
            Event::Match { .. }
            | Event::Matched { .. }
            | Event::Message { .. }
            | Event::Damaged(_)
            | Event::Noted(_)
            | Event::BrokenInput(_)
            | Event::FewerThreads { .. }
            | Event::Progress(_)
            | _ => {}
        }
    }
}
