//! The order of pure conjuncts, the positions that need no visit, and the loops that are not
//! needed.

mod loops;

use babson_lang::hir::{ComparisonOperator, Condition, Expr, ExprKind, Property, Shape};

use crate::analysis::{Analysis, conjuncts, first_filter};
pub(crate) use loops::without_needless_loops;

/// The positions at which the query can match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VisitPlan {
    All,
    /// Only the initial position.
    First,
    /// Positions without a child.
    Terminal,
}

/// Sorts each run of adjacent pure filters by cost. Returns whether the order changed.
pub(crate) fn reorder(list: &mut [&Expr], analysis: &Analysis) -> bool {
    let mut changed = false;
    let mut start = 0;
    while start < list.len() {
        let run = list[start..].iter().take_while(|e| analysis.effects(e).is_pure()).count();
        let part = &mut list[start..start + run];
        // Filters with a known outcome are ordered by the cost of their first evaluation.
        let cost = |expr: &&Expr| {
            let effects = analysis.effects(expr);
            (effects.cost_again(), effects.cost)
        };
        if !part.is_sorted_by_key(cost) {
            part.sort_by_key(cost);
            changed = true;
        }
        start += run + 1;
    }
    changed
}

/// The positions that must be visited. A filter that matches at few positions decides, if no filter
/// before it can have an effect.
pub(crate) fn visit(list: &[&Expr], analysis: &Analysis) -> VisitPlan {
    let mut visit = VisitPlan::All;
    for expr in list {
        match needed(expr) {
            VisitPlan::First => return VisitPlan::First,
            VisitPlan::Terminal => visit = VisitPlan::Terminal,
            VisitPlan::All => {}
        }
        if !analysis.effects(expr).is_pure() {
            break;
        }
    }
    visit
}

/// The only positions at which the filter can match, or do anything else.
fn needed(expr: &Expr) -> VisitPlan {
    if let Shape::Line(line) = Shape::of(expr) {
        return first_filter(line).map_or(VisitPlan::All, |filter| {
            let mut parts = Vec::new();
            conjuncts([filter], &mut parts);
            parts.first().map_or(VisitPlan::All, |first| needed(first))
        });
    }
    if let Shape::Compare(ComparisonOperator::Equal, a, b) = Shape::of(expr)
        && matches!(a.kind, ExprKind::Property(Property::Ply | Property::PositionId))
        && matches!(b.kind, ExprKind::Number(0))
    {
        return VisitPlan::First;
    }
    if expr.kind == ExprKind::Condition(Condition::Initial) {
        VisitPlan::First
    } else if expr.kind == ExprKind::Condition(Condition::Terminal) {
        VisitPlan::Terminal
    } else {
        VisitPlan::All
    }
}
