//! The entries of a trace before its filters are evaluated.

use std::collections::HashMap;

use babson_lang::Span;
use babson_lang::hir::{self, Expr, ExprKind, Query, Type};

use crate::TraceEntry;
use crate::profile::ProfiledFilter;
use crate::trace::TracedFilter;

/// What a trace tells of a filter wherever it is evaluated.
struct FilterNature {
    label: String,
    names_squares: bool,
}

/// The counted filters in the order of a trace: operands after the filter that they belong to.
pub(super) fn traced(query: &Query, filters: &[ProfiledFilter]) -> Vec<TracedFilter> {
    let mut natures = natures(query, filters);
    let mut operands = vec![Vec::new(); filters.len()];
    // The filters that are yet to be visited, the next one last.
    let mut open = Vec::new();
    for (index, filter) in filters.iter().enumerate() {
        match filter.parent {
            Some(parent) => operands[parent as usize].push(index),
            None => open.push((index, 0)),
        }
    }
    open.reverse();
    let mut traced = Vec::with_capacity(filters.len());
    while let Some((counter, depth)) = open.pop() {
        open.extend(operands[counter].iter().rev().map(|&operand| (operand, depth + 1)));
        let nature = natures.get_mut(&filters[counter].span).and_then(Option::as_mut);
        let (label, names_squares) = match nature {
            Some(nature) => (nature.label.clone(), nature.names_squares),
            None => (String::new(), false),
        };
        let entry = TraceEntry {
            span: filters[counter].span,
            label,
            depth,
            names_squares,
            evaluated: 0,
            matched: 0,
            value: None,
            elsewhere: None,
        };
        traced.push(TracedFilter { counter, entry });
    }
    traced
}

/// Finds the natures of the counted filters by their span. If several nodes have the same span, the
/// outermost one counts. If a filter has images, they share the nature of the filter as the query
/// writes it.
fn natures(query: &Query, filters: &[ProfiledFilter]) -> HashMap<Span, Option<FilterNature>> {
    fn collect(query: &Query, expr: &Expr, natures: &mut HashMap<Span, Option<FilterNature>>) {
        if let Some(nature @ None) = natures.get_mut(&expr.span) {
            let names_squares = matches!(expr.ty, Type::Set | Type::Piece);
            *nature = Some(FilterNature { label: hir::label(query, expr), names_squares });
        }
        if let ExprKind::Orbit { source, .. } = &expr.kind
            && let Some(operand) = source.operand()
        {
            collect(query, operand, natures);
        }
        expr.for_each_operand(&mut |operand| collect(query, operand, natures));
    }
    let mut natures = filters.iter().map(|filter| (filter.span, None)).collect();
    for expr in query.body.iter().chain(&query.begin).chain(&query.end) {
        collect(query, expr, &mut natures);
    }
    natures
}
