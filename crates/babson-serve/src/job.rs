//! What the calls share that read games: the time, the client that goes away, the error of a scan.

use std::time::{Duration, Instant};

use babson::{CancelToken, Error, StopSignal, Stopped};
use babson_api::{ApiError, ErrorCode};

use crate::databases::DatabaseChoice;
use crate::state::{RunningSearch, ServerState};

/// Cancels work when its client goes away.
pub(crate) struct CancelOnDrop(pub(crate) CancelToken);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The less of the time that a request names and the time that the server gives.
pub(crate) fn timeout(state: &ServerState, seconds: Option<f64>) -> Duration {
    let asked = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    asked.map_or(state.config.timeout, |asked| asked.min(state.config.timeout))
}

/// What ends work that begins now.
pub(crate) fn stop(running: &RunningSearch, timeout: Duration) -> StopSignal {
    // A time that no clock has is none.
    let deadline = Instant::now().checked_add(timeout);
    StopSignal { cancel: Some(running.token.clone()), deadline }
}

/// The error of a scan. Its own words may have the path of a file, so they go to the log.
pub(crate) fn scan_error(state: &ServerState, choice: &DatabaseChoice, error: Error) -> ApiError {
    if let Error::Panicked(what) = error {
        return state.internal(&what);
    }
    if let Error::Fatal(fatal) = error {
        return ApiError::new(ErrorCode::Runtime, fatal.message);
    }
    if let Error::Stopped { stopped, .. } = error {
        return match stopped {
            Stopped::Deadline => {
                ApiError::new(ErrorCode::Timeout, "the search took longer than it may")
            }
            Stopped::Cancelled | _ => ApiError::new(ErrorCode::Ending, "the search was cancelled"),
        };
    }
    choice.changed().unwrap_or_else(|| {
        (state.config.log)(&format!("a search failed: {error}"));
        ApiError::new(ErrorCode::Unreadable, "the databases cannot be searched")
    })
}
