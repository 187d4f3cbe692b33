//! The terminals of the grammar.

use crate::ast::{
    AssignOp, BinaryOp, DesignatorLiteral, GameResult, HeaderKind, LoopKind, Param, RangeBoundKind,
    TypeName, levels,
};
use crate::keywords::{Keyword, OperandLevel};

/// A token as the grammar sees it: keywords are grouped by class, and context is resolved
/// (docs/src/language/reading.md#tokens-that-depend-on-their-surroundings).
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Terminal<'s> {
    // Operands.
    Name(&'s str),
    Int(i32),
    Str(&'s str),
    Designator(DesignatorLiteral),
    Dot,
    Empty,
    Identity,
    Group(u8),
    GroupIndex(u8),
    NamedGroup(&'s str, bool),
    Result(GameResult),
    PieceVar(&'s str),
    // Brackets.
    LParen,
    Call,
    Target,
    /// A parenthesis in the place of a target, but separated from the dash: always an error.
    LooseTarget,
    PathGroup,
    LineGroup,
    /// Virtual brackets around a prefix filter that is the operand of a dash or of a parameter.
    OperandOpen,
    OperandEnd,
    RParen,
    LBrace,
    RBrace,
    LBracket,
    RBracket,
    Colon,
    SliceColon,
    /// A `:` inside the operand of a parameter.
    OperandColon,
    // Operators.
    /// A binary operator without a terminal of its own.
    Operator(BinaryOp),
    In,
    Not,
    Neg,
    /// A dash, by the sides on which an operand touches it. The flag is `true` for `[x]`.
    DashFree(bool),
    DashLeft(bool),
    DashRight(bool),
    DashBoth(bool),
    Promote,
    Tilde,
    Assign,
    OpAssign(AssignOp),
    Element,
    ForAll,
    // Classes of keywords.
    Nullary(Keyword),
    Prefix(OperandLevel, Keyword),
    List(Keyword),
    Position,
    /// `ray`, `xray`
    Ray(Keyword),
    /// `comment`, `message`, `str`: with an operand or a list.
    Print(Keyword),
    Searchable(Keyword),
    Color(Keyword),
    Text(Keyword),
    Similar,
    /// `hhdb` and the words of its key.
    Hhdb(Vec<Param>),
    ResultIs,
    DashPrefix(Vec<Keyword>),
    Storage(Keyword),
    // Keywords with productions of their own.
    All,
    If,
    IfElse,
    Then,
    Else,
    While,
    Square,
    Piece,
    LoopWord(LoopKind),
    Echo,
    ConsecutiveMoves,
    Function,
    Dictionary,
    Type(TypeName),
    Gives,
    Merge(&'s str),
    Unbind,
    IsBound(bool),
    Hook(bool),
    LineComment,
    LineCommentEnd,
    // Parameters (see `parameters.rs`).
    /// A word alone, before what the filter takes besides.
    Flag(Keyword),
    Count,
    Bound(RangeBoundKind),
    /// The `<--` of `find`.
    Backward,
    /// The description of `sort`.
    SortText(&'s str),
    /// A search string.
    Search(&'s str),
    /// A word alone, of a filter that ends with its parameters.
    FinalFlag(Keyword),
    /// A word with an operand, of such a filter.
    FinalOperand(Keyword),
    /// A word with filters in parentheses, of such a filter.
    FinalList(Keyword),
    // Regions.
    Move,
    Pin,
    Imagine,
    ImaginePiece,
    ImagineSwap,
    ImagineSide,
    ImagineColor(Keyword),
    /// The `:` that ends the changes.
    ImagineColon,
    Path,
    PathEnd,
    Focus(bool),
    SeqMax,
    SeqTitle,
    Wild(u32, Option<u32>),
    Line,
    /// `-->`, `<--` (true) between constituents of `line`.
    Chain(bool),
    // The header.
    Cql,
    HeaderFile(bool, &'s str),
    /// The dialect that the header names.
    HeaderDialect(&'s str),
    HeaderFlag(HeaderKind),
    HeaderRange(HeaderRangeKind),
    HeaderResult,
    HeaderText,
    /// A reserved word without a meaning: always an error.
    Reserved,
}

/// The parameters of the header that take a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeaderRangeKind {
    GameNumber,
    MatchCount,
    SortMatchCount,
}

/// What a terminal is to the tokens around it, as far as the token pass asks. A new terminal gets
/// its role in [`Terminal::role`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TerminalRole {
    /// It can end an operand.
    OperandEnd,
    /// It stands between two operands.
    BinaryOperator,
    /// It begins a filter that expects `operands`, each with operators of at least `level`
    /// (docs/src/language/reading.md#operators).
    Prefix { operands: u8, level: u8 },
    /// It expects a value. The level of the value depends on what is assigned.
    Assignment,
    /// It expects the right operand of a dash, or the promotion.
    DashOperand,
    /// `imagine`.
    Imagine,
    /// The `:` of `imagine`.
    ImagineColon,
    /// `path`.
    Path,
    /// `line`.
    Line,
    /// An arrow of `line`.
    Chain,
    /// A bracket that opens, a parameter, or a word inside a construct.
    Other,
}

impl Terminal<'_> {
    /// The role.
    pub(crate) fn role(&self) -> TerminalRole {
        let prefix = |operands, level| TerminalRole::Prefix { operands, level };
        match self {
            Terminal::Name(_)
            | Terminal::Int(_)
            | Terminal::Str(_)
            | Terminal::Designator(_)
            | Terminal::Dot
            | Terminal::Empty
            | Terminal::Identity
            | Terminal::Group(_)
            | Terminal::GroupIndex(_)
            | Terminal::NamedGroup(..)
            | Terminal::Result(_)
            | Terminal::RParen
            | Terminal::RBrace
            | Terminal::RBracket
            | Terminal::Nullary(_)
            | Terminal::Searchable(_)
            | Terminal::Search(_)
            | Terminal::Color(_)
            | Terminal::Hhdb(_)
            | Terminal::Pin
            | Terminal::Move
            | Terminal::FinalFlag(_)
            | Terminal::PathEnd
            | Terminal::OperandEnd
            | Terminal::LineCommentEnd
            | Terminal::DashFree(_)
            | Terminal::DashLeft(_) => TerminalRole::OperandEnd,
            Terminal::Operator(_) | Terminal::In | Terminal::Colon => TerminalRole::BinaryOperator,
            Terminal::Prefix(level, _) => prefix(1, levels::of_operand(*level)),
            Terminal::Neg => prefix(1, levels::TIGHT),
            Terminal::Position => prefix(1, levels::INDEXED),
            Terminal::Tilde => prefix(1, levels::COMPLEMENT),
            Terminal::Focus(_) => prefix(1, levels::DASH_OPERAND),
            Terminal::Not => prefix(1, levels::NEGATED),
            Terminal::SeqMax | Terminal::Echo | Terminal::While | Terminal::Print(_) => {
                prefix(1, levels::FILTER)
            }
            Terminal::If
            | Terminal::Square
            | Terminal::Piece
            | Terminal::LoopWord(_)
            | Terminal::Element => prefix(2, levels::FILTER),
            Terminal::Assign | Terminal::OpAssign(_) => TerminalRole::Assignment,
            Terminal::DashRight(_) | Terminal::DashBoth(_) | Terminal::Promote => {
                TerminalRole::DashOperand
            }
            Terminal::Imagine => TerminalRole::Imagine,
            Terminal::ImagineColon => TerminalRole::ImagineColon,
            Terminal::Path => TerminalRole::Path,
            Terminal::Line => TerminalRole::Line,
            Terminal::Chain(_) => TerminalRole::Chain,
            Terminal::PieceVar(_)
            | Terminal::LParen
            | Terminal::Call
            | Terminal::Target
            | Terminal::LooseTarget
            | Terminal::PathGroup
            | Terminal::LineGroup
            | Terminal::OperandOpen
            | Terminal::LBrace
            | Terminal::LBracket
            | Terminal::SliceColon
            | Terminal::OperandColon
            | Terminal::ForAll
            | Terminal::List(_)
            | Terminal::Ray(_)
            | Terminal::Text(_)
            | Terminal::Similar
            | Terminal::ResultIs
            | Terminal::DashPrefix(_)
            | Terminal::Storage(_)
            | Terminal::All
            | Terminal::Flag(_)
            | Terminal::Count
            | Terminal::Bound(_)
            | Terminal::Backward
            | Terminal::SortText(_)
            | Terminal::IfElse
            | Terminal::Then
            | Terminal::Else
            | Terminal::ConsecutiveMoves
            | Terminal::Function
            | Terminal::Dictionary
            | Terminal::Type(_)
            | Terminal::Gives
            | Terminal::Merge(_)
            | Terminal::Unbind
            | Terminal::IsBound(_)
            | Terminal::Hook(_)
            | Terminal::LineComment
            | Terminal::FinalOperand(_)
            | Terminal::FinalList(_)
            | Terminal::ImaginePiece
            | Terminal::ImagineSwap
            | Terminal::ImagineSide
            | Terminal::ImagineColor(_)
            | Terminal::SeqTitle
            | Terminal::Wild(..)
            | Terminal::Cql
            | Terminal::HeaderFile(..)
            | Terminal::HeaderDialect(_)
            | Terminal::HeaderFlag(_)
            | Terminal::HeaderRange(_)
            | Terminal::HeaderResult
            | Terminal::HeaderText
            | Terminal::Reserved => TerminalRole::Other,
        }
    }

    /// Whether it can end an operand.
    pub(crate) fn ends_operand(&self) -> bool {
        self.role() == TerminalRole::OperandEnd
    }

    /// Whether it is an opening bracket, apart from virtual ones.
    pub(crate) fn opens_bracket(&self) -> bool {
        matches!(
            self,
            Terminal::LParen
                | Terminal::Call
                | Terminal::Target
                | Terminal::LooseTarget
                | Terminal::PathGroup
                | Terminal::LineGroup
                | Terminal::LBrace
                | Terminal::LBracket
        )
    }

    /// Whether it is a closing bracket, apart from virtual ones.
    pub(crate) fn closes_bracket(&self) -> bool {
        matches!(self, Terminal::RParen | Terminal::RBrace | Terminal::RBracket)
    }

    /// Whether a parameter of `path` or `line` can follow it, apart from the operands of such
    /// parameters.
    pub(crate) fn precedes_sequence_parameter(&self) -> bool {
        matches!(
            self,
            Terminal::Path
                | Terminal::Line
                | Terminal::Flag(_)
                | Terminal::Bound(_)
                | Terminal::Count
        )
    }
}
