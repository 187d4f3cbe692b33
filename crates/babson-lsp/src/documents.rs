//! The documents that the client has open.

use std::collections::HashMap;
use std::sync::Arc;

use babson::Span;
use lsp_types::{Position, Range, TextDocumentContentChangeEvent, Url};

use crate::positions::{Encoding, LineIndex};

/// A text with its lines.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) version: i32,
    pub(crate) text: String,
    pub(crate) lines: LineIndex,
}

impl Document {
    pub(crate) fn new(version: i32, text: String) -> Document {
        let lines = LineIndex::new(&text);
        Document { version, text, lines }
    }

    pub(crate) fn offset(&self, position: Position, encoding: Encoding) -> usize {
        self.lines.offset(&self.text, position, encoding)
    }

    pub(crate) fn position(&self, offset: u32, encoding: Encoding) -> Position {
        self.lines.position(&self.text, offset as usize, encoding)
    }

    pub(crate) fn range(&self, span: Span, encoding: Encoding) -> Range {
        self.lines.range(&self.text, span, encoding)
    }

    pub(crate) fn span(&self, range: Range, encoding: Encoding) -> Span {
        self.lines.span(&self.text, range, encoding)
    }

    /// The document after changes, which are made one after another.
    pub(crate) fn changed(
        &self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> Document {
        let mut next = Document { version, ..self.clone() };
        for change in changes {
            match change.range {
                None => next.text = change.text,
                Some(range) => {
                    let span = next.span(range, encoding);
                    next.text.replace_range(span.start as usize..span.end as usize, &change.text);
                }
            }
            next.lines = LineIndex::new(&next.text);
        }
        next
    }
}

/// The documents by their names. A copy is cheap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Documents(Arc<HashMap<Url, Arc<Document>>>);

impl Documents {
    pub(crate) fn get(&self, uri: &Url) -> Option<&Arc<Document>> {
        self.0.get(uri)
    }

    pub(crate) fn insert(&mut self, uri: Url, document: Document) {
        Arc::make_mut(&mut self.0).insert(uri, Arc::new(document));
    }

    pub(crate) fn remove(&mut self, uri: &Url) {
        Arc::make_mut(&mut self.0).remove(uri);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Url, &Arc<Document>)> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_made_in_their_order() {
        let change = |range: Option<(u32, u32, u32, u32)>, text: &str| {
            let range =
                range.map(|(a, b, c, d)| Range::new(Position::new(a, b), Position::new(c, d)));
            TextDocumentContentChangeEvent { range, range_length: None, text: text.to_owned() }
        };
        let document = Document::new(1, "♕ attacks k\nmate".to_owned());
        let changes = vec![
            change(Some((0, 0, 0, 1)), "♖♘"),
            change(Some((0, 2, 1, 0)), " "),
            change(Some((0, 3, 0, 99)), "x\r\ny"),
        ];
        let changed = document.changed(2, changes, Encoding::Utf16);
        assert_eq!((changed.text.as_str(), changed.version), ("♖♘ x\r\ny", 2));
        assert_eq!(changed.lines, LineIndex::new(&changed.text));
        let replaced = changed.changed(3, vec![change(None, "check")], Encoding::Utf16);
        assert_eq!(replaced.text, "check");
    }
}
