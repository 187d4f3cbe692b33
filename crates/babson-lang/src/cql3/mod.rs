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

use crate::diagnostic::{Code, Diagnostic, Span};
use crate::dialect::Dialect;
use crate::hir::Query;
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

/// The error for a text with a list of CQL 3 that is not a query of CQL 3: a position list without
/// a match list around it, or a match list after a header or filters. The caller uses it for texts
/// that are not modern queries.
pub(crate) fn misplaced_list(text: &str) -> Option<Diagnostic> {
    let Some(span) = lexer::lone_position(text) else {
        let span = lexer::inner_match(text)?;
        let holds = |comment: &Span| comment.start < span.start && span.start < comment.end;
        if crate::text::comments(text).iter().any(holds) {
            return None;
        }
        let message = "a match list of CQL 3 is a whole query, without a header or filters";
        let error = Diagnostic::new(Code::AddedToCql3, span, message);
        return Some(error.with_help("write all of the query in one of the two languages"));
    };
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

/// Parses and checks a CQL 3 query. It means the same in every dialect; `dialect` decides how the
/// games are read and written.
///
/// # Errors
/// All errors that were found, in the order of the text.
pub fn analyze(text: &str, dialect: Dialect) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
    analyze_counted(text, dialect, &mut Steps::default())
}

/// Does the same as [`analyze`] and adds the steps that it takes to `steps`.
pub(crate) fn analyze_counted(
    text: &str,
    dialect: Dialect,
    steps: &mut Steps,
) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
    let tree = parse(text, steps)?;
    let warnings = check::check(&tree)?;
    let query = Query { dialect, ..lower::lower(&tree, steps)? };
    Ok(AnalyzedQuery { query, differences: Vec::new(), warnings })
}
