//! EPD: one line for each matching position, with four fields of a FEN and operations.

use std::fmt::Write as _;

use super::MatchedGame;
use super::position::matched_positions;
use crate::match_text::{MatchText, SharedText};
use crate::tags;

pub(crate) fn append(matched: &MatchedGame<'_>, out: &mut MatchText) {
    let MatchedGame { game, outcome, number, .. } = *matched;
    let mut players = String::new();
    for name in ["White", "Black"] {
        let name = tags::value(game, outcome, name);
        let name = if name.is_empty() { "?" } else { &*name };
        let separator = if players.is_empty() { "" } else { " - " };
        players.push_str(separator);
        operand(&mut players, name);
    }
    players.push_str(" (");
    operand(&mut players, matched.input);
    let _ = write!(players, ", game {}, byte {})", matched.input_number, matched.offset);
    let mut players = SharedText::new(players);
    let mut line = String::new();
    for matched in matched_positions(game, outcome) {
        line.clear();
        let fen = matched.fen(game);
        for (index, field) in fen.split(' ').take(4).enumerate() {
            line.push_str(if index == 0 { "" } else { " " });
            line.push_str(field);
        }
        let position = matched.position;
        let _ =
            write!(line, " hmvc {}; fmvn {}; id \"", position.half_moves(), position.full_moves());
        let _ = write!(line, "game {number}, id {}: ", matched.id);
        out.bytes().extend_from_slice(line.as_bytes());
        out.push_shared(&mut players);
        line.clear();
        line.push_str("\";");
        for (index, comment) in matched.comments(outcome).take(10).enumerate() {
            let _ = write!(line, " c{index} \"");
            operand(&mut line, &comment);
            line.push_str("\";");
        }
        line.push('\n');
        out.bytes().extend_from_slice(line.as_bytes());
    }
}

/// Appends a string operand, which cannot contain quotes or line ends.
fn operand(out: &mut String, text: &str) {
    out.extend(text.chars().map(|letter| match letter {
        '"' => '\'',
        letter if letter.is_control() => ' ',
        letter => letter,
    }));
}
