//! Texts of a few bytes, which are made and copied as one number.

use babson_chess::san::SanText;

/// A text of at most eight bytes.
#[derive(Clone, Copy)]
pub(super) struct ShortWord {
    /// The bytes, the first one lowest, and zeros after them.
    bytes: u64,
    len: usize,
}

/// The texts of small numbers, which nearly all moves have.
static NUMBERS: [ShortWord; 256] = {
    let mut numbers = [ShortWord::EMPTY; 256];
    let mut value = 0;
    while value < numbers.len() {
        numbers[value] = ShortWord::long_number(value as u32);
        value += 1;
    }
    numbers
};

impl ShortWord {
    /// What follows the number of a move of White.
    pub(super) const DOT: ShortWord = ShortWord::of(b".");
    /// What follows the number of a move of Black.
    pub(super) const DOTS: ShortWord = ShortWord::of(b"...");
    pub(super) const EMPTY: ShortWord = ShortWord::of(b"");
    pub(super) const SPACE: ShortWord = ShortWord::of(b" ");
    /// What precedes the number of a glyph.
    pub(super) const GLYPH: ShortWord = ShortWord::of(b"$");

    const fn of(text: &[u8]) -> ShortWord {
        let (mut bytes, mut len) = (0, 0);
        while len < text.len() {
            bytes |= (text[len] as u64) << (8 * len);
            len += 1;
        }
        ShortWord { bytes, len }
    }

    /// The last eight digits of a number. No move and no glyph has a number with more digits.
    #[inline(always)]
    pub(super) fn number(value: u32) -> ShortWord {
        NUMBERS.get(value as usize).copied().unwrap_or_else(|| ShortWord::long_number(value))
    }

    /// [`ShortWord::number`] of any number.
    const fn long_number(value: u32) -> ShortWord {
        let (mut bytes, mut len, mut rest) = (0, 0, value);
        loop {
            bytes = bytes << 8 | (b'0' + (rest % 10) as u8) as u64;
            len += 1;
            rest /= 10;
            if rest == 0 || len == 8 {
                return ShortWord { bytes, len };
            }
        }
    }

    #[inline(always)]
    pub(super) fn len(self) -> usize {
        self.len
    }

    /// This text and another one after it, which have at most eight bytes together.
    #[inline(always)]
    pub(super) fn then(self, other: ShortWord) -> ShortWord {
        let bytes = self.bytes | other.bytes << ((8 * self.len) & 63);
        ShortWord { bytes, len: self.len + other.len }
    }

    /// Writes the text at this place, and zeros up to the eighth byte. Without eight bytes there it
    /// writes nothing.
    #[inline(always)]
    pub(super) fn store(self, bytes: &mut [u8], at: usize) {
        if let Some(place) = bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
            *place = self.bytes.to_le_bytes();
        }
    }

    /// Appends the text: a copy of fixed length is faster than one of the length of the text.
    #[inline(always)]
    pub(super) fn append_to(self, out: &mut Vec<u8>) {
        let end = out.len() + self.len;
        out.extend_from_slice(&self.bytes.to_le_bytes());
        out.truncate(end);
    }
}

impl From<SanText> for ShortWord {
    #[inline(always)]
    fn from(san: SanText) -> ShortWord {
        ShortWord { bytes: san.word(), len: san.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_fmt() {
        for value in [0, 1, 9, 10, 99, 100, 255, 256, 12_345, 99_999_999] {
            let mut out = b"x".to_vec();
            ShortWord::number(value).append_to(&mut out);
            ShortWord::DOTS.append_to(&mut out);
            assert_eq!(String::from_utf8(out).unwrap(), format!("x{value}..."));
        }
        assert_eq!(ShortWord::number(u32::MAX).len(), 8);
    }
}
