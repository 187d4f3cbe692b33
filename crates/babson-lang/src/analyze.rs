//! The whole front end: from the text of a query, in any dialect, to its typed tree.

use babson_chess::VariantNames;

use crate::diagnostic::Diagnostic;
use crate::dialect::Dialect;
use crate::parse::QueryParts;
use crate::sema::AnalyzedQuery;
use crate::steps::Steps;
use crate::{cql3, sema};

/// Parses a query and checks its types. A text that begins as CQL 3 does is read as CQL 3, whatever
/// the dialect.
///
/// # Errors
/// All errors that were found, in the order of the text.
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
/// The same as those of [`analyze`].
pub fn analyze_with(
    text: &str,
    dialect: Dialect,
    variants: &VariantNames,
) -> Result<AnalyzedQuery, Vec<Diagnostic>> {
    if cql3::begins_query(text) {
        return cql3::analyze(text);
    }
    sema::analyze_parts(text, &QueryParts::whole(text), dialect, variants)
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
    if cql3::begins_query(text) {
        drop(cql3::analyze_counted(text, &mut steps));
    } else {
        let (parts, variants) = (QueryParts::whole(text), VariantNames::default());
        drop(sema::parse_and_check(text, &parts, dialect, &variants, &mut steps));
    }
    steps
}
