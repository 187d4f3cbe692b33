//! Filters whose outcome at a node of the game is the same at each evaluation.

use babson_lang::hir::{Expr, ExprKind, NameUse, Property, UnaryFilter, VarId, VariableUse};

use super::query::{Analysis, asks_for_path};

impl Analysis {
    /// Whether the outcome of the filter depends on the game and on the node at which it begins
    /// only, and the filter has no effects: on the board of a node it is the same each time in a
    /// game. The filter may still end the game with an error, always the same one at a node.
    pub(crate) fn depends_on_node_only(&self, filter: &Expr) -> bool {
        let effects = self.effects(filter);
        !effects.comments
            && !effects.state
            && !asks_for_path(filter)
            && self.reads_only_own(filter, &mut Vec::new())
    }

    /// Whether the filter reads no variables but the ones of the loops in it. `bound`: the
    /// variables of the loops around.
    fn reads_only_own(&self, expr: &Expr, bound: &mut Vec<VarId>) -> bool {
        if let ExprKind::ForSquares { var, set, body, .. }
        | ExprKind::ForPieces { var, set, body, .. } = &expr.kind
        {
            return self.reads_only_own(set, bound) && self.binds(&[*var], body, bound);
        }
        if let ExprKind::Echo(echo) = &expr.kind {
            return self.binds(&[echo.source, echo.target], &echo.body, bound);
        }
        let mut own =
            !depends_on_the_past(expr) && expr.range().is_none_or(|range| range.is_constant());
        expr.for_each_name(&mut |name| {
            own &= match name {
                NameUse::Variable(var, VariableUse::Read) => bound.contains(&var),
                NameUse::Variable(..) | NameUse::Dictionary(..) => false,
            };
        });
        expr.for_each_operand(&mut |operand| own = own && self.reads_only_own(operand, bound));
        own
    }

    /// Whether a loop over the variables, which nothing but loops changes, reads only its own.
    fn binds(&self, vars: &[VarId], body: &Expr, bound: &mut Vec<VarId>) -> bool {
        if !vars.iter().all(|&var| self.is_loop_variable(var)) {
            return false;
        }
        let around = bound.len();
        bound.extend(vars);
        let own = self.reads_only_own(body, bound);
        bound.truncate(around);
        own
    }
}

/// Whether the filter itself depends on what was evaluated before: on saved positions, on files, on
/// the board around, on the latest match of a regular expression or of `similarposition`.
fn depends_on_the_past(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Group(_)
            | ExprKind::GroupIndex(_)
            | ExprKind::Property(Property::SubmissionGame | Property::CurrentMutation)
            | ExprKind::Unary(UnaryFilter::PositionAt | UnaryFilter::ReadFile, _)
    )
}
