//! Starting threads.
//!
//! A system may refuse to start one: `ulimit -u`, `ulimit -v`, a container with a limit of
//! processes. Then the work is done by the threads that did start.

use std::io;
use std::thread::{self, JoinHandle, Scope, ScopedJoinHandle};

use crate::channels::bounded;
use crate::error::Error;
use crate::limits::MIN_THREAD_MEMORY;

/// Starts the threads of a scope.
///
/// The standard library panics in a thread that started and has no memory for its signal stack. So
/// a thread is not started if little memory is left.
pub(crate) struct Starter {
    /// Whether there is memory for all the threads.
    has_room: bool,
}

impl Starter {
    /// Starts this number of threads.
    pub(crate) fn of(threads: usize) -> Starter {
        Starter { has_room: has_room(threads) }
    }

    /// Starts a thread.
    ///
    /// # Errors
    /// The system refuses it.
    pub(crate) fn start<'scope, T: Send + 'scope>(
        &self,
        scope: &'scope Scope<'scope, '_>,
        run: impl FnOnce() -> T + Send + 'scope,
    ) -> io::Result<ScopedJoinHandle<'scope, T>> {
        if self.has_room {
            #[cfg(test)]
            refusal::check()?;
            return thread::Builder::new().spawn_scoped(scope, run);
        }
        check_room()?;
        let (begun, wait) = bounded::<()>(0);
        let thread = thread::Builder::new().spawn_scoped(scope, move || {
            // The allocator sets memory apart for the thread now.
            std::hint::black_box(Vec::<u8>::with_capacity(1));
            drop(begun);
            run()
        });
        // The next thread sees the memory that this one leaves. The channel closes empty.
        let _ = thread.as_ref().map(|_| wait.recv());
        thread
    }
}

/// Starts a thread that stands alone.
///
/// # Errors
/// The system refuses it.
pub(crate) fn start<T: Send + 'static>(
    run: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    check_room()?;
    thread::Builder::new().spawn(run)
}

/// Checks that there is memory for a thread.
fn check_room() -> io::Result<()> {
    #[cfg(test)]
    refusal::check()?;
    if has_room(1) { Ok(()) } else { Err(io::ErrorKind::OutOfMemory.into()) }
}

/// Whether there is memory for this number of threads. It is only set apart, not touched.
fn has_room(threads: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(threads.saturating_mul(MIN_THREAD_MEMORY)).is_ok()
}

/// Does work that threads share on this thread and on `others`, or on as many of them as start.
///
/// # Errors
/// The panic of a thread.
pub(crate) fn share(others: usize, work: impl Fn() + Sync) -> Result<(), Error> {
    let (work, starter) = (&work, Starter::of(others));
    thread::scope(|scope| {
        // After the first refusal the next ones would follow.
        let started = (0..others).map_while(|_| starter.start(scope, work).ok());
        let started: Vec<_> = started.collect();
        let own = Error::catch(|| {
            work();
            Ok(())
        });
        let joined = started.into_iter().map(|thread| thread.join().map_err(Error::of_panic));
        joined.fold(own, Result::and)
    })
}

/// Refused threads, for tests.
#[cfg(test)]
pub(crate) mod refusal {
    use std::cell::Cell;
    use std::io;
    use std::ops::ControlFlow;

    use babson_vm::Event;

    use crate::error::Error;
    use crate::observer::Observer;

    thread_local! {
        /// How many more threads the current thread may start.
        static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
    }

    /// Runs a function that can start only this many threads from the current one.
    pub(crate) fn after<T>(threads: usize, run: impl FnOnce() -> T) -> T {
        let before = allow(threads);
        let value = run();
        LEFT.set(before);
        value
    }

    /// Lets the current thread start only this many more. Returns how many it could start.
    pub(crate) fn allow(threads: usize) -> usize {
        LEFT.replace(threads)
    }

    /// Records each time when fewer threads started: how many started, and how many were wanted.
    #[derive(Default)]
    pub(crate) struct ThreadRecorder(pub(crate) Vec<(usize, usize)>);

    impl Observer for ThreadRecorder {
        fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
            if let Event::FewerThreads { started, wanted } = event {
                self.0.push((started, wanted));
            }
            Ok(ControlFlow::Continue(()))
        }

        fn takes_matches(&self) -> bool {
            false
        }
    }

    pub(super) fn check() -> io::Result<()> {
        let left = LEFT.get();
        LEFT.set(left.saturating_sub(1));
        if left == 0 { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn work_is_shared_by_the_threads_that_start() {
        for (allowed, threads) in [(0, 1), (2, 3), (9, 5)] {
            let done = Mutex::new(0);
            let work = || *done.lock().unwrap() += 1;
            refusal::after(allowed, || share(4, work)).unwrap();
            assert_eq!(done.into_inner().unwrap(), threads, "{allowed}");
        }
        // Threads that wait for each other do the same work.
        let careful = Starter { has_room: false };
        let sum = thread::scope(|scope| {
            let threads: Vec<_> = (0..5).map(|one| careful.start(scope, move || one)).collect();
            threads.into_iter().map(|thread| thread.unwrap().join().unwrap()).sum::<i32>()
        });
        assert_eq!(sum, 10);
        let refused =
            refusal::after(0, || thread::scope(|scope| careful.start(scope, || ()).map(drop)));
        assert!(refused.is_err() && !has_room(usize::MAX));
        let panics = share(2, || panic!("poisoned"));
        assert!(matches!(panics, Err(Error::Panicked(text)) if text == "poisoned"));
    }
}
