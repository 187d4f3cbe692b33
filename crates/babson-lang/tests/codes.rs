//! Each code of a diagnostic is used by some source.

#![allow(clippy::disallowed_methods, reason = "tests read the sources")]

use std::fs;
use std::path::Path;

use babson_lang::diagnostic::Code;

/// Appends the text of all sources in a folder, except the catalogue and tests.
fn sources(folder: &Path, out: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let skipped = matches!(name, "tests" | "tests.rs" | "catalogue.rs");
        if path.is_dir() && !skipped {
            sources(&path, out);
        } else if name.ends_with(".rs") && !skipped {
            *out += &fs::read_to_string(&path).expect("a source is text");
        }
    }
}

#[test]
fn each_code_is_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = String::new();
    for name in ["babson-lang", "babson-cql3", "babson-vm", "babson", "babson-cli"] {
        sources(&root.join("crates").join(name).join("src"), &mut all);
    }
    let is_unused = |code: &&Code| {
        let name = format!("Code::{code:?}");
        let follows = |at: usize| all[at + name.len()..].chars().next();
        !all.match_indices(&name).any(|(at, _)| !follows(at).is_some_and(char::is_alphanumeric))
    };
    let unused: Vec<&Code> = Code::ALL.iter().filter(is_unused).collect();
    assert!(unused.is_empty(), "no source reports {unused:?}");
}
