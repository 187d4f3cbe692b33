//! Filters that leave no trace in a game that does not match.

use babson_lang::hir::{Expr, ExprKind, FindMode, NumberRange, OrbitResult, UnaryFilter, VarId};

use super::derive::GuardDerivation;

impl GuardDerivation<'_> {
    /// Whether nothing that the filter does can be seen if the game does not match. Comments of a
    /// game without a match cannot be seen.
    pub(super) fn is_quiet(&self, expr: &Expr) -> bool {
        let effects = self.analysis.effects(expr);
        if effects.state {
            return false;
        }
        if !effects.errors {
            return true;
        }
        let mut quiet = self.is_bounded(expr);
        expr.for_each_operand(&mut |operand| quiet = quiet && self.is_quiet(operand));
        quiet
    }

    /// Whether the only error of the filter itself, apart from its operands, is the limit of steps.
    fn is_bounded(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Find(find) => match find.mode {
                FindMode::First | FindMode::All => true,
                FindMode::Range(range) => range.is_constant(),
            },
            ExprKind::Line(line) => line.range.is_none_or(NumberRange::is_constant),
            ExprKind::Path(path) => path.range.is_none_or(NumberRange::is_constant),
            ExprKind::ForSquares { var, body, .. } | ExprKind::ForPieces { var, body, .. } => {
                self.is_bound_once(*var, body)
            }
            ExprKind::Direction { range, .. } => range.is_distance(),
            ExprKind::Orbit { result, .. } => match result {
                OrbitResult::Count(range) => range.is_constant(),
                OrbitResult::Union | OrbitResult::Max | OrbitResult::Any => true,
            },
            ExprKind::Sequence(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Not(_)
            | ExprKind::If { .. }
            | ExprKind::NoTransform(_)
            | ExprKind::Arithmetic(..)
            | ExprKind::Compare(..)
            | ExprKind::Unary(UnaryFilter::Count, _)
            | ExprKind::Binary(..)
            | ExprKind::Move(_)
            | ExprKind::Dash(_)
            | ExprKind::PositionSequence(_)
            | ExprKind::Aligned(..)
            | ExprKind::Comment(_)
            | ExprKind::Field { .. } => true,
            ExprKind::Bool(_)
            | ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Designator(_)
            | ExprKind::Squares(_)
            | ExprKind::Var(_)
            | ExprKind::Condition(_)
            | ExprKind::Quantity(_)
            | ExprKind::Unary(..)
            | ExprKind::Equal(..)
            | ExprKind::Extreme { .. }
            | ExprKind::While { .. }
            | ExprKind::Loop(_)
            | ExprKind::With { .. }
            | ExprKind::FenPattern(_)
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
            | ExprKind::Echo(_)
            | ExprKind::ConsecutiveMoves(_)
            | ExprKind::Sort { .. }
            | ExprKind::Message { .. }
            | ExprKind::Str(_)
            | ExprKind::SetTag { .. }
            | ExprKind::RemoveTag(_)
            | ExprKind::HasNag(_)
            | ExprKind::WriteFile { .. }
            | ExprKind::CommandPipe { .. }
            | ExprKind::Assert(_)
            | ExprKind::GameLists(_)
            | ExprKind::Pairs(_)
            | ExprKind::Recurrence(_) => false,
        }
    }

    /// Whether a loop finds its variable unbound, which it demands.
    pub(super) fn is_bound_once(&self, var: VarId, body: &Expr) -> bool {
        let binds = |expr: &Expr| {
            if let ExprKind::ForSquares { var: inner, .. }
            | ExprKind::ForPieces { var: inner, .. } = &expr.kind
            {
                *inner == var
            } else if let ExprKind::Echo(echo) = &expr.kind {
                echo.source == var || echo.target == var
            } else {
                false
            }
        };
        self.analysis.is_loop_variable(var) && !body.any(&binds)
    }
}
