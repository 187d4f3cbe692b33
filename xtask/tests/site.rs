//! The book as a site: what mdBook needs of the pages.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The pages below `docs/src`, by their paths there.
fn pages() -> BTreeSet<String> {
    let source = docs().join("src");
    let mut pages = BTreeSet::new();
    let mut folders = vec![source.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the book") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let page = path.strip_prefix(&source).expect("a page is below the source");
                pages.insert(page.display().to_string());
            }
        }
    }
    assert!(pages.len() > 50, "only {} pages", pages.len());
    pages
}

/// mdBook writes only the pages that the summary names, and creates a page that is not there.
#[test]
fn the_summary_names_every_page_once() {
    const SUMMARY: &str = concat!("SUMMARY", ".md");
    let summary = read(&docs().join("src").join(SUMMARY));
    let mut pages = pages();
    pages.remove(SUMMARY);
    for line in summary.lines().filter(|line| line.trim_start().starts_with("- [")) {
        let (_, target) = line.rsplit_once('(').expect("a link");
        let target = target.trim_end_matches(')');
        assert!(pages.remove(target), "{target} is not a page, or is named twice");
    }
    assert!(pages.is_empty(), "{SUMMARY} lacks {pages:?}");
}

/// A block of another kind would not be tested, and not be highlighted either.
#[test]
fn every_block_is_of_a_known_kind() {
    const KINDS: [&str; 17] = [
        "board",
        "console",
        "cql",
        "elisp",
        "fen",
        "js",
        "json",
        "lua",
        "pgn",
        "powershell",
        "python",
        "rust",
        "sh",
        "text",
        "toml",
        "xml",
        "yaml",
    ];
    let mut blocks = 0;
    for page in pages() {
        let text = read(&docs().join("src").join(&page));
        let mut open = false;
        for (number, line) in text.lines().enumerate() {
            let Some(info) = line.strip_prefix("```") else {
                continue;
            };
            open = !open;
            let kind = info.split(',').next().unwrap_or_default();
            if open {
                blocks += 1;
                assert!(KINDS.contains(&kind), "{page}:{}: a block of kind {info:?}", number + 1);
            } else {
                assert_eq!(info, "", "{page}:{}: the end of a block", number + 1);
            }
        }
        assert!(!open, "{page}: the last block has no end");
    }
    assert!(blocks > 300, "only {blocks} blocks");
}
