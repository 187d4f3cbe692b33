//! What nodes are made of besides other nodes: designators, ranges, parameters, constituents.

use super::{Content, Expr, InfixOp, Keyword, Span, Text};

/// A piece designator: the squares of a set that hold one of some contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Designator {
    /// What may stand there; [`Content::ANY`] if no pieces were written.
    pub pieces: Content,
    /// The squares, bit 0 = a1, bit 7 = h1, bit 63 = h8; all if none were written.
    pub squares: u64,
    /// Were pieces written?
    pub has_pieces: bool,
    /// Were squares written?
    pub has_squares: bool,
}

/// One `op operand` of a left-associative chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Tail {
    /// The operator.
    pub op: InfixOp,
    /// Its place (what a veto of a binary `-` names).
    pub op_span: Span,
    /// The right operand.
    pub right: Expr,
}

/// Words before an assignment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Storage {
    /// `atomic`.
    pub atomic: bool,
    /// `persistent`.
    pub persistent: bool,
    /// `persistent quiet`.
    pub quiet: bool,
    /// `local` (dictionaries).
    pub local: bool,
}

/// An optional range: a count of things, distances, lengths (language.md 5.4).
#[derive(Clone, Debug, PartialEq)]
pub enum Range {
    /// `count`: -100000 … 100000.
    Count(Span),
    /// `lo [hi]`; without `hi` both are equal.
    Bounds {
        /// The lower bound.
        lo: Bound,
        /// The upper bound, if written.
        hi: Option<Bound>,
    },
}

/// One end of a range.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// Number or variable.
    pub kind: BoundKind,
    /// The place (what a veto of a range name names).
    pub span: Span,
}

/// A number, or a name that was taken for a numeric variable (a guess: the typing pass may veto
/// it).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoundKind {
    /// A literal.
    Int(i32),
    /// A variable.
    Name(String),
}

/// What a loop runs over, as far as the words say.
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
    /// `x ∊ S` or `x ∊ D`: types decide.
    Element,
}

/// `str`, `comment`, `message` and `///`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PrintKind {
    /// `str`.
    Str,
    /// `comment`.
    Comment,
    /// `message`.
    Message,
    /// `///`.
    LineComment,
}

/// How often a part of `path` or `line` repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repeat {
    /// At least.
    pub min: u32,
    /// At most; `None` is no limit.
    pub max: Option<u32>,
    /// The place.
    pub span: Span,
}

/// A parameter of `move`.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveParam {
    /// `from to capture enpassantsquare promote` with operand, `comment` with arguments, otherwise
    /// a flag.
    pub keyword: Keyword,
    /// Operands: one for those with an operand, any for `comment`, none for a flag.
    pub args: Vec<Expr>,
    /// The place.
    pub span: Span,
}

/// A parameter of `pin`: `from`, `through` or `to` and its set.
#[derive(Clone, Debug, PartialEq)]
pub struct PinParam {
    /// Which.
    pub keyword: Keyword,
    /// The set.
    pub set: Expr,
}

/// A specifier of `imagine`.
#[derive(Clone, Debug, PartialEq)]
pub enum ImagineSpec {
    /// `piece D --> S`.
    Piece {
        /// A piece designator.
        piece: Expr,
        /// Where to.
        to: Expr,
    },
    /// `swap S T`.
    Swap(Expr, Expr),
    /// `sidetomove white|black|reverse`.
    SideToMove(Keyword),
}

/// A parameter of `path` or `line`.
#[derive(Clone, Debug, PartialEq)]
pub struct SeqParam {
    /// Which.
    pub kind: SeqParamKind,
    /// The place.
    pub span: Span,
}

/// The parameters of `path` and `line` (moves-and-sequences.md 7.1, 8).
#[derive(Clone, Debug, PartialEq)]
pub enum SeqParamKind {
    /// A range.
    Range(Range),
    /// `focus S`, `focus capture S`.
    Focus {
        /// With `capture`?
        capture: bool,
        /// The set.
        set: Box<Expr>,
    },
    /// `max F`.
    Max(Box<Expr>),
    /// `title "T"`.
    Title(Text),
    /// A word:
    /// `firstmatch keepallbest lastposition nestban piecepath primary quiet secondary singlecolor
    /// verbose`.
    Flag(Keyword),
}

/// A constituent of `path`.
#[derive(Clone, Debug, PartialEq)]
pub struct PathPart {
    /// What.
    pub kind: PathPartKind,
    /// How often, if a wildcard follows.
    pub repeat: Option<Repeat>,
    /// The place.
    pub span: Span,
}

/// Kinds of constituents of `path`.
#[derive(Clone, Debug, PartialEq)]
pub enum PathPartKind {
    /// A dash filter and the filters that follow it, tested after the move.
    Step {
        /// An [`super::ExprKind::Dash`].
        dash: Box<Expr>,
        /// The filters after it.
        targets: Vec<Expr>,
    },
    /// A filter that must match the position reached.
    Holder(Box<Expr>),
    /// `( … )`.
    Chain(Vec<PathPart>),
}

/// A constituent of `line`.
#[derive(Clone, Debug, PartialEq)]
pub struct LinePart {
    /// A filter or a group.
    pub kind: LinePartKind,
    /// The wildcards after it, in order.
    pub repeats: Vec<Repeat>,
    /// The place.
    pub span: Span,
}

/// Kinds of constituents of `line`.
#[derive(Clone, Debug, PartialEq)]
pub enum LinePartKind {
    /// A filter.
    Filter(Box<Expr>),
    /// `( C --> C )`.
    Group(Vec<LinePart>),
}

/// A dash filter: `L--R=P(T…)`, `L[x]R`.
#[derive(Clone, Debug, PartialEq)]
pub struct Dash {
    /// `[x]` instead of `--`?
    pub capture: bool,
    /// The dash itself.
    pub op_span: Span,
    /// Origin.
    pub left: Option<Box<Expr>>,
    /// Destination, or capture square.
    pub right: Option<Box<Expr>>,
    /// What `=` asks for.
    pub promotion: Option<Box<Expr>>,
    /// The target, if there is one (never empty).
    pub targets: Vec<Expr>,
}

/// A type named in a dictionary declaration.
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
