//! The check of one query.

use babson::Diagnostic;
use babson::diagnostic::{Edit, Fix};

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

    /// The certain fixes of the file itself, one of each mistake: those that `--fix` applies.
    /// Filters of options have no file, and an imported file is checked by itself.
    pub(super) fn certain_fixes<'c>(
        &'c self,
        source: &QuerySource,
    ) -> impl Iterator<Item = &'c Fix> {
        let file = source.mendable();
        let is_inside = move |edit: &Edit| {
            file.is_some_and(|file| file.start <= edit.span.start && edit.span.end <= file.end)
        };
        let is_own = move |fix: &&Fix| fix.certain && fix.edits.iter().all(is_inside);
        self.diagnostics.iter().filter_map(move |one| one.fixes.iter().find(is_own))
    }
}
