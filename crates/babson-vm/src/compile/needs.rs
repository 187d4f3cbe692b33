//! The needs of a query: what the reader must do for it.

use babson_lang::hir::{Expr, Query};
use babson_pgn::Needs;

use crate::analysis::Analysis;
use crate::optimize::VisitPlan;

pub(super) fn needs(query: &Query, visit: VisitPlan, analysis: &Analysis) -> Needs {
    let tree = query.body.iter().any(|expr| analysis.effects(expr).tree);
    let mut needs = if visit.is_first() && !tree && query.header.match_count.is_none() {
        Needs::TAGS
    } else {
        Needs::MAIN_LINE
    };
    needs.variations = query.header.variations;
    needs.comments = query.body.iter().any(reads_comments);
    needs
}

fn reads_comments(expr: &Expr) -> bool {
    let mut found = expr.kind.traits().reads_comments;
    expr.for_each_operand(&mut |operand| found = found || reads_comments(operand));
    found
}
