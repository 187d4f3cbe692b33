//! The query in a report: its text with highlighted tokens, and the filters whose verdicts the page
//! has.

use babson_lang::text::{self, TokenClass};
use babson_lang::{QueryText, Span};
use babson_vm::{Program, RunOptions, Tracing};
use serde::Serialize;

use crate::limits::{MAX_FILTERS, MAX_TEXT};
use crate::markup;

/// The query of a report.
#[derive(Clone, Copy, Debug)]
pub struct ReportQuery<'q> {
    /// The title of the page. If it is empty, the text of the query is the title, shortened.
    pub title: &'q str,
    /// The text of the query, if the page shows it.
    pub text: Option<&'q QueryText>,
    /// The compiled query.
    pub program: &'q Program,
    /// The options with which it was run.
    pub options: &'q RunOptions,
    /// Whether and how its filters are traced. The page marks what they did if they are.
    pub tracing: &'q Tracing,
}

impl ReportQuery<'_> {
    /// Whether variations are visited: as the options say, otherwise as the header says.
    pub(crate) fn variations(&self) -> bool {
        self.options.variations.unwrap_or(self.program.header().variations)
    }
}

/// A filter as the script of the page knows it.
#[derive(Debug, Serialize)]
pub(crate) struct ShownFilter {
    /// Its text on one line.
    text: String,
    /// The number of filters that it is an operand of.
    depth: u32,
    /// Its number among those that name squares, which decides its color.
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<usize>,
    #[serde(skip)]
    span: Span,
}

/// The filters whose verdicts a report has, in the order of a trace.
pub(crate) fn filters(query: &ReportQuery<'_>) -> Vec<ShownFilter> {
    let (Tracing::On(program), Some(query)) = (query.tracing, query.text) else {
        return Vec::new();
    };
    let mut colors = 0;
    let shown = program.trace_entries().take(MAX_FILTERS).map(|entry| ShownFilter {
        text: on_one_line(entry.span.text(&query.text)),
        depth: entry.depth,
        color: entry.names_squares.then(|| {
            colors += 1;
            colors - 1
        }),
        span: entry.span,
    });
    shown.collect()
}

/// Text on one line of limited length.
pub(crate) fn on_one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// A range of the text in an element.
struct Element {
    span: Span,
    /// Its opening tag.
    tag: String,
}

/// The text of the query with an element for each filter and for each token.
pub(crate) fn marked_up(query: &QueryText, filters: &[ShownFilter]) -> String {
    let mut elements: Vec<Element> = filters.iter().enumerate().map(filter_element).collect();
    elements.extend(token_elements(query));
    // The outer element first; a filter is around a token with the same span.
    elements.sort_by_key(|element| (element.span.start, u32::MAX - element.span.end));
    let mut out = String::new();
    let mut open: Vec<Span> = Vec::new();
    let mut at = 0;
    let mut text_to = |out: &mut String, end: u32| {
        markup::push(out, query.text.get(at..end as usize).unwrap_or_default());
        at = at.max(end as usize);
    };
    for Element { span, tag } in elements {
        while let Some(inner) = open.pop_if(|inner| inner.end <= span.start) {
            text_to(&mut out, inner.end);
            out.push_str("</span>");
        }
        // Elements nest; the body of a function may cross none.
        if span.start == span.end || open.last().is_some_and(|inner| inner.end < span.end) {
            continue;
        }
        text_to(&mut out, span.start);
        out.push_str(&tag);
        open.push(span);
    }
    while let Some(inner) = open.pop() {
        text_to(&mut out, inner.end);
        out.push_str("</span>");
    }
    text_to(&mut out, u32::try_from(query.text.len()).unwrap_or(u32::MAX));
    out.trim_end().to_owned()
}

fn filter_element((index, filter): (usize, &ShownFilter)) -> Element {
    let tag = match filter.color {
        Some(color) => {
            let color = color % COLORS;
            format!("<span class=\"filter c{color}\" data-filter=\"{index}\" tabindex=\"0\">")
        }
        None => format!("<span class=\"filter\" data-filter=\"{index}\">"),
    };
    Element { span: filter.span, tag }
}

/// The number of colors of the style.
const COLORS: usize = 8;

/// The tokens with a class of their own. A text that has no tokens, a query of CQL 3, has none.
fn token_elements(query: &QueryText) -> Vec<Element> {
    let parts = &query.parts;
    let spans = parts.transforms.iter().chain(&parts.filters).chain([&parts.query]);
    let spans = spans.chain(&parts.imports);
    let tokens = spans.flat_map(|part| {
        let tokens = text::tokens(part.text(&query.text), query.dialect).unwrap_or_default();
        let start = part.start;
        tokens.into_iter().map(move |token| (token.class, token.span, start))
    });
    let named = tokens.filter(|(class, ..)| *class != TokenClass::Symbol);
    let element = |(class, span, start): (TokenClass, Span, u32)| Element {
        span: Span::new(start + span.start, start + span.end),
        tag: format!("<span class=\"{}\">", class.name()),
    };
    named.map(element).collect()
}

#[cfg(test)]
mod tests {
    use babson_lang::{Dialect, QuerySpans, analyze};
    use babson_vm::CompileOptions;

    use super::*;

    fn shown(text: &str) -> String {
        let query = analyze(text, Dialect::CQLI).unwrap().query;
        let options = CompileOptions { trace: true, ..CompileOptions::default() };
        let program = Program::compile_with(&query, &options).unwrap();
        let parts = QuerySpans::whole(text);
        let source = QueryText { text: text.to_owned(), parts, dialect: Dialect::CQLI };
        let shown = ReportQuery {
            title: "",
            text: Some(&source),
            program: &program,
            options: &RunOptions::default(),
            tracing: &Tracing::On(program.clone()),
        };
        marked_up(&source, &filters(&shown))
    }

    #[test]
    fn filters_are_around_their_tokens() {
        assert_eq!(
            shown("R attacks k // a<b\nmate"),
            "<span class=\"filter c0\" data-filter=\"0\" tabindex=\"0\"><span class=\"filter c1\" \
             data-filter=\"1\" tabindex=\"0\"><span class=\"piece\">R</span></span> <span \
             class=\"keyword\">attacks</span> <span class=\"filter c2\" data-filter=\"2\" \
             tabindex=\"0\"><span class=\"piece\">k</span></span></span> <span class=\"comment\">// \
             a&lt;b</span>\n<span class=\"filter\" data-filter=\"3\"><span \
             class=\"keyword\">mate</span></span>"
        );
    }

    #[test]
    fn elements_are_balanced_and_the_text_is_whole() {
        for text in [
            "function f(x) { x attacks k } f(R) f(Q) \"<é>\" == str(\"</span>\")",
            "flip { shift Pa2 or K & [Rr] } (1 + 2) * 3 > #(Q | q)",
            "cql(input \"a.pgn\") if check then mate else Q",
        ] {
            let Ok(_) = analyze(text, Dialect::CQLI) else { continue };
            let markup = shown(text);
            assert_eq!(markup.matches("<span").count(), markup.matches("</span>").count());
            let plain: String =
                markup.split('<').map(|part| part.split_once('>').map_or(part, |p| p.1)).collect();
            let plain = plain.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
            assert_eq!(plain.replace("&amp;", "&"), text);
        }
    }
}
