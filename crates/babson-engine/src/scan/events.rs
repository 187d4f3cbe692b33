//! A scan as an ordered pull of events.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::thread::JoinHandle;

use babson_input::Input;
use babson_vm::{CancelToken, Event};

use super::scan_unpublished;
use crate::channels::{Receiver, Sender, bounded};
use crate::error::Error;
use crate::limits::MAX_EVENT_BATCHES;
use crate::observer::Observer;
use crate::output::Unpublished;
use crate::summary::Summary;
use crate::task::{Settings, Task};
use crate::threads;

/// The thread of a scan, with what it gives.
type ScanThread = JoinHandle<Result<(Summary, Unpublished), Error>>;

/// A scan that runs on threads of its own, and its events.
///
/// The scan waits when the events are not taken, so its memory is bounded. Dropping it ends the
/// scan without outputs: at once, unless [`Settings::stop`] has a token; then when it next
/// reports progress, if the token is not cancelled before.
///
/// ```no_run
/// use babson_engine::{Event, Input, Job, RunningScan, Settings, Task};
/// use babson_lang::{Dialect, analyze};
///
/// let query = analyze("mate", Dialect::CQLI).unwrap().query;
/// let job = Job::new(&query).unwrap();
/// let (inputs, tasks) = (Input::expand("games.pgn")?, vec![Task::new(job)]);
/// let mut scan = RunningScan::start(inputs, tasks, Settings::default());
/// for event in scan.by_ref() {
///     if let Event::Match { hit, .. } = event {
///         println!("game {} of {}", hit.origin.number, hit.origin.input);
///     }
/// }
/// let summary = scan.finish()?;
/// # Ok::<(), babson_engine::Error>(())
/// ```
pub struct RunningScan {
    batches: Option<Receiver<Vec<Event>>>,
    ready: VecDeque<Event>,
    /// Cancels the scan, if the caller has no token.
    own_token: Option<CancelToken>,
    /// Why it could not be started, if it was not.
    thread: Option<Result<ScanThread, Error>>,
}

impl RunningScan {
    /// Starts a scan: see [`scan`](crate::scan).
    pub fn start(inputs: Vec<Input>, tasks: Vec<Task>, mut settings: Settings) -> RunningScan {
        // Other scans may use the same token of the caller.
        let own_token = settings.stop.cancel.is_none().then(CancelToken::default);
        settings.stop.cancel = settings.stop.cancel.or_else(|| own_token.clone());
        let (sender, batches) = bounded(MAX_EVENT_BATCHES);
        let thread = threads::start(move || {
            let mut sender = EventSender { batch: Vec::new(), out: sender };
            let result = scan_unpublished(&inputs, tasks, &settings, &mut sender);
            // The events of `cqlend`, and those before an error. Nobody may take them.
            let _ = sender.send();
            result
        });
        let thread = thread.map_err(|source| Error::Threads { source });
        let (batches, thread) = (Some(batches), Some(thread));
        RunningScan { batches, ready: VecDeque::new(), own_token, thread }
    }

    /// Waits for the end of the scan, takes the events that are left, and publishes the outputs.
    ///
    /// # Errors
    /// As [`scan`](crate::scan).
    pub fn finish(mut self) -> Result<Summary, Error> {
        while self.next().is_some() {}
        let thread = self.thread.take();
        let ended = thread.map_or(Err(Error::ClosedPipe), |thread| {
            thread?.join().unwrap_or_else(|panic| Err(Error::of_panic(panic)))
        });
        let (summary, outputs) = ended?;
        outputs.publish()?;
        Ok(summary)
    }
}

impl Iterator for RunningScan {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            match self.batches.as_ref().and_then(|batches| batches.recv().ok()) {
                Some(batch) => self.ready.extend(batch),
                None => return None,
            }
        }
    }
}

impl Drop for RunningScan {
    fn drop(&mut self) {
        self.batches = None;
        if let Some(token) = &self.own_token {
            token.cancel();
        }
        if let Some(Ok(thread)) = self.thread.take() {
            // Without a token of its own, the scan ends at its next event.
            let _ = thread.join();
        }
    }
}

/// Sends the events of a scan, in batches.
struct EventSender {
    batch: Vec<Event>,
    out: Sender<Vec<Event>>,
}

impl EventSender {
    fn send(&mut self) -> Result<(), Error> {
        if self.batch.is_empty() {
            return Ok(());
        }
        self.out.send(std::mem::take(&mut self.batch)).map_err(|_| Error::ClosedPipe)
    }
}

impl Observer for EventSender {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        let ends_batch = matches!(event, Event::Progress(_));
        self.batch.push(event);
        if ends_batch {
            self.send()?;
        }
        Ok(ControlFlow::Continue(()))
    }
}
