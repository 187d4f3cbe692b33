//! The errors of a query, with their lines.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use babson_vm::ParseError;
use babson_vm::lang::{Diagnostic, Span};

/// The errors of a query: each with its line, a caret below its place, and what would help.
pub(crate) fn errors(error: &ParseError) -> String {
    let rendered = error.diagnostics.iter().map(|diagnostic| one(&error.text, diagnostic));
    rendered.collect::<Vec<_>>().join("\n")
}

fn one(text: &str, diagnostic: &Diagnostic) -> String {
    let message = diagnostic.message.as_str();
    let title = Level::ERROR.primary_title(message).id(diagnostic.code.as_str());
    let label = diagnostic.label.as_deref();
    let mut group = title.element(snippet(text, diagnostic.span, AnnotationKind::Primary, label));
    for related in &diagnostic.related {
        let label = Some(related.label.as_str());
        group = group.element(snippet(text, related.span, AnnotationKind::Context, label));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    Renderer::plain().render(&[group])
}

/// The lines of a place, with its mark.
fn snippet<'t>(
    text: &'t str,
    span: Span,
    kind: AnnotationKind,
    label: Option<&'t str>,
) -> Snippet<'t, annotate_snippets::Annotation<'t>> {
    let end = text.floor_char_boundary((span.end as usize).min(text.len()));
    let start = text.floor_char_boundary((span.start as usize).min(end));
    let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let to = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let mut annotation = kind.span(start - from..end - from);
    if let Some(label) = label {
        annotation = annotation.label(label);
    }
    let first = 1 + text[..from].matches('\n').count();
    Snippet::source(&text[from..to]).line_start(first).path("query").annotation(annotation)
}
