//! Recognizing PGN by its beginning.

use std::sync::LazyLock;

use regex::bytes::Regex;

/// Whether a text begins as PGN does: with a tag pair, `[Name "value"]`, or with a move, `1. e4`.
/// A byte-order mark, whitespace, and lines that begin with `%` or `;` may come before it.
///
/// ```
/// use babson_input::begins_as_pgn;
///
/// assert!(begins_as_pgn(b"; my games\n\n[Event \"Club\"]") && begins_as_pgn(b"1.Nf3 d5"));
/// assert!(!begins_as_pgn(b"1. Unpack the archive.") && !begins_as_pgn(b"[see below]"));
/// ```
pub fn begins_as_pgn(text: &[u8]) -> bool {
    const BEGINNING: &str = r#"(?x-u)
        ^ (?: \xef\xbb\xbf )?
        (?: \s | [%;] [^\n\r]* [\n\r] )*
        (?:
            \[ \s* [A-Za-z0-9_]+ \s* "
            |
            [0-9]+ \s* \.+ \s*
            (?: [KQRBN]? [a-h]? [1-8]? x? [a-h] [1-8] (?: =? [QRBN] )? | [O0]-[O0](?:-[O0])? )
            [+\#!?]* (?: \s | $ )
        )"#;
    static REGEX: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(BEGINNING).ok());
    REGEX.as_ref().is_some_and(|regex| regex.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_and_without_games() {
        for text in [
            "[Event \"x\"]",
            "\u{feff}\r\n [White\t\"a\"]\n",
            "% escape\n; comment\n[Event \"x\"]",
            "1. e4 e5",
            "1.e4",
            "12... Qxd5+ 13. O-O",
            "1. O-O-O",
        ] {
            assert!(begins_as_pgn(text.as_bytes()), "{text}");
        }
        for text in [
            "",
            "Read me first",
            "1. Install the program",
            "1. a point",
            "[Event] x",
            "[x \u{201c}y\u{201d}]",
            "3.14159",
            "; only a comment",
            "mate",
            "[QR]a1",
        ] {
            assert!(!begins_as_pgn(text.as_bytes()), "{text}");
        }
    }
}
