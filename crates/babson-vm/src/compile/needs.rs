//! The needs of a query: what the reader must do for it.

use babson_lang::hir::{Expr, Query};
use babson_pgn::Needs;

use crate::analysis::Analysis;
use crate::optimize::VisitPlan;

pub(super) fn needs(query: &Query, visit: VisitPlan, analysis: &Analysis) -> Needs {
    let look_ahead = query.body.iter().map(|expr| analysis.effects(expr).look_ahead).max();
    let last_ply = visit.last_ply().saturating_add(look_ahead.unwrap_or(0));
    let comments = query.body.iter().any(reads_comments);
    Needs { last_ply, comments, ..Needs::TAGS }.with_variations(query.header.variations)
}

fn reads_comments(expr: &Expr) -> bool {
    let mut found = expr.kind.traits().reads_comments;
    expr.for_each_operand(&mut |operand| found = found || reads_comments(operand));
    found
}
