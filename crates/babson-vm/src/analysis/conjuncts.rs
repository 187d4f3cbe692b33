//! The filters of a conjunction.

use babson_lang::hir::{Expr, ExprKind, LineConstituentKind, LineFilter, NumberRange};

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

/// The filter that a line evaluates first, at the current position, if it must match.
pub(crate) fn first_filter(line: &LineFilter) -> Option<&Expr> {
    let constant = line.range.is_none_or(NumberRange::is_constant);
    let first = line.constituents.first()?;
    let required = first.repeats.iter().all(|repeat| repeat.0 > 0);
    match &first.kind {
        LineConstituentKind::Filter(filter) if constant && required => Some(filter),
        LineConstituentKind::Filter(_) | LineConstituentKind::Group(_) => None,
    }
}
