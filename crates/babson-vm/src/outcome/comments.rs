//! Comments by position.

use std::ops::Range;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::entries_at;

/// Comments, each with the id of its position, in one buffer.
///
/// ```
/// use babson_vm::Comments;
///
/// let mut comments: Comments = [(3, "CQL"), (3, "fork")].into_iter().collect();
/// comments.push(7, b"CQL");
/// assert_eq!(comments.iter().next(), Some((3, &b"CQL"[..])));
/// assert_eq!(comments.at(3).last(), Some(&b"fork"[..]));
/// assert_eq!(comments.len(), 3);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comments {
    /// The texts, one after the other.
    text: Vec<u8>,
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    position: u32,
    range: Range<usize>,
}

impl Comments {
    /// Adds a comment after the others.
    pub fn push(&mut self, position: u32, text: &[u8]) {
        let start = self.text.len();
        self.text.extend_from_slice(text);
        self.entries.push(Entry { position, range: start..self.text.len() });
    }

    /// The number of comments.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The comments in their order, each with the id of its position.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u32, &[u8])> + Clone {
        self.entries.iter().map(|entry| (entry.position, self.text_of(entry)))
    }

    /// The comments of a position, if the comments are in the order of their positions.
    pub fn at(&self, position: u32) -> impl ExactSizeIterator<Item = &[u8]> + Clone {
        let entries = entries_at(&self.entries, position, |entry| entry.position);
        entries.iter().map(|entry| self.text_of(entry))
    }

    /// How many bytes of memory they take.
    pub fn bytes(&self) -> usize {
        self.text.len() + self.entries.len() * size_of::<Entry>()
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.entries.clear();
    }

    fn text_of(&self, entry: &Entry) -> &[u8] {
        &self.text[entry.range.clone()]
    }
}

impl<T: AsRef<[u8]>> Extend<(u32, T)> for Comments {
    fn extend<I: IntoIterator<Item = (u32, T)>>(&mut self, comments: I) {
        for (position, text) in comments {
            self.push(position, text.as_ref());
        }
    }
}

impl<T: AsRef<[u8]>> FromIterator<(u32, T)> for Comments {
    fn from_iter<I: IntoIterator<Item = (u32, T)>>(comments: I) -> Comments {
        let mut all = Comments::default();
        all.extend(comments);
        all
    }
}

impl Serialize for Comments {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Comments {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Comments, D::Error> {
        let comments: Vec<(u32, Vec<u8>)> = Deserialize::deserialize(source)?;
        Ok(comments.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::Comments;

    /// They are serialized as a list of pairs.
    #[test]
    fn comments_are_serialized_as_pairs() {
        let comments: Comments = [(0, "a"), (2, ""), (2, "bc"), (7, "a")].into_iter().collect();
        let text = serde_json::to_string(&comments).unwrap();
        assert_eq!(text, "[[0,[97]],[2,[]],[2,[98,99]],[7,[97]]]");
        assert_eq!(serde_json::from_str::<Comments>(&text).unwrap(), comments);
        assert_eq!(comments.at(2).collect::<Vec<_>>(), [&b""[..], b"bc"]);
        assert_eq!(comments.at(1).len(), 0);
    }
}
