//! Common mistakes, recognized by the tokens around a grammar error, with a better message.

use lalrpop_util::ParseError;

use crate::ast::TypeName;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::grammar_errors::place;
use crate::hir::{GameResult, Type};
use crate::keywords::{Keyword, KeywordClass, OperandLevel};
use crate::lexer::is_designator;
use crate::tokens::terminal::Terminal;

/// The types of a typed dictionary.
const TYPES: &str = "`int`, `str`, `set` and `position`";

/// Recognizes a common mistake in a grammar error. Later errors are consequences of it. `places`
/// are the offsets of all tokens, in order.
pub(crate) fn find(
    text: &str,
    error: &ParseError<u32, Terminal<'_>, ()>,
    places: &[Span],
) -> Option<Diagnostic> {
    let ParseError::UnrecognizedToken { token, expected } = error else {
        return None;
    };
    let around =
        TokenContext { text, places, at: places.partition_point(|one| one.start < token.0) };
    let wants = |terminal: &str| expected.iter().any(|one| one.trim_matches('"') == terminal);
    let span = place(error);
    let token = &token.1;
    if matches!(token, Terminal::Designator(_)) && wants("name") && !wants("nullary") {
        return not_a_name(text, span, None);
    }
    if matches!(token, Terminal::Assign | Terminal::OpAssign(_)) {
        if let Some(error) = assigned_filter(&around, span) {
            return Some(error);
        }
        let before = around.span(-1)?;
        // `--=Q` and `--a8 =Q` are promotions.
        let after_dash = around.word(-2).is_some_and(|word| matches!(word, "--" | "[x]"));
        return if after_dash { None } else { not_a_name(text, before, around.word(1)) };
    }
    if matches!(token, Terminal::Shot(_)) && wants("gives") {
        let help = "a piece is put on squares by `-->`, as in `imagine piece Q --> a8 : check`";
        return Some(Diagnostic::unexpected(span, span.text(text), "`-->`").with_help(help));
    }
    if matches!(token, Terminal::Rel(_)) {
        return half_a_comparison(&around, span);
    }
    if matches!(token, Terminal::Then) {
        return condition_of_two(&around, span);
    }
    if wants("string") && around.word(-1) == Some("tag") {
        let error = Diagnostic::literal_needed(span, "the name of a tag");
        return Some(error.with_help(format!("write `tag \"{}\"`", span.text(text))));
    }
    dictionary(&around)
}

/// `year = 1920`, `elo white = 2500`, `#Q = 2`: a filter in the place of a name.
fn assigned_filter(around: &TokenContext<'_>, span: Span) -> Option<Diagnostic> {
    let value = around.word(1)?;
    let word = around.word(-1)?;
    if word == "result" {
        return Some(result_without_operator(span, value));
    }
    let is_operand = |word: &str| {
        Keyword::from_word(word)
            .is_some_and(|word| word.class() == KeywordClass::Prefix(OperandLevel::Seven))
            || word == "#"
    };
    let first = match around.word(-2) {
        Some("elo" | "player") if matches!(word, "white" | "black") => -2,
        Some(before) if is_operand(before) => -2,
        _ if is_compared(word) => -1,
        _ => return None,
    };
    let subject = around.span(first)?.to(around.span(-1)?).text(around.text);
    let error = Diagnostic::new(
        Code::AssignedFilter,
        span,
        format!("`{subject}` is a filter and cannot be assigned"),
    );
    Some(error.with_help(comparison(subject, value)))
}

/// The help for `subject = value…`.
fn comparison(subject: &str, value: &str) -> String {
    match value.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '"') {
        true => format!("a comparison is written `{subject} == {value}`"),
        false => "a comparison is written `==`".to_owned(),
    }
}

/// Whether the keyword alone is a filter with a value.
fn is_compared(word: &str) -> bool {
    let Some(word) = Keyword::from_word(word) else {
        return false;
    };
    let has_value =
        matches!(word.ty(), Some(Type::Number | Type::String | Type::Set | Type::Position));
    matches!(word.class(), KeywordClass::Search | KeywordClass::Colored)
        || word.class() == KeywordClass::Nullary && has_value
}

/// `result == 1-0`
fn result_without_operator(span: Span, value: &str) -> Diagnostic {
    let error = Diagnostic::new(
        Code::ComparedResult,
        span,
        "`result` is not compared: the result itself follows it",
    );
    match GameResult::of_name(value.trim_matches('"')) {
        Some(result) => error.with_help(format!("write `result {}`", result.name())),
        None => error.with_help("the results are `1-0`, `0-1` and `1/2-1/2`"),
    }
}

/// `result == 1-0`, `year >= 1920 and <= 1930`
fn half_a_comparison(around: &TokenContext<'_>, span: Span) -> Option<Diagnostic> {
    if around.word(-1) == Some("result") {
        return Some(result_without_operator(span, around.word(1).unwrap_or_default()));
    }
    let joins = matches!(around.word(-1), Some("and" | "or"));
    let subject = around.word(-4).filter(|word| is_compared(word));
    let is_comparison = matches!(around.word(-3), Some("==" | "!=" | "<" | "<=" | ">" | ">="));
    let (true, true, Some(subject)) = (joins, is_comparison, subject) else {
        return None;
    };
    let (operator, value) = (around.word(0)?, around.word(1)?);
    let error =
        Diagnostic::new(Code::MissingOperand, span, format!("`{operator}` has no left operand"));
    Some(error.with_help(format!("write `{subject} {operator} {value}`")))
}

/// `if year 1920 then …`
fn condition_of_two(around: &TokenContext<'_>, span: Span) -> Option<Diagnostic> {
    let (subject, value) = (around.word(-2)?, around.word(-1)?);
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || !is_compared(subject) {
        return None;
    }
    let error =
        Diagnostic::new(Code::CompoundCondition, span, "the condition of `if` is one filter");
    Some(error.with_help(format!("to compare the two, write `{subject} == {value}`")))
}

/// The error for a word that is a piece designator in the place of a name; `value` is the assigned
/// value.
fn not_a_name(text: &str, span: Span, value: Option<&str>) -> Option<Diagnostic> {
    let word = span.text(text);
    let is_word =
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !is_word || !is_designator(word) {
        return None;
    }
    let error = Diagnostic::new(
        Code::DesignatorAsName,
        span,
        format!("`{word}` is a piece designator and cannot be a name"),
    );
    let value = value.filter(|_| word.starts_with(|letter: char| letter.is_ascii_uppercase()));
    Some(error.with_help(match value {
        Some(value) => {
            format!("choose another name, for example `my{word}`; {}", comparison(word, value))
        }
        None => format!("choose another name, for example `my{}`", word.to_ascii_uppercase()),
    }))
}

/// The error for a malformed `dictionary int --> str D`.
fn dictionary(around: &TokenContext<'_>) -> Option<Diagnostic> {
    const AS_IN: &str = "as in `dictionary int --> str D`";
    let begin = (-3..=0).rev().find(|&by| around.word(by) == Some("dictionary"))?;
    let (key, arrow, value) = (begin + 1, begin + 2, begin + 3);
    let is_type = |at: isize| around.word(at).and_then(TypeName::named).is_some();
    let word = |at: isize| around.word(at).unwrap_or_default();
    let no_arrow =
        || Some(Diagnostic::unexpected(around.span(arrow)?, word(arrow), "`-->`").with_help(AS_IN));
    let no_type = |at: isize, of: &str| {
        let message = format!("`{}` is not a type of {of}", word(at));
        let error = Diagnostic::new(Code::UnknownEntryType, around.span(at)?, message);
        Some(error.with_help(format!("the types are {TYPES}, {AS_IN}")))
    };
    match around.word(arrow) {
        Some("->" | "→") => no_arrow(),
        Some("-->") if !is_type(key) => no_type(key, "keys"),
        Some("-->") if !is_type(value) => no_type(value, "values"),
        Some(_) if is_type(key) => no_arrow(),
        _ => None,
    }
}

/// The tokens around an error.
struct TokenContext<'a> {
    text: &'a str,
    places: &'a [Span],
    at: usize,
}

impl<'a> TokenContext<'a> {
    /// The span of the token `by` places after the erroneous one.
    fn span(&self, by: isize) -> Option<Span> {
        self.places.get(self.at.checked_add_signed(by)?).copied()
    }

    fn word(&self, by: isize) -> Option<&'a str> {
        self.span(by).map(|span| span.text(self.text))
    }
}
