//! What is done with a match of a query: it is handed to the collectors and to the observer.

use babson_pgn::{Game, Needs, ReplayError};
use babson_vm::run::{GameText, ReadPurpose};
use babson_vm::{GameContext, Outcome};

use super::job_run::{GameReading, JobRun};
use super::plan::Plan;
use super::results::JobResult;
use super::tracer::Tracer;
use crate::collect::{Fillers, TextGame};
use crate::job::Job;

/// Hands the matches of a job to the collectors and the observer of a scan.
pub(super) struct MatchWriter<'j> {
    job: &'j Job,
    /// The index of the job.
    index: usize,
    /// Whether collectors take matches.
    collected: bool,
    /// Whether the observer of the scan takes them as data.
    observed: bool,
    /// Whether a matching game is read again unless it is whole: more of it is needed than the
    /// queries need.
    rereads: bool,
    /// What traces the matches if a collector shows that.
    tracer: Option<Tracer<'j>>,
}

/// A match, with its game as it is handed over.
pub(super) struct FoundMatch<'m> {
    pub(super) outcome: &'m Outcome,
    pub(super) game: &'m TextGame<'m>,
    /// The game, read with everything that outputs need.
    pub(super) whole: &'m Game<'m>,
    /// The line of its input that it begins on.
    pub(super) line: u64,
    /// Whether a collector wants it.
    pub(super) is_wanted: bool,
}

impl<'j> MatchWriter<'j> {
    /// The writer of the matches of a job for these collectors.
    pub(super) fn new(plan: &'j Plan, index: usize, fillers: &Fillers<'_>) -> MatchWriter<'j> {
        let (job, needs, observed) = (&plan.jobs[index], fillers.needs(index), plan.observed);
        let mut game = needs.map_or(Needs::TAGS, |needs| needs.game);
        if observed {
            game = game.union(Needs::ALL);
        }
        let collected = needs.is_some();
        let rereads = (collected || observed) && !plan.reads(job, game);
        let tracer = needs.filter(|needs| needs.traces).and_then(|_| Tracer::new(job));
        MatchWriter { job, index, collected, observed, rereads, tracer }
    }

    /// Whether matching games are read again, so that what is found then is reported.
    pub(super) fn rereads(&self) -> bool {
        self.rereads
    }

    /// Whether a collector wants a match, and whether more of it is needed than its number.
    pub(super) fn wants(
        &self,
        outcome: &Outcome,
        number: u64,
        fillers: &mut Fillers<'_>,
    ) -> (bool, bool) {
        let is_wanted = self.collected && fillers.wants(self.index, outcome, number);
        (is_wanted, is_wanted || self.observed)
    }

    /// Hands over a match.
    pub(super) fn write(
        &mut self,
        FoundMatch { outcome, game, whole, line, is_wanted }: FoundMatch<'_>,
        context: &GameContext<'_>,
        fillers: &mut Fillers<'_>,
        results: &mut JobResult,
    ) {
        let tracer = self.tracer.as_mut().filter(|_| is_wanted);
        let traces = tracer.map(|tracer| tracer.traces(whole, context, outcome));
        let found = (outcome, traces.as_deref().unwrap_or_default());
        let hit = game.origin.matched(whole, found, self.job, (game.number, line));
        let row = self.observed.then(|| Box::new(hit.row()));
        if is_wanted {
            let filled = fillers.matched(self.index, &hit, game);
            results.held += filled.bytes;
            if filled.ignored_comments > 0 {
                let lines = ignored_comments(game.number, filled.ignored_comments);
                results.add_messages(game.number, &lines);
            }
        }
        results.add_match(outcome, game.number, row);
    }
}

impl JobRun<'_> {
    /// Adds the match that the last search has found to the results, and hands it over. `game` is
    /// what the search has read of it; nothing if the guard has decided.
    ///
    /// # Errors
    /// The game is read again and the codes of its moves are damaged.
    #[inline(never)]
    pub(super) fn write_match(
        &mut self,
        game: Option<&Game<'_>>,
        reading: &mut GameReading<'_, '_, '_>,
        results: &mut JobResult,
    ) -> Result<(), ReplayError> {
        let GameReading { game: from, writer, fillers, damages, line } = reading;
        let (job, outcome) = (self.job, self.run.outcome());
        let &TextGame { ref text, number, .. } = *from;
        let has_read = game.is_some();
        let game = game.copied().filter(|game| game.is_whole() || !self.matches.rereads);
        // Whether the moves of a game of a table can be played must not depend on what else was
        // found, and a match that cannot be read takes no place among the best.
        let reads_all = has_read && Needs::MAIN_LINE.are_among(job.program.needs());
        let is_readable = matches!(text, GameText::Pgn(_)) || reads_all;
        let mut whole = None;
        if !is_readable && self.matches.collected && game.is_none() {
            whole = Some(text.read(writer, job.program.output_needs())?);
        }
        let (is_wanted, is_needed) = self.matches.wants(outcome, number, fillers);
        if !is_needed && whole.is_none() {
            results.add_match(outcome, number, None);
            return Ok(());
        }
        // The query needed only parts of the game; the output may need all of it.
        let is_read_again = game.is_none();
        let whole = match whole.or(game) {
            Some(whole) => whole,
            None => text.read(writer, job.program.output_needs())?,
        };
        if is_read_again {
            damages.add(&whole, Some(&[self.index]), ReadPurpose::Match);
        }
        let found = FoundMatch { outcome, game: from, whole: &whole, line: line(), is_wanted };
        self.matches.write(found, &self.run.context(number), fillers, results);
        Ok(())
    }
}

/// The messages about the positions of a game whose comments are too long; `positions` counts them.
pub(crate) fn ignored_comments(game: u64, positions: u32) -> Vec<u8> {
    format!("Ignoring long comment in game: {game}\n").repeat(positions as usize).into_bytes()
}
