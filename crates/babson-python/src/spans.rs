//! Spans of a text as Python counts: in code points.

use babson::Span;

/// Turns byte offsets of a text into indexes of its `str`.
pub(crate) struct CharSpans<'t> {
    text: &'t str,
    is_ascii: bool,
}

impl<'t> CharSpans<'t> {
    pub(crate) fn new(text: &'t str) -> CharSpans<'t> {
        CharSpans { text, is_ascii: text.is_ascii() }
    }

    /// The indexes of a span. What lies after the text, such as a variable that was set before the
    /// query, is at its end.
    pub(crate) fn of(&self, span: Span) -> (usize, usize) {
        (self.index(span.start), self.index(span.end))
    }

    fn index(&self, at: u32) -> usize {
        let at = (at as usize).min(self.text.len());
        match self.is_ascii {
            true => at,
            false => self.text.char_indices().take_while(|(offset, _)| *offset < at).count(),
        }
    }
}
