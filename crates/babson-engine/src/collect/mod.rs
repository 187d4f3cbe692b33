//! The features that gather something of the games of a scan, each in a file of its own. The worker
//! and the merge know none of them.
//!
//! ```text
//! Collect ── worker ──> Fill ── matched, searched ──> Batch ── take, in game order ──> outputs
//!                  (one a thread)                         (merge)
//! ```
//!
//! A worker fills a batch with what it finds in the games of a chunk. The merge gives the batches
//! to the collector in the order of the games, each with what counts of it.

mod game;
mod guards;
mod nonmatching;
mod overlay;
mod own;
mod rejects;
mod shared;
mod slice;
mod stored;
mod texts;

use std::any::Any;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Mutex};

use babson_chess::VariantNames;
use babson_input::chunk::{Chunk, LongText};
use babson_pgn::Needs;
use babson_vm::{Outcome, StopSignal};

use crate::destination::SplitRules;
use crate::error::Error;
use crate::formats::FileSink;
use crate::identity::OwnFiles;
use crate::job::Job;
use crate::output::Unpublished;
use crate::sink::{MatchedGame, Sink, SinkTotals, named};
use crate::summary::Summary;
use crate::task::Settings;
pub(crate) use game::{InputGame, SearchedGame, TextGame};
use guards::GuardCollector;
use nonmatching::NonmatchingCollector;
#[cfg(test)]
pub(crate) use nonmatching::NonmatchingGames;
pub(crate) use nonmatching::has_unknown_variant;
use overlay::OverlayCollector;
use own::OwnCollector;
#[cfg(test)]
pub(crate) use own::QueryBatch;
#[cfg(test)]
pub(crate) use rejects::RejectedTexts;
use rejects::RejectsCollector;
use shared::SharedCollector;
pub(crate) use slice::{SliceBatches, slice_fillers};
use stored::{StoreCollector, key_bytes};
pub(crate) use stored::{StoredMatch, stored_matches};

/// What gathers something of the games of a scan.
pub(crate) trait Collect<'p> {
    /// What fills batches on one thread.
    fn worker(&self) -> Box<dyn Fill + 'p>;

    /// The next batch has come. Nothing of it counts before [`Collect::matched`] or
    /// [`Collect::take`] says so. `waits` tells whether the damage of an earlier game is perhaps
    /// reported later.
    fn receive(&mut self, _batch: &mut AnyBatch, _waits: &dyn Fn(u64) -> bool) {}

    /// The match of a query in a game of the batch counts. Called in the order of the games, so
    /// that the answer can end the query with this match: an output has enough.
    ///
    /// # Errors
    /// An output cannot be written.
    fn matched(
        &mut self,
        _query: usize,
        _game: u64,
        _batch: &mut AnyBatch,
    ) -> Result<ControlFlow<()>, Error> {
        Ok(ControlFlow::Continue(()))
    }

    /// All is known of what counts of the batch.
    ///
    /// # Errors
    /// An output cannot be written.
    fn take(&mut self, batch: AnyBatch, counted: &Counted) -> Result<(), Error>;

    /// The damage of a game is reported, perhaps long after the batch that has the game.
    ///
    /// # Errors
    /// An output cannot be written.
    fn damaged(&mut self, _game: u64) -> Result<(), Error> {
        Ok(())
    }

    /// The matches of a query that are written, as far as is known now, in the order of the games.
    /// `None`: each match is written. Otherwise what is found in writing a match is reported at the
    /// end, if it is one of these.
    fn chosen(&self, _query: usize) -> Option<Vec<ChosenMatch>> {
        None
    }

    /// Who reads the matches of a query.
    fn readers(&self, _query: usize) -> Readers {
        Readers::default()
    }

    /// Who reads other games.
    fn other_readers(&self) -> Readers {
        Readers::default()
    }

    /// Ends the outputs and adds what they have to the summary.
    ///
    /// # Errors
    /// An output cannot be written.
    fn finish(
        self: Box<Self>,
        outputs: &mut Unpublished,
        summary: &mut Summary,
    ) -> Result<(), Error>;
}

/// The part of a collector on one thread, with the batch that it fills.
pub(crate) trait Fill: Send {
    /// What it needs of the matches of a query; `None` if it takes none.
    fn needs(&self, _query: usize) -> Option<MatchNeeds> {
        None
    }

    /// Whether it takes this match of a query. Called once for each match, in the order of the
    /// games.
    fn wants(&mut self, _query: usize, _outcome: &Outcome, _game: u64) -> bool {
        false
    }

    /// A query matches a game that it wants, which was read with what the outputs need.
    fn matched(&mut self, _: usize, _hit: &MatchedGame<'_>, _game: &TextGame<'_>) -> Filled {
        Filled::default()
    }

    /// The queries have searched a game. Called if one of them matches it, or if all have searched
    /// it and none matches or fails. Returns about how many bytes the batch has grown by.
    fn searched(&mut self, _game: &mut SearchedGame<'_, '_>) -> usize {
        0
    }

    /// A game is damaged. Returns as [`Fill::searched`].
    fn damaged(&mut self, _game: u64, _text: DamagedText<'_>) -> usize {
        0
    }

    /// A query has matched a game with this text in the search of a slice. Called after
    /// [`Fill::matched`].
    fn restored(&mut self, _game: u64, _text: &[u8]) {}

    /// The batch has exactly these games of a chunk.
    fn ended(&mut self, _chunk: &Chunk, _games: Range<usize>) {}

    /// Takes the batch and begins another one.
    fn take(&mut self) -> AnyBatch;

    /// The games of a batch were searched again with a query. Replaces what the batch has of the
    /// query by what was filled since, which is dropped otherwise.
    fn replace(&mut self, _batch: &mut AnyBatch, _query: usize) {
        drop(self.take());
    }
}

/// A batch of some collector.
pub(crate) type AnyBatch = Box<dyn Any + Send>;

/// A batch of this type. All batches of a collector are.
fn batch_of<B: Any + Default>(batch: AnyBatch) -> B {
    batch.downcast().map(|batch| *batch).unwrap_or_default()
}

/// Finds the batch of this type, which one collector has, among the batches of all.
fn find_batch<B: Any>(batches: &mut [AnyBatch]) -> Option<&mut B> {
    batches.iter_mut().find_map(|batch| (**batch).downcast_mut())
}

/// Takes the batch of this type.
fn take_batch<B: Any + Default>(batches: &mut [AnyBatch]) -> B {
    find_batch::<B>(batches).map(std::mem::take).unwrap_or_default()
}

/// Replaces the batch of this type, if a collector has one.
fn put_batch<B: Any>(batches: &mut [AnyBatch], batch: B) {
    if let Some(place) = find_batch::<B>(batches) {
        *place = batch;
    }
}

/// What a batch has of each query.
pub(crate) struct ByQuery<T>(Vec<T>);

impl<T> Default for ByQuery<T> {
    fn default() -> ByQuery<T> {
        ByQuery(Vec::new())
    }
}

impl<T: Default + Send + 'static> ByQuery<T> {
    /// What it has of a query.
    fn of(&mut self, query: usize) -> &mut T {
        if self.0.len() <= query {
            self.0.resize_with(query + 1, T::default);
        }
        &mut self.0[query]
    }

    /// Takes all that it has.
    fn take(&mut self) -> AnyBatch {
        Box::new(std::mem::take(self))
    }

    /// Replaces what a batch has of a query by what it has.
    fn replace(&mut self, batch: &mut AnyBatch, query: usize) {
        if let Some(batch) = batch.downcast_mut::<ByQuery<T>>() {
            *batch.of(query) = std::mem::take(self.of(query));
        }
    }

    /// The queries, and what it has of each.
    fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        self.0.iter().enumerate()
    }
}

/// What a collector needs of matches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MatchNeeds {
    /// What it needs of a matching game.
    pub(crate) game: Needs,
    /// Whether it needs the traces of the matching positions.
    pub(crate) traces: bool,
    /// Whether it needs the comments that the query adds.
    pub(crate) comments: bool,
}

impl MatchNeeds {
    fn union(self, other: MatchNeeds) -> MatchNeeds {
        let (game, traces) = (self.game.union(other.game), self.traces || other.traces);
        MatchNeeds { game, traces, comments: self.comments || other.comments }
    }
}

/// What a match has added to a batch.
#[derive(Clone, Copy, Default)]
pub(crate) struct Filled {
    /// Bytes of texts and names.
    pub(crate) bytes: usize,
    /// As in [`Omitted`](crate::Omitted).
    pub(crate) ignored_comments: u32,
}

/// A match that is written, if only some matches of the query are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChosenMatch {
    pub(crate) game: u64,
    /// As in [`Omitted`](crate::Omitted).
    pub(crate) ignored_comments: u32,
}

/// The text of a damaged game.
#[derive(Clone, Copy)]
pub(crate) enum DamagedText<'t> {
    Text(&'t [u8]),
    /// The text of a game that is too long to be read.
    Long(&'t LongText),
}

/// What counts of a batch.
pub(crate) struct Counted {
    /// The numbers of its games.
    pub(crate) games: Range<u64>,
    /// For each query its last game, if that is known.
    pub(crate) queries: Vec<Option<u64>>,
    /// The last game of all queries, if the scan ends early.
    pub(crate) scan: Option<u64>,
}

impl Counted {
    /// The last game of a query, if that is known.
    fn last(&self, query: usize) -> Option<u64> {
        self.queries[query].into_iter().chain(self.scan).min()
    }

    /// Whether a game counts for a query.
    pub(crate) fn counts(&self, query: usize, game: u64) -> bool {
        self.last(query).is_none_or(|last| game <= last)
    }

    /// Whether a game is before the last one of each query. A query ends with a game that it
    /// matches or fails on; another search of the same game may find neither. But the game with
    /// which the observer ends the scan is complete, so it counts.
    pub(crate) fn is_before_all(&self, game: u64) -> bool {
        self.queries.iter().flatten().all(|last| game < *last)
            && self.scan.is_none_or(|last| game <= last)
    }
}

/// The readers of some outputs.
#[derive(Clone, Copy, Default)]
pub(crate) struct Readers {
    /// Whether one of them still reads.
    pub(crate) open: bool,
    /// Whether one of them has gone away.
    pub(crate) closed: bool,
}

impl Readers {
    /// The readers of outputs. The items tell which have gone away.
    fn of(closed: impl Iterator<Item = bool>) -> Readers {
        closed.fold(Readers::default(), |readers, closed| {
            readers.union(Readers { open: !closed, closed })
        })
    }

    /// The readers of both.
    pub(crate) fn union(self, other: Readers) -> Readers {
        Readers { open: self.open || other.open, closed: self.closed || other.closed }
    }
}

/// The parts of the collectors on one thread.
#[derive(Default)]
pub(crate) struct Fillers<'p>(Vec<Filler<'p>>);

struct Filler<'p> {
    fill: Box<dyn Fill + 'p>,
    /// Whether it wants the last match.
    wants: bool,
}

impl<'p> Fillers<'p> {
    /// The part of each of these collectors.
    pub(crate) fn of(collectors: &Collectors<'p>) -> Fillers<'p> {
        Fillers::from_iter(collectors.iter().map(|collector| collector.worker()))
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What they need of the matches of a query; `None` if none takes them.
    pub(crate) fn needs(&self, query: usize) -> Option<MatchNeeds> {
        self.0.iter().filter_map(|filler| filler.fill.needs(query)).reduce(MatchNeeds::union)
    }

    /// Whether one of them wants a match.
    pub(crate) fn wants(&mut self, query: usize, outcome: &Outcome, game: u64) -> bool {
        for Filler { fill, wants } in &mut self.0 {
            *wants = fill.wants(query, outcome, game);
        }
        self.0.iter().any(|filler| filler.wants)
    }

    /// Hands a match to those that want it.
    pub(crate) fn matched(
        &mut self,
        query: usize,
        hit: &MatchedGame<'_>,
        game: &TextGame<'_>,
    ) -> Filled {
        let mut all = Filled::default();
        for Filler { fill, .. } in self.0.iter_mut().filter(|filler| filler.wants) {
            let Filled { bytes, ignored_comments } = fill.matched(query, hit, game);
            all.bytes += bytes;
            all.ignored_comments += ignored_comments;
        }
        all
    }

    /// As [`Fill::searched`].
    pub(crate) fn searched(&mut self, game: &mut SearchedGame<'_, '_>) -> usize {
        self.0.iter_mut().map(|filler| filler.fill.searched(game)).sum()
    }

    /// As [`Fill::damaged`].
    pub(crate) fn damaged(&mut self, game: u64, text: DamagedText<'_>) -> usize {
        self.0.iter_mut().map(|filler| filler.fill.damaged(game, text)).sum()
    }

    /// As [`Fill::restored`].
    pub(crate) fn restored(&mut self, game: u64, text: &[u8]) {
        self.0.iter_mut().for_each(|filler| filler.fill.restored(game, text));
    }

    /// Takes the batches, which have these games of a chunk, and begins others.
    pub(crate) fn end(&mut self, chunk: &Chunk, games: Range<usize>) -> Vec<AnyBatch> {
        self.0.iter_mut().for_each(|filler| filler.fill.ended(chunk, games.clone()));
        self.take()
    }

    /// Takes the batches and begins others.
    pub(crate) fn take(&mut self) -> Vec<AnyBatch> {
        self.0.iter_mut().map(|filler| filler.fill.take()).collect()
    }

    /// As [`Fill::replace`], for the batches of all.
    pub(crate) fn replace(&mut self, batches: &mut [AnyBatch], query: usize) {
        for (filler, batch) in self.0.iter_mut().zip(batches) {
            filler.fill.replace(batch, query);
        }
    }
}

impl<'p> FromIterator<Box<dyn Fill + 'p>> for Fillers<'p> {
    fn from_iter<I: IntoIterator<Item = Box<dyn Fill + 'p>>>(fills: I) -> Fillers<'p> {
        Fillers(fills.into_iter().map(|fill| Filler { fill, wants: false }).collect())
    }
}

/// The collectors of a scan.
pub(crate) type Collectors<'p> = Vec<Box<dyn Collect<'p> + 'p>>;

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

/// The collectors of a scan with these settings. `own` are the outputs of each query; the matching
/// games are added to `kept`, if there is one.
///
/// # Errors
/// An output is refused or cannot be created.
pub(crate) fn collectors<'p>(
    context: &CollectContext<'_, 'p>,
    settings: &'p Settings,
    own: Vec<Vec<Box<dyn Sink>>>,
    kept: Option<&'p mut Vec<StoredMatch>>,
) -> Result<Collectors<'p>, Error> {
    let mut collectors: Collectors<'p> = Vec::new();
    if own.iter().any(|sinks| !sinks.is_empty()) {
        collectors.push(Box::new(OwnCollector::begin(context, own)?));
    }
    let shared = settings.shared.iter().map(|output| output.sink(context.jobs)).collect();
    let (overlaid, shared): (Vec<_>, Vec<_>) =
        begun(context, shared)?.into_iter().partition(FileSink::overlays);
    if !overlaid.is_empty() {
        collectors.push(Box::new(OverlayCollector::new(context, overlaid)));
    }
    if !shared.is_empty() {
        collectors.push(Box::new(SharedCollector::new(context.jobs, shared)));
    }
    if let Some(output) = &settings.nonmatching {
        collectors.push(Box::new(NonmatchingCollector::begin(context, output)?));
    }
    if let Some(kept) = kept {
        collectors.push(Box::new(StoreCollector(kept)));
    }
    if settings.guard_stats {
        collectors.push(Box::new(GuardCollector::new(context.jobs)));
    }
    if let Some(destination) = settings.written_rejects() {
        collectors.push(Box::new(RejectsCollector::begin(context, destination)?));
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

/// Ends outputs. Returns the totals of all of them.
fn finished(
    sinks: impl IntoIterator<Item = FileSink>,
    outputs: &mut Unpublished,
    searched: u64,
) -> Result<SinkTotals, Error> {
    let mut all = SinkTotals::default();
    for sink in sinks {
        let name = sink.name();
        let totals = Box::new(sink).finish(outputs, searched);
        let totals = totals.map_err(|error| named(|| name, error))?;
        all.files.extend(totals.files);
        all.left_out += totals.left_out;
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
