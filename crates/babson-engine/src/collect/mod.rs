//! The features that gather something of the games of a scan, each in a file of its own. The worker
//! and the merge know none of them.
//!
//! ```text
//! Collect ── worker ──> Fill ── matched, searched ──> Batch ── take, in game order ──> outputs
//!                  (one a thread)                         (merge)
//! ```
//!
//! A worker fills a batch with what it finds in the games of a chunk. The merge gives the batches
//! to the collector in the order of the games, each with the last game that counts for each query.

mod game;
mod nonmatching;
mod overlay;
mod shared;
mod stored;

use std::any::Any;
use std::sync::{Arc, Mutex};

use babson_chess::VariantNames;
use babson_vm::StopSignal;

use crate::destination::SplitRules;
use crate::error::Error;
use crate::formats::FileSink;
use crate::identity::OwnFiles;
use crate::job::Job;
use crate::output::Outputs;
use crate::report::Summary;
use crate::sink::{MatchedGame, Sink, SinkReport, named};
use crate::task::Settings;
pub(crate) use game::{InputGame, SearchedGame, TextGame};
use nonmatching::NonmatchingCollector;
#[cfg(test)]
pub(crate) use nonmatching::NonmatchingGames;
pub(crate) use nonmatching::has_unknown_variant;
use overlay::OverlayCollector;
use shared::SharedCollector;
use stored::StoreCollector;
pub(crate) use stored::{StoreWorker, StoredMatch, key_bytes, stored_matches};

/// What gathers something of the games of a scan.
pub(crate) trait Collect<'p> {
    /// What one thread finds in some games.
    type Batch: Default + Send + 'static;
    /// What fills the batches on one thread.
    type Worker: Fill<Batch = Self::Batch> + 'p;

    /// A new worker.
    fn worker(&self) -> Self::Worker;

    /// Takes the next batch. A game counts for a query up to its last game.
    ///
    /// # Errors
    /// An output cannot be written.
    fn take(&mut self, batch: Self::Batch, last: &LastGames) -> Result<(), Error>;

    /// Who reads its outputs.
    fn readers(&self) -> Readers;

    /// Ends the outputs and adds what they have to the summary.
    ///
    /// # Errors
    /// An output cannot be written.
    fn finish(self, outputs: &mut Outputs, summary: &mut Summary) -> Result<(), Error>;
}

/// The part of a collector on one thread.
pub(crate) trait Fill: Send {
    type Batch: Default + Send + 'static;

    /// A query matches a game, which was read with what the outputs need.
    fn matched(
        &mut self,
        _query: usize,
        _hit: &MatchedGame<'_>,
        _game: &TextGame<'_>,
        _batch: &mut Self::Batch,
    ) -> Filled {
        Filled::default()
    }

    /// The queries have searched a game. Called if one of them matches it, or if all have searched
    /// it and none matches or fails. Returns about how many bytes the batch has grown by.
    fn searched(&mut self, _game: &mut SearchedGame<'_, '_>, _batch: &mut Self::Batch) -> usize {
        0
    }

    /// A query has matched a game with this text in the search of a slice. Called after
    /// [`Fill::matched`].
    fn restored(&mut self, _game: u64, _text: &[u8], _batch: &mut Self::Batch) {}

    /// Replaces what a batch has of a query, whose games were searched again.
    fn replace(_batch: &mut Self::Batch, _query: usize, _again: Self::Batch) {}
}

/// What a batch has of each query.
pub(crate) struct ByQuery<T>(Vec<T>);

impl<T> Default for ByQuery<T> {
    fn default() -> ByQuery<T> {
        ByQuery(Vec::new())
    }
}

impl<T: Default> ByQuery<T> {
    /// What it has of a query.
    fn of(&mut self, query: usize) -> &mut T {
        if self.0.len() <= query {
            self.0.resize_with(query + 1, T::default);
        }
        &mut self.0[query]
    }

    /// Replaces what it has of a query.
    fn replace(&mut self, query: usize, mut again: ByQuery<T>) {
        *self.of(query) = std::mem::take(again.of(query));
    }

    /// The queries, and what it has of each.
    fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        self.0.iter().enumerate()
    }
}

/// What a match has added to a batch.
#[derive(Clone, Copy, Default)]
pub(crate) struct Filled {
    /// Bytes of texts and names.
    pub(crate) bytes: usize,
    /// As in [`FormatReport`](crate::FormatReport).
    pub(crate) ignored_comments: u32,
}

/// The last games that count for the queries.
pub(crate) struct LastGames(pub(crate) Vec<Option<u64>>);

impl LastGames {
    /// Whether a game counts for a query.
    pub(crate) fn counts(&self, query: usize, game: u64) -> bool {
        self.0[query].is_none_or(|last| game <= last)
    }

    /// Whether a game is before the last one of each query. A query ends with a game that it
    /// matches or fails on; another search of the same game may find neither.
    pub(crate) fn is_before_all(&self, game: u64) -> bool {
        self.0.iter().flatten().all(|last| game < *last)
    }
}

/// Whether the readers of outputs have gone away.
#[derive(Default)]
pub(crate) struct Readers {
    /// For each output of the matches of all queries.
    pub(crate) matches: Vec<bool>,
    /// For an output of other games.
    pub(crate) others: Option<bool>,
}

/// A batch of some collector.
pub(crate) type AnyBatch = Box<dyn Any + Send>;

/// A collector, whatever its batches are.
pub(crate) trait ErasedCollect<'p> {
    fn worker(&self) -> Box<dyn ErasedFill + 'p>;
    fn take(&mut self, batch: AnyBatch, last: &LastGames) -> Result<(), Error>;
    fn readers(&self) -> Readers;
    fn finish(self: Box<Self>, outputs: &mut Outputs, summary: &mut Summary) -> Result<(), Error>;
}

/// A batch of this type. All batches of a collector are.
fn batch_of<B: Default + 'static>(batch: AnyBatch) -> B {
    batch.downcast().map(|batch| *batch).unwrap_or_default()
}

impl<'p, C: Collect<'p>> ErasedCollect<'p> for C {
    fn worker(&self) -> Box<dyn ErasedFill + 'p> {
        filler(Collect::worker(self))
    }

    fn take(&mut self, batch: AnyBatch, last: &LastGames) -> Result<(), Error> {
        Collect::take(self, batch_of(batch), last)
    }

    fn readers(&self) -> Readers {
        Collect::readers(self)
    }

    fn finish(self: Box<Self>, outputs: &mut Outputs, summary: &mut Summary) -> Result<(), Error> {
        Collect::finish(*self, outputs, summary)
    }
}

/// The part of a collector on one thread, with the batch that it fills.
pub(crate) trait ErasedFill: Send {
    fn matched(&mut self, query: usize, hit: &MatchedGame<'_>, game: &TextGame<'_>) -> Filled;
    fn searched(&mut self, game: &mut SearchedGame<'_, '_>) -> usize;
    fn restored(&mut self, game: u64, text: &[u8]);
    /// Takes the batch and begins another one.
    fn take(&mut self) -> AnyBatch;
    fn replace(&self, batch: &mut AnyBatch, query: usize, again: AnyBatch);
}

struct Filler<W: Fill> {
    worker: W,
    batch: W::Batch,
}

impl<W: Fill> ErasedFill for Filler<W> {
    fn matched(&mut self, query: usize, hit: &MatchedGame<'_>, game: &TextGame<'_>) -> Filled {
        self.worker.matched(query, hit, game, &mut self.batch)
    }

    fn searched(&mut self, game: &mut SearchedGame<'_, '_>) -> usize {
        self.worker.searched(game, &mut self.batch)
    }

    fn restored(&mut self, game: u64, text: &[u8]) {
        self.worker.restored(game, text, &mut self.batch);
    }

    fn take(&mut self) -> AnyBatch {
        Box::new(std::mem::take(&mut self.batch))
    }

    fn replace(&self, batch: &mut AnyBatch, query: usize, again: AnyBatch) {
        if let Some(batch) = batch.downcast_mut() {
            W::replace(batch, query, batch_of(again));
        }
    }
}

/// The part of a collector that this worker is.
pub(crate) fn filler<'p, W: Fill + 'p>(worker: W) -> Box<dyn ErasedFill + 'p> {
    Box::new(Filler { worker, batch: W::Batch::default() })
}

/// The parts of the collectors on one thread.
pub(crate) type Fillers<'p> = Vec<Box<dyn ErasedFill + 'p>>;

/// The collectors of a scan.
pub(crate) type Collectors<'p> = Vec<Box<dyn ErasedCollect<'p> + 'p>>;

/// What the collectors of a scan are made from.
pub(crate) struct CollectContext<'c, 'p> {
    pub(crate) jobs: &'p [Job],
    /// The number of the last game, if the games were counted.
    pub(crate) last_number: Option<u64>,
    pub(crate) variants: &'p VariantNames,
    pub(crate) skip_unknown_variants: bool,
    /// What stops the scan.
    pub(crate) stop: &'p StopSignal,
    pub(crate) split: SplitRules,
    pub(crate) own: &'c Arc<Mutex<OwnFiles>>,
}

/// The collectors of a scan with these settings. `shared` are the outputs of all queries; the
/// matching games are added to `kept`, if there is one.
///
/// # Errors
/// An output is refused or cannot be created.
pub(crate) fn collectors<'p>(
    context: &CollectContext<'_, 'p>,
    settings: &'p Settings,
    shared: Vec<FileSink>,
    kept: Option<&'p mut Vec<StoredMatch>>,
) -> Result<Collectors<'p>, Error> {
    let mut collectors: Collectors<'p> = Vec::new();
    let (overlaid, shared): (Vec<_>, Vec<_>) =
        begun(context, shared)?.into_iter().partition(FileSink::overlays);
    if !overlaid.is_empty() {
        collectors.push(Box::new(OverlayCollector::new(context, overlaid)));
    }
    if !shared.is_empty() {
        collectors.push(Box::new(SharedCollector(shared)));
    }
    if let Some(output) = &settings.nonmatching {
        collectors.push(Box::new(NonmatchingCollector::begin(context, output)?));
    }
    if let Some(kept) = kept {
        collectors.push(Box::new(StoreCollector(kept)));
    }
    Ok(collectors)
}

/// Begins the outputs of all queries.
fn begun(
    context: &CollectContext<'_, '_>,
    mut sinks: Vec<FileSink>,
) -> Result<Vec<FileSink>, Error> {
    for sink in &mut sinks {
        let begun = sink.begin_shared(context.jobs, context.split, context.own);
        begun.map_err(|error| named(|| sink.name(), error))?;
    }
    Ok(sinks)
}

/// Ends outputs. The report is that of all of them.
fn finished(
    sinks: impl IntoIterator<Item = FileSink>,
    outputs: &mut Outputs,
    searched: u64,
) -> Result<SinkReport, Error> {
    let mut all = SinkReport::default();
    for sink in sinks {
        let name = sink.name();
        let report = Box::new(sink).finish(outputs, searched);
        let report = report.map_err(|error| named(|| name, error))?;
        all.files.extend(report.files);
        all.left_out += report.left_out;
    }
    Ok(all)
}

/// Passes on what outputs have buffered.
fn flush(sinks: &mut [FileSink]) -> Result<(), Error> {
    sinks.iter_mut().try_for_each(|sink| {
        let flushed = sink.flush();
        flushed.map_err(|error| named(|| sink.name(), error))
    })
}
