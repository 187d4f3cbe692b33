//! What the front end of the modern language knows of CQL 3, the language of 2004: how its queries
//! begin, and its keywords. The crate `babson-cql3` is its front end.

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::synonyms;

/// The keywords of CQL 3 without their colons, in order. A test of `babson-cql3` compares them with
/// its tables.
pub const KEYWORDS: [&str; 70] = [
    "accumulate",
    "and",
    "attackcount",
    "blackelo",
    "btm",
    "changesidetomove",
    "check",
    "elo",
    "enpassant",
    "flip",
    "flipcolor",
    "flipdiagonal",
    "flipdihedral",
    "fliphorizontal",
    "flipoffdiagonal",
    "flipvertical",
    "forany",
    "gamenumber",
    "gappedsequence",
    "ignoresidetomove",
    "initial",
    "markall",
    "matchcount",
    "mate",
    "missingpiececount",
    "movefrom",
    "movenumber",
    "moveto",
    "newpiececount",
    "noannotate",
    "nocheck",
    "noenpassant",
    "not",
    "or",
    "originaldifferentcount",
    "originalsamecount",
    "output",
    "pattern",
    "pgn",
    "piececount",
    "player",
    "power",
    "powerdifference",
    "pretransformmatchcount",
    "promote",
    "ray",
    "rayattack",
    "raydiagonal",
    "rayhorizontal",
    "rayorthogonal",
    "rayvertical",
    "relation",
    "result",
    "samesidetomove",
    "sequence",
    "shift",
    "shiftdiagonal",
    "shifthorizontal",
    "shiftmaindiagonal",
    "shiftoffdiagonal",
    "shiftvertical",
    "stalemate",
    "sumrange",
    "tagmatch",
    "terminal",
    "variations",
    "variationsonly",
    "whiteelo",
    "wtm",
    "year",
];

/// The keyword of this name, which has no colon.
///
/// ```
/// assert_eq!(babson_lang::cql3::keyword("mate"), Some("mate"));
/// assert_eq!(babson_lang::cql3::keyword("castle"), None);
/// ```
pub fn keyword(name: &str) -> Option<&'static str> {
    KEYWORDS.binary_search(&name).ok().map(|at| KEYWORDS[at])
}

/// Whether the text is a query of CQL 3: after whitespace and comments it begins with `(match`.
///
/// ```
/// assert!(babson_lang::cql3::begins_query("; theme\n(match (position :mate))"));
/// assert!(!babson_lang::cql3::begins_query("cql() mate"));
/// ```
pub fn begins_query(text: &str) -> bool {
    opening(text).is_some()
}

/// The span of `(match` at the beginning. Another case of letters counts as a misspelling of it if
/// a keyword of CQL 3 or a position list follows.
pub fn opening(text: &str) -> Option<Span> {
    let start = skipped(text, 0);
    let list = text.get(start..)?.strip_prefix('(')?;
    let word_at = skipped(text, text.len() - list.len());
    let word = word(text, word_at);
    let end = word_at + word.len();
    let is_opening = word == "match" || word.eq_ignore_ascii_case("match") && is_item(text, end);
    let offset = |at: usize| u32::try_from(at).ok();
    is_opening.then_some(Span::new(offset(start)?, offset(end)?))
}

/// Whether a keyword or a position list follows at the offset.
fn is_item(text: &str, at: usize) -> bool {
    let at = skipped(text, at);
    let rest = &text[at..];
    let list = || word(text, skipped(text, at + 1)).eq_ignore_ascii_case("position");
    rest.starts_with(':') || rest.starts_with('(') && list()
}

/// The characters between tokens. The byte 1A ends a file in DOS.
const SPACE: [char; 8] = [' ', '\t', '\r', '\n', '\x0b', '\x0c', '\x1a', '\u{feff}'];

/// The offset after whitespace and comments.
fn skipped(text: &str, at: usize) -> usize {
    let mut rest = &text[at..];
    loop {
        rest = rest.trim_start_matches(SPACE);
        let Some(comment) = rest.strip_prefix(';') else { break };
        rest = comment.find(['\r', '\n']).map_or("", |end| &comment[end..]);
    }
    text.len() - rest.len()
}

/// The word at an offset, up to whitespace, a parenthesis or a comment.
fn word(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    let is_end = |letter: char| matches!(letter, '(' | ')' | ';') || is_space(letter);
    &rest[..rest.find(is_end).unwrap_or(rest.len())]
}

/// Whether the character ends a word. A byte order mark does not.
fn is_space(letter: char) -> bool {
    letter != '\u{feff}' && SPACE.contains(&letter)
}

/// The help for a word with a colon before it, as CQL 3 has its keywords: `:attackby`.
pub(crate) fn keyword_help(word: &str) -> Option<String> {
    if let Some(synonym) = synonyms::find(word) {
        return Some(format!("a colon before a word is from CQL 3: {synonym}"));
    }
    keyword(word).is_some().then(|| {
        format!(
            "`:{word}` is a keyword of CQL 3; such a query begins with `(match (position`, and \
             `babson convert` translates it"
        )
    })
}

/// The error of a query of CQL 3 that is given to a function for the modern language.
pub(crate) fn refuse(text: &str, message: &str, help: &str) -> Result<(), Diagnostic> {
    let Some(opening) = opening(text) else { return Ok(()) };
    Err(Diagnostic::new(Code::NoModernForm, opening, message).with_help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_known_by_its_first_tokens() {
        assert_eq!(opening(" ; c\n ( match)"), Some(Span::new(6, 13)));
        assert_eq!(opening("\u{feff}(match"), Some(Span::new(3, 9)));
        assert_eq!(opening("(Match ;x\n :pgn a)"), Some(Span::new(0, 6)));
        assert_eq!(opening("(MATCH(POSITION))"), Some(Span::new(0, 6)));
        for text in
            ["(matches)", "cql() (match)", "match", "(Match (R))", "(Match x)", "(", "", ";"]
        {
            assert_eq!(opening(text), None, "{text}");
        }
    }

    #[test]
    fn keywords_are_in_order() {
        assert!(KEYWORDS.is_sorted_by(|one, next| one < next));
    }
}
