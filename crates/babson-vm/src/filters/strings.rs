//! Strings: bytes for CQL 6.2, characters of UTF-8 for CQLi (`docs/src/language/strings.md`).

use std::ops::Range;

/// What `#`, indexes and slices count, and which letters have case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Bytes; ASCII letters.
    Byte,
    /// Characters of UTF-8; a byte that belongs to none counts as one.
    Character,
}

/// The number of bytes of the first character; 1 if the text does not begin with one.
fn first_character(text: &[u8]) -> usize {
    let wanted = match text.first() {
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf4) => 4,
        _ => return 1,
    };
    let valid = text.get(..wanted).is_some_and(|bytes| std::str::from_utf8(bytes).is_ok());
    if valid { wanted } else { 1 }
}

/// Where the character of this number begins; the end of the text if it has fewer.
fn offset(text: &[u8], number: usize, unit: Unit) -> usize {
    if unit == Unit::Byte || text.is_ascii() {
        return number.min(text.len());
    }
    let mut at = 0;
    for _ in 0..number {
        if at >= text.len() {
            break;
        }
        at += first_character(&text[at..]);
    }
    at
}

/// `#s`: the length in units; capped at the greatest number.
pub fn len(text: &[u8], unit: Unit) -> i32 {
    i32::try_from(count(text, unit)).unwrap_or(i32::MAX)
}

fn count(text: &[u8], unit: Unit) -> usize {
    if unit == Unit::Byte || text.is_ascii() {
        return text.len();
    }
    let (mut at, mut count) = (0, 0);
    while at < text.len() {
        at += first_character(&text[at..]);
        count += 1;
    }
    count
}

/// The bytes of `s[i]`; a negative index has the length added once. No value out of range.
pub(crate) fn char_range(text: &[u8], index: i32, unit: Unit) -> Option<Range<usize>> {
    let length = count(text, unit);
    let index = usize::try_from(absolute(index, length)).ok()?;
    if index >= length {
        return None;
    }
    let start = offset(text, index, unit);
    Some(start..start + offset(&text[start..], 1, unit))
}

fn absolute(index: i32, length: usize) -> i64 {
    i64::from(index) + if index < 0 { i64::try_from(length).unwrap_or(i64::MAX) } else { 0 }
}

/// The bytes of `s[i:j]`: both ends are clamped, and default to 0 and the length. Empty if `j < i`.
pub(crate) fn slice_range(
    text: &[u8],
    from: Option<i32>,
    to: Option<i32>,
    unit: Unit,
) -> Range<usize> {
    let length = count(text, unit);
    let clamp = |index| usize::try_from(absolute(index, length)).unwrap_or(0).min(length);
    let from = from.map_or(0, clamp);
    let to = to.map_or(length, clamp).max(from);
    let start = offset(text, from, unit);
    start..start + offset(&text[start..], to - from, unit)
}

/// `s[i]`
pub fn char_at(text: &[u8], index: i32, unit: Unit) -> Option<&[u8]> {
    char_range(text, index, unit).map(|range| &text[range])
}

/// `s[i:j]`
///
/// ```
/// use babson_vm::filters::strings::{Unit, slice};
/// assert_eq!(slice(b"abc", Some(-2), None, Unit::Byte), b"bc");
/// assert_eq!(slice("♔a".as_bytes(), None, Some(1), Unit::Character), "♔".as_bytes());
/// ```
pub fn slice(text: &[u8], from: Option<i32>, to: Option<i32>, unit: Unit) -> &[u8] {
    &text[slice_range(text, from, to, unit)]
}

/// `x[i] = s`: false, and nothing changed, if the index is out of range.
pub(crate) fn assign_at(text: &mut Vec<u8>, index: i32, value: &[u8], unit: Unit) -> bool {
    match char_range(text, index, unit) {
        Some(range) => {
            text.splice(range, value.iter().copied());
            true
        }
        None => false,
    }
}

/// `x[i:j] = s`
pub(crate) fn assign_slice(
    text: &mut Vec<u8>,
    from: Option<i32>,
    to: Option<i32>,
    value: &[u8],
    unit: Unit,
) {
    let range = slice_range(text, from, to, unit);
    text.splice(range, value.iter().copied());
}

/// The byte where the pattern first occurs; 0 for an empty pattern.
pub fn find(pattern: &[u8], text: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, pattern)
}

/// `indexof (pattern text)`: where the pattern first occurs, in units; no value if nowhere.
pub fn index_of(pattern: &[u8], text: &[u8], unit: Unit) -> Option<i32> {
    find(pattern, text).map(|at| len(&text[..at], unit))
}

/// `int s`: decimal digits, perhaps after a `-`, and nothing else; wraps.
pub fn parse_int(text: &[u8]) -> Option<i32> {
    let (negative, digits) = match text.split_first() {
        Some((b'-', rest)) => (true, rest),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits
        .iter()
        .fold(0i32, |sum, digit| sum.wrapping_mul(10).wrapping_add(i32::from(digit - b'0')));
    Some(if negative { value.wrapping_neg() } else { value })
}

/// `ascii s`: the value of the only byte; no value for other lengths.
pub fn ascii_code(text: &[u8]) -> Option<i32> {
    match *text {
        [byte] => Some(i32::from(byte)),
        _ => None,
    }
}

/// `ascii n`: the byte of that value, 1 to 255.
pub fn ascii_char(n: i32) -> Option<u8> {
    u8::try_from(n).ok().filter(|&byte| byte != 0)
}

/// `lowercase s`
pub fn lowercase(text: &[u8], unit: Unit) -> Vec<u8> {
    convert(text, unit, <[u8]>::to_ascii_lowercase, str::to_lowercase)
}

/// `uppercase s`
pub fn uppercase(text: &[u8], unit: Unit) -> Vec<u8> {
    convert(text, unit, <[u8]>::to_ascii_uppercase, str::to_uppercase)
}

fn convert(
    text: &[u8],
    unit: Unit,
    ascii: fn(&[u8]) -> Vec<u8>,
    unicode: fn(&str) -> String,
) -> Vec<u8> {
    if unit == Unit::Byte || text.is_ascii() {
        return ascii(text);
    }
    let mut out = Vec::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        out.extend_from_slice(unicode(chunk.valid()).as_bytes());
        out.extend_from_slice(chunk.invalid());
    }
    out
}
