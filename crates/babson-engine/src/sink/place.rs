//! What the sinks of single positions say about one: number, move, comments, and text as UTF-8.

use std::borrow::Cow;
use std::fmt::Write as _;

use babson_chess::{Color, Position, fen, san};
use babson_pgn::{Game, Node};
use babson_vm::Outcome;

/// A matching position of a game.
pub(crate) struct Place<'p> {
    pub(crate) id: u32,
    pub(crate) position: &'p Position,
    pub(crate) node: &'p Node,
}

/// The matching positions in id order.
pub(crate) fn places<'p>(
    game: &Game<'p>,
    outcome: &'p Outcome,
) -> impl Iterator<Item = Place<'p>> + use<'p> {
    let (positions, nodes) = (game.positions(), game.nodes());
    outcome.positions.iter().filter_map(move |&id| {
        Some(Place { id, position: positions.get(id as usize)?, node: nodes.get(id as usize)? })
    })
}

impl Place<'_> {
    /// The move that led here with its number, `12...Nf6`; nothing at the initial position.
    pub(crate) fn mv(&self, game: &Game<'_>) -> String {
        let mut text = String::new();
        if self.id == 0 {
            return text;
        }
        let Some(before) = game.positions().get(self.node.parent as usize) else {
            return text;
        };
        let dots = if before.side() == Color::White { "." } else { "..." };
        // Writing to a string cannot fail.
        let _ = write!(text, "{}{dots}", before.full_moves());
        san::write_into(before, game.rules(), self.node.mv, &mut text);
        text
    }

    /// The position as a FEN.
    pub(crate) fn fen(&self, game: &Game<'_>) -> String {
        fen::write(self.position, game.rules())
    }

    /// The comments that the query added here.
    pub(crate) fn comments<'o>(&self, outcome: &'o Outcome) -> impl Iterator<Item = Cow<'o, str>> {
        let id = self.id;
        outcome
            .comments
            .iter()
            .filter(move |comment| comment.0 == id)
            .map(|comment| text(&comment.1))
    }
}

/// Text of a file; what is no UTF-8 is read as Latin-1, the old encoding of PGN.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// The value of a tag as it is written: that of `settag`, else that of the file.
pub(crate) fn tag<'t>(game: &Game<'t>, outcome: &'t Outcome, name: &str) -> Cow<'t, str> {
    let set = outcome.tags.iter().find(|tag| tag.0 == name);
    match set {
        Some((_, value)) => text(value),
        None if name == "Result" => text(game.result_tag()),
        None => text(game.tag(name.as_bytes()).unwrap_or_default()),
    }
}
