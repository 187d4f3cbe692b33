//! What the calls share that read games: the time, the client that goes away, the error of a scan.

use std::sync::Arc;
use std::time::{Duration, Instant};

use babson::{CancelToken, Error, StopSignal, Stopped};
use babson_api::{ApiError, ErrorCode, LimitOwner};

use crate::databases::DatabaseChoice;
use crate::gate::{Gate, Pass};
use crate::state::ServerState;

/// A call that reads games, from the moment when it may, until it is dropped. The end of the server
/// can cancel it.
pub(crate) struct RunningCall {
    state: Arc<ServerState>,
    number: u64,
    pub(crate) token: CancelToken,
}

impl RunningCall {
    /// Waits at a gate for the right to read games.
    ///
    /// # Errors
    /// Too many wait already, or the server ends.
    pub(crate) async fn begin(
        state: &Arc<ServerState>,
        gate: &Gate,
    ) -> Result<(Pass, RunningCall), ApiError> {
        let waits = WaitingCall(Some(state.as_ref()));
        let pass = gate.enter().await;
        waits.end();
        let pass = pass?;
        let (number, token) = state.register();
        Ok((pass, RunningCall { state: Arc::clone(state), number, token }))
    }

    /// Counts the call as cancelled, if it was.
    pub(crate) fn end(self, is_cancelled: bool) {
        if is_cancelled {
            self.state.metrics.count_cancelled();
        }
    }

    /// What ends work that begins now.
    pub(crate) fn stop(&self, limit: TimeLimit) -> StopSignal {
        // A time that no clock has is none.
        let deadline = Instant::now().checked_add(limit.time);
        StopSignal { cancel: Some(self.token.clone()), deadline }
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        self.state.forget(self.number);
    }
}

/// A call that waits at a gate. If its client goes away, the call counts as cancelled.
struct WaitingCall<'s>(Option<&'s ServerState>);

impl WaitingCall<'_> {
    fn end(mut self) {
        self.0 = None;
    }
}

impl Drop for WaitingCall<'_> {
    fn drop(&mut self) {
        self.0.into_iter().for_each(|state| state.metrics.count_cancelled());
    }
}

/// Reads games for a call, away from the threads of the connections. The work is cancelled if the
/// client goes away.
///
/// # Errors
/// The error of the work; or too much work waits at the gate, the server ends, or the work panics.
pub(crate) async fn read_games<T, F>(
    state: &Arc<ServerState>,
    gate: &Gate,
    read: F,
) -> Result<T, ApiError>
where
    T: Send + 'static,
    F: FnOnce(&Arc<ServerState>, &Pass, &RunningCall) -> Result<T, ApiError> + Send + 'static,
{
    let (pass, running) = RunningCall::begin(state, gate).await?;
    let _cancels = CancelOnDrop(running.token.clone());
    let done = state.blocking(pass, move |state, pass| {
        let answer = read(state, pass, &running);
        // The client may still go away while it gets the answer.
        let is_cancelled = running.token.is_cancelled();
        running.end(is_cancelled);
        answer
    });
    done.await
}

/// Cancels work when its client goes away.
struct CancelOnDrop(CancelToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The time that work may take, and who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeLimit {
    time: Duration,
    pub(crate) owner: LimitOwner,
}

impl TimeLimit {
    /// The less of the time that a request names and the time that the server gives.
    pub(crate) fn new(state: &ServerState, seconds: Option<f64>) -> TimeLimit {
        let asked = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let (time, owner) = LimitOwner::least(asked, state.config.timeout);
        TimeLimit { time, owner }
    }

    /// The error of work that took longer.
    fn error(self) -> ApiError {
        let seconds = self.time.as_secs_f64();
        let whose = match self.owner {
            LimitOwner::Server => "that the server gives to a call",
            LimitOwner::Request => "that the request names",
        };
        let message = format!("the work took longer than the {seconds} s {whose}");
        ApiError::new(ErrorCode::Timeout, message)
    }
}

/// The error of a scan. Its own words may have the path of a file, so they go to the log.
pub(crate) fn scan_error(
    state: &ServerState,
    choice: &DatabaseChoice,
    time: TimeLimit,
    error: Error,
) -> ApiError {
    if let Error::Panicked(what) = error {
        return state.internal(&what);
    }
    if let Error::Fatal(fatal) = error {
        return ApiError::new(ErrorCode::Runtime, fatal.message);
    }
    if let Error::Stopped { stopped, .. } = error {
        return match stopped {
            Stopped::Deadline => time.error(),
            Stopped::Cancelled | _ => ApiError::new(ErrorCode::Ending, "the search was cancelled"),
        };
    }
    choice.changed().unwrap_or_else(|| {
        (state.config.log)(&format!("a search failed: {error}"));
        ApiError::new(ErrorCode::Unreadable, "the databases cannot be searched")
    })
}
