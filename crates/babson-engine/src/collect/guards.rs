//! How the game guards of the queries chose games of tables.

use std::ops::Range;

use babson_input::chunk::Chunk;
use babson_vm::{ConditionRows, GameGuard};
use serde::{Deserialize, Serialize};

use super::{AnyBatch, Collect, Counted, Fill, batch_of};
use crate::error::Error;
use crate::guard_stats::GuardStats;
use crate::job::Job;
use crate::output::Unpublished;
use crate::summary::Summary;

/// Counts the games that the guard of each query lets through.
pub(crate) struct GuardCollector<'p> {
    jobs: &'p [Job],
    stats: Vec<GuardStats>,
}

/// For each query and each condition of its guard, the games for which it holds; empty if the games
/// do not come from a table.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct GuardRows(pub(crate) Vec<Option<Vec<ConditionRows>>>);

/// Tells which games the guards let through.
pub(crate) struct GuardWorker<'p> {
    guards: Vec<Option<&'p GameGuard>>,
    rows: GuardRows,
}

impl<'p> GuardCollector<'p> {
    /// The collector of these jobs.
    pub(crate) fn new(jobs: &'p [Job]) -> GuardCollector<'p> {
        let stats = |job: &Job| GuardStats::of(job.guard());
        GuardCollector { jobs, stats: jobs.iter().map(stats).collect() }
    }
}

impl<'p> GuardWorker<'p> {
    /// The worker of these jobs.
    pub(crate) fn new(jobs: &'p [Job]) -> GuardWorker<'p> {
        GuardWorker { guards: jobs.iter().map(Job::guard).collect(), rows: GuardRows::default() }
    }
}

impl<'p> Collect<'p> for GuardCollector<'p> {
    fn worker(&self) -> Box<dyn Fill + 'p> {
        Box::new(GuardWorker::new(self.jobs))
    }

    fn take(&mut self, batch: AnyBatch, counted: &Counted) -> Result<(), Error> {
        let GuardRows(rows) = batch_of(batch);
        let Range { start, end } = counted.games;
        for (query, rows) in rows.iter().enumerate() {
            let (Some(rows), Some(job)) = (rows, self.jobs.get(query)) else { continue };
            let (low, high) = job.range.unwrap_or((0, u64::MAX));
            let last = counted.last(query).map_or(high, |last| last.min(high));
            let (first, end) = (start.max(low), end.min(last.saturating_add(1)));
            if first < end {
                self.stats[query].add(rows, first - start..end - start);
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>, _: &mut Unpublished, summary: &mut Summary) -> Result<(), Error> {
        for (query, stats) in summary.queries.iter_mut().zip(self.stats) {
            query.guard = Some(stats);
        }
        Ok(())
    }
}

impl Fill for GuardWorker<'_> {
    fn ended(&mut self, chunk: &Chunk, games: Range<usize>) {
        if let Some(rows) = &chunk.rows {
            let of_query = |query| rows.guard_rows(&self.guards, query, games.clone());
            self.rows.0 = (0..self.guards.len()).map(of_query).collect();
        }
    }

    fn take(&mut self) -> AnyBatch {
        Box::new(std::mem::take(&mut self.rows))
    }
}
