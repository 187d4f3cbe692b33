//! Evaluation of one query on one game.

use babson_pgn::{Game, Reader, ReplayError};
use babson_vm::run::{GameDamages, GameText, ReadPurpose};
use babson_vm::{Match, Outcome, SortValue, Trace};

use super::job_run::{JobRun, TextGame};
use super::plan::SinkNeeds;
use super::results::{GameMatch, JobResult, StoredMatch};
use crate::best::BestRanks;
use crate::chunk::RowName;
use crate::formats::overlay::OverlayPart;
use crate::job::Job;
use crate::match_text::MatchText;
use crate::pattern::NamePattern;
use crate::rank::Rank;
use crate::sink::MatchedGame;

/// A game of an input: where it comes from.
#[derive(Clone, Copy)]
pub(super) struct InputGame<'p> {
    /// The index of the input.
    pub(super) input: usize,
    /// Its name; of a game of a table, the name of the file that it comes from.
    pub(super) input_name: &'p str,
    /// The row, if it is a game of a table that is searched.
    pub(super) row: Option<RowName<'p>>,
    /// The number of the game in the input, from 1.
    pub(super) number: u64,
    /// The offset of its first byte in the (decompressed) input.
    pub(super) offset: u64,
    /// The length of its text there; `None` if the game has its text.
    pub(super) length: Option<u64>,
    /// Whether the input cannot be read to the end of the game.
    pub(super) is_torn: bool,
}

impl<'p> InputGame<'p> {
    /// The game as outputs see it, with its number in the scan and the line that it begins on.
    pub(super) fn matched<'m>(
        self,
        game: &'m Game<'m>,
        (outcome, traces): (&'m Outcome, &'m [Trace]),
        job: &'m Job,
        (number, line): (u64, u64),
    ) -> MatchedGame<'m>
    where
        'p: 'm,
    {
        MatchedGame {
            game,
            outcome,
            traces,
            job,
            number,
            input: self.input_name,
            input_number: self.number,
            offset: self.offset,
            length: self.length.unwrap_or(game.text().len() as u64),
            line,
        }
    }
}

impl TextGame<'_> {
    /// The match of a slice, whose text is stored. `line` is the one that the game begins on.
    fn stored(&self, whole: &Game<'_>, outcome: &Outcome, line: u64) -> StoredMatch {
        let origin = self.origin;
        StoredMatch {
            game: self.number,
            input: origin.input,
            source: origin.row.map(|_| origin.input_name.to_owned()),
            input_number: origin.number,
            offset: origin.offset,
            length: origin.length,
            line,
            text: self.text.pgn(whole),
            // The messages are among those of the batch.
            outcome: Outcome { messages: Vec::new(), ..outcome.clone() },
        }
    }
}

impl JobRun<'_> {
    /// Adds the match that the last search has found to the results, as [`JobRun::search`] does.
    ///
    /// # Errors
    /// The game is read again and the codes of its moves are damaged.
    #[inline(never)]
    pub(super) fn write_match(
        &mut self,
        game: &Game<'_>,
        from: &TextGame<'_>,
        writer: &mut Reader,
        results: &mut JobResult,
        damages: &mut GameDamages,
        line: &mut dyn FnMut() -> u64,
    ) -> Result<(), ReplayError> {
        let (job, needs, outcome) = (self.job, self.needs, self.run.outcome());
        let &TextGame { ref text, number, origin } = from;
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
        if needs.stores {
            let stored = from.stored(&whole, outcome, line());
            results.held += stored.text.len() + outcome_bytes(outcome);
            results.stored.push(stored);
            return Ok(());
        }
        let place = Place { rank, is_best, number, origin, line: line() };
        let context = self.run.context(number);
        let tracer = self.tracer.as_mut().filter(|_| is_best);
        let traces = tracer.map(|tracer| tracer.traces(&whole, &context, outcome));
        write(job, needs, &whole, (outcome, traces.as_deref().unwrap_or_default()), place, results);
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
    /// Its number over all inputs.
    pub(super) number: u64,
    pub(super) origin: InputGame<'p>,
    /// The line of its input that it begins on.
    pub(super) line: u64,
}

/// Writes a match, with the traces of its positions, for all sinks of its job. The game was read
/// with everything that outputs need.
pub(super) fn write(
    job: &Job,
    needs: &SinkNeeds,
    whole: &Game<'_>,
    (outcome, traces): (&Outcome, &[Trace]),
    place: Place<'_>,
    results: &mut JobResult,
) {
    let Place { rank, is_best, number, origin, line } = place;
    let hit = origin.matched(whole, (outcome, traces), job, (number, line));
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
    if needs.overlays {
        let part = OverlayPart::of(&hit);
        results.held += part.bytes();
        results.overlay.push(part);
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

fn key_bytes(keys: &[Option<SortValue>]) -> usize {
    keys.iter().flatten().map(text_bytes).sum()
}

/// The bytes of a value outside of its own size.
fn text_bytes(value: &SortValue) -> usize {
    match value {
        SortValue::Number(_) => 0,
        SortValue::Text(text) => text.len(),
    }
}

/// About how many bytes an outcome takes.
fn outcome_bytes(outcome: &Outcome) -> usize {
    let comments = outcome.comments.iter().map(|(_, text)| 32 + text.len());
    let tags = outcome.tags.iter().map(|(name, value)| 48 + name.len() + value.len());
    let fields =
        outcome.fields.iter().map(|field| 64 + field.name.len() + text_bytes(&field.value));
    comments.chain(tags).chain(fields).sum::<usize>()
        + 4 * outcome.positions.len()
        + key_bytes(&outcome.sort)
}
