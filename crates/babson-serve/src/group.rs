//! The call `group`.

use std::sync::atomic::Ordering;
use std::sync::{Arc, mpsc};
use std::time::Instant;

use axum::body::Body;
use axum::http::{Request, Response};
use babson::scan::Silent;
use babson::sink::{GroupKeys, GroupSink};
use babson::{CancelToken, Query, Scan, StopSignal, Task};
use babson_api::{ApiError, ErrorCode, GroupAnswer, GroupRequest, RequestQuery, body};

use crate::databases::DatabaseChoice;
use crate::respond::{json, read_body};
use crate::search::{compile, list, scan_error, timeout};
use crate::state::ServerState;

/// Groups that can be counted.
struct PreparedGroup {
    query: Query,
    keys: GroupKeys,
    choice: DatabaseChoice,
    limit: Option<u64>,
    deadline: std::time::Duration,
}

/// Cancels work when its client goes away.
pub(crate) struct CancelOnDrop(pub(crate) CancelToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Answers `group`.
pub(crate) async fn group(
    state: Arc<ServerState>,
    request: Request<Body>,
) -> Result<Response<Body>, ApiError> {
    let text = read_body(&state.config, request).await?;
    let prepared = state.short(move |state| PreparedGroup::new(state, &text)).await?;
    let pass = state.jobs.enter().await?;
    let running = state.begin_search();
    let _cancels = CancelOnDrop(running.token.clone());
    let answer = state.blocking(pass, move |state, pass| {
        let stop = StopSignal {
            cancel: Some(running.token.clone()),
            deadline: Instant::now().checked_add(prepared.deadline),
        };
        prepared.count(state, stop, state.threads(pass.running))
    });
    Ok(json(answer.await?))
}

impl PreparedGroup {
    fn new(state: &ServerState, text: &str) -> Result<PreparedGroup, ApiError> {
        let request: GroupRequest = body(text)?;
        let wrong = |message: String| ApiError::new(ErrorCode::Request, message);
        let deadline = timeout(state, request.timeout_seconds()?);
        let choice = state.databases.chosen(request.databases.as_deref())?;
        if request.limit == Some(0) {
            return Err(wrong("the limit must be at least 1".to_owned()));
        }
        let keys =
            GroupKeys::parse(&list(&request.by)).map_err(|error| wrong(error.to_string()))?;
        let source = RequestQuery::new(&request.query, request.dialect)?;
        let query = compile(&source, request.variations)?;
        keys.check(&query.column_names()).map_err(|error| wrong(error.to_string()))?;
        Ok(PreparedGroup { query, keys, choice, limit: request.limit, deadline })
    }

    fn count(
        self,
        state: &ServerState,
        stop: StopSignal,
        threads: usize,
    ) -> Result<String, ApiError> {
        let PreparedGroup { query, keys, choice, limit, .. } = self;
        let (sender, table) = mpsc::channel();
        let sink = GroupSink::new(keys, move |table| {
            // Nobody receives the table of a search that failed.
            let _ = sender.send(GroupAnswer::from(&table));
        });
        let mut task = Task::new(&query).sink(sink);
        if let Some(limit) = limit {
            task = task.limit(limit);
        }
        let scan = Scan::of(choice.inputs()).task(task).threads(threads).stop(stop);
        let summary =
            scan.observe(&mut Silent).map_err(|error| scan_error(state, &choice, error))?;
        state.metrics.games.fetch_add(summary.games, Ordering::Relaxed);
        let counted = summary.queries.into_iter().next().unwrap_or_default();
        state.metrics.matches.fetch_add(counted.matches, Ordering::Relaxed);
        if let Some(fatal) = counted.stopped {
            return Err(ApiError::new(ErrorCode::Runtime, fatal.message));
        }
        let table = table.recv().map_err(|_| state.internal("the groups are missing"))?;
        serde_json::to_string(&table).map_err(|error| state.internal(&error.to_string()))
    }
}
