//! Characters that a terminal interprets instead of showing them: control characters and the
//! controls of the direction of text.

use std::borrow::Cow;
use std::io::{self, Write};

pub use babson_pgn::{Shown, is_command};

/// The text with the characters escaped that a terminal interprets ([`is_command`]), as `\u{1b}`.
/// Bytes that are not UTF-8 stay, except those that are control characters in Latin-1. Line feeds
/// and tabs stay, too: a name in a message is [`Shown`].
///
/// ```
/// use babson_engine::terminal::escaped;
///
/// assert_eq!(*escaped(b"plain\ttext\n"), *b"plain\ttext\n");
/// assert_eq!(*escaped(b"\x1b[2J\r"), *br"\u{1b}[2J\u{d}");
/// ```
pub fn escaped(text: &[u8]) -> Cow<'_, [u8]> {
    // The fast path for nearly all text.
    if text.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t')) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len() + 16);
    for chunk in text.utf8_chunks() {
        let mut letters = chunk.valid().chars().peekable();
        while let Some(letter) = letters.next() {
            let is_line_end = letter == '\r' && letters.peek() == Some(&'\n');
            if is_command(letter) && !is_line_end {
                out.extend(letter.escape_unicode().map(|letter| letter as u8));
            } else {
                out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        for &byte in chunk.invalid() {
            match byte {
                0x80..=0x9f => out.extend(std::ascii::escape_default(byte)),
                byte => out.push(byte),
            }
        }
    }
    Cow::Owned(out)
}

/// Escapes what is written to a terminal. Each write is escaped alone, so a character is in one.
pub(crate) struct EscapingWriter<W>(pub(crate) W);

impl<W: Write> Write for EscapingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_all(&escaped(bytes))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::{EscapingWriter, escaped};

    #[test]
    fn what_is_written_is_escaped() {
        let mut writer = EscapingWriter(Vec::new());
        writer.write_all(b"[Event \"a\x1b[2J\"]\n").unwrap();
        writer.write_all("[Site \"Zürich\"]\r\n".as_bytes()).unwrap();
        let text = "[Event \"a\\u{1b}[2J\"]\n[Site \"Zürich\"]\r\n";
        assert_eq!(String::from_utf8(writer.0).unwrap(), text);
    }

    #[test]
    fn control_characters_are_escaped() {
        for (text, shown) in [
            (&b"\x1b]0;title\x07"[..], &br"\u{1b}]0;title\u{7}"[..]),
            ("\u{202e}gnp\u{2066}\u{200f}".as_bytes(), br"\u{202e}gnp\u{2066}\u{200f}"),
            ("\u{9b}31m\u{7f}\0".as_bytes(), br"\u{9b}31m\u{7f}\u{0}"),
            (b"\x9b31m", br"\x9b31m"),
            (b"M\xfcller\x85", b"M\xfcller\\x85"),
            ("Müller ♞ שלום".as_bytes(), "Müller ♞ שלום".as_bytes()),
            (b"one\r\ntwo\rthree\n", b"one\r\ntwo\\u{d}three\n"),
        ] {
            assert_eq!(*escaped(text), *shown, "{text:?}");
        }
    }
}
