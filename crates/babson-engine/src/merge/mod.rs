//! The merge: takes the results of the chunks in game order, writes outputs and reports events.

mod batch;
mod events;
mod remarks;
mod taker;

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use babson_vm::run::RunEnd;
use babson_vm::{Event, PipeFailure, Progress, RuntimeError, Sharing};

use crate::collect::{CollectContext, Collectors, Readers, StoredMatch, collectors};
use crate::error::{Error, FatalError};
use crate::identity::OwnFiles;
use crate::job::Job;
use crate::observer::Observer;
use crate::output::Unpublished;
use crate::sink::Sink;
use crate::summary::{QuerySummary, Summary};
use crate::task::Settings;
use crate::worker::{BlockResult, Plan};
use remarks::WaitingRemarks;

/// Takes results in game order, writes outputs, counts, and calls the observer.
pub(crate) struct Merger<'m> {
    plan: &'m Plan,
    states: Vec<JobState>,
    collectors: Collectors<'m>,
    observer: &'m mut dyn Observer,
    /// The error of the first input that could not be read to its end.
    first_broken: Option<Error>,
    /// Whether the reader of the messages has gone away.
    messages_closed: bool,
    /// The last game that counts, if the observer has enough.
    end_game: Option<u64>,
    pub(crate) summary: Summary,
    matches: u64,
    bytes: u64,
    input_bytes: u64,
    /// Bytes of the last progress that was reported.
    reported_bytes: u64,
}

/// The progress of a search of some games.
#[derive(Clone, Debug, Default)]
pub(crate) struct SearchProgress {
    pub(crate) games: u64,
    pub(crate) bytes: u64,
    pub(crate) input_bytes: u64,
    /// Matches of each job.
    pub(crate) matches: Vec<u64>,
}

/// How far one job has come.
struct JobState {
    /// Whether the job has ended, so that no further game counts for it.
    end: RunEnd,
    /// Number of the last game that counts.
    last_game: Option<u64>,
    /// The errors of programs, found when they were closed.
    pipe_failures: Vec<PipeFailure>,
    /// What is reported of a match only if it is written, if not all are.
    waiting: Option<WaitingRemarks>,
}

impl JobState {
    /// Whether it has not ended.
    fn is_running(&self) -> bool {
        !self.end.has_ended()
    }

    /// Whether a game counts for it.
    fn counts(&self, game: u64) -> bool {
        self.last_game.is_none_or(|last| game <= last)
    }
}

impl<'m> Merger<'m> {
    /// The merge of a scan. The matching games are added to `kept`, if there is one.
    ///
    /// # Errors
    /// An output is refused or cannot be created.
    pub(crate) fn new(
        plan: &'m Plan,
        sinks: Vec<Vec<Box<dyn Sink>>>,
        settings: &'m Settings,
        own: OwnFiles,
        observer: &'m mut dyn Observer,
        kept: Option<&'m mut Vec<StoredMatch>>,
    ) -> Result<Merger<'m>, Error> {
        let (own, split) = (Arc::new(Mutex::new(own)), settings.split);
        let context = CollectContext {
            jobs: &plan.jobs,
            last_number: plan.last_number,
            variants: &plan.variants,
            skip_unknown_variants: plan.skip_unknown_variants,
            stop: &plan.stop,
            split,
            own: &own,
        };
        let collectors = collectors(&context, settings, sinks, kept)?;
        let state = |(index, job): (usize, &Job)| {
            let are_chosen = collectors.iter().any(|collector| collector.chosen(index).is_some());
            JobState {
                end: RunEnd::new(job.limit),
                last_game: None,
                pipe_failures: Vec::new(),
                waiting: are_chosen.then(WaitingRemarks::default),
            }
        };
        let states = plan.jobs.iter().enumerate().map(state).collect();
        let summary = Summary {
            queries: vec![QuerySummary::default(); plan.jobs.len()],
            ..Summary::default()
        };
        Ok(Merger {
            plan,
            states,
            collectors,
            observer,
            first_broken: None,
            messages_closed: false,
            end_game: None,
            summary,
            matches: 0,
            bytes: 0,
            input_bytes: 0,
            reported_bytes: 0,
        })
    }

    /// Returns an error if all remaining output would go to pipes whose readers have gone away.
    fn check_readers(&self) -> Result<(), Error> {
        let none = Readers::default();
        let others = self.collectors.iter().map(|collector| collector.other_readers());
        let others = others.fold(none, Readers::union);
        let is_counting = self.plan.needs_counts || self.observer.takes_matches();
        let closes_others = others.closed && !others.open && !is_counting;
        let is_unread = |(index, job): (usize, &Job)| {
            let is_read_later = job.program.sharing() != Sharing::Nothing;
            let readers = self.collectors.iter().map(|collector| collector.readers(index));
            let readers = readers.fold(none, Readers::union);
            let any_is_closed = self.messages_closed || closes_others || readers.closed;
            any_is_closed && !readers.open && !is_read_later
        };
        let mut jobs = self.plan.jobs.iter().enumerate();
        if !others.open && !self.states.is_empty() && jobs.all(is_unread) {
            return Err(Error::ClosedPipe);
        }
        Ok(())
    }

    /// Tells the observer of an event, unless it had enough before. If it has enough now, `game` is
    /// the last one that counts.
    fn tell(&mut self, event: Event, game: u64) -> Result<(), Error> {
        if self.end_game.is_none() && self.observer.event(event)? == ControlFlow::Break(()) {
            self.end_game = Some(game);
        }
        Ok(())
    }

    /// Tells the observer of an event after the games that were taken.
    fn tell_after(&mut self, event: Event) -> Result<(), Error> {
        self.tell(event, self.summary.games)
    }

    /// The last game that counts for any job, if the scan has ended.
    fn last_game(&self) -> Option<u64> {
        let all_have_ended = !self.states.iter().any(JobState::is_running);
        let last = || self.states.iter().filter_map(|state| state.last_game).max();
        self.end_game.or_else(|| if all_have_ended { last() } else { None })
    }

    /// Returns an error that says that `games` games were searched, if the observer has enough. The
    /// search of slices calls it, since the part of a slice has all of its games or does not exist.
    ///
    /// # Errors
    /// [`Error::Stopped`].
    pub(crate) fn check_observer(&self, games: u64) -> Result<(), Error> {
        if self.end_game.is_some() { Err(Error::ended_early(games)) } else { Ok(()) }
    }

    /// Passes messages to the observer until their reader goes away. If the observer has enough at
    /// this event, `last` becomes the last game that counts: see [`Merger::tell`]. The messages are
    /// of `game`, if they are of one game.
    fn message(
        &mut self,
        job: usize,
        lines: &[u8],
        game: Option<u64>,
        last: u64,
    ) -> Result<(), Error> {
        if self.messages_closed {
            return Ok(());
        }
        match self.tell(Event::Message { query: job, game, lines: lines.to_vec() }, last) {
            Err(Error::ClosedPipe) => {
                self.messages_closed = true;
                Ok(())
            }
            result => result,
        }
    }

    /// Returns an error if all `inputs` inputs are broken and not one game could be read.
    ///
    /// # Errors
    /// The error of the first broken input.
    pub(crate) fn check_inputs(&mut self, inputs: usize) -> Result<(), Error> {
        let is_broken = self.summary.games == 0 && self.summary.broken_inputs.len() == inputs;
        self.first_broken.take().filter(|_| is_broken).map_or(Ok(()), Err)
    }

    /// Reports the progress of what was taken and of a search whose results will be taken later.
    /// Progress never goes back when they are.
    pub(crate) fn report_progress(&mut self, more: &SearchProgress) -> Result<(), Error> {
        let bytes = self.bytes + more.bytes;
        if bytes < self.reported_bytes {
            return Ok(());
        }
        self.reported_bytes = bytes;
        let mut matches = self.matches;
        for ((&found, job), taken) in
            more.matches.iter().zip(&self.plan.jobs).zip(&self.summary.queries)
        {
            let remaining = job.limit.map_or(u64::MAX, |limit| limit.saturating_sub(taken.matches));
            matches += found.min(remaining);
        }
        let mut progress = Progress::default();
        progress.games = self.summary.games + more.games;
        progress.bytes = bytes;
        progress.input_bytes = self.input_bytes + more.input_bytes;
        progress.matches = matches;
        self.tell_after(Event::Progress(progress))
    }

    /// Takes the results of `cqlbegin` or `cqlend` of the queries.
    pub(crate) fn take_blocks(&mut self, blocks: Vec<BlockResult>) -> Result<(), Error> {
        for (index, block) in blocks.into_iter().enumerate() {
            if self.summary.queries[index].stopped.is_some() {
                continue;
            }
            if !block.messages.is_empty() {
                self.message(index, &block.messages, None, self.summary.games)?;
            }
            if let Some(error) = block.error {
                self.stop_outside(index, error)?;
                let state = &mut self.states[index];
                state.end.end();
                state.last_game.get_or_insert(0);
            }
        }
        Ok(())
    }

    /// Stops a job by an error outside of the games.
    fn stop_outside(&mut self, index: usize, error: RuntimeError) -> Result<(), Error> {
        let stopped = FatalError { game: None, message: error.message.clone() };
        self.summary.queries[index].stopped = Some(stopped);
        self.tell_after(Event::RuntimeError { query: index, game: None, error })
    }

    /// Stops the jobs whose programs wrote too much. An error of a program that was asked in a game
    /// after the last one that counts would not have occurred without that game.
    fn stop_by_programs(&mut self) -> Result<(), Error> {
        for index in 0..self.states.len() {
            let state = &mut self.states[index];
            let last = state.last_game.into_iter().chain(self.end_game).min();
            let failures = std::mem::take(&mut state.pipe_failures).into_iter();
            let counted =
                failures.filter(|failure| last.is_none_or(|last| failure.game <= Some(last)));
            // The first one, whichever thread found it.
            let first = counted.min_by_key(|failure| failure.game);
            if let Some(failure) = first
                && self.summary.queries[index].stopped.is_none()
            {
                self.stop_outside(index, failure.error)?;
            }
        }
        Ok(())
    }

    /// Reports what waited for the end, and ends the outputs, which are then ready to be completed.
    pub(crate) fn finish(mut self) -> Result<(Summary, Unpublished), Error> {
        self.stop_by_programs()?;
        self.report_waiting()?;
        let mut outputs = Unpublished::default();
        for collector in std::mem::take(&mut self.collectors) {
            collector.finish(&mut outputs, &mut self.summary)?;
        }
        self.summary.ended_early = self.end_game.is_some();
        Ok((self.summary, outputs))
    }
}

#[cfg(test)]
mod tests;
