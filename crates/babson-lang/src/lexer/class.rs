//! What each kind of lexeme is.

use super::LexemeKind;

/// What a lexeme is to its neighbors. A new kind of lexeme gets its class in
/// [`LexemeKind::class`]; the rules of the lexer, the token pass and the formatter follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LexemeClass {
    /// A keyword or a name.
    Word,
    /// A literal, or a symbol that is an operand.
    Operand,
    /// A symbol that begins a filter.
    Prefix,
    /// `(`, `{` or `[`.
    OpeningBracket,
    /// `)`, `}` or `]`.
    ClosingBracket,
    /// `==`, `<` and so on.
    Comparison,
    /// `[<]` and so on, between positions.
    PositionComparison,
    /// `+` and `-`. A `+` can also be a wildcard, and a `-` a sign.
    Sum,
    /// `*`, `/` and `%`. A `*` can also be a wildcard.
    Product,
    /// `|`.
    Union,
    /// `&`.
    Intersection,
    /// `->` and `<-`.
    Shot,
    /// `~~`.
    Match,
    /// `--` and `[x]`.
    Dash,
    /// `-->` and `<--`.
    Chain,
    /// `=`, `+=` and so on.
    Assignment,
    /// `∊`.
    Element,
    /// `:`.
    Colon,
    /// What can be only a wildcard: `?` and `{n}`.
    Wildcard,
    /// A symbol that stands for a keyword that is not a filter, or for a part of the header.
    Parameter,
    /// `///`, which begins a comment that is output.
    LineComment,
    /// A comment of the query's author.
    Comment,
}

impl LexemeKind {
    /// The class.
    pub(crate) fn class(self) -> LexemeClass {
        match self {
            LexemeKind::Word => LexemeClass::Word,
            LexemeKind::Designator(_)
            | LexemeKind::Int(_)
            | LexemeKind::Result(_)
            | LexemeKind::Castle
            | LexemeKind::Str
            | LexemeKind::Escape(_)
            | LexemeKind::Group(_)
            | LexemeKind::GroupIndex(_)
            | LexemeKind::NamedGroup
            | LexemeKind::Dot
            | LexemeKind::Empty
            | LexemeKind::Identity
            | LexemeKind::CurrentSymbol => LexemeClass::Operand,
            LexemeKind::PieceVar
            | LexemeKind::ForAll
            | LexemeKind::Tilde
            | LexemeKind::Hash
            | LexemeKind::PathSymbol
            | LexemeKind::FlipSymbol
            | LexemeKind::FlipColorSymbol => LexemeClass::Prefix,
            LexemeKind::LParen | LexemeKind::LBrace | LexemeKind::LBracket => {
                LexemeClass::OpeningBracket
            }
            LexemeKind::RParen | LexemeKind::RBrace | LexemeKind::RBracket => {
                LexemeClass::ClosingBracket
            }
            LexemeKind::Rel(op) if op.compares_positions() => LexemeClass::PositionComparison,
            LexemeKind::Rel(_) => LexemeClass::Comparison,
            LexemeKind::Plus | LexemeKind::Minus => LexemeClass::Sum,
            LexemeKind::Star | LexemeKind::Slash | LexemeKind::Percent => LexemeClass::Product,
            LexemeKind::Union => LexemeClass::Union,
            LexemeKind::Intersect => LexemeClass::Intersection,
            LexemeKind::Shot(_) => LexemeClass::Shot,
            LexemeKind::Match => LexemeClass::Match,
            LexemeKind::Dash | LexemeKind::Capture => LexemeClass::Dash,
            LexemeKind::Forward | LexemeKind::Backward => LexemeClass::Chain,
            LexemeKind::Assign | LexemeKind::OpAssign(_) => LexemeClass::Assignment,
            LexemeKind::Element => LexemeClass::Element,
            LexemeKind::Colon => LexemeClass::Colon,
            LexemeKind::Question | LexemeKind::Repeat(_) => LexemeClass::Wildcard,
            LexemeKind::FocusSymbol | LexemeKind::FileWord => LexemeClass::Parameter,
            LexemeKind::LineComment => LexemeClass::LineComment,
            LexemeKind::Comment | LexemeKind::Semicolon => LexemeClass::Comment,
        }
    }

    /// Whether it is an assignment operator: `=`, `+=` and so on.
    pub(crate) fn assigns(self) -> bool {
        self.class() == LexemeClass::Assignment
    }

    /// Whether it is a symbol or an operand with which an operand begins. Of words, only some begin
    /// one.
    pub(crate) fn begins_operand(self) -> bool {
        match self.class() {
            LexemeClass::Operand | LexemeClass::Prefix => true,
            // A `[` is an index or a key.
            LexemeClass::OpeningBracket => self != LexemeKind::LBracket,
            LexemeClass::Word
            | LexemeClass::ClosingBracket
            | LexemeClass::Comparison
            | LexemeClass::PositionComparison
            | LexemeClass::Sum
            | LexemeClass::Product
            | LexemeClass::Union
            | LexemeClass::Intersection
            | LexemeClass::Shot
            | LexemeClass::Match
            | LexemeClass::Dash
            | LexemeClass::Chain
            | LexemeClass::Assignment
            | LexemeClass::Element
            | LexemeClass::Colon
            | LexemeClass::Wildcard
            | LexemeClass::Parameter
            | LexemeClass::LineComment
            | LexemeClass::Comment => false,
        }
    }

    /// Whether it is the closing bracket for this opening bracket.
    pub(crate) fn closes(self, opening: LexemeKind) -> bool {
        matches!(
            (opening, self),
            (LexemeKind::LParen, LexemeKind::RParen)
                | (LexemeKind::LBrace, LexemeKind::RBrace)
                | (LexemeKind::LBracket, LexemeKind::RBracket)
        )
    }

    /// Whether it can be a wildcard.
    pub(crate) fn may_be_wildcard(self) -> bool {
        self.class() == LexemeClass::Wildcard || matches!(self, LexemeKind::Plus | LexemeKind::Star)
    }
}
