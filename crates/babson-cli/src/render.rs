//! Printing diagnostics with their source lines.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use babson_engine::terminal::is_command;
use babson_lang::{Diagnostic, Severity};

use crate::limits::MAX_DIAGNOSTICS;
use crate::source::QuerySource;
use crate::terminal;

/// Whether output is colored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    Always,
    Never,
}

impl ColorChoice {
    /// Reads the word after `--color`.
    pub(crate) fn parse(word: &str) -> Result<ColorChoice, String> {
        match word.to_ascii_lowercase().as_str() {
            "auto" => Ok(ColorChoice::Auto),
            "always" => Ok(ColorChoice::Always),
            "never" => Ok(ColorChoice::Never),
            _ => Err(format!("--color: '{word}' is not auto, always or never")),
        }
    }

    /// Whether standard error is to be colored.
    pub(crate) fn on_stderr(self) -> bool {
        use std::io::IsTerminal;
        match self {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
                    && std::io::stderr().is_terminal()
            }
        }
    }
}

/// Prints diagnostics on standard error.
pub(crate) fn print(source: &QuerySource, diagnostics: &[Diagnostic], color: ColorChoice) {
    let mut last = String::new();
    for one in diagnostics.iter().take(MAX_DIAGNOSTICS) {
        let text = diagnostic(source, one, color);
        // The filter of an option may contain the word of the option twice.
        if text != last {
            terminal::diagnostic_line(&text);
        }
        last = text;
    }
    if diagnostics.len() > MAX_DIAGNOSTICS {
        let more = diagnostics.len() - MAX_DIAGNOSTICS;
        terminal::error_line(&format!("… and {more} more"));
    }
}

/// The text of a diagnostic: message, source line with a caret, and help.
pub(crate) fn diagnostic(
    source: &QuerySource,
    diagnostic: &Diagnostic,
    color: ColorChoice,
) -> String {
    let excerpt = source.excerpt(diagnostic.span);
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    // What they quote may hold sequences that choose colors, which are left to rendered text.
    let shown =
        |text: &str| String::from_utf8_lossy(&terminal::for_stderr(text.as_bytes())).into_owned();
    let (name, message) = (shown(excerpt.name), shown(&diagnostic.message));
    let label = diagnostic.label.as_deref().map(shown).unwrap_or_default();
    let help = diagnostic.help.as_deref().map(shown);
    // Only the lines that are shown are passed on: a query may have megabytes.
    let (text, range) = (excerpt.text, excerpt.range);
    let from = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let to = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at);
    let line = 1 + text[..from].matches('\n').count();
    let mut annotation = AnnotationKind::Primary.span(range.start - from..range.end - from);
    if !label.is_empty() {
        annotation = annotation.label(label.as_str());
    }
    let mut group = level.primary_title(message.as_str()).element(
        Snippet::source(&text[from..to])
            .line_start(line)
            .path(name.as_str())
            .annotation(annotation),
    );
    if let Some(help) = &help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    let renderer = if color.on_stderr() { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
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
    use super::*;
    use babson_lang::Span;

    #[test]
    fn a_diagnostic_has_place_line_caret_and_help() {
        let source = QuerySource::new("q.cql", "cql()\n  mat\n", &[]).unwrap();
        let error = Diagnostic::error(Span::new(8, 11), "unknown name `mat`")
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
    fn no_span_can_break_the_renderer() {
        let source = QuerySource::new("q.cql", "é", &[]).unwrap();
        for (start, end) in [(0, 1), (1, 1), (1, 9), (7, 3), (u32::MAX, u32::MAX)] {
            let error = Diagnostic::error(Span { start, end }, "wrong");
            assert!(diagnostic(&source, &error, ColorChoice::Never).contains("wrong"));
        }
    }
}
