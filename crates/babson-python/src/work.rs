//! Work on a thread of its own, while the calling thread waits without the GIL and hears signals.
//!
//! Python runs the handlers of signals only on its main thread. So the search, which may take
//! hours, is on another one, and the thread that called it waits for what comes, in short turns.
//! Ctrl-C cancels the search by its token.

use std::sync::mpsc::{
    Receiver, RecvTimeoutError, SendError, SyncSender, TrySendError, sync_channel,
};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use babson::files::Ledger;
use babson::{CancelToken, StopSignal};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::errors::PlainError;
use crate::limits::{END_TIME, SIGNAL_INTERVAL, WAITING_GROUPS};

/// The exception that Python code raised on the thread of the work, such as a file object that is
/// read. It ends the work.
#[derive(Clone, Default)]
pub(crate) struct Raised(Arc<Mutex<RaisedState>>);

#[derive(Default)]
struct RaisedState {
    error: Option<PyErr>,
    /// Cancels the work that is going on.
    token: Option<CancelToken>,
}

impl Raised {
    /// Keeps the exception, and cancels the work.
    pub(crate) fn set(&self, error: PyErr) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.error.get_or_insert(error);
        if let Some(token) = &state.token {
            token.cancel();
        }
    }

    /// Whether the work is to end.
    pub(crate) fn is_cancelled(&self) -> bool {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.token.as_ref().is_some_and(CancelToken::is_cancelled)
    }

    fn watch(&self, token: &CancelToken) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).token = Some(token.clone());
    }

    fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).error.take()
    }
}

/// What work gives before its end, to the thread that waits for it.
pub(crate) struct Messages<M>(SyncSender<M>);

impl<M> Messages<M> {
    /// Sends a message. Waits if many are not taken yet.
    ///
    /// # Errors
    /// The channel is closed.
    pub(crate) fn send(&self, message: M) -> Result<(), SendError<M>> {
        self.0.send(message)
    }

    /// Sends a message if it is taken now or if there is room for it.
    ///
    /// # Errors
    /// The channel is full or closed.
    pub(crate) fn try_send(&self, message: M) -> Result<(), TrySendError<M>> {
        self.0.try_send(message)
    }
}

impl<M> Clone for Messages<M> {
    fn clone(&self) -> Messages<M> {
        Messages(self.0.clone())
    }
}

/// Work that is going on.
pub(crate) struct Work<M, R> {
    /// `None` once nothing more is taken.
    messages: Option<Receiver<M>>,
    thread: Option<JoinHandle<R>>,
    token: CancelToken,
    raised: Raised,
    /// The outputs, if they can be abandoned.
    ledger: Option<Ledger>,
    /// When signals were looked for last.
    looked: Instant,
    /// The process that the thread belongs to. A forked process has no such thread.
    process: u32,
}

impl<M: Send + 'static, R: Send + 'static> Work<M, R> {
    /// Starts work, which stops by the signal that it gets.
    pub(crate) fn start(
        raised: &Raised,
        timeout: Option<Duration>,
        work: impl FnOnce(StopSignal, Messages<M>) -> R + Send + 'static,
    ) -> PyResult<Work<M, R>> {
        let (sender, receiver) = sync_channel(WAITING_GROUPS);
        let token = CancelToken::default();
        raised.watch(&token);
        let cancel = Some(token.clone());
        let stop = StopSignal { cancel, ..StopSignal::default() }.within(timeout);
        let thread = std::thread::Builder::new()
            .name("babson".to_owned())
            .spawn(move || work(stop, Messages(sender)))
            .map_err(|error| {
                PyRuntimeError::new_err(format!("no thread could be started: {error}"))
            })?;
        Ok(Work {
            messages: Some(receiver),
            thread: Some(thread),
            token,
            raised: raised.clone(),
            ledger: None,
            looked: Instant::now(),
            process: std::process::id(),
        })
    }

    /// The next message; `None` at the end.
    ///
    /// # Errors
    /// The exception of a handler of a signal. The work is ended then. Or this process was forked
    /// after the work was started.
    pub(crate) fn next(&mut self, py: Python<'_>) -> PyResult<Option<M>> {
        if self.is_of_other_process() {
            return Err(PlainError::new_err(
                "the search was started before this process was forked, and goes on in the other \
                 process: start it again in this one",
            ));
        }
        loop {
            if self.looked.elapsed() >= SIGNAL_INTERVAL {
                self.looked = Instant::now();
                if let Err(error) = py.check_signals() {
                    self.end(py);
                    return Err(error);
                }
            }
            let Some(messages) = &mut self.messages else { return Ok(None) };
            if let Ok(message) = messages.try_recv() {
                return Ok(Some(message));
            }
            // Moved, since a receiver belongs to one thread at a time.
            match py.detach(move || messages.recv_timeout(SIGNAL_INTERVAL)) {
                Ok(message) => return Ok(Some(message)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }

    /// Waits for the end and returns the result; messages that are left are dropped. A handler of
    /// a signal may end it.
    ///
    /// # Errors
    /// The exception of a handler, or one that was [raised](Raised) on the thread of the work.
    pub(crate) fn finish(mut self, py: Python<'_>) -> PyResult<R> {
        while self.next(py)?.is_some() {}
        let thread = self.thread.take();
        let joined = py.detach(|| thread.map(JoinHandle::join));
        if let Some(error) = self.raised.take() {
            return Err(error);
        }
        match joined {
            Some(Ok(result)) => Ok(result),
            Some(Err(_)) | None => {
                Err(PyRuntimeError::new_err("an internal error ended the search"))
            }
        }
    }

    /// Ends the work now.
    pub(crate) fn end(&mut self, py: Python<'_>) {
        if self.is_of_other_process() {
            return;
        }
        self.token.cancel();
        // The thread may wait for room.
        self.messages = None;
        let Some(thread) = self.thread.take() else { return };
        let ledger = self.ledger.take();
        // The thread may need the GIL to read a file object.
        py.detach(|| {
            let Some(ledger) = ledger else { return drop(thread.join()) };
            let end = Instant::now() + END_TIME;
            while !thread.is_finished() && Instant::now() < end {
                std::thread::sleep(END_TIME / 20);
            }
            if thread.is_finished() {
                return drop(thread.join());
            }
            // It waits for the disk, and ends when it notices that it has no output any more.
            drop(ledger.abandon());
        });
    }
}

impl<M, R> Work<M, R> {
    fn is_of_other_process(&self) -> bool {
        self.process != std::process::id()
    }
}

impl<M, R> Drop for Work<M, R> {
    fn drop(&mut self) {
        let (messages, thread) = (self.messages.take(), self.thread.take());
        if self.is_of_other_process() {
            // The thread may have held their locks when the process was forked.
            std::mem::forget((messages, thread));
            return;
        }
        self.token.cancel();
        drop(messages);
        // The thread ends by itself. It cannot be waited for here: it may need the GIL, which the
        // caller has.
        drop(thread);
    }
}

/// Runs work that gives only its result.
///
/// # Errors
/// As [`Work::finish`].
pub(crate) fn run<R: Send + 'static>(
    py: Python<'_>,
    raised: &Raised,
    timeout: Option<Duration>,
    work: impl FnOnce(StopSignal) -> R + Send + 'static,
) -> PyResult<R> {
    Work::<(), R>::start(raised, timeout, move |stop, _messages| work(stop))?.finish(py)
}

/// The same for work with outputs. If it does not end soon when it is to, they are abandoned.
///
/// # Errors
/// As [`Work::finish`].
pub(crate) fn run_with_outputs<R: Send + 'static>(
    py: Python<'_>,
    raised: &Raised,
    ledger: Ledger,
    work: impl FnOnce(StopSignal) -> R + Send + 'static,
) -> PyResult<R> {
    let mut started = Work::<(), R>::start(raised, None, move |stop, _messages| work(stop))?;
    started.ledger = Some(ledger);
    started.finish(py)
}

/// A number of seconds as the time that a call may take.
///
/// # Errors
/// It is negative, or not a number.
pub(crate) fn timeout(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let Some(seconds) = seconds else { return Ok(None) };
    Duration::try_from_secs_f64(seconds).map(Some).map_err(|_| {
        pyo3::exceptions::PyValueError::new_err(format!(
            "a timeout is a number of seconds that is not negative, not {seconds}"
        ))
    })
}
