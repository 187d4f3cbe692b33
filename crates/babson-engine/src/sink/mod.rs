//! The texts that are written for a match, made by the thread that found it.

mod jsonl;
mod pgn;

use babson_pgn::Game;
use babson_vm::{GameContext, Outcome};

use crate::job::{Format, Job};

/// Appends the text of a match. `game` was read with all that a writer wants.
pub(crate) fn append(
    format: Format,
    out: &mut Vec<u8>,
    game: &Game<'_>,
    outcome: &Outcome,
    job: &Job,
    context: &GameContext<'_>,
) {
    match format {
        Format::Pgn => pgn::append(out, game, outcome, job),
        Format::Jsonl => jsonl::append(out, game, outcome, job, context.number),
    }
}
