//! The order of pure conjuncts, the positions that need no visit, and the loops that are not
//! needed.

mod loops;
mod visit;

use babson_lang::hir::Expr;

use crate::analysis::Analysis;
pub(crate) use loops::without_needless_loops;
pub(crate) use visit::VisitPlan;

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
