//! What each kind of lexeme is.

use super::LexemeKind;
use crate::ast::{Arithmetic, BinaryOp, InfixOp};
use crate::keywords::Keyword;

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
    /// An operator between two operands. A `+` or `*` can also be a wildcard, and a `-` a sign.
    Operator(BinaryOp),
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
        let arithmetic = |op| LexemeClass::Operator(BinaryOp::Infix(InfixOp::Arithmetic(op)));
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
            | LexemeKind::KeywordSymbol(Keyword::CurrentPosition) => LexemeClass::Operand,
            LexemeKind::PieceVar | LexemeKind::ForAll | LexemeKind::Tilde | LexemeKind::Hash => {
                LexemeClass::Prefix
            }
            LexemeKind::LParen | LexemeKind::LBrace | LexemeKind::LBracket => {
                LexemeClass::OpeningBracket
            }
            LexemeKind::RParen | LexemeKind::RBrace | LexemeKind::RBracket => {
                LexemeClass::ClosingBracket
            }
            LexemeKind::Rel(op) => LexemeClass::Operator(BinaryOp::Rel(op)),
            LexemeKind::Plus => arithmetic(Arithmetic::Add),
            LexemeKind::Minus => arithmetic(Arithmetic::Subtract),
            LexemeKind::Star => arithmetic(Arithmetic::Multiply),
            LexemeKind::Slash => arithmetic(Arithmetic::Divide),
            LexemeKind::Percent => arithmetic(Arithmetic::Remainder),
            LexemeKind::Shot(back) => LexemeClass::Operator(BinaryOp::Arrow(back)),
            LexemeKind::Union => LexemeClass::Operator(BinaryOp::Infix(InfixOp::Union)),
            LexemeKind::Intersect => LexemeClass::Operator(BinaryOp::Infix(InfixOp::Intersect)),
            LexemeKind::Match => LexemeClass::Operator(BinaryOp::Match),
            LexemeKind::Dash | LexemeKind::Capture => LexemeClass::Dash,
            LexemeKind::Forward | LexemeKind::Backward => LexemeClass::Chain,
            LexemeKind::Assign | LexemeKind::OpAssign(_) => LexemeClass::Assignment,
            LexemeKind::Element => LexemeClass::Element,
            LexemeKind::Colon => LexemeClass::Colon,
            LexemeKind::Question | LexemeKind::Repeat(_) => LexemeClass::Wildcard,
            LexemeKind::FileWord | LexemeKind::KeywordSymbol(Keyword::Focus) => {
                LexemeClass::Parameter
            }
            LexemeKind::KeywordSymbol(_) => LexemeClass::Prefix,
            LexemeKind::LineComment => LexemeClass::LineComment,
            LexemeKind::Comment | LexemeKind::Semicolon => LexemeClass::Comment,
        }
    }

    /// The operator between two operands that it is.
    pub(crate) fn operator(self) -> Option<BinaryOp> {
        if let LexemeClass::Operator(op) = self.class() { Some(op) } else { None }
    }

    /// Whether it is an assignment operator: `=`, `+=` and so on.
    pub(crate) fn assigns(self) -> bool {
        self.class() == LexemeClass::Assignment
    }

    /// Whether it is a symbol or an operand with which an operand begins. Of words, only some begin
    /// one.
    pub(crate) fn begins_operand(self) -> bool {
        // A `[` is an index or a key.
        matches!(self.class(), LexemeClass::Operand | LexemeClass::Prefix)
            || matches!(self, LexemeKind::LParen | LexemeKind::LBrace)
    }

    /// Whether it is an operator of sums or products.
    pub(crate) fn is_arithmetic(self) -> bool {
        matches!(
            self,
            LexemeKind::Plus
                | LexemeKind::Minus
                | LexemeKind::Star
                | LexemeKind::Slash
                | LexemeKind::Percent
        )
    }

    /// Whether it compares values, rather than the places of positions in the tree of the game.
    pub(crate) fn compares_values(self) -> bool {
        matches!(self, LexemeKind::Rel(op) if !op.compares_positions())
    }

    /// Whether it is the closing bracket for this opening bracket.
    pub(crate) fn closes(self, opening: LexemeKind) -> bool {
        opening.closing().is_some_and(|(closing, _)| closing == self)
    }

    /// The closing bracket for this opening bracket, and its text.
    pub(crate) fn closing(self) -> Option<(LexemeKind, &'static str)> {
        let all = [
            (LexemeKind::LParen, LexemeKind::RParen, ")"),
            (LexemeKind::LBracket, LexemeKind::RBracket, "]"),
            (LexemeKind::LBrace, LexemeKind::RBrace, "}"),
        ];
        let found = all.into_iter().find(|&(opening, ..)| opening == self);
        found.map(|(_, closing, text)| (closing, text))
    }

    /// Whether it can be a wildcard.
    pub(crate) fn may_be_wildcard(self) -> bool {
        self.class() == LexemeClass::Wildcard || matches!(self, LexemeKind::Plus | LexemeKind::Star)
    }
}
