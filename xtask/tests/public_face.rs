//! The public face of the library: few names at the root of the crate `babson`, and the rest in
//! modules by purpose.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// The most names that the root of `babson` may have, with those of its modules.
const MAX_NAMES_OF_ROOT: usize = 50;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates")
}

/// A source without its comments.
fn source(path: &str) -> String {
    let text = fs::read_to_string(crates().join(path)).expect("a source");
    Regex::new(r"//[^\n]*").unwrap().replace_all(&text, "").into_owned()
}

/// The names that the root of a crate gives to others: those of its items, of its modules, and of
/// what it re-exports. Hidden ones do not count.
fn names_of_root(text: &str) -> BTreeSet<String> {
    let hidden = Regex::new(r"(?s)#\[doc\(hidden\)\]\n(#\[[^\n]*\n)*[^\n]*?(\{.*?\n\}|;)").unwrap();
    let text = hidden.replace_all(text, "");
    let module = Regex::new(r"(?s)\npub mod ((?-u:\w)+) \{.*?\n\}").unwrap();
    let text = module.replace_all(&text, "\npub mod $1;");
    let item = Regex::new(
        r"\npub (?:(?:const |unsafe )?fn|const|enum|mod|static|struct|trait|type) ((?-u:\w)+)",
    );
    let mut names: BTreeSet<String> =
        item.unwrap().captures_iter(&text).map(|found| found[1].to_owned()).collect();
    let tree = Regex::new(r"(?s)\npub use ([^;]*);").unwrap();
    // The last name of a path, or the name that it gets.
    let leaf = Regex::new(r"((?-u:\w)+|\*)(?-u:\s)*(?:,|\}|$)").unwrap();
    for tree in tree.captures_iter(&text) {
        names.extend(leaf.captures_iter(&tree[1]).map(|found| found[1].to_owned()));
    }
    names
}

#[test]
fn the_root_has_few_names() {
    let names = names_of_root(&source("babson/src/lib.rs"));
    assert!(!names.contains("*"), "the names of a glob cannot be counted");
    assert!(names.contains("Query") && names.contains("diagnostic"), "{names:?}");
    let count = names.len();
    assert!(count <= MAX_NAMES_OF_ROOT, "the root of babson has {count} names: {names:?}");
}

#[test]
fn the_names_of_a_root_are_counted() {
    let text = "\nmod a;\npub mod b;\npub use a::{A, c::{B, C as D}};\npub use a::E;\n\
                pub mod m {\n    pub use a::F;\n}\n#[doc(hidden)]\npub mod h {\n    pub use a::G;\n}\n\
                pub use x as y;\npub const fn f() {}\npub struct S;\n";
    let names: Vec<String> = names_of_root(text).into_iter().collect();
    assert_eq!(names, ["A", "B", "D", "E", "S", "b", "f", "m", "y"]);
}
