//! EPD: one line for each matching position, with four fields of a FEN and operations.

use std::fmt::Write as _;

use babson_chess::{Move, san};
use babson_pgn::Game;
use babson_vm::tag_value;

use crate::match_text::{MatchText, SharedText};
use crate::sink::MatchedGame;
use crate::sink::position::matched_positions;

/// Appends the lines of a match. With `names_query`, the operation `query` names the query.
pub(crate) fn append(matched: &MatchedGame<'_>, names_query: bool, out: &mut MatchText) {
    let MatchedGame { game, outcome, job, number, .. } = *matched;
    let mut players = String::new();
    for name in ["White", "Black"] {
        let name = tag_value(game, outcome, name);
        let name = if name.is_empty() { "?" } else { &*name };
        let separator = if players.is_empty() { "" } else { " - " };
        players.push_str(separator);
        operand(&mut players, name);
    }
    players.push_str(" (");
    operand(&mut players, matched.input);
    let _ = write!(players, ", game {}, byte {})", matched.input_number, matched.offset);
    let mut players = SharedText::new(players);
    let mut query = String::new();
    if names_query {
        query.push_str(" query \"");
        operand(&mut query, &matched.job.title);
        query.push_str("\";");
    }
    let mut line = String::new();
    for matched in matched_positions(game, outcome) {
        line.clear();
        let fen = matched.fen(game);
        for (index, field) in fen.split(' ').take(4).enumerate() {
            line.push_str(if index == 0 { "" } else { " " });
            line.push_str(field);
        }
        let position = matched.position;
        let _ = write!(line, " hmvc {}; fmvn {};", position.half_moves(), position.full_moves());
        if let Some(length) = job.fragment {
            next_moves(&mut line, game, matched.id, length.plies());
        }
        line.push_str(" id \"");
        let _ = write!(line, "game {number}, id {}: ", matched.id);
        out.bytes().extend_from_slice(line.as_bytes());
        out.push_shared(&mut players);
        line.clear();
        line.push_str("\";");
        line.push_str(&query);
        for (index, comment) in matched.comments(outcome).take(10).enumerate() {
            let _ = write!(line, " c{index} \"");
            operand(&mut line, &comment);
            line.push_str("\";");
        }
        line.push('\n');
        out.bytes().extend_from_slice(line.as_bytes());
    }
}

/// Appends the move that was played, `bm`, and the next moves of the main continuation, `pv`: at
/// most `plies`. Both are left out at the end of the game and before a null move, which EPD does
/// not have.
fn next_moves(line: &mut String, game: &Game<'_>, id: u32, plies: Option<u32>) {
    let mut moves = Vec::new();
    let mut at = id;
    while let Some(next) = game.first_child(at)
        && plies.is_none_or(|plies| moves.len() < plies as usize)
        && game.node(next).mv != Move::NULL
    {
        moves.push(san::write(game.position(at), game.rules(), game.node(next).mv));
        at = next;
    }
    if let Some(first) = moves.first() {
        let _ = write!(line, " bm {first}; pv {};", moves.join(" "));
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
