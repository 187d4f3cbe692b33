//! Damages and notes: which are reported, and when.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use babson_vm::Event;
use babson_vm::run::ReadPurpose;

use super::{JobState, Merger};
use crate::collect::{ChosenMatch, Collectors};
use crate::error::Error;
use crate::limits::MIN_WAITING_REMARKS;
use crate::worker::{ChunkResult, Remark, ignored_comments};

/// The damages and notes that wait until it is known which matches of a job are written.
#[derive(Default)]
pub(super) struct WaitingRemarks {
    /// The remarks by game number. Some of these games may not be written in the end.
    by_game: BTreeMap<u64, Vec<Remark>>,
    /// The number of games that were kept the last time that games were dropped.
    left: usize,
}

impl WaitingRemarks {
    /// Whether it is time to drop the games that will not be written, because many wait.
    fn are_many(&self) -> bool {
        self.by_game.len() > 2 * self.left + MIN_WAITING_REMARKS
    }

    /// Drops all but the remarks on these games, which are in ascending order.
    fn keep(&mut self, chosen: &[ChosenMatch]) {
        self.by_game.retain(|game, _| chosen.binary_search_by_key(game, |hit| hit.game).is_ok());
        self.left = self.by_game.len();
    }
}

impl Merger<'_> {
    /// Reports the remarks on a game, a range of the remarks of the chunk.
    pub(super) fn take_remarks(
        &mut self,
        chunk: &ChunkResult,
        remarks: Range<usize>,
    ) -> Result<(), Error> {
        let remarks = chunk.remarks.get(remarks).unwrap_or_default();
        for index in self.counted_remarks(remarks) {
            let remark = &remarks[index];
            self.remark(remark, remark.report.game)?;
        }
        Ok(())
    }

    /// Reports a damage or a note. If the observer has enough at this event, `last` becomes the
    /// last game that counts: see [`Merger::tell`].
    fn remark(&mut self, remark: &Remark, last: u64) -> Result<(), Error> {
        let report = &remark.report;
        if remark.note {
            return self.tell(Event::Noted(report.clone()), last);
        }
        self.summary.damaged += 1;
        self.summary.left_out += u64::from(remark.left_out);
        self.tell(Event::Damaged(report.clone()), last)?;
        self.collectors.iter_mut().try_for_each(|collector| collector.damaged(report.game))
    }

    /// Returns the indices of the remarks on a game that can be reported at once. A remark that is
    /// reported only if a match is written waits until that is known.
    fn counted_remarks(&mut self, remarks: &[Remark]) -> Vec<usize> {
        let counted = counted_remarks(remarks, &self.states);
        let is_reported =
            |remark: &Remark| counted.iter().any(|&index| remarks[index].note == remark.note);
        for remark in remarks {
            let Some(job) = waiting_job(remark, &self.states).filter(|_| !is_reported(remark))
            else {
                continue;
            };
            let Some(waiting) = &mut self.states[job].waiting else { continue };
            waiting.by_game.entry(remark.report.game).or_default().push(remark.clone());
            if waiting.are_many() {
                waiting.keep(&chosen(&self.collectors, job));
            }
        }
        counted
    }

    /// Reports what waited until it was known which matches are written: first the messages about
    /// ignored comments, query by query; then, in the order of the games, at most one damage and
    /// one note of each game.
    pub(super) fn report_waiting(&mut self) -> Result<(), Error> {
        let mut remarks: Vec<Remark> = Vec::new();
        for index in 0..self.states.len() {
            let waiting = self.states[index].waiting.take();
            let is_written = self.summary.queries[index].stopped.is_none();
            let Some(mut waiting) = waiting.filter(|_| is_written) else { continue };
            let chosen = chosen(&self.collectors, index);
            waiting.keep(&chosen);
            for hit in chosen.iter().filter(|hit| hit.ignored_comments > 0) {
                let lines = ignored_comments(hit.game, hit.ignored_comments);
                self.message(index, &lines, None, self.summary.games)?;
            }
            remarks.extend(waiting.by_game.into_values().flatten());
        }
        remarks.sort_by_key(|remark| remark.report.game);
        let mut known = HashSet::new();
        for remark in &remarks {
            if known.insert((remark.report.game, remark.note)) {
                self.remark(remark, self.summary.games)?;
            }
        }
        Ok(())
    }
}

impl JobState {
    /// Whether a remark on a game waits.
    pub(super) fn waits(&self, game: u64) -> bool {
        self.waiting.as_ref().is_some_and(|waiting| waiting.by_game.contains_key(&game))
    }
}

/// The matches of a job that are written, as far as is known.
fn chosen(collectors: &Collectors<'_>, job: usize) -> Vec<ChosenMatch> {
    collectors.iter().find_map(|collector| collector.chosen(job)).unwrap_or_default()
}

/// The job to whose written matches a remark belongs, if it waits until these are known.
fn waiting_job(remark: &Remark, states: &[JobState]) -> Option<usize> {
    match remark.jobs.as_deref() {
        Some(&[job]) if remark.purpose == ReadPurpose::Match => {
            states.get(job)?.waiting.is_some().then_some(job)
        }
        Some(_) | None => None,
    }
}

/// The indices of those remarks on a game that are reported: at most one damage and one note, the
/// first that concerns a job for which the game counts.
fn counted_remarks(remarks: &[Remark], states: &[JobState]) -> Vec<usize> {
    let counts = |remark: &Remark| {
        let game = remark.report.game;
        let counts_for = |job: &usize| states[*job].counts(game);
        // The last game of a job is one that it matched or failed on.
        let is_before_end = |job: &usize| states[*job].last_game.is_none_or(|last| game < last);
        let waits = waiting_job(remark, states).is_some();
        let counts_for_jobs = remark.jobs.as_ref().is_none_or(|jobs| match remark.purpose {
            ReadPurpose::Search | ReadPurpose::Match => jobs.iter().any(counts_for),
            ReadPurpose::Nonmatch => jobs.iter().all(is_before_end),
        });
        !waits && counts_for_jobs
    };
    let is_outranked = |remark: &Remark| {
        let others = remarks.iter().filter(|other| other.note == remark.note);
        others.filter(|other| other.rank < remark.rank).any(counts)
    };
    let indexed = remarks.iter().enumerate();
    let counted = indexed.filter(|(_, remark)| counts(remark) && !is_outranked(remark));
    counted.map(|(index, _)| index).collect()
}
