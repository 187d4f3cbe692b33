//! The annotated game.

use babson_pgn::{Annotated, Game};
use babson_vm::Outcome;

use crate::job::Job;

pub(crate) fn append(out: &mut Vec<u8>, game: &Game<'_>, outcome: &Outcome, job: &Job) {
    let comments: Vec<(u32, &[u8])> = outcome
        .comments
        .iter()
        .map(|(node, text)| (*node, text.as_slice()))
        .collect();
    let tags: Vec<(&[u8], &[u8])> = outcome
        .tags
        .iter()
        .map(|(name, value)| (name.as_bytes(), value.as_slice()))
        .collect();
    let added = Annotated {
        comments: &comments,
        removed: &outcome.removed_comments,
        tags: &tags,
        keep_duplicates: !job.options.unique_comments,
    };
    babson_pgn::write(game, &added, job.layout, out);
}
