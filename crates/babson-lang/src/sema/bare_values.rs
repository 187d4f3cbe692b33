//! Filters that always match and are used as a condition, such as `3`, `"a"` or `max(1 2)`.
//!
//! CQL 6.2 ends the run when it evaluates such a filter as a condition. This pass replaces each of
//! them by a filter that does so.

use super::demand::{self, LastOfBraces};
use crate::hir::{Condition, Demand, Expr, ExprKind, PathStatus, Property, Query, Type, Var};

/// Replaces the bare values of a query by filters that end the run.
pub(super) fn stop(query: &mut Query) {
    let vars = std::mem::take(&mut query.vars);
    demand::walk(query, LastOfBraces::Value, &mut |e, context| {
        let path_count = ExprKind::Property(Property::Path(PathStatus::Count));
        let counts_the_path = context.in_path && e.kind == path_count;
        if context.demand == Demand::Match && (counts_the_path || always_matches(e, &vars)) {
            let filter = Expr::new(ExprKind::Condition(Condition::BareValue), e.span);
            *e = Expr { id: e.id, ..filter };
        }
    });
    query.vars = vars;
}

/// Whether CQL 6.2 ends the run if the filter is used as a condition.
fn always_matches(e: &Expr, vars: &[Var]) -> bool {
    if let ExprKind::Var(var) = &e.kind {
        let ty = vars.get(var.0 as usize).map(|var| var.ty);
        matches!(ty, Some(Type::Number | Type::String | Type::Position))
    } else {
        e.kind.traits().always_matches
    }
}
