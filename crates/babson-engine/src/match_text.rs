//! The text of matches. A long text that many rows share is held once.
//!
//! A tag may be megabytes long and occur in the rows of hundreds of positions. The output file
//! repeats it; the memory does not.

use std::ops::Range;

use crate::limits::MIN_SHARED_TEXT;

/// The text of some matches, one after another.
#[derive(Debug, Default)]
pub struct MatchText {
    bytes: Vec<u8>,
    /// The repeated ranges, in order of position.
    repeats: Vec<RepeatedRange>,
}

/// A range of the bytes that is repeated before the byte at `at`.
#[derive(Debug)]
struct RepeatedRange {
    at: usize,
    range: Range<usize>,
}

/// A text that several rows of a match share.
#[derive(Debug)]
pub(crate) struct SharedText {
    text: String,
    /// Where it was first written.
    first: Option<Range<usize>>,
}

impl SharedText {
    pub(crate) fn new(text: String) -> SharedText {
        SharedText { text, first: None }
    }
}

/// A position between two matches.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextMark {
    byte: usize,
    repeat: usize,
}

impl MatchText {
    /// The bytes so far; more may be appended.
    pub fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// The number of bytes held.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Appends a shared text.
    pub(crate) fn push_shared(&mut self, shared: &mut SharedText) {
        let at = self.bytes.len();
        match &shared.first {
            Some(range) => self.repeats.push(RepeatedRange { at, range: range.clone() }),
            None => {
                self.bytes.extend_from_slice(shared.text.as_bytes());
                if shared.text.len() >= MIN_SHARED_TEXT {
                    shared.first = Some(at..self.bytes.len());
                }
            }
        }
    }

    /// The end of the text so far.
    pub(crate) fn mark(&self) -> TextMark {
        TextMark { byte: self.bytes.len(), repeat: self.repeats.len() }
    }

    /// The text between two marks, in slices; at least one.
    pub(crate) fn slices(&self, from: TextMark, to: TextMark) -> impl Iterator<Item = &[u8]> {
        let repeats = self.repeats.get(from.repeat..to.repeat);
        let mut repeats = repeats.unwrap_or_default().iter();
        let mut begin = from.byte;
        let mut repeated = None;
        let mut done = false;
        std::iter::from_fn(move || {
            if let Some(range) = repeated.take() {
                return self.bytes.get::<Range<usize>>(range);
            }
            if done {
                return None;
            }
            let end = match repeats.next() {
                Some(repeat) => {
                    repeated = Some(repeat.range.clone());
                    repeat.at
                }
                None => {
                    done = true;
                    to.byte
                }
            };
            let slice = self.bytes.get(begin..end);
            begin = end;
            slice
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_shared_text_is_held_once() {
        for length in [1, MIN_SHARED_TEXT] {
            let part = "x".repeat(length);
            let mut text = MatchText::default();
            text.bytes().extend_from_slice(b"before\n");
            let (from, mut shared) = (text.mark(), SharedText::new(part.clone()));
            let mut expected = String::new();
            for row in 0..100 {
                text.bytes().extend_from_slice(format!("{row},").as_bytes());
                text.push_shared(&mut shared);
                text.push_shared(&mut shared);
                text.bytes().push(b'\n');
                expected += &format!("{row},{part}{part}\n");
            }
            let to = text.mark();
            text.bytes().extend_from_slice(b"after\n");
            let written: Vec<u8> = text.slices(from, to).flatten().copied().collect();
            assert_eq!(String::from_utf8(written).unwrap(), expected);
            assert!(text.bytes().len() < 1000 + length, "{}", text.bytes().len());
        }
        let empty = MatchText::default();
        assert_eq!(empty.slices(TextMark::default(), empty.mark()).count(), 1);
    }
}
