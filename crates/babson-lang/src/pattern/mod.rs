//! Regular expressions: the syntax of ECMAScript as `std::regex` takes it (language.md 8.3).
//!
//! A pattern is read into a tree here, so that a malformed one is an error of the query with its
//! place; how it is matched is the machine's business.
//!
//! ```
//! use babson_lang::pattern::{Unit, parse};
//!
//! let pattern = parse(br"(\w+), (\w)", Unit::Byte).unwrap();
//! assert_eq!(pattern.groups, 2);
//! assert_eq!(parse(b"a(b", Unit::Byte).unwrap_err().at, 1);
//! ```

mod class;
mod parser;
mod unit;

pub use class::Class;
pub use parser::parse;
pub use unit::{MAX_UNIT, Unit};

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

impl Node {
    /// How many parts an automaton for it has, roughly: what is repeated counts as often as it must
    /// be there.
    pub fn weight(&self) -> u64 {
        let sum = |list: &[Node]| list.iter().map(Node::weight).fold(1, u64::saturating_add);
        match self {
            Node::Class(class) => class.ranges().len() as u64,
            Node::Group(_, inner) | Node::Ahead(_, inner) => inner.weight().saturating_add(1),
            Node::Repeat(repeat) => {
                let times = repeat.max.unwrap_or(repeat.min).max(1);
                repeat.node.weight().saturating_mul(u64::from(times))
            }
            Node::Concat(list) | Node::Alternatives(list) => sum(list),
            _ => 1,
        }
    }

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
            Node::Concat(vec![single(65), single(66), single(1), single(0), single(47)])
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
        assert_eq!(class(r"[\d-x]"), Class::of(&[(48, 57), (45, 45), (120, 120)]));
        assert_eq!(class("[[:digit:]]"), class(r"\d"));
        assert_eq!(class("[[:alpha:]_[:digit:]]"), class(r"\w"));
        assert_eq!(class(r"[^\w]"), class(r"\W"));
        assert_eq!(class("[[.a.][=b=]]"), Class::of(&[(97, 98)]));
        assert_eq!(class(r"[\b\]]"), Class::of(&[(8, 8), (93, 93)]));
        assert!(class("[]").ranges().is_empty());
        assert_eq!(class("[^]"), Class::of(&[(0, MAX_UNIT)]));
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
