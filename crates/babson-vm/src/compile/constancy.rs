//! How long the outcome of a filter stays the same.

use babson_lang::hir::{Binary, Expr, ExprKind, Unary};

use super::leaves;

/// Where the outcome of a filter without effects is the same as before, from seldom to always.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Constancy {
    /// Nowhere: it may depend on variables, on the move that is looked at, on what was evaluated.
    #[default]
    None,
    /// At the same position of the game, as long as filters look at its own board.
    Position,
    /// In the same game.
    Game,
    /// In the same game, and its tags and number decide.
    Tags,
    /// In all games.
    Query,
}

/// The constancy of the node by itself: that of the whole filter if it is at most that of every
/// operand.
pub(super) fn own(expr: &Expr) -> Constancy {
    match &expr.kind {
        ExprKind::Bool(_)
        | ExprKind::Number(_)
        | ExprKind::Text(_)
        | ExprKind::Squares(_)
        | ExprKind::CurrentTransform(_)
        | ExprKind::Arithmetic(..)
        | ExprKind::Compare(..)
        | ExprKind::Equal(..)
        | ExprKind::Extreme { .. }
        | ExprKind::Sequence(_)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Not(_)
        | ExprKind::If { .. }
        | ExprKind::CharAt { .. }
        | ExprKind::Slice { .. }
        | ExprKind::Match { .. }
        | ExprKind::NoTransform(_)
        | ExprKind::Str(_) => Constancy::Query,
        // The ends of its range may be variables.
        ExprKind::Orbit { .. } if has_constant_range(expr) => Constancy::Query,
        ExprKind::Condition(which) => leaves::of_condition(*which).constancy,
        ExprKind::Quantity(which) => leaves::of_quantity(*which).constancy,
        ExprKind::Unary(op, _) => of_unary(*op),
        ExprKind::Binary(op, ..) => of_binary(*op),
        ExprKind::HasNag(_) => Constancy::Position,
        ExprKind::Orbit { .. }
        | ExprKind::Designator(_)
        | ExprKind::Var(_)
        | ExprKind::While { .. }
        | ExprKind::Loop(_)
        | ExprKind::With { .. }
        | ExprKind::Direction { .. }
        | ExprKind::Ray { .. }
        | ExprKind::Pin { .. }
        | ExprKind::FenPattern(_)
        | ExprKind::ForSquares { .. }
        | ExprKind::ForPieces { .. }
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
        | ExprKind::AssignSlice { .. }
        | ExprKind::ForMatches { .. }
        | ExprKind::Group(_)
        | ExprKind::GroupIndex(_)
        | ExprKind::SimilarPosition
        | ExprKind::Move(_)
        | ExprKind::Speculate(_)
        | ExprKind::Imagine { .. }
        | ExprKind::Dash(_)
        | ExprKind::Find(_)
        | ExprKind::Line(_)
        | ExprKind::Echo(_)
        | ExprKind::ConsecutiveMoves(_)
        | ExprKind::Path(_)
        | ExprKind::Sort { .. }
        | ExprKind::Comment(_)
        | ExprKind::Message { .. }
        | ExprKind::SetTag { .. }
        | ExprKind::RemoveTag(_)
        | ExprKind::WriteFile { .. }
        | ExprKind::CommandPipe { .. }
        | ExprKind::Assert(_)
        | ExprKind::GameLists(_)
        | ExprKind::Steps(_)
        | ExprKind::Pairs(_)
        | ExprKind::Recurrence(_) => Constancy::None,
    }
}

fn has_constant_range(expr: &Expr) -> bool {
    use babson_lang::hir::Bound::Const;
    let constant =
        |range: &babson_lang::hir::Range| matches!((range.min, range.max), (Const(_), Const(_)));
    expr.range().is_none_or(constant)
}

fn of_unary(op: Unary) -> Constancy {
    match op {
        Unary::Tag => Constancy::Tags,
        Unary::Complement
        | Unary::Light
        | Unary::Dark
        | Unary::Count
        | Unary::Rank
        | Unary::File
        | Unary::Negate
        | Unary::Abs
        | Unary::Sqrt
        | Unary::Length
        | Unary::Int
        | Unary::AsciiCode
        | Unary::AsciiChar
        | Unary::Lowercase
        | Unary::Uppercase
        | Unary::MakeSquareText => Constancy::Query,
        Unary::Power
        | Unary::Type
        | Unary::ColorType
        | Unary::PieceId
        | Unary::TypeName
        | Unary::PieceName
        | Unary::ReadFile
        | Unary::PositionAt
        | Unary::Child
        | Unary::PieceSquare => Constancy::None,
    }
}

fn of_binary(op: Binary) -> Constancy {
    match op {
        Binary::Intersection
        | Binary::Union
        | Binary::Between
        | Binary::Subset
        | Binary::Concat
        | Binary::Substring
        | Binary::IndexOf
        | Binary::MakeSquare => Constancy::Query,
        Binary::Attacks
        | Binary::AttackedBy
        | Binary::SameContent
        | Binary::Lca
        | Binary::Distance
        | Binary::AncestorOf
        | Binary::DescendantOf => Constancy::None,
    }
}
