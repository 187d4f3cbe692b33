//! Escapes.

use super::Parser;
use crate::pattern::{CharacterClass, PatternError, PatternNode};

impl Parser<'_> {
    /// An escape outside a class, after the backslash.
    pub(super) fn escape(&mut self, start: usize) -> Result<(PatternNode, bool), PatternError> {
        match self.peek() {
            Some(b'b' | b'B') => {
                let boundary = self.peek() == Some(b'b');
                self.at += 1;
                return Ok((PatternNode::WordBoundary(boundary), false));
            }
            Some(b'1'..=b'9') => {
                let number = self.number().unwrap_or(u32::MAX);
                if number > self.highest_back.0 {
                    self.highest_back = (number, start);
                }
                return Ok((PatternNode::Back(number), true));
            }
            _ => {}
        }
        let class = match self.class_escape() {
            Some(class) => class,
            None => CharacterClass::single(self.character_escape(start)?),
        };
        Ok((PatternNode::Class(class), true))
    }

    /// `\d`, `\w`, `\s` and their complements.
    pub(super) fn class_escape(&mut self) -> Option<CharacterClass> {
        let letter = self.peek()?;
        let class = match letter.to_ascii_lowercase() {
            b'd' => CharacterClass::digits(),
            b'w' => CharacterClass::word(),
            b's' => CharacterClass::space(),
            _ => return None,
        };
        self.at += 1;
        Some(if letter.is_ascii_uppercase() { class.complement() } else { class })
    }

    /// An escape for one unit, after the backslash.
    pub(super) fn character_escape(&mut self, start: usize) -> Result<u32, PatternError> {
        let Some(letter) = self.peek() else {
            return Err(self.error(start, "a pattern cannot end with `\\`"));
        };
        let value = match letter {
            b'0' => 0,
            b'f' => 0x0c,
            b'n' => 0x0a,
            b'r' => 0x0d,
            b't' => 0x09,
            b'v' => 0x0b,
            b'c' => {
                self.at += 1;
                match self.peek() {
                    Some(letter) if letter.is_ascii_alphabetic() => u32::from(letter % 32),
                    _ => return Err(self.error(start, "`\\c` needs a letter after it")),
                }
            }
            b'x' => return self.hexadecimal(start, 2),
            b'u' => return self.hexadecimal(start, 4),
            _ => return Ok(self.unit().unwrap_or_default()),
        };
        self.at += 1;
        Ok(value)
    }

    fn hexadecimal(&mut self, start: usize, digits: usize) -> Result<u32, PatternError> {
        let text = self.text.get(self.at + 1..self.at + 1 + digits);
        let value = text
            .and_then(|text| std::str::from_utf8(text).ok())
            .filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|text| u32::from_str_radix(text, 16).ok());
        let Some(value) = value else {
            let what = "`\\x` needs two hexadecimal digits, `\\u` four";
            return Err(self.error(start, what));
        };
        self.at += 1 + digits;
        Ok(value)
    }
}
