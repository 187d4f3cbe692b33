//! PGN: the annotated game.

use babson_pgn::Fragment;

use super::marks;
use crate::query_tag;
use crate::sink::{MatchedGame, Omitted, annotated};

impl MatchedGame<'_> {
    /// Appends the game as PGN outputs have it, with what the query added.
    pub fn append_pgn(&self, out: &mut Vec<u8>) -> Omitted {
        append(self, false, out)
    }
}

/// Appends the game of a match. With `names_query`, a tag names the query.
pub(crate) fn append(matched: &MatchedGame<'_>, names_query: bool, out: &mut Vec<u8>) -> Omitted {
    let MatchedGame { game, outcome, job, .. } = *matched;
    let named = names_query.then(|| query_tag::named(outcome, &job.title));
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
            parts.map(|omitted| omitted.ignored_comments).sum()
        }
    });
    Omitted { ignored_comments }
}

/// Appends a game whole, as its job writes games.
pub(crate) fn append_game(game: &MatchedGame<'_>, out: &mut Vec<u8>) {
    let MatchedGame { game, outcome, job, .. } = *game;
    annotated(game, outcome, job, |added| babson_pgn::write(game, added, &job.layout, out));
}
