//! The filters of a conjunction.

use babson_lang::hir::{Expr, ExprKind};

/// The filters of a conjunction in evaluation order, nested sequences flattened.
pub(crate) fn conjuncts<'e>(list: impl IntoIterator<Item = &'e Expr>, out: &mut Vec<&'e Expr>) {
    for expr in list {
        if let ExprKind::Sequence(inner) = &expr.kind {
            conjuncts(inner, out);
        } else if let ExprKind::And(a, b) = &expr.kind {
            conjuncts([&**a, &**b], out);
        } else if let ExprKind::NoTransform(inner) = &expr.kind {
            conjuncts([&**inner], out);
        } else if expr.kind != ExprKind::Bool(true) {
            out.push(expr);
        }
    }
}
