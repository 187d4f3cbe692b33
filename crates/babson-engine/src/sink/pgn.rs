//! PGN: the annotated game.

use babson_pgn::{Annotations, Game, OutputTag, WriteReport};
use babson_vm::Outcome;

use crate::job::Job;

pub(crate) fn append(
    out: &mut Vec<u8>,
    game: &Game<'_>,
    outcome: &Outcome,
    job: &Job,
) -> WriteReport {
    annotated(game, outcome, job, |added| babson_pgn::write(game, added, &job.layout, out))
}

/// Calls `take` with the tags of the annotated game.
pub(crate) fn tags(
    game: &Game<'_>,
    outcome: &Outcome,
    job: &Job,
    take: impl FnOnce(Vec<OutputTag<'_>>),
) {
    annotated(game, outcome, job, |added| {
        take(babson_pgn::output_tags(game, added, &job.layout));
    });
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
