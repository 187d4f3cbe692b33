//! One query on one game.

use babson_pgn::{Game, Needs, Reader};
use babson_vm::{GameContext, Machine, SortValue};

use super::results::{Failure, FoundByJob, Match};
use crate::job::Job;
use crate::sink;
use crate::text::Text;

/// Runs one query on one game; `seen` is given the game if it is read once more to be written.
/// Returns whether the game matched.
pub(super) fn evaluate(
    job: &Job,
    machine: &mut Machine<'_>,
    writer: &mut Reader,
    game: Game<'_>,
    context: &GameContext<'_>,
    results: &mut FoundByJob,
    seen: impl FnOnce(&Game<'_>),
) -> bool {
    let outcome = machine.run(&game, context);
    if !outcome.messages.is_empty() {
        results.messages.extend_from_slice(&outcome.messages);
        results.message_ends.push((context.number, results.messages.len()));
    }
    let before = results.evaluated;
    results.evaluated += 1;
    if let Some(error) = &outcome.error {
        results.more += error.message.len();
        results.errors.push(Failure { game: context.number, before, error: error.clone() });
        return false;
    }
    if !outcome.matched {
        return false;
    }
    let mut names: Box<[String]> = Box::default();
    if !job.sinks.is_empty() {
        // The query saw what it needs; the output has it all.
        let whole = if game.is_whole() {
            game
        } else {
            let needs = Needs { usual_start: job.program.needs().usual_start, ..Needs::ALL };
            let whole = writer.read(game.text(), needs);
            seen(&whole);
            whole
        };
        names = job.patterns().map(|pattern| pattern.fill(&whole, outcome, job)).collect();
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
    results.more += names_bytes + keys.iter().flatten().map(key_bytes).sum::<usize>();
    results.matches.push(Match {
        game: context.number,
        positions: outcome.positions.len() as u64,
        keys,
        ends: results.texts.iter().map(Text::mark).collect(),
        names,
    });
    true
}
