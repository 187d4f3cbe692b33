//! The parts of a run: operands, heads and operators in the order of the text. The operands of
//! heads and operators are other parts of the run.

use crate::ast::*;
use crate::keywords::OperandLevel;

/// A part of a run.
pub(crate) struct Part {
    pub(crate) kind: PartKind,
    pub(crate) span: Span,
}

/// Kinds of parts.
pub(crate) enum PartKind {
    /// What a filter can begin with.
    Head(Head),
    /// An operator between two operands.
    Operator(BinaryOp),
    /// A dash with a left operand.
    Dash {
        capture: bool,
        right: bool,
    },
    /// The `=` of a promotion.
    Promotion,
    /// The target of a dash.
    Target(Vec<Expr>),
    /// The arguments of a function, of `comment`, `message` or `str`.
    Args(Vec<Expr>),
    /// `[i]`.
    Index(Expr),
    /// `[i:j]`.
    Slice(Option<Expr>, Option<Expr>),
    /// `=` and so on.
    Assign(AssignOp),
    /// The `all` of `echo (x y) in all`.
    All,
    Then,
    Else,
    /// A parameter of the filter before it.
    Param(Param),
    /// A parameter of `move` or `pin` with an operand.
    FinalOperand(Keyword),
    /// Another parameter of them.
    FinalParam(Param),
    /// A `:` in the operand of such a parameter.
    OperandColon,
    ImaginePiece,
    /// The `-->` after it.
    Gives,
    Swap,
    /// `sidetomove` in `imagine`.
    ImagineSide,
    /// The color after it.
    ImagineColor(Keyword),
    /// The `:` after the changes of `imagine`.
    ImagineColon,
    /// `focus`, and whether `capture` follows it.
    Focus(bool),
    /// `max` of `path`.
    Max,
    Wild(Wildcard),
    /// Constituents of `path` in parentheses.
    PathGroup(Vec<PathItem>),
    /// An arrow of `line`; `<--` if true.
    Chain(bool),
    /// Constituents of `line` in parentheses: the first one, and the others with their arrows.
    LineGroup(LineConstituent, Vec<LineStep>),
    /// What no run can contain.
    Misplaced,
}

/// What a filter can begin with: an operand, or a head whose operands follow it.
pub(crate) enum Head {
    Name(Ident),
    /// Another operand that an index and `~~` can follow.
    Primary(Expr),
    /// An operand that they cannot follow.
    Closed(Expr),
    /// `dictionary …`.
    Dictionary(Option<DictionaryTypes>, Ident),
    /// `unbind x`.
    Unbind(Ident),
    /// A keyword before an assignment or a declaration.
    Storage(Keyword),
    /// A prefix filter.
    Prefix(OperandLevel, Keyword),
    /// `comment`, `message` or `str`.
    Print(Keyword),
    /// Unary `-`.
    Negate,
    Not,
    /// `~`.
    Complement,
    Position,
    /// `echo (x y)` with its flags.
    Echo(Vec<Param>, Param, Param),
    /// `if`, and whether it has an `else`.
    If(bool),
    /// `while (F)`.
    While(Expr),
    /// `square x in` and so on: the kind, whether `all` stands before the name, the name.
    Loop(LoopKind, bool, Ident),
    /// `piece x =`.
    AssignPiece(Ident),
    /// A dash without a left operand.
    Dash {
        capture: bool,
        right: bool,
    },
    /// The keywords before a dash.
    DashWords(Vec<Keyword>),
    Move,
    Pin,
    Imagine,
    Line,
    /// An error that has been reported.
    Error,
}

/// The types of a dictionary and its merge strategy, as declared.
pub(crate) type DictionaryTypes = (TypeName, TypeName, Option<Ident>);

/// An arrow of `line`, its place, and the constituent after it.
pub(crate) type LineStep = (bool, Span, LineConstituent);

/// A parameter, a constituent or a wildcard of `path`, as parsed.
pub(crate) enum PathItem {
    Param(Param),
    Filter(Expr),
    Wild(Wildcard),
    Group(Vec<PathItem>, Span),
}

impl PathItem {
    pub(super) fn into_filter(self) -> Option<Expr> {
        if let PathItem::Filter(filter) = self { Some(filter) } else { None }
    }
}
