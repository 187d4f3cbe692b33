//! Windows-1252, the encoding of many files of the time of CQL 3.

/// The characters of the bytes 80 to 9F. Unassigned bytes are control characters (WHATWG Encoding
/// Standard, index windows-1252).
const HIGH_CONTROLS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes Windows-1252, which is Latin-1 except for the bytes 80 to 9F.
///
/// ```
/// assert_eq!(babson_cql3::windows_1252(b"M\xfcller \x96 \x80 1"), "Müller – € 1");
/// ```
pub fn windows_1252(bytes: &[u8]) -> String {
    let character = |byte: &u8| match byte {
        0x80..=0x9f => HIGH_CONTROLS[usize::from(byte - 0x80)],
        _ => char::from(*byte),
    };
    bytes.iter().map(character).collect()
}
