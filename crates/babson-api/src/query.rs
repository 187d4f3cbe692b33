//! The query of a request: its text with the functions of the library that it imports.

use babson::chess::VariantNames;
use babson::compile::QuerySpans;
use babson::diagnostic::{DiagnosticReport, Remedy, ReportPlace, retain_sound_fixes};
use babson::imports::{LibraryOnly, ResolvedQuery, resolve};
use babson::{Diagnostic, Dialect, Query, QueryBuilder, Span, cql3, text};
use serde::{Deserialize, Serialize};

use crate::ApiError;

/// The name of a dialect in a request. A query of CQL 3 is recognized by its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum DialectName {
    /// CQLi.
    Cqli,
    /// CQL 6.2.
    Cql6,
}

impl DialectName {
    pub(crate) fn dialect(self) -> Dialect {
        match self {
            DialectName::Cqli => Dialect::CQLI,
            DialectName::Cql6 => Dialect::CQL6,
        }
    }
}

/// The query of a request, in its dialect. It is compiled as the query of a stranger
/// ([`QueryBuilder::untrusted`]), and it may import the built-in library.
///
/// ```
/// use babson_api::RequestQuery;
///
/// let query = RequestQuery::new("import \"motifs\" smotheredmate()", None)?;
/// assert!(query.compile(|builder| builder).is_ok());
/// let query = RequestQuery::new("readfile \"/etc/passwd\"", None)?;
/// let error = query.compile(|builder| builder).unwrap_err();
/// assert_eq!(error.code.status(), 403);
/// # Ok::<(), babson_api::ApiError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RequestQuery {
    resolved: ResolvedQuery,
    dialect: Dialect,
    /// Whether the request or the query names the dialect.
    pub(crate) names_dialect: bool,
    is_cql3: bool,
}

impl RequestQuery {
    /// The query of a text. The dialect is the one that the request names, otherwise the one that
    /// the query names, otherwise CQLi.
    ///
    /// # Errors
    /// The query names a dialect that does not exist, or imports a file that is not in the library.
    pub fn new(text: &str, named: Option<DialectName>) -> Result<RequestQuery, ApiError> {
        let query = RequestQuery::read(text, named);
        query.map_err(|(errors, report)| ApiError::of_query(&errors, report.diagnostics))
    }

    /// As [`RequestQuery::new`], with the errors as diagnostics and as a report.
    pub(crate) fn read(
        text: &str,
        named: Option<DialectName>,
    ) -> Result<RequestQuery, (Vec<Diagnostic>, DiagnosticReport)> {
        // A text that was copied may begin with byte-order marks.
        let marks = text.len() - text.trim_start_matches('\u{feff}').len();
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let query = Span::new(offset(marks), offset(text.len()));
        let parts = QuerySpans { query, ..QuerySpans::default() };
        let declared = || {
            text::declared_dialect(query.text(text)).map_err(|errors| {
                let errors = errors.into_iter().map(|error| error.shifted(query.start));
                let mut errors: Vec<_> = errors.collect();
                // Without a dialect no fix can be tested.
                errors.iter_mut().for_each(|error| error.fixes = Box::default());
                let report = DiagnosticReport::new(&errors, None, ReportPlace::in_query);
                (errors, report)
            })
        };
        let declared = match named {
            Some(name) => Some(name.dialect()),
            None => declared()?,
        };
        let dialect = declared.unwrap_or_default();
        let mut resolved = resolve(text, &parts, dialect, &LibraryOnly);
        let errors = std::mem::take(&mut resolved.errors);
        let is_cql3 = cql3::begins_query(query.text(text));
        let names_dialect = declared.is_some();
        let read = RequestQuery { resolved, dialect, names_dialect, is_cql3 };
        match errors.is_empty() {
            true => Ok(read),
            false => {
                let report = read.report(errors.clone());
                Err((errors, report))
            }
        }
    }

    /// The dialect in which it is read.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The name of the dialect in answers.
    pub fn dialect_name(&self) -> &'static str {
        if self.is_cql3 { "cql3" } else { self.dialect.name() }
    }

    /// Whether it is a query of CQL 3.
    pub fn is_cql3(&self) -> bool {
        self.is_cql3
    }

    /// The text of the query and of what it imports.
    pub fn text(&self) -> &str {
        &self.resolved.text
    }

    /// The text of the query alone.
    pub(crate) fn own_text(&self) -> &str {
        self.resolved.parts.query.text(&self.resolved.text)
    }

    /// Compiles the query as the query of a stranger. `change` sets more options.
    ///
    /// # Errors
    /// All errors of the query, as [`QueryBuilder::compile`] has them.
    pub fn compile(
        &self,
        change: impl FnOnce(QueryBuilder) -> QueryBuilder,
    ) -> Result<Query, ApiError> {
        self.compiled(change).map_err(|errors| self.error(errors))
    }

    /// Compiles the query for a search. It has the limits of the query of a stranger, but for the
    /// time, which the search has. Without `variations` the header of the query decides.
    ///
    /// # Errors
    /// As [`RequestQuery::compile`].
    ///
    /// ```
    /// let query = babson_api::RequestQuery::new("mate", None)?;
    /// assert!(query.compile_search(true)?.options().timeout.is_none());
    /// # Ok::<(), babson_api::ApiError>(())
    /// ```
    pub fn compile_search(&self, variations: bool) -> Result<Query, ApiError> {
        self.compile(|builder| {
            builder.options(|run| {
                run.timeout = None;
                run.variations = variations.then_some(true);
            })
        })
    }

    /// As [`RequestQuery::compile`], with the errors as they are.
    pub(crate) fn compiled(
        &self,
        change: impl FnOnce(QueryBuilder) -> QueryBuilder,
    ) -> Result<Query, Vec<Diagnostic>> {
        let ResolvedQuery { text, parts, .. } = &self.resolved;
        let builder = Query::builder(text.as_str()).spans(parts.clone()).untrusted();
        let builder = if self.names_dialect { builder.dialect(self.dialect) } else { builder };
        change(builder).compile().map_err(|error| error.into_diagnostics())
    }

    /// The error of a query with these errors.
    pub(crate) fn error(&self, errors: Vec<Diagnostic>) -> ApiError {
        let reported = self.report(errors.clone()).diagnostics;
        ApiError::of_query(&errors, reported)
    }

    /// The error of functions that read the text of the query alone.
    pub(crate) fn own_error(&self, errors: Vec<Diagnostic>) -> ApiError {
        self.error(self.shifted(errors))
    }

    /// Diagnostics whose spans count from the begin of the query, with spans in the whole text.
    pub(crate) fn shifted(&self, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let start = self.resolved.parts.query.start;
        diagnostics.into_iter().map(|one| one.shifted(start)).collect()
    }

    /// The report of diagnostics, with the fixes that mend the query.
    pub(crate) fn report(&self, mut diagnostics: Vec<Diagnostic>) -> DiagnosticReport {
        let ResolvedQuery { text, parts, files, .. } = &self.resolved;
        let variants = VariantNames::default();
        retain_sound_fixes(text, parts, self.dialect, &variants, &mut diagnostics);
        for one in &mut diagnostics {
            let Some(remedy) = one.remedy.and_then(remedy_words) else { continue };
            let before = one.help.take().map_or(String::new(), |help| help + "; ");
            one.help = Some(before + remedy);
        }
        DiagnosticReport::new(&diagnostics, Some(self.dialect_name()), |span| {
            let is_inside = |place: Span| (place.start..=place.end).contains(&span.start);
            let file = files.iter().find(|file| is_inside(file.span));
            match file.filter(|_| !is_inside(parts.query)) {
                None => ReportPlace::in_query(span),
                Some(file) => {
                    let end = span.end.min(file.span.end) - file.span.start;
                    let own = Span::new(span.start - file.span.start, end);
                    let mut place = ReportPlace::in_query(own);
                    place.file = Some(file.name.clone());
                    place
                }
            }
        })
    }
}

/// How a request makes a choice of the caller.
fn remedy_words(remedy: Remedy) -> Option<&'static str> {
    match remedy {
        Remedy::Dialect => Some("or choose the dialect of the query"),
        Remedy::Variations => Some("or search with variations"),
        // A request cannot name variants.
        Remedy::VariantAliases => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorCode;

    #[test]
    fn errors_have_their_places() {
        let error = RequestQuery::new("\u{feff}mat", None).and_then(|query| query.compile(|b| b));
        let error = error.unwrap_err();
        assert_eq!(error.code, ErrorCode::Query);
        assert_eq!(error.diagnostics[0].place.span, Span::new(3, 6));
        let error = RequestQuery::new("  cql(dialect cql9) mate", None).unwrap_err();
        assert_eq!(error.diagnostics[0].place.span, Span::new(6, 18));
        let error = RequestQuery::new("import \"nosuch\" mate", None).unwrap_err();
        assert!(error.message.contains("nosuch"), "{error}");
    }

    #[test]
    fn files_and_programs_are_refused() {
        for text in
            ["readfile \"a.cqo\"", "writefile(\"a.cqo\" \"x\")", "commandpipe(\"ls\" currentfen)"]
        {
            let query = RequestQuery::new(text, None).unwrap();
            let error = query.compile(|builder| builder).unwrap_err();
            assert_eq!((error.code, error.code.status()), (ErrorCode::Refused, 403), "{text}");
        }
        // Only the library can be imported.
        for text in ["import \"/etc/passwd\" mate", "import \"../a.cql\" mate"] {
            assert!(RequestQuery::new(text, None).is_err(), "{text}");
        }
    }
}
