//! Variables that nothing reads and that have the name of a tag or a filter: `White = "Tal"`
//! matches every position.

use std::collections::HashSet;

use super::errors::{AssignedValue, WordMeaning, condition};
use crate::ast::{self, AssignOp, ExprKind as Ast, Ident, InfixOp, PrecedenceLevel};
use crate::diagnostic::{Code, Diagnostic, Fix, Help, Span};
use crate::hir::Type;
use crate::keywords::{Keyword, KeywordClass};
use crate::lexer::{LexemeKind, lex_around_errors};
use crate::limits::MAX_ERRORS;
use crate::suggest;

/// The shortest name that counts as misspelled: a short one is one letter from many words.
const MIN_MISSPELLED: usize = 4;

/// Reports each assignment of a constant to a variable that is never read, if a tag of PGN or a
/// filter has its name, in any case, or one letter differs. A comparison was meant.
pub(in crate::sema) fn unread(text: &str, query: &ast::Query) -> Vec<Diagnostic> {
    let mut assigned = Vec::new();
    query.items.iter().for_each(|item| constants(item, &mut assigned));
    if assigned.is_empty() {
        return Vec::new();
    }
    let read = read_names(text);
    assigned.retain(|assignment| !read.contains(assignment.name.name.as_str()));
    let found = assigned.iter().filter_map(|assignment| warning(text, assignment));
    found.take(MAX_ERRORS).collect()
}

/// The assignment of a constant.
struct Assignment<'q> {
    name: &'q Ident,
    value: AssignedValue<'q>,
    place: Span,
    value_place: Span,
}

fn constants<'q>(e: &'q ast::Expr, found: &mut Vec<Assignment<'q>>) {
    if let Ast::Assign { storage, name, op: AssignOp::Set, value, .. } = &e.kind
        && storage.words.is_empty()
    {
        let constant = if let Ast::Str(text) = &value.kind {
            Some(AssignedValue::Text(text))
        } else {
            is_number(value).then_some(AssignedValue::Number)
        };
        found.extend(constant.map(|constant| Assignment {
            name,
            value: constant,
            place: e.span,
            value_place: value.span,
        }));
    }
    e.kind.for_each_child(&mut |child| constants(child, found));
}

/// Whether it is a number, or arithmetic as in `1-0`.
fn is_number(e: &ast::Expr) -> bool {
    if let Ast::Infix { level: PrecedenceLevel::Sum | PrecedenceLevel::Product, first, rest } =
        &e.kind
    {
        let is_arithmetic = |op: InfixOp| matches!(op, InfixOp::Arithmetic(_));
        is_number(first) && rest.iter().all(|tail| is_arithmetic(tail.op) && is_number(&tail.right))
    } else {
        matches!(e.kind, Ast::Int(_))
    }
}

/// The words of a query other than the targets of assignments.
fn read_names(text: &str) -> HashSet<&str> {
    let whole = Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX));
    let lexemes = lex_around_errors(text, whole);
    let is_assigned =
        |at: usize| lexemes.get(at + 1).is_some_and(|it| it.kind == LexemeKind::Assign);
    let words = lexemes.iter().enumerate().filter(|(_, lexeme)| lexeme.kind == LexemeKind::Word);
    words.filter(|(at, _)| !is_assigned(*at)).map(|(_, lexeme)| lexeme.span.text(text)).collect()
}

fn warning(text: &str, assignment: &Assignment<'_>) -> Option<Diagnostic> {
    let Assignment { name, value, place, value_place } = assignment;
    let name = name.name.as_str();
    let lower = name.to_ascii_lowercase();
    let written = value_place.text(text);
    let meant = match WordMeaning::of(name, &lower) {
        Some(_) => name.to_owned(),
        None => {
            let word =
                suggest::one_edit(&lower, values()).filter(|_| lower.len() >= MIN_MISSPELLED)?;
            if !fits(word, value) {
                return None;
            }
            // A keyword in its own case is not a word with another meaning.
            let mut letters = word.chars();
            let first = letters.next()?.to_ascii_uppercase();
            std::iter::once(first).chain(letters).collect()
        }
    };
    let query = condition(&meant, value, written)?;
    let message =
        format!("nothing reads the variable `{name}`: its assignment matches every position");
    let help = Help::from(format!("for the condition write `{query}`"));
    let warning = Diagnostic::new(Code::UnreadVariable, *place, message);
    Some(warning.with_help(help.with(Fix::replace(*place, query))))
}

/// Whether the tag or the filter has values of this kind. A result is written as arithmetic, too.
fn fits(word: &str, value: &AssignedValue<'_>) -> bool {
    let ty = Keyword::from_word(word).and_then(Keyword::ty);
    let is_number = ty == Some(Type::Number) || word.ends_with(Keyword::Elo.name());
    word == Keyword::Result.name() || is_number == matches!(value, AssignedValue::Number)
}

/// The tags and the filters that are compared with numbers or texts, in lowercase.
fn values() -> impl Iterator<Item = &'static str> {
    let is_value = |keyword: &&Keyword| {
        matches!(keyword.class(), KeywordClass::Search | KeywordClass::Colored)
            || matches!(keyword, Keyword::White | Keyword::Black | Keyword::Result)
            || keyword.class() == KeywordClass::Nullary
                && matches!(keyword.ty(), Some(Type::Number | Type::String))
    };
    let keywords = Keyword::ALL.iter().filter(is_value).map(|keyword| keyword.name());
    keywords.chain(WordMeaning::tags())
}
