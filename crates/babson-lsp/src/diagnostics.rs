//! The diagnostics of a document, as `babson check` prints them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use babson::diagnostic::{Code, Severity, book_page, retain_sound_fixes};
use babson::host::RefusingHost;
use babson::imports::{
    FoundFile, ImportFiles, ImportedFile, ResolvedQuery, imports, library_key, resolve,
};
use babson::{Diagnostic, Dialect, Query, QueryBuilder, Span, compile::QuerySpans, cql3, text};
use lsp_types::{
    CodeDescription, DiagnosticRelatedInformation, DiagnosticSeverity, DocumentDiagnosticParams,
    DocumentDiagnosticReport, DocumentDiagnosticReportResult, FullDocumentDiagnosticReport,
    Location, NumberOrString, RelatedFullDocumentDiagnosticReport,
    RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport, Url,
};

use crate::failure::Failure;
use crate::files::uri_of;
use crate::positions::{LineIndex, number};
use crate::snapshot::{OpenDocument, Snapshot};

/// A query with the files that it imports, in its dialect.
#[derive(Clone, Debug)]
pub(crate) struct QueryReading {
    pub(crate) text: String,
    pub(crate) parts: QuerySpans,
    files: Vec<ImportedFile>,
    pub(crate) dialect: Dialect,
    /// Whether the query or a setting names the dialect.
    names_dialect: bool,
    /// What is wrong before the query is compiled.
    errors: Vec<Diagnostic>,
}

impl QueryReading {
    /// Reads the query of a text.
    pub(crate) fn new(
        query: &str,
        named: Option<Dialect>,
        files: &dyn ImportFiles,
    ) -> QueryReading {
        // Some editors keep the byte-order mark of a file.
        let marks = query.len() - query.trim_start_matches('\u{feff}').len();
        let place = Span::new(number(marks), number(query.len()));
        let parts = QuerySpans { query: place, ..QuerySpans::default() };
        let declared = text::declared_dialect(place.text(query));
        let (declared, errors) = match declared {
            Ok(declared) => (declared, Vec::new()),
            Err(errors) => {
                (None, errors.into_iter().map(|error| error.shifted(place.start)).collect())
            }
        };
        let dialect = declared.or(named).unwrap_or_default();
        let resolved = resolve(query, &parts, dialect, files);
        let ResolvedQuery { text, parts, files, errors: unresolved } = resolved;
        let errors = if errors.is_empty() { unresolved } else { errors };
        let names_dialect = declared.or(named).is_some();
        QueryReading { text, parts, files, dialect, names_dialect, errors }
    }

    /// The query of a document.
    pub(crate) fn of(open: OpenDocument<'_>) -> QueryReading {
        let OpenDocument { snapshot, uri, .. } = open;
        QueryReading::new(open.text(), snapshot.dialect(uri), &snapshot.files(uri))
    }

    /// Compiles it. `change` sets more options.
    ///
    /// # Errors
    /// All errors.
    pub(crate) fn compile(
        &self,
        change: impl FnOnce(QueryBuilder) -> QueryBuilder,
    ) -> Result<Query, Vec<Diagnostic>> {
        if !self.errors.is_empty() {
            return Err(self.errors.clone());
        }
        let mut builder = Query::builder(self.text.as_str()).spans(self.parts.clone());
        if self.names_dialect {
            builder = builder.dialect(self.dialect);
        }
        change(builder).compile().map_err(|error| error.into_diagnostics())
    }

    /// All errors; or if there is none, all warnings, and where CQL 6.2 reads the query differently
    /// if it names its dialect. A file that has only functions is checked as an imported file.
    pub(crate) fn check(&self) -> Vec<Diagnostic> {
        let compiled = self.compile(|builder| {
            // The query is not run, so it may need variations.
            let builder = builder.options(|options| options.variations = Some(true));
            builder.host(Arc::new(RefusingHost))
        });
        match compiled {
            Ok(query) => {
                let is_named = self.names_dialect;
                let differences = if is_named { query.differences() } else { &[] };
                [differences, query.warnings()].concat()
            }
            Err(errors) => errors,
        }
    }

    /// The same diagnostics with the fixes after which the query is better.
    pub(crate) fn with_sound_fixes(&self, mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let is_cql3 = cql3::begins_query(self.parts.query.text(&self.text));
        if is_cql3 || diagnostics.iter().any(|one| one.code == Code::UnknownDialect) {
            diagnostics.iter_mut().for_each(|one| one.fixes = Box::default());
            return diagnostics;
        }
        let variants = babson::chess::VariantNames::default();
        retain_sound_fixes(&self.text, &self.parts, self.dialect, &variants, &mut diagnostics);
        diagnostics
    }

    /// Whether a place is in the query, not in an imported file.
    pub(crate) fn is_own(&self, span: Span) -> bool {
        let own = self.parts.query;
        span.start <= own.end && span.end <= own.end
    }

    /// The imported file that has a place, and the place in it.
    fn in_file(&self, span: Span) -> Option<(&ImportedFile, Span)> {
        self.files.iter().find_map(|file| Some((file, file.place_in_file(span)?)))
    }
}

/// The diagnostics of a document for the client.
pub(crate) fn of_document(open: OpenDocument<'_>) -> Vec<lsp_types::Diagnostic> {
    let reading = QueryReading::of(open);
    let found = reading.check();
    let place = DiagnosticPlace { open, reading: &reading };
    found.iter().map(|one| place.diagnostic(one)).collect()
}

/// Answers `textDocument/diagnostic`.
pub(crate) fn pull(
    snapshot: &Snapshot,
    params: DocumentDiagnosticParams,
) -> Result<DocumentDiagnosticReportResult, Failure> {
    let items = of_document(snapshot.document(&params.text_document.uri)?);
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(&items).unwrap_or_default().hash(&mut hasher);
    let result_id = format!("{:016x}", hasher.finish());
    let report = if params.previous_result_id.as_ref() == Some(&result_id) {
        DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
        })
    } else {
        DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: FullDocumentDiagnosticReport {
                result_id: Some(result_id),
                items,
            },
        })
    };
    Ok(DocumentDiagnosticReportResult::Report(report))
}

/// Finds the places of diagnostics.
pub(crate) struct DiagnosticPlace<'d> {
    pub(crate) open: OpenDocument<'d>,
    pub(crate) reading: &'d QueryReading,
}

impl DiagnosticPlace<'_> {
    /// A diagnostic for the client. One in an imported file stands at the import, and leads to its
    /// place.
    pub(crate) fn diagnostic(&self, one: &Diagnostic) -> lsp_types::Diagnostic {
        let mut related: Vec<DiagnosticRelatedInformation> = Vec::new();
        let mut message = one.message.clone();
        let span = match self.reading.in_file(one.span) {
            None => one.span,
            Some((file, _)) => {
                related.extend(self.location(one.span).map(|location| {
                    DiagnosticRelatedInformation { location, message: one.message.clone() }
                }));
                message = format!("in {}: {message}", file.name);
                self.import_of(file)
            }
        };
        if let Some(label) = &one.label {
            message += &format!(" ({label})");
        }
        if let Some(help) = &one.help {
            message += &format!("\nhelp: {help}");
        }
        related.extend(one.related.iter().filter_map(|other| {
            let location = self.location(other.span)?;
            Some(DiagnosticRelatedInformation { location, message: other.label.clone() })
        }));
        lsp_types::Diagnostic {
            range: self.open.range(span),
            severity: Some(match one.severity() {
                Severity::Error => DiagnosticSeverity::ERROR,
                Severity::Warning => DiagnosticSeverity::WARNING,
            }),
            code: Some(NumberOrString::String(one.code.as_str().to_owned())),
            code_description: self.code_page(one.code).map(|href| CodeDescription { href }),
            source: Some("babson".to_owned()),
            message,
            related_information: Some(related).filter(|related| !related.is_empty()),
            tags: None,
            data: None,
        }
    }

    /// The place of a span in the document or in an imported file.
    fn location(&self, span: Span) -> Option<Location> {
        let Some((file, inside)) = self.reading.in_file(span) else {
            return Some(Location::new(self.open.uri.clone(), self.open.range(span)));
        };
        let text = file.span.text(&self.reading.text);
        let encoding = self.open.snapshot.client.encoding;
        let range = LineIndex::new(text).range(text, inside, encoding);
        Some(Location::new(uri_of(&file.key)?, range))
    }

    /// The import of the query that takes a file, directly or through another one.
    fn import_of(&self, file: &ImportedFile) -> Span {
        let text = self.reading.parts.query.text(&self.reading.text);
        let start = self.reading.parts.query.start;
        let files = self.open.snapshot.files(self.open.uri);
        let all = imports(text, self.reading.dialect);
        let takes = |name: &str| {
            let found = files.find(name, None).ok().flatten();
            found.is_some_and(|found: FoundFile| found.key == file.key)
                || file.key == library_key(name)
        };
        let import = all.iter().find(|import| takes(&import.name)).or(all.first());
        import.map_or(Span::new(start, start), |import| {
            Span::new(import.span.start + start, import.span.end + start)
        })
    }

    /// The page on a code.
    fn code_page(&self, code: Code) -> Option<Url> {
        Url::parse(&book_page(&self.open.snapshot.settings.book, &code.page())).ok()
    }
}
