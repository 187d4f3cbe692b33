//! A line a matching position: four fields of a FEN and operations.

use std::fmt::Write as _;

use babson_pgn::Game;
use babson_vm::Outcome;

use super::place::{places, tag};
use crate::text::{Shared, Text};

pub(crate) fn append(out: &mut Text, game: &Game<'_>, outcome: &Outcome, number: u64) {
    let mut players = String::new();
    for name in ["White", "Black"] {
        let name = tag(game, outcome, name);
        let name = if name.is_empty() { "?" } else { &*name };
        let separator = if players.is_empty() { "" } else { " - " };
        players.push_str(separator);
        operand(&mut players, name);
    }
    let mut players = Shared::new(players);
    let mut line = String::new();
    for place in places(game, outcome) {
        line.clear();
        let fen = place.fen(game);
        for (index, field) in fen.split(' ').take(4).enumerate() {
            line.push_str(if index == 0 { "" } else { " " });
            line.push_str(field);
        }
        let position = place.position;
        let _ =
            write!(line, " hmvc {}; fmvn {}; id \"", position.half_moves(), position.full_moves());
        let _ = write!(line, "game {number}, id {}: ", place.id);
        out.bytes().extend_from_slice(line.as_bytes());
        out.push_shared(&mut players);
        line.clear();
        line.push_str("\";");
        for (index, comment) in place.comments(outcome).take(10).enumerate() {
            let _ = write!(line, " c{index} \"");
            operand(&mut line, &comment);
            line.push_str("\";");
        }
        line.push('\n');
        out.bytes().extend_from_slice(line.as_bytes());
    }
}

/// A string operand cannot hold its own quotes or line ends.
fn operand(out: &mut String, text: &str) {
    out.extend(text.chars().map(|letter| match letter {
        '"' => '\'',
        letter if letter.is_control() => ' ',
        letter => letter,
    }));
}
