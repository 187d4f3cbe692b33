//! The order in which the matches of a job are written.

use std::io;
use std::sync::Arc;

use babson_vm::Match;

use crate::best::{BestMatches, FinalMatches, SharedBound};
use crate::error::Error;
use crate::job::Job;
use crate::match_text::{MatchText, TextMark};
use crate::rank::Rank;
use crate::sink::{Format, Sink, TextSlice, named};
use crate::spool::{Spool, SpoolEntry};
use crate::worker::GameMatch;

/// The order in which the matches of a job are written, with those that wait to be written.
pub(super) enum OutputOrder<'p> {
    /// That of the games. No match waits.
    Games,
    /// That of the sort keys.
    Sorted(Vec<(Rank, SpoolEntry)>, Spool),
    /// The same, of the matches that are chosen.
    Best(Box<BestMatches<'p>>),
}

impl<'p> OutputOrder<'p> {
    /// The order of a job, whose workers see this bound.
    pub(super) fn of(job: &Job, bound: &'p SharedBound) -> OutputOrder<'p> {
        match job.choice {
            Some(choice) => OutputOrder::Best(Box::new(BestMatches::new(choice, bound))),
            None if job.sorts() => OutputOrder::Sorted(Vec::new(), Spool::default()),
            None => OutputOrder::Games,
        }
    }

    /// The matches that wait, in their order.
    pub(super) fn finish(self) -> FinalMatches {
        match self {
            OutputOrder::Games => FinalMatches::default(),
            OutputOrder::Sorted(mut matches, spool) => {
                matches.sort_unstable_by(|one, two| one.0.cmp(&two.0));
                let entries = matches.into_iter().map(|hit| hit.1).collect();
                FinalMatches { entries, spool, ..FinalMatches::default() }
            }
            OutputOrder::Best(best) => best.finish(),
        }
    }
}

impl FinalMatches {
    /// Writes the matches.
    pub(super) fn write(self, sinks: &mut [Box<dyn Sink>]) -> Result<(), Error> {
        let mut row: Vec<u8> = Vec::new();
        let written = self.spool.drain(&self.entries, |index, slice| {
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
            result.map_err(|error| DrainError::Sink(named(|| sink.name(), error)))
        });
        written.map_err(|error| match error {
            DrainError::Sink(error) => error,
            DrainError::Spool(source) => Error::Read { path: SPOOL_NAME.to_owned(), source },
        })
    }
}

/// The texts of a match: of each sink, from where the match before it ends.
pub(super) struct MatchTexts<'r> {
    pub(super) texts: &'r [MatchText],
    pub(super) begins: &'r [TextMark],
}

impl MatchTexts<'_> {
    /// The slices of the text for a sink.
    fn slices(&self, sink: usize, end: TextMark) -> impl Iterator<Item = &[u8]> {
        self.texts[sink].slices(self.begins[sink], end)
    }

    /// Writes a match, or adds it to those that wait until the order is known.
    pub(super) fn put(
        &self,
        hit: &mut GameMatch,
        order: &mut OutputOrder<'_>,
        sinks: &mut [Box<dyn Sink>],
        formats: &[Option<Arc<dyn Format>>],
    ) -> Result<(), Error> {
        let fail = |source| Error::write(SPOOL_NAME, source);
        match (order, hit.rank.take()) {
            (OutputOrder::Games, _) => self.write(hit, sinks),
            (OutputOrder::Sorted(matches, spool), Some(rank)) => {
                let entry = self.spool(hit, spool, formats).map_err(fail)?;
                matches.push((rank, entry));
                Ok(())
            }
            (OutputOrder::Best(best), Some(rank)) => {
                let put = |spool: &mut Spool| self.spool(hit, spool, formats);
                best.add(rank, hit.ignored_comments, put).map_err(fail)
            }
            // It is not among the best.
            (OutputOrder::Sorted(..) | OutputOrder::Best(_), None) => Ok(()),
        }
    }

    fn write(&self, hit: &GameMatch, sinks: &mut [Box<dyn Sink>]) -> Result<(), Error> {
        for (index, (sink, &end)) in sinks.iter_mut().zip(&hit.ends).enumerate() {
            let file = hit.names.get(index).and_then(Option::as_deref);
            let mut result = Ok(());
            if sink.format().is_none() {
                result = hit.row.as_deref().map_or(Ok(()), |row| sink.write(row));
            } else {
                for (slice, bytes) in self.slices(index, end).enumerate() {
                    result = sink.write_text(TextSlice { file, bytes, first: slice == 0 });
                    if result.is_err() {
                        break;
                    }
                }
            }
            result.map_err(|error| named(|| sink.name(), error))?;
        }
        Ok(())
    }

    /// Adds the match to a spool. The text for a sink without a format is the match as JSON, with
    /// its tags once more: as a map they would lose the second of a name.
    fn spool(
        &self,
        hit: &GameMatch,
        spool: &mut Spool,
        formats: &[Option<Arc<dyn Format>>],
    ) -> io::Result<SpoolEntry> {
        let needs_row = formats.iter().any(Option::is_none);
        let row = hit.row.as_deref().filter(|_| needs_row).map(|row| (row, &row.tags));
        let row = row.as_ref().map(serde_json::to_vec).transpose()?.unwrap_or_default();
        let texts = formats.iter().zip(&hit.ends).enumerate();
        let texts = texts.map(|(index, (format, &end))| match format {
            Some(_) => self.slices(index, end).collect(),
            None => vec![row.as_slice()],
        });
        spool.push(hit.names.clone(), texts)
    }
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
