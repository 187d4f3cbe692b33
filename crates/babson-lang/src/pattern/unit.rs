//! The units of a text: bytes or characters.

/// The unit of a text that a class matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// A byte.
    Byte,
    /// A character of UTF-8. A byte that is not part of one counts as a character.
    Character,
}

/// The greatest value of a unit: the characters come first, then the bytes that are not part of
/// one.
pub(crate) const MAX_UNIT: u32 = 0x11_00ff;

impl Unit {
    /// The first unit of a text and its length in bytes.
    #[inline]
    pub fn next(self, text: &[u8]) -> Option<(u32, usize)> {
        let &first = text.first()?;
        if self == Unit::Byte || first < 0x80 {
            return Some((u32::from(first), 1));
        }
        let len = match first {
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            _ => 4,
        };
        let character = text
            .get(..len)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .and_then(|text| text.chars().next());
        Some(match character {
            Some(character) => (u32::from(character), len),
            None => (0x11_0000 + u32::from(first), 1),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Unit;
    use crate::pattern::{PatternNode, parse};

    #[test]
    fn characters_are_units_if_asked_for() {
        let count = |unit| {
            let node = parse("é+".as_bytes(), unit).unwrap().node;
            if let PatternNode::Concat(list) = node { list.len() } else { 1 }
        };
        assert_eq!((count(Unit::Byte), count(Unit::Character)), (2, 1));
        assert_eq!(Unit::Character.next(b"\xc3"), Some((0x11_00c3, 1)));
        assert_eq!(Unit::Character.next("é".as_bytes()), Some((0xe9, 2)));
        assert_eq!(Unit::Byte.next("é".as_bytes()), Some((0xc3, 1)));
    }
}
