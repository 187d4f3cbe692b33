//! From query text to tree.

use crate::ast::{InfixOp, Query, Span};
use crate::build::Builder;
use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::grammar::QueryParser;
use crate::lexer::lex;
use crate::tokens::token::Tok;
use crate::tokens::{Spanned, tokens};

/// Parses a query.
///
/// `vetoes` turn guesses of the token pass that the typing pass found wrong (grammar notes, section 3B): the place of a
/// binary `-` ([`crate::ast::Tail::op_span`]) makes it start a filter; the place of a name taken as a range
/// ([`crate::ast::Bound::span`]) makes it an operand; the place of the `:` of a speculative move makes it part of
/// the move's last operand. A place that was no guess is ignored.
///
/// Every `-` behind an operand is binary until it is vetoed, or until nothing else parses.
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
    let errors = match attempt(text, list) {
        Ok(query) => return Ok(query),
        Err(errors) => errors,
    };
    // Perhaps a `-` began a filter: the nearest one before the error, as long as that leads further.
    let mut vetoes = vetoes.to_vec();
    let mut place = errors.first().map_or(0, |e| e.span.start);
    loop {
        let list = tokens(text, &lexemes, dialect, &vetoes)?;
        let Some(minus) = nearest_minus(&list, place) else {
            return Err(errors);
        };
        vetoes.push(minus);
        let list = tokens(text, &lexemes, dialect, &vetoes)?;
        match attempt(text, list) {
            Ok(query) => return Ok(query),
            Err(later) => match later.first().map_or(0, |e| e.span.start) {
                further if further > place => place = further,
                _ => return Err(errors),
            },
        }
    }
}

/// The last binary `-` before or at a place, not inside brackets that are closed there, that can be another sign: it
/// does not follow a number.
fn nearest_minus(list: &[Spanned<'_>], place: u32) -> Option<Span> {
    let mut closed = 0;
    let upto = list.partition_point(|token| token.0 <= place);
    for (i, (start, token, end)) in list.iter().enumerate().take(upto).rev() {
        match token {
            Tok::RParen | Tok::RBrace | Tok::RBracket if *start < place => closed += 1,
            Tok::LParen
            | Tok::Call
            | Tok::Target
            | Tok::LooseTarget
            | Tok::PathGroup
            | Tok::LineGroup
            | Tok::LBrace
            | Tok::LBracket
                if *start < place =>
            {
                closed = usize::checked_sub(closed, 1)?;
            }
            Tok::Add(InfixOp::Sub) if closed == 0 => {
                let number = matches!(i.checked_sub(1).map(|i| &list[i].1), Some(Tok::Int(_)));
                if !number {
                    return Some(Span::new(*start, *end));
                }
            }
            _ => {}
        }
    }
    None
}

fn attempt(text: &str, list: Vec<Spanned<'_>>) -> Result<Query, Vec<Diagnostic>> {
    let mut builder = Builder::new(text);
    let starts: Vec<(u32, u32)> = list.iter().map(|t| (t.0, t.2)).collect();
    let result = QueryParser::new().parse(&mut builder, list.into_iter().map(Ok::<_, ()>));
    let mut errors = builder.errors;
    let recovered = std::mem::take(&mut builder.recovered);
    for error in &recovered {
        if !errors.is_empty() && crate::expected::follows_imagine(error) {
            continue;
        }
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
