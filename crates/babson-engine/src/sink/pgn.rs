//! PGN: the annotated game.

use babson_pgn::{Annotations, Fragment, Game};
use babson_vm::{HidesTag, Outcome};

use super::{FormatReport, MatchedGame, marks};
use crate::job::Job;
use crate::tags;

/// Appends the game of a match. With `names_query`, a tag names the query.
pub(crate) fn append(
    matched: &MatchedGame<'_>,
    names_query: bool,
    out: &mut Vec<u8>,
) -> FormatReport {
    let MatchedGame { game, outcome, job, .. } = *matched;
    let named = names_query.then(|| tags::named(outcome, &job.title));
    let outcome = named.as_ref().unwrap_or(outcome);
    let marked = job.marks.then(|| {
        let mut marked = outcome.clone();
        marked.comments.extend(marks::comments(matched));
        marked
    });
    let outcome = marked.as_ref().unwrap_or(outcome);
    let ignored_comments = annotated(game, outcome, job, |added| match job.fragment {
        None => babson_pgn::write(game, added, &job.layout, out).ignored_comments,
        Some(length) => {
            let parts = outcome.positions.iter().map(|&start| {
                let fragment = Fragment { start, plies: length.plies() };
                babson_pgn::write_fragment(game, fragment, added, &job.layout, out)
            });
            parts.map(|report| report.ignored_comments).sum()
        }
    });
    FormatReport { ignored_comments }
}

/// Appends a game whole, as its job writes games.
pub(crate) fn append_game(game: &MatchedGame<'_>, out: &mut Vec<u8>) {
    let MatchedGame { game, outcome, job, .. } = *game;
    annotated(game, outcome, job, |added| babson_pgn::write(game, added, &job.layout, out));
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
    let hides: HidesTag<'_> = &|name| !job.tags.shows(name);
    let hides = job.tags.hides().then_some(hides);
    outcome.annotate(game, hides, job.options.unique_comments, write)
}
