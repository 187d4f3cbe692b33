//! The parser of regular expressions.

mod brackets;
mod escape;

use super::{CharacterClass, Pattern, PatternError, PatternNode, Repetition, Unit};
use crate::limits::{MAX_PATTERN_DEPTH, MAX_REPEAT};

/// Parses a pattern.
///
/// # Errors
/// The first error of a malformed pattern.
pub fn parse(text: &[u8], unit: Unit) -> Result<Pattern, PatternError> {
    let mut parser = Parser {
        text,
        at: 0,
        unit,
        groups: 0,
        names: Vec::new(),
        depth: 0,
        repeated: 0,
        highest_back: (0, 0),
    };
    let node = parser.alternatives()?;
    if parser.at < text.len() {
        return Err(parser.error(parser.at, "this `)` closes nothing"));
    }
    let (highest, at) = parser.highest_back;
    if highest > parser.groups {
        return Err(parser.error(at, "there is no group with this number"));
    }
    Ok(Pattern { node, groups: parser.groups, names: parser.names, unit })
}

struct Parser<'t> {
    text: &'t [u8],
    at: usize,
    unit: Unit,
    groups: u32,
    names: Vec<(String, u32)>,
    depth: usize,
    /// The number of repetitions of repetitions.
    repeated: usize,
    /// The highest group number of a back reference, and its place.
    highest_back: (u32, usize),
}

impl Parser<'_> {
    fn error(&self, at: usize, what: &'static str) -> PatternError {
        PatternError { at, what }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn eat(&mut self, text: &[u8]) -> bool {
        let found = self.text[self.at..].starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// The next unit as a literal.
    fn unit(&mut self) -> Option<u32> {
        let (value, len) = self.unit.next(&self.text[self.at..])?;
        self.at += len;
        Some(value)
    }

    fn alternatives(&mut self) -> Result<PatternNode, PatternError> {
        self.depth += 1;
        if self.depth > MAX_PATTERN_DEPTH {
            return Err(self.error(self.at, "the groups are nested too deeply"));
        }
        let mut list = vec![self.concatenation()?];
        while self.eat(b"|") {
            list.push(self.concatenation()?);
        }
        self.depth -= 1;
        Ok(if list.len() == 1 { list.remove(0) } else { PatternNode::Alternatives(list) })
    }

    fn concatenation(&mut self) -> Result<PatternNode, PatternError> {
        let mut list = Vec::new();
        while let Some(byte) = self.peek() {
            if matches!(byte, b'|' | b')') {
                break;
            }
            list.push(self.term()?);
        }
        Ok(match list.len() {
            0 => PatternNode::Empty,
            1 => list.remove(0),
            _ => PatternNode::Concat(list),
        })
    }

    fn term(&mut self) -> Result<PatternNode, PatternError> {
        let start = self.at;
        let before = self.groups + 1;
        let (mut node, repeatable) = self.atom()?;
        let mut repeated = false;
        // A repetition can be repeated, as in `std::regex`: `a**`, `a{2}{3}`.
        while let Some((min, max)) = self.quantifier()? {
            if !repeatable {
                return Err(self.error(start, "this cannot be repeated"));
            }
            self.repeated += usize::from(repeated);
            if self.repeated > MAX_PATTERN_DEPTH {
                return Err(self.error(self.at, "too many repetitions of repetitions"));
            }
            repeated = true;
            node = PatternNode::Repeat(Box::new(Repetition {
                node,
                min,
                max,
                greedy: !self.eat(b"?"),
                groups: (before, self.groups + 1),
            }));
        }
        Ok(node)
    }

    /// An atom, and whether it can be repeated.
    fn atom(&mut self) -> Result<(PatternNode, bool), PatternError> {
        let start = self.at;
        let node = match self.peek() {
            Some(b'^') => {
                self.at += 1;
                return Ok((PatternNode::Start, false));
            }
            Some(b'$') => {
                self.at += 1;
                return Ok((PatternNode::End, false));
            }
            Some(b'(') => return self.group(),
            Some(b'*' | b'+' | b'?' | b'{') => {
                return Err(self.error(start, "there is nothing to repeat before this"));
            }
            Some(b'.') => {
                self.at += 1;
                let line_ends = CharacterClass::of(&[(0x0a, 0x0a), (0x0d, 0x0d)]);
                PatternNode::Class(line_ends.complement())
            }
            Some(b'[') => PatternNode::Class(self.class()?),
            Some(b'\\') => {
                self.at += 1;
                return self.escape(start);
            }
            _ => PatternNode::Class(CharacterClass::single(self.unit().unwrap_or_default())),
        };
        Ok((node, true))
    }

    /// `(?<name>`: letters, digits and `_`; the first character is not a digit.
    fn group_name(&mut self) -> Option<String> {
        let rest = self.text.get(self.at..)?.strip_prefix(b"(?<")?;
        let end = rest.iter().position(|&byte| byte == b'>')?;
        let name = &rest[..end];
        let is_name = name.first().is_some_and(|byte| !byte.is_ascii_digit())
            && name.iter().all(|&byte| byte == b'_' || byte.is_ascii_alphanumeric());
        if !is_name {
            return None;
        }
        self.at += 3 + end + 1;
        Some(String::from_utf8_lossy(name).into_owned())
    }

    fn group(&mut self) -> Result<(PatternNode, bool), PatternError> {
        let start = self.at;
        let (ahead, number) = if self.eat(b"(?:") {
            (None, 0)
        } else if self.eat(b"(?=") {
            (Some(true), 0)
        } else if self.eat(b"(?!") {
            (Some(false), 0)
        } else if let Some(name) = self.group_name() {
            if self.names.iter().any(|(known, _)| *known == name) {
                return Err(self.error(start, "another group has this name"));
            }
            self.groups += 1;
            self.names.push((name, self.groups));
            (None, self.groups)
        } else if self.eat(b"(?") {
            let what = "after `(?` there may be `:`, `=`, `!` or `<name>`";
            return Err(self.error(start, what));
        } else {
            self.at += 1;
            self.groups += 1;
            (None, self.groups)
        };
        let inner = self.alternatives()?;
        if !self.eat(b")") {
            return Err(self.error(start, "this `(` is never closed"));
        }
        Ok(match ahead {
            Some(positive) => (PatternNode::Ahead(positive, Box::new(inner)), false),
            None if number > 0 => (PatternNode::Group(number, Box::new(inner)), true),
            None => (inner, true),
        })
    }

    fn quantifier(&mut self) -> Result<Option<(u32, Option<u32>)>, PatternError> {
        let start = self.at;
        if self.eat(b"*") {
            return Ok(Some((0, None)));
        }
        if self.eat(b"+") {
            return Ok(Some((1, None)));
        }
        if self.eat(b"?") {
            return Ok(Some((0, Some(1))));
        }
        if !self.eat(b"{") {
            return Ok(None);
        }
        let malformed = self.error(start, "a repetition is `{n}`, `{n,}` or `{n,m}`");
        let min = self.number().ok_or_else(|| malformed.clone())?;
        let max = if self.eat(b",") { self.number() } else { Some(min) };
        if !self.eat(b"}") {
            return Err(malformed);
        }
        if min > MAX_REPEAT || max.is_some_and(|max| max > MAX_REPEAT) {
            return Err(self.error(start, "more than 100000 repetitions"));
        }
        if max.is_some_and(|max| max < min) {
            let what = "the least number of repetitions exceeds the greatest";
            return Err(self.error(start, what));
        }
        Ok(Some((min, max)))
    }

    fn number(&mut self) -> Option<u32> {
        let start = self.at;
        let mut value = 0u32;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
            self.at += 1;
        }
        (self.at > start).then_some(value)
    }
}
