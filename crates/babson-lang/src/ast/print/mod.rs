//! Prints the AST as an S-expression on one line, for tests and `babson explain`.
//!
//! ```
//! use babson_lang::{Dialect, ast::print, parse};
//! let query = parse("#A|a - 1 > 3 mate", Dialect::CQLI).unwrap();
//! assert_eq!(print::query(&query), "(> (- (# (| A a)) 1) 3) mate");
//! ```

mod expr;
mod spelling;

use std::fmt::{self, Write};

use super::{Expr, Query};
use expr::write_expr;
pub use spelling::designator;
pub(crate) use spelling::flags;

/// Prints all filters of a query, separated by spaces.
pub fn query(query: &Query) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = list(&mut out, &query.items);
    out.trim_start().to_string()
}

/// Prints one expression.
pub fn expr(e: &Expr) -> String {
    let mut out = String::new();
    let _ = write_expr(&mut out, e);
    out
}

fn list<'a>(out: &mut String, items: impl IntoIterator<Item = &'a Expr>) -> fmt::Result {
    items.into_iter().try_for_each(|item| {
        out.push(' ');
        write_expr(out, item)
    })
}

/// `(head child child …)`.
fn form<'a>(
    out: &mut String,
    head: &str,
    items: impl IntoIterator<Item = &'a Expr>,
) -> fmt::Result {
    write!(out, "({head}")?;
    list(out, items)?;
    out.write_char(')')
}

fn form_in<'a>(
    out: &mut String,
    head: &str,
    items: impl IntoIterator<Item = &'a Expr>,
) -> fmt::Result {
    out.push(' ');
    form(out, head, items)
}
