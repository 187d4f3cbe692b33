//! The parts of expressions that are not expressions: designators, ranges, parameters,
//! constituents.

use super::{Content, Expr, InfixOp, Keyword, Span};

/// A piece designator: the squares of a mask that have one of some contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DesignatorLiteral {
    /// The contents; [`Content::ANY`] if the designator has no pieces.
    pub pieces: Content,
    /// The squares: bit 0 is a1, bit 7 is h1, bit 63 is h8. All if the designator has no squares.
    pub squares: u64,
    /// Whether the designator has pieces.
    pub has_pieces: bool,
    /// Whether the designator has squares.
    pub has_squares: bool,
}

/// An operator of a left-associative chain with its right operand.
#[derive(Clone, Debug, PartialEq)]
pub struct InfixOperand {
    /// The operator.
    pub op: InfixOp,
    /// Its place.
    pub op_span: Span,
    /// The right operand.
    pub right: Expr,
}

/// The keywords before an assignment or a declaration: `atomic`, `persistent`, `persistent quiet`,
/// and `local` before a dictionary.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Storage {
    /// Each once, in the order of the text.
    pub words: Vec<Keyword>,
}

impl Storage {
    /// Whether the keyword is among them.
    pub fn has(&self, word: Keyword) -> bool {
        self.words.contains(&word)
    }
}

/// A range as written in the query (docs/src/language/reading.md#ranges).
#[derive(Clone, Debug, PartialEq)]
pub enum RangeParam {
    /// `count`, which stands for -100000 to 100000.
    Count(Span),
    /// `lo` or `lo hi`; one bound stands for both.
    Bounds {
        /// The lower bound.
        lo: RangeBound,
        /// The upper bound, if present.
        hi: Option<RangeBound>,
    },
}

/// A bound of a range.
#[derive(Clone, Debug, PartialEq)]
pub struct RangeBound {
    /// A number or a variable.
    pub kind: RangeBoundKind,
    /// Its place.
    pub span: Span,
}

/// A number, or a name that is perhaps a numeric variable: type checking can reject it
/// (docs/src/language/reading.md#tokens-with-two-readings).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RangeBoundKind {
    /// A literal.
    Int(i32),
    /// A variable.
    Name(String),
}

/// What a loop iterates over, as far as the syntax shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoopKind {
    /// `square x in S`.
    Square,
    /// `piece x in S`, `[Aa]x ∊ S`.
    Piece,
    /// `key x in D`.
    Key,
    /// `string x in D`.
    String,
    /// `x ∊ S` or `x ∊ D`; the type decides.
    Element,
}

/// The repetition of a constituent of `path` or `line`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wildcard {
    /// The minimum.
    pub min: u32,
    /// The maximum; `None` means unlimited.
    pub max: Option<u32>,
    /// The place.
    pub span: Span,
}

/// A constituent of `path`.
#[derive(Clone, Debug, PartialEq)]
pub struct PathConstituent {
    /// The kind.
    pub kind: PathConstituentKind,
    /// The repetition, if a wildcard follows.
    pub repeat: Option<Wildcard>,
    /// The place.
    pub span: Span,
}

/// Kinds of constituents of `path`.
#[derive(Clone, Debug, PartialEq)]
pub enum PathConstituentKind {
    /// A dash filter and the filters that follow it, tested after the move.
    Step {
        /// An [`super::ExprKind::Dash`].
        dash: Box<Expr>,
        /// The filters after it.
        targets: Vec<Expr>,
    },
    /// A filter that must match at the current position.
    Holder(Box<Expr>),
    /// `( … )`.
    Chain(Vec<PathConstituent>),
}

/// A constituent of `line`.
#[derive(Clone, Debug, PartialEq)]
pub struct LineConstituent {
    /// A filter or a group.
    pub kind: LineConstituentKind,
    /// The wildcards after it, in order.
    pub repeats: Vec<Wildcard>,
    /// The place.
    pub span: Span,
}

/// Kinds of constituents of `line`.
#[derive(Clone, Debug, PartialEq)]
pub enum LineConstituentKind {
    /// A filter.
    Filter(Box<Expr>),
    /// `( C --> C )`.
    Group(Vec<LineConstituent>),
}

/// A dash filter: `L--R=P(T…)`, `L[x]R`.
#[derive(Clone, Debug, PartialEq)]
pub struct Dash {
    /// `[x]` instead of `--`.
    pub capture: bool,
    /// The place of the dash.
    pub op_span: Span,
    /// The origin square.
    pub left: Option<Box<Expr>>,
    /// The destination, or the square of the captured piece.
    pub right: Option<Box<Expr>>,
    /// The operand of `=`.
    pub promotion: Option<Box<Expr>>,
    /// The filters of the target; empty without a target.
    pub targets: Vec<Expr>,
}

/// A type in the declaration of a dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeName {
    /// `int`.
    Int,
    /// `str`.
    Str,
    /// `set`.
    Set,
    /// `position`.
    Position,
}

impl TypeName {
    /// The type with this name.
    pub(crate) fn named(name: &str) -> Option<TypeName> {
        match name {
            "int" => Some(TypeName::Int),
            "str" | "string" => Some(TypeName::Str),
            "set" => Some(TypeName::Set),
            "position" => Some(TypeName::Position),
            _ => None,
        }
    }
}
