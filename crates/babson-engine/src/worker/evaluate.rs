//! Evaluation of one query on one game.

use babson_pgn::{Game, Needs, Reader};
use babson_vm::{GameContext, Machine, SortValue};

use super::results::{GameFailure, GameMatch, JobResult};
use crate::job::Job;
use crate::match_text::MatchText;
use crate::sink;

/// Runs one query on one game and returns whether it matched. `on_reread` gets the game if it is
/// read again to be written.
pub(super) fn evaluate(
    job: &Job,
    machine: &mut Machine<'_>,
    writer: &mut Reader,
    game: Game<'_>,
    context: &GameContext<'_>,
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
    let mut names: Box<[String]> = Box::default();
    if !job.sinks.is_empty() {
        // The query needed only parts of the game; the output needs all of it.
        let whole = if game.is_whole() {
            game
        } else {
            let needs = Needs { usual_start: job.program.needs().usual_start, ..Needs::ALL };
            let whole = writer.read(game.text(), needs);
            on_reread(&whole);
            whole
        };
        names = job
            .patterns()
            .map(|pattern| pattern.fill(&whole, outcome, job.program.sorts()))
            .collect();
        for (sink, text) in job.sinks.iter().zip(&mut results.texts) {
            let written = sink::append(sink.format, text, &whole, outcome, job, context);
            for _ in 0..written.ignored_comments {
                let line = format!("Ignoring long comment in game: {}\n", context.number);
                results.messages.extend_from_slice(line.as_bytes());
            }
            if written.ignored_comments > 0 {
                let end = results.messages.len();
                results.message_ends.push((context.number, end));
            }
        }
    }
    let keys: Box<[Option<SortValue>]> =
        if job.sorts() { outcome.sort.as_slice().into() } else { Box::default() };
    let names_bytes: usize = names.iter().map(String::len).sum();
    let key_bytes = |key: &SortValue| match key {
        SortValue::Number(_) => 0,
        SortValue::Text(text) => text.len(),
    };
    results.other_bytes += names_bytes + keys.iter().flatten().map(key_bytes).sum::<usize>();
    results.matches.push(GameMatch {
        game: context.number,
        positions: outcome.positions.len() as u64,
        keys,
        ends: results.texts.iter().map(MatchText::mark).collect(),
        names,
    });
    true
}
