//! Errors and warnings about a query, as data; the caller renders them.
//!
//! Each has a [`Code`] that tells the kind of mistake. The page `docs/src/diagnostics.md` of the
//! book explains them.

mod book;
mod catalogue;
mod entry;
mod fix;
mod report;
#[cfg(test)]
mod tests;
mod wording;

use serde::{Deserialize, Serialize};

pub use book::{BOOK, book_page};
pub use catalogue::{Code, UnknownCode};
pub use entry::{CodeEntry, Example};
pub use fix::{Edit, Fix, Help};
pub use report::{
    DiagnosticReport, ReportPlace, ReportedDiagnostic, ReportedEdit, ReportedFix, ReportedSpan,
};
pub use wording::quoted;

/// A half-open range of byte offsets into the query text.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// A span from two byte offsets.
    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// The smallest span that contains both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span moved by `start` bytes.
    pub fn shifted(self, start: u32) -> Span {
        Span { start: self.start.saturating_add(start), end: self.end.saturating_add(start) }
    }

    /// The text that the span covers, empty if it does not fit the text.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// The severity of a diagnostic. serde writes it as `"error"` or `"warning"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The query cannot run.
    Error,
    /// The query runs, but perhaps not as its author expects.
    Warning,
}

/// Another place in the query that explains a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RelatedSpan {
    /// The place in the query.
    pub span: Span,
    /// A few words to print at the place.
    pub label: String,
}

/// A choice of the caller that can settle a diagnostic, as a text of the query can. A command adds
/// the name of its option. serde writes it as `"dialect"`, `"variant-aliases"` or `"variations"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Remedy {
    /// The [`Dialect`](crate::Dialect) of the query.
    Dialect,
    /// More names of variants: [`VariantNames::add`](babson_chess::VariantNames::add).
    VariantAliases,
    /// That variations are visited.
    Variations,
}

/// One message about a place in the query.
///
/// serde writes the severity with the code, and omits the fields that are empty:
///
/// ```
/// use babson_lang::{Diagnostic, Dialect, analyze};
///
/// let errors = analyze("check mat", Dialect::CQLI).unwrap_err();
/// let json = serde_json::to_string(&errors[0]).unwrap();
/// assert!(json.starts_with(r#"{"severity":"error","code":"E0201","message":""#), "{json}");
/// assert!(json.contains(r#""span":{"start":6,"end":9}"#), "{json}");
/// assert_eq!(serde_json::from_str::<Diagnostic>(&json).unwrap(), errors[0]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The kind of mistake, and with it the severity.
    #[serde(flatten, with = "severity_and_code")]
    pub code: Code,
    /// The message: one sentence without a period at the end.
    pub message: String,
    /// The place in the query.
    pub span: Span,
    /// A few words to print at the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Box<str>>,
    /// Other places that explain the message, such as the first of two definitions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<RelatedSpan>,
    /// How to fix it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// What the caller can choose instead of a change of the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<Remedy>,
    /// Changes of the query that fix it, the most probable first.
    #[serde(default, skip_serializing_if = "<[Fix]>::is_empty")]
    pub fixes: Box<[Fix]>,
}

impl Diagnostic {
    /// An error or a warning, as the code tells.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            message: message.into(),
            span,
            label: None,
            related: Vec::new(),
            help: None,
            remedy: None,
            fixes: Box::default(),
        }
    }

    /// Error or warning.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Whether it is a name that nothing declares.
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self.code, Code::UnknownName | Code::UnknownFunction)
    }

    /// The same message about a text that begins `start` bytes into the query: all spans are moved.
    pub fn shifted(mut self, start: u32) -> Diagnostic {
        self.span = self.span.shifted(start);
        for related in &mut self.related {
            related.span = related.span.shifted(start);
        }
        self.fixes = self.fixes.into_iter().map(|fix| fix.shifted(start)).collect();
        self
    }

    /// Adds another place that explains the message.
    pub fn with_related(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.related.push(RelatedSpan { span, label: label.into() });
        self
    }

    /// Adds a label at the place.
    pub fn with_label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = Some(label.into().into_boxed_str());
        self
    }

    /// Adds a help, which replaces an earlier one with its fixes.
    pub fn with_help(mut self, help: impl Into<Help>) -> Diagnostic {
        let Help { text, fixes } = help.into();
        self.help = Some(text);
        self.fixes = fixes.into();
        self
    }

    /// Adds what the caller can choose.
    pub fn with_remedy(mut self, remedy: Remedy) -> Diagnostic {
        self.remedy = Some(remedy);
        self
    }
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// `"severity":"error","code":"E0201"`: a reader of the JSON need not know the letters of codes.
mod severity_and_code {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Code, Severity};

    #[derive(Serialize, Deserialize)]
    struct Fields {
        #[serde(skip_deserializing, default = "error")]
        severity: Severity,
        code: Code,
    }

    fn error() -> Severity {
        Severity::Error
    }

    pub(super) fn serialize<S: Serializer>(code: &Code, to: S) -> Result<S::Ok, S::Error> {
        Fields { severity: code.severity(), code: *code }.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Code, D::Error> {
        Fields::deserialize(from).map(|fields| fields.code)
    }
}
