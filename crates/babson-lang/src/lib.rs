//! The language front end of Babson: lexer, grammar, AST, diagnostics, types and HIR.

pub mod ast;
pub mod diagnostic;
pub mod dialect;
pub mod keywords;

pub use diagnostic::{Diagnostic, Severity, Span};
pub use dialect::Dialect;
