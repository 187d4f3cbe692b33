use std::collections::HashSet;

use babson_chess::VariantNames;

use super::{Code, Diagnostic, Example, Severity};
use crate::QueryParts;
use crate::cql3;
use crate::dialect::Dialect;
use crate::imports::{LibraryOnly, resolve};

/// The errors of a query, or its warnings if it has none. Differences between the dialects are
/// warnings for those who did not name one, and are last.
fn diagnostics(query: &str, dialect: Dialect) -> Vec<Diagnostic> {
    if cql3::begins_query(query) {
        return match cql3::analyze(query, Dialect::CQLI) {
            Ok(analysis) => analysis.warnings,
            Err(errors) => errors,
        };
    }
    let dialect = match crate::declared_dialect(query) {
        Ok(declared) => declared.unwrap_or(dialect),
        Err(errors) => return errors,
    };
    let resolved = resolve(query, &QueryParts::whole(query), dialect, &LibraryOnly);
    match resolved.analyze(dialect, &VariantNames::default()) {
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
        let named = crate::declared_dialect(mended).ok().flatten().is_some();
        found.retain(|one| one.code != Code::DialectDifference || code == one.code && !named);
        if let Some(first) = found.first() {
            wrong.push(format!("{code} {code:?}: {mended}: {} {first}", first.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn codes_are_unique_and_in_order() {
    let key = |code: &Code| {
        let text = code.as_str();
        (text[1..3].to_owned(), text.starts_with('W'), text[3..].to_owned())
    };
    assert!(Code::ALL.is_sorted_by(|a, b| key(a) < key(b)));
    let titles: HashSet<&str> = Code::ALL.iter().map(|code| code.title()).collect();
    assert_eq!(titles.len(), Code::ALL.len());
    for &code in Code::ALL {
        assert_eq!(code.as_str().len(), 5, "{code}");
        assert_eq!(code.as_str().to_lowercase().parse(), Ok(code));
        assert!(code.entry().explanation.ends_with('.'), "{code}");
        let named = format!("{code:?}");
        assert!(named.len() <= 25, "{named}");
    }
}

#[test]
fn json_has_severity_and_code() {
    let warning = Diagnostic::new(Code::ConstantFilter, super::Span::default(), "x");
    assert_eq!(warning.severity(), Severity::Warning);
    let json = serde_json::to_string(&warning).unwrap();
    assert!(json.starts_with(r#"{"severity":"warning","code":"W0301","message":"x""#), "{json}");
    assert_eq!(serde_json::from_str::<Diagnostic>(&json).unwrap(), warning);
    assert!(serde_json::from_str::<Diagnostic>(&json.replace("W0301", "W0399")).is_err());
}

#[test]
fn near_codes_share_digits() {
    assert!(Code::near("E0299").contains(&Code::UnknownName));
    assert!(!Code::near("E0299").contains(&Code::EmptyPath));
    assert!(Code::near("E9").is_empty());
    assert!(Code::near("mate").is_empty());
}
