//! The warnings of filters that always or never hold, over the queries of the corpus and the book:
//! each is looked at by a person before it is listed here.

#![allow(clippy::disallowed_methods, reason = "tests read the corpus")]

use std::fs;
use std::path::{Path, PathBuf};

use babson_lang::diagnostic::Code;
use babson_lang::{Diagnostic, Dialect, analyze, cql3};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder and the folders in it that have this extension, in order.
fn files(folder: &Path, extension: &str, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, extension, out);
        } else if path.extension().is_some_and(|found| found == extension) {
            out.push(path);
        }
    }
}

/// The queries of the corpus and the `cql` blocks of the book, with a name.
fn queries() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut paths = Vec::new();
    for folder in ["corpus/queries", "corpus/seeds"] {
        files(&root().join(folder), "cql", &mut paths);
    }
    files(&root().join("docs/src"), "md", &mut paths);
    files(&root().join("corpus/goldens"), "jsonl", &mut paths);
    for path in paths {
        let text = String::from_utf8_lossy(&fs::read(&path).expect("a file")).into_owned();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".cql") {
            found.push((name, text));
        } else if name.ends_with(".jsonl") {
            for line in text.lines() {
                let row: serde_json::Value = serde_json::from_str(line).expect("a row");
                if let Some(query) = row["query"].as_str() {
                    found.push((format!("{name} {}", row["id"]), query.to_owned()));
                }
            }
        } else {
            for block in text.split("\n```cql\n").skip(1) {
                let query = block.split("\n```").next().unwrap_or_default();
                found.push((name.clone(), query.to_owned()));
            }
        }
    }
    found
}

/// Queries of random filters that were rightly warned about, by the name of their row.
const RIGHT: &[&str] = &[
    "random-0309",
    "random-0587",
    "random-0606",
    "random-0644",
    "random-0807",
    "rest-babson-more-6711",
];

#[test]
fn warnings_of_what_filters_can_match_are_right() {
    let mut count = 0;
    for (name, query) in queries() {
        if cql3::begins_query(&query) {
            continue;
        }
        count += 1;
        for dialect in [Dialect::CQLI, Dialect::CQL6] {
            let warnings = analyze(&query, dialect).map_or(Vec::new(), |one| one.warnings);
            let is_new = |code: Code| {
                matches!(
                    code,
                    Code::AlwaysHolds
                        | Code::NeverHolds
                        | Code::NeverInChess
                        | Code::TestedBeforeMove
                        | Code::TwoFilters
                        | Code::MovesAsFilters
                        | Code::UnreadVariable
                )
            };
            let is_unknown = |one: &Diagnostic| {
                one.code == Code::UncalledFunctionError && one.message.contains("unknown")
            };
            let told = warnings.iter().find(|one| is_new(one.code) || is_unknown(one));
            let is_right = RIGHT.iter().any(|right| name.contains(right));
            assert_eq!(told.is_some(), is_right, "{name}: {told:?}");
        }
    }
    assert!(count > 1500, "{count} queries");
}
