//! The errors of a query.

use std::fmt;

use babson_lang::imports::ImportedFile;
use babson_lang::{Diagnostic, Severity, Span};
use babson_pgn::Shown;
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
    text: String,
    diagnostics: Vec<Diagnostic>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    files: Vec<ImportedFile>,
}

impl CompileError {
    pub(crate) fn new(name: &str, text: &str, diagnostics: Vec<Diagnostic>) -> CompileError {
        CompileError {
            name: name.to_owned(),
            text: text.to_owned(),
            diagnostics,
            files: Vec::new(),
        }
    }

    /// The error of a query that imports these files.
    pub(crate) fn with_files(self, files: Vec<ImportedFile>) -> CompileError {
        CompileError { files, ..self }
    }

    /// The name and the text of the file with a span, and the span in this text.
    fn file_at(&self, span: Span) -> (&str, &str, Span) {
        let file = self
            .files
            .iter()
            .find(|file| file.span.start <= span.start && span.start <= file.span.end);
        match file {
            Some(file) => {
                let start = file.span.start;
                let within = Span::new(span.start - start, span.end.max(start) - start);
                (&file.name, file.span.text(&self.text), within)
            }
            None => (&self.name, &self.text, span),
        }
    }

    /// The name of the query; empty if it has none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text of the query, to which the spans refer. Lines after it set the variables of
    /// [`QueryBuilder::variable`](crate::QueryBuilder::variable), and are those of the files that
    /// the query imports.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// All errors, in the order of the text.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// All errors, in the order of the text.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.diagnostics.iter().enumerate() {
            let (name, text, span) = self.file_at(diagnostic.span);
            let (line, column) = place(text, span);
            f.write_str(if index == 0 { "" } else { "\n" })?;
            if !name.is_empty() {
                write!(f, "{}:", Shown(name))?;
            }
            let kind = match diagnostic.severity() {
                Severity::Error => "",
                Severity::Warning => "warning: ",
            };
            write!(f, "{line}:{column}: {kind}{diagnostic}")?;
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

/// The line and the column of the start of a span, both from 1. A column is a character.
pub(crate) fn place(text: &str, span: Span) -> (usize, usize) {
    let before = text.get(..span.start as usize).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}
