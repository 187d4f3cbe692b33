//! The text of matches: a part that many rows share is held once.
//!
//! A tag may be megabytes long and stand in a row for each of hundreds of positions. The file is as
//! long as its format demands; the memory is not.

use std::ops::Range;

/// Parts of fewer bytes are simply copied.
const MIN_SHARED: usize = 1 << 10;

/// The text of some matches, one after another.
#[derive(Debug, Default)]
pub(crate) struct Text {
    bytes: Vec<u8>,
    /// What stands once more, in the order of the places.
    repeats: Vec<Repeat>,
}

/// A range of the bytes that is written once more before the byte at `at`.
#[derive(Debug)]
struct Repeat {
    at: usize,
    range: Range<usize>,
}

/// A part that stands in several rows of a match.
#[derive(Debug)]
pub(crate) struct Shared {
    part: String,
    /// Where it stands, once it does.
    first: Option<Range<usize>>,
}

impl Shared {
    pub(crate) fn new(part: String) -> Shared {
        Shared { part, first: None }
    }
}

/// A place between two matches.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    byte: usize,
    repeat: usize,
}

impl Text {
    /// The bytes so far; more may be appended.
    pub(crate) fn bytes(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }

    /// How many bytes it holds.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Appends a part that may stand here again.
    pub(crate) fn push_shared(&mut self, shared: &mut Shared) {
        let at = self.bytes.len();
        match &shared.first {
            Some(range) => self.repeats.push(Repeat { at, range: range.clone() }),
            None => {
                self.bytes.extend_from_slice(shared.part.as_bytes());
                if shared.part.len() >= MIN_SHARED {
                    shared.first = Some(at..self.bytes.len());
                }
            }
        }
    }

    /// The end of the text so far.
    pub(crate) fn mark(&self) -> Mark {
        Mark { byte: self.bytes.len(), repeat: self.repeats.len() }
    }

    /// The text between two places, in pieces; at least one.
    pub(crate) fn pieces(&self, from: Mark, to: Mark) -> impl Iterator<Item = &[u8]> {
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
            let piece = self.bytes.get(begin..end);
            begin = end;
            piece
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_part_is_held_once() {
        for length in [1, MIN_SHARED] {
            let part = "x".repeat(length);
            let mut text = Text::default();
            text.bytes().extend_from_slice(b"before\n");
            let (from, mut shared) = (text.mark(), Shared::new(part.clone()));
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
            let pieces: Vec<u8> = text.pieces(from, to).flatten().copied().collect();
            assert_eq!(String::from_utf8(pieces).unwrap(), expected);
            assert!(text.bytes().len() < 1000 + length, "{}", text.bytes().len());
        }
        let empty = Text::default();
        assert_eq!(empty.pieces(Mark::default(), empty.mark()).count(), 1);
    }
}
