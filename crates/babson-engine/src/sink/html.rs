//! HTML: one self-contained page with a section for each game and a board for each matching
//! position.
//!
//! The board and the pieces are drawn once, as symbols to which each diagram refers, so a page with
//! thousands of diagrams stays small.

use std::fmt::Write as _;

use babson_chess::{Color, Kind, Position, Square};
use babson_pgn::Game;
use babson_vm::Outcome;

use super::MatchedGame;
use super::position::{MatchedPosition, matched_positions};
use crate::job::Job;
use crate::tags;

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1d2329;--soft:#5b6670;--line:#d9dee3;--paper:#fff;--ground:#f4f6f8;--light:#f0ead9;--dark:#b7a184;--mark:#e3b53c}\
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ec;--soft:#9aa5af;--line:#343c44;--paper:#1c2126;--ground:#14181c;--light:#cfc6b2;--dark:#8d785e;--mark:#d9a520}}\
*{box-sizing:border-box}\
body{margin:0 auto;max-width:72rem;padding:2rem 1rem;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground)}\
h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:0;text-wrap:balance}\
header p,.about,footer{color:var(--soft);font-size:.9rem;margin:.2rem 0 1rem}\
article{background:var(--paper);border:1px solid var(--line);border-radius:.6rem;padding:1rem 1.2rem;margin:1rem 0}\
.result{font-variant-numeric:tabular-nums;color:var(--soft);font-weight:normal;margin-left:.4rem}\
.keys{display:flex;flex-wrap:wrap;gap:.4rem;margin:0 0 1rem;padding:0;list-style:none;font-size:.9rem}\
.keys li{border:1px solid var(--line);border-radius:1rem;padding:0 .7rem}\
.boards{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:1.2rem;margin:0;padding:0;list-style:none}\
figure{margin:0}figure svg{display:block;width:100%;border-radius:.3rem}\
figcaption{display:flex;flex-wrap:wrap;align-items:baseline;gap:.1rem .5rem;margin-top:.4rem}\
figcaption q{quotes:none;flex-basis:100%;white-space:pre-line;overflow-wrap:anywhere}\
.turn{color:var(--soft);font-size:.85rem}\
code{flex-basis:100%;font-size:.72rem;color:var(--soft);overflow-wrap:anywhere}\
details{margin-top:1rem}summary{cursor:pointer;color:var(--soft);font-size:.9rem}\
pre{overflow-x:auto;font-size:.85rem;line-height:1.4}\
.w{fill:#fff;stroke:#222;stroke-width:.05}.b{fill:#222;stroke:#eee;stroke-width:.02}\
.man{font-size:.86px;text-anchor:middle;paint-order:stroke;font-family:'DejaVu Sans','Segoe UI Symbol','Noto Sans Symbols2','Apple Symbols',sans-serif}\
.edge{font-size:.2px;fill:#0009;font-family:system-ui,sans-serif}.mark{fill:var(--mark);opacity:.55}\
@media print{body{background:none}article{break-inside:avoid-page;border:0}details{display:none}}";

/// Everything before the first game.
pub(crate) fn head(job: &Job) -> String {
    let mut out = String::from(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
    );
    escape(&mut out, &job.title);
    let _ = write!(
        out,
        "</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\">"
    );
    out.push_str("<symbol id=\"board\" viewBox=\"0 0 8 8\"><path fill=\"var(--light)\" d=\"M0 0h8v8H0z\"/><path fill=\"var(--dark)\" d=\"");
    for square in Square::all().filter(|square| (square.file() + square.rank()) % 2 == 0) {
        let _ = write!(out, "M{} {}h1v1h-1z", square.file(), 7 - square.rank());
    }
    out.push_str("\"/>");
    for index in 0..8u8 {
        let file = char::from(b'a' + index);
        let _ = write!(
            out,
            "<text class=\"edge\" x=\"{}.82\" y=\"7.95\">{file}</text><text class=\"edge\" x=\".04\" y=\"{}.22\">{}</text>",
            index,
            index,
            8 - index
        );
    }
    out.push_str("</symbol>");
    for color in Color::ALL {
        for kind in Kind::ALL {
            // The variation selector selects the text form of a glyph that also has an emoji form.
            let _ = write!(
                out,
                "<g id=\"{}\"><text class=\"man {}\" x=\".5\" y=\".8\">{}\u{fe0e}</text></g>",
                piece_symbol(color, kind),
                if color == Color::White { 'w' } else { 'b' },
                glyph(kind)
            );
        }
    }
    out.push_str("</svg>\n<header>\n<h1>");
    escape(&mut out, &job.title);
    out.push_str("</h1>\n<p>Matching positions, game by game. The last move is marked.</p>\n</header>\n<main>\n");
    out
}

/// Everything after the last game.
pub(crate) fn tail() -> String {
    "</main>\n<footer>Written by Babson.</footer>\n</body>\n</html>\n".to_owned()
}

pub(crate) fn append(matched: &MatchedGame<'_>, out: &mut Vec<u8>) {
    let MatchedGame { game, outcome, job, number, .. } = *matched;
    let mut page = format!("<article id=\"game-{number}\">\n<h2>");
    let value = |name: &str| {
        // PGN 8.1.1: a backslash escapes quotes and backslashes in tag values.
        let value = tags::value(game, outcome, name).replace("\\\"", "\"").replace("\\\\", "\\");
        Some(value).filter(|value| !value.is_empty() && value != "?" && value != "????.??.??")
    };
    let player = |name: &str| value(name).unwrap_or_else(|| "?".to_owned());
    escape(&mut page, &format!("{} – {}", player("White"), player("Black")));
    page.push_str("<span class=\"result\">");
    escape(&mut page, game.result().text());
    let _ = write!(page, "</span></h2>\n<p class=\"about\">Game {number}");
    for name in ["Event", "Site", "Date", "Round"] {
        if let Some(value) = value(name) {
            page.push_str(" · ");
            page.push_str(if name == "Round" { "round " } else { "" });
            escape(&mut page, &value);
        }
    }
    page.push_str("</p>\n");
    let mut keys = job.program.sorts().iter().zip(&outcome.sort).peekable();
    if keys.peek().is_some() {
        page.push_str("<ul class=\"keys\">");
        for (key, value) in keys {
            page.push_str("<li>");
            escape(&mut page, &key.name);
            page.push_str(": <b>");
            let shown = value.as_ref().map(ToString::to_string);
            escape(&mut page, shown.as_deref().unwrap_or("none"));
            page.push_str("</b></li>");
        }
        page.push_str("</ul>\n");
    }
    page.push_str("<ol class=\"boards\">\n");
    for matched in matched_positions(game, outcome) {
        figure(&mut page, game, outcome, &matched);
    }
    page.push_str("</ol>\n<details><summary>The game</summary><pre>");
    let mut printed = Vec::new();
    super::pgn::append(matched, &mut printed);
    escape(&mut page, tags::decode(&printed).trim_end());
    page.push_str("</pre></details>\n</article>\n");
    out.extend_from_slice(page.as_bytes());
}

fn figure(page: &mut String, game: &Game<'_>, outcome: &Outcome, matched: &MatchedPosition<'_>) {
    let fen = matched.fen(game);
    page.push_str("<li><figure>");
    let mv = matched.node.mv;
    let marks = if matched.id == 0 || mv.is_null() {
        [None, None]
    } else {
        [Some(mv.from()), Some(mv.to())]
    };
    board(page, matched.position, &marks, &fen);
    page.push_str("<figcaption><b>");
    let mv = matched.mv(game);
    escape(page, if mv.is_empty() { "Start" } else { &mv });
    let turn = match matched.position.side() {
        Color::White => "White to move",
        Color::Black => "Black to move",
    };
    let _ = write!(page, "</b><span class=\"turn\">{turn}</span>");
    for comment in matched.comments(outcome) {
        page.push_str("<q>");
        escape(page, &comment);
        page.push_str("</q>");
    }
    page.push_str("<code>");
    escape(page, &fen);
    page.push_str("</code></figcaption></figure></li>\n");
}

fn board(page: &mut String, position: &Position, marks: &[Option<Square>], label: &str) {
    page.push_str("<svg viewBox=\"0 0 8 8\" role=\"img\" aria-label=\"");
    escape(page, label);
    page.push_str("\"><use href=\"#board\"/>");
    for square in marks.iter().flatten() {
        let _ = write!(
            page,
            "<rect class=\"mark\" x=\"{}\" y=\"{}\" width=\"1\" height=\"1\"/>",
            square.file(),
            7 - square.rank()
        );
    }
    for square in Square::all() {
        if let Some(piece) = position.piece_at(square) {
            let _ = write!(
                page,
                "<use href=\"#{}\" x=\"{}\" y=\"{}\"/>",
                piece_symbol(piece.color, piece.kind),
                square.file(),
                7 - square.rank()
            );
        }
    }
    page.push_str("</svg>");
}

/// The name of the symbol of a piece.
fn piece_symbol(color: Color, kind: Kind) -> String {
    let color = if color == Color::White { 'w' } else { 'b' };
    format!("{color}{}", kind.letter())
}

/// The filled glyph; the style sets its color.
fn glyph(kind: Kind) -> char {
    match kind {
        Kind::Pawn => '♟',
        Kind::Knight => '♞',
        Kind::Bishop => '♝',
        Kind::Rook => '♜',
        Kind::Queen => '♛',
        Kind::King => '♚',
    }
}

fn escape(out: &mut String, text: &str) {
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(letter),
            control if control.is_control() => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn text_is_escaped() {
        let mut out = String::new();
        super::escape(&mut out, "<script>\"a\" & b\u{7}</script>");
        assert_eq!(out, "&lt;script&gt;&quot;a&quot; &amp; b\u{fffd}&lt;/script&gt;");
    }
}
