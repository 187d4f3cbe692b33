//! Stopping a run from outside: the only place of the crate that looks at a clock or at what other
//! threads have set, and only if the caller asks for it.
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a stop comes from outside; a run that is not stopped depends on nothing of it"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// Stops a run before its end. By default nothing does.
///
/// A machine that is evaluating a game ends within a few milliseconds, with
/// [`RunError::Stopped`](crate::RunError::Stopped). Two things are waited for: the answer of a
/// program of `commandpipe`, for as long as the host gives it, and one search of a regular
/// expression without backtracking, which reads the text once.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use babson_vm::{CancelToken, StopSignal, Stopped};
///
/// let token = CancelToken::default();
/// let deadline = Some(Instant::now() + Duration::from_secs(60));
/// let signal = StopSignal { cancel: Some(token.clone()), deadline };
/// assert_eq!(signal.stopped(), None);
/// token.cancel();
/// assert_eq!(signal.stopped(), Some(Stopped::Cancelled));
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopSignal {
    /// Stops the run when it is [cancelled](CancelToken::cancel).
    pub cancel: Option<CancelToken>,
    /// Stops the run at this time.
    pub deadline: Option<Instant>,
}

impl StopSignal {
    /// Whether and why the run is to stop now.
    #[inline]
    pub fn stopped(&self) -> Option<Stopped> {
        if self.cancel.as_ref().is_some_and(CancelToken::is_cancelled) {
            return Some(Stopped::Cancelled);
        }
        self.deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| Stopped::Deadline)
    }

    /// The signal that stops a run when this one or another does. A token of the other is left out
    /// if this one has a token.
    #[must_use]
    pub fn or(self, other: &StopSignal) -> StopSignal {
        StopSignal {
            cancel: self.cancel.or_else(|| other.cancel.clone()),
            deadline: self.deadline.into_iter().chain(other.deadline).min(),
        }
    }

    /// The signal of a run that begins now and may take this time.
    #[must_use]
    pub fn within(self, timeout: Option<Duration>) -> StopSignal {
        if cfg!(all(target_family = "wasm", target_os = "unknown")) {
            return self;
        }
        let end = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        StopSignal { deadline: self.deadline.into_iter().chain(end).min(), ..self }
    }

    /// Whether it may stop a run at all.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.cancel.is_some() || self.deadline.is_some()
    }
}

/// Cancels runs, also from another thread: a [`StopSignal`] gets a clone.
///
/// ```
/// use babson_vm::CancelToken;
///
/// let token = CancelToken::default();
/// let other = token.clone();
/// std::thread::spawn(move || other.cancel()).join().unwrap();
/// assert!(token.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Cancels all runs with this token, for ever.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Why a run was stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Stopped {
    /// The token of [`StopSignal::cancel`] was cancelled.
    #[error("the run was canceled")]
    Cancelled,
    /// [`StopSignal::deadline`] has passed.
    #[error("the run reached its deadline")]
    Deadline,
}
