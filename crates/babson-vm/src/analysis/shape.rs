//! The shapes of filters, for the analyses that derive necessary conditions.
//!
//! Most kinds of nodes give no condition. The functions here map all kinds, without a catch-all
//! arm, to the few shapes that matter, so that a new kind has to be considered in one place only.

use babson_lang::hir::{
    BinaryFilter, ComparisonOperator, Condition, DashFilter, Designator, EchoFilter, Expr,
    ExprKind, FindFilter, LineFilter, MoveFilter, MoveResult, MoveSource, OrbitResult, PathFilter,
    PositionSequence, Property, SquarePairs, UnaryFilter, VarId,
};

/// What a filter needs to match.
#[derive(Clone, Copy)]
pub(crate) enum Shape<'e> {
    /// Several filters that all must match, as [`super::conjuncts`] finds them.
    Conjunction,
    Or(&'e Expr, &'e Expr),
    Not(&'e Expr),
    /// One of the images under a transform.
    AnyOf(&'e [Expr], OrbitResult),
    Condition(Condition),
    Compare(ComparisonOperator, &'e Expr, &'e Expr),
    Fen(&'e [Designator]),
    Pairs(&'e SquarePairs),
    /// `square x in S f`, `piece x in S f` without `all`: the set.
    ForEach(&'e Expr),
    Move(&'e MoveFilter),
    Dash(&'e DashFilter),
    Line(&'e LineFilter),
    Path(&'e PathFilter),
    Find(&'e FindFilter),
    Echo(&'e EchoFilter),
    Steps(&'e PositionSequence),
    /// `sort`: the sort key.
    Sort(&'e Expr),
    /// Any other filter. Only its value gives a condition, if it is a set.
    Other,
}

impl<'e> Shape<'e> {
    pub(crate) fn of(expr: &'e Expr) -> Shape<'e> {
        match &expr.kind {
            ExprKind::Sequence(_) | ExprKind::And(..) | ExprKind::NoTransform(_) => {
                Shape::Conjunction
            }
            ExprKind::Or(a, b) => Shape::Or(a, b),
            ExprKind::Not(inner) => Shape::Not(inner),
            ExprKind::Orbit { elements, result, .. } => match result {
                OrbitResult::Any | OrbitResult::Union | OrbitResult::Max => {
                    Shape::AnyOf(elements, *result)
                }
                OrbitResult::Count(_) => Shape::Other,
            },
            ExprKind::Condition(which) => Shape::Condition(*which),
            ExprKind::Compare(relation, a, b) => Shape::Compare(*relation, a, b),
            ExprKind::FenPattern(pattern) => Shape::Fen(&pattern.designators),
            ExprKind::Pairs(pairs) => Shape::Pairs(pairs),
            ExprKind::ForSquares { set, all: false, .. }
            | ExprKind::ForPieces { set, all: false, .. } => Shape::ForEach(set),
            ExprKind::Move(found) => Shape::Move(found),
            ExprKind::Dash(filter) => Shape::Dash(filter),
            ExprKind::Line(line) => Shape::Line(line),
            ExprKind::Path(path) => Shape::Path(path),
            ExprKind::Find(find) => Shape::Find(find),
            ExprKind::Echo(echo) => Shape::Echo(echo),
            ExprKind::PositionSequence(steps) => Shape::Steps(steps),
            ExprKind::Sort { value, .. } => Shape::Sort(value),
            ExprKind::Bool(_)
            | ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Designator(_)
            | ExprKind::Squares(_)
            | ExprKind::Var(_)
            | ExprKind::Property(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Arithmetic(..)
            | ExprKind::Equal(..)
            | ExprKind::Extreme { .. }
            | ExprKind::If { .. }
            | ExprKind::While { .. }
            | ExprKind::Loop(_)
            | ExprKind::With { .. }
            | ExprKind::Direction { .. }
            | ExprKind::Aligned(..)
            | ExprKind::ForSquares { all: true, .. }
            | ExprKind::ForPieces { all: true, .. }
            | ExprKind::ForKeys { .. }
            | ExprKind::Assign { .. }
            | ExprKind::Update { .. }
            | ExprKind::BindPiece { .. }
            | ExprKind::Unbind(_)
            | ExprKind::IsBound(_)
            | ExprKind::Lookup { .. }
            | ExprKind::Store { .. }
            | ExprKind::Erase { .. }
            | ExprKind::DictionaryLen(_)
            | ExprKind::CharAt { .. }
            | ExprKind::Slice { .. }
            | ExprKind::AssignSlice { .. }
            | ExprKind::Match { .. }
            | ExprKind::ForMatches { .. }
            | ExprKind::Group(_)
            | ExprKind::GroupIndex(_)
            | ExprKind::SimilarPosition
            | ExprKind::Likeness
            | ExprKind::CurrentTransform(_)
            | ExprKind::SpeculativeMove(_)
            | ExprKind::Imagine { .. }
            | ExprKind::ConsecutiveMoves(_)
            | ExprKind::Comment(_)
            | ExprKind::Field { .. }
            | ExprKind::Message { .. }
            | ExprKind::Str(_)
            | ExprKind::SetTag { .. }
            | ExprKind::RemoveTag(_)
            | ExprKind::HasNag(_)
            | ExprKind::WriteFile { .. }
            | ExprKind::CommandPipe { .. }
            | ExprKind::Assert(_)
            | ExprKind::GameLists(_)
            | ExprKind::Recurrence(_) => Shape::Other,
        }
    }
}

/// Where the squares of a set can lie.
#[derive(Clone, Copy)]
pub(crate) enum SetShape<'e> {
    Designator(Designator),
    Squares(u64),
    PassedPawns,
    /// The same set.
    Same(&'e Expr),
    Intersection(&'e Expr, &'e Expr),
    Union(&'e Expr, &'e Expr),
    /// The union of all.
    UnionOf(&'e [Expr]),
    Light(&'e Expr),
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
    pub(crate) fn of(expr: &'e Expr) -> SetShape<'e> {
        match &expr.kind {
            ExprKind::Designator(found) => SetShape::Designator(*found),
            ExprKind::Squares(squares) => SetShape::Squares(*squares),
            ExprKind::Property(which) => {
                if *which == Property::PassedPawns {
                    SetShape::PassedPawns
                } else {
                    SetShape::Other
                }
            }
            ExprKind::NoTransform(inner) => SetShape::Same(inner),
            ExprKind::Unary(op, set) => SetShape::of_unary(*op, set),
            ExprKind::Binary(op, a, b) => SetShape::of_binary(*op, a, b),
            ExprKind::Orbit { elements, result: OrbitResult::Union, .. } => {
                SetShape::UnionOf(elements)
            }
            ExprKind::ForSquares { set, all: false, .. }
            | ExprKind::ForPieces { set, all: false, .. } => SetShape::Among(set),
            ExprKind::Aligned(alignment, sets) => {
                alignment.value(sets).map_or(SetShape::Other, SetShape::AmongMoved)
            }
            ExprKind::Move(found) => moved(found).map_or(SetShape::Other, SetShape::AmongMoved),
            ExprKind::Orbit {
                result: OrbitResult::Any | OrbitResult::Max | OrbitResult::Count(_),
                ..
            }
            | ExprKind::Bool(_)
            | ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Var(_)
            | ExprKind::Condition(_)
            | ExprKind::Arithmetic(..)
            | ExprKind::Compare(..)
            | ExprKind::Equal(..)
            | ExprKind::Extreme { .. }
            | ExprKind::Sequence(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Not(_)
            | ExprKind::If { .. }
            | ExprKind::While { .. }
            | ExprKind::Loop(_)
            | ExprKind::With { .. }
            | ExprKind::Direction { .. }
            | ExprKind::FenPattern(_)
            | ExprKind::ForSquares { all: true, .. }
            | ExprKind::ForPieces { all: true, .. }
            | ExprKind::ForKeys { .. }
            | ExprKind::Assign { .. }
            | ExprKind::Update { .. }
            | ExprKind::BindPiece { .. }
            | ExprKind::Unbind(_)
            | ExprKind::IsBound(_)
            | ExprKind::Lookup { .. }
            | ExprKind::Store { .. }
            | ExprKind::Erase { .. }
            | ExprKind::DictionaryLen(_)
            | ExprKind::CharAt { .. }
            | ExprKind::Slice { .. }
            | ExprKind::AssignSlice { .. }
            | ExprKind::Match { .. }
            | ExprKind::ForMatches { .. }
            | ExprKind::Group(_)
            | ExprKind::GroupIndex(_)
            | ExprKind::SimilarPosition
            | ExprKind::Likeness
            | ExprKind::CurrentTransform(_)
            | ExprKind::SpeculativeMove(_)
            | ExprKind::Imagine { .. }
            | ExprKind::Dash(_)
            | ExprKind::Find(_)
            | ExprKind::Line(_)
            | ExprKind::Echo(_)
            | ExprKind::ConsecutiveMoves(_)
            | ExprKind::Path(_)
            | ExprKind::Sort { .. }
            | ExprKind::Comment(_)
            | ExprKind::Field { .. }
            | ExprKind::Message { .. }
            | ExprKind::Str(_)
            | ExprKind::SetTag { .. }
            | ExprKind::RemoveTag(_)
            | ExprKind::HasNag(_)
            | ExprKind::WriteFile { .. }
            | ExprKind::CommandPipe { .. }
            | ExprKind::Assert(_)
            | ExprKind::GameLists(_)
            | ExprKind::PositionSequence(_)
            | ExprKind::Pairs(_)
            | ExprKind::Recurrence(_) => SetShape::Other,
        }
    }

    fn of_unary(op: UnaryFilter, set: &'e Expr) -> SetShape<'e> {
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

    fn of_binary(op: BinaryFilter, a: &'e Expr, b: &'e Expr) -> SetShape<'e> {
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

/// The squares of a played move, on the board before it.
fn moved(found: &MoveFilter) -> Option<&Expr> {
    match found.source {
        MoveSource::Played => match found.result {
            MoveResult::From => found.from.as_ref(),
            MoveResult::To => found.to.as_ref(),
            MoveResult::Capture => found.capture.as_ref(),
            MoveResult::Bool | MoveResult::Count => None,
        },
        MoveSource::Previous
        | MoveSource::Legal
        | MoveSource::Pseudolegal
        | MoveSource::LegalReverse
        | MoveSource::PseudolegalReverse => None,
    }
}
