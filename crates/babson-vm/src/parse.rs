//! From the text of a query to its program.

use std::fmt;

use babson_chess::VariantNames;
use babson_lang::imports::{ImportedFile, LibraryOnly, ResolvedQuery, resolve};
use babson_lang::sema::AnalyzedQuery;
use babson_lang::{Diagnostic, Dialect, QuerySpans, Severity, Span};
use babson_pgn::Shown;
use serde::{Deserialize, Serialize};

use crate::{CompileOptions, Program, RunOptions};

/// Parses a query and checks its types. A text that begins as CQL 3 does is read as CQL 3, whatever
/// the dialect. The query can import the built-in library.
///
/// # Errors
/// All errors that were found, in the order of the text.
///
/// ```
/// use babson_vm::{Dialect, analyze};
///
/// assert!(analyze("mate", Dialect::CQLI).is_ok());
/// assert!(analyze("(match (position :mate))", Dialect::CQLI).is_ok());
/// ```
pub fn analyze(text: &str, dialect: Dialect) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
    let resolved = resolve(text, &QuerySpans::whole(text), dialect, &LibraryOnly);
    analyze_resolved(&resolved, dialect, &VariantNames::default())
}

/// Does the same as [`analyze`] for a query whose imports are resolved. `variants` are further
/// names for the variants of `variant "X"`.
///
/// # Errors
/// The imports that cannot be resolved. If all can, the same errors as [`analyze`] returns. The
/// spans refer to the [text](ResolvedQuery::text) with all files.
pub fn analyze_resolved(
    query: &ResolvedQuery,
    dialect: Dialect,
    variants: &VariantNames,
) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
    let ResolvedQuery { text, parts, errors, .. } = query;
    if !errors.is_empty() {
        return Err(errors.clone());
    }
    if babson_cql3::begins_query(parts.query.text(text)) {
        return babson_cql3::analyze_spans(text, parts, dialect);
    }
    query.analyze(dialect, variants).map_err(|errors| {
        babson_cql3::misplaced_list(text).map_or(errors, |misplaced| vec![misplaced])
    })
}

impl Program {
    /// Compiles the text of a query with the default options. A text that begins as CQL 3 does is
    /// read as CQL 3, whatever the dialect; [`declared_dialect`](babson_lang::declared_dialect)
    /// finds the dialect that a text names.
    ///
    /// The query can import the built-in library. [`Program::parse_with`] takes what finds other
    /// files, and other options. [`analyze`] and [`Program::compile`] do the same in
    /// two steps, and give the warnings of the query.
    ///
    /// # Errors
    /// As [`Program::parse_with`].
    ///
    /// ```
    /// use babson_vm::{Dialect, Program};
    ///
    /// assert!(Program::parse("import \"motifs\" smotheredmate()", Dialect::CQLI).is_ok());
    /// assert!(Program::parse("(match (position :mate))", Dialect::CQLI).is_ok());
    /// let error = Program::parse("check\nmat", Dialect::CQLI).unwrap_err();
    /// assert!(error.to_string().starts_with("2:1: unknown name `mat`"), "{error}");
    /// ```
    pub fn parse(text: &str, dialect: Dialect) -> Result<Program, ParseError> {
        Program::parse_with(text, dialect, &CompileOptions::default())
    }

    /// Compiles the text of a query. [`CompileOptions::imports`] finds the files that it imports.
    ///
    /// # Errors
    /// All errors of the query and of the files that it imports; also if it demands variations and
    /// its header does not visit them, or is too large for the machine (65,535 registers), or if
    /// the host refuses or cannot read the file of `similarposition`.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use babson_vm::lang::imports::{FoundFile, ImportFiles};
    /// use babson_vm::{CompileOptions, Dialect, Program};
    ///
    /// #[derive(Debug)]
    /// struct Motifs;
    ///
    /// impl ImportFiles for Motifs {
    ///     fn find(&self, name: &str, _from: Option<&str>) -> Result<Option<FoundFile>, String> {
    ///         let text = "function lonely(X) { #X == 1 }".to_owned();
    ///         let file = FoundFile::new(name, name, text);
    ///         Ok((name == "mine").then_some(file))
    ///     }
    /// }
    ///
    /// let options = CompileOptions { imports: Arc::new(Motifs), ..CompileOptions::default() };
    /// let query = "import \"mine\" lonely(Q)";
    /// assert!(Program::parse_with(query, Dialect::CQLI, &options).is_ok());
    /// let error = Program::parse(query, Dialect::CQLI).unwrap_err();
    /// assert!(error.to_string().starts_with("1:8: no file `mine` was found to import"));
    /// ```
    pub fn parse_with(
        text: &str,
        dialect: Dialect,
        options: &CompileOptions,
    ) -> Result<Program, ParseError> {
        let resolved = resolve(text, &QuerySpans::whole(text), dialect, &*options.imports);
        let analysis = analyze_resolved(&resolved, dialect, &options.variants);
        let program = analysis.and_then(|analysis| {
            let program = Program::compile_with(&analysis.query, options)?;
            program.check_variations(&RunOptions::default()).map_err(|error| vec![error])?;
            Ok(program)
        });
        program.map_err(|diagnostics| ParseError::new(resolved.text, resolved.files, diagnostics))
    }
}

/// The errors of a query, at least one, each with its span in the text.
///
/// Its text ([`Display`](fmt::Display)) has a line for each error, with the line and the column of
/// its place. [`Debug`](fmt::Debug) is the same text, since `unwrap` prints it, and a `main` that
/// returns the error.
///
/// ```
/// use babson_vm::{Dialect, Program};
///
/// let text = "mate\nchekc";
/// let error = Program::parse(text, Dialect::CQLI).unwrap_err();
/// assert_eq!(error.to_string(), "2:1: unknown name `chekc`");
/// assert_eq!(error.diagnostics[0].code.as_str(), "E0201");
/// assert_eq!(error.diagnostics[0].help.as_deref(), Some("did you mean `check`?"));
/// assert_eq!(error.diagnostics[0].span.text(&error.text), "chekc");
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ParseError {
    /// The text to which the spans refer: the query, and after it the imported files.
    pub text: String,
    /// All errors, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that the query imports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ImportedFile>,
}

/// A diagnostic with its place in a file. Its text is `FILE:LINE:COLUMN: MESSAGE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LocatedDiagnostic<'e> {
    /// The name of the imported file; `None` in the query itself.
    pub file: Option<&'e str>,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1: the characters of the line before the place, and one.
    pub column: usize,
    /// The diagnostic.
    pub diagnostic: &'e Diagnostic,
}

impl ParseError {
    /// The errors of a text in which some spans may be imported files.
    pub fn new(text: String, files: Vec<ImportedFile>, diagnostics: Vec<Diagnostic>) -> ParseError {
        ParseError { text, diagnostics, files }
    }

    /// The errors with their places, in the order of the text.
    pub fn located(&self) -> impl Iterator<Item = LocatedDiagnostic<'_>> {
        self.diagnostics.iter().map(|diagnostic| {
            let Span { start, .. } = diagnostic.span;
            let is_in = |file: &&ImportedFile| file.span.start <= start && start <= file.span.end;
            let file = self.files.iter().find(is_in);
            let text = file.map_or(self.text.as_str(), |file| file.span.text(&self.text));
            let (line, column) = place(text, start - file.map_or(0, |file| file.span.start));
            let file = file.map(|file| file.name.as_str());
            LocatedDiagnostic { file, line, column, diagnostic }
        })
    }
}

/// The line and the column of an offset, both from 1. A column is a character.
fn place(text: &str, offset: u32) -> (usize, usize) {
    let before = text.get(..offset as usize).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

impl fmt::Display for LocatedDiagnostic<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LocatedDiagnostic { file, line, column, diagnostic } = self;
        if let Some(file) = file {
            write!(f, "{}:", Shown(file))?;
        }
        let kind = match diagnostic.severity() {
            Severity::Error => "",
            Severity::Warning => "warning: ",
        };
        write!(f, "{line}:{column}: {kind}{diagnostic}")
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.located().enumerate() {
            f.write_str(if index == 0 { "" } else { "\n" })?;
            error.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for ParseError {}
