//! The data of a report: a line of JSON for each game.

use std::fmt::Write as _;

use babson_chess::{Position, Square, SquareSet, fen, san};
use babson_pgn::Game;
use babson_pgn::tags::decode;
use babson_vm::{Outcome, SortData, Trace, TraceEntry, Value, Verdict, tag_value};
use serde::Serialize;

use crate::limits::MAX_FILTERS;
use crate::markup::json;
use crate::query::{ReportQuery, on_one_line};

/// A game that matches.
#[derive(Clone, Copy)]
pub struct ReportGame<'g> {
    /// The game, read with [`Needs::ALL`](babson_pgn::Needs::ALL).
    pub game: &'g Game<'g>,
    /// What the query says of it.
    pub outcome: &'g Outcome,
    /// What the filters did at each of the matching positions. Empty if they were not traced.
    pub traces: &'g [Trace],
    /// The number of the game, from 1 over all inputs.
    pub number: u64,
    /// The name of its input.
    pub input: &'g str,
    /// Its number in the input, from 1.
    pub input_number: u64,
}

/// A game as the script of the page reads it. The names are short, since each game has them.
#[derive(Serialize)]
struct ShownGame<'g> {
    game: u64,
    white: String,
    black: String,
    result: &'g str,
    #[serde(skip_serializing_if = "String::is_empty")]
    event: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    site: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    date: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    round: String,
    /// The file of its input without the folders, which are nobody's business once the page is
    /// given away, and its number there.
    input: &'g str,
    number: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sort: Vec<Option<SortData>>,
    /// The FEN of the initial position, if it is not the usual one.
    #[serde(skip_serializing_if = "String::is_empty")]
    start: String,
    /// The moves in the order of their positions, in SAN.
    san: String,
    /// What each move changes on the board: [`step`].
    steps: String,
    /// The positions whose parent is not the position before them: for each, its id and the id of
    /// its parent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tree: Vec<(u32, u32)>,
    /// The comments of the query outside of its matches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<(u32, String)>,
    hits: Vec<ShownHit>,
}

/// A matching position.
#[derive(Serialize)]
struct ShownHit {
    id: u32,
    fen: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// What the filters of the query did: [`verdict`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    filters: Vec<Option<String>>,
}

/// Appends the line of a game.
pub fn append(query: &ReportQuery<'_>, matched: &ReportGame<'_>, out: &mut Vec<u8>) {
    let ReportGame { game, outcome, traces, number, input, input_number } = *matched;
    let positions = outcome.positions.iter().enumerate();
    let hits = positions.filter_map(|(index, id)| {
        let position = game.positions().get(*id as usize)?;
        Some(shown_hit(query, matched, *id, position, traces.get(index)))
    });
    let hits = hits.collect();
    let tag = |name| shown_tag(game, outcome, name);
    let (san, steps, tree) = moves(game, query.variations());
    let shown = ShownGame {
        game: number,
        white: tag("White"),
        black: tag("Black"),
        result: game.result().text(),
        event: tag("Event"),
        site: tag("Site"),
        date: tag("Date"),
        round: tag("Round"),
        input: file_name(input),
        number: input_number,
        sort: sort_values(query, outcome),
        start: fen_unless_usual(game),
        san,
        steps,
        tree,
        notes: notes_elsewhere(query, outcome),
        hits,
    };
    out.extend_from_slice(json(&shown).as_bytes());
    out.push(b'\n');
}

/// The name of an input without its folders.
fn file_name(input: &str) -> &str {
    input.rsplit(['/', '\\']).next().unwrap_or(input)
}

/// The value of a tag; empty if it is unknown.
fn shown_tag(game: &Game<'_>, outcome: &Outcome, name: &str) -> String {
    let value = tag_value(game, outcome, name);
    match &*value {
        "?" | "????.??.??" => String::new(),
        _ => value.into_owned(),
    }
}

fn sort_values(query: &ReportQuery<'_>, outcome: &Outcome) -> Vec<Option<SortData>> {
    let values = outcome.sort.iter().take(query.program.sorts().len());
    values.map(|value| value.as_ref().map(SortData::from)).collect()
}

fn fen_unless_usual(game: &Game<'_>) -> String {
    const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let text = game.positions().first().map(|start| fen::write(start, game.rules()));
    text.filter(|text| text != USUAL).unwrap_or_default()
}

/// The moves in SAN, what they change, and where the tree branches.
fn moves(game: &Game<'_>, variations: bool) -> (String, String, Vec<(u32, u32)>) {
    let count = if variations { game.len() } else { game.main_line_len() } as usize;
    let (mut text, mut steps, mut tree) = (String::new(), String::new(), Vec::new());
    let nodes = game.nodes().iter().zip(game.positions()).take(count);
    for (id, (node, after)) in (0u32..).zip(nodes).skip(1) {
        let Some(before) = game.positions().get(node.parent as usize) else { continue };
        if !text.is_empty() {
            text.push(' ');
        }
        let _ = write!(text, "{}", san::write_between(before, after, game.rules(), node.mv));
        let ends = if node.mv.is_null() { [Square::A1; 2] } else { [node.mv.from(), node.mv.to()] };
        step(&mut steps, before, after, ends);
        if node.parent + 1 != id {
            tree.push((id, node.parent));
        }
    }
    (text, steps, tree)
}

/// The letter of a number below 64.
fn letter(number: usize) -> char {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    LETTERS.get(number).map_or('_', |letter| char::from(*letter))
}

fn square_letter(square: Square) -> char {
    letter(square.index())
}

/// Appends what a move changes: the letters of its two squares, if it does no more than move the
/// piece; otherwise `!`, the two squares, the number of changed squares, and for each its letter
/// and its piece, `.` for none.
fn step(out: &mut String, before: &Position, after: &Position, [from, to]: [Square; 2]) {
    let changed = |square: &Square| before.piece_at(*square) != after.piece_at(*square);
    let changes: Vec<Square> = Square::all().filter(changed).collect();
    let is_plain = changes.len() == 2
        && changes.contains(&from)
        && changes.contains(&to)
        && after.piece_at(from).is_none()
        && after.piece_at(to) == before.piece_at(from);
    if !is_plain {
        out.push('!');
    }
    out.extend([square_letter(from), square_letter(to)]);
    if !is_plain {
        out.push(letter(changes.len().min(63)));
        for square in changes.into_iter().take(63) {
            out.push(square_letter(square));
            out.push(after.piece_at(square).map_or('.', |piece| piece.letter()));
        }
    }
}

fn shown_hit(
    query: &ReportQuery<'_>,
    matched: &ReportGame<'_>,
    id: u32,
    position: &Position,
    trace: Option<&Trace>,
) -> ShownHit {
    let notes = matched.outcome.comments_at(id).map(|text| decode(text).into_owned());
    let notes = notes.filter(|note| !is_default_comment(note, query));
    let entries = trace.map_or(&[][..], |trace| &trace.entries);
    let mut filters: Vec<Option<String>> = entries.iter().take(MAX_FILTERS).map(verdict).collect();
    // What is missing at the end was not evaluated.
    while filters.pop_if(|last| last.is_none()).is_some() {}
    let fen = fen::write(position, matched.game.rules());
    ShownHit { id, fen, notes: notes.collect(), filters }
}

/// Whether it is the comment of every match, which says nothing.
fn is_default_comment(note: &str, query: &ReportQuery<'_>) -> bool {
    note == "CQL"
        && query.options.match_string.is_none()
        && query.program.header().match_string.is_none()
}

fn notes_elsewhere(query: &ReportQuery<'_>, outcome: &Outcome) -> Vec<(u32, String)> {
    let added = outcome.comments.iter();
    let elsewhere = added.filter(|(id, _)| outcome.positions.binary_search(id).is_err());
    let text = elsewhere.map(|(id, text)| (id, decode(text).into_owned()));
    text.filter(|(_, note)| !is_default_comment(note, query)).collect()
}

/// What a filter did: nothing if it was not evaluated, `0` if it failed, `1` if it matched. After
/// several evaluations `(1/3)` follows: the filter matched in 1 of 3. Then the value follows, if
/// there is one: `=` and the letters of squares, or `:` and a text. A set that it had at another
/// position is such a text.
fn verdict(entry: &TraceEntry) -> Option<String> {
    let mut text = match entry.verdict() {
        Verdict::Unevaluated => return None,
        Verdict::Failed => "0".to_owned(),
        Verdict::Matched => "1".to_owned(),
    };
    if entry.evaluated > 1 {
        text.push_str(&format!("({}/{})", entry.matched, entry.evaluated));
    }
    let squares = |out: &mut String, set: SquareSet| {
        out.push('=');
        out.extend(set.iter().map(square_letter));
    };
    match &entry.value {
        None | Some(Value::Bool(_)) => {}
        Some(Value::Set(_)) if entry.elsewhere.is_none() => squares(&mut text, entry.squares()),
        Some(Value::Piece(..)) if entry.elsewhere.is_none() => squares(&mut text, entry.squares()),
        Some(
            value @ (Value::Set(_)
            | Value::Piece(..)
            | Value::Number(_)
            | Value::Text(_)
            | Value::Position(_)
            | Value::AbsentPiece),
        ) => {
            text.push(':');
            text.push_str(&on_one_line(&value.to_string()));
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use babson_pgn::{Needs, Reader};

    use super::*;

    fn of(pgn: &str, variations: bool) -> (String, String, Vec<(u32, u32)>) {
        moves(&Reader::new().read(pgn.as_bytes(), Needs::ALL), variations)
    }

    #[test]
    fn moves_are_two_letters_unless_they_change_more() {
        let (text, steps, tree) = of("1. e4 e5 2. Nf3 *", false);
        assert_eq!((text.as_str(), steps.as_str(), tree), ("e4 e5 Nf3", "Mc0kGV", vec![]));
        // Castling, en passant, promotion, a null move.
        let start = |fen: &str| format!("[FEN \"{fen}\"]\n\n");
        let castling = start("4k3/8/8/8/8/8/8/4K2R w K - 0 1") + "1. O-O *";
        assert_eq!(of(&castling, false).1, "!EGEE.FRGKH.");
        let en_passant = start("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1") + "1. exd6 *";
        assert_eq!(of(&en_passant, false).1, "!krDj.k.rP");
        let promotion = start("4k3/P7/8/8/8/8/8/4K3 w - - 0 1") + "1. a8=Q+ *";
        assert_eq!(of(&promotion, false).1, "!w4Cw.4Q");
        assert_eq!(of("1. e4 -- *", false).1, "Mc!AAA");
    }

    #[test]
    fn an_input_has_no_folder() {
        let names = ["/home/ann/g.pgn", r"C:\games\g.pgn", "g.pgn", "<stdin>"].map(file_name);
        assert_eq!(names, ["g.pgn", "g.pgn", "g.pgn", "<stdin>"]);
    }

    #[test]
    fn variations_tell_what_they_follow() {
        let game = "1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *";
        assert_eq!(of(game, false).2, []);
        let (text, _, tree) = of(game, true);
        assert_eq!((text.as_str(), tree), ("e4 e5 Nc3 c5 Nf3", vec![(4, 1)]));
    }
}
