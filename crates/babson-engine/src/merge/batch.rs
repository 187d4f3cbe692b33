//! What the merge does with a batch: its matches are written and its events are reported one game
//! after another, so that a sink or the observer can end a query or the scan with any game.

use std::ops::{ControlFlow, Range};
use std::vec;

use babson_vm::run::GameFailure;
use babson_vm::{Event, RuntimeError};

use super::Merger;
use super::events::{BatchEvent, BatchEvents, EventKind};
use crate::collect::AnyBatch;
use crate::error::{Error, FatalError};
use crate::worker::{ChunkResult, GameMatch, JobLog, JobResult};

/// The results of a job in the games of a batch that are not taken yet.
#[derive(Default)]
struct UntakenResults {
    matches: vec::IntoIter<GameMatch>,
    unread: Vec<Range<u64>>,
}

impl Merger<'_> {
    /// Writes the matches of a batch and reports its events, game by game.
    pub(super) fn take_games(&mut self, chunk: &mut ChunkResult) -> Result<(), Error> {
        let waits = |game: u64| self.states.iter().any(|state| state.waits(game));
        for (collector, batch) in self.collectors.iter_mut().zip(&mut chunk.collected) {
            collector.receive(batch, &waits);
        }
        let mut events = BatchEvents::default();
        let results = std::mem::take(&mut chunk.jobs).into_iter().enumerate();
        let mut jobs: Vec<UntakenResults> =
            results.map(|(job, results)| self.counted(job, results, &mut events)).collect();
        events.push_remarks(&chunk.remarks);
        for BatchEvent { game, last, job, kind } in events.in_order(self.observer.joins_messages())
        {
            if self.end_game.is_some_and(|end| game > end) {
                break;
            }
            // A sink may have ended the job.
            if self.states.get(job).is_some_and(|state| !state.counts(game)) {
                continue;
            }
            match kind {
                EventKind::Error(error) => self.take_error(job, game, error)?,
                EventKind::Messages(range) => {
                    let lines = events.messages.get(job).and_then(|lines| lines.get(range));
                    let of_one = (game == last).then_some(game);
                    self.message(job, lines.unwrap_or_default(), of_one, last)?;
                }
                EventKind::Match => self.take_match(job, &mut jobs[job], &mut chunk.collected)?,
                EventKind::Remarks(_) if self.last_game().is_some_and(|last| game > last) => {}
                EventKind::Remarks(range) => self.take_remarks(chunk, range)?,
            }
        }
        for (job, batch) in jobs.into_iter().enumerate() {
            self.count_unread(job, &batch.unread);
        }
        Ok(())
    }

    /// Adds the events of a job in a batch, as far as its limit and its errors let them count.
    fn counted(
        &mut self,
        job: usize,
        JobResult { matches, log, .. }: JobResult,
        events: &mut BatchEvents,
    ) -> UntakenResults {
        let JobLog { messages, message_ends, errors, evaluated, unread, seconds } = log;
        events.messages.push(Vec::new());
        self.summary.queries[job].seconds += seconds;
        let state = &mut self.states[job];
        if !state.is_running() {
            return UntakenResults::default();
        }
        let numbers = matches.iter().map(|hit| hit.game);
        let replay = state.end.replay(numbers.clone(), errors, evaluated);
        let fatal = replay.failures.last().filter(|failure| failure.error.fatal);
        let last = match (state.end.has_ended(), fatal) {
            (false, _) => u64::MAX,
            (true, Some(failure)) => failure.game,
            (true, None) => numbers.take(replay.matches).next_back().unwrap_or(0),
        };
        if state.end.has_ended() {
            state.last_game = Some(last);
        }
        for GameFailure { game, error, .. } in replay.failures {
            events.push(game, job, EventKind::Error(error));
        }
        events.push_messages(job, &message_ends, last);
        events.messages[job] = messages;
        for hit in matches.iter().take(replay.matches) {
            events.push(hit.game, job, EventKind::Match);
        }
        UntakenResults { matches: matches.into_iter(), unread }
    }

    /// Takes the error of a job in a game.
    fn take_error(&mut self, job: usize, game: u64, error: RuntimeError) -> Result<(), Error> {
        let summary = &mut self.summary.queries[job];
        if error.fatal {
            summary.stopped = Some(FatalError { game: Some(game), message: error.message.clone() });
        } else {
            summary.failed_games += 1;
        }
        self.tell(Event::RuntimeError { query: job, game: Some(game), error }, game)
    }

    /// Takes the next match of a job.
    fn take_match(
        &mut self,
        job: usize,
        batch: &mut UntakenResults,
        collected: &mut [AnyBatch],
    ) -> Result<(), Error> {
        let Some(hit) = batch.matches.next() else { return Ok(()) };
        let (summary, state) = (&mut self.summary.queries[job], &mut self.states[job]);
        summary.matches += 1;
        summary.positions += hit.positions;
        self.matches += 1;
        for (collector, batch) in self.collectors.iter_mut().zip(collected) {
            if collector.matched(job, hit.game, batch)? == ControlFlow::Break(()) {
                state.end.end();
                state.last_game = Some(hit.game);
                summary.ended_early = true;
            }
        }
        let event = match hit.row {
            Some(row) => Event::Match { query: job, hit: *row },
            None => Event::Matched { query: job, game: hit.game },
        };
        self.tell(event, hit.game)
    }

    /// Counts the games of a batch that count for a job and whose moves were not read, or not to
    /// the end.
    fn count_unread(&mut self, job: usize, unread: &[Range<u64>]) {
        let last = self.states[job].last_game.into_iter().chain(self.end_game).min();
        let end = last.map_or(u64::MAX, |last| last.saturating_add(1));
        let counted = |games: &Range<u64>| games.end.min(end).saturating_sub(games.start);
        self.summary.queries[job].unread_moves += unread.iter().map(counted).sum::<u64>();
    }
}
