//! The formats of outputs. The thread that finds a match formats it.

pub(crate) mod csv;
mod epd;
mod html;
mod jsonl;
mod pgn;
mod position;

use babson_pgn::{Game, WriteReport};
use babson_vm::{GameContext, Outcome};

use crate::job::{Format, Job};
use crate::match_text::MatchText;

/// Appends the text of a match. `game` was read with everything that outputs need.
pub(crate) fn append(
    format: Format,
    out: &mut MatchText,
    game: &Game<'_>,
    outcome: &Outcome,
    job: &Job,
    context: &GameContext<'_>,
) -> WriteReport {
    let number = context.number;
    match format {
        Format::Pgn => return pgn::append(out.bytes(), game, outcome, job),
        Format::Jsonl => jsonl::append(out.bytes(), game, outcome, job, number),
        Format::Csv => csv::append(out, game, outcome, job, number),
        Format::Epd => epd::append(out, game, outcome, number),
        Format::Html => html::append(out.bytes(), game, outcome, job, number),
    }
    WriteReport::default()
}

/// The text before the first match.
pub(crate) fn head(format: Format, job: &Job) -> String {
    match format {
        Format::Csv => csv::head(job),
        Format::Html => html::head(job),
        Format::Pgn | Format::Jsonl | Format::Epd => String::new(),
    }
}

/// The text after the last match.
pub(crate) fn tail(format: Format) -> String {
    match format {
        Format::Html => html::tail(),
        Format::Pgn | Format::Jsonl | Format::Csv | Format::Epd => String::new(),
    }
}
