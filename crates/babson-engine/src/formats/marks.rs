//! The marks of matching positions in PGN: colored squares and arrows as Lichess and ChessBase read
//! them in comments, `[%csl Gd4,Rf7]` and `[%cal Bg1f3]`.

use std::fmt::Write as _;

use babson_chess::SquareSet;
use babson_pgn::Game;
use babson_vm::Trace;

use crate::limits::MAX_MARKED_SQUARES;
use crate::sink::MatchedGame;

/// The colors of the filters that name squares, in the order of the query: green, red, blue,
/// yellow, then green again. The programs that read the marks know only these four. A report begins
/// with the same colors.
const COLORS: [char; 4] = ['G', 'R', 'B', 'Y'];

/// The colors of the arrows of the last and of the next move, in a comment with this number of sets
/// of squares. With three sets or more, blue is the color of the third set, so both arrows are
/// yellow. They still differ: the piece stands at the end of the last move, and at the start of the
/// next.
fn arrow_colors(sets: usize) -> [char; 2] {
    if sets < 3 { ['Y', 'B'] } else { ['Y', 'Y'] }
}

/// The comments with the marks of the matching positions, each with the id of its position.
pub(crate) fn comments(matched: &MatchedGame<'_>) -> Vec<(u32, Vec<u8>)> {
    let comment = |trace: &Trace| {
        let sets = trace.entries.iter().filter(|entry| entry.names_squares).count();
        let text = squares(trace) + &arrows(matched.game, trace.position, arrow_colors(sets));
        (!text.is_empty()).then(|| (trace.position, text.into_bytes()))
    };
    matched.traces.iter().filter_map(comment).collect()
}

/// The squares that the filters name at each matching position, with its id. A set that is too
/// large to be marked is left out.
pub(crate) fn named_squares(matched: &MatchedGame<'_>) -> Vec<(u32, SquareSet)> {
    let squares = |trace: &Trace| {
        let named = trace.entries.iter().filter(|entry| entry.names_squares);
        let sets = named.map(|entry| entry.squares());
        let sets = sets.filter(|set| set.len() <= MAX_MARKED_SQUARES);
        (trace.position, sets.fold(SquareSet::EMPTY, |all, set| all | set))
    };
    matched.traces.iter().map(squares).collect()
}

/// Returns the comments that mark the squares of several queries, each with the id of its position.
/// `positions` gives the squares that each query names there, with the index of the query, which
/// selects its color. If several queries name a square, it has the color of the first. The colors
/// of the arrows depend on `queries`, the number of all queries.
pub(crate) fn overlaid(
    game: &Game<'_>,
    queries: usize,
    positions: &[(u32, Vec<(usize, SquareSet)>)],
) -> Vec<(u32, Vec<u8>)> {
    let comment = |(position, sets): &(u32, Vec<(usize, SquareSet)>)| {
        let colors = sets.iter().map(|(query, set)| (*set, COLORS[query % COLORS.len()]));
        let text = colored(colors) + &arrows(game, *position, arrow_colors(queries));
        (!text.is_empty()).then(|| (*position, text.into_bytes()))
    };
    positions.iter().filter_map(comment).collect()
}

/// The squares that the filters name. If several filters name a square, it has the color of the
/// first.
fn squares(trace: &Trace) -> String {
    let named = trace.entries.iter().filter(|entry| entry.names_squares);
    let sets = named.map(|entry| entry.squares()).zip(COLORS.into_iter().cycle());
    colored(sets.filter(|(set, _)| set.len() <= MAX_MARKED_SQUARES))
}

/// Sets in their colors. A square of several sets has the color of the first.
fn colored(sets: impl Iterator<Item = (SquareSet, char)>) -> String {
    let mut text = String::new();
    let mut marked = SquareSet::EMPTY;
    for (set, color) in sets {
        for square in (set & !marked).iter() {
            text.push_str(if text.is_empty() { "[%csl " } else { "," });
            let _ = write!(text, "{color}{square}");
        }
        marked |= set;
    }
    text.push_str(if text.is_empty() { "" } else { "]" });
    text
}

/// The last move and the next one in their colors.
fn arrows(game: &Game<'_>, position: u32, colors: [char; 2]) -> String {
    let mut text = String::new();
    let last = Some(position).filter(|id| *id != 0);
    for (id, color) in [last, game.first_child(position)].into_iter().zip(colors) {
        let Some(mv) = id.map(|id| game.node(id).mv).filter(|mv| !mv.is_null()) else { continue };
        if mv.from() != mv.to() {
            text.push_str(if text.is_empty() { "[%cal " } else { "," });
            let _ = write!(text, "{color}{}{}", mv.from(), mv.to());
        }
    }
    text.push_str(if text.is_empty() { "" } else { "]" });
    text
}
