//! The parts of a query, which may be made of several texts.

use crate::diagnostic::{Edit, Span};
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

    /// The parts after these edits of the text, which are in its order; `None` if one of them is
    /// not within a part.
    pub fn edited(&self, edits: &[Edit]) -> Option<QuerySpans> {
        let is_inside =
            |edit: &Edit, part: Span| part.start <= edit.span.start && edit.span.end <= part.end;
        let all = self.transforms.iter().chain(&self.imports).chain(&self.filters);
        let all: Vec<Span> = all.copied().chain([self.query]).chain(self.like).collect();
        if !edits.iter().all(|edit| all.iter().any(|&part| is_inside(edit, part))) {
            return None;
        }
        let growth =
            |edit: &Edit| edit.text.len() as i64 - i64::from(edit.span.end - edit.span.start);
        let moved = |at: u32, counts: &dyn Fn(&&Edit) -> bool| {
            (i64::from(at) + edits.iter().filter(counts).map(growth).sum::<i64>()) as u32
        };
        let edited = |part: Span| {
            Span::new(
                moved(part.start, &|edit| edit.span.end <= part.start && !is_inside(edit, part)),
                moved(part.end, &|edit| edit.span.end <= part.start || is_inside(edit, part)),
            )
        };
        Some(QuerySpans {
            transforms: self.transforms.iter().map(|&part| edited(part)).collect(),
            imports: self.imports.iter().map(|&part| edited(part)).collect(),
            filters: self.filters.iter().map(|&part| edited(part)).collect(),
            query: edited(self.query),
            like: self.like.map(edited),
        })
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
