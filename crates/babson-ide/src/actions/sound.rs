//! Whether a change keeps a query correct.

use babson_lang::diagnostic::{Edit, Fix};
use babson_lang::hir::{Expr, Query};
use babson_lang::imports::resolve;
use babson_lang::{QuerySpans, declared_dialect};

use crate::options::Options;

/// The typed query of a text; `None` if it has errors.
pub(super) fn typed(text: &str, options: &Options) -> Option<Query> {
    let declared = declared_dialect(text).ok()?;
    let dialect = options.dialect.or(declared).unwrap_or_default();
    let resolved = resolve(text, &QuerySpans::whole(text), dialect, &*options.imports);
    resolved.analyze(dialect, &options.variants).ok().map(|analysis| analysis.query)
}

/// The text after the edits.
pub(super) fn edited(text: &str, edits: &[Edit]) -> Option<String> {
    Fix::edit("", edits.to_vec()).apply(text)
}

/// Whether two queries do the same: their filters are equal, but for filters that always match and
/// do nothing, such as the definition of a function.
pub(super) fn are_equal(one: &Query, other: &Query) -> bool {
    let filters = |query: &Query| -> Vec<Expr> {
        let all = query.begin.iter().chain(&query.body).chain(&query.end);
        all.filter(|e| !is_definition(e)).cloned().collect()
    };
    filters(one) == filters(other)
        && one.header == other.header
        && one.dictionaries == other.dictionaries
        && one.sorts == other.sorts
}

/// What the definition of a function leaves: a filter that always matches.
fn is_definition(e: &Expr) -> bool {
    matches!(e.kind, babson_lang::hir::ExprKind::Bool(true))
}
