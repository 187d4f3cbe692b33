//! The matching positions of a game, for the formats that write a row for each.

use std::borrow::Cow;

use babson_chess::{Position, fen, san};
use babson_pgn::tags::decode;
use babson_pgn::{Game, Node};
use babson_vm::Outcome;

/// A matching position of a game.
pub(crate) struct PositionHit<'p> {
    pub(crate) id: u32,
    pub(crate) position: &'p Position,
    pub(crate) node: &'p Node,
}

/// The matching positions in id order.
pub(crate) fn matched_positions<'p>(
    game: &Game<'p>,
    outcome: &'p Outcome,
) -> impl Iterator<Item = PositionHit<'p>> + use<'p> {
    let (positions, nodes) = (game.positions(), game.nodes());
    outcome.positions.iter().filter_map(move |&id| {
        Some(PositionHit {
            id,
            position: positions.get(id as usize)?,
            node: nodes.get(id as usize)?,
        })
    })
}

impl<'p> PositionHit<'p> {
    /// The position after the main continuation.
    pub(crate) fn next(&self, game: &Game<'p>) -> Option<PositionHit<'p>> {
        let id = game.first_child(self.id)?;
        Some(PositionHit { id, position: game.position(id), node: game.node(id) })
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
        outcome.comments_at(self.id).map(decode)
    }
}
