//! The tables of the pages for those who come from other programs.

use std::fs;
use std::path::Path;

use babson::{Dialect, Query};

/// The queries in the column `Babson` of the tables of a page: the code of every cell that begins
/// with code, without options and without texts that stand for others.
fn queries(page: &str) -> Vec<&str> {
    let mut queries = Vec::new();
    let mut in_table = false;
    for line in page.lines() {
        in_table = line.ends_with("| Babson |") || in_table && line.starts_with('|');
        let Some((_, cell)) = line.trim_end_matches(" |").rsplit_once(" | ") else {
            continue;
        };
        if in_table && cell.starts_with('`') {
            let code = cell.split('`').skip(1).step_by(2);
            queries.extend(code.filter(|code| !code.starts_with('-') && !code.contains('…')));
        }
    }
    queries
}

#[test]
fn the_queries_in_the_tables_compile() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let mut compiled = 0;
    for entry in fs::read_dir(folder).expect("the book") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !name.starts_with("coming-from-") {
            continue;
        }
        let page = fs::read_to_string(&path).expect("a page is text");
        for text in queries(&page) {
            let query = Query::builder(text).dialect(Dialect::CQLI).compile();
            match query {
                Ok(query) => assert!(query.warnings().is_empty(), "{name}: {text}"),
                Err(error) => panic!("{name}: {text}: {error}"),
            }
            compiled += 1;
        }
    }
    assert!(compiled > 20, "only {compiled} queries");
}
