//! The language front end of Babson: lexer, grammar, AST, diagnostics, types and HIR.
//!
//! The terms are those of the glossary, `docs/src/glossary.md` in the repository.

mod analyze;
pub mod ast;
mod build;
pub mod cql3;
mod declaration;
pub mod diagnostic;
pub mod dialect;
mod expected;
#[expect(clippy::all, clippy::pedantic, unreachable_pub)]
mod grammar {
    //! Generated from `grammar.lalrpop`.
    include!(concat!(env!("OUT_DIR"), "/grammar.rs"));
}
pub mod hir;
pub mod keywords;
mod lexer;
pub mod limits;
mod mistakes;
mod parse;
pub mod pattern;
pub mod sema;
mod steps;
mod suggest;
pub mod symbols;
mod terms;
pub mod text;
mod tokens;
pub mod vocabulary;

pub use analyze::{analyze, analyze_with, count_steps};
pub use declaration::declared_dialect;
pub use diagnostic::{Diagnostic, Severity, Span};
pub use dialect::Dialect;
pub use parse::{Parts, parse, parse_parts};
pub use steps::Steps;
