//! A line a matching position: four fields of a FEN and operations.

use std::fmt::Write as _;

use babson_pgn::Game;
use babson_vm::Outcome;

use super::place::{places, tag};

pub(crate) fn append(out: &mut Vec<u8>, game: &Game<'_>, outcome: &Outcome, number: u64) {
    let mut players = String::new();
    for name in ["White", "Black"] {
        let name = tag(game, outcome, name);
        let name = if name.is_empty() { "?" } else { &*name };
        let separator = if players.is_empty() { "" } else { " - " };
        let _ = write!(players, "{separator}{name}");
    }
    let mut line = String::new();
    for place in places(game, outcome) {
        line.clear();
        let fen = place.fen(game);
        for (index, field) in fen.split(' ').take(4).enumerate() {
            line.push_str(if index == 0 { "" } else { " " });
            line.push_str(field);
        }
        let position = place.position;
        let _ = write!(
            line,
            " hmvc {}; fmvn {}; id \"",
            position.half_moves(),
            position.full_moves()
        );
        operand(
            &mut line,
            &format!("game {number}, id {}: {players}", place.id),
        );
        line.push_str("\";");
        for (index, comment) in place.comments(outcome).take(10).enumerate() {
            let _ = write!(line, " c{index} \"");
            operand(&mut line, &comment);
            line.push_str("\";");
        }
        line.push('\n');
        out.extend_from_slice(line.as_bytes());
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
