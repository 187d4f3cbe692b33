//! Sixteen lowercase hexadecimal digits, as `zobristkey` writes them, and the number that they are.

/// Half-bytes in the low halves of eight bytes, to eight characters: those above nine step over
/// the characters between `9` and `a`.
fn digits(half_bytes: u64) -> u64 {
    let letters = (half_bytes + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101;
    half_bytes + 0x3030_3030_3030_3030 + letters * u64::from(b'a' - b'9' - 1)
}

/// The digits of a number, eight at a time.
pub(in crate::machine) fn write(number: u64) -> [u8; 16] {
    let spread = |half: u32| {
        let mut bytes = u64::from(half);
        bytes = (bytes | bytes << 16) & 0x0000_ffff_0000_ffff;
        bytes = (bytes | bytes << 8) & 0x00ff_00ff_00ff_00ff;
        bytes = (bytes | bytes << 4) & 0x0f0f_0f0f_0f0f_0f0f;
        digits(bytes)
    };
    let high = spread((number >> 32) as u32);
    let low = spread(number as u32);
    (u128::from(high) << 64 | u128::from(low)).to_be_bytes()
}

/// The number of a text that [`write`] makes; `None` for any other.
pub(super) fn read(text: &[u8]) -> Option<u64> {
    let text: [u8; 16] = text.try_into().ok()?;
    let both = u128::from_be_bytes(text);
    let half = |characters: u64| {
        // The character of a letter has a bit that no digit has, and one more than its low half.
        let letters = characters >> 6 & 0x0101_0101_0101_0101;
        let mut bytes = (characters & 0x0f0f_0f0f_0f0f_0f0f) + letters * 9;
        // A text with other characters differs from the digits of the number read from it.
        if bytes & 0xf0f0_f0f0_f0f0_f0f0 != 0 || digits(bytes) != characters {
            return None;
        }
        bytes = (bytes | bytes >> 4) & 0x00ff_00ff_00ff_00ff;
        bytes = (bytes | bytes >> 8) & 0x0000_ffff_0000_ffff;
        Some((bytes | bytes >> 16) & 0xffff_ffff)
    };
    Some(half((both >> 64) as u64)? << 32 | half(both as u64)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn digits_are_those_of_the_number(number: u64) {
            let text = format!("{number:016x}");
            prop_assert_eq!(&write(number)[..], text.as_bytes());
            prop_assert_eq!(read(&write(number)), Some(number));
        }

        /// A text with one wrong character has no number.
        #[test]
        fn other_texts_have_no_number(number: u64, at in 0..16usize, other: u8) {
            let mut text = write(number);
            prop_assume!(!other.is_ascii_digit() && !(b'a'..=b'f').contains(&other));
            text[at] = other;
            prop_assert_eq!(read(&text), None);
            prop_assert_eq!(read(&text[1..]), None);
        }
    }
}
