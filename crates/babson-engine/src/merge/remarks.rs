//! Damages and notes: which are reported, and when.

use std::collections::{BTreeMap, HashSet};

use babson_vm::run::ReadPurpose;

use super::{JobState, Merger};
use crate::collect::{ChosenMatch, Collectors};
use crate::error::Error;
use crate::limits::MIN_WAITING_REMARKS;
use crate::worker::{ChunkResult, Remark, ignored_comments};

/// The damages and notes that wait until it is known which matches of a job are written.
#[derive(Default)]
pub(super) struct WaitingRemarks {
    /// By game; also of some that will not be written.
    by_game: BTreeMap<u64, Vec<Remark>>,
    /// How many games were left when the others were dropped.
    left: usize,
}

impl WaitingRemarks {
    /// Whether so many games wait that those that are not written are to be dropped.
    fn are_many(&self) -> bool {
        self.by_game.len() > 2 * self.left + MIN_WAITING_REMARKS
    }

    /// Drops those of all but these games, which are in ascending order.
    fn keep(&mut self, chosen: &[ChosenMatch]) {
        self.by_game.retain(|game, _| chosen.binary_search_by_key(game, |hit| hit.game).is_ok());
        self.left = self.by_game.len();
    }
}

impl Merger<'_> {
    /// Reports a damage or a note.
    pub(super) fn remark(&mut self, remark: &Remark) -> Result<(), Error> {
        let report = &remark.report;
        if remark.note {
            self.observer.noted(report);
            return Ok(());
        }
        self.summary.damaged += 1;
        self.summary.left_out += u64::from(remark.left_out);
        self.observer.damaged(report);
        self.collectors.iter_mut().try_for_each(|collector| collector.damaged(report.game))
    }

    /// The indices of the remarks to report on the first `games` games of a chunk. Those that are
    /// reported only if a match is written wait until that is known.
    pub(super) fn counted_remarks(&mut self, chunk: &ChunkResult, games: u64) -> Vec<usize> {
        if chunk.remarks.is_empty() {
            return Vec::new();
        }
        let counted = counted_remarks(chunk, games, &self.states);
        let is_reported = |remark: &Remark| {
            let mut counted = counted.iter().map(|&index| &chunk.remarks[index]);
            counted
                .any(|other| (other.report.game, other.note) == (remark.report.game, remark.note))
        };
        for remark in &chunk.remarks {
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

    /// Reports what waited until it is known which matches are written: in the order of the games,
    /// and of each game at most one damage and one note.
    pub(super) fn report_waiting(&mut self) -> Result<(), Error> {
        let mut remarks: Vec<Remark> = Vec::new();
        for index in 0..self.states.len() {
            let waiting = self.states[index].waiting.take();
            let is_written = self.summary.jobs[index].stopped.is_none();
            let Some(mut waiting) = waiting.filter(|_| is_written) else { continue };
            let chosen = chosen(&self.collectors, index);
            waiting.keep(&chosen);
            for hit in chosen.iter().filter(|hit| hit.ignored_comments > 0) {
                self.message(index, &ignored_comments(hit.game, hit.ignored_comments))?;
            }
            remarks.extend(waiting.by_game.into_values().flatten());
        }
        remarks.sort_by_key(|remark| remark.report.game);
        let mut known = HashSet::new();
        for remark in &remarks {
            if known.insert((remark.report.game, remark.note)) {
                self.remark(remark)?;
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

/// The indices of the remarks to report on the first `games` games of a chunk: for each game at
/// most one damage and one note, the first that concerns a job for which the game counts.
fn counted_remarks(chunk: &ChunkResult, games: u64, states: &[JobState]) -> Vec<usize> {
    let counts = |remark: &Remark| {
        let game = remark.report.game;
        let counts_for = |job: &usize| states[*job].last_game.is_none_or(|last| game <= last);
        // The last game of a job is one that it matched or failed on.
        let is_before_end = |job: &usize| states[*job].last_game.is_none_or(|last| game < last);
        let jobs = remark.jobs.as_ref();
        let waits = waiting_job(remark, states).is_some();
        let counts_for_jobs = jobs.is_none_or(|jobs| match remark.purpose {
            ReadPurpose::Search | ReadPurpose::Match => jobs.iter().any(counts_for),
            ReadPurpose::Nonmatch => jobs.iter().all(is_before_end),
        });
        !waits && game < chunk.first_game + games && counts_for_jobs
    };
    let mut counted = Vec::new();
    let mut begin = 0;
    for game_remarks in chunk.remarks.chunk_by(|a, b| a.report.game == b.report.game) {
        let is_outranked = |remark: &Remark| {
            let others = game_remarks.iter().filter(|other| other.note == remark.note);
            others.filter(|other| other.rank < remark.rank).any(counts)
        };
        let remarks = game_remarks.iter().enumerate();
        let remarks = remarks.filter(|(_, remark)| counts(remark) && !is_outranked(remark));
        counted.extend(remarks.map(|(index, _)| begin + index));
        begin += game_remarks.len();
    }
    counted
}
