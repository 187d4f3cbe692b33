//! The type of each kind of node.

use super::{ComparisonOperator, Expr, ExprKind, FindMode, OrbitResult, Type};

/// The type of the last of some nodes.
fn last_type(list: &[Expr]) -> Type {
    list.last().map_or(Type::Bool, |last| last.ty)
}

/// The value of `line` and `path`.
fn type_of_sequence(last_position: bool) -> Type {
    if last_position { Type::Position } else { Type::Number }
}

impl ExprKind {
    /// The type of a node of this kind, which its operands and parameters decide. `None` if a
    /// declaration decides: the type of a variable, and that of the values of a dictionary.
    pub(super) fn own_type(&self) -> Option<Type> {
        Some(match self {
            ExprKind::Var(_) | ExprKind::Lookup { .. } => return None,
            ExprKind::Condition(which) => which.signature().ty,
            ExprKind::Quantity(which) => which.signature().ty,
            ExprKind::Unary(which, _) => which.signature().ty,
            ExprKind::Binary(which, ..) => which.signature().ty,
            ExprKind::Number(_)
            | ExprKind::Arithmetic(..)
            | ExprKind::DictionaryLen(_)
            | ExprKind::GroupIndex(_)
            | ExprKind::ConsecutiveMoves(_) => Type::Number,
            ExprKind::Text(_)
            | ExprKind::CurrentTransform(_)
            | ExprKind::CharAt { .. }
            | ExprKind::Slice { .. }
            | ExprKind::Match { .. }
            | ExprKind::Group(_)
            | ExprKind::Str(_)
            | ExprKind::CommandPipe { .. } => Type::String,
            ExprKind::Designator(_)
            | ExprKind::Squares(_)
            | ExprKind::Direction { .. }
            | ExprKind::Ray { .. }
            | ExprKind::Pin { .. } => Type::Set,
            ExprKind::Compare(ComparisonOperator::NotEqual, ..) => Type::Bool,
            ExprKind::Compare(_, left, _) if left.ty == Type::Set => Type::Bool,
            ExprKind::Compare(_, left, _) => left.ty,
            ExprKind::Extreme { operands: list, .. } | ExprKind::Sequence(list) => last_type(list),
            ExprKind::If { then, otherwise, .. } => match otherwise {
                Some(otherwise) if otherwise.ty == then.ty => then.ty,
                Some(_) | None => Type::Bool,
            },
            ExprKind::With { body, .. } | ExprKind::Imagine { body, .. } => body.ty,
            ExprKind::NoTransform(operand) => operand.ty,
            ExprKind::Sort { value, .. } => value.ty,
            ExprKind::ForSquares { all, .. } | ExprKind::ForPieces { all, .. } => match all {
                true => Type::Bool,
                false => Type::Set,
            },
            ExprKind::Orbit { elements, result, .. } => match result {
                OrbitResult::Union => elements.first().map_or(Type::Set, |copy| copy.ty),
                OrbitResult::Max | OrbitResult::Count(_) => Type::Number,
                OrbitResult::Any => Type::Bool,
            },
            ExprKind::Move(filter) => filter.result.ty(),
            ExprKind::SpeculativeMove(filter) => filter.moves.result.ty(),
            ExprKind::Dash(filter) => match &filter.target {
                _ if filter.count => Type::Number,
                Some(target) => target.ty,
                None => Type::Bool,
            },
            ExprKind::Find(find) => match find.mode {
                FindMode::First => Type::Position,
                FindMode::All | FindMode::Range(_) => Type::Number,
            },
            ExprKind::Echo(echo) => match echo.body.ty {
                Type::Number => Type::Number,
                Type::Bool | Type::Set | Type::String | Type::Position | Type::Piece => Type::Bool,
            },
            ExprKind::Line(line) => type_of_sequence(line.last_position),
            ExprKind::Path(path) => type_of_sequence(path.last_position),
            ExprKind::Bool(_)
            | ExprKind::Equal(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Not(_)
            | ExprKind::While { .. }
            | ExprKind::Loop(_)
            | ExprKind::FenPattern(_)
            | ExprKind::ForKeys { .. }
            | ExprKind::Assign { .. }
            | ExprKind::Update { .. }
            | ExprKind::BindPiece { .. }
            | ExprKind::Unbind(_)
            | ExprKind::IsBound(_)
            | ExprKind::Store { .. }
            | ExprKind::Erase { .. }
            | ExprKind::AssignSlice { .. }
            | ExprKind::ForMatches { .. }
            | ExprKind::SimilarPosition
            | ExprKind::Comment(_)
            | ExprKind::Field { .. }
            | ExprKind::Message { .. }
            | ExprKind::SetTag { .. }
            | ExprKind::RemoveTag(_)
            | ExprKind::HasNag(_)
            | ExprKind::WriteFile { .. }
            | ExprKind::Assert(_)
            | ExprKind::GameLists(_)
            | ExprKind::PositionSequence(_)
            | ExprKind::Pairs(_)
            | ExprKind::Recurrence(_) => Type::Bool,
        })
    }
}
