//! Regular expressions: the syntax of ECMAScript as `std::regex` of C++ accepts it
//! (docs/src/language/patterns.md).
//!
//! The front end parses a pattern, so that a malformed one is an error of the query with a place.
//! `babson-vm` matches it.
//!
//! ```
//! use babson_lang::pattern::{Unit, parse};
//!
//! let pattern = parse(br"(\w+), (\w)", Unit::Byte).unwrap();
//! assert_eq!(pattern.groups, 2);
//! assert_eq!(parse(b"a(b", Unit::Byte).unwrap_err().at, 1);
//! ```

mod character_class;
mod parser;
mod unit;

pub use character_class::CharacterClass;
pub use parser::parse;
pub(crate) use unit::MAX_UNIT;
pub use unit::Unit;

/// A parsed pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The tree.
    pub node: PatternNode,
    /// The number of capturing groups.
    pub groups: u32,
    /// The names of groups, `(?<name>…)`, and their numbers.
    pub names: Vec<(String, u32)>,
    /// The unit that a class and `.` match.
    pub unit: Unit,
}

/// A node of the tree of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternNode {
    /// The empty pattern.
    Empty,
    /// One unit of a class; a literal character is a class of one unit.
    Class(CharacterClass),
    /// `^`: the beginning of the text.
    Start,
    /// `$`: the end of the text.
    End,
    /// `\b`, or `\B` (false).
    WordBoundary(bool),
    /// `( … )` with its number, from 1.
    Group(u32, Box<PatternNode>),
    /// `(?= … )` or `(?! … )` (false).
    Ahead(bool, Box<PatternNode>),
    /// `\1`: a back reference to a group.
    Back(u32),
    /// `*`, `+`, `?`, `{n,m}`.
    Repeat(Box<Repetition>),
    /// A concatenation.
    Concat(Vec<PatternNode>),
    /// `|`: alternatives in order of preference.
    Alternatives(Vec<PatternNode>),
}

/// A repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// The repeated node.
    pub node: PatternNode,
    /// The minimum.
    pub min: u32,
    /// The maximum; `None` means unlimited.
    pub max: Option<u32>,
    /// Whether it prefers more repetitions.
    pub greedy: bool,
    /// The half-open range of the groups inside. Each repetition resets them.
    pub groups: (u32, u32),
}

/// Why a pattern is malformed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct PatternError {
    /// The byte offset of the error.
    pub at: usize,
    /// The message.
    pub what: &'static str,
}

impl PatternNode {
    /// The approximate number of states of an automaton for it; a repeated node counts as often as
    /// it is copied.
    pub fn weight(&self) -> u64 {
        let sum = |list: &[PatternNode]| {
            list.iter().map(PatternNode::weight).fold(1, u64::saturating_add)
        };
        match self {
            PatternNode::Class(class) => class.ranges().len() as u64,
            PatternNode::Group(_, inner) | PatternNode::Ahead(_, inner) => {
                inner.weight().saturating_add(1)
            }
            PatternNode::Repeat(repeat) => {
                let times = repeat.max.unwrap_or(repeat.min).max(1);
                repeat.node.weight().saturating_mul(u64::from(times))
            }
            PatternNode::Concat(list) | PatternNode::Alternatives(list) => sum(list),
            PatternNode::Empty
            | PatternNode::Start
            | PatternNode::End
            | PatternNode::WordBoundary(_)
            | PatternNode::Back(_) => 1,
        }
    }

    /// Whether it can match the empty text; an approximation.
    pub fn is_nullable(&self) -> bool {
        match self {
            PatternNode::Class(_) => false,
            PatternNode::Group(_, inner) => inner.is_nullable(),
            PatternNode::Repeat(repeat) => repeat.min == 0 || repeat.node.is_nullable(),
            PatternNode::Concat(list) => list.iter().all(PatternNode::is_nullable),
            PatternNode::Alternatives(list) => list.iter().any(PatternNode::is_nullable),
            PatternNode::Empty
            | PatternNode::Start
            | PatternNode::End
            | PatternNode::WordBoundary(_)
            | PatternNode::Ahead(..)
            | PatternNode::Back(_) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> PatternNode {
        parse(text.as_bytes(), Unit::Byte).unwrap().node
    }

    fn fails(text: &str) -> usize {
        parse(text.as_bytes(), Unit::Byte).unwrap_err().at
    }

    #[test]
    fn shapes() {
        assert_eq!(tree(""), PatternNode::Empty);
        assert_eq!(tree("a"), PatternNode::Class(CharacterClass::single(97)));
        assert_eq!(tree("^$"), PatternNode::Concat(vec![PatternNode::Start, PatternNode::End]));
        let PatternNode::Repeat(repeat) = tree("(a(b)){2,3}?") else {
            panic!("a repetition");
        };
        assert_eq!((repeat.min, repeat.max, repeat.greedy), (2, Some(3), false));
        assert_eq!(repeat.groups, (1, 3));
        assert_eq!(tree("a|"), PatternNode::Alternatives(vec![tree("a"), PatternNode::Empty]));
        assert_eq!(tree("(?:a)"), tree("a"));
        assert_eq!(tree(r"\x41\u0042\cA\0\/"), {
            let single = |value| PatternNode::Class(CharacterClass::single(value));
            PatternNode::Concat(vec![single(65), single(66), single(1), single(0), single(47)])
        });
        // An unmatched `}` or `]` is a literal, an unmatched `)` is an error.
        assert_eq!(tree("}"), PatternNode::Class(CharacterClass::single(u32::from(b'}'))));
        assert_eq!(tree("]"), PatternNode::Class(CharacterClass::single(u32::from(b']'))));
    }

    #[test]
    fn classes() {
        let class = |text: &str| {
            let PatternNode::Class(class) = tree(text) else {
                panic!("`{text}` is not a class");
            };
            class
        };
        assert_eq!(class("[a-cb-d]"), CharacterClass::of(&[(97, 100)]));
        assert_eq!(class("[-a]"), CharacterClass::of(&[(45, 45), (97, 97)]));
        assert_eq!(class("[a-]"), CharacterClass::of(&[(45, 45), (97, 97)]));
        assert_eq!(class(r"[\d-x]"), CharacterClass::of(&[(48, 57), (45, 45), (120, 120)]));
        assert_eq!(class("[[:digit:]]"), class(r"\d"));
        assert_eq!(class("[[:alpha:]_[:digit:]]"), class(r"\w"));
        assert_eq!(class(r"[^\w]"), class(r"\W"));
        assert_eq!(class("[[.a.][=b=]]"), CharacterClass::of(&[(97, 98)]));
        assert_eq!(class(r"[\b\]]"), CharacterClass::of(&[(8, 8), (93, 93)]));
        assert!(class("[]").ranges().is_empty());
        assert_eq!(class("[^]"), CharacterClass::of(&[(0, MAX_UNIT)]));
    }

    #[test]
    fn malformed_patterns() {
        for (text, at) in [
            ("a(b", 1),
            ("a)b", 1),
            ("[a", 0),
            ("*a", 0),
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
