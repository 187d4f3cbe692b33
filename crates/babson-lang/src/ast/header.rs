//! The root of the AST and the header `cql(…)`.

use super::{Expr, GameResult, Span};
use crate::dialect::Dialect;

/// A name and its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ident {
    /// The spelling, including `$`.
    pub name: String,
    /// The place.
    pub span: Span,
}

/// A string literal and its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StringLiteral {
    /// The content, without quotes; the character itself for `\n`, `\r` and so on.
    pub value: String,
    /// The place.
    pub span: Span,
}

/// A whole query.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// `cql(…)`, if present.
    pub header: Option<Header>,
    /// The filters in order.
    pub items: Vec<Expr>,
}

/// `cql(…)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The parameters in order; the grammar actions have reported repeated ones.
    pub params: Vec<HeaderParam>,
    /// The span from `cql` to `)`.
    pub span: Span,
}

/// One parameter of the header.
#[derive(Clone, Debug, PartialEq)]
pub struct HeaderParam {
    /// The kind, with its argument.
    pub kind: HeaderKind,
    /// The place.
    pub span: Span,
}

/// The parameters of `cql(…)` (docs/src/language/header.md).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderKind {
    /// `input F`.
    Input(String),
    /// `output F`.
    Output(String),
    /// `dialect NAME`: the dialect, unless the command line chooses one.
    Dialect(Dialect),
    /// `variations`.
    Variations,
    /// `matchcount LO [HI]`; one bound stands for both.
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
