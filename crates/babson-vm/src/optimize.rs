//! What the compiler may do without changing any result: order of pure conjuncts, and positions
//! that need no visit.

use babson_lang::hir::{ComparisonOperator, Condition, Expr, ExprKind, Quantity};

use crate::analysis::{Analysis, Shape, conjuncts, first_filter};

/// At which positions the query can match at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VisitPlan {
    All,
    /// The initial one only.
    First,
    /// Those without a child.
    Terminal,
}

/// Sorts each run of neighbouring pure filters by cost. Returns whether the order changed.
pub(crate) fn reorder(list: &mut [&Expr], analysis: &Analysis) -> bool {
    let mut changed = false;
    let mut start = 0;
    while start < list.len() {
        let run = list[start..].iter().take_while(|e| analysis.flags(e).is_pure()).count();
        let part = &mut list[start..start + run];
        // Of those whose outcome will be known the cheapest is asked first.
        let cost = |expr: &&Expr| {
            let flags = analysis.flags(expr);
            (flags.cost_again(), flags.cost)
        };
        if !part.is_sorted_by_key(cost) {
            part.sort_by_key(cost);
            changed = true;
        }
        start += run + 1;
    }
    changed
}

/// Which positions must be visited: a filter that holds at few positions decides, if nothing
/// before it could have an effect.
pub(crate) fn visit(list: &[&Expr], analysis: &Analysis) -> VisitPlan {
    let mut visit = VisitPlan::All;
    for expr in list {
        match needed(expr) {
            VisitPlan::First => return VisitPlan::First,
            VisitPlan::Terminal => visit = VisitPlan::Terminal,
            VisitPlan::All => {}
        }
        if !analysis.flags(expr).is_pure() {
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
        && matches!(a.kind, ExprKind::Quantity(Quantity::Ply | Quantity::PositionId))
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
