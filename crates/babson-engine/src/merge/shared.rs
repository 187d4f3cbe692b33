//! The outputs that all queries share: the matches of a batch in the order of the games.

use std::sync::{Arc, Mutex};

use crate::destination::SplitRules;
use crate::error::Error;
use crate::formats::FileSink;
use crate::formats::overlay::{OverlayGame, OverlayPart};
use crate::identity::OwnFiles;
use crate::match_text::{MatchText, TextMark};
use crate::output::Outputs;
use crate::sink::{Sink, SinkReport, TextSlice, named};
use crate::worker::{OverlayRewriter, Plan};

/// The text of a match for the shared outputs.
pub(super) struct SharedMatch {
    pub(super) game: u64,
    /// The text of each of all outputs of the job, from where the match before it ends.
    pub(super) begins: Box<[TextMark]>,
    pub(super) ends: Box<[TextMark]>,
    /// The names of the files of all outputs of the job: empty if none is split.
    pub(super) names: Box<[Option<String>]>,
}

/// The matches of a job in a batch.
struct JobMatches {
    job: usize,
    /// The texts of all outputs of the job. The shared ones are the last.
    texts: Vec<MatchText>,
    matches: Vec<SharedMatch>,
    /// What the job adds to its games, if they are written once for all jobs.
    overlay: Vec<OverlayPart>,
}

impl JobMatches {
    /// What the job adds to a game that counts for it.
    fn overlay_part(&self, game: u64) -> Option<(usize, &OverlayPart)> {
        self.matches.binary_search_by_key(&game, |hit| hit.game).ok()?;
        let at = self.overlay.binary_search_by_key(&game, |part| part.game).ok()?;
        Some((self.job, self.overlay.get(at)?))
    }
}

/// The outputs that all queries share.
pub(super) struct SharedWriter {
    sinks: Vec<FileSink>,
    batch: Vec<JobMatches>,
    rewriter: OverlayRewriter,
}

impl SharedWriter {
    pub(super) fn begin(
        mut sinks: Vec<FileSink>,
        plan: &Plan,
        split: SplitRules,
        own: &Arc<Mutex<OwnFiles>>,
    ) -> Result<SharedWriter, Error> {
        for sink in &mut sinks {
            let begun = sink.begin_shared(&plan.jobs, split, own);
            begun.map_err(|error| named(|| sink.name(), error))?;
        }
        let rewriter = OverlayRewriter::new(&plan.variants);
        Ok(SharedWriter { sinks, batch: Vec::new(), rewriter })
    }

    /// Whether there is an output.
    pub(super) fn any(&self) -> bool {
        !self.sinks.is_empty()
    }

    /// The outputs.
    pub(super) fn sinks(&self) -> impl Iterator<Item = &dyn Sink> + Clone {
        self.sinks.iter().map(|sink| sink as &dyn Sink)
    }

    /// Takes the matches of the next job in a batch.
    pub(super) fn take(
        &mut self,
        job: usize,
        (texts, overlay): (Vec<MatchText>, Vec<OverlayPart>),
        matches: Vec<SharedMatch>,
    ) {
        if !matches.is_empty() {
            self.batch.push(JobMatches { job, texts, matches, overlay });
        }
    }

    /// Writes the matches of the batch. `games` are those that are written once for all jobs.
    pub(super) fn write(&mut self, plan: &Plan, games: Vec<OverlayGame>) -> Result<(), Error> {
        let batch = std::mem::take(&mut self.batch);
        self.write_overlay(plan, &batch, games)?;
        let matches = batch.iter().flat_map(|job| job.matches.iter().map(move |hit| (job, hit)));
        let mut matches: Vec<(&JobMatches, &SharedMatch)> = matches.collect();
        matches.sort_by_key(|(job, hit)| (hit.game, job.job));
        let shared = self.sinks.len();
        for (job, hit) in &matches {
            let first = job.texts.len() - shared;
            for (index, sink) in (first..).zip(&mut self.sinks) {
                if sink.overlays() {
                    continue;
                }
                let file = hit.names.get(index).and_then(Option::as_deref);
                let slices = job.texts[index].slices(hit.begins[index], hit.ends[index]);
                for (slice, bytes) in slices.enumerate() {
                    let written = sink.write_text(TextSlice { file, bytes, first: slice == 0 });
                    written.map_err(|error| named(|| sink.name(), error))?;
                }
            }
        }
        if !matches.is_empty() {
            for sink in &mut self.sinks {
                sink.flush().map_err(|error| named(|| sink.name(), error))?;
            }
        }
        Ok(())
    }

    /// Writes the games of the batch that are written once, each with what the jobs add to it that
    /// it counts for.
    fn write_overlay(
        &mut self,
        plan: &Plan,
        batch: &[JobMatches],
        mut games: Vec<OverlayGame>,
    ) -> Result<(), Error> {
        games.sort_by_key(|game| game.game);
        games.dedup_by_key(|game| game.game);
        for game in &mut games {
            let parts = batch.iter().filter_map(|job| job.overlay_part(game.game));
            let parts: Vec<(usize, &OverlayPart)> = parts.collect();
            if parts.is_empty() {
                continue;
            }
            let counts_for_all = game.jobs.iter().eq(parts.iter().map(|(job, _)| job));
            let text = match game.written.take().filter(|_| counts_for_all) {
                Some(text) => text,
                None => self.rewriter.write(plan, game, &parts),
            };
            let sinks = self.sinks.iter_mut().filter(|sink| sink.overlays());
            for (sink, name) in sinks.zip(&text.names) {
                let slice = TextSlice { file: name.as_deref(), bytes: &text.bytes, first: true };
                sink.write_text(slice).map_err(|error| named(|| sink.name(), error))?;
            }
        }
        Ok(())
    }

    /// Ends the outputs. The report is that of all of them.
    pub(super) fn finish(self, outputs: &mut Outputs, searched: u64) -> Result<SinkReport, Error> {
        let mut all = SinkReport::default();
        for sink in self.sinks {
            let name = sink.name();
            let report = Box::new(sink).finish(outputs, searched);
            let report = report.map_err(|error| named(|| name, error))?;
            all.files.extend(report.files);
            all.left_out += report.left_out;
        }
        Ok(all)
    }
}
