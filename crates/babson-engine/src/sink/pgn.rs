//! PGN: the annotated game.

use babson_pgn::{Annotations, Game};
use babson_vm::Outcome;

use super::{FormatReport, Hit};
use crate::job::Job;

pub(crate) fn append(hit: &Hit<'_>, out: &mut Vec<u8>) -> FormatReport {
    let Hit { game, outcome, job, .. } = *hit;
    let report =
        annotated(game, outcome, job, |added| babson_pgn::write(game, added, &job.layout, out));
    FormatReport { ignored_comments: report.ignored_comments }
}

/// Calls `take` with the tags of the annotated game.
pub(super) fn with_tags<T>(
    game: &Game<'_>,
    outcome: &Outcome,
    job: &Job,
    take: impl FnOnce(Vec<(&[u8], &[u8])>) -> T,
) -> T {
    annotated(game, outcome, job, |added| {
        let tags = babson_pgn::output_tags(game, added, &job.layout);
        take(tags.iter().map(|(name, value)| (&**name, &**value)).collect())
    })
}

/// Calls `write` with what the query added to the game.
fn annotated<T>(
    game: &Game<'_>,
    outcome: &Outcome,
    job: &Job,
    write: impl FnOnce(&Annotations<'_>) -> T,
) -> T {
    let comments: Vec<(u32, &[u8])> =
        outcome.comments.iter().map(|(node, text)| (*node, text.as_slice())).collect();
    let tags: Vec<(&[u8], &[u8])> =
        outcome.tags.iter().map(|(name, value)| (name.as_bytes(), value.as_slice())).collect();
    let mut hidden: Vec<&[u8]> = outcome.removed_tags.iter().map(String::as_bytes).collect();
    if job.tags.hides() {
        let names = game.tags().map(|tag| tag.0);
        let names = names.chain(tags.iter().map(|tag| tag.0));
        let names = names.chain(Annotations::ROSTER);
        hidden.extend(names.filter(|name| !job.tags.shows(name)));
    }
    write(&Annotations {
        comments: &comments,
        headers: outcome.headers,
        removed: &outcome.removed_comments,
        tags: &tags,
        hidden_tags: &hidden,
        keep_duplicates: !job.options.unique_comments,
    })
}
