//! The merge as what takes the results of a search.

use babson_input::chunk::Chunk;
use babson_vm::{Event, PipeFailure};

use super::{JobState, Merger, SearchProgress};
use crate::collect::{Counted, Fillers};
use crate::drive::{BatchTaker, UnreadInput};
use crate::error::Error;
use crate::worker::{ChunkResult, Worker};

impl<'m> BatchTaker<'m> for Merger<'m> {
    fn fillers(&self) -> Fillers<'m> {
        Fillers::of(&self.collectors)
    }

    fn join(&mut self, worker: &mut Worker<'_>, chunk: &Chunk, result: &mut ChunkResult) {
        worker.join(chunk, result, |job| self.runs(job));
    }

    fn take(&mut self, mut chunk: ChunkResult) -> Result<(), Error> {
        self.take_games(&mut chunk)?;
        let games = chunk.first_game..chunk.first_game + chunk.games;
        let queries = self.states.iter().map(|state| state.last_game).collect();
        let counted = Counted { games, queries, scan: self.end_game };
        for (collector, batch) in
            self.collectors.iter_mut().zip(std::mem::take(&mut chunk.collected))
        {
            collector.take(batch, &counted)?;
        }
        // Games after the last one that counts may have been read, but are not reported: the
        // reports must not depend on how the file was cut.
        let counted = self.last_game().map_or(chunk.games, |last| {
            (last + 1).saturating_sub(chunk.first_game).min(chunk.games)
        });
        self.summary.games += counted;
        self.summary.rewritten_tables.extend(chunk.rewritten_table.take());
        let is_counted = |game: &&u64| **game < chunk.first_game + counted;
        self.summary.equal_games += chunk.equal.iter().filter(is_counted).count() as u64;
        self.bytes += chunk.bytes;
        self.input_bytes += chunk.input_bytes;
        self.report_progress(&SearchProgress::default())?;
        if self.end_game.is_some() { Ok(()) } else { self.check_readers() }
    }

    fn take_broken(&mut self, UnreadInput { report, error }: UnreadInput) -> Result<(), Error> {
        self.summary.broken_inputs.push(report.clone());
        self.first_broken.get_or_insert(error);
        self.tell_after(Event::BrokenInput(report))
    }

    fn take_closed(&mut self, closed: Vec<Vec<PipeFailure>>) {
        for (state, failures) in self.states.iter_mut().zip(closed) {
            state.pipe_failures.extend(failures);
        }
    }

    fn fewer_threads(&mut self, started: usize, wanted: usize) -> Result<(), Error> {
        self.tell_after(Event::FewerThreads { started, wanted })
    }

    fn runs(&self, job: usize) -> bool {
        self.end_game.is_none() && self.states[job].is_running()
    }

    fn is_done(&self) -> bool {
        self.end_game.is_some() || !self.states.iter().any(JobState::is_running)
    }
}
