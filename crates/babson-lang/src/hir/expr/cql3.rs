//! Filters that only CQL 3 has (docs/src/language/cql3.md#cql-3).

use super::Expr;
use crate::hir::{Content, Designator, Directions, VarId};

/// The position lists of a query, each searched in the game on its own. Boolean. It marks the
/// matching positions itself, so it is the last filter of a query that is evaluated only at the
/// initial position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GameLists {
    /// The pieces for which all lists must match, at most two.
    pub tags: Vec<PieceTag>,
    /// Whether a piece may be bound if it has the type at a node outside the main line.
    pub tags_in_variations: bool,
    /// The lists.
    pub lists: Vec<GameList>,
}

/// `:forany`: a variable that is bound to each piece in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PieceTag {
    /// The variable, of type Piece.
    pub var: VarId,
    /// What the piece must be at some node.
    pub content: Content,
}

/// One position list at the top level.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GameList {
    /// The nodes that are searched.
    pub nodes: NodeSelection,
    /// Which of the matching nodes are marked.
    pub mark: MarkMode,
    /// `:matchcount`: the inclusive range of the number of matching nodes. Without it one must
    /// match.
    pub count: Option<(i32, i32)>,
    /// Evaluated at a node together with one of its children.
    pub body: Expr,
    /// `:pretransformmatchcount`: one of these filters must match at a number of nodes in the
    /// inclusive range.
    pub counted: Option<(Vec<Expr>, (i32, i32))>,
}

/// Nodes of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeSelection {
    /// The main line, with only the moves of the main line.
    MainLine,
    /// All nodes.
    All,
    /// The nodes outside the main line.
    Variations,
}

/// Which matching nodes get the match comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarkMode {
    /// `:noannotate`
    None,
    /// The first.
    First,
    /// `:markall`
    All,
}

/// `:sequence`, `:gappedsequence`: filters that match one position after another. The first is the
/// current position, and the move to the second is the current move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PositionSequence {
    /// Whether any number of positions may lie between two filters.
    pub gapped: bool,
    /// Whether only moves of the main line are followed.
    pub main_line: bool,
    /// The filters.
    pub filters: Vec<Expr>,
}

/// A number of pairs of squares that must lie in a range.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SquarePairs {
    /// What makes a pair.
    pub kind: SquarePairKind,
    /// The sets: attackers and targets, or the sets along the ray.
    pub sets: Vec<Expr>,
    /// Inclusive.
    pub range: (i32, i32),
}

/// What makes a pair of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SquarePairKind {
    /// The piece on the first attacks the second.
    Attack,
    /// The first and last square of a ray.
    Ray {
        /// Its directions.
        directions: Directions,
        /// Whether the ray must begin at a piece that moves in its direction.
        attack: bool,
    },
}

/// `:relation`: another position of the game that resembles the current one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Recurrence {
    /// Where the other position may be.
    pub nodes: NodeSelection,
    /// The side to move there.
    pub side: RecurrenceSide,
    /// The squares that are compared.
    pub squares: u64,
    /// Whether only the squares of a pattern are compared. Then a shift may move pieces off the
    /// board.
    pub pattern: bool,
    /// Whether the other position may be rotated and mirrored.
    pub flip: bool,
    /// Whether the other position may be shifted.
    pub shift: bool,
    /// Ranges of the number of unchanged pieces, before a flip or shift.
    pub same: Vec<(i32, i32)>,
    /// Ranges of the number of different squares, before a flip or shift.
    pub different: Vec<(i32, i32)>,
    /// The pieces that are missing there, and the range of their number.
    pub missing: (Designator, (i32, i32)),
    /// The pieces that are new there, and the range of their number.
    pub new: (Designator, (i32, i32)),
}

/// The side to move in the other position of a [`Recurrence`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecurrenceSide {
    /// The same.
    Same,
    /// The other one.
    Changed,
    /// Either.
    Any,
}
