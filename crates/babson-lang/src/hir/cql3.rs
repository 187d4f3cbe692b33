//! What CQL 3 can say and modern CQL cannot (cql3.md).

use super::{Content, Designator, Directions, Expr, VarId};

/// Position lists that are looked for in a game, each for itself (cql3.md 6). Boolean; it marks the
/// matching positions of the query itself, so it stands last in a query that is evaluated at the
/// initial position only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GameLists {
    /// The pieces for which all lists must match, at most two (cql3.md 13).
    pub tags: Vec<PieceTag>,
    /// A piece may be bound if it has the type at any node, rather than on the main line.
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
    /// The nodes that are looked at.
    pub scope: Scope,
    /// Which of the matching nodes are marked.
    pub mark: Mark,
    /// `:matchcount`: the number of matching nodes, inclusive. Without it one must match.
    pub count: Option<(i32, i32)>,
    /// Evaluated at a node together with one of its children.
    pub body: Expr,
    /// `:pretransformmatchcount`: one of these must match so often (inclusive).
    pub counted: Option<(Vec<Expr>, (i32, i32))>,
}

/// Nodes of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The main line, and on it the main line's moves only.
    MainLine,
    /// All.
    All,
    /// Those that are not on the main line.
    Variations,
}

/// Which matching nodes get the match comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// `:noannotate`
    None,
    /// The first.
    First,
    /// `:markall`
    All,
}

/// `:sequence`, `:gappedsequence` (cql3.md 9): filters that match one position after the other,
/// beginning with the current one and with the move that is looked at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Steps {
    /// Any number of positions may lie between.
    pub gapped: bool,
    /// Only main moves are followed.
    pub main_line: bool,
    /// The filters.
    pub filters: Vec<Expr>,
}

/// A number of pairs of squares that must lie in a range.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pairs {
    /// What makes a pair.
    pub kind: PairKind,
    /// The sets: attackers and targets, or the sets along the ray.
    pub sets: Vec<Expr>,
    /// Inclusive.
    pub range: (i32, i32),
}

/// What makes a pair of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairKind {
    /// The piece on the first attacks the second (cql3.md 7.2).
    Attack,
    /// The first and last square of a ray (cql3.md 7.3).
    Ray {
        /// Its directions.
        directions: Directions,
        /// It starts on a piece that moves so.
        attack: bool,
    },
}

/// `:relation` (cql3.md 10): another position of the game that is like the current one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Recurrence {
    /// Where the other position may be.
    pub scope: Scope,
    /// Whose move it is there.
    pub side: OtherSide,
    /// The squares that are compared.
    pub squares: u64,
    /// The squares are those of a pattern: pieces elsewhere may be shifted off the board.
    pub pattern: bool,
    /// The other position may be turned and mirrored.
    pub flip: bool,
    /// The other position may be shifted.
    pub shift: bool,
    /// How many pieces stand there unchanged, before it is turned or shifted.
    pub same: Vec<(i32, i32)>,
    /// How many squares differ, before it is turned or shifted.
    pub different: Vec<(i32, i32)>,
    /// Which pieces are gone there, and how many.
    pub missing: (Designator, (i32, i32)),
    /// Which pieces are new there, and how many.
    pub new: (Designator, (i32, i32)),
}

/// The side to move in the other position of a [`Recurrence`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OtherSide {
    /// The same.
    Same,
    /// The other one.
    Changed,
    /// Either.
    Any,
}
