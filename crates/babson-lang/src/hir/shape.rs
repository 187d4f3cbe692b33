//! The shapes of filters, for the analyses that derive necessary conditions.
//!
//! Most kinds of nodes give no condition. The rows of the others in the table of nodes name one of
//! the few shapes that matter.

use super::{
    BinaryFilter, ComparisonOperator, Condition, DashFilter, Designator, EchoFilter, Expr,
    ExprKind, FindFilter, LineFilter, MoveFilter, MoveResult, MoveSource, OrbitResult, PathFilter,
    PositionSequence, Property, SquarePairs, UnaryFilter, VarId,
};

/// What a filter needs to match.
#[derive(Clone, Copy, Debug)]
pub enum Shape<'e> {
    /// Several filters that all must match.
    Conjunction,
    /// One of two filters.
    Or(&'e Expr, &'e Expr),
    /// That a filter does not match.
    Not(&'e Expr),
    /// One of the images under a transform, whose results are not counted.
    AnyOf(&'e [Expr], OrbitResult),
    /// A condition without operands.
    Condition(Condition),
    /// A relation between two values.
    Compare(ComparisonOperator, &'e Expr, &'e Expr),
    /// Designators that must all hold.
    Fen(&'e [Designator]),
    /// Pairs of squares.
    Pairs(&'e SquarePairs),
    /// `square x in S f`, `piece x in S f` without `all`: the set.
    ForEach(&'e Expr),
    /// `move`
    Move(&'e MoveFilter),
    /// `--`, `[x]`
    Dash(&'e DashFilter),
    /// `line`
    Line(&'e LineFilter),
    /// `path`
    Path(&'e PathFilter),
    /// `find`
    Find(&'e FindFilter),
    /// `echo`
    Echo(&'e EchoFilter),
    /// Filters that match one position after another.
    Steps(&'e PositionSequence),
    /// `sort`: the sort key.
    Sort(&'e Expr),
    /// Any other filter. Only its value gives a condition, if it is a set.
    Other,
}

impl<'e> Shape<'e> {
    /// The shape of a filter.
    pub fn of(expr: &'e Expr) -> Shape<'e> {
        expr.kind.shape()
    }

    pub(super) fn of_copies(copies: &'e [Expr], result: OrbitResult) -> Shape<'e> {
        match result {
            OrbitResult::Any | OrbitResult::Union | OrbitResult::Max => {
                Shape::AnyOf(copies, result)
            }
            OrbitResult::Count(_) => Shape::Other,
        }
    }

    pub(super) fn of_loop(set: &'e Expr, all: bool) -> Shape<'e> {
        if all { Shape::Other } else { Shape::ForEach(set) }
    }
}

/// Where the squares of a set can lie.
#[derive(Clone, Copy, Debug)]
pub enum SetShape<'e> {
    /// Where a designator finds its contents.
    Designator(Designator),
    /// On these squares.
    Squares(u64),
    /// Where passed pawns stand.
    PassedPawns,
    /// The same set.
    Same(&'e Expr),
    /// In both sets.
    Intersection(&'e Expr, &'e Expr),
    /// In one of two sets.
    Union(&'e Expr, &'e Expr),
    /// The union of all.
    UnionOf(&'e [Expr]),
    /// The light squares of the set.
    Light(&'e Expr),
    /// The dark squares of the set.
    Dark(&'e Expr),
    /// Some squares of the set.
    Among(&'e Expr),
    /// Some squares of the set, which a ray, a pin or a move selects.
    AmongMoved(&'e Expr),
    /// Where the piece of a variable stands.
    PieceOf(VarId),
    /// Anywhere.
    Other,
}

impl<'e> SetShape<'e> {
    /// The shape of a set.
    pub fn of(expr: &'e Expr) -> SetShape<'e> {
        expr.kind.set_shape()
    }

    pub(super) fn of_property(which: Property) -> SetShape<'e> {
        if which == Property::PassedPawns { SetShape::PassedPawns } else { SetShape::Other }
    }

    pub(super) fn of_copies(copies: &'e [Expr], result: OrbitResult) -> SetShape<'e> {
        match result {
            OrbitResult::Union => SetShape::UnionOf(copies),
            OrbitResult::Any | OrbitResult::Max | OrbitResult::Count(_) => SetShape::Other,
        }
    }

    pub(super) fn of_loop(set: &'e Expr, all: bool) -> SetShape<'e> {
        if all { SetShape::Other } else { SetShape::Among(set) }
    }

    pub(super) fn of_moved(set: Option<&'e Expr>) -> SetShape<'e> {
        set.map_or(SetShape::Other, SetShape::AmongMoved)
    }

    /// The squares of a played move, on the board before it.
    pub(super) fn of_move(filter: &'e MoveFilter) -> SetShape<'e> {
        match filter.source {
            MoveSource::Played => SetShape::of_moved(match filter.result {
                MoveResult::From => filter.from.as_ref(),
                MoveResult::To => filter.to.as_ref(),
                MoveResult::Capture => filter.capture.as_ref(),
                MoveResult::Bool | MoveResult::Count => None,
            }),
            MoveSource::Previous
            | MoveSource::Legal
            | MoveSource::Pseudolegal
            | MoveSource::LegalReverse
            | MoveSource::PseudolegalReverse => SetShape::Other,
        }
    }

    pub(super) fn of_unary(op: UnaryFilter, set: &'e Expr) -> SetShape<'e> {
        match op {
            UnaryFilter::Light => SetShape::Light(set),
            UnaryFilter::Dark => SetShape::Dark(set),
            UnaryFilter::PieceSquare => {
                if let ExprKind::Var(var) = set.kind {
                    SetShape::PieceOf(var)
                } else {
                    SetShape::Other
                }
            }
            UnaryFilter::Complement
            | UnaryFilter::Count
            | UnaryFilter::Power
            | UnaryFilter::Type
            | UnaryFilter::ColorType
            | UnaryFilter::PieceId
            | UnaryFilter::Rank
            | UnaryFilter::File
            | UnaryFilter::TypeName
            | UnaryFilter::PieceName
            | UnaryFilter::Negate
            | UnaryFilter::Abs
            | UnaryFilter::Sqrt
            | UnaryFilter::Length
            | UnaryFilter::Int
            | UnaryFilter::AsciiCode
            | UnaryFilter::AsciiChar
            | UnaryFilter::Lowercase
            | UnaryFilter::Uppercase
            | UnaryFilter::ReadFile
            | UnaryFilter::MakeSquareText
            | UnaryFilter::PositionAt
            | UnaryFilter::Child
            | UnaryFilter::Tag => SetShape::Other,
        }
    }

    pub(super) fn of_binary(op: BinaryFilter, a: &'e Expr, b: &'e Expr) -> SetShape<'e> {
        match op {
            BinaryFilter::Intersection => SetShape::Intersection(a, b),
            BinaryFilter::Union => SetShape::Union(a, b),
            // Their values are subsets of the first set.
            BinaryFilter::Attacks | BinaryFilter::AttackedBy => SetShape::Among(a),
            BinaryFilter::Between
            | BinaryFilter::Subset
            | BinaryFilter::SameContent
            | BinaryFilter::Lca
            | BinaryFilter::Distance
            | BinaryFilter::AncestorOf
            | BinaryFilter::DescendantOf
            | BinaryFilter::Concat
            | BinaryFilter::Substring
            | BinaryFilter::IndexOf
            | BinaryFilter::MakeSquare => SetShape::Other,
        }
    }
}
