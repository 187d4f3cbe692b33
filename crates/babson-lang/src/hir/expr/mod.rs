//! The nodes of the tree.

pub(super) mod cql3;
pub(super) mod dash;
mod kind;
pub(super) mod path;
mod table;

use super::{
    CastlingKind, Color, Content, MoveResult, MoveRunId, MoveSource, NestBanId, NodeId,
    NumberRange, Type, VarId,
};
use crate::diagnostic::Span;
pub(super) use kind::type_of_branches;
pub(crate) use kind::type_of_sequence;
pub use kind::{ExprKind, OutputFilter, SetFilter, StateFilter};
pub(super) use table::node_table;

/// A typed node. Equality and hashing ignore the span and the number: two copies under a transform
/// are equal when they mean the same.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The kind of filter.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Its span in the text of the query.
    pub span: Span,
    /// Its number in the query; copies of a node have the same.
    pub id: NodeId,
}

impl Expr {
    /// A node that is not yet numbered. Its kind has its type, unless a declaration decides on it
    /// ([`Expr::declared`]).
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        Expr::declared(kind, Type::Bool, span)
    }

    /// A variable, or an entry of a dictionary, which was declared with this type.
    pub fn declared(kind: ExprKind, ty: Type, span: Span) -> Expr {
        let ty = kind.signature(ty).ty;
        Expr { kind, ty, span, id: NodeId::default() }
    }
}

/// `move` (docs/src/language/moves.md#moves). All parameters must hold of one and the same move.
/// The default is `move` without parameters: any move that the game plays next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub struct MoveFilter {
    pub source: MoveSource,
    pub result: MoveResult,
    pub from: Option<Expr>,
    pub to: Option<Expr>,
    pub capture: Option<Expr>,
    pub en_passant_square: Option<Expr>,
    /// Bit set of kinds (pawn 0 … king 5).
    pub promote: Option<u8>,
    pub en_passant: bool,
    pub castle: Option<CastlingKind>,
    /// Of a piece from the pocket (Crazyhouse).
    pub drop: bool,
    pub null: bool,
    pub primary: bool,
    pub secondary: bool,
    /// Evaluated at the tail of each matching move.
    pub comment: Option<Vec<Expr>>,
}

/// `move … : f` (docs/src/language/imaginary.md#imaginary-positions-and-speculative-moves): each
/// move is made on a copy of the board, where f is evaluated.
///
/// The result is the result of `moves`, restricted to the moves for which f matched.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub struct SpeculativeMove {
    /// Without `comment`. The result Count or Bool, if `all` is set.
    pub moves: MoveFilter,
    /// f must match for every move.
    pub all: bool,
    pub body: Expr,
}

/// A change of `imagine`
/// (docs/src/language/imaginary.md#imaginary-positions-and-speculative-moves).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BoardChange {
    /// `piece D --> S`: the new content of each square of the set.
    Place {
        /// One piece, or the empty square.
        content: Content,
        /// Where.
        to: Expr,
    },
    /// `swap S T`, if each set is one square.
    Swap(Expr, Expr),
    /// `sidetomove …`; `None` is `reverse`.
    SideToMove(Option<Color>),
}

/// `find` (docs/src/language/find.md#find).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub struct FindFilter {
    pub quiet: bool,
    pub backward: bool,
    pub mode: FindMode,
    pub body: Expr,
}

/// The result of `find`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FindMode {
    /// The first position: type Position.
    First,
    /// Their number, at least 1.
    All,
    /// Their number, which must be in the range.
    Range(NumberRange),
}

impl FindMode {
    /// Whether no variable decides on it.
    pub(super) fn is_constant(self) -> bool {
        match self {
            FindMode::First | FindMode::All => true,
            FindMode::Range(range) => range.is_constant(),
        }
    }
}

/// `echo` (docs/src/language/echo.md#echo-and-consecutivemoves): the body is evaluated at every
/// position of the game.
///
/// Type Number (the greatest value) if the body has that type, else Boolean.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub struct EchoFilter {
    pub quiet: bool,
    /// Bound to the current position.
    pub source: VarId,
    /// Bound to each position in turn.
    pub target: VarId,
    /// `in all`: the current position too.
    pub in_all: bool,
    pub body: Expr,
}

/// `consecutivemoves` (docs/src/language/echo.md#echo-and-consecutivemoves).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub struct ConsecutiveMoves {
    pub id: MoveRunId,
    pub quiet: bool,
    pub range: Option<NumberRange>,
    pub left: VarId,
    pub right: VarId,
}

/// `line` (docs/src/language/line.md#line).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub struct LineFilter {
    pub quiet: bool,
    pub backward: bool,
    pub range: Option<NumberRange>,
    pub single_color: bool,
    pub primary: bool,
    pub secondary: bool,
    pub first_match: bool,
    pub nest_ban: Option<NestBanId>,
    pub last_position: bool,
    pub constituents: Vec<LineConstituent>,
}

/// One constituent of `line` with its repetitions, applied from left to right.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs)]
pub struct LineConstituent {
    pub kind: LineConstituentKind,
    /// Inclusive counts; `*` is (0, 100000), `+` (1, 100000), `?` (0, 1).
    pub repeats: Vec<(u32, u32)>,
}

/// The kind of a constituent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LineConstituentKind {
    /// A filter that the position must match.
    Filter(Box<Expr>),
    /// `( C --> C … )`
    Group(Vec<LineConstituent>),
}
