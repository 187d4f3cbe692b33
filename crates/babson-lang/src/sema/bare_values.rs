//! Filters that always match and are used as a condition, such as `3`, `"a"` or `max(1 2)`.
//!
//! CQL 6.2 ends the run when it evaluates such a filter as a condition. This pass replaces each of
//! them by a filter that does so.

use super::demand::{self, Demand, LastOfBraces};
use crate::hir::{Condition, Expr, ExprKind, PathStatus, Quantity, Query, Type, Var};

/// Replaces the bare values of a query by filters that end the run.
pub(super) fn stop(query: &mut Query) {
    let vars = std::mem::take(&mut query.vars);
    demand::walk(query, LastOfBraces::Value, &mut |e, context| {
        let path_count = ExprKind::Quantity(Quantity::Path(PathStatus::Count));
        let counts_the_path = context.in_path && e.kind == path_count;
        if context.demand == Demand::Match && (counts_the_path || always_matches(e, &vars)) {
            e.kind = ExprKind::Condition(Condition::BareValue);
            e.ty = Type::Bool;
        }
    });
    query.vars = vars;
}

/// Whether CQL 6.2 ends the run if the filter is used as a condition.
fn always_matches(e: &Expr, vars: &[Var]) -> bool {
    match &e.kind {
        ExprKind::Number(_)
        | ExprKind::Text(_)
        | ExprKind::Str(_)
        | ExprKind::Extreme { .. }
        | ExprKind::CurrentTransform(_)
        | ExprKind::DictionaryLen(_) => true,
        ExprKind::Var(var) => {
            vars.get(var.0 as usize).is_some_and(|var| is_value_of_a_variable(var.ty))
        }
        ExprKind::Quantity(which) => which.signature().always_matches,
        ExprKind::Unary(which, _) => which.signature().always_matches,
        ExprKind::Binary(which, ..) => which.signature().always_matches,
        ExprKind::Bool(_)
        | ExprKind::Condition(_)
        | ExprKind::Designator(_)
        | ExprKind::Squares(_)
        | ExprKind::Arithmetic(..)
        | ExprKind::Compare(..)
        | ExprKind::Equal(..)
        | ExprKind::Sequence(_)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Not(_)
        | ExprKind::If { .. }
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
        | ExprKind::CharAt { .. }
        | ExprKind::Slice { .. }
        | ExprKind::AssignSlice { .. }
        | ExprKind::Match { .. }
        | ExprKind::ForMatches { .. }
        | ExprKind::Group(_)
        | ExprKind::GroupIndex(_)
        | ExprKind::SimilarPosition
        | ExprKind::Orbit { .. }
        | ExprKind::NoTransform(_)
        | ExprKind::Move(_)
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
        | ExprKind::SetTag { .. }
        | ExprKind::RemoveTag(_)
        | ExprKind::HasNag(_)
        | ExprKind::WriteFile { .. }
        | ExprKind::CommandPipe { .. }
        | ExprKind::Assert(_)
        | ExprKind::GameLists(_)
        | ExprKind::PositionSequence(_)
        | ExprKind::Pairs(_)
        | ExprKind::Recurrence(_) => false,
    }
}

fn is_value_of_a_variable(ty: Type) -> bool {
    match ty {
        Type::Number | Type::String | Type::Position => true,
        Type::Bool | Type::Set | Type::Piece => false,
    }
}
