//! Texts in the place of a query that are something else as a whole: a FEN, moves of a game, SQL, a
//! query of Scoutfish.

mod comments;
mod sql;

use crate::diagnostic::{Code, Diagnostic, Fix, Help, Span};
use crate::query_parts::QuerySpans;
use crate::san;
use crate::sema::designators::fen_pattern;
pub(crate) use comments::explain_comments;

/// The words of a FEN after the placement: the side to move, the castling rights, the square of en
/// passant, and two counters.
const FIELDS: usize = 5;

/// The one error for a query with a part that is not a query. The caller uses it for parts with
/// errors, which are consequences.
pub(crate) fn cause(text: &str, parts: &QuerySpans) -> Option<Diagnostic> {
    let places = parts.filters.iter().chain([&parts.query]);
    places.into_iter().find_map(|&place| {
        let written = place.text(text);
        let start = place.start + (written.len() - written.trim_start().len()) as u32;
        let written = written.trim();
        fen(written, start)
            .or_else(|| moves(written, start))
            .or_else(|| sql::cause(written, start))
            .or_else(|| json(written, start))
    })
}

/// A FEN as the whole text, or after `fen` and without quotes.
fn fen(written: &str, start: u32) -> Option<Diagnostic> {
    let word = written.strip_prefix("fen").map(str::trim_start).unwrap_or(written);
    let line = one_line(word);
    let fen = leading_fen(&line)?;
    let length = (written.len() - word.len()) as u32 + length_in(word, fen);
    let span = Span::new(start, start + length);
    let help = Help::write(span, format!("fen \"{fen}\""));
    let error = match word.len() == written.len() {
        true => Diagnostic::new(Code::FenAsQuery, span, "this is a FEN, not a filter"),
        false => Diagnostic::literal_needed(span, "the FEN after `fen`"),
    };
    Some(error.with_help(help))
}

/// Moves in the notation of games as the whole text.
fn moves(written: &str, start: u32) -> Option<Diagnostic> {
    let path = san::path(written)?;
    let span = Span::new(start, start + written.len() as u32);
    let message = "these are moves of a game, not filters";
    let error = Diagnostic::new(Code::MovesAsQuery, span, message);
    let help = Help::from(format!("for games with these moves write `{path}`"));
    Some(error.with_help(help.with(Fix::replace(span, path))))
}

fn json(written: &str, start: u32) -> Option<Diagnostic> {
    is_json(written).then(|| {
        let span = Span::new(start, start + written.len() as u32);
        let message = "this is JSON, as Scoutfish has it, not a query";
        let error = Diagnostic::new(Code::JsonAsQuery, span, message);
        error.with_help(
            "write `btm` for `{\"stm\": \"black\"}`; docs/src/coming-from-scoutfish.md has the \
                 others",
        )
    })
}

/// The text on one line, with single spaces between its words, and without spaces beside the `/`
/// between ranks: a FEN can be broken anywhere.
fn one_line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_ascii_whitespace() {
        if !line.is_empty() && !line.ends_with('/') && !word.starts_with('/') {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// The length of the text that a part of its line comes from.
fn length_in(text: &str, part: &str) -> u32 {
    let is_ink = |letter: &char| !letter.is_ascii_whitespace();
    let letters = part.chars().filter(is_ink).count();
    let mut places = text.char_indices().filter(|(_, letter)| is_ink(letter));
    let last = letters.checked_sub(1).and_then(|before| places.nth(before));
    last.map_or(0, |(at, letter)| (at + letter.len_utf8()) as u32)
}

/// The FEN with which a text begins: its placement and the fields after it.
///
/// ```
/// let fen = babson_lang::leading_fen("8/8/8/8/8/8/8/K1k5 w - - 0 1 mate");
/// assert_eq!(fen, Some("8/8/8/8/8/8/8/K1k5 w - - 0 1"));
/// // Numbers alone are arithmetic.
/// assert_eq!(babson_lang::leading_fen("8/8/8/8/8/8/8/8"), None);
/// ```
pub fn leading_fen(text: &str) -> Option<&str> {
    let placement = text.split_ascii_whitespace().next()?;
    let has_piece = placement.contains(|letter: char| letter.is_ascii_alphabetic());
    if !text.starts_with(placement) || !has_piece || fen_pattern(placement).is_err() {
        return None;
    }
    let mut end = placement.len();
    let mut rest = &text[end..];
    for field in 0..FIELDS {
        let word = rest.split_ascii_whitespace().next().unwrap_or_default();
        if !is_field(field, word) {
            break;
        }
        let at = rest.find(word).unwrap_or_default() + word.len();
        (end, rest) = (end + at, &rest[at..]);
    }
    Some(&text[..end])
}

/// More digits than a counter or a number of moves has.
const MAX_DIGITS: usize = 5;

/// Whether the word can be this field after the placement.
fn is_field(field: usize, word: &str) -> bool {
    let all = |letters: &str| !word.is_empty() && word.chars().all(|one| letters.contains(one));
    match field {
        0 => matches!(word, "w" | "b"),
        1 => word == "-" || all("KQkqABCDEFGHabcdefgh"),
        2 => matches!(word.as_bytes(), [b'-'] | [b'a'..=b'h', b'3' | b'6']),
        _ => word.len() <= MAX_DIGITS && all("0123456789"),
    }
}

/// Whether the text is an object of JSON: `{ "stm": …`.
fn is_json(text: &str) -> bool {
    let after_key = |rest: &str| Some(rest.split_once('"')?.1.trim_start().starts_with(':'));
    let key = text.strip_prefix('{').map(str::trim_start).and_then(|rest| rest.strip_prefix('"'));
    key.and_then(after_key).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_not_taken_for_something_else() {
        for text in ["8/8/8/8/8/8/8/8", "{ \"a\" \"b\" }", "{ \"a\" == \"b\" }", "fen \"8/8 w\""] {
            let whole = QuerySpans::whole(text);
            assert_eq!(cause(text, &whole), None, "{text}");
        }
    }
}
