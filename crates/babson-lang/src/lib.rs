//! The language front end of Babson: lexer, parser, AST, type checker and HIR.
//!
//! A query passes through these modules:
//!
//! | module | from | to |
//! | --- | --- | --- |
//! | `lexer` | text | lexemes |
//! | `tokens` | lexemes | terminals of the grammar |
//! | `grammar.lalrpop`, `build` | terminals | [`ast`] |
//! | [`sema`] | AST | [`hir`] |
//!
//! Some tokens have two readings. `speculation` runs the stages until one reading of each is right.
//! The crate `babson-cql3` is the front end of CQL 3, with the same HIR. Begin to read at
//! [`analyze`](analyze()); the page `docs/src/architecture.md` of the repository explains the
//! stages, and `docs/src/glossary.md` the terms.
//!
//! ```
//! use babson_lang::{Dialect, analyze, ast, parse};
//!
//! let query = parse("#A - 1 > 3", Dialect::CQLI).unwrap();
//! assert_eq!(ast::print::query(&query), "(> (- (# A) 1) 3)");
//! assert!(analyze("#A - 1 > 3", Dialect::CQLI).is_ok());
//! ```

#![forbid(unsafe_code)]
// `clippy.toml` keeps the crate pure. Tests read the corpus.
#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::disallowed_macros))]
#![warn(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

mod analyze;
pub mod ast;
mod build;
mod choice;
pub mod cql3;
mod declaration;
pub mod describe;
pub mod diagnostic;
pub mod dialect;
mod directions;
mod effects;
mod filters;
mod fixes;
mod foreign;
#[expect(clippy::all, clippy::pedantic, clippy::wildcard_enum_match_arm, unreachable_pub)]
mod grammar {
    //! Generated from `grammar.lalrpop` by `cargo xtask parser`.
    include!("generated/grammar.rs");
}
mod grammar_errors;
mod hhdb;
pub mod hir;
pub mod imports;
pub mod keywords;
mod lexer;
pub mod limits;
mod literals;
mod mistakes;
mod parameters;
mod parse;
pub mod pattern;
mod query_parts;
pub mod reference;
mod san;
pub mod sema;
mod speculation;
mod steps;
mod suggest;
pub mod symbols;
pub mod synonyms;
pub mod text;
mod tokens;
mod types;
mod uncalled;
mod understanding;
pub mod vocabulary;

#[cfg(test)]
mod tests;

pub use analyze::{analyze, analyze_spans, analyze_with, count_steps};
pub use declaration::declared_dialect;
pub use diagnostic::{Diagnostic, RelatedSpan, Remedy, Severity, Span};
pub use dialect::Dialect;
pub use fixes::retain_sound_fixes;
pub use foreign::leading_fen;
pub use hhdb::hhdb_parts;
pub use query_parts::{QuerySpans, QueryText};
pub use speculation::{parse, parse_spans};
pub use steps::Steps;
pub use suggest::nearest_of;
pub use understanding::{TypedSpan, Understanding, understand};

/// The example of the README of the crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
