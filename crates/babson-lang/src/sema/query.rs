//! Typing of a parsed query.

use babson_chess::VariantNames;

use super::dictionaries::DictionaryDraft;
use super::{AnalyzedQuery, Sema, bare_values, header, warnings};
use crate::ast;
use crate::choice::CheckFailure;
use crate::diagnostic::{Code, Span};
use crate::dialect::Dialect;
use crate::steps::Steps;

/// Types a parsed query; `like` is the place of a FEN to which its positions are compared. It
/// recurses as deep as the query nests: [`analyze`](crate::analyze()) provides the stack for it.
///
/// # Errors
/// See [`CheckFailure`].
pub(crate) fn lower(
    text: &str,
    tree: &ast::Query,
    like: Option<Span>,
    dialect: Dialect,
    variants: &VariantNames,
    steps: &mut Steps,
) -> Result<AnalyzedQuery, CheckFailure> {
    let mut sema = Sema::new(dialect, variants);
    sema.query.header = tree.header.as_ref().map(header::lower).unwrap_or_default();
    if tree.items.is_empty() && like.is_none() {
        let span = tree.header.as_ref().map_or(Span::default(), |header| header.span);
        sema.error(Code::EmptyQuery, span, "the query has no filter");
    }
    // The key of `--like` is the first one.
    let like = like.and_then(|place| sema.like(place, text));
    sema.query.body = sema.closed_all(&tree.items).unwrap_or_default();
    steps.typed += sema.steps.typed;
    steps.copied += sema.steps.copied;
    // An error before the first rejected token remains whatever the reading.
    if sema.reverses_readings()
        && let Some(failure) = sema.rejections.take()
    {
        return Err(failure);
    }
    if !sema.errors.is_empty() {
        warnings::explain(text, tree, dialect, &mut sema.errors);
        return Err(CheckFailure::Errors(sema.errors));
    }
    sema.resolve_isbound();
    let Sema { mut query, mut differences, dictionaries, .. } = sema;
    query.dictionaries = dictionaries.into_iter().map(DictionaryDraft::finish).collect();
    let differences = if dialect == Dialect::CQLI {
        differences.search(&query);
        differences.diagnostics()
    } else {
        Vec::new()
    };
    let mut warnings = tree.header.as_ref().map(header::empty_ranges).unwrap_or_default();
    warnings.extend(warnings::resets(text, &query, dialect));
    warnings.extend(warnings::unread(text, tree));
    if dialect == Dialect::CQL6 {
        warnings.extend(warnings::refusals(text, tree, &query));
    }
    if dialect.bare_values {
        warnings.extend(warnings::warnings(text, tree, &mut query));
    }
    warnings.extend(warnings::holds(text, tree, &query, dialect, &warnings));
    if !dialect.bare_values {
        bare_values::stop(&mut query);
    }
    warnings.sort_by_key(|warning| warning.span);
    query.body.extend(like);
    query.number();
    Ok(AnalyzedQuery { query, differences, warnings })
}
