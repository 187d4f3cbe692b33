//! A scan as work: what it tells while it runs, and what is said at its end.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use babson::event::Progress;
use babson::{Error, Event, Observer, Scan, Summary};
use pyo3::prelude::*;

use crate::errors::{DataWarning, InputError, PlainError, add_note, scan_error};
use crate::limits::PROGRESS_INTERVAL;
use crate::work::{Messages, Raised, Work};

/// What a scan tells before its end.
pub(crate) enum Message<T> {
    /// Some of what it finds.
    Found(Vec<T>),
    /// Lines of `message` filters.
    Lines(Vec<u8>),
    /// How far it is.
    Progress(Progress),
}

/// What happened to single games and inputs.
#[derive(Debug, Default)]
pub(crate) struct Remarks {
    damaged: Option<String>,
    failed: Option<String>,
    threads: Option<String>,
    broken: Vec<String>,
}

/// The result of a scan.
pub(crate) type Scanned = Result<(Summary, Remarks), Error>;

/// A scan that is going on.
pub(crate) struct Running<T> {
    work: Work<Message<T>, Scanned>,
    /// What is called with the progress, and the bytes of all inputs.
    progress: Option<(Py<PyAny>, u64)>,
}

impl<T: Send + 'static> Running<T> {
    /// Starts a scan. `prepare` gives it its queries, and sends what they find.
    pub(crate) fn start(
        raised: &Raised,
        timeout: Option<Duration>,
        progress: Option<(Py<PyAny>, u64)>,
        prepare: impl FnOnce(Messages<Message<T>>) -> Result<Scan, Error> + Send + 'static,
    ) -> PyResult<Running<T>> {
        let tells = progress.is_some();
        let work = Work::start(raised, timeout, move |stop, messages: Messages<Message<T>>| {
            let scan = prepare(messages.clone())?.stop(stop);
            let mut teller = Teller { messages, tells, told: None, remarks: Remarks::default() };
            let summary = scan.observe(&mut teller)?;
            Ok((summary, teller.remarks))
        })?;
        Ok(Running { work, progress })
    }

    /// What is found next; `None` at the end.
    pub(crate) fn next(&mut self, py: Python<'_>) -> PyResult<Option<Vec<T>>> {
        while let Some(message) = self.work.next(py)? {
            let told = match message {
                Message::Found(found) => return Ok(Some(found)),
                Message::Lines(lines) => print(py, &lines),
                Message::Progress(progress) => self.tell(py, progress),
            };
            if let Err(error) = told {
                self.work.end(py);
                return Err(error);
            }
        }
        Ok(None)
    }

    fn tell(&self, py: Python<'_>, progress: Progress) -> PyResult<()> {
        let Some((callable, total)) = &self.progress else { return Ok(()) };
        let class = py.import("babson._errors")?.getattr("Progress")?;
        let Progress { games, matches, input_bytes, .. } = progress;
        callable.call1(py, (class.call1((games, matches, input_bytes, *total))?,))?;
        Ok(())
    }

    /// Waits for the end. What is left of the finds is dropped.
    ///
    /// # Errors
    /// The scan failed, or an input could not be read to its end.
    pub(crate) fn finish(mut self, py: Python<'_>) -> PyResult<Summary> {
        while self.next(py)?.is_some() {}
        let (summary, remarks) = self.work.finish(py)?.map_err(scan_error)?;
        remarks.tell(py, &summary)?;
        Ok(summary)
    }

    /// Ends the scan now.
    pub(crate) fn end(&mut self, py: Python<'_>) {
        self.work.end(py);
    }
}

/// An iterator of Python over what a scan finds.
pub(crate) struct FoundItems<T> {
    // Python may pass it to another thread, one at a time.
    running: Mutex<Option<Running<T>>>,
    ready: std::vec::IntoIter<T>,
    games: Option<u64>,
}

impl<T: Send + 'static> FoundItems<T> {
    pub(crate) fn new(running: Running<T>) -> FoundItems<T> {
        let running = Mutex::new(Some(running));
        FoundItems { running, ready: Vec::new().into_iter(), games: None }
    }

    fn running(&mut self) -> &mut Option<Running<T>> {
        self.running.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is found next; `None` at the end.
    ///
    /// # Errors
    /// The scan failed; then nothing comes any more.
    pub(crate) fn next(&mut self, py: Python<'_>) -> PyResult<Option<T>> {
        loop {
            if let Some(found) = self.ready.next() {
                return Ok(Some(found));
            }
            let Some(running) = self.running() else { return Ok(None) };
            match running.next(py) {
                Ok(Some(found)) => self.ready = found.into_iter(),
                Ok(None) => {
                    let summary = self.running().take().map(|running| running.finish(py));
                    self.games = summary.transpose()?.map(|summary| summary.games);
                }
                Err(error) => {
                    *self.running() = None;
                    return Err(error);
                }
            }
        }
    }

    /// How many games were searched; `None` before the end.
    pub(crate) fn games(&self) -> Option<u64> {
        self.games
    }

    /// Ends the scan.
    pub(crate) fn close(&mut self, py: Python<'_>) {
        self.ready = Vec::new().into_iter();
        if let Some(mut running) = self.running().take() {
            running.end(py);
        }
    }
}

/// Writes lines to `sys.stdout`, which a notebook shows.
fn print(py: Python<'_>, lines: &[u8]) -> PyResult<()> {
    let text = String::from_utf8_lossy(lines);
    py.import("sys")?.getattr("stdout")?.call_method1("write", (&*text,))?;
    Ok(())
}

/// Sends the events of a scan.
struct Teller<T> {
    messages: Messages<Message<T>>,
    /// Whether somebody asks for the progress.
    tells: bool,
    /// When the progress was told last.
    told: Option<Instant>,
    remarks: Remarks,
}

impl<T> Observer for Teller<T> {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        let message = match event {
            Event::Progress(progress) if self.tells => {
                if self.told.is_some_and(|told| told.elapsed() < PROGRESS_INTERVAL) {
                    return Ok(ControlFlow::Continue(()));
                }
                self.told = Some(Instant::now());
                Message::Progress(progress)
            }
            Event::Message { lines, .. } => Message::Lines(lines),
            other => {
                self.remarks.note(other);
                return Ok(ControlFlow::Continue(()));
            }
        };
        self.messages.send(message).map_err(|_| Error::ClosedPipe)?;
        Ok(ControlFlow::Continue(()))
    }

    fn takes_matches(&self) -> bool {
        false
    }
}

impl Remarks {
    fn note(&mut self, event: Event) {
        match event {
            Event::Damaged(game) if self.damaged.is_none() => self.damaged = Some(game.to_string()),
            Event::RuntimeError { game, error, .. } if self.failed.is_none() => {
                let place = game.map(|game| format!("game {game}: ")).unwrap_or_default();
                self.failed = Some(format!("{place}{error}"));
            }
            Event::FewerThreads { started, wanted } => {
                self.threads = Some(format!("only {started} of {wanted} threads could be started"));
            }
            Event::BrokenInput(input) => self.broken.push(input.to_string()),
            // Matches are not asked for, and the others do not change what is found.
            _ => {}
        }
    }

    /// Warns of games that could not be searched whole.
    ///
    /// # Errors
    /// An input could not be read to its end; or warnings are errors.
    fn tell(&self, py: Python<'_>, summary: &Summary) -> PyResult<()> {
        for query in &summary.queries {
            if let Some(stopped) = &query.stopped {
                return Err(PlainError::new_err(stopped.to_string()));
            }
        }
        if let Some(broken) = self.broken.first() {
            let error = InputError::new_err(broken.clone());
            for other in &self.broken[1..] {
                add_note(py, &error, other);
            }
            let games = summary.games;
            add_note(py, &error, &format!("the games before the failure were searched: {games}"));
            return Err(error);
        }
        let failed: u64 = summary.queries.iter().map(|query| query.failed_games).sum();
        let first = |example: &Option<String>| match example {
            Some(example) => format!(" (the first: {example})"),
            None => String::new(),
        };
        if summary.damaged > 0 {
            let text = format!(
                "damaged games: {}, searched up to the damage{}",
                summary.damaged,
                first(&self.damaged)
            );
            warn(py, &text)?;
        }
        if failed > 0 {
            let text = format!("games skipped after an error: {failed}{}", first(&self.failed));
            warn(py, &text)?;
        }
        if let Some(threads) = &self.threads {
            warn(py, threads)?;
        }
        Ok(())
    }
}

/// Warns of data that could not be used whole.
pub(crate) fn warn(py: Python<'_>, text: &str) -> PyResult<()> {
    let class = py.get_type::<DataWarning>();
    py.import("warnings")?.call_method1("warn", (text, class))?;
    Ok(())
}
