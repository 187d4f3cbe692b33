//! Several texts as one.

use std::io::{self, Read};
use std::sync::Arc;

/// Reads some texts of games one after another, with an empty line between them.
#[derive(Debug)]
pub(crate) struct TextReader {
    texts: Vec<Arc<[u8]>>,
    /// The text that is read, and how much of it was read.
    text: usize,
    at: usize,
}

/// What stands between two texts: a game must not go on in the next one.
pub(crate) const BETWEEN: &[u8] = b"\n\n";

impl TextReader {
    pub(crate) fn new(texts: Vec<Arc<[u8]>>) -> TextReader {
        TextReader { texts, text: 0, at: 0 }
    }
}

impl Read for TextReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while let Some(text) = self.texts.get(self.text) {
            let is_last = self.text + 1 == self.texts.len();
            let between = if is_last { &b""[..] } else { BETWEEN };
            let rest = text.get(self.at..).filter(|rest| !rest.is_empty());
            let rest = rest.or_else(|| between.get(self.at.saturating_sub(text.len())..));
            let rest = rest.unwrap_or_default();
            if rest.is_empty() {
                (self.text, self.at) = (self.text + 1, 0);
                continue;
            }
            let read = rest.len().min(out.len());
            out[..read].copy_from_slice(&rest[..read]);
            self.at += read;
            return Ok(read);
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_one_text() {
        let read = |texts: &[&str], room: usize| {
            let texts = texts.iter().map(|text| Arc::from(text.as_bytes())).collect();
            let mut reader = TextReader::new(texts);
            let (mut out, mut part) = (Vec::new(), vec![0; room]);
            loop {
                match reader.read(&mut part).unwrap() {
                    0 => return String::from_utf8(out).unwrap(),
                    read => out.extend_from_slice(&part[..read]),
                }
            }
        };
        for room in [1, 2, 3, 100] {
            assert_eq!(read(&["abc", "", "de"], room), "abc\n\n\n\nde");
            assert_eq!(read(&["abc"], room), "abc");
            assert_eq!(read(&[], room), "");
        }
    }
}
