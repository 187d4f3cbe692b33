//! CQL 3, the language of 2004: `(match :pgn … (position …))`
//! (docs/src/language/cql3.md#cql-3).
//!
//! It has its own lexer and grammar and shares only the HIR with modern CQL. Its transforms differ
//! from modern ones, since a shift keeps the squares on the edge, so this module expands them.
//!
//! The flow: `lexer` → `parentheses` → `grammar` (any list) → `lists` and `arguments` (the tree) →
//! `check` → `lower` (HIR) or `modern` (text in the modern language).

mod arguments;
mod check;
mod designator;
mod form;
#[expect(clippy::all, clippy::pedantic, clippy::wildcard_enum_match_arm)]
mod grammar {
    //! Generated from `grammar.lalrpop` by `cargo xtask parser`.
    include!("../generated/cql3/grammar.rs");
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

pub(crate) use keywords::names as keyword_names;
pub(crate) use lexer::opening;
pub use modern::{ModernQuery, to_modern};
pub use windows::windows_1252;

use parse::parse;

use crate::diagnostic::{Code, Diagnostic};
use crate::sema::AnalyzedQuery;
use crate::steps::Steps;

/// Whether the text is a CQL 3 query: after whitespace and comments it begins with `(match`.
///
/// ```
/// assert!(babson_lang::cql3::begins_query("; theme\n(match (position :mate))"));
/// assert!(!babson_lang::cql3::begins_query("cql() mate"));
/// ```
pub fn begins_query(text: &str) -> bool {
    opening(text).is_some()
}

/// The error for a text whose first words are those of a CQL 3 position list without a match list
/// around it. The caller uses it for texts that are not modern queries.
pub fn lone_position(text: &str) -> Option<Diagnostic> {
    let span = lexer::lone_position(text)?;
    let error = Diagnostic::new(
        Code::BarePositionList,
        span,
        "a position list of CQL 3 must be in a match list",
    );
    Some(error.with_help("write `(match (position …))`"))
}

/// Whether `name`, without the colon, is a keyword.
pub(crate) fn is_keyword(name: &str) -> bool {
    keywords::named(name).is_some()
}

/// Parses and checks a CQL 3 query.
///
/// # Errors
/// All errors that were found, in the order of the text.
pub fn analyze(text: &str) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
    analyze_counted(text, &mut Steps::default())
}

/// Does the same as [`analyze`] and adds the steps that it takes to `steps`.
pub(crate) fn analyze_counted(
    text: &str,
    steps: &mut Steps,
) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
    let tree = parse(text, steps)?;
    let warnings = check::check(&tree)?;
    let query = lower::lower(&tree, steps)?;
    Ok(AnalyzedQuery { query, differences: Vec::new(), warnings })
}
