//! Names from outside, as messages show them.

use std::fmt;

/// A name from outside in a message of one line: the name of a file, of a member of an archive or
/// of a tag. Characters that a terminal interprets are escaped, line feeds and tabs too: otherwise
/// a name could forge messages.
///
/// ```
/// use babson_pgn::Shown;
///
/// assert_eq!(Shown("a.pgn\nb\u{1b}[2J").to_string(), r"a.pgn\u{a}b\u{1b}[2J");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Shown<'t>(pub &'t str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(at) =
            rest.find(|letter| letter == '\n' || letter == '\t' || is_command(letter))
        {
            let (plain, odd) = rest.split_at(at);
            f.write_str(plain)?;
            let mut letters = odd.chars();
            letters.next().map_or(Ok(()), |letter| write!(f, "{}", letter.escape_unicode()))?;
            rest = letters.as_str();
        }
        f.write_str(rest)
    }
}

/// Whether a terminal interprets a character instead of showing it: control characters other than
/// tabs and line feeds, and the controls of the direction of text.
pub fn is_command(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            true
        }
        letter => letter.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_control_character_is_escaped() {
        for code in (0..0x20).chain(0x7f..0xa0).chain([0x202e, 0x2028]) {
            let letter = char::from_u32(code).unwrap();
            let shown = Shown(&format!("é{letter}{letter}z")).to_string();
            assert_eq!(shown, format!("é\\u{{{code:x}}}\\u{{{code:x}}}z"));
        }
        assert_eq!(Shown("Müller ♞ \\ שלום").to_string(), "Müller ♞ \\ שלום");
    }
}
