//! Damages and notes: which are reported, and when.

use std::collections::HashSet;

use babson_vm::run::ReadPurpose;

use super::order::OutputOrder;
use super::{FinishedJob, JobWriter, Merger};
use crate::best::WriteRemark;
use crate::error::Error;
use crate::worker::{ChunkResult, RejectedText, Remark, ignored_comments};

impl Merger<'_> {
    /// Reports a damage or a note, and writes the text of a damaged game.
    pub(super) fn remark(&mut self, chunk: &ChunkResult, remark: &Remark) -> Result<(), Error> {
        let Remark { report, rejected, .. } = remark;
        if remark.note {
            self.observer.noted(report);
            return Ok(());
        }
        self.summary.damaged += 1;
        self.summary.left_out += u64::from(remark.left_out);
        self.observer.damaged(report);
        if let Some((rejects, rejected)) = self.rejects.as_mut().zip(rejected.as_ref()) {
            match rejected {
                RejectedText::Range(range) => {
                    rejects.write(chunk.rejects.get(range.clone()).unwrap_or_default())?;
                }
                RejectedText::Long => {
                    if let Some(text) = &chunk.long_text {
                        text.read(|bytes| rejects.write(bytes))?;
                    }
                }
            }
            rejects.write(b"\n\n")?;
        }
        Ok(())
    }

    /// The indices of the remarks to report on the first `games` games of a chunk. Those that are
    /// reported only if a match is among the best wait for the end.
    pub(super) fn counted_remarks(&mut self, chunk: &ChunkResult, games: u64) -> Vec<usize> {
        if chunk.remarks.is_empty() {
            return Vec::new();
        }
        let counted = counted_remarks(chunk, games, &self.writers);
        let is_reported = |remark: &Remark| {
            let mut counted = counted.iter().map(|&index| &chunk.remarks[index]);
            counted
                .any(|other| (other.report.game, other.note) == (remark.report.game, remark.note))
        };
        for remark in &chunk.remarks {
            let Some(job) = waiting_job(remark, &self.writers).filter(|_| !is_reported(remark))
            else {
                continue;
            };
            let rejected = match &remark.rejected {
                Some(RejectedText::Range(range)) => chunk.rejects.get(range.clone()),
                Some(RejectedText::Long) | None => None,
            };
            let (report, note) = (remark.report.clone(), remark.note);
            let remark = WriteRemark { report, note, rejected: rejected.map(<[u8]>::to_vec) };
            if let OutputOrder::Best(best) = &mut self.writers[job].order {
                best.keep_remark(remark);
            }
        }
        counted
    }

    /// Reports what waited for the best matches of each job: in the order of the games, and of each
    /// game at most one damage and one note.
    pub(super) fn report_best(&mut self, jobs: &[FinishedJob]) -> Result<(), Error> {
        for job in jobs {
            for &(game, positions) in &job.matches.ignored_comments {
                self.message(job.index, &ignored_comments(game, positions))?;
            }
        }
        let remarks = jobs.iter().flat_map(|job| job.matches.remarks.values().flatten());
        let mut remarks: Vec<&WriteRemark> = remarks.collect();
        remarks.sort_by_key(|remark| remark.report.game);
        let mut known = HashSet::new();
        for WriteRemark { report, note, rejected } in remarks {
            if !known.insert((report.game, note)) {
                continue;
            }
            if *note {
                self.observer.noted(report);
                continue;
            }
            self.summary.damaged += 1;
            self.observer.damaged(report);
            if let Some((rejects, text)) = self.rejects.as_mut().zip(rejected.as_ref()) {
                rejects.write(text)?;
                rejects.write(b"\n\n")?;
            }
        }
        Ok(())
    }
}

/// The job whose best matches a remark waits for, if it does.
fn waiting_job(remark: &Remark, writers: &[JobWriter<'_>]) -> Option<usize> {
    match remark.jobs.as_deref() {
        Some(&[job]) if remark.purpose == ReadPurpose::Match => {
            matches!(writers.get(job)?.order, OutputOrder::Best(_)).then_some(job)
        }
        Some(_) | None => None,
    }
}

/// The indices of the remarks to report on the first `games` games of a chunk: for each game at
/// most one damage and one note, the first that concerns a job for which the game counts.
fn counted_remarks(chunk: &ChunkResult, games: u64, writers: &[JobWriter<'_>]) -> Vec<usize> {
    let counts = |remark: &Remark| {
        let game = remark.report.game;
        let counts_for = |job: &usize| writers[*job].last_game.is_none_or(|last| game <= last);
        // The last game of a job is one that it matched or failed on.
        let is_before_end = |job: &usize| writers[*job].last_game.is_none_or(|last| game < last);
        let jobs = remark.jobs.as_ref();
        let waits = waiting_job(remark, writers).is_some();
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
