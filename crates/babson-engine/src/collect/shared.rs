//! The outputs that all queries share: the matches in the order of the games.

use babson_vm::Outcome;

use super::texts::{MatchTexts, TextMaker, TextPlaces};
use super::{
    AnyBatch, ByQuery, Collect, Counted, Fill, Filled, MatchNeeds, Readers, TextGame, batch_of,
    finished, flush,
};
use crate::error::Error;
use crate::formats::FileSink;
use crate::job::Job;
use crate::output::Unpublished;
use crate::sink::{MatchedGame, Sink, named};
use crate::summary::Summary;

/// Writes the matches of all queries to outputs that they share.
pub(crate) struct SharedCollector<'p> {
    jobs: &'p [Job],
    sinks: Vec<FileSink>,
}

/// The matches of each query in some games.
type SharedMatches = ByQuery<QueryMatches>;

#[derive(Default)]
struct QueryMatches {
    texts: MatchTexts,
    /// The matching games, each with the places of its texts.
    matches: Vec<(u64, TextPlaces)>,
}

/// Makes the texts of matches.
struct SharedWorker<'p> {
    jobs: &'p [Job],
    maker: TextMaker,
    batch: SharedMatches,
}

impl<'p> SharedCollector<'p> {
    /// The collector of outputs that have begun.
    pub(crate) fn new(jobs: &'p [Job], sinks: Vec<FileSink>) -> SharedCollector<'p> {
        SharedCollector { jobs, sinks }
    }
}

impl<'p> Collect<'p> for SharedCollector<'p> {
    fn worker(&self) -> Box<dyn Fill + 'p> {
        let maker = TextMaker::of(self.sinks.iter().map(|sink| sink as &dyn Sink));
        Box::new(SharedWorker { jobs: self.jobs, maker, batch: SharedMatches::default() })
    }

    fn take(&mut self, batch: AnyBatch, counted: &Counted) -> Result<(), Error> {
        let batch: SharedMatches = batch_of(batch);
        let mut matches: Vec<(u64, usize, usize)> = Vec::new();
        for (query, found) in batch.iter() {
            let games = found.matches.iter().map(|hit| hit.0).enumerate();
            let counted = games.filter(|(_, game)| counted.counts(query, *game));
            matches.extend(counted.map(|(index, game)| (game, query, index)));
        }
        // By game. The matches of one game are in the order of the queries.
        matches.sort_unstable();
        for &(_, query, index) in &matches {
            let QueryMatches { texts, matches } = &batch.0[query];
            for (output, sink) in self.sinks.iter_mut().enumerate() {
                let written = texts.write(&matches[index].1, output, |slice| sink.append(slice));
                written.map_err(|error| named(|| sink.name(), error))?;
            }
        }
        if matches.is_empty() { Ok(()) } else { flush(&mut self.sinks) }
    }

    fn readers(&self, _query: usize) -> Readers {
        Readers::of(self.sinks.iter().map(|sink| sink.is_closed()))
    }

    fn finish(
        self: Box<Self>,
        outputs: &mut Unpublished,
        summary: &mut Summary,
    ) -> Result<(), Error> {
        summary.files.extend(finished(self.sinks, outputs, summary.games)?.files);
        Ok(())
    }
}

impl Fill for SharedWorker<'_> {
    fn needs(&self, query: usize) -> Option<MatchNeeds> {
        self.maker.needs(self.jobs.get(query)?)
    }

    fn wants(&mut self, _query: usize, _outcome: &Outcome, _game: u64) -> bool {
        true
    }

    fn take(&mut self) -> AnyBatch {
        self.batch.take()
    }

    fn replace(&mut self, batch: &mut AnyBatch, query: usize) {
        self.batch.replace(batch, query);
    }

    fn matched(&mut self, query: usize, hit: &MatchedGame<'_>, _: &TextGame<'_>) -> Filled {
        let QueryMatches { texts, matches } = self.batch.of(query);
        let (places, filled) = self.maker.append(hit, texts);
        matches.push((hit.number, places));
        filled
    }
}
