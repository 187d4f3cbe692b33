//! `docs/src/diagnostics.md` is generated from the catalogue of diagnostics; `BABSON_BLESS=1`
//! rewrites it. Each code is used by some source.

#![allow(clippy::disallowed_methods, reason = "tests read the book and the sources")]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use babson_lang::diagnostic::{Code, CodeEntry, Example};

/// The areas of codes, by their first two digits.
const AREAS: &[&str] = &[
    "Characters and words",
    "Grammar",
    "Names",
    "Operands",
    "Parameters",
    "Line and path",
    "Moves",
    "Variables, dictionaries and functions",
    "Transforms",
    "Texts and sorts",
    "Dialects",
    "CQL 3",
    "Limits",
    "Imports",
    "The surroundings of a query",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn block(text: &str) -> String {
    format!("\n```text\n{text}\n```\n")
}

/// The page after its introduction.
fn listing() -> String {
    let mut out = String::new();
    let mut area = usize::MAX;
    for &code in Code::ALL {
        let of: usize = code.as_str()[1..3].parse().expect("two digits");
        if of != area {
            area = of;
            let _ = write!(out, "\n## {}\n", AREAS[area]);
        }
        let CodeEntry { explanation, example, mended, .. } = code.entry();
        let _ = write!(out, "\n### {code}\n\n**{}**\n\n{explanation}\n", capitalized(code.title()));
        out += &match example {
            Example::Query(query) | Example::Cql3(query) | Example::Conversion(query) => {
                block(query)
            }
            Example::Cql6(query) => format!("\nIn the dialect `cql6`:\n{}", block(query)),
            Example::Elsewhere(what) => format!("\nFor example: {what}\n"),
        };
        if let Some(mended) = mended {
            let _ = write!(out, "\nMended:\n{}", block(mended));
        }
    }
    out
}

fn capitalized(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

#[test]
fn the_book_lists_all_codes() {
    const BEGIN: &str = "<!-- codes -->\n";
    let path = root().join("docs/src/diagnostics.md");
    let page = fs::read_to_string(&path).expect("the page");
    let (head, held) = page.split_once(BEGIN).expect("a place for the list");
    let expected = listing();
    if held != expected && std::env::var_os("BABSON_BLESS").is_some() {
        fs::write(&path, format!("{head}{BEGIN}{expected}")).expect("the page");
        return;
    }
    assert_eq!(held, expected, "run with BABSON_BLESS=1");
}

/// The text of all sources of a folder but those of the catalogue and of tests.
fn sources(folder: &Path, out: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let skipped = matches!(name, "tests" | "tests.rs" | "entries" | "catalogue.rs");
        if path.is_dir() && !skipped {
            sources(&path, out);
        } else if name.ends_with(".rs") && !skipped {
            *out += &fs::read_to_string(&path).expect("a source is text");
        }
    }
}

#[test]
fn each_code_is_used() {
    let mut all = String::new();
    for name in ["babson-lang", "babson-vm", "babson", "babson-cli"] {
        sources(&root().join("crates").join(name).join("src"), &mut all);
    }
    let is_unused = |code: &&Code| {
        let name = format!("Code::{code:?}");
        let follows = |at: usize| all[at + name.len()..].chars().next();
        !all.match_indices(&name).any(|(at, _)| !follows(at).is_some_and(char::is_alphanumeric))
    };
    let unused: Vec<&Code> = Code::ALL.iter().filter(is_unused).collect();
    assert!(unused.is_empty(), "no source reports {unused:?}");
}
