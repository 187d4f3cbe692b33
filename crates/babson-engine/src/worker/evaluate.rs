//! Evaluation of one query on one game.

use babson_pgn::{Game, Needs, Reader};
use babson_vm::{GameContext, Machine, Match, SortValue};

use super::plan::SinkNeeds;
use super::results::{GameFailure, GameMatch, JobResult};
use crate::job::Job;
use crate::match_text::MatchText;
use crate::pattern::NamePattern;
use crate::sink::Hit;

/// Where a game comes from.
#[derive(Clone, Copy)]
pub(super) struct GameOrigin<'p> {
    /// The name of the input.
    pub(super) input: &'p str,
    /// The number of the game in the input, from 1.
    pub(super) number: u64,
    /// The offset of its first byte in the (decompressed) input.
    pub(super) offset: u64,
}

/// Runs one query on one game and returns whether it matched. `on_reread` gets the game if it is
/// read again to be written.
#[expect(clippy::too_many_arguments, reason = "the parts of a worker, borrowed one by one")]
pub(super) fn evaluate(
    job: &Job,
    needs: &SinkNeeds,
    machine: &mut Machine<'_>,
    writer: &mut Reader,
    game: Game<'_>,
    context: &GameContext<'_>,
    origin: GameOrigin<'_>,
    results: &mut JobResult,
    on_reread: impl FnOnce(&Game<'_>),
) -> bool {
    let outcome = machine.run(&game, context);
    if !outcome.messages.is_empty() {
        results.messages.extend_from_slice(&outcome.messages);
        results.message_ends.push((context.number, results.messages.len()));
    }
    let before = results.evaluated;
    results.evaluated += 1;
    if let Some(error) = &outcome.error {
        results.other_bytes += error.message.len();
        results.errors.push(GameFailure { game: context.number, before, error: error.clone() });
        return false;
    }
    if !outcome.matched {
        return false;
    }
    let mut names: Box<[Option<String>]> = Box::default();
    let mut row = None;
    if needs.any() {
        // The query needed only parts of the game; the output needs all of it.
        let whole = if game.is_whole() {
            game
        } else {
            let needs = Needs { usual_start: job.program.needs().usual_start, ..Needs::ALL };
            let whole = writer.read(game.text(), needs);
            on_reread(&whole);
            whole
        };
        let sorts = job.program.sorts();
        let fill = |pattern: &Option<NamePattern>| {
            pattern.as_ref().map(|pattern| pattern.fill(&whole, outcome, sorts))
        };
        names = needs.patterns.iter().map(fill).collect();
        let hit = Hit {
            game: &whole,
            outcome,
            job,
            number: context.number,
            input: origin.input,
            input_number: origin.number,
            offset: origin.offset,
        };
        for (format, text) in needs.formats.iter().zip(&mut results.texts) {
            let Some(format) = format else { continue };
            let report = format.append(&hit, text);
            for _ in 0..report.ignored_comments {
                let line = format!("Ignoring long comment in game: {}\n", context.number);
                results.messages.extend_from_slice(line.as_bytes());
            }
            if report.ignored_comments > 0 {
                let end = results.messages.len();
                results.message_ends.push((context.number, end));
            }
        }
        row = needs.row.then(|| Box::new(hit.row()));
    }
    let keys: Box<[Option<SortValue>]> =
        if job.sorts() { outcome.sort.as_slice().into() } else { Box::default() };
    let names_bytes: usize = names.iter().flatten().map(String::len).sum();
    let key_bytes = |key: &SortValue| match key {
        SortValue::Number(_) => 0,
        SortValue::Text(text) => text.len(),
    };
    let row_bytes = row.as_deref().map_or(0, Match::bytes);
    results.other_bytes +=
        names_bytes + row_bytes + keys.iter().flatten().map(key_bytes).sum::<usize>();
    results.matches.push(GameMatch {
        game: context.number,
        positions: outcome.positions.len() as u64,
        keys,
        ends: results.texts.iter().map(MatchText::mark).collect(),
        names,
        row,
    });
    true
}
