//! The check of one query.

use babson::Diagnostic;

use crate::config::ReadingOptions;
use crate::query;
use crate::source::QuerySource;

/// What the check of a query finds.
pub(super) struct CheckedQuery {
    /// All errors; or if there is none, all warnings. Their fixes are tested.
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) has_error: bool,
}

impl CheckedQuery {
    /// Checks a query. `compares` asks where the dialects differ.
    pub(super) fn new(
        source: &QuerySource,
        reading: &ReadingOptions,
        compares: bool,
    ) -> CheckedQuery {
        let names_dialect = matches!(source.declared_dialect(), Ok(Some(_)));
        let compiled = query::analyze(source, reading, |builder| builder)
            .and_then(query::compile)
            .map(|query| match compares || names_dialect {
                true => [query.differences(), query.warnings()].concat(),
                false => query.warnings().to_vec(),
            });
        let has_error = compiled.is_err();
        let (Ok(mut diagnostics) | Err(mut diagnostics)) = compiled;
        query::test_fixes(source, reading, &mut diagnostics);
        CheckedQuery { diagnostics, has_error }
    }

    /// The number of mistakes that `--fix` mends.
    pub(super) fn certain_fixes(&self) -> u64 {
        let is_certain = |one: &&Diagnostic| one.fixes.iter().any(|fix| fix.certain);
        self.diagnostics.iter().filter(is_certain).count() as u64
    }
}
