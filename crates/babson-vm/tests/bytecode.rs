//! What the queries of the corpus are compiled to, one snapshot a query in `snapshots/bytecode`:
//! what the optimizer did, the instructions and their tables.
//!
//! Most queries of `corpus/seeds` stand in `corpus/queries` too, as `cqli-…`: they are compiled
//! once.

#![allow(clippy::disallowed_methods, reason = "tests read the corpus")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use babson_lang::Dialect;
use babson_vm::Program;

/// The `.cql` files of a folder of the corpus, by name.
fn queries(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(folder);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder of the corpus")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "cql"))
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).expect("a query"))
    };
    paths.into_iter().map(read).collect()
}

/// The words of a query without the comments at its begin.
fn words(query: &str) -> Vec<&str> {
    let lines = query.lines().filter(|line| !line.starts_with("//"));
    lines.flat_map(str::split_whitespace).collect()
}

/// What `babson explain` prints after the typed tree; nothing for a query that is refused.
fn bytecode(query: &str) -> Option<String> {
    let dialect = Dialect::CQLI;
    let typed = babson_vm::analyze(query, dialect).ok()?.query;
    let text = Program::compile(&typed).ok()?.explain();
    let (_, bytecode) = text.split_once("\noptimizer\n").expect("what the optimizer did");
    Some(format!("optimizer\n{bytecode}"))
}

#[test]
fn queries_of_the_corpus_compile_to_what_they_did() {
    let mut all = queries("queries");
    let known: BTreeSet<Vec<String>> = all
        .iter()
        .map(|(_, query)| words(query).into_iter().map(str::to_owned).collect())
        .collect();
    all.extend(queries("seeds").into_iter().filter(|(_, query)| {
        let words: Vec<String> = words(query).into_iter().map(str::to_owned).collect();
        !known.contains(&words)
    }));

    let mut refused = Vec::new();
    let mut written = BTreeSet::new();
    insta::with_settings!({
        snapshot_path => "snapshots/bytecode",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        for (name, query) in all {
            match bytecode(&query) {
                Some(text) => {
                    insta::assert_snapshot!(name.clone(), text);
                    written.insert(format!("{name}.snap"));
                }
                None => refused.push(name),
            }
        }
    });
    // Fragments without the functions that they call.
    assert_eq!(refused, ["a01-batteries", "a02-dichromatic-batteries"]);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/bytecode");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .expect("the snapshots")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(files, written, "a snapshot without a query");
}
