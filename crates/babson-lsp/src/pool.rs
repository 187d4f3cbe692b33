//! The threads that answer requests.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::Builder;

use crossbeam::channel::{Receiver, Sender, unbounded};

use crate::limits::STACK;

type Job = Box<dyn FnOnce() + Send>;

/// Threads that take jobs one after another. They end when the pool is dropped and their jobs are
/// done.
pub(crate) struct Pool {
    jobs: Sender<Job>,
}

impl Pool {
    /// Starts the threads, which have this name.
    ///
    /// # Errors
    /// The system has no thread.
    pub(crate) fn start(name: &str, threads: usize) -> io::Result<Pool> {
        let (jobs, todo): (Sender<Job>, Receiver<Job>) = unbounded();
        for number in 0..threads {
            let todo = todo.clone();
            let name = format!("{name}-{number}");
            let work = move || todo.iter().for_each(|job| job());
            Builder::new().name(name).stack_size(STACK).spawn(work)?;
        }
        Ok(Pool { jobs })
    }

    /// Runs a job on one of the threads.
    pub(crate) fn run(&self, job: impl FnOnce() + Send + 'static) {
        // The threads take jobs as long as the pool is there.
        let _ = self.jobs.send(Box::new(job));
    }
}

/// Calls a function, and returns the message of a panic in it.
///
/// # Errors
/// The function panicked.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        text.unwrap_or("a panic without a message").to_owned()
    })
}
