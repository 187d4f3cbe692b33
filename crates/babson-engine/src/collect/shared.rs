//! The outputs that all queries share: the matches in the order of the games.

use std::sync::Arc;

use babson_vm::Outcome;

use super::{
    AnyBatch, ByQuery, Collect, Counted, Fill, Filled, MatchNeeds, Readers, TextGame, batch_of,
    finished, flush,
};
use crate::error::Error;
use crate::formats::FileSink;
use crate::job::Job;
use crate::match_text::{MatchText, TextMark};
use crate::output::Outputs;
use crate::pattern::NamePattern;
use crate::report::Summary;
use crate::sink::{Format, MatchedGame, Sink, TextSlice, named};

/// Writes the matches of all queries to outputs that they share.
pub(crate) struct SharedCollector<'p> {
    jobs: &'p [Job],
    sinks: Vec<FileSink>,
}

/// The matches of each query in some games.
type SharedMatches = ByQuery<QueryMatches>;

#[derive(Default)]
struct QueryMatches {
    /// For each output, the texts of the matches, one after another.
    texts: Vec<MatchText>,
    matches: Vec<SharedMatch>,
}

/// The text of a match.
struct SharedMatch {
    game: u64,
    /// For each output, where its text begins and ends.
    texts: Box<[(TextMark, TextMark)]>,
    /// For each output, the name of its file, if there are many.
    names: Box<[Option<String>]>,
}

/// Makes the texts of matches.
struct SharedWorker<'p> {
    jobs: &'p [Job],
    formats: Vec<Arc<dyn Format>>,
    patterns: Vec<Option<NamePattern>>,
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
        Box::new(SharedWorker {
            jobs: self.jobs,
            formats: self.sinks.iter().filter_map(|sink| sink.format()).collect(),
            patterns: self.sinks.iter().map(|sink| sink.target().pattern().cloned()).collect(),
            batch: SharedMatches::default(),
        })
    }

    fn take(&mut self, batch: AnyBatch, counted: &Counted<'_>) -> Result<(), Error> {
        let batch: SharedMatches = batch_of(batch);
        let queries = batch.0.iter().enumerate();
        let matches = queries.flat_map(|query| query.1.matches.iter().map(move |hit| (query, hit)));
        let mut matches: Vec<_> =
            matches.filter(|((query, _), hit)| counted.counts(*query, hit.game)).collect();
        // The order of one game is that of the queries.
        matches.sort_by_key(|((query, _), hit)| (hit.game, *query));
        for ((_, query), hit) in &matches {
            let texts = query.texts.iter().zip(&hit.texts).zip(&hit.names);
            for (((text, &(begin, end)), name), sink) in texts.zip(&mut self.sinks) {
                let file = name.as_deref();
                for (slice, bytes) in text.slices(begin, end).enumerate() {
                    let written = sink.write_text(TextSlice { file, bytes, first: slice == 0 });
                    written.map_err(|error| named(|| sink.name(), error))?;
                }
            }
        }
        if matches.is_empty() { Ok(()) } else { flush(&mut self.sinks) }
    }

    fn readers(&self, _query: usize) -> Readers {
        Readers::of(self.sinks.iter().map(|sink| sink.is_closed()))
    }

    fn finish(self: Box<Self>, outputs: &mut Outputs, summary: &mut Summary) -> Result<(), Error> {
        summary.files.extend(finished(self.sinks, outputs, summary.games)?.files);
        Ok(())
    }
}

impl Fill for SharedWorker<'_> {
    fn needs(&self, query: usize) -> Option<MatchNeeds> {
        Some(MatchNeeds::of_formats(self.formats.iter(), self.jobs.get(query)?))
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
        texts.resize_with(self.formats.len(), MatchText::default);
        let mut filled = Filled::default();
        let mut append = |(format, text): (&Arc<dyn Format>, &mut MatchText)| {
            let (begin, before) = (text.mark(), text.len());
            filled.ignored_comments += format.append(hit, text).ignored_comments;
            filled.bytes += text.len() - before;
            (begin, text.mark())
        };
        let texts = self.formats.iter().zip(texts).map(&mut append).collect();
        let fill = |pattern: &Option<NamePattern>| {
            pattern.as_ref().map(|pattern| pattern.fill(hit.game, hit.outcome, hit.job))
        };
        let names: Box<[Option<String>]> = self.patterns.iter().map(fill).collect();
        filled.bytes += names.iter().flatten().map(String::len).sum::<usize>();
        matches.push(SharedMatch { game: hit.number, texts, names });
        filled
    }
}
