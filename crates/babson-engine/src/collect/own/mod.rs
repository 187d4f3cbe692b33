//! The outputs of each query. They get all of its matches, in the order of the games or sorted, or
//! only the chosen ones: the best matches or a sample.

mod best;
mod order;
mod spool;

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;

use babson_vm::{Match, Outcome};

use super::texts::{MatchTexts, TextMaker, TextPlaces};
use super::{
    AnyBatch, ByQuery, ChosenMatch, Collect, CollectContext, Counted, Fill, Filled, MatchNeeds,
    Readers, TextGame, key_bytes,
};
use crate::error::Error;
use crate::job::Job;
use crate::output::Unpublished;
use crate::rank::Rank;
use crate::sink::{MatchedGame, Sink, SinkContext, named};
use crate::summary::Summary;
use best::{BestRanks, SharedBound};
use order::OutputOrder;

/// Writes the matches of each query to its own outputs.
pub(crate) struct OwnCollector<'p> {
    jobs: &'p [Job],
    outputs: Vec<QueryOutputs>,
}

/// The outputs of a query.
struct QueryOutputs {
    sinks: Vec<Box<dyn Sink>>,
    order: OutputOrder,
    maker: TextMaker,
    /// The last of the best matches, which all workers see.
    bound: Arc<SharedBound>,
    /// Whether a match of this batch was taken.
    has_written: bool,
}

/// The matches of each query in some games.
type OwnBatch = ByQuery<QueryBatch>;

/// The matches of a query that are written.
#[derive(Default)]
pub(crate) struct QueryBatch {
    texts: MatchTexts,
    matches: VecDeque<OwnMatch>,
}

/// A match that is written.
struct OwnMatch {
    game: u64,
    /// Its place, if it waits for the order of the outputs.
    rank: Option<Rank>,
    /// As in [`ChosenMatch`].
    ignored_comments: u32,
    /// Its places in [`QueryBatch::texts`].
    places: TextPlaces,
    /// The match as data, if an output takes it.
    row: Option<Box<Match>>,
}

/// Makes the texts of matches.
struct OwnWorker<'p> {
    queries: Vec<QueryWorker<'p>>,
    batch: OwnBatch,
}

/// Makes the texts of the matches of a query.
struct QueryWorker<'p> {
    job: &'p Job,
    maker: TextMaker,
    /// Whether matches wait for their order.
    waits: bool,
    /// What tells which matches may be among the best, if not all are written.
    best: Option<BestRanks>,
    /// The place of the last match.
    rank: Option<Rank>,
}

impl<'p> OwnCollector<'p> {
    /// Begins the outputs of each query.
    ///
    /// # Errors
    /// An output is refused or cannot be created.
    pub(crate) fn begin(
        context: &CollectContext<'_, 'p>,
        sinks: Vec<Vec<Box<dyn Sink>>>,
    ) -> Result<OwnCollector<'p>, Error> {
        let jobs = context.jobs;
        let mut outputs = Vec::new();
        for (job, mut sinks) in jobs.iter().zip(sinks) {
            for sink in &mut sinks {
                let own = Arc::clone(context.own);
                let begun = sink.begin(&SinkContext { job, split: context.split, own });
                begun.map_err(|error| named(|| sink.name(), error))?;
            }
            let bound = Arc::default();
            let order = OutputOrder::of(job, &sinks, &bound);
            let maker = TextMaker::of(sinks.iter().map(|sink| &**sink as &dyn Sink));
            outputs.push(QueryOutputs { sinks, order, maker, bound, has_written: false });
        }
        Ok(OwnCollector { jobs, outputs })
    }
}

impl<'p> Collect<'p> for OwnCollector<'p> {
    fn worker(&self) -> Box<dyn Fill + 'p> {
        let worker = |(job, outputs): (&'p Job, &QueryOutputs)| {
            let QueryOutputs { order, maker, bound, .. } = outputs;
            let waits = !order.is_of_games();
            let choice = job.choice.filter(|_| waits);
            let best = choice.map(|choice| BestRanks::new(choice, Arc::clone(bound)));
            QueryWorker { job, maker: maker.clone(), waits, best, rank: None }
        };
        let queries = self.jobs.iter().zip(&self.outputs).map(worker).collect();
        Box::new(OwnWorker { queries, batch: OwnBatch::default() })
    }

    fn matched(
        &mut self,
        query: usize,
        game: u64,
        batch: &mut AnyBatch,
    ) -> Result<ControlFlow<()>, Error> {
        let found = self.outputs.get_mut(query).zip(batch.downcast_mut::<OwnBatch>());
        let Some((outputs, batch)) = found else { return Ok(ControlFlow::Continue(())) };
        let QueryBatch { texts, matches } = batch.of(query);
        // Not every match is wanted.
        if matches.front().is_none_or(|hit| hit.game != game) {
            return Ok(ControlFlow::Continue(()));
        }
        let Some(hit) = matches.pop_front() else { return Ok(ControlFlow::Continue(())) };
        outputs.has_written = true;
        outputs.order.put(hit, texts, &mut outputs.sinks, outputs.maker.formats())
    }

    fn take(&mut self, _: AnyBatch, _: &Counted) -> Result<(), Error> {
        for outputs in &mut self.outputs {
            if std::mem::take(&mut outputs.has_written) && outputs.order.is_of_games() {
                for sink in &mut outputs.sinks {
                    sink.flush().map_err(|error| named(|| sink.name(), error))?;
                }
            }
        }
        Ok(())
    }

    fn chosen(&self, query: usize) -> Option<Vec<ChosenMatch>> {
        self.outputs.get(query)?.order.chosen()
    }

    fn readers(&self, query: usize) -> Readers {
        let outputs = self.outputs.get(query);
        Readers::of(outputs.iter().flat_map(|outputs| &outputs.sinks).map(|sink| sink.is_closed()))
    }

    fn finish(
        self: Box<Self>,
        outputs: &mut Unpublished,
        summary: &mut Summary,
    ) -> Result<(), Error> {
        for (QueryOutputs { mut sinks, order, .. }, query) in
            self.outputs.into_iter().zip(&mut summary.queries)
        {
            if query.stopped.is_some() {
                continue;
            }
            query.ended_early |= order.finish(&mut sinks)?.is_break();
            for sink in sinks {
                let name = sink.name();
                let totals = sink
                    .finish(outputs, summary.games)
                    .map_err(|error| named(|| name.clone(), error))?;
                query.files.extend(totals.files);
                query.left_out.extend((totals.left_out > 0).then_some((name, totals.left_out)));
            }
        }
        Ok(())
    }
}

impl Fill for OwnWorker<'_> {
    fn needs(&self, query: usize) -> Option<MatchNeeds> {
        let QueryWorker { job, maker, .. } = self.queries.get(query)?;
        maker.needs(job)
    }

    fn wants(&mut self, query: usize, outcome: &Outcome, game: u64) -> bool {
        self.queries.get_mut(query).is_some_and(|worker| worker.wants(outcome, game))
    }

    fn matched(&mut self, query: usize, hit: &MatchedGame<'_>, _: &TextGame<'_>) -> Filled {
        let worker = self.queries.get_mut(query);
        worker.map_or(Filled::default(), |worker| worker.add(hit, self.batch.of(query)))
    }

    fn take(&mut self) -> AnyBatch {
        self.batch.take()
    }

    fn replace(&mut self, batch: &mut AnyBatch, query: usize) {
        self.batch.replace(batch, query);
    }
}

impl QueryWorker<'_> {
    /// Whether a match may be among those that are written.
    fn wants(&mut self, outcome: &Outcome, game: u64) -> bool {
        if self.maker.formats().is_empty() {
            return false;
        }
        let keys = if self.job.sorts() { outcome.sort.as_slice() } else { &[] };
        self.rank = self.waits.then(|| Rank::new(&self.job.program, keys, game));
        match (&mut self.best, &self.rank) {
            (Some(best), Some(rank)) => best.admit(rank),
            (None, _) | (_, None) => true,
        }
    }

    /// Adds a match that is wanted.
    fn add(&mut self, hit: &MatchedGame<'_>, batch: &mut QueryBatch) -> Filled {
        let (places, mut filled) = self.maker.append(hit, &mut batch.texts);
        let (row, rank) = (self.maker.needs_data().then(|| Box::new(hit.row())), self.rank.take());
        filled.bytes += row.as_deref().map_or(0, Match::bytes)
            + rank.as_ref().map_or(0, |_| key_bytes(&hit.outcome.sort));
        let mut hit = OwnMatch { game: hit.number, rank, ignored_comments: 0, places, row };
        if self.best.is_some() {
            // They are reported only if the match is among the best at the end.
            hit.ignored_comments = std::mem::take(&mut filled.ignored_comments);
        }
        batch.matches.push_back(hit);
        filled
    }
}

#[cfg(test)]
impl QueryBatch {
    /// A batch without matches.
    pub(crate) fn none() -> AnyBatch {
        Box::<OwnBatch>::default()
    }

    /// What a batch has of a query.
    pub(crate) fn of(batch: &mut AnyBatch, query: usize) -> &mut QueryBatch {
        batch.downcast_mut::<OwnBatch>().unwrap().of(query)
    }

    /// Adds a match that has this text in each of the outputs.
    pub(crate) fn add(&mut self, outputs: usize, game: u64, rank: Option<Rank>, text: &str) {
        let (places, ignored_comments, row) = (self.texts.add(outputs, text), 0, None);
        self.matches.push_back(OwnMatch { game, rank, ignored_comments, places, row });
    }
}
