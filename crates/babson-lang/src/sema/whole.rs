//! A whole query: from its text, or from its tree.

use babson_chess::VariantNames;

use super::{Analysis, Failure, Sema, advice, dictionaries, header, values};
use crate::ast;
use crate::diagnostic::{Diagnostic, Span};
use crate::dialect::Dialect;
use crate::hir;
use crate::limits::MAX_ERRORS;
use crate::parse::{Choices, Parts, Texts, too_ambiguous};
use crate::steps::Steps;

/// Queries of at most this depth are typed on the caller's stack.
const SHALLOW: usize = 60;
/// Bytes of stack for deeper ones: an unoptimised build needs about 10 KiB a level.
const STACK: usize = 32 << 20;

/// Parses and types a query.
///
/// # Errors
/// All errors that were found, in the order of the text.
///
/// ```
/// use babson_lang::{Dialect, sema::analyse};
///
/// let analysis = analyse("cql() mate", Dialect::CQL6).unwrap();
/// assert_eq!(analysis.query.body.len(), 1);
/// assert!(analyse("cql() A + 1", Dialect::CQL6).is_err());
/// ```
pub fn analyse(text: &str, dialect: Dialect) -> Result<Analysis, Vec<Diagnostic>> {
    analyse_with(text, dialect, &VariantNames::default())
}

/// [`analyse`] where the variants of `variant "X"` have further names.
///
/// # Errors
/// As [`analyse`].
pub fn analyse_with(
    text: &str,
    dialect: Dialect,
    variants: &VariantNames,
) -> Result<Analysis, Vec<Diagnostic>> {
    if crate::cql3::begins_query(text) {
        return crate::cql3::analyse(text);
    }
    analyse_parts(text, &Parts::whole(text), dialect, variants)
}

/// [`analyse_with`] of a query of the modern language that is made of several texts.
///
/// # Errors
/// As [`analyse`]; the places are those in the text that holds all of them.
pub fn analyse_parts(
    text: &str,
    parts: &Parts,
    dialect: Dialect,
    variants: &VariantNames,
) -> Result<Analysis, Vec<Diagnostic>> {
    settle(text, parts, dialect, variants, &mut Steps::default()).1
}

/// A query with its ambiguous tokens read as the types want it, as far as it parses, and what the
/// typing pass says of it.
pub(crate) fn settle(
    text: &str,
    parts: &Parts,
    dialect: Dialect,
    variants: &VariantNames,
    steps: &mut Steps,
) -> (Option<ast::Query>, Result<Analysis, Vec<Diagnostic>>) {
    let texts = match Texts::new(text, parts, dialect, steps) {
        Ok(texts) => texts,
        Err(errors) => return (None, Err(errors)),
    };
    let mut choices = Choices::default();
    let mut blamed = None;
    // How many tokens were turned before the last round.
    let mut sure = 0;
    loop {
        let query = match texts.parse(&mut choices, steps) {
            Ok(query) => query,
            // One of them is to blame: those before it stand.
            Err(errors) if choices.len() > sure + 1 => {
                choices.doubt(sure, errors.first().map_or(0, |error| error.span.start));
                continue;
            }
            // The other reading of the last guess is no better: report what was wrong with the
            // first.
            Err(errors) => return (None, Err(blamed.map_or(errors, |error| vec![error]))),
        };
        let (result, typed) =
            with_room(&query, || count_lower(Some(text), &query, dialect, variants));
        steps.typed += typed.typed;
        steps.copied += typed.copied;
        match result {
            Ok(analysis) => return (Some(query), Ok(analysis)),
            Err(Failure::Errors(errors)) => return (Some(query), Err(errors)),
            Err(Failure::Veto(spans, error)) => {
                sure = choices.len();
                if !choices.turn(spans) {
                    return (Some(query), Err(vec![error]));
                }
                if !steps.may_read_again(text.len()) {
                    return (Some(query), Err(vec![too_ambiguous(error.span)]));
                }
                blamed = Some(error);
            }
        }
    }
}

/// Where the name `x` stands in a query that parses: in `[x]` only if that is no capture.
pub(crate) fn places_of_x(text: &str, dialect: Dialect) -> Option<Vec<u32>> {
    fn collect(e: &ast::Expr, places: &mut Vec<u32>) {
        if matches!(&e.kind, ast::ExprKind::Name(name) if name == "x") {
            places.push(e.span.start);
        }
        e.kind.for_each_child(&mut |child| collect(child, places));
    }
    let query =
        settle(text, &Parts::whole(text), dialect, &VariantNames::default(), &mut Steps::default())
            .0?;
    Some(with_room(&query, || {
        let mut places = Vec::new();
        for item in &query.items {
            collect(item, &mut places);
        }
        places
    }))
}

/// Runs the typing of a deep query on a stack that suffices for
/// [`MAX_TYPED_DEPTH`](crate::limits::MAX_TYPED_DEPTH), whatever the caller has left.
fn with_room<T: Send>(query: &ast::Query, work: impl Fn() -> T + Sync) -> T {
    // No function can be in itself, so calls nest no deeper than all items together.
    let depth: usize = query.items.iter().map(|item| usize::from(item.depth)).sum();
    if depth <= SHALLOW {
        return work();
    }
    std::thread::scope(|scope| {
        match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &work) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // No thread to be had: the stack there is must do.
            Err(_) => work(),
        }
    })
}

/// Types a parsed query. It recurses as deep as the query nests; [`analyse`] sees to the stack.
///
/// # Errors
/// See [`Failure`].
pub fn lower(
    query: &ast::Query,
    dialect: Dialect,
    variants: &VariantNames,
) -> Result<Analysis, Failure> {
    count_lower(None, query, dialect, variants).0
}

/// [`lower`] and the steps that it took. With the text of the query, what is said of it includes
/// advice.
fn count_lower(
    text: Option<&str>,
    query: &ast::Query,
    dialect: Dialect,
    variants: &VariantNames,
) -> (Result<Analysis, Failure>, Steps) {
    let mut sema = Sema::new(dialect, variants);
    let result = sema.query(text, query);
    (result, sema.steps)
}

impl<'a> Sema<'a> {
    fn query(&mut self, text: Option<&str>, query: &'a ast::Query) -> Result<Analysis, Failure> {
        let (sema, tree) = (self, query);
        let header = query.header.as_ref().map(header::lower).unwrap_or_default();
        let mut body = Vec::with_capacity(query.items.len());
        for item in &query.items {
            if let Ok(filter) = sema.closed(item) {
                body.push(filter);
            }
            sema.resume(item);
            if sema.veto.is_some() || sema.errors.len() >= MAX_ERRORS {
                break;
            }
        }
        if query.items.is_empty() {
            let span = query.header.as_ref().map_or(Span::default(), |header| header.span);
            sema.error(span, "the query has no filter");
        }
        // An error before the first wrongly guessed token stands whatever the guess.
        if !sema.vetoes.is_empty() || sema.errors.is_empty() {
            let last = sema.veto.take();
            let (spans, errors): (Vec<_>, Vec<_>) = sema.vetoes.drain(..).chain(last).unzip();
            if let Some(error) = errors.into_iter().next() {
                return Err(Failure::Veto(spans, error));
            }
        }
        if !sema.errors.is_empty() {
            let mut errors = std::mem::take(&mut sema.errors);
            if let Some(text) = text {
                advice::explain(text, tree, &mut errors);
            }
            return Err(Failure::Errors(errors));
        }
        let (mut begin, mut end) = (std::mem::take(&mut sema.begin), std::mem::take(&mut sema.end));
        sema.resolve_isbound([&mut body, &mut begin, &mut end]);
        let (nest_bans, runs) = hir::number_records([&mut body, &mut begin, &mut end]);
        let mut query = hir::Query {
            header,
            body,
            begin,
            end,
            vars: std::mem::take(&mut sema.vars),
            dictionaries: std::mem::take(&mut sema.dictionaries)
                .into_iter()
                .map(dictionaries::Draft::finish)
                .collect(),
            sorts: std::mem::take(&mut sema.sorts),
            nest_bans,
            similar: sema.similar.take(),
            runs,
            requires_variations: sema.requires_variations,
        };
        let mut differences = std::mem::take(&mut sema.differences);
        let warnings = if sema.dialect == Dialect::CQLI {
            differences.search(&query);
            differences.warnings()
        } else {
            Vec::new()
        };
        let advice = match text {
            _ if !sema.dialect.bare_values => {
                values::stop(&mut query);
                Vec::new()
            }
            Some(text) => advice::advice(text, tree, &mut query),
            None => Vec::new(),
        };
        Ok(Analysis { query, warnings, advice })
    }
}
