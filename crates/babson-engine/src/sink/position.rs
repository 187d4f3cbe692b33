//! The matching positions of a game, for the formats that write a row for each.

use std::borrow::Cow;

use babson_chess::{Position, fen, san};
use babson_pgn::tags::decode;
use babson_pgn::{Game, Node};
use babson_vm::Outcome;

/// A matching position of a game.
pub(crate) struct MatchedPosition<'p> {
    pub(crate) id: u32,
    pub(crate) position: &'p Position,
    pub(crate) node: &'p Node,
}

/// The matching positions in id order.
pub(crate) fn matched_positions<'p>(
    game: &Game<'p>,
    outcome: &'p Outcome,
) -> impl Iterator<Item = MatchedPosition<'p>> + use<'p> {
    let (positions, nodes) = (game.positions(), game.nodes());
    outcome.positions.iter().filter_map(move |&id| {
        Some(MatchedPosition {
            id,
            position: positions.get(id as usize)?,
            node: nodes.get(id as usize)?,
        })
    })
}

impl<'p> MatchedPosition<'p> {
    /// The position after the main continuation.
    pub(crate) fn next(&self, game: &Game<'p>) -> Option<MatchedPosition<'p>> {
        let id = game.first_child(self.id)?;
        Some(MatchedPosition { id, position: game.position(id), node: game.node(id) })
    }

    /// The move before the position with its number, `12...Nf6`; empty for the initial position.
    pub(crate) fn mv(&self, game: &Game<'_>) -> String {
        babson_vm::move_before(game, self.id)
    }

    /// The move before the position without its number, `Nf6`; empty for the initial position.
    pub(crate) fn san(&self, game: &Game<'_>) -> String {
        let before = game.parent(self.id).map(|parent| game.position(parent));
        before.map(|before| san::write(before, game.rules(), self.node.mv)).unwrap_or_default()
    }

    /// The same move in UCI notation, `g8f6`.
    pub(crate) fn uci(&self, game: &Game<'_>) -> String {
        game.parent(self.id).map(|_| self.node.mv.to_string()).unwrap_or_default()
    }

    /// The position as a FEN.
    pub(crate) fn fen(&self, game: &Game<'_>) -> String {
        fen::write(self.position, game.rules())
    }

    /// The comments that the query added to the position.
    pub(crate) fn comments<'o>(&self, outcome: &'o Outcome) -> impl Iterator<Item = Cow<'o, str>> {
        let comments = entries_at(&outcome.comments, self.id, |comment| comment.0);
        comments.iter().map(|comment| decode(&comment.1))
    }
}

/// The entries of a position, among entries in the order of their positions. They are searched, not
/// counted off: a game can have as many matching positions as entries.
pub(crate) fn entries_at<T>(entries: &[T], id: u32, position: impl Fn(&T) -> u32) -> &[T] {
    let first = entries.partition_point(|entry| position(entry) < id);
    let later = &entries[first..];
    let count = later.iter().take_while(|entry| position(entry) == id).count();
    &later[..count]
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::entries_at;

    #[test]
    fn the_entries_of_a_position() {
        let entries = [(0, "a"), (0, "b"), (3, "c"), (9, "d"), (9, "e")];
        for (id, first, count) in [(0, 0, 2), (1, 2, 0), (3, 2, 1), (9, 3, 2), (10, 5, 0)] {
            let found = entries_at(&entries, id, |entry| entry.0);
            assert_eq!(found, &entries[first..first + count], "{id}");
        }
        assert!(entries_at::<(u32, ())>(&[], 0, |entry| entry.0).is_empty());
    }

    /// Twice as many matching positions, each with a comment, are not four times the work.
    #[test]
    fn growth_with_the_matching_positions() {
        let looked_at = |positions: u32| {
            let entries: Vec<u32> = (0..positions).collect();
            let looked_at = Cell::new(0);
            for id in 0..positions {
                let found = entries_at(&entries, id, |entry| {
                    looked_at.set(looked_at.get() + 1);
                    *entry
                });
                assert_eq!(found, [id]);
            }
            looked_at.get()
        };
        let (once, twice) = (looked_at(20_000), looked_at(40_000));
        assert!(twice * 10 < once * 23, "{once} and {twice} looks");
    }
}
