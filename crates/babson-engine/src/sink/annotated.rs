//! Games with what a query added to them.

use babson_pgn::{Annotations, Game};
use babson_vm::{HidesTag, Outcome};

use crate::job::Job;

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
pub(crate) fn annotated<T>(
    game: &Game<'_>,
    outcome: &Outcome,
    job: &Job,
    write: impl FnOnce(&Annotations<'_>) -> T,
) -> T {
    let hides: HidesTag<'_> = &|name| !job.tags.shows(name);
    let hides = job.tags.hides().then_some(hides);
    outcome.annotate(game, hides, job.options.unique_comments, write)
}
