//! The call `group`.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::Body;
use axum::http::{Request, Response};
use babson::run::RunLimit;
use babson::{Error, Event, Observer, Scan, StopSignal};
use babson_api::{
    ApiError, ErrorCode, GroupCell, GroupRequest, GroupSearch, MAX_TOLD_ERRORS, body, untold_errors,
};

use crate::databases::DatabaseChoice;
use crate::job::{TimeLimit, read_games, scan_error};
use crate::respond::{json, read_body};
use crate::state::ServerState;

/// Groups that can be counted.
struct PreparedGroup {
    search: GroupSearch,
    choice: DatabaseChoice,
    time: TimeLimit,
}

/// Answers `group`.
pub(crate) async fn group(
    state: Arc<ServerState>,
    request: Request<Body>,
) -> Result<Response<Body>, ApiError> {
    let text = read_body(&state.config, request).await?;
    let prepared = state.short(move |state| PreparedGroup::new(state, &text)).await?;
    let answer = read_games(&state, &state.jobs, move |state, pass, running| {
        let stop = running.stop(prepared.time);
        prepared.count(state, stop, state.threads(pass.running))
    });
    Ok(json(answer.await?))
}

impl PreparedGroup {
    fn new(state: &ServerState, text: &str) -> Result<PreparedGroup, ApiError> {
        let request: GroupRequest = body(text)?;
        let time = TimeLimit::new(state, request.timeout_seconds()?);
        let choice = state.databases.chosen(request.databases.as_deref())?;
        let search = GroupSearch::new(&request)?;
        Ok(PreparedGroup { search, choice, time })
    }

    fn count(
        self,
        state: &ServerState,
        stop: StopSignal,
        threads: usize,
    ) -> Result<String, ApiError> {
        let PreparedGroup { search, choice, time } = self;
        let scan = Scan::of(choice.inputs()).threads(threads).stop(stop);
        let mut observer = GroupObserver::new(&choice);
        let scanned = search.count(scan, &mut observer);
        let GroupObserver { mut messages, errors, steps, .. } = observer;
        messages.extend(untold_errors(errors));
        if let Some(steps) = steps {
            return Err(ApiError::new(ErrorCode::Runtime, steps));
        }
        let counted = scanned.map_err(|error| scan_error(state, &choice, time, error))?;
        state.metrics.games.fetch_add(counted.games, Ordering::Relaxed);
        state.metrics.matches.fetch_add(counted.matches, Ordering::Relaxed);
        let mut table = counted.answer?;
        table.messages = messages;
        for cell in table.rows.iter_mut().flatten() {
            if let GroupCell::Text(text) = cell {
                *text = choice.without_folder(text).to_owned();
            }
        }
        serde_json::to_string(&table).map_err(|error| state.internal(&error.to_string()))
    }
}

/// Notes which games are not counted. A query that takes too many steps ends the search, as in
/// `search`.
struct GroupObserver<'o> {
    choice: &'o DatabaseChoice,
    messages: Vec<String>,
    /// The number of games in which the query failed.
    errors: usize,
    /// The game in which the query took too many steps.
    steps: Option<String>,
}

impl GroupObserver<'_> {
    fn new(choice: &DatabaseChoice) -> GroupObserver<'_> {
        GroupObserver { choice, messages: Vec::new(), errors: 0, steps: None }
    }
}

impl Observer for GroupObserver<'_> {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        let choice = self.choice;
        match event {
            Event::RuntimeError { game, error, .. } if !error.fatal => {
                let told = || match game.map(|game| choice.place(game)) {
                    Some((database, game)) => format!("{database}, game {game}: {error}"),
                    None => error.to_string(),
                };
                if error.limit == Some(RunLimit::Steps) {
                    self.steps = Some(told());
                    return Ok(ControlFlow::Break(()));
                }
                self.errors += 1;
                if self.errors <= MAX_TOLD_ERRORS {
                    self.messages.push(told());
                }
            }
            Event::BrokenInput(broken) => {
                let name = choice.of_input(&broken.input);
                let reason = broken.full_reason();
                self.messages
                    .push(format!("the database `{name}` cannot be read to its end: {reason}"));
            }
            // They do not change what is counted; a fatal error is in the summary.
            Event::RuntimeError { .. }
            | Event::Match { .. }
            | Event::Matched { .. }
            | Event::Message { .. }
            | Event::Damaged(_)
            | Event::Noted(_)
            | Event::FewerThreads { .. }
            | Event::Progress(_)
            | _ => {}
        }
        Ok(ControlFlow::Continue(()))
    }

    fn takes_matches(&self) -> bool {
        false
    }
}
