//! Regular expressions: the syntax of ECMAScript as `std::regex` takes it (language.md 8.3).
//!
//! A pattern is read into a tree here, so that a malformed one is an error of the query with its place; how it is
//! matched is the machine's business.
//!
//! ```
//! use babson_lang::pattern::{Unit, parse};
//!
//! let pattern = parse(br"(\w+), (\w)", Unit::Byte).unwrap();
//! assert_eq!(pattern.groups, 2);
//! assert_eq!(parse(b"a(b", Unit::Byte).unwrap_err().at, 1);
//! ```

mod class;

pub use class::Class;

/// What one step in a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// A byte.
    Byte,
    /// A character of UTF-8; a byte that is no part of one counts as one.
    Character,
}

/// The greatest value of a unit: characters, then bytes that are no part of one.
pub const MAX_UNIT: u32 = 0x11_00ff;

/// A pattern that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// What is matched.
    pub node: Node,
    /// The number of capturing groups.
    pub groups: u32,
    /// The names of groups, `(?<name>…)`, and their numbers.
    pub names: Vec<(String, u32)>,
    /// What a class and `.` stand for.
    pub unit: Unit,
}

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// Nothing.
    Empty,
    /// One unit out of a class; a letter is a class of one.
    Class(Class),
    /// `^`: the beginning of the text.
    Start,
    /// `$`: the end of the text.
    End,
    /// `\b`, or `\B` (false).
    WordBoundary(bool),
    /// `( … )` with its number, from 1.
    Group(u32, Box<Node>),
    /// `(?= … )` or `(?! … )` (false).
    Ahead(bool, Box<Node>),
    /// `\1`: the text of a group again.
    Back(u32),
    /// `*`, `+`, `?`, `{n,m}`.
    Repeat(Box<Repeat>),
    /// One after the other.
    Concat(Vec<Node>),
    /// `|`: the first one that leads to a match.
    Alternatives(Vec<Node>),
}

/// A repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// What is repeated.
    pub node: Node,
    /// At least so often.
    pub min: u32,
    /// At most; `None` is no limit.
    pub max: Option<u32>,
    /// As often as possible first.
    pub greedy: bool,
    /// The groups inside: the first, and the first behind them. Each turn forgets what they held.
    pub groups: (u32, u32),
}

/// Why a pattern is malformed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct PatternError {
    /// The offset in bytes.
    pub at: usize,
    /// What is wrong.
    pub what: &'static str,
}

/// Nesting beyond this is refused.
const MAX_DEPTH: usize = 100;
/// The greatest number in `{n,m}`.
const MAX_REPEAT: u32 = 100_000;

/// Reads a pattern.
///
/// # Errors
/// A malformed pattern: the first place that is wrong.
pub fn parse(text: &[u8], unit: Unit) -> Result<Pattern, PatternError> {
    let mut parser = Parser {
        text,
        at: 0,
        unit,
        groups: 0,
        names: Vec::new(),
        depth: 0,
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
    Ok(Pattern {
        node,
        groups: parser.groups,
        names: parser.names,
        unit,
    })
}

struct Parser<'t> {
    text: &'t [u8],
    at: usize,
    unit: Unit,
    groups: u32,
    names: Vec<(String, u32)>,
    depth: usize,
    /// The highest group that a back reference names, and its place.
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

    /// The next unit, taken as it stands.
    fn unit(&mut self) -> Option<u32> {
        let (value, len) = self.unit.next(&self.text[self.at..])?;
        self.at += len;
        Some(value)
    }

    fn alternatives(&mut self) -> Result<Node, PatternError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(self.at, "the groups are nested too deeply"));
        }
        let mut list = vec![self.concatenation()?];
        while self.eat(b"|") {
            list.push(self.concatenation()?);
        }
        self.depth -= 1;
        Ok(if list.len() == 1 {
            list.remove(0)
        } else {
            Node::Alternatives(list)
        })
    }

    fn concatenation(&mut self) -> Result<Node, PatternError> {
        let mut list = Vec::new();
        while let Some(byte) = self.peek() {
            if matches!(byte, b'|' | b')') {
                break;
            }
            list.push(self.term()?);
        }
        Ok(match list.len() {
            0 => Node::Empty,
            1 => list.remove(0),
            _ => Node::Concat(list),
        })
    }

    fn term(&mut self) -> Result<Node, PatternError> {
        let start = self.at;
        let before = self.groups + 1;
        let (atom, repeatable) = self.atom()?;
        let Some((min, max)) = self.quantifier()? else {
            return Ok(atom);
        };
        if !repeatable {
            return Err(self.error(start, "this cannot be repeated"));
        }
        let greedy = !self.eat(b"?");
        let after = self.at;
        if matches!(self.peek(), Some(b'*' | b'+' | b'?' | b'{')) {
            return Err(self.error(after, "there is nothing to repeat before this"));
        }
        Ok(Node::Repeat(Box::new(Repeat {
            node: atom,
            min,
            max,
            greedy,
            groups: (before, self.groups + 1),
        })))
    }

    /// A part, and whether it may be repeated.
    fn atom(&mut self) -> Result<(Node, bool), PatternError> {
        let start = self.at;
        let node = match self.peek() {
            Some(b'^') => {
                self.at += 1;
                return Ok((Node::Start, false));
            }
            Some(b'$') => {
                self.at += 1;
                return Ok((Node::End, false));
            }
            Some(b'(') => return self.group(),
            Some(b'*' | b'+' | b'?' | b'{') => {
                return Err(self.error(start, "there is nothing to repeat before this"));
            }
            Some(b'.') => {
                self.at += 1;
                let line_ends = Class::of(&[(0x0a, 0x0a), (0x0d, 0x0d)]);
                Node::Class(line_ends.complement())
            }
            Some(b'[') => Node::Class(self.class()?),
            Some(b'\\') => {
                self.at += 1;
                return self.escape(start);
            }
            _ => Node::Class(Class::single(self.unit().unwrap_or_default())),
        };
        Ok((node, true))
    }

    /// `(?<name>`: letters, digits and `_`, no digit first.
    fn group_name(&mut self) -> Option<String> {
        let rest = self.text.get(self.at..)?.strip_prefix(b"(?<")?;
        let end = rest.iter().position(|&byte| byte == b'>')?;
        let name = &rest[..end];
        let is_name = name.first().is_some_and(|byte| !byte.is_ascii_digit())
            && name
                .iter()
                .all(|&byte| byte == b'_' || byte.is_ascii_alphanumeric());
        if !is_name {
            return None;
        }
        self.at += 3 + end + 1;
        Some(String::from_utf8_lossy(name).into_owned())
    }

    fn group(&mut self) -> Result<(Node, bool), PatternError> {
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
            Some(positive) => (Node::Ahead(positive, Box::new(inner)), false),
            None if number > 0 => (Node::Group(number, Box::new(inner)), true),
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
        let max = if self.eat(b",") {
            self.number()
        } else {
            Some(min)
        };
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
            value = value
                .saturating_mul(10)
                .saturating_add(u32::from(digit - b'0'));
            self.at += 1;
        }
        (self.at > start).then_some(value)
    }

    /// What follows a backslash outside a class.
    fn escape(&mut self, start: usize) -> Result<(Node, bool), PatternError> {
        match self.peek() {
            Some(b'b' | b'B') => {
                let boundary = self.peek() == Some(b'b');
                self.at += 1;
                return Ok((Node::WordBoundary(boundary), false));
            }
            Some(b'1'..=b'9') => {
                let number = self.number().unwrap_or(u32::MAX);
                if number > self.highest_back.0 {
                    self.highest_back = (number, start);
                }
                return Ok((Node::Back(number), true));
            }
            _ => {}
        }
        let class = match self.class_escape() {
            Some(class) => class,
            None => Class::single(self.character_escape(start)?),
        };
        Ok((Node::Class(class), true))
    }

    /// `\d`, `\w`, `\s` and their complements.
    fn class_escape(&mut self) -> Option<Class> {
        let letter = self.peek()?;
        let class = match letter.to_ascii_lowercase() {
            b'd' => Class::digits(),
            b'w' => Class::word(),
            b's' => Class::space(),
            _ => return None,
        };
        self.at += 1;
        Some(if letter.is_ascii_uppercase() {
            class.complement()
        } else {
            class
        })
    }

    /// One unit written as an escape; the backslash is behind us.
    fn character_escape(&mut self, start: usize) -> Result<u32, PatternError> {
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

    /// `[ … ]`
    fn class(&mut self) -> Result<Class, PatternError> {
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
                // A class cannot end a range: the hyphen stands for itself.
                None => {
                    let hyphen = u32::from(b'-');
                    ranges.extend([(low, low), (hyphen, hyphen)]);
                }
            }
        }
        let class = Class::of(&ranges);
        Ok(if negated { class.complement() } else { class })
    }

    /// One unit, or a class within a class, whose units are added.
    fn class_item(&mut self, ranges: &mut Vec<(u32, u32)>) -> Result<Option<u32>, PatternError> {
        let start = self.at;
        if self.text[self.at..].starts_with(b"[:") {
            let rest = &self.text[self.at + 2..];
            let Some(len) = rest.windows(2).position(|pair| pair == b":]") else {
                return Err(self.error(start, "this `[:` is never closed"));
            };
            let Some(class) = Class::named(&rest[..len]) else {
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

impl Unit {
    /// The first unit of a text and its length in bytes.
    #[inline]
    pub fn next(self, text: &[u8]) -> Option<(u32, usize)> {
        let &first = text.first()?;
        if self == Unit::Byte || first < 0x80 {
            return Some((u32::from(first), 1));
        }
        let len = match first {
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            _ => 4,
        };
        let character = text
            .get(..len)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .and_then(|text| text.chars().next());
        Some(match character {
            Some(character) => (u32::from(character), len),
            None => (0x11_0000 + u32::from(first), 1),
        })
    }
}

impl Node {
    /// Whether it can match nothing at all, as far as this is easy to see.
    pub fn is_nullable(&self) -> bool {
        match self {
            Node::Class(_) => false,
            Node::Group(_, inner) => inner.is_nullable(),
            Node::Repeat(repeat) => repeat.min == 0 || repeat.node.is_nullable(),
            Node::Concat(list) => list.iter().all(Node::is_nullable),
            Node::Alternatives(list) => list.iter().any(Node::is_nullable),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Node {
        parse(text.as_bytes(), Unit::Byte).unwrap().node
    }

    fn fails(text: &str) -> usize {
        parse(text.as_bytes(), Unit::Byte).unwrap_err().at
    }

    #[test]
    fn shapes() {
        assert_eq!(tree(""), Node::Empty);
        assert_eq!(tree("a"), Node::Class(Class::single(97)));
        assert_eq!(tree("^$"), Node::Concat(vec![Node::Start, Node::End]));
        let Node::Repeat(repeat) = tree("(a(b)){2,3}?") else {
            panic!("a repetition");
        };
        assert_eq!((repeat.min, repeat.max, repeat.greedy), (2, Some(3), false));
        assert_eq!(repeat.groups, (1, 3));
        assert_eq!(tree("a|"), Node::Alternatives(vec![tree("a"), Node::Empty]));
        assert_eq!(tree("(?:a)"), tree("a"));
        assert_eq!(tree(r"\x41\u0042\cA\0\/"), {
            let single = |value| Node::Class(Class::single(value));
            Node::Concat(vec![
                single(65),
                single(66),
                single(1),
                single(0),
                single(47),
            ])
        });
        // What closes nothing stands for itself, except `)`.
        assert_eq!(tree("}"), Node::Class(Class::single(u32::from(b'}'))));
        assert_eq!(tree("]"), Node::Class(Class::single(u32::from(b']'))));
    }

    #[test]
    fn classes() {
        let class = |text: &str| match tree(text) {
            Node::Class(class) => class,
            other => panic!("{other:?} is no class"),
        };
        assert_eq!(class("[a-cb-d]"), Class::of(&[(97, 100)]));
        assert_eq!(class("[-a]"), Class::of(&[(45, 45), (97, 97)]));
        assert_eq!(class("[a-]"), Class::of(&[(45, 45), (97, 97)]));
        assert_eq!(
            class(r"[\d-x]"),
            Class::of(&[(48, 57), (45, 45), (120, 120)])
        );
        assert_eq!(class("[[:digit:]]"), class(r"\d"));
        assert_eq!(class("[[:alpha:]_[:digit:]]"), class(r"\w"));
        assert_eq!(class(r"[^\w]"), class(r"\W"));
        assert_eq!(class("[[.a.][=b=]]"), Class::of(&[(97, 98)]));
        assert_eq!(class(r"[\b\]]"), Class::of(&[(8, 8), (93, 93)]));
        assert!(class("[]").ranges().is_empty());
        assert_eq!(class("[^]"), Class::of(&[(0, MAX_UNIT)]));
    }

    #[test]
    fn characters_are_units_if_asked_for() {
        let count = |unit| match parse("é+".as_bytes(), unit).unwrap().node {
            Node::Concat(list) => list.len(),
            _ => 1,
        };
        assert_eq!((count(Unit::Byte), count(Unit::Character)), (2, 1));
        assert_eq!(Unit::Character.next(b"\xc3"), Some((0x11_00c3, 1)));
        assert_eq!(Unit::Character.next("é".as_bytes()), Some((0xe9, 2)));
        assert_eq!(Unit::Byte.next("é".as_bytes()), Some((0xc3, 1)));
    }

    #[test]
    fn malformed_patterns() {
        for (text, at) in [
            ("a(b", 1),
            ("a)b", 1),
            ("[a", 0),
            ("*a", 0),
            ("a**", 2),
            ("a{", 1),
            ("a{2,1}", 1),
            ("a{x}", 1),
            ("a{1000000}", 1),
            ("x\\", 1),
            ("[b-a]", 1),
            (r"(a)\2", 3),
            (r"\xg1", 0),
            (r"a\c1", 1),
            ("(?<1n>a)", 0),
            ("(?<=n)a", 0),
            ("(?<n>a)(?<n>b)", 7),
            ("(?i)a", 0),
            ("^*", 0),
            ("[[:nosuch:]]", 1),
            ("[[:alpha", 1),
        ] {
            assert_eq!(fails(text), at, "{text}");
        }
        fails(&"(".repeat(5000));
        assert!(parse(("(".repeat(90) + &")".repeat(90)).as_bytes(), Unit::Byte).is_ok());
    }

    #[test]
    fn groups_have_names_and_numbers() {
        let pattern = parse(b"(a)(?<one>b(?<_2>c))", Unit::Byte).unwrap();
        assert_eq!(pattern.groups, 3);
        let names = [("one".to_owned(), 2), ("_2".to_owned(), 3)];
        assert_eq!(pattern.names, names);
        assert_eq!(pattern.node, tree("(a)(b(c))"));
    }

    #[test]
    fn groups_may_be_named_before_they_close() {
        assert_eq!(parse(br"\2(a)(b)", Unit::Byte).unwrap().groups, 2);
    }
}
