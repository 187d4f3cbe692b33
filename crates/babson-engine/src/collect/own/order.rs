//! The order in which the matches of a query are written.

use std::cell::Cell;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use babson_vm::Match;

use super::OwnMatch;
use super::best::{BestMatches, SharedBound};
use super::spool::{Spool, SpoolEntry};
use crate::collect::ChosenMatch;
use crate::collect::texts::MatchTexts;
use crate::error::Error;
use crate::job::Job;
use crate::rank::Rank;
use crate::sink::{Format, Sink, SinkResult, named};

/// The order in which the matches of a query are written, with those that wait to be written.
pub(super) enum OutputOrder {
    /// The order of the games. Each match is written at once.
    Games,
    /// The order of the sort keys. All matches wait for the end of the scan.
    Sorted(Vec<(Rank, SpoolEntry)>, Spool),
    /// Only the chosen matches. They wait for the end of the scan.
    Best(Box<BestMatches>),
}

impl OutputOrder {
    /// The order of the matches of a query in these sinks. Its workers see this bound.
    pub(super) fn of(job: &Job, sinks: &[Box<dyn Sink>], bound: &Arc<SharedBound>) -> OutputOrder {
        match job.choice.filter(|_| !sinks.is_empty()) {
            Some(choice) => {
                OutputOrder::Best(Box::new(BestMatches::new(choice, Arc::clone(bound))))
            }
            None if job.sorts() && sinks.iter().any(|sink| sink.heeds_order()) => {
                OutputOrder::Sorted(Vec::new(), Spool::default())
            }
            None => OutputOrder::Games,
        }
    }

    /// Whether no match waits.
    pub(super) fn is_of_games(&self) -> bool {
        match self {
            OutputOrder::Games => true,
            OutputOrder::Sorted(..) | OutputOrder::Best(_) => false,
        }
    }

    /// The matches that would be written if the scan ended here; `None` if all matches are written.
    pub(super) fn chosen(&self) -> Option<Vec<ChosenMatch>> {
        match self {
            OutputOrder::Games | OutputOrder::Sorted(..) => None,
            OutputOrder::Best(best) => Some(best.chosen()),
        }
    }

    /// Writes a match, or adds it to those that wait until the order is known.
    pub(super) fn put(
        &mut self,
        mut hit: OwnMatch,
        texts: &MatchTexts,
        sinks: &mut [Box<dyn Sink>],
        formats: &[Option<Arc<dyn Format>>],
    ) -> Result<ControlFlow<()>, Error> {
        let fail = |source| Error::write(SPOOL_NAME, source);
        match (self, hit.rank.take()) {
            (OutputOrder::Games, _) | (_, None) => return write(&hit, texts, sinks),
            (OutputOrder::Sorted(matches, spool), Some(rank)) => {
                let entry = spooled(&hit, texts, spool, formats).map_err(fail)?;
                matches.push((rank, entry));
            }
            (OutputOrder::Best(best), Some(rank)) => {
                let ignored_comments = hit.ignored_comments;
                let put = |spool: &mut Spool| spooled(&hit, texts, spool, formats);
                best.add(rank, ignored_comments, put).map_err(fail)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Writes the matches that wait, in their order, to the first with which a sink has enough.
    /// Returns whether one has.
    pub(super) fn finish(self, sinks: &mut [Box<dyn Sink>]) -> Result<ControlFlow<()>, Error> {
        let (entries, spool) = match self {
            OutputOrder::Games => return Ok(ControlFlow::Continue(())),
            OutputOrder::Sorted(mut matches, spool) => {
                matches.sort_unstable_by(|one, two| one.0.cmp(&two.0));
                (matches.into_iter().map(|hit| hit.1).collect(), spool)
            }
            OutputOrder::Best(best) => best.finish(),
        };
        let mut row: Vec<u8> = Vec::new();
        let has_enough = Cell::new(false);
        let entries = entries.iter().take_while(|_| !has_enough.get());
        let written = spool.drain(entries, |index, slice| {
            let Some(sink) = sinks.get_mut(index) else { return Ok(()) };
            let result = if sink.format().is_some() {
                sink.write_text(slice.text)
            } else {
                row.extend_from_slice(slice.text.bytes);
                if !slice.last {
                    return Ok(());
                }
                let (mut hit, tags): (Match, _) = serde_json::from_slice(&std::mem::take(&mut row))
                    .map_err(|error| DrainError::Spool(error.into()))?;
                hit.tags = tags;
                sink.write(&hit)
            };
            let answer = result.map_err(|error| DrainError::Sink(named(|| sink.name(), error)))?;
            has_enough.set(has_enough.get() || answer.is_break());
            Ok(())
        });
        written.map_err(|error| match error {
            DrainError::Sink(error) => error,
            DrainError::Spool(source) => Error::read(SPOOL_NAME, source),
        })?;
        Ok(if has_enough.get() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

/// Writes a match to all sinks. Returns whether one has enough.
fn write(
    hit: &OwnMatch,
    texts: &MatchTexts,
    sinks: &mut [Box<dyn Sink>],
) -> Result<ControlFlow<()>, Error> {
    let mut has_enough = false;
    for (output, sink) in sinks.iter_mut().enumerate() {
        let mut take = |answer: SinkResult<ControlFlow<()>>| {
            answer.map(|answer| has_enough |= answer.is_break())
        };
        let written = match (sink.format(), hit.row.as_deref()) {
            (Some(_), _) => texts.write(&hit.places, output, |slice| take(sink.write_text(slice))),
            (None, Some(row)) => take(sink.write(row)),
            (None, None) => Ok(()),
        };
        written.map_err(|error| named(|| sink.name(), error))?;
    }
    Ok(if has_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
}

/// Adds a match to a spool. The text for a sink without a format is the match as JSON, with its
/// tags once more: as a map they would lose the second of a name.
fn spooled(
    hit: &OwnMatch,
    texts: &MatchTexts,
    spool: &mut Spool,
    formats: &[Option<Arc<dyn Format>>],
) -> io::Result<SpoolEntry> {
    let row = hit.row.as_deref().map(|row| (row, &row.tags));
    let row = row.as_ref().map(serde_json::to_vec).transpose()?.unwrap_or_default();
    let texts = formats.iter().enumerate().map(|(output, format)| match format {
        Some(_) => texts.slices(&hit.places, output).collect(),
        None => vec![row.as_slice()],
    });
    spool.push(hit.places.names.clone(), texts)
}

/// The name of the temporary file of sorted matches in messages.
const SPOOL_NAME: &str = "the file of matches to sort";

/// An error of either side of [`Spool::drain`].
enum DrainError {
    Sink(Error),
    Spool(std::io::Error),
}

impl From<std::io::Error> for DrainError {
    fn from(error: std::io::Error) -> DrainError {
        DrainError::Spool(error)
    }
}
