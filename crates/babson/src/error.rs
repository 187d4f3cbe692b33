//! The errors of a query.

use std::fmt;

use babson_lang::Diagnostic;
use babson_pgn::Shown;
use babson_vm::ParseError;
use serde::{Deserialize, Serialize};

/// The errors of a query, at least one, each with its span in the text.
///
/// Its text ([`Display`](fmt::Display)) has a line for each error, with the line and the column of
/// its place:
///
/// ```
/// let error = babson::Query::builder("mate\nchekc").name("a.cql").compile().unwrap_err();
/// assert!(error.to_string().starts_with("a.cql:2:1: "), "{error}");
/// assert_eq!(error.diagnostics()[0].span.text("mate\nchekc"), "chekc");
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompileError {
    name: String,
    #[serde(flatten)]
    errors: ParseError,
}

impl CompileError {
    /// The errors of the query with this name.
    pub(crate) fn new(name: &str, errors: ParseError) -> CompileError {
        CompileError { name: name.to_owned(), errors }
    }

    /// The name of the query, if it has one.
    pub fn name(&self) -> Option<&str> {
        Some(self.name.as_str()).filter(|name| !name.is_empty())
    }

    /// The text to which the spans refer. It begins with the text of the query. After it come the
    /// lines that set the variables of
    /// [`QueryBuilder::variable`](crate::QueryBuilder::variable), the FEN of
    /// [`QueryBuilder::like`](crate::QueryBuilder::like), and the texts of the files that the query
    /// imports.
    pub fn text(&self) -> &str {
        &self.errors.text
    }

    /// All errors, in the order of the text.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.errors.diagnostics
    }

    /// All errors, in the order of the text.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.errors.diagnostics
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.errors.located().enumerate() {
            f.write_str(if index == 0 { "" } else { "\n" })?;
            if error.file.is_none() && !self.name.is_empty() {
                write!(f, "{}:", Shown(&self.name))?;
            }
            error.fmt(f)?;
        }
        Ok(())
    }
}

/// The same text as [`Display`](fmt::Display), since it is what `unwrap` and a `main` that returns
/// the error print.
impl fmt::Debug for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for CompileError {}
