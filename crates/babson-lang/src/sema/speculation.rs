//! Speculative parsing: the parser takes the first reading of each ambiguous token. If the type
//! check vetoes a reading, the text is parsed again with the second one.

use babson_chess::VariantNames;

use super::query::count_lower;
use super::{AnalyzedQuery, TypeCheckFailure};
use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::parse::{Choices, QueryParts, SourceTexts, too_ambiguous};
use crate::steps::Steps;

/// Parses a query of the modern language, which may be made of several texts, and checks its types.
///
/// # Errors
/// All errors that were found, in the order of the text. Their spans are those in `text`, which
/// holds all parts.
pub fn analyze_parts(
    text: &str,
    parts: &QueryParts,
    dialect: Dialect,
    variants: &VariantNames,
) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
    parse_and_check(text, parts, dialect, variants, &mut Steps::default()).1
}

/// Parses the query, and parses it again while the type check rejects a speculative reading of a
/// token. Returns the tree, if the text parses, and the result of the type check.
pub(crate) fn parse_and_check(
    text: &str,
    parts: &QueryParts,
    dialect: Dialect,
    variants: &VariantNames,
    steps: &mut Steps,
) -> (Option<ast::Query>, Result<AnalyzedQuery, Vec<Diagnostic>>) {
    let texts = match SourceTexts::new(text, parts, dialect, steps) {
        Ok(texts) => texts,
        Err(errors) => return (None, Err(errors)),
    };
    let mut choices = Choices::default();
    // The error of the first reading, for the case that the second one does not parse either.
    let mut veto_error = None;
    // The number of vetoes with which the text last parsed. Those after them are the latest ones.
    let mut confirmed = 0;
    loop {
        let query = match texts.parse(&mut choices, steps) {
            Ok(query) => query,
            // One of the latest vetoes was wrong. Keep those before the error.
            Err(errors) if choices.veto_count() > confirmed + 1 => {
                choices
                    .retract_vetoes(confirmed, errors.first().map_or(0, |error| error.span.start));
                continue;
            }
            // The second reading does not parse either: report the error of the first.
            Err(errors) => return (None, Err(veto_error.map_or(errors, |error| vec![error]))),
        };
        let (result, work) = count_lower(Some(text), &query, dialect, variants);
        steps.typed += work.typed;
        steps.copied += work.copied;
        match result {
            Ok(analysis) => return (Some(query), Ok(analysis)),
            Err(TypeCheckFailure::Errors(errors)) => return (Some(query), Err(errors)),
            Err(TypeCheckFailure::Veto(spans, error)) => {
                confirmed = choices.veto_count();
                if !choices.add_vetoes(spans) {
                    return (Some(query), Err(vec![*error]));
                }
                if !steps.may_read_again(text.len()) {
                    return (Some(query), Err(vec![too_ambiguous(error.span)]));
                }
                veto_error = Some(*error);
            }
        }
    }
}

/// The offsets of the name `x` in a query that parses. The `x` of `[x]` is one of them only if the
/// brackets are not a capture.
pub(crate) fn offsets_of_x(text: &str, dialect: Dialect) -> Option<Vec<u32>> {
    fn collect(e: &ast::Expr, offsets: &mut Vec<u32>) {
        if matches!(&e.kind, ast::ExprKind::Name(name) if name == "x") {
            offsets.push(e.span.start);
        }
        e.kind.for_each_child(&mut |child| collect(child, offsets));
    }
    let query = parse_and_check(
        text,
        &QueryParts::whole(text),
        dialect,
        &VariantNames::default(),
        &mut Steps::default(),
    )
    .0?;
    let mut offsets = Vec::new();
    for item in &query.items {
        collect(item, &mut offsets);
    }
    Some(offsets)
}
