//! Mistakes that are known by the tokens around them: the right word at the right place.

use lalrpop_util::ParseError;

use crate::diagnostic::{Diagnostic, Span};
use crate::expected::place;
use crate::tokens::designator;
use crate::tokens::token::Tok;

/// The types of a typed dictionary.
const TYPES: &str = "`int`, `str`, `set` and `position`";

/// What is known of an error of the grammar. Nothing that follows it says more. `places` are those
/// of all tokens, in order.
pub(crate) fn find(
    text: &str,
    error: &ParseError<u32, Tok<'_>, ()>,
    places: &[(u32, u32)],
) -> Option<Diagnostic> {
    let ParseError::UnrecognizedToken { token, expected } = error else {
        return None;
    };
    let around = Around { text, places, at: places.partition_point(|one| one.0 < token.0) };
    let wants = |terminal: &str| expected.iter().any(|one| one.trim_matches('"') == terminal);
    let span = place(error);
    match &token.1 {
        Tok::Designator(_) if wants("name") && !wants("nullary") => not_a_name(text, span, false),
        Tok::Assign | Tok::OpAssign(_) => {
            let before = around.span(-1)?;
            // `--=Q` and `--a8 =Q` are about promotions.
            let behind_dash = around.word(-2).is_some_and(|word| matches!(word, "--" | "[x]"));
            if behind_dash { None } else { not_a_name(text, before, true) }
        }
        Tok::Shot(_) if wants("gives") => {
            let error = Diagnostic::error(
                span,
                format!("unexpected `{}`: expected `-->`", span.text(text)),
            );
            Some(error.with_help(
                "a piece is put on squares by `-->`, as in `imagine piece Q --> a8 : check`",
            ))
        }
        _ => dictionary(&around),
    }
}

/// A word that is a piece designator where a name must stand.
fn not_a_name(text: &str, span: Span, assigned: bool) -> Option<Diagnostic> {
    let word = span.text(text);
    let is_word =
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !is_word || designator::parse(word).is_err() {
        return None;
    }
    let error =
        Diagnostic::error(span, format!("`{word}` is a piece designator and cannot be a name"));
    let compares = assigned && word.starts_with(|letter: char| letter.is_ascii_uppercase());
    Some(error.with_help(match compares {
        true => {
            format!("choose another name, for example `my{word}`; a comparison is written `==`")
        }
        false => format!("choose another name, for example `my{}`", word.to_ascii_uppercase()),
    }))
}

/// `dictionary int --> str D`, wrongly written.
fn dictionary(around: &Around<'_>) -> Option<Diagnostic> {
    let begin = (-3..=0).rev().find(|&by| around.word(by) == Some("dictionary"))?;
    let (key, arrow, value) = (begin + 1, begin + 2, begin + 3);
    let is_type =
        |word: Option<&str>| matches!(word, Some("int" | "str" | "string" | "set" | "position"));
    let wrong = |at: isize, message: String| Some(Diagnostic::error(around.span(at)?, message));
    let word = |at: isize| around.word(at).unwrap_or_default();
    let help = "as in `dictionary int --> str D`";
    match around.word(arrow) {
        Some("->" | "→") => {
            let message = format!("unexpected `{}`: expected `-->`", word(arrow));
            Some(wrong(arrow, message)?.with_help(help))
        }
        Some("-->") if !is_type(around.word(key)) => {
            let message = format!("`{}` is not a type of keys", word(key));
            Some(wrong(key, message)?.with_help(format!("the types are {TYPES}")))
        }
        Some("-->") if !is_type(around.word(value)) => {
            let message = format!("`{}` is not a type of values", word(value));
            Some(wrong(value, message)?.with_help(format!("the types are {TYPES}, {help}")))
        }
        Some(_) if is_type(around.word(key)) => {
            let message = format!("unexpected `{}`: expected `-->`", word(arrow));
            Some(wrong(arrow, message)?.with_help(help))
        }
        _ => None,
    }
}

/// The tokens around an error.
struct Around<'a> {
    text: &'a str,
    places: &'a [(u32, u32)],
    at: usize,
}

impl<'a> Around<'a> {
    /// The place of the token so many after the one at fault.
    fn span(&self, by: isize) -> Option<Span> {
        let &(start, end) = self.places.get(self.at.checked_add_signed(by)?)?;
        Some(Span::new(start, end))
    }

    fn word(&self, by: isize) -> Option<&'a str> {
        self.span(by).map(|span| span.text(self.text))
    }
}
