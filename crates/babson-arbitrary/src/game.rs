//! Games by random play.

use std::fmt::Write;

use babson_chess::{Color, Move, Position, Rules, fen, san};

use crate::Choices;

/// The most plies of a main line.
const MAX_PLIES: usize = 60;
/// The most plies of a variation.
const MAX_VARIATION: usize = 6;

/// Where games begin, besides the usual position: with castling by either side, pawns that promote,
/// a capture en passant, a stalemate within reach, few pieces.
const STARTS: [&str; 7] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "7k/5Q2/8/8/8/8/8/K7 w - - 0 1",
    "8/8/4k3/8/8/3K4/4P3/8 w - - 12 40",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
];

const TAGS: [(&str, &[&str]); 9] = [
    ("Event", &["Open", "It (cat.17)", "a\\\"b", "?"]),
    ("Site", &["Bled", "Zürich", "?"]),
    ("Date", &["1924.03.16", "2001.??.??", "????.??.??"]),
    ("Round", &["1", "2.4", "-"]),
    ("White", &["Alekhine, Alexander", "Réti, Richard", ""]),
    ("Black", &["Bogoljubow, Efim", "A \\\\ B"]),
    ("WhiteElo", &["2455", "0", "x"]),
    ("ECO", &["C42", "E97a"]),
    ("PlyCount", &["41"]),
];

const COMMENTS: [&str; 8] = [
    "{a comment}",
    "{}",
    "{[%clk 0:01:59] [%eval -0.31]}",
    "{<HDB> (x) [y] $1 1. e4}",
    "; to the end of the line\n",
    "{two\n\nparagraphs}",
    "{[%csl Ge4][%cal Re2e4]}",
    "{é — ♔}",
];

/// Returns a position of a game by random play, with its rules, and the positions before it.
pub fn position(choices: &mut Choices<'_>) -> Vec<(Position, Rules)> {
    let (mut position, rules) = start(choices).0;
    let mut line = vec![(position, rules)];
    for _ in 0..choices.below(MAX_PLIES) {
        let Some(mv) = any_move(&position, &rules, choices) else { break };
        position = position.make(mv, &rules);
        line.push((position, rules));
    }
    line
}

/// Returns the text of a game by random play, with tags, comments, glyphs, variations and a result.
/// Every move is legal.
pub fn game(choices: &mut Choices<'_>) -> String {
    let ((position, rules), fen) = start(choices);
    let mut text = String::new();
    for (name, values) in TAGS {
        if !choices.one_in(3) {
            let _ = writeln!(text, "[{name} \"{}\"]", choices.choose(values));
        }
    }
    if let Some(fen) = fen {
        let _ = write!(text, "[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
    }
    text.push('\n');
    let plies = choices.below(MAX_PLIES);
    line(&mut text, position, &rules, plies, 2, choices);
    text.push_str(choices.choose(&["1-0", "0-1", "1/2-1/2", "*"]));
    text.push_str("\n\n");
    text
}

fn start(choices: &mut Choices<'_>) -> ((Position, Rules), Option<&'static str>) {
    let usual = ((Position::start(), Rules::STANDARD), None);
    match choices.below(2 * STARTS.len()) {
        at if at < STARTS.len() => usual,
        at => {
            let fen = STARTS[at - STARTS.len()];
            fen::parse(fen).map_or(usual, |start| (start, Some(fen)))
        }
    }
}

fn any_move(position: &Position, rules: &Rules, choices: &mut Choices<'_>) -> Option<Move> {
    let moves = position.legal_moves(rules);
    (!moves.is_empty()).then(|| choices.choose(&moves))
}

/// Writes a line of this number of plies, with variations that are nested at most so deep.
fn line(
    text: &mut String,
    mut position: Position,
    rules: &Rules,
    plies: usize,
    depth: usize,
    choices: &mut Choices<'_>,
) {
    for ply in 0..plies {
        let Some(mv) = any_move(&position, rules, choices) else { break };
        let number = position.full_moves();
        match position.side() {
            Color::White => drop(write!(text, "{number}. ")),
            Color::Black if ply == 0 || choices.one_in(4) => drop(write!(text, "{number}... ")),
            Color::Black => {}
        }
        let _ = write!(text, "{} ", san::write(&position, rules, mv));
        let before = position;
        position = position.make(mv, rules);
        if choices.one_in(8) {
            let _ = write!(text, "{} ", choices.choose(&["$1", "$14", "!", "?!", "$255"]));
        }
        if choices.one_in(8) {
            let _ = write!(text, "{} ", choices.choose(&COMMENTS));
        }
        if depth > 0 && choices.one_in(12) {
            text.push('(');
            let plies = 1 + choices.below(MAX_VARIATION);
            line(text, before, rules, plies, depth - 1, choices);
            text.push_str(") ");
        }
        if choices.one_in(12) {
            text.push('\n');
        }
    }
}
