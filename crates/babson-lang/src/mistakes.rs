//! Mistakes that are known by the tokens around them: the right word at the right place.

use lalrpop_util::ParseError;

use crate::diagnostic::{Diagnostic, Span};
use crate::expected::place;
use crate::hir::{GameResult, Type};
use crate::keywords::{Class, Keyword};
use crate::sema::type_of;
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
        Tok::Designator(_) if wants("name") && !wants("nullary") => not_a_name(text, span, None),
        Tok::Assign | Tok::OpAssign(_) => {
            if let Some(error) = assigned_filter(&around, span) {
                return Some(error);
            }
            let before = around.span(-1)?;
            // `--=Q` and `--a8 =Q` are about promotions.
            let behind_dash = around.word(-2).is_some_and(|word| matches!(word, "--" | "[x]"));
            if behind_dash { None } else { not_a_name(text, before, around.word(1)) }
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
        Tok::Rel(_) => half_a_comparison(&around, span),
        Tok::Then => condition_of_two(&around, span),
        _ if wants("string") && around.word(-1) == Some("tag") => {
            let error = Diagnostic::error(span, "the name of a tag stands in quotes");
            Some(error.with_help(format!("write `tag \"{}\"`", span.text(text))))
        }
        _ => dictionary(&around),
    }
}

/// `year = 1920`, `elo white = 2500`, `#Q = 2`: a filter where a name must stand.
fn assigned_filter(around: &Around<'_>, span: Span) -> Option<Diagnostic> {
    let value = around.word(1)?;
    let word = around.word(-1)?;
    if word == "result" {
        return Some(result_without_sign(span, value));
    }
    let is_operand = |word: &str| {
        Keyword::from_word(word).is_some_and(|word| word.class() == Class::Width7) || word == "#"
    };
    let first = match around.word(-2) {
        Some("elo" | "player") if matches!(word, "white" | "black") => -2,
        Some(before) if is_operand(before) => -2,
        _ if is_compared(word) => -1,
        _ => return None,
    };
    let subject = around.span(first)?.to(around.span(-1)?).text(around.text);
    let error = Diagnostic::error(span, format!("`{subject}` is a filter and cannot be assigned"));
    Some(error.with_help(comparison(subject, value)))
}

/// What to write instead of `subject = value…`.
fn comparison(subject: &str, value: &str) -> String {
    match value.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '"') {
        true => format!("a comparison is written `{subject} == {value}`"),
        false => "a comparison is written `==`".to_owned(),
    }
}

/// Whether the word alone is a filter with a value.
fn is_compared(word: &str) -> bool {
    Keyword::from_word(word).is_some_and(|word| match word.class() {
        Class::Search | Class::Coloured => true,
        Class::Nullary => {
            matches!(type_of(word), Some(Type::Number | Type::String | Type::Set | Type::Position))
        }
        Class::Direction
        | Class::Transform
        | Class::Width1
        | Class::Width5
        | Class::Width7
        | Class::Tight
        | Class::List
        | Class::Print
        | Class::Text
        | Class::Special
        | Class::Reserved => false,
    })
}

/// `result == 1-0`
fn result_without_sign(span: Span, value: &str) -> Diagnostic {
    let error = Diagnostic::error(span, "`result` is not compared: the result itself follows it");
    match GameResult::of_name(value.trim_matches('"')) {
        Some(result) => error.with_help(format!("write `result {}`", result.name())),
        None => error.with_help("the results are `1-0`, `0-1` and `1/2-1/2`"),
    }
}

/// `result == 1-0`, `year >= 1920 and <= 1930`
fn half_a_comparison(around: &Around<'_>, span: Span) -> Option<Diagnostic> {
    if around.word(-1) == Some("result") {
        return Some(result_without_sign(span, around.word(1).unwrap_or_default()));
    }
    let joins = matches!(around.word(-1), Some("and" | "or"));
    let subject = around.word(-4).filter(|word| is_compared(word));
    let is_comparison = matches!(around.word(-3), Some("==" | "!=" | "<" | "<=" | ">" | ">="));
    let (true, true, Some(subject)) = (joins, is_comparison, subject) else {
        return None;
    };
    let (sign, value) = (around.word(0)?, around.word(1)?);
    let error = Diagnostic::error(span, format!("`{sign}` has nothing to compare at its left"));
    Some(error.with_help(format!("write `{subject} {sign} {value}`")))
}

/// `if year 1920 then …`
fn condition_of_two(around: &Around<'_>, span: Span) -> Option<Diagnostic> {
    let (subject, value) = (around.word(-2)?, around.word(-1)?);
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || !is_compared(subject) {
        return None;
    }
    let error = Diagnostic::error(span, "the condition of `if` is one filter");
    Some(error.with_help(format!("to compare the two, write `{subject} == {value}`")))
}

/// A word that is a piece designator where a name must stand, and the value that it is assigned.
fn not_a_name(text: &str, span: Span, value: Option<&str>) -> Option<Diagnostic> {
    let word = span.text(text);
    let is_word =
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !is_word || designator::parse(word).is_err() {
        return None;
    }
    let error =
        Diagnostic::error(span, format!("`{word}` is a piece designator and cannot be a name"));
    let value = value.filter(|_| word.starts_with(|letter: char| letter.is_ascii_uppercase()));
    Some(error.with_help(match value {
        Some(value) => {
            format!("choose another name, for example `my{word}`; {}", comparison(word, value))
        }
        None => format!("choose another name, for example `my{}`", word.to_ascii_uppercase()),
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
