//! Printing diagnostics with their source lines.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use babson::command::terminal::is_command;
use babson::diagnostic::{DiagnosticReport, Remedy, ReportPlace, Severity};
use babson::{Diagnostic, Span};

use crate::config::{ColorChoice, ReadingOptions};
use crate::limits::{MAX_ERRORS, MAX_WARNINGS};
use crate::options::{OptionId, OptionSpec};
use crate::show_name::ShowName as _;
use crate::source::QuerySource;
use crate::terminal;

/// Prints diagnostics on standard error.
pub(crate) fn print(source: &QuerySource, diagnostics: &[Diagnostic], color: ColorChoice) {
    let is_error = |one: &Diagnostic| one.severity() == Severity::Error;
    let limit = if diagnostics.iter().any(is_error) { MAX_ERRORS } else { MAX_WARNINGS };
    let mut last = String::new();
    for one in diagnostics.iter().take(limit) {
        let text = diagnostic(source, one, color);
        // The filter of an option may contain the word of the option twice.
        if text != last {
            terminal::diagnostic_line(&text);
        }
        last = text;
    }
    if diagnostics.len() > limit {
        let more = diagnostics.len() - limit;
        terminal::error_line(&format!("… and {more} more"));
    }
}

/// The diagnostics of a query as a line of JSON. Places in its own file are without a name.
pub(crate) fn json(
    source: &QuerySource,
    diagnostics: &[Diagnostic],
    reading: &ReadingOptions,
) -> String {
    let dialect = match source.is_cql3() {
        true => Some("cql3"),
        false => source.dialect(reading).ok().map(|(dialect, _)| dialect.name()),
    };
    let report = DiagnosticReport::new(diagnostics, dialect, |span| {
        let excerpt = source.excerpt(span);
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let span = Span::new(offset(excerpt.range.start), offset(excerpt.range.end));
        let mut place = ReportPlace::in_query(span);
        place.file = (excerpt.name != source.name()).then(|| excerpt.name.to_owned());
        place
    });
    serde_json::to_string(&report.named(source.name())).unwrap_or_default() + "\n"
}

/// The text of a diagnostic: message, source line with a caret, and help.
pub(crate) fn diagnostic(
    source: &QuerySource,
    diagnostic: &Diagnostic,
    color: ColorChoice,
) -> String {
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let message = shown(&diagnostic.message);
    let help = diagnostic.help.as_deref().map(shown);
    let place = PlaceText::new(source, diagnostic.span, diagnostic.label.as_deref());
    let others: Vec<PlaceText<'_>> = diagnostic
        .related
        .iter()
        .map(|related| PlaceText::new(source, related.span, Some(&related.label)))
        .collect();
    let title = level.primary_title(message.as_str()).id(diagnostic.code.as_str());
    let mut group = title.element(place.snippet(AnnotationKind::Primary));
    for other in &others {
        group = group.element(other.snippet(AnnotationKind::Context));
    }
    if let Some(help) = &help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    if let Some(remedy) = diagnostic.remedy {
        group = group.element(Level::HELP.message(remedy_option(remedy).mention()));
    }
    let renderer = if color.on_stderr() { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}

/// The option with which the command makes a choice of the caller.
fn remedy_option(remedy: Remedy) -> &'static OptionSpec {
    OptionSpec::of(match remedy {
        Remedy::Dialect => OptionId::Dialect,
        Remedy::VariantAliases => OptionId::VariantAlias,
        Remedy::Variations => OptionId::Variations,
    })
}

/// Text for standard error. What messages quote may hold sequences that choose colors; only
/// rendered text may have them.
fn shown(text: &str) -> String {
    String::from_utf8_lossy(&terminal::for_stderr(text.as_bytes())).into_owned()
}

/// The lines of a place in the query and the words to print there.
struct PlaceText<'s> {
    /// The name of the file or option.
    name: String,
    lines: &'s str,
    /// The number of the first of the lines.
    first: usize,
    /// The place within the lines.
    range: std::ops::Range<usize>,
    /// Empty if there are no words.
    label: String,
}

impl<'s> PlaceText<'s> {
    fn new(source: &'s QuerySource, span: Span, label: Option<&str>) -> PlaceText<'s> {
        let excerpt = source.excerpt(span);
        // Only the lines that are shown are passed on: a query may have megabytes.
        let (text, range) = (excerpt.text, excerpt.range);
        let from = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let to = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at);
        PlaceText {
            name: excerpt.name.shown(),
            lines: &text[from..to],
            first: 1 + text[..from].matches('\n').count(),
            range: range.start - from..range.end - from,
            label: label.map(shown).unwrap_or_default(),
        }
    }

    fn snippet(&self, kind: AnnotationKind) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
        let mut annotation = kind.span(self.range.clone());
        if !self.label.is_empty() {
            annotation = annotation.label(self.label.as_str());
        }
        Snippet::source(self.lines)
            .line_start(self.first)
            .path(self.name.as_str())
            .annotation(annotation)
    }
}

/// Text of a file in one line. Control characters are replaced.
pub(crate) fn printable(text: &[u8]) -> String {
    let mut line = String::new();
    for letter in String::from_utf8_lossy(text).chars() {
        match letter {
            '\n' | '\r' | '\t' => line.push(' '),
            letter if is_command(letter) => line.push('\u{fffd}'),
            letter => line.push(letter),
        }
    }
    line.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use babson::diagnostic::Code;

    use super::*;

    #[test]
    fn a_diagnostic_has_place_line_caret_and_help() {
        let source = QuerySource::new("q.cql", "cql()\n  mat\n", &[]).unwrap();
        let error = Diagnostic::new(Code::UnknownName, Span::new(8, 11), "unknown name `mat`")
            .with_label("no such filter")
            .with_help("did you mean `mate`?");
        let text = diagnostic(&source, &error, ColorChoice::Never);
        for part in
            ["unknown name `mat`", "q.cql:2:3", "  mat", "^^^ no such filter", "did you mean"]
        {
            assert!(text.contains(part), "{part:?} is not in\n{text}");
        }
    }

    #[test]
    fn a_remedy_names_the_option_of_the_command() {
        let told = |query: &str| {
            let source = QuerySource::new("q.cql", query, &[]).unwrap();
            let errors = babson::Query::compile(query).unwrap_err();
            diagnostic(&source, &errors.diagnostics()[0], ColorChoice::Never)
        };
        let text = told("square s in A { x = s } x == K");
        for part in ["choose the dialect `cql6`", "`--dialect cqli|cql6`: the dialect of queries"] {
            assert!(text.contains(part), "{part:?} is not in\n{text}");
        }
        let text = told(r#"variant "Bonk""#);
        assert!(text.contains("`--variantalias NAME ALIAS`: another name of a variant"), "{text}");
    }

    #[test]
    fn a_second_definition_shows_the_first() {
        let query = "function f(){check}\n\nfunction f(){mate}";
        let source = QuerySource::new("q.cql", query, &[]).unwrap();
        let errors = babson::Query::compile(query).unwrap_err();
        let text = diagnostic(&source, &errors.diagnostics()[0], ColorChoice::Never);
        for part in ["`f` is already defined", "q.cql:3:10", "q.cql:1:10", "the first definition"] {
            assert!(text.contains(part), "{part:?} is not in\n{text}");
        }
    }

    #[test]
    fn no_span_can_break_the_renderer() {
        let source = QuerySource::new("q.cql", "é", &[]).unwrap();
        for (start, end) in [(0, 1), (1, 1), (1, 9), (7, 3), (u32::MAX, u32::MAX)] {
            let error = Diagnostic::new(Code::UnknownName, Span { start, end }, "wrong");
            assert!(diagnostic(&source, &error, ColorChoice::Never).contains("wrong"));
        }
    }
}
