//! The token pass: from lexemes to the terminals of the grammar.
//!
//! Whenever two readings depend on something to the left that is not a bounded prefix, or on white
//! space, the token gets another kind here; the grammar decides the rest (grammar notes, section
//! 1). The rules are in [`pass`].

mod brackets;
pub(crate) mod designator;
mod names;
mod pass;
pub(crate) mod token;

use std::collections::HashSet;

use crate::diagnostic::Span;
use crate::dialect::Dialect;
use crate::lexer::Lexeme;
use crate::limits::MAX_REPEAT;
pub(crate) use brackets::{Pair, match_brackets};
pub(crate) use names::Names;
use token::Tok;

/// A token with its place.
pub(crate) type Spanned<'s> = (u32, Tok<'s>, u32);

/// Runs the pass. `vetoes` are places of guesses to be taken the other way; the text ends where
/// `source` does.
pub(crate) fn tokens<'s>(
    source: &'s str,
    lexemes: &[Lexeme],
    pairs: &[Pair],
    names: &Names<'s>,
    dialect: Dialect,
    vetoes: &HashSet<Span>,
) -> Vec<Spanned<'s>> {
    pass::Pass::new(source, lexemes, pairs, names, dialect, vetoes).run()
}

/// The bounds of `{n}`, `{n,}`, `{,m}`, `{n,m}`.
pub(crate) fn repeat(text: &str) -> Result<(u32, Option<u32>), String> {
    let inner = text.trim_start_matches('{').trim_end_matches('}');
    let number = |s: &str| match s.parse::<u32>() {
        Ok(n) if n <= MAX_REPEAT => Ok(n),
        _ => Err(format!("repetitions stop at {MAX_REPEAT}")),
    };
    let (min, max) = match inner.split_once(',') {
        None => {
            let n = number(inner)?;
            (n, Some(n))
        }
        Some((min, max)) => {
            let min = if min.is_empty() { 0 } else { number(min)? };
            (min, if max.is_empty() { None } else { Some(number(max)?) })
        }
    };
    if max.is_some_and(|max| max < min) {
        return Err(format!("`{text}` is empty: the second number is smaller"));
    }
    Ok((min, max))
}
