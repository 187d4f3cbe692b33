//! What all requests share.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use babson::CancelToken;
use babson_api::{ApiError, ErrorCode};

use crate::config::ServeConfig;
use crate::databases::Databases;
use crate::gate::{Gate, Pass};
use crate::metrics::Metrics;

/// What all requests share.
pub(crate) struct ServerState {
    pub(crate) config: ServeConfig,
    pub(crate) databases: Databases,
    /// For the work that searches games.
    pub(crate) jobs: Gate,
    /// For the work that reads one game. The page shows games while searches run.
    pub(crate) looks: Gate,
    /// For the work that only reads a query.
    short_work: Gate,
    pub(crate) metrics: Metrics,
    /// The tokens of the calls that read games, by a number of each.
    running: Mutex<BTreeMap<u64, CancelToken>>,
    next_call: AtomicU64,
    is_ending: AtomicBool,
}

impl ServerState {
    pub(crate) fn new(config: ServeConfig, databases: Databases) -> ServerState {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let waiting = config.limits.waiting;
        ServerState {
            databases,
            jobs: Gate::new(config.jobs, waiting),
            looks: Gate::new(cores, waiting),
            short_work: Gate::new(cores, waiting),
            metrics: Metrics::default(),
            running: Mutex::default(),
            next_call: AtomicU64::new(0),
            is_ending: AtomicBool::new(false),
            config,
        }
    }

    fn tokens(&self) -> MutexGuard<'_, BTreeMap<u64, CancelToken>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a call that reads games, so that the end of the server can cancel it. Returns its
    /// number.
    pub(crate) fn register(&self) -> (u64, CancelToken) {
        let number = self.next_call.fetch_add(1, Ordering::Relaxed);
        let token = CancelToken::default();
        self.tokens().insert(number, token.clone());
        (number, token)
    }

    /// Forgets a call that has ended.
    pub(crate) fn forget(&self, number: u64) {
        self.tokens().remove(&number);
    }

    /// The gate of the work that only reads a query.
    #[cfg(test)]
    pub(crate) fn short_gate(&self) -> &Gate {
        &self.short_work
    }

    /// Whether a call reads games.
    pub(crate) fn is_reading(&self) -> bool {
        !self.tokens().is_empty()
    }

    /// Cancels all calls that read games.
    pub(crate) fn cancel_all(&self) {
        self.tokens().values().for_each(CancelToken::cancel);
    }

    /// From now on no work begins.
    pub(crate) fn end(&self) {
        self.is_ending.store(true, Ordering::Relaxed);
        self.jobs.close();
        self.looks.close();
        self.short_work.close();
    }

    /// Whether the server ends.
    pub(crate) fn is_ending(&self) -> bool {
        self.is_ending.load(Ordering::Relaxed)
    }

    /// The threads of a search that begins while this many run.
    pub(crate) fn threads(&self, running: usize) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        (cores / running.max(1)).max(1)
    }

    /// Does work that only reads a query, away from the threads of the connections.
    ///
    /// # Errors
    /// The error of the work; or too much work waits, or it panics.
    pub(crate) async fn short<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Arc<ServerState>) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let pass = self.short_work.enter().await?;
        self.blocking(pass, move |state, _| work(state)).await
    }

    /// Does work with a pass, away from the threads of the connections.
    ///
    /// # Errors
    /// The error of the work, or it panics.
    pub(crate) async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        pass: Pass,
        work: impl FnOnce(&Arc<ServerState>, &Pass) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let state = Arc::clone(self);
        let done = tokio::task::spawn_blocking(move || work(&state, &pass)).await;
        done.unwrap_or_else(|panic| Err(self.internal(&panic.to_string())))
    }

    /// The error of a bug, which is logged.
    pub(crate) fn internal(&self, what: &str) -> ApiError {
        (self.config.log)(&format!("an internal error ended a request: {what}"));
        ApiError::new(ErrorCode::Internal, "an internal error ended the request; it is a bug")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_only_its_own_request() {
        let log = Arc::new(Mutex::new(Vec::new()));
        let lines = Arc::clone(&log);
        let mut config = ServeConfig::new(Vec::new());
        config.log = Arc::new(move |line| lines.lock().unwrap().push(line.to_owned()));
        let state = Arc::new(ServerState::new(config, Databases::default()));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for _ in 0..100 {
            let error = runtime.block_on(state.short::<()>(|_| panic!("a secret"))).unwrap_err();
            assert_eq!((error.code.status(), error.code), (500, ErrorCode::Internal));
            assert!(!error.message.contains("a secret"));
        }
        assert_eq!(runtime.block_on(state.short(|_| Ok(5))), Ok(5));
        assert!(log.lock().unwrap()[0].contains("an internal error ended a request"));
        state.end();
        let error = runtime.block_on(state.short(|_| Ok(5))).unwrap_err();
        assert_eq!(error.code, ErrorCode::Ending);
    }
}
