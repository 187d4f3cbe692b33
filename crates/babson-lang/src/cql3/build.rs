//! What the grammar's actions need, and its errors in words.

use lalrpop_util::{ErrorRecovery, ParseError};

use super::lexer::Tok;
use super::tree::{Designator, Flag, Item, List, Pieces, RelationFlag, Transform};
use crate::diagnostic::{Diagnostic, Span};
use crate::hir::Content;

/// Collects errors while the parser runs.
#[derive(Debug, Default)]
pub(crate) struct Builder<'s> {
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) recovered: Vec<ErrorRecovery<u32, Tok<'s>, ()>>,
}

impl<'s> Builder<'s> {
    pub(crate) fn list(items: Vec<(Item, Span)>, span: Span) -> List {
        let (items, spans) = items.into_iter().unzip();
        List { items, spans, span }
    }

    /// An atom that is no designator stands where one is wanted.
    pub(crate) fn no_designator(&mut self, atom: &str, span: Span) -> Designator {
        let error = Diagnostic::error(span, format!("`{atom}` is no piece designator"));
        let is_square = matches!(atom.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
        self.errors.push(if is_square {
            error.with_help(format!(
                "a piece comes before the square: `?{atom}` is anything there, `.{atom}` the empty square"
            ))
        } else {
            error.with_help("such as `Ra1`, `[Qq]`, `n[a-c1-8]`, `.d4`")
        });
        Designator {
            pieces: Pieces::Kinds(Content(0)),
            squares: 0,
        }
    }

    /// `:shift`, `:flip` and the scope are keywords of position lists too.
    pub(crate) fn relation_flag(&mut self, flag: Flag, span: Span) -> RelationFlag {
        match flag {
            Flag::Transform(Transform::Shift) => RelationFlag::Shift,
            Flag::Transform(Transform::Flip) => RelationFlag::Flip,
            Flag::Variations => RelationFlag::Variations,
            Flag::VariationsOnly => RelationFlag::VariationsOnly,
            _ => {
                self.errors.push(Diagnostic::error(
                    span,
                    "this keyword is no parameter of `:relation`",
                ));
                RelationFlag::Pattern
            }
        }
    }
}

/// A grammar error in words.
pub(super) fn report(
    text: &str,
    tokens: &[(u32, u32)],
    error: &ParseError<u32, Tok<'_>, ()>,
) -> Diagnostic {
    let (span, expected) = match error {
        ParseError::UnrecognizedToken { token, expected } => {
            (Span::new(token.0, token.2), expected.as_slice())
        }
        ParseError::ExtraToken { token } => (Span::new(token.0, token.2), &[][..]),
        ParseError::UnrecognizedEof { location, expected } => {
            (Span::new(*location, *location), expected.as_slice())
        }
        ParseError::InvalidToken { location } => (Span::new(*location, *location), &[][..]),
        ParseError::User { .. } => (Span::default(), &[][..]),
    };
    let found = span.text(text);
    let before = tokens.iter().rev().find(|token| token.1 <= span.start);
    let previous = before.map_or("", |&(start, end)| Span::new(start, end).text(text));
    if found.is_empty() {
        let error = Diagnostic::error(span, "the query ends here");
        return if expected.iter().any(|e| e == "\")\"") {
            error.with_help("a closing parenthesis is missing")
        } else {
            error
        };
    }
    // Nothing can follow the match list.
    if expected.is_empty() {
        return Diagnostic::error(span, format!("`{found}` stands after the end of the query"))
            .with_help("a file holds one match list, and nothing follows it");
    }
    let wanted = wanted(expected);
    let message = if wanted.is_empty() {
        format!("unexpected `{found}`")
    } else if previous.starts_with(':') {
        format!("unexpected `{found}`: after `{previous}` comes {wanted}")
    } else {
        format!("unexpected `{found}`: expected {wanted}")
    };
    let error = Diagnostic::error(span, message);
    match found {
        "(" => error.with_help("a list begins with `(position`"),
        ")" if previous == "(" => error.with_help("nothing stands between these parentheses"),
        _ if found.starts_with(':') => {
            error.with_help("this keyword belongs to another kind of list")
        }
        _ => error,
    }
}

/// The kinds of tokens that could stand there; a whole item is too much to list.
fn wanted(expected: &[String]) -> String {
    let has = |name: &str| expected.iter().any(|e| e.trim_matches('"') == name);
    if has(":pgn") {
        return "a position list, a parameter of the match list or `)`".to_owned();
    }
    if has(":piececount") {
        return "a piece designator, a keyword or `)`".to_owned();
    }
    if has("relationcount") {
        return "a parameter of `:relation` or `)`".to_owned();
    }
    let mut words: Vec<&str> = Vec::new();
    for (token, word) in [
        ("(match", "`(match`"),
        ("(position", "`(position`"),
        ("(", "`(`"),
        ("text", "a name"),
        ("designator", "a piece designator"),
        ("integer", "a number"),
        ("result", "`1-0`, `0-1` or `1/2-1/2`"),
        (")", "`)`"),
    ] {
        // Whatever is a name may look like a designator, a number or a result.
        if has(token) && !(has("text") && matches!(token, "designator" | "integer" | "result")) {
            words.push(word);
        }
    }
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}
