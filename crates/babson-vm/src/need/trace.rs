//! What can be seen of a filter that was evaluated in vain.

use babson_lang::hir::{Expr, ExprKind, FindMode, NumberRange, OrbitResult, UnaryFilter, VarId};

use crate::analysis::Analysis;

/// What an evaluation leaves if nothing matches in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trace {
    /// Nothing but steps.
    Nothing,
    /// Comments, which a game without a match does not show.
    Comments,
    /// State, messages or an error.
    Visible,
}

impl Trace {
    pub(crate) fn of(expr: &Expr, analysis: &Analysis) -> Trace {
        let effects = analysis.effects(expr);
        if effects.state || effects.errors && !is_bounded(expr, analysis) {
            Trace::Visible
        } else if effects.comments {
            Trace::Comments
        } else {
            Trace::Nothing
        }
    }

    /// What all of the filters leave.
    pub(super) fn of_all<'e>(
        list: impl IntoIterator<Item = &'e Expr>,
        analysis: &Analysis,
    ) -> Trace {
        let traces = list.into_iter().map(|expr| Trace::of(expr, analysis));
        traces.fold(Trace::Nothing, Trace::max)
    }
}

/// Whether the limit of steps is the only error of the filter. A search that is skipped takes no
/// steps.
fn is_bounded(expr: &Expr, analysis: &Analysis) -> bool {
    let mut bounded = is_bounded_itself(expr, analysis);
    expr.for_each_operand(&mut |operand| {
        bounded = bounded && (!analysis.effects(operand).errors || is_bounded(operand, analysis));
    });
    bounded
}

/// Whether the only error of the filter itself, apart from its operands, is the limit of steps.
fn is_bounded_itself(expr: &Expr, analysis: &Analysis) -> bool {
    match &expr.kind {
        ExprKind::Find(find) => match find.mode {
            FindMode::First | FindMode::All => true,
            FindMode::Range(range) => range.is_constant(),
        },
        ExprKind::Line(line) => line.range.is_none_or(NumberRange::is_constant),
        ExprKind::Path(path) => path.range.is_none_or(NumberRange::is_constant),
        ExprKind::ForSquares { var, body, .. } | ExprKind::ForPieces { var, body, .. } => {
            is_bound_once(*var, body, analysis)
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
        | ExprKind::Property(_)
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
pub(super) fn is_bound_once(var: VarId, body: &Expr, analysis: &Analysis) -> bool {
    let binds = |expr: &Expr| {
        if let ExprKind::ForSquares { var: inner, .. } | ExprKind::ForPieces { var: inner, .. } =
            &expr.kind
        {
            *inner == var
        } else if let ExprKind::Echo(echo) = &expr.kind {
            echo.source == var || echo.target == var
        } else {
            false
        }
    };
    analysis.is_loop_variable(var) && !body.any(&binds)
}
