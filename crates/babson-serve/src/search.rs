//! The call `search`.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use axum::body::Body;
use axum::http::header::{HeaderName, HeaderValue};
use axum::http::{Request, Response};
use babson::run::RunLimit;
use babson::sink::{Cell, Columns, Format, MatchText, MatchedGame, Omitted, TextSink};
use babson::{Error, Event, Observer, Query, Scan, StopSignal, Stopped, Summary, Task};
use babson_api::{
    ApiError, DamagedLine, ErrorCode, LimitOwner, MAX_TOLD_ERRORS, MatchLine, MessageLine,
    ProgressLine, RequestQuery, RowLine, SearchLine, SearchRequest, StopReason, SummaryLine, body,
    ignored_files, name_list, untold_errors,
};

use crate::databases::DatabaseChoice;
use crate::gate::Pass;
use crate::job::{RunningCall, TimeLimit, scan_error};
use crate::limits::PROGRESS_INTERVAL;
use crate::lines::{ClosedStream, LineWriter, lines};
use crate::respond::{read_body, typed};
use crate::state::ServerState;

/// The number of matching games after which a search ends, and who says so.
type MatchLimit = (u64, LimitOwner);

/// A search that can begin.
struct PreparedSearch {
    query: Query,
    choice: DatabaseChoice,
    limit: MatchLimit,
    time: TimeLimit,
    columns: Option<Columns>,
    games: bool,
    /// What the user should know before the search.
    notes: Vec<String>,
}

/// Answers `search` with a stream of lines. Errors of the request and of the query come before it.
pub(crate) async fn search(
    state: Arc<ServerState>,
    request: Request<Body>,
) -> Result<Response<Body>, ApiError> {
    let text = read_body(&state.config, request).await?;
    let prepared = state.short(move |state| PreparedSearch::new(state, &text)).await?;
    let (pass, running) = RunningCall::begin(&state, &state.jobs).await?;
    let (writer, stream) = lines(running.token.clone(), state.config.limits.write_time);
    tokio::task::spawn_blocking(move || {
        let stop = running.stop(prepared.time);
        let stopped = prepared.run(&state, writer, stop, &pass);
        running.end(stopped == Some(StopReason::Cancelled));
    });
    let mut response = typed("application/x-ndjson", Body::from_stream(stream));
    // A reverse proxy that would collect the lines passes them on.
    let headers = response.headers_mut();
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    Ok(response)
}

impl PreparedSearch {
    fn new(state: &ServerState, text: &str) -> Result<PreparedSearch, ApiError> {
        let request: SearchRequest = body(text)?;
        let wrong = |message: String| ApiError::new(ErrorCode::Request, message);
        let time = TimeLimit::new(state, request.timeout_seconds()?);
        let choice = state.databases.chosen(request.databases.as_deref())?;
        let limit = LimitOwner::least(request.match_limit()?, state.config.max_matches);
        let source = RequestQuery::new(&request.query, request.dialect)?;
        let query = source.compile_search(request.variations)?;
        let columns = request.columns.as_deref().map(|names| {
            let columns = Columns::parse(&name_list(names))?;
            columns.check(&query.column_names()).map(|()| columns)
        });
        let columns = columns.transpose().map_err(|error| wrong(error.to_string()))?;
        let notes = ignored_files(&query);
        let games = request.games;
        Ok(PreparedSearch { query, choice, limit, time, columns, games, notes })
    }

    /// Searches, and writes the lines. The first error of the writer ends the search. Returns why
    /// the search ended before the last game, if it did.
    fn run(
        self,
        state: &ServerState,
        writer: LineWriter,
        stop: StopSignal,
        pass: &Pass,
    ) -> Option<StopReason> {
        let began = Instant::now();
        let PreparedSearch { query, choice, limit, time, columns, games, notes } = self;
        let out = SharedWriter(Arc::new(Mutex::new(writer)));
        let noted = notes
            .into_iter()
            .try_for_each(|note| out.send(&SearchLine::Message(MessageLine::new(None, note))));
        let format = MatchFormat { choice: choice.clone(), columns, games };
        let for_matches = out.clone();
        let sink = TextSink::new("the answer", format, move |text| {
            for_matches.writer().push(text)?;
            Ok(ControlFlow::Continue(()))
        });
        let mut observer = SearchObserver {
            choice: &choice,
            out: &out,
            began,
            last_progress: began,
            progress: ProgressLine { total_games: choice.games(), ..ProgressLine::default() },
            told_errors: 0,
            stopped: None,
            is_closed: noted.is_err(),
        };
        let scan = Scan::of(choice.inputs()).task(Task::new(&query).limit(limit.0).sink(sink));
        let scan = scan.threads(state.threads(pass.running)).stop(stop);
        let scanned = scan.observe(&mut observer);
        let SearchObserver { progress, stopped, is_closed, told_errors, .. } = observer;
        let counted = scanned.as_ref().map_or(progress.games, |summary| summary.games);
        state.metrics.games.fetch_add(counted, Ordering::Relaxed);
        state.metrics.matches.fetch_add(progress.matches, Ordering::Relaxed);
        let seconds = began.elapsed().as_secs_f64();
        let end = End { choice: &choice, limit, time, progress, stopped, seconds };
        let line = end.line(state, scanned);
        if !is_closed {
            let untold = untold_errors(told_errors).map(|text| MessageLine::new(None, text));
            let untold = untold.map(SearchLine::Message);
            // Nobody may take the last lines, either.
            let sent = untold.iter().chain([&line]).try_for_each(|line| out.send(line));
            let _ = sent.and_then(|()| out.writer().flush());
        }
        if let SearchLine::Summary(summary) = line { summary.stopped } else { None }
    }
}

/// What is known at the end of a search.
struct End<'e> {
    choice: &'e DatabaseChoice,
    limit: MatchLimit,
    time: TimeLimit,
    progress: ProgressLine,
    stopped: Option<StopReason>,
    seconds: f64,
}

impl End<'_> {
    /// The last line.
    fn line(self, state: &ServerState, scanned: Result<Summary, Error>) -> SearchLine {
        let End { choice, limit, time, progress, stopped, seconds } = self;
        let ProgressLine { games, matches, .. } = progress;
        let summary = |games, matches, stopped: Option<StopReason>| {
            let stopped_by = stopped.and_then(|reason| reason.limit_owner(limit.1, time.owner));
            SearchLine::Summary(SummaryLine { games, matches, seconds, stopped, stopped_by })
        };
        match scanned {
            Ok(scanned) => {
                let query = scanned.queries.into_iter().next().unwrap_or_default();
                if let Some(fatal) = query.stopped {
                    return SearchLine::Error(ApiError::new(ErrorCode::Runtime, fatal.message));
                }
                let is_full = query.matches >= limit.0 && scanned.games < choice.games();
                let stopped = stopped.or(is_full.then_some(StopReason::Limit));
                summary(scanned.games, query.matches, stopped)
            }
            Err(Error::Stopped { stopped, .. }) => {
                let reason = match stopped {
                    Stopped::Deadline => StopReason::Timeout,
                    Stopped::Cancelled | _ => StopReason::Cancelled,
                };
                summary(games, matches, Some(reason))
            }
            Err(Error::Sink { .. }) => summary(games, matches, Some(StopReason::Cancelled)),
            Err(error) => SearchLine::Error(scan_error(state, choice, time, error)),
        }
    }
}

/// The writer of the lines, which the sink and the observer share. Both are called on one thread.
#[derive(Clone)]
struct SharedWriter(Arc<Mutex<LineWriter>>);

impl SharedWriter {
    fn writer(&self) -> MutexGuard<'_, LineWriter> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, line: &SearchLine) -> Result<(), ClosedStream> {
        self.writer().push(line.to_json().as_bytes())
    }
}

/// Takes the events of a search.
struct SearchObserver<'o> {
    choice: &'o DatabaseChoice,
    out: &'o SharedWriter,
    began: Instant,
    last_progress: Instant,
    progress: ProgressLine,
    told_errors: usize,
    /// Why the observer ended the search.
    stopped: Option<StopReason>,
    is_closed: bool,
}

impl SearchObserver<'_> {
    /// Sends a message of a game, or of none.
    fn message(&self, game: Option<u64>, text: impl Into<String>) -> Result<(), ClosedStream> {
        let place = game.map(|game| self.choice.place(game));
        self.out.send(&SearchLine::Message(MessageLine::new(place, text)))
    }

    fn take(&mut self, event: Event) -> Result<ControlFlow<()>, ClosedStream> {
        match event {
            Event::Match { .. } | Event::Matched { .. } => self.progress.matches += 1,
            Event::Message { game, lines, .. } => {
                let text = String::from_utf8_lossy(&lines);
                self.message(game, text.trim_end_matches('\n'))?;
            }
            Event::Damaged(damaged) => {
                let (database, game) = self.choice.place(damaged.game);
                self.out.send(&SearchLine::Damaged(DamagedLine {
                    database: database.to_owned(),
                    game,
                    line: damaged.line,
                    reason: damaged.reason.to_string(),
                    text: String::from_utf8_lossy(&damaged.text).into_owned(),
                    more: damaged.more,
                }))?;
            }
            Event::RuntimeError { game, error, .. } if error.limit == Some(RunLimit::Steps) => {
                self.message(game, error.to_string())?;
                self.stopped = Some(StopReason::Steps);
                return Ok(ControlFlow::Break(()));
            }
            // The last line tells of a fatal one.
            Event::RuntimeError { error, .. } if error.fatal => {}
            Event::RuntimeError { game, error, .. } => {
                self.told_errors += 1;
                if self.told_errors <= MAX_TOLD_ERRORS {
                    self.message(game, error.to_string())?;
                }
            }
            Event::BrokenInput(broken) => {
                let name = self.choice.of_input(&broken.input);
                let text = format!(
                    "the database `{name}` cannot be read to its end: {}",
                    broken.full_reason()
                );
                self.message(None, text)?;
            }
            Event::Progress(progress) => {
                self.progress.games = progress.games;
                if self.last_progress.elapsed() >= PROGRESS_INTERVAL {
                    self.last_progress = Instant::now();
                    self.progress.seconds = self.began.elapsed().as_secs_f64();
                    self.out.send(&SearchLine::Progress(self.progress))?;
                }
                self.out.writer().flush()?;
            }
            // Nothing of the game is lost, and the results are the same with fewer threads.
            Event::Noted(_) | Event::FewerThreads { .. } | _ => {}
        }
        Ok(ControlFlow::Continue(()))
    }
}

impl Observer for SearchObserver<'_> {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        if self.is_closed {
            return Err(Error::ClosedPipe);
        }
        self.take(event).map_err(|closed| {
            self.is_closed = true;
            Error::Sink { name: "the answer".to_owned(), source: Box::new(closed) }
        })
    }

    fn takes_matches(&self) -> bool {
        false
    }

    fn joins_messages(&self) -> bool {
        false
    }
}

/// The lines of matches.
struct MatchFormat {
    choice: DatabaseChoice,
    columns: Option<Columns>,
    games: bool,
}

impl Format for MatchFormat {
    fn append(&self, matched: &MatchedGame<'_>, out: &mut MatchText) -> Omitted {
        let (database, game) = self.choice.place(matched.number);
        let mut pgn = self.games.then(|| {
            let mut text = Vec::new();
            matched.append_pgn(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        let Some(columns) = &self.columns else {
            let line = MatchLine::new(database, game, matched.row(), pgn);
            let line = SearchLine::Match(Box::new(line)).to_json();
            out.bytes().extend_from_slice(line.as_bytes());
            return Omitted::default();
        };
        let headings: Vec<&str> = columns.headings().collect();
        columns.for_each_row(matched, |cells| {
            let cells = headings
                .iter()
                .zip(cells)
                .map(|(heading, cell)| (*heading, Json(&self.choice, cell)));
            let cells: Vec<_> = cells.collect();
            let row = RowLine { database, game, columns: &cells, pgn: pgn.as_deref() };
            // The keys of all maps are strings.
            let _ = serde_json::to_writer(&mut *out.bytes(), &row);
            out.bytes().push(b'\n');
            // The game is in its first row only.
            pgn = None;
        });
        Omitted::default()
    }
}

/// A cell of a column as JSON. The name of an input has no folder.
struct Json<'c>(&'c DatabaseChoice, &'c Cell<'c>);

impl serde::Serialize for Json<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json(choice, Cell::Text(text)) => serializer.serialize_str(choice.without_folder(text)),
            Json(_, Cell::Number(number)) => serializer.serialize_i64(*number),
            Json(_, Cell::None | _) => serializer.serialize_none(),
        }
    }
}
