//! The examples of the catalogue of codes, in both languages.

use babson_chess::VariantNames;
use babson_lang::diagnostic::{Code, Example};
use babson_lang::imports::{LibraryOnly, resolve};
use babson_lang::{Diagnostic, Dialect, QuerySpans, declared_dialect};
use babson_vm::{analyze_resolved, cql3};

/// The errors of a query, or its warnings if it has none. Differences between the dialects are
/// warnings for those who did not name one, and are last.
fn diagnostics(query: &str, dialect: Dialect) -> Vec<Diagnostic> {
    let dialect = match declared_dialect(query) {
        Ok(declared) => declared.unwrap_or(dialect),
        Err(errors) => return errors,
    };
    let resolved = resolve(query, &QuerySpans::whole(query), dialect, &LibraryOnly);
    match analyze_resolved(&resolved, dialect, &VariantNames::default()) {
        Ok(analysis) => [analysis.warnings, analysis.differences].concat(),
        Err(errors) => errors,
    }
}

fn provoked(example: Example) -> Option<Vec<Diagnostic>> {
    match example {
        Example::Query(query) => Some(diagnostics(query, Dialect::CQLI)),
        Example::Cql6(query) => Some(diagnostics(query, Dialect::CQL6)),
        Example::Conversion(query) => Some(match cql3::to_modern(query) {
            Ok(modern) => modern.changes,
            Err(errors) => errors,
        }),
        Example::Elsewhere(_) => None,
    }
}

#[test]
fn each_example_provokes_its_code() {
    let mut wrong = Vec::new();
    for &code in Code::ALL {
        let example = code.entry().example;
        let Some(found) = provoked(example) else { continue };
        if found.first().is_none_or(|first| first.code != code) {
            let found: Vec<_> = found.iter().map(|one| (one.code, one.to_string())).collect();
            wrong.push(format!("{code} {code:?}: {example:?} provokes {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_mended_query_is_correct() {
    let mut wrong = Vec::new();
    for &code in Code::ALL {
        let entry = code.entry();
        let dialect = match entry.example {
            Example::Cql6(_) => Dialect::CQL6,
            Example::Query(_) | Example::Conversion(_) | Example::Elsewhere(_) => Dialect::CQLI,
        };
        let Some(mended) = entry.mended else { continue };
        let mut found = diagnostics(mended, dialect);
        let named = declared_dialect(mended).ok().flatten().is_some();
        found.retain(|one| one.code != Code::DialectDifference || code == one.code && !named);
        if let Some(first) = found.first() {
            wrong.push(format!("{code} {code:?}: {mended}: {} {first}", first.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
