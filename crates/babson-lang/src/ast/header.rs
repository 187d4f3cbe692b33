//! The query as a whole and its `cql(…)` header.

use super::{Expr, GameResult, Span};
use crate::dialect::Dialect;

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ident {
    /// The spelling, `$` included.
    pub name: String,
    /// The place.
    pub span: Span,
}

/// A string literal with its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Text {
    /// The content, without quotes and (for `\n` and its like) with the escape replaced.
    pub value: String,
    /// The place.
    pub span: Span,
}

/// A whole query.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// `cql(…)`, if written.
    pub header: Option<Header>,
    /// The filters of the body, in order.
    pub items: Vec<Expr>,
}

/// `cql(…)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The parameters in the order written; repeated ones were already reported.
    pub params: Vec<HeaderParam>,
    /// From `cql` to `)`.
    pub span: Span,
}

/// One parameter of the header.
#[derive(Clone, Debug, PartialEq)]
pub struct HeaderParam {
    /// Which, with its argument.
    pub kind: HeaderKind,
    /// The place.
    pub span: Span,
}

/// The parameters of `cql(…)` (language.md 3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderKind {
    /// `input F`.
    Input(String),
    /// `output F`.
    Output(String),
    /// `dialect NAME`: how the query is read, unless it is asked for otherwise.
    Dialect(Dialect),
    /// `variations`.
    Variations,
    /// `matchcount LO [HI]`; without HI both are equal.
    MatchCount(i32, i32),
    /// `sort matchcount LO [HI]`.
    SortMatchCount(i32, i32),
    /// `gamenumber LO [HI]`.
    GameNumber(i32, i32),
    /// `result R`.
    Result(GameResult),
    /// `matchstring "S"`.
    MatchString(String),
    /// `quiet`.
    Quiet,
    /// `silent`.
    Silent,
}
