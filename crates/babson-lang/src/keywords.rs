//! Keywords: their classes, their aliases, and which engines reserve them. They are rows of the
//! table of filters, `filters/table.rs`.

pub(crate) use crate::filters::{ALIASES, KeywordStart};
pub use crate::filters::{Keyword, KeywordClass, KeywordOrigin, OperandLevel, SpecialKeyword};

impl Keyword {
    /// Whether it stands before a dash, as in `legal --`.
    pub(crate) fn precedes_dash(self) -> bool {
        use Keyword::{CountMoves, Legal, Previous, PseudoLegal};
        matches!(self, Legal | PseudoLegal | Previous | CountMoves)
    }

    /// The entry of this keyword in a table.
    pub(crate) fn find_in<T: Copy>(self, table: &[(Keyword, T)]) -> Option<T> {
        table.iter().find(|(keyword, _)| *keyword == self).map(|&(_, entry)| entry)
    }
}

/// The parameters of the header, `cql(…)`.
pub(crate) const HEADER: &[Keyword] = &[
    Keyword::GameNumber,
    Keyword::Input,
    Keyword::MatchCount,
    Keyword::MatchString,
    Keyword::Output,
    Keyword::Quiet,
    Keyword::Result,
    Keyword::Silent,
    Keyword::Sort,
    Keyword::Variations,
];
