//! A literal alone as a filter matches everything: a warning says what was probably meant. Other
//! warnings are about queries that no game matches, or that CQL 6.2 refuses.

mod cql6;
mod never;
mod unread;
mod values;
mod words;

use babson_lang::diagnostic::Code;
use babson_lang::hir::{Condition, Expr, ExprKind};
use babson_lang::{Dialect, analyze};

/// The place and the help of each warning.
fn warnings(query: &str) -> Vec<(String, String)> {
    let analysis =
        analyze(query, Dialect::CQLI).unwrap_or_else(|errors| panic!("{query}: {}", errors[0]));
    let told = |one: &babson_lang::Diagnostic| {
        (one.span.text(query).to_owned(), one.help.clone().unwrap_or_default())
    };
    analysis.warnings.iter().map(told).collect()
}

/// The last query in a help text.
fn named(help: &str) -> &str {
    help.rsplit('`').nth(1).unwrap_or_default()
}

/// The code, the place and the help of each warning.
fn coded(query: &str) -> Vec<(&'static str, String, String)> {
    let analysis =
        analyze(query, Dialect::CQLI).unwrap_or_else(|errors| panic!("{query}: {}", errors[0]));
    let told = |one: &babson_lang::Diagnostic| {
        let help = one.help.clone().unwrap_or_default();
        (one.code.as_str(), one.span.text(query).to_owned(), help)
    };
    analysis.warnings.iter().map(told).collect()
}
