//! The annotated game.

use babson_pgn::{Annotated, Game, Written, WrittenTag};
use babson_vm::Outcome;

use crate::job::Job;

pub(crate) fn append(out: &mut Vec<u8>, game: &Game<'_>, outcome: &Outcome, job: &Job) -> Written {
    annotated(game, outcome, job, |added| babson_pgn::write(game, added, &job.layout, out))
}

/// Calls `seen` with the tags of the annotated game.
pub(crate) fn tags(
    game: &Game<'_>,
    outcome: &Outcome,
    job: &Job,
    seen: impl FnOnce(Vec<WrittenTag<'_>>),
) {
    annotated(game, outcome, job, |added| {
        seen(babson_pgn::written_tags(game, added, &job.layout));
    });
}

/// Calls `write` with what the query added to the game.
fn annotated<T>(
    game: &Game<'_>,
    outcome: &Outcome,
    job: &Job,
    write: impl FnOnce(&Annotated<'_>) -> T,
) -> T {
    let comments: Vec<(u32, &[u8])> =
        outcome.comments.iter().map(|(node, text)| (*node, text.as_slice())).collect();
    let tags: Vec<(&[u8], &[u8])> =
        outcome.tags.iter().map(|(name, value)| (name.as_bytes(), value.as_slice())).collect();
    let mut hidden: Vec<&[u8]> = outcome.removed_tags.iter().map(String::as_bytes).collect();
    if job.tags.hides() {
        let names = game.tags().map(|tag| tag.0);
        let names = names.chain(tags.iter().map(|tag| tag.0));
        let names = names.chain(Annotated::ROSTER);
        hidden.extend(names.filter(|name| !job.tags.shows(name)));
    }
    write(&Annotated {
        comments: &comments,
        headers: outcome.headers,
        removed: &outcome.removed_comments,
        tags: &tags,
        hidden_tags: &hidden,
        keep_duplicates: !job.options.unique_comments,
    })
}
