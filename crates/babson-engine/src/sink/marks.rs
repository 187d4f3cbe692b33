//! The marks of matching positions in PGN: colored squares and arrows as Lichess and ChessBase read
//! them in comments, `[%csl Gd4,Rf7]` and `[%cal Bg1f3]`.

use std::fmt::Write as _;

use babson_chess::SquareSet;
use babson_pgn::Game;
use babson_vm::Trace;

use super::MatchedGame;
use crate::limits::MAX_MARKED_SQUARES;

/// The colors of the filters that name squares, in the order of the query: green, red, blue, yellow
/// and again. A report has the same first colors.
const COLORS: [char; 4] = ['G', 'R', 'B', 'Y'];

/// The comments with the marks of the matching positions, each with the id of its position.
pub(super) fn comments(matched: &MatchedGame<'_>) -> Vec<(u32, Vec<u8>)> {
    let comment = |trace: &Trace| {
        let text = squares(trace) + &arrows(matched.game, trace.position);
        (!text.is_empty()).then(|| (trace.position, text.into_bytes()))
    };
    matched.traces.iter().filter_map(comment).collect()
}

/// The squares that the filters name. A square that several name has the color of the first.
fn squares(trace: &Trace) -> String {
    let mut text = String::new();
    let mut marked = SquareSet::EMPTY;
    let named = trace.entries.iter().filter(|entry| entry.names_squares);
    for (entry, color) in named.zip(COLORS.iter().cycle()) {
        let set = entry.squares();
        if set.len() > MAX_MARKED_SQUARES {
            continue;
        }
        for square in (set & !marked).iter() {
            text.push_str(if text.is_empty() { "[%csl " } else { "," });
            let _ = write!(text, "{color}{square}");
        }
        marked |= set;
    }
    text.push_str(if text.is_empty() { "" } else { "]" });
    text
}

/// The last move in yellow and the next one in blue.
fn arrows(game: &Game<'_>, position: u32) -> String {
    let mut text = String::new();
    let last = Some(position).filter(|id| *id != 0);
    for (id, color) in [(last, 'Y'), (game.first_child(position), 'B')] {
        let Some(mv) = id.map(|id| game.node(id).mv).filter(|mv| !mv.is_null()) else { continue };
        if mv.from() != mv.to() {
            text.push_str(if text.is_empty() { "[%cal " } else { "," });
            let _ = write!(text, "{color}{}{}", mv.from(), mv.to());
        }
    }
    text.push_str(if text.is_empty() { "" } else { "]" });
    text
}
