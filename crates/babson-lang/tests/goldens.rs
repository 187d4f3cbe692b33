//! Every golden query parses.

use babson_lang::{Dialect, parse};

#[test]
fn golden_queries_parse() {
    let text = include_str!("goldens.txt");
    let mut failures = Vec::new();
    for block in text.split("@@ ").skip(1) {
        let (head, query) = block.split_once('\n').expect("a head line");
        let dialect = if head.ends_with("cqli") { Dialect::CQLI } else { Dialect::CQL6 };
        if let Err(errors) = parse(query, dialect, &[]) {
            failures.push(format!("{head}: {} at {:?}\n    {query}", errors[0], errors[0].span));
        }
    }
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}
