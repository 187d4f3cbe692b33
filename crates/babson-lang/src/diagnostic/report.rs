//! The form in which programs read the diagnostics of a query.

use serde::{Serialize, Serializer};

use super::{Code, Diagnostic, Fix, Severity, Span};

/// The diagnostics of one query, which serde writes as the command, servers and bindings show them.
///
/// ```
/// use babson_lang::diagnostic::{DiagnosticReport, ReportPlace};
/// use babson_lang::{Dialect, analyze};
///
/// let errors = analyze("check mat", Dialect::CQLI).unwrap_err();
/// let report = DiagnosticReport::new(&errors, Some("cqli"), ReportPlace::in_query);
/// let json = serde_json::to_string(&report).unwrap();
/// assert!(json.starts_with(r#"{"diagnostics":[{"severity":"error","code":"E0201","#), "{json}");
/// assert!(json.contains(r#""span":[6,9],"related":[],"fixes":[{"title":"#), "{json}");
/// let edits = r#"[{"span":[6,9],"text":"mate"}],"certain":false}"#;
/// assert!(json.contains(edits), "{json}");
/// assert!(json.ends_with(r#","dialect":"cqli"}"#), "{json}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DiagnosticReport {
    /// The name of the query: its file, or the option that has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The diagnostics in their order.
    pub diagnostics: Vec<ReportedDiagnostic>,
    /// The name of the dialect in which the query was read; `None` if it names an unknown one.
    pub dialect: Option<&'static str>,
}

/// One diagnostic of a [`DiagnosticReport`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ReportedDiagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The kind of mistake.
    pub code: Code,
    /// One sentence without a period at the end.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
    /// The place.
    #[serde(flatten)]
    pub place: ReportPlace,
    /// Other places that explain the message. The label of the place itself is the first of them.
    pub related: Vec<ReportedSpan>,
    /// Changes of the query that fix it, the most probable first.
    pub fixes: Vec<ReportedFix>,
}

/// A fix of a [`ReportedDiagnostic`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ReportedFix {
    /// What the fix does, in a few words.
    pub title: String,
    /// Its edits, in the order of the text.
    pub edits: Vec<ReportedEdit>,
    /// The query can mean nothing else, so a program may apply the fix without asking.
    pub certain: bool,
}

/// An edit of a [`ReportedFix`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ReportedEdit {
    /// What is replaced.
    #[serde(flatten)]
    pub place: ReportPlace,
    /// What stands there instead.
    pub text: String,
}

impl ReportedFix {
    fn new(fix: &Fix, place: &impl Fn(Span) -> ReportPlace) -> ReportedFix {
        let edits = fix.edits.iter();
        let edits =
            edits.map(|edit| ReportedEdit { place: place(edit.span), text: edit.text.clone() });
        ReportedFix { title: fix.title.clone(), edits: edits.collect(), certain: fix.certain }
    }
}

/// A place with a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ReportedSpan {
    /// The place.
    #[serde(flatten)]
    pub place: ReportPlace,
    /// A few words.
    pub message: String,
}

/// A place in the file of the query, or in another file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ReportPlace {
    /// The name of the file or option, if it is not the file of the query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The bytes of its text in UTF-8, half-open: `[start, end]` in JSON.
    #[serde(serialize_with = "pair")]
    pub span: Span,
}

/// A span as its two ends.
fn pair<S: Serializer>(span: &Span, serializer: S) -> Result<S::Ok, S::Error> {
    [span.start, span.end].serialize(serializer)
}

impl ReportPlace {
    /// A place in the file of the query.
    pub fn in_query(span: Span) -> ReportPlace {
        ReportPlace { file: None, span }
    }
}

impl DiagnosticReport {
    /// The report of these diagnostics. `place` finds the file of a span of the analyzed text,
    /// which may be made of several files.
    pub fn new(
        diagnostics: &[Diagnostic],
        dialect: Option<&'static str>,
        place: impl Fn(Span) -> ReportPlace,
    ) -> DiagnosticReport {
        let reported = |one: &Diagnostic| {
            let label = one.label.iter().map(|label| (one.span, label.to_string()));
            let others = one.related.iter().map(|other| (other.span, other.label.clone()));
            let related = label.chain(others);
            ReportedDiagnostic {
                severity: one.severity(),
                code: one.code,
                message: one.message.clone(),
                help: one.help.clone(),
                place: place(one.span),
                related: related
                    .map(|(span, message)| ReportedSpan { place: place(span), message })
                    .collect(),
                fixes: one.fixes.iter().map(|fix| ReportedFix::new(fix, &place)).collect(),
            }
        };
        let diagnostics = diagnostics.iter().map(reported).collect();
        DiagnosticReport { query: None, diagnostics, dialect }
    }

    /// The same with the name of the query.
    pub fn named(self, query: impl Into<String>) -> DiagnosticReport {
        DiagnosticReport { query: Some(query.into()), ..self }
    }
}
