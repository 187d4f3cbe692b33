//! Conversion and formatting keep the meaning of every query of the corpus. The law of any text is
//! in `laws.rs`.

#![allow(clippy::disallowed_methods, reason = "tests read the corpus")]

use babson_lang::text::{Spelling, convert, format, tokens};
use babson_lang::{Dialect, analyze, cql3, hir};

/// Every query of `corpus/queries` and of the golden cases, with its dialect.
fn queries() -> Vec<(String, Dialect)> {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus");
    let read = |folder: &str| {
        let mut files: Vec<_> = std::fs::read_dir(format!("{corpus}/{folder}"))
            .expect("a folder of the corpus")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        files.sort();
        files
    };
    let mut all = Vec::new();
    for path in read("queries") {
        all.push((std::fs::read_to_string(path).expect("a query"), Dialect::CQLI));
    }
    for path in read("goldens") {
        if path.extension().is_none_or(|ending| ending != "jsonl") {
            continue;
        }
        for line in std::fs::read_to_string(path).expect("a golden file").lines() {
            let case: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
            if let Some(query) = case["query"].as_str()
                && !cql3::begins_query(query)
            {
                let dialect = match case["dialect"].as_str() {
                    Some("cqli") => Dialect::CQLI,
                    _ => Dialect::CQL6,
                };
                all.push((query.to_owned(), dialect));
            }
        }
    }
    assert_eq!(all.len(), 1524, "a query is lost or new");
    all
}

/// The HIR; `None` for a query with an error.
fn tree(source: &str, dialect: Dialect) -> Option<String> {
    let analysis = analyze(source, dialect).ok()?;
    Some(hir::print(&analysis.query))
}

/// Whether a function that is never called has a body that cannot be parsed. CQL 6.2 accepts such a
/// query, but it has no other form.
fn has_unparsed_body(query: &str, dialect: Dialect) -> bool {
    query.contains("function") && format(query, dialect).is_err()
}

#[test]
fn both_spellings_mean_the_same() {
    for (query, dialect) in queries() {
        let Some(typed) = tree(&query, dialect).filter(|_| !has_unparsed_body(&query, dialect))
        else {
            continue;
        };
        let there = convert(&query, Spelling::Unicode, dialect).expect("it was read");
        assert_eq!(tree(&there, dialect), Some(typed.clone()), "{query}\n{there}");
        let back = convert(&there, Spelling::Ascii, dialect).expect("it was read");
        assert_eq!(tree(&back, dialect), Some(typed), "{query}\n{back}");
        // Further conversions change nothing.
        let again = convert(&back, Spelling::Unicode, dialect).expect("it was read");
        let once_more = convert(&again, Spelling::Ascii, dialect).expect("it was read");
        assert_eq!(once_more, back, "{query}");
    }
}

#[test]
fn the_style_keeps_tree_and_comments_and_settles() {
    let mut changed = 0;
    for (query, dialect) in queries() {
        let Some(typed) = tree(&query, dialect).filter(|_| !has_unparsed_body(&query, dialect))
        else {
            continue;
        };
        let styled = format(&query, dialect).expect("it was read");
        assert_eq!(tree(&styled, dialect), Some(typed), "{query}\n{styled}");
        let again = format(&styled, dialect).expect("it was read");
        assert_eq!(again, styled, "{query}");
        let words = |text: &str| -> Vec<String> {
            tokens(text, dialect)
                .expect("it was read")
                .iter()
                .map(|token| token.span.text(text).trim_end().replace("\r\n", "\n"))
                .collect()
        };
        assert_eq!(words(&styled), words(&query), "{query}");
        changed += usize::from(styled != query);
    }
    assert_eq!(changed, 1493);
}

/// Formatting is idempotent.
fn settles(query: &str, dialect: Dialect) {
    let Ok(once) = format(query, dialect) else {
        return;
    };
    assert_eq!(format(&once, dialect).as_ref(), Ok(&once), "{query:?}");
}

#[test]
fn the_style_of_a_style_is_itself() {
    for query in [
        "path flip{--\nK}",
        "path flip{--\n\nK}",
        "flip{path --\nK}",
        "path{--\n(K)}",
        "path (--\nK)",
        "path(-- check\n)+",
        "if{path --\nK}then\nK",
        "K--\na1",
        "square x in{path --\n}K",
        "path --{\nK}",
        "message(\"a\"\n{path --\nK})",
    ] {
        for dialect in [Dialect::CQLI, Dialect::CQL6] {
            settles(query, dialect);
            settles(&format!("cql(){query}"), dialect);
        }
    }
}

#[test]
fn cql3_is_left_alone() {
    for source in ["(match (position R))", "; (a)\n(match :pgn a.pgn (position))"] {
        let errors = tokens(source, Dialect::CQLI).unwrap_err();
        assert_eq!(errors[0].span.text(source), "(match");
        assert_eq!(format(source, Dialect::CQLI), Err(errors.clone()));
        assert_eq!(convert(source, Spelling::Unicode, Dialect::CQLI), Err(errors));
    }
}
