//! From query text to tree.

use crate::ast::{Query, Span};
use crate::build::Builder;
use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::grammar::QueryParser;
use crate::lexer::lex;
use crate::tokens::tokens;

/// Parses a query.
///
/// `vetoes` turn guesses of the token pass that the typing pass found wrong (grammar notes, section 3B): the place of a
/// binary `-` ([`crate::ast::Tail::op_span`]) makes it start a filter; the place of a name taken as a range
/// ([`crate::ast::Bound::span`]) makes it an operand. A place that was no guess is ignored.
///
/// # Errors
///
/// All lexical errors; else unbalanced delimiters; else all grammar errors found. Never empty.
pub fn parse(text: &str, dialect: Dialect, vetoes: &[Span]) -> Result<Query, Vec<Diagnostic>> {
    let lexemes = lex(text, dialect)?;
    if lexemes.is_empty() {
        return Err(vec![Diagnostic::error(
            Span::default(),
            "the query is empty",
        )]);
    }
    let list = tokens(text, &lexemes, dialect, vetoes)?;
    let first = attempt(text, list.list);
    let Err(errors) = first else { return first };
    // Perhaps a `-` began a filter: try the last guess before the first error.
    let place = errors.first().map_or(0, |e| e.span.start);
    let last = list.minus_guesses.iter().rev().find(|g| g.start < place);
    if let Some(&guess) = last {
        let mut more = vetoes.to_vec();
        more.push(guess);
        let list = tokens(text, &lexemes, dialect, &more)?;
        if let Ok(query) = attempt(text, list.list) {
            return Ok(query);
        }
    }
    Err(errors)
}

fn attempt(text: &str, list: Vec<crate::tokens::Spanned<'_>>) -> Result<Query, Vec<Diagnostic>> {
    let mut builder = Builder::new(text);
    let starts: Vec<(u32, u32)> = list.iter().map(|t| (t.0, t.2)).collect();
    let result = QueryParser::new().parse(&mut builder, list.into_iter().map(Ok::<_, ()>));
    let mut errors = builder.errors;
    let recovered = std::mem::take(&mut builder.recovered);
    for error in &recovered {
        errors.push(crate::expected::report(text, error, &starts));
        if crate::expected::in_header(error) {
            return Err(errors);
        }
    }
    let query = match result {
        Ok(query) => Some(query),
        Err(error) => {
            errors.push(crate::expected::report(text, &error, &starts));
            None
        }
    };
    errors.sort_by_key(|e| e.span);
    errors.dedup_by_key(|e| e.span);
    match query {
        Some(query) if errors.is_empty() => Ok(query),
        _ => Err(errors),
    }
}
