//! Loops over squares that test them one by one for what a filter of sets tests at once.

use std::collections::HashSet;

use babson_lang::hir::{BinaryFilter, Expr, ExprKind, NameUse, Query, VarId};

use crate::analysis::{Analysis, Loops, conjuncts};

/// A copy of the query in which `square x in A x attacks k` is `A attacks k`; `None` if it has no
/// such loop.
///
/// The loop has the value of the filter: both filters say of each square of their first set, apart
/// from the others, whether it belongs to their value.
pub(crate) fn without_needless_loops(query: &Query) -> Option<Query> {
    let may_be_needless = |expr: &Expr| {
        matches!(&expr.kind, ExprKind::ForSquares { body, all: false, .. }
            if joined_filter(body).is_some())
    };
    if !query.body.iter().any(|expr| expr.any(&may_be_needless)) {
        return None;
    }
    let analysis = Analysis::new(query, Loops::of(&query.body), HashSet::new());
    let mut query = query.clone();
    let mut changed = false;
    for expr in &mut query.body {
        changed |= join(expr, &analysis, &mut Vec::new());
    }
    changed.then_some(query)
}

/// Replaces the needless loops of a filter. `around`: the variables of the loops around it. Returns
/// whether there were any.
fn join(expr: &mut Expr, analysis: &Analysis, around: &mut Vec<VarId>) -> bool {
    let mut changed = false;
    let loops = around.len();
    if let ExprKind::ForSquares { var, .. } | ExprKind::ForPieces { var, .. } = expr.kind {
        around.push(var);
    }
    expr.for_each_operand_mut(&mut |operand| changed |= join(operand, analysis, around));
    around.truncate(loops);
    if let Some(kind) = joined(expr, analysis, around) {
        expr.kind = kind;
        changed = true;
    }
    changed
}

/// The filter that has the value of a loop, if there is one.
fn joined(expr: &Expr, analysis: &Analysis, around: &[VarId]) -> Option<ExprKind> {
    let ExprKind::ForSquares { var, set, body, all: false } = &expr.kind else { return None };
    let (filter, squares, others) = joined_filter(body)?;
    let reads_var = |expr: &Expr| {
        let mut reads = false;
        expr.for_each_name(&mut |name| {
            reads |= matches!(name, NameUse::Variable(other, _) if other == *var);
        });
        reads
    };
    // A variable that is bound already is an error, and so may be the operand.
    let is_needless = matches!(squares.kind, ExprKind::Var(square) if square == *var)
        && !around.contains(var)
        && analysis.is_loop_variable(*var)
        && analysis.effects(set).is_pure()
        && analysis.effects(others).is_pure()
        && !others.any(&reads_var);
    is_needless.then(|| ExprKind::Binary(filter, set.clone(), Box::new(others.clone())))
}

/// The filter of two sets that a body consists of.
fn joined_filter(body: &Expr) -> Option<(BinaryFilter, &Expr, &Expr)> {
    let mut filters = Vec::new();
    conjuncts([body], &mut filters);
    let [only] = filters[..] else { return None };
    let ExprKind::Binary(filter, squares, others) = &only.kind else { return None };
    matches!(filter, BinaryFilter::Attacks | BinaryFilter::AttackedBy)
        .then_some((*filter, squares, others))
}
