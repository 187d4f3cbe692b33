//! The HIR as text, for `babson explain` and tests.

use super::{Expr, Query};

/// The typed tree of a query, a filter a line, indented by depth.
pub fn print(query: &Query) -> String {
    let mut out = String::new();
    for expr in &query.body {
        expr_tree(expr, 0, &mut out);
    }
    out
}

fn expr_tree(expr: &Expr, depth: usize, out: &mut String) {
    out.push_str(&format!(
        "{:indent$}{:?}: {:?}\n",
        "",
        expr.kind,
        expr.ty,
        indent = depth * 2
    ));
}
