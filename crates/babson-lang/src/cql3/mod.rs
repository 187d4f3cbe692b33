//! CQL 3, the language of 2004: `(match :pgn … (position …))` (cql3.md).
//!
//! It has a lexer and a grammar of its own and meets modern CQL in the HIR. Its transforms differ
//! from modern ones (a shift keeps what stands on the edge), so they are expanded here.

mod arguments;
mod check;
mod designator;
mod form;
#[expect(clippy::all, clippy::pedantic)]
mod grammar {
    //! Generated from `grammar.lalrpop`.
    include!(concat!(env!("OUT_DIR"), "/cql3/grammar.rs"));
}
mod keywords;
mod lexer;
mod lists;
mod lower;
mod modern;
mod parentheses;
mod parse;
mod transform;
mod tree;
mod windows;

#[cfg(test)]
mod tests;

pub use modern::{Modern, to_modern};
pub use windows::windows_1252;

use parse::parse;

use crate::diagnostic::Diagnostic;
use crate::sema::Analysis;
use crate::steps::Steps;

/// Whether the text is a CQL 3 query: after white space and comments it begins with `(match`.
///
/// ```
/// assert!(babson_lang::cql3::begins_query("; theme\n(match (position :mate))"));
/// assert!(!babson_lang::cql3::begins_query("cql() mate"));
/// ```
pub fn begins_query(text: &str) -> bool {
    lexer::begins_query(text)
}

/// The error of a text that is a position list of CQL 3 without the match list around it, as far as
/// its first words tell: for texts that modern CQL does not take.
pub fn lone_position(text: &str) -> Option<Diagnostic> {
    let span = lexer::lone_position(text)?;
    let error = Diagnostic::error(span, "a position list of CQL 3 stands in a match list");
    Some(error.with_help("write `(match (position …))`"))
}

/// The names of all keywords, without the colon.
pub(crate) fn keywords() -> impl Iterator<Item = &'static str> {
    keywords::names()
}

/// Whether it is the name of a keyword, without the colon.
pub(crate) fn is_keyword(name: &str) -> bool {
    keywords::named(name).is_some()
}

/// Parses and types a CQL 3 query.
///
/// # Errors
/// All that is wrong with it, in order of place.
pub fn analyse(text: &str) -> Result<Analysis, Vec<Diagnostic>> {
    analyse_counted(text, &mut Steps::default())
}

/// [`analyse`], adding the steps that it takes.
pub(crate) fn analyse_counted(text: &str, steps: &mut Steps) -> Result<Analysis, Vec<Diagnostic>> {
    let tree = parse(text, steps)?;
    let warnings = check::check(&tree)?;
    let query = lower::lower(&tree, steps)?;
    Ok(Analysis { query, warnings, advice: Vec::new() })
}
