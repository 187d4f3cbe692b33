//! How many requests work at once, and how many wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use babson_api::{ApiError, ErrorCode};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Lets some requests work, and some more wait.
#[derive(Debug)]
pub(crate) struct Gate {
    permits: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    running: Arc<AtomicUsize>,
    most_waiting: usize,
}

/// The right to work, until it is dropped.
#[derive(Debug)]
pub(crate) struct Pass {
    _permit: OwnedSemaphorePermit,
    _running: Counted,
    /// The number of requests that work, this one included.
    pub(crate) running: usize,
}

/// One more of something, until it is dropped.
#[derive(Debug)]
struct Counted(Arc<AtomicUsize>);

impl Counted {
    /// Counts one, and returns how many there are with it.
    fn new(count: &Arc<AtomicUsize>) -> (Counted, usize) {
        let before = count.fetch_add(1, Ordering::Relaxed);
        (Counted(Arc::clone(count)), before + 1)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Gate {
    /// A gate for this many requests at work and this many that wait.
    pub(crate) fn new(at_work: usize, most_waiting: usize) -> Gate {
        Gate {
            permits: Arc::new(Semaphore::new(at_work.clamp(1, Semaphore::MAX_PERMITS))),
            waiting: Arc::default(),
            running: Arc::default(),
            most_waiting,
        }
    }

    /// Waits for the right to work. A request that goes away waits no more.
    ///
    /// # Errors
    /// Too many wait already, or the server ends.
    pub(crate) async fn enter(&self) -> Result<Pass, ApiError> {
        let permits = Arc::clone(&self.permits);
        let permit = match Arc::clone(&permits).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                let (_waits, waiting) = Counted::new(&self.waiting);
                if waiting > self.most_waiting && !permits.is_closed() {
                    let message = format!(
                        "{} requests wait already, and no more may wait: try it again later",
                        self.most_waiting
                    );
                    return Err(ApiError::new(ErrorCode::Busy, message));
                }
                permits.acquire_owned().await.map_err(|_| ending())?
            }
        };
        let (_running, running) = Counted::new(&self.running);
        Ok(Pass { _permit: permit, _running, running })
    }

    /// Lets nobody in any more; those who wait get an error.
    pub(crate) fn close(&self) {
        self.permits.close();
    }

    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    pub(crate) fn running(&self) -> usize {
        self.running.load(Ordering::Relaxed)
    }
}

/// The error of a request that comes too late.
fn ending() -> ApiError {
    ApiError::new(ErrorCode::Ending, "the server ends: try it again later")
}
