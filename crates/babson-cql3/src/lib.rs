//! The front end of CQL 3, the language of 2004: `(match :pgn … (position …))`
//! (`docs/src/language/cql3.md#cql-3` of the repository).
//!
//! It has its own lexer and grammar, and shares the HIR and the diagnostics of `babson-lang` with
//! modern CQL. Its transforms differ from modern ones, since a shift keeps the squares on the edge,
//! so this crate expands them.
//!
//! The flow: `lexer` → `parentheses` → `grammar` (any list) → `reader` and `keywords` (the tree) →
//! `check` → `lower` (HIR) or `modern` (text in the modern language).
//!
//! ```
//! use babson_lang::Dialect;
//!
//! let analysis = babson_cql3::analyze("(match (position :mate))", Dialect::CQLI).unwrap();
//! assert_eq!(analysis.query.header.match_string.as_deref(), Some("MATCH"));
//! assert!(babson_cql3::to_modern("(match (position :mate))").unwrap().query.contains("mate"));
//! ```
//!
//! The glossary, `docs/src/glossary.md` in the repository, explains the terms.

#![forbid(unsafe_code)]
// `clippy.toml` keeps the crate pure.
#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::disallowed_macros))]
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod check;
mod designator;
mod form;
#[expect(clippy::all, clippy::pedantic, clippy::wildcard_enum_match_arm)]
mod grammar {
    //! Generated from `grammar.lalrpop` by `cargo xtask parser`.
    include!("generated/grammar.rs");
}
mod keywords;
mod lexer;
mod limits;
mod lower;
mod modern;
mod parentheses;
mod parse;
mod reader;
mod transform;
mod tree;
mod windows;

#[cfg(test)]
mod tests;

pub use babson_lang::cql3::begins_query;
pub use keywords::{KeywordList, keywords_in};
pub use lexer::tokens;
pub use modern::{ModernQuery, to_modern};
pub use windows::windows_1252;

use parse::parse;

use babson_lang::diagnostic::Code;
use babson_lang::hir::Query;
use babson_lang::sema::AnalyzedQuery;
use babson_lang::{Diagnostic, Dialect, QuerySpans, Span, Steps, text};

/// Parses and checks a query. It means the same in every dialect; `dialect` decides how the games
/// are read and written.
///
/// # Errors
/// All errors that were found, in the order of the text.
pub fn analyze(text: &str, dialect: Dialect) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
    analyze_counted(text, dialect, &mut Steps::default())
}

/// Does the same as [`analyze`] for a query that is a part of a text.
///
/// # Errors
/// Those of [`analyze`], with their spans in the whole text; or that the text has parts besides the
/// query.
pub fn analyze_spans(
    text: &str,
    parts: &QuerySpans,
    dialect: Dialect,
) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
    if parts.filters.is_empty() && parts.transforms.is_empty() && parts.like.is_none() {
        // The spaces keep the spans of the query valid in the whole text.
        let before = " ".repeat(parts.query.start as usize);
        return analyze(&(before + parts.query.text(text)), dialect);
    }
    let message = "a query of CQL 3 has no variables that could be set, no transforms and no other \
                   filters";
    Err(vec![Diagnostic::new(Code::AddedToCql3, parts.query, message)])
}

/// Counts the work that [`analyze`] does for a query, whether the query is correct or not.
///
/// ```
/// use babson_cql3::count_steps;
///
/// let one = count_steps("(match (position Ra1))").total();
/// let two = count_steps("(match (position Ra1 Ra1))").total();
/// assert!(one < two && two <= 2 * one);
/// ```
pub fn count_steps(text: &str) -> Steps {
    let mut steps = Steps::default();
    drop(analyze_counted(text, Dialect::default(), &mut steps));
    steps
}

fn analyze_counted(
    text: &str,
    dialect: Dialect,
    steps: &mut Steps,
) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
    let tree = parse(text, steps)?;
    let warnings = check::check(&tree)?;
    let query = Query { dialect, ..lower::lower(&tree, steps)? };
    Ok(AnalyzedQuery { query, differences: Vec::new(), warnings })
}

/// The error for a text with a list of CQL 3 that is not a query of CQL 3: a position list without
/// a match list around it, or a match list after a header or filters. Ask it about texts that are
/// not queries of modern CQL.
///
/// ```
/// let error = babson_cql3::misplaced_list("(position :mate)").unwrap();
/// assert_eq!(error.help.as_deref(), Some("write `(match (position …))`"));
/// assert!(babson_cql3::misplaced_list("check").is_none());
/// ```
pub fn misplaced_list(text: &str) -> Option<Diagnostic> {
    let Some(span) = lexer::lone_position(text) else {
        let span = lexer::inner_match(text)?;
        let holds = |comment: &Span| comment.start < span.start && span.start < comment.end;
        if text::comments(text).iter().any(holds) {
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

/// The example of the README of the crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
