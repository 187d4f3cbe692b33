//! The whole front end: from the text of a query, in any dialect, to its typed tree.

use babson_chess::VariantNames;

use crate::ast::Query;
use crate::cql3;
use crate::diagnostic::{Diagnostic, Span};
use crate::dialect::Dialect;
use crate::foreign;
use crate::imports::{ResolvedQuery, unresolved};
use crate::parse::SourceTexts;
use crate::query_parts::QuerySpans;
use crate::sema::{self, AnalyzedQuery};
use crate::speculation::{Speculation, SpeculationResult};
use crate::steps::Steps;
use crate::uncalled;
use crate::understanding::errors_of_statements;

/// Parses a query of modern CQL and checks its types. A query of CQL 3 is an error: the crate
/// `babson-cql3` reads it.
///
/// This crate opens no files. If the query has imports, resolve them with
/// [`imports::resolve`](crate::imports::resolve), and analyze the [`ResolvedQuery`].
///
/// # Errors
/// The errors that were found, in the order of the text; or the imports, if there are any. If the
/// syntax is wrong somewhere, each statement has at most one error.
///
/// ```
/// use babson_lang::{Dialect, analyze};
///
/// let analysis = analyze("cql() mate", Dialect::CQL6).unwrap();
/// assert_eq!(analysis.query.body.len(), 1);
/// assert!(analyze("cql() A + 1", Dialect::CQL6).is_err());
/// ```
pub fn analyze(text: &str, dialect: Dialect) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
    analyze_with(text, dialect, &VariantNames::default())
}

/// Does the same as [`analyze`], with further names for the variants of `variant "X"`.
///
/// # Errors
/// Fails as [`analyze`] does.
pub fn analyze_with(
    text: &str,
    dialect: Dialect,
    variants: &VariantNames,
) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
    analyze_spans(text, &QuerySpans::whole(text), dialect, variants)
}

/// Does the same as [`analyze_with`] for a query that may be made of several texts.
///
/// # Errors
/// Fails as [`analyze`] does. The spans of the errors are offsets in `text`, which holds all parts.
pub fn analyze_spans(
    text: &str,
    parts: &QuerySpans,
    dialect: Dialect,
    variants: &VariantNames,
) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
    analyze_counted(text, parts, dialect, variants, &mut Steps::default())
}

/// Does the same as [`analyze_spans`], and counts the steps.
pub(crate) fn analyze_counted(
    text: &str,
    parts: &QuerySpans,
    dialect: Dialect,
    variants: &VariantNames,
    steps: &mut Steps,
) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
    cql3::refuse(
        parts.query.text(text),
        "this query is in CQL 3, not in modern CQL",
        "the crate `babson-cql3` reads it",
    )
    .map_err(|error| vec![error.shifted(parts.query.start)])?;
    let unresolved = unresolved(text, parts, dialect);
    if !unresolved.is_empty() {
        return Err(unresolved);
    }
    let explained = |errors| match foreign::cause(text, parts) {
        Some(cause) => vec![cause],
        None => foreign::explain_comments(text, errors),
    };
    analyze_in(text, parts, dialect, variants, steps).map_err(explained)
}

impl ResolvedQuery {
    /// Parses the query with the files that it imports, and checks its types.
    ///
    /// # Errors
    /// If imports could not be resolved, returns an error for each of them. Otherwise fails as
    /// [`analyze`] does. The spans of the errors are offsets in the [text](ResolvedQuery::text),
    /// which holds the query and all files.
    pub fn analyze(
        &self,
        dialect: Dialect,
        variants: &VariantNames,
    ) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
        match self.errors.is_empty() {
            true => analyze_spans(&self.text, &self.parts, dialect, variants),
            false => Err(self.errors.clone()),
        }
    }
}

/// Analyzes a query whose imports are resolved, and counts the steps. A wrong statement does not
/// hide the errors of the others.
fn analyze_in(
    text: &str,
    parts: &QuerySpans,
    dialect: Dialect,
    variants: &VariantNames,
    steps: &mut Steps,
) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
    match parse_and_check(text, parts, dialect, variants, steps) {
        Ok((_, analysis)) => analysis,
        Err(errors) => Err(errors_of_statements(text, parts, dialect, variants, errors, steps)),
    }
}

/// Does the same as [`analyze_spans`], and also returns the tree.
pub(crate) fn parse_and_check(
    text: &str,
    parts: &QuerySpans,
    dialect: Dialect,
    variants: &VariantNames,
    steps: &mut Steps,
) -> SpeculationResult<AnalyzedQuery> {
    let mut read = |text: &str, parts: &QuerySpans| {
        let texts = SourceTexts::new(text, parts, dialect, steps)?;
        let check = |query: &Query, steps: &mut Steps| {
            sema::lower(text, query, parts.like, dialect, variants, steps)
        };
        Speculation::new(&texts, steps).run(check)
    };
    let result = read(text, parts);
    let uncalled = uncalled::uncalled_functions(text, parts);
    if uncalled.is_empty() {
        return result;
    }
    let (query, mut analysis, errors) = match result {
        Ok((query, Ok(analysis))) => {
            // The types of a body are checked where it is called.
            let is_checked = dialect.uncalled_bodies_are_checked && parts.ends_with_query(text);
            let called = is_checked.then(|| uncalled::with_calls(text, &uncalled));
            let errors = called.and_then(|called| {
                let end = u32::try_from(called.len()).unwrap_or(u32::MAX);
                let query = Span::new(parts.query.start, end);
                read(&called, &QuerySpans { query, ..parts.clone() }).and_then(|read| read.1).err()
            });
            let errors = uncalled::certain_errors(text, errors.unwrap_or_default(), &uncalled);
            (query, analysis, errors)
        }
        Ok((_, Err(ref errors))) | Err(ref errors) => {
            if errors.iter().any(|error| uncalled.iter().any(|one| one.has_in_head(error))) {
                return result;
            }
            let rest = read(&uncalled::without(text, &uncalled), parts);
            let Ok((query, Ok(analysis))) = rest else { return result };
            (query, analysis, errors.clone())
        }
    };
    if dialect.uncalled_bodies_are_checked {
        analysis.warnings.extend(uncalled::warnings(text, &uncalled, &errors));
        analysis.warnings.sort_by_key(|warning| warning.span);
    }
    Ok((query, Ok(analysis)))
}

/// Counts the work that [`analyze`] does for a query, whether the query is correct or not.
///
/// ```
/// use babson_lang::{Dialect, count_steps};
///
/// let (once, twice) = ("cql() K attacks q", "cql() K attacks q K attacks q");
/// let once = count_steps(once, Dialect::CQLI).total();
/// let twice = count_steps(twice, Dialect::CQLI).total();
/// assert!(once < twice && twice <= 2 * once);
/// ```
pub fn count_steps(text: &str, dialect: Dialect) -> Steps {
    let mut steps = Steps::default();
    let (parts, variants) = (QuerySpans::whole(text), VariantNames::default());
    drop(parse_and_check(text, &parts, dialect, &variants, &mut steps));
    steps
}
