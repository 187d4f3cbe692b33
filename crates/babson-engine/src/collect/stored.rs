//! The matching games with the outcomes of their queries, to be written later: by the merge of
//! slices, or by the caller of a scan.

use babson_pgn::Needs;
use babson_vm::{Outcome, SortValue};
use serde::{Deserialize, Serialize};

use super::{
    AnyBatch, ByQuery, Collect, Counted, Fill, Filled, MatchNeeds, TextGame, batch_of, take_batch,
};
use crate::error::Error;
use crate::output::Unpublished;
use crate::sink::MatchedGame;
use crate::summary::Summary;

/// A game that matched, and the outcome of the query.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StoredMatch {
    pub(crate) game: u64,
    /// The index of its input in the inputs of the slice or the scan.
    pub(crate) input: usize,
    /// The file that a game of a table comes from.
    pub(crate) source: Option<String>,
    pub(crate) input_number: u64,
    pub(crate) offset: u64,
    /// The length of its text in the input. `None` means the length of `text`.
    pub(crate) length: Option<u64>,
    pub(crate) line: u64,
    pub(crate) text: Vec<u8>,
    pub(crate) outcome: Outcome,
}

/// The matches of each query in some games.
type StoredMatches = ByQuery<Vec<StoredMatch>>;

/// Stores matches.
#[derive(Default)]
pub(crate) struct StoreWorker {
    batch: StoredMatches,
}

/// Keeps the matches of a scan.
pub(crate) struct StoreCollector<'p>(pub(crate) &'p mut Vec<StoredMatch>);

/// Takes the stored matches out of the batches of all collectors. Returns one list for each of the
/// `queries` queries.
pub(crate) fn stored_matches(batches: &mut [AnyBatch], queries: usize) -> Vec<Vec<StoredMatch>> {
    let mut batch: StoredMatches = take_batch(batches);
    (0..queries).map(|query| std::mem::take(batch.of(query))).collect()
}

impl<'p> Collect<'p> for StoreCollector<'p> {
    fn worker(&self) -> Box<dyn Fill + 'p> {
        Box::new(StoreWorker::default())
    }

    fn take(&mut self, batch: AnyBatch, counted: &Counted) -> Result<(), Error> {
        let batch: StoredMatches = batch_of(batch);
        for (query, matches) in batch.0.into_iter().enumerate() {
            self.0.extend(matches.into_iter().filter(|hit| counted.counts(query, hit.game)));
        }
        Ok(())
    }

    fn finish(self: Box<Self>, _: &mut Unpublished, _: &mut Summary) -> Result<(), Error> {
        Ok(())
    }
}

impl Fill for StoreWorker {
    fn needs(&self, _query: usize) -> Option<MatchNeeds> {
        Some(MatchNeeds { game: Needs::ALL, traces: false, comments: true })
    }

    fn wants(&mut self, _query: usize, _outcome: &Outcome, _game: u64) -> bool {
        true
    }

    fn matched(&mut self, query: usize, hit: &MatchedGame<'_>, game: &TextGame<'_>) -> Filled {
        let origin = game.origin;
        let stored = StoredMatch {
            game: game.number,
            input: origin.input,
            source: origin.row.map(|_| origin.input_name.to_owned()),
            input_number: origin.number,
            offset: origin.offset,
            length: origin.length,
            line: hit.line,
            text: game.text.pgn(hit.game),
            // The log of the job keeps the messages.
            outcome: Outcome { messages: Vec::new(), ..hit.outcome.clone() },
        };
        let bytes = stored.text.len() + outcome_bytes(&stored.outcome);
        self.batch.of(query).push(stored);
        Filled { bytes, ignored_comments: 0 }
    }

    fn take(&mut self) -> AnyBatch {
        self.batch.take()
    }

    fn replace(&mut self, batch: &mut AnyBatch, query: usize) {
        self.batch.replace(batch, query);
    }
}

/// About how many bytes an outcome takes.
fn outcome_bytes(outcome: &Outcome) -> usize {
    let tags = outcome.tags.iter().map(|(name, value)| 48 + name.len() + value.len());
    let fields =
        outcome.fields.iter().map(|field| 64 + field.name.len() + text_bytes(&field.value));
    tags.chain(fields).sum::<usize>()
        + outcome.comments.bytes()
        + 4 * outcome.positions.len()
        + key_bytes(&outcome.sort)
}

/// The bytes of the texts of sort keys.
pub(super) fn key_bytes(keys: &[Option<SortValue>]) -> usize {
    keys.iter().flatten().map(text_bytes).sum()
}

/// The bytes of a value outside of its own size.
fn text_bytes(value: &SortValue) -> usize {
    match value {
        SortValue::Number(_) => 0,
        SortValue::Text(text) => text.len(),
    }
}
