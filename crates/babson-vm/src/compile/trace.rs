//! What a trace calls the filters.

use std::collections::HashMap;

use babson_lang::Span;
use babson_lang::hir::{self, Expr, ExprKind, Query};

use crate::profile::ProfiledFilter;

/// The labels of the counted filters: of several nodes with one span, that of the outermost, and of
/// the images of a filter, that of the filter as the query writes it.
pub(super) fn labels(query: &Query, filters: &[ProfiledFilter]) -> Vec<String> {
    fn collect(query: &Query, expr: &Expr, labels: &mut HashMap<Span, Option<String>>) {
        if let Some(label @ None) = labels.get_mut(&expr.span) {
            *label = Some(hir::label(query, expr));
        }
        if let ExprKind::Orbit { source, .. } = &expr.kind
            && let Some(operand) = source.operand()
        {
            collect(query, operand, labels);
        }
        expr.for_each_operand(&mut |operand| collect(query, operand, labels));
    }
    let mut labels = filters.iter().map(|filter| (filter.span, None)).collect();
    for expr in query.body.iter().chain(&query.begin).chain(&query.end) {
        collect(query, expr, &mut labels);
    }
    let label = |filter: &ProfiledFilter| labels.get(&filter.span).cloned().flatten();
    filters.iter().map(|filter| label(filter).unwrap_or_default()).collect()
}
