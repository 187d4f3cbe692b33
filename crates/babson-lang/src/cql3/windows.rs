//! The encoding of files of the time of CQL 3.

/// The characters of the bytes 80 to 9F; those that mean nothing are control characters, as the
/// WHATWG encoding standard has it.
const HIGH_CONTROLS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text of a file in Windows-1252, of which Latin-1 is the largest part.
///
/// ```
/// assert_eq!(babson_lang::cql3::windows_1252(b"M\xfcller \x96 \x80 1"), "Müller – € 1");
/// ```
pub fn windows_1252(bytes: &[u8]) -> String {
    let character = |byte: &u8| match byte {
        0x80..=0x9f => HIGH_CONTROLS[usize::from(byte - 0x80)],
        _ => char::from(*byte),
    };
    bytes.iter().map(character).collect()
}
