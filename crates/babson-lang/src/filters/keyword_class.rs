//! What the rows of the table say of keywords: their syntactic classes, and which engines reserve
//! them.

use super::SpecialKeyword;
use crate::directions::Directions;

/// The syntactic class of a keyword. The token pass maps each class to a terminal of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeywordClass {
    /// A filter without an argument: `check`.
    Nullary,
    /// A direction: `up 1 K`, or a parameter of `ray`.
    Direction(Directions),
    /// A transform: `flip count K`.
    Transform,
    /// A prefix filter: `power S`.
    Prefix(OperandLevel),
    /// A filter that takes a list in parentheses: `between(S T)`.
    List,
    /// A string filter that a search string can follow: `event "X"`.
    Search,
    /// `player` and `elo`: a color and, for `player`, a search string can follow.
    Colored,
    /// A keyword that a string follows: `tag "X"`.
    Text,
    /// A keyword with a production of its own.
    Special(SpecialKeyword),
    /// A parameter, such as `legal` after `move`, that is not a filter anywhere else.
    Parameter,
    /// Reserved, but not a filter.
    Reserved,
}

/// What begins with a keyword that has a production of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeywordStart {
    /// Nothing: it stands between operands, or before a part of a construct.
    Nothing,
    /// A filter that ends by itself, such as `ray (A k)`, or a word that the grammar reports.
    Closed,
    /// A filter that ends with an operand.
    Prefix,
    /// `comment`, `message` or `str`: a prefix filter without a list in parentheses.
    Print,
    /// `position`, whose operand can be a sum.
    Position,
    /// A filter that ends with parameters, or a declaration.
    Parameters,
}

/// The least level of operators in the operand of a prefix filter
/// (docs/src/language/reading.md#prefix-filters).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperandLevel {
    /// `assert F`
    One,
    /// `abs N`
    Five,
    /// `power S`
    Seven,
    /// `light S`
    Tight,
}

/// Which engines reserve a keyword (docs/src/language/reading.md#keywords-and-names).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeywordOrigin {
    /// Reserved in both dialects.
    Both,
    /// Reserved by CQL 6.2 only: in the dialect `cqli`, a query that assigns it uses it as a name.
    Cql6,
    /// Known to CQLi only: in both dialects, a query that assigns it uses it as a name.
    Cqli,
    /// Known to Babson only: a query that assigns it uses it as a name, and the dialect `cql6` does
    /// not have it.
    Babson,
}
