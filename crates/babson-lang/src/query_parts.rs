//! The parts of a query, which may be made of several texts.

use crate::diagnostic::Span;
use crate::dialect::Dialect;

/// The parts of a query, as spans of one text that contains them in sequence.
///
/// Each part is parsed separately: a bracket, string or comment ends with its part. The names that
/// one part declares are known in all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuerySpans {
    /// The keywords of the transforms around all filters, outermost first. They precede all other
    /// parts.
    pub transforms: Vec<Span>,
    /// Texts of imported files, which have only functions. They precede all filters
    /// ([`crate::imports`]).
    pub imports: Vec<Span>,
    /// Texts of filters without a header. They precede the filters of the query.
    pub filters: Vec<Span>,
    /// The query with its header, after all filters. It may be empty if there are other filters or
    /// a FEN.
    pub query: Span,
    /// The FEN of a position to which the matching positions are compared. Of each game the most
    /// similar one counts, and the games are sorted by it.
    pub like: Option<Span>,
}

impl QuerySpans {
    /// The parts of a text that is one query.
    pub fn whole(text: &str) -> QuerySpans {
        QuerySpans {
            query: Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX)),
            ..QuerySpans::default()
        }
    }

    /// Whether the query itself reaches to the end of the text.
    pub(crate) fn ends_with_query(&self, text: &str) -> bool {
        self.query.end as usize == text.len()
    }
}

/// The text of a query, for outputs that show it.
#[derive(Clone, Debug)]
pub struct QueryText {
    /// The text.
    pub text: String,
    /// Its parts.
    pub parts: QuerySpans,
    /// The dialect in which it was read.
    pub dialect: Dialect,
}
