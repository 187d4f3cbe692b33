//! Typing of a parsed query.

use babson_chess::VariantNames;

use super::{AnalyzedQuery, Sema, bare_values, dictionaries, header, warnings};
use crate::ast;
use crate::diagnostic::{Code, Span};
use crate::dialect::Dialect;
use crate::hir;
use crate::limits::MAX_ERRORS;
use crate::speculation::CheckFailure;
use crate::steps::Steps;

/// Types a parsed query. It recurses as deep as the query nests: [`analyze`](crate::analyze())
/// provides the stack for it.
///
/// # Errors
/// See [`CheckFailure`].
pub(crate) fn lower(
    text: &str,
    query: &ast::Query,
    dialect: Dialect,
    variants: &VariantNames,
    steps: &mut Steps,
) -> Result<AnalyzedQuery, CheckFailure> {
    let mut sema = Sema::new(dialect, variants);
    let result = sema.query(text, query);
    steps.typed += sema.steps.typed;
    steps.copied += sema.steps.copied;
    result
}

impl<'a> Sema<'a> {
    fn query(&mut self, text: &str, query: &'a ast::Query) -> Result<AnalyzedQuery, CheckFailure> {
        let (sema, tree) = (self, query);
        let header = query.header.as_ref().map(header::lower).unwrap_or_default();
        let mut body = sema.items(query);
        // An error before the first rejected token remains whatever the reading.
        if sema.reverses_readings()
            && let Some(failure) = sema.rejections.take()
        {
            return Err(failure);
        }
        if !sema.errors.is_empty() {
            let mut errors = std::mem::take(&mut sema.errors);
            warnings::explain(text, tree, sema.dialect, &mut errors);
            return Err(CheckFailure::Errors(errors));
        }
        let (mut begin, mut end) = (std::mem::take(&mut sema.begin), std::mem::take(&mut sema.end));
        sema.resolve_isbound([&mut body, &mut begin, &mut end]);
        let mut query = hir::Query {
            header,
            body,
            begin,
            end,
            vars: std::mem::take(&mut sema.vars),
            dictionaries: std::mem::take(&mut sema.dictionaries)
                .into_iter()
                .map(dictionaries::DictionaryDraft::finish)
                .collect(),
            sorts: std::mem::take(&mut sema.sorts),
            nodes: 0,
            nest_bans: 0,
            similar: sema.similar.take(),
            runs: 0,
            requires_variations: sema.requires_variations,
        };
        let mut differences = std::mem::take(&mut sema.differences);
        let differences = if sema.dialect == Dialect::CQLI {
            differences.search(&query);
            differences.diagnostics()
        } else {
            Vec::new()
        };
        let mut warnings = warnings::resets(text, &query, sema.dialect);
        if sema.dialect.bare_values {
            warnings.extend(warnings::warnings(text, tree, &mut query));
            warnings.sort_by_key(|warning| warning.span);
        } else {
            bare_values::stop(&mut query);
        }
        query.number();
        Ok(AnalyzedQuery { query, differences, warnings })
    }

    /// The filters of the query, up to an error after which no others can be found.
    fn items(&mut self, query: &'a ast::Query) -> Vec<hir::Expr> {
        let mut body = Vec::with_capacity(query.items.len());
        for item in &query.items {
            body.extend(self.closed(item));
            self.continue_after_rejection(item);
            if self.rejections.stop() || self.errors.len() >= MAX_ERRORS {
                break;
            }
        }
        if query.items.is_empty() {
            let span = query.header.as_ref().map_or(Span::default(), |header| header.span);
            self.error(Code::EmptyQuery, span, "the query has no filter");
        }
        body
    }
}
