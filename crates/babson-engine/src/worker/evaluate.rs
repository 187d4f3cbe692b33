//! Evaluation of one query on one game.

use babson_pgn::{Game, ReplayError};
use babson_vm::run::{GameText, ReadPurpose};
use babson_vm::{Match, Outcome, Trace};

use super::job_run::{GameReading, JobRun};
use super::plan::SinkNeeds;
use super::results::{GameMatch, JobResult};
use crate::best::BestRanks;
use crate::collect::{Fillers, TextGame, key_bytes};
use crate::job::Job;
use crate::match_text::MatchText;
use crate::pattern::NamePattern;
use crate::rank::Rank;

impl JobRun<'_> {
    /// Adds the match that the last search has found to the results, as [`JobRun::search`] does.
    ///
    /// # Errors
    /// The game is read again and the codes of its moves are damaged.
    #[inline(never)]
    pub(super) fn write_match(
        &mut self,
        game: &Game<'_>,
        reading: &mut GameReading<'_, '_, '_>,
        results: &mut JobResult,
    ) -> Result<(), ReplayError> {
        let GameReading { game: from, writer, fillers, damages, line } = reading;
        let (job, needs, outcome) = (self.job, self.needs, self.run.outcome());
        let &TextGame { ref text, number, .. } = *from;
        if !needs.any() {
            add_match(outcome, number, Written::default(), results);
            return Ok(());
        }
        let (rank, is_best) = placed(job, outcome, number, self.best.as_mut());
        // Whether the moves of a game of a table can be played must not depend on what else was
        // found.
        let is_readable = matches!(text, GameText::Pgn(_)) || job.program.needs().moves;
        if !is_best && is_readable && !needs.observed {
            add_match(outcome, number, Written::default(), results);
            return Ok(());
        }
        // The query needed only parts of the game; the output may need all of it.
        let whole = if game.is_whole() || !needs.rereads {
            *game
        } else {
            let whole = text.read(writer, job.program.output_needs())?;
            damages.add(&whole, Some(&[self.index]), ReadPurpose::Match);
            whole
        };
        let place = Place { rank, is_best, game: from, line: line() };
        let context = self.run.context(number);
        let tracer = self.tracer.as_mut().filter(|_| is_best);
        let traces = tracer.map(|tracer| tracer.traces(&whole, &context, outcome));
        let found = (outcome, traces.as_deref().unwrap_or_default());
        write((job, self.index), needs, &whole, found, place, fillers, results);
        Ok(())
    }
}

/// The rank of a match, if it waits for the order of the output, and whether it may be among those
/// that are chosen.
pub(super) fn placed(
    job: &Job,
    outcome: &Outcome,
    number: u64,
    best: Option<&mut BestRanks<'_>>,
) -> (Option<Rank>, bool) {
    let keys = if job.sorts() { outcome.sort.as_slice() } else { &[] };
    let waits = job.sorts() || job.choice.is_some();
    let rank = waits.then(|| Rank::new(&job.program, keys, number));
    let is_best = match (best, &rank) {
        (Some(best), Some(rank)) => best.admit(rank),
        (None, _) | (_, None) => true,
    };
    (rank, is_best)
}

/// What the sinks get of a match.
#[derive(Default)]
pub(super) struct Written {
    rank: Option<Rank>,
    names: Box<[Option<String>]>,
    row: Option<Box<Match>>,
    ignored_comments: u32,
}

/// The place of a matching game in the inputs and in the output.
pub(super) struct Place<'p> {
    pub(super) rank: Option<Rank>,
    /// Whether it may be among the best, so that its text is made.
    pub(super) is_best: bool,
    pub(super) game: &'p TextGame<'p>,
    /// The line of its input that it begins on.
    pub(super) line: u64,
}

/// Writes a match, with the traces of its positions, for all sinks of its job. The game was read
/// with everything that outputs need.
pub(super) fn write(
    (job, index): (&Job, usize),
    needs: &SinkNeeds,
    whole: &Game<'_>,
    (outcome, traces): (&Outcome, &[Trace]),
    place: Place<'_>,
    fillers: &mut Fillers<'_>,
    results: &mut JobResult,
) {
    let Place { rank, is_best, game, line } = place;
    let number = game.number;
    let hit = game.origin.matched(whole, (outcome, traces), job, (number, line));
    let mut written = Written { rank, ..Written::default() };
    written.row = (needs.observed || needs.row && is_best).then(|| Box::new(hit.row()));
    if !is_best {
        written.rank = None;
        return add_match(outcome, number, written, results);
    }
    let fill = |pattern: &Option<NamePattern>| {
        pattern.as_ref().map(|pattern| pattern.fill(whole, outcome, job))
    };
    written.names = needs.patterns.iter().map(fill).collect();
    for (format, text) in needs.formats.iter().zip(&mut results.texts) {
        let Some(format) = format else { continue };
        let before = text.len();
        written.ignored_comments += format.append(&hit, text).ignored_comments;
        results.held += text.len() - before;
    }
    for filler in fillers {
        let filled = filler.matched(index, &hit, game);
        results.held += filled.bytes;
        written.ignored_comments += filled.ignored_comments;
    }
    if written.ignored_comments > 0 && job.choice.is_none() {
        let lines = ignored_comments(number, std::mem::take(&mut written.ignored_comments));
        results.add_messages(number, &lines);
    }
    add_match(outcome, number, written, results);
}

/// The messages about so many positions of a game with comments that are too long.
pub(crate) fn ignored_comments(game: u64, positions: u32) -> Vec<u8> {
    format!("Ignoring long comment in game: {game}\n").repeat(positions as usize).into_bytes()
}

/// Adds a match to the results.
pub(super) fn add_match(outcome: &Outcome, number: u64, written: Written, results: &mut JobResult) {
    let Written { rank, names, row, ignored_comments } = written;
    let names_bytes: usize = names.iter().flatten().map(String::len).sum();
    let row_bytes = row.as_deref().map_or(0, Match::bytes);
    let rank_bytes = rank.as_ref().map_or(0, |_| key_bytes(&outcome.sort));
    results.held += names_bytes + row_bytes + rank_bytes;
    results.matches.push(GameMatch {
        game: number,
        positions: outcome.positions.len() as u64,
        rank,
        ignored_comments,
        ends: results.texts.iter().map(MatchText::mark).collect(),
        names,
        row,
    });
}
