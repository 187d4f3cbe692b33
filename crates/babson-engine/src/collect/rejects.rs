//! The output of damaged games: their texts as they are in the inputs.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use babson_input::chunk::LongText;
use serde::{Deserialize, Serialize};

use super::{AnyBatch, Collect, CollectContext, Counted, DamagedText, Fill, Readers, take_batch};
use crate::destination::Destination;
use crate::error::Error;
use crate::output::{Output, Unpublished};
use crate::summary::Summary;

/// Writes the texts of the damaged games that are reported.
pub(crate) struct RejectsCollector {
    output: Output,
    /// The texts of games whose damage is perhaps reported, as in [`RejectedTexts`].
    texts: BTreeMap<u64, Option<Vec<u8>>>,
    long: Option<LongText>,
}

/// The texts of damaged games.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct RejectedTexts {
    /// For each game its text; `None` if that is `long`.
    pub(crate) games: Vec<(u64, Option<Vec<u8>>)>,
    /// The text of the game that is too long to be read: at most one of a chunk is.
    #[serde(skip)]
    pub(crate) long: Option<LongText>,
}

/// Keeps the texts of damaged games.
#[derive(Default)]
pub(crate) struct RejectsWorker(RejectedTexts);

impl RejectsCollector {
    /// Creates the output.
    ///
    /// # Errors
    /// It cannot be created.
    pub(crate) fn begin(
        context: &CollectContext<'_, '_>,
        destination: &Destination,
    ) -> Result<RejectsCollector, Error> {
        let own = context.own.lock().unwrap_or_else(PoisonError::into_inner);
        let output = own.create(destination)?;
        Ok(RejectsCollector { output, texts: BTreeMap::new(), long: None })
    }
}

impl<'p> Collect<'p> for RejectsCollector {
    fn worker(&self) -> Box<dyn Fill + 'p> {
        Box::new(RejectsWorker::default())
    }

    fn receive(&mut self, batch: &mut AnyBatch, waits: &dyn Fn(u64) -> bool) {
        let batch: RejectedTexts = take_batch(std::slice::from_mut(batch));
        self.texts.retain(|game, _| waits(*game));
        self.texts.extend(batch.games);
        self.long = batch.long;
    }

    fn take(&mut self, _: AnyBatch, _: &Counted) -> Result<(), Error> {
        Ok(())
    }

    fn damaged(&mut self, game: u64) -> Result<(), Error> {
        match (self.texts.remove(&game), &self.long) {
            (Some(Some(text)), _) => self.output.write(&text)?,
            (Some(None), Some(long)) => long.read(|text| self.output.write(text))?,
            (Some(None), None) | (None, _) => return Ok(()),
        }
        self.output.write(b"\n\n")
    }

    /// An output that nobody reads any more does not end the search.
    fn other_readers(&self) -> Readers {
        Readers { open: !self.output.is_closed(), closed: false }
    }

    fn finish(self: Box<Self>, outputs: &mut Unpublished, _: &mut Summary) -> Result<(), Error> {
        outputs.add(self.output)
    }
}

impl Fill for RejectsWorker {
    fn damaged(&mut self, game: u64, text: DamagedText<'_>) -> usize {
        let RejectsWorker(RejectedTexts { games, long }) = self;
        match text {
            DamagedText::Text(text) => {
                games.push((game, Some(text.to_vec())));
                text.len()
            }
            DamagedText::Long(text) => {
                games.push((game, None));
                *long = Some(text.clone());
                0
            }
        }
    }

    fn take(&mut self) -> AnyBatch {
        Box::new(std::mem::take(&mut self.0))
    }
}
