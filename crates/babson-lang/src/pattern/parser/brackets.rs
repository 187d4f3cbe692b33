//! Character classes in brackets.

use super::Parser;
use crate::pattern::{CharacterClass, PatternError};

impl Parser<'_> {
    /// `[ … ]`
    pub(super) fn class(&mut self) -> Result<CharacterClass, PatternError> {
        let start = self.at;
        self.at += 1;
        let negated = self.eat(b"^");
        let mut ranges = Vec::new();
        loop {
            let from = self.at;
            if self.peek().is_none() {
                return Err(self.error(start, "this `[` is never closed"));
            }
            if self.eat(b"]") {
                break;
            }
            let low = self.class_item(&mut ranges)?;
            let range = self.peek() == Some(b'-')
                && self.text.get(self.at + 1).is_some_and(|&next| next != b']');
            let Some(low) = low else {
                continue;
            };
            if !range {
                ranges.push((low, low));
                continue;
            }
            self.at += 1;
            match self.class_item(&mut ranges)? {
                Some(high) if high < low => {
                    return Err(self.error(from, "this range goes backwards"));
                }
                Some(high) => ranges.push((low, high)),
                // A class cannot end a range: the hyphen is a literal.
                None => {
                    let hyphen = u32::from(b'-');
                    ranges.extend([(low, low), (hyphen, hyphen)]);
                }
            }
        }
        let class = CharacterClass::of(&ranges);
        Ok(if negated { class.complement() } else { class })
    }

    /// One unit, or a class inside the class, whose units are added to `ranges`.
    fn class_item(&mut self, ranges: &mut Vec<(u32, u32)>) -> Result<Option<u32>, PatternError> {
        let start = self.at;
        if self.text[self.at..].starts_with(b"[:") {
            let rest = &self.text[self.at + 2..];
            let Some(len) = rest.windows(2).position(|pair| pair == b":]") else {
                return Err(self.error(start, "this `[:` is never closed"));
            };
            let Some(class) = CharacterClass::named(&rest[..len]) else {
                return Err(self.error(start, "there is no class with this name"));
            };
            self.at += len + 4;
            ranges.extend_from_slice(class.ranges());
            return Ok(None);
        }
        // `[.a.]` and `[=a=]` are the letter itself.
        for mark in [b'.', b'='] {
            if self.text[self.at..].starts_with(&[b'[', mark]) {
                self.at += 2;
                let value = self.unit();
                return match value {
                    Some(value) if self.eat(&[mark, b']']) => Ok(Some(value)),
                    _ => Err(self.error(start, "only a single letter may stand here")),
                };
            }
        }
        if !self.eat(b"\\") {
            return Ok(self.unit());
        }
        if self.eat(b"b") {
            return Ok(Some(8));
        }
        if let Some(class) = self.class_escape() {
            ranges.extend_from_slice(class.ranges());
            return Ok(None);
        }
        self.character_escape(start).map(Some)
    }
}
