//! The public face of the library: few names at the root of the crate `babson`, the rest in modules
//! by purpose, and types that can grow.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// The most names that the root of `babson` may have. A module counts as one name.
const MAX_NAMES_OF_ROOT: usize = 50;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates")
}

/// A source without its comments.
fn source(path: impl AsRef<Path>) -> String {
    let text = fs::read_to_string(crates().join(path)).expect("a source");
    Regex::new(r"//[^\n]*").unwrap().replace_all(&text, "").into_owned()
}

/// Returns the public names at the root of a crate: its items, its modules and what it re-exports.
/// Hidden names do not count.
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

/// The open types that keep the form they have, each with its reason. Whoever uses the library may
/// build them or match them whole.
const CLOSED: &[(&str, &str)] = &[
    ("CommentLevel", "the levels of the header of a query, which the machine tests whole"),
    ("Dialect", "a switch for each row of the table of dialects; constants are its usual values"),
    ("Example", "how an example of the catalogue of codes is shown; the page shows each"),
    ("GameOrigin", "where a game is: the name, the number and the offset that a source gives"),
    ("Job", "built with `..` of another job, which a new option does not break"),
    ("LibraryOnly", "a value without parts, whose name is the value"),
    ("NextGame", "what a source of games gives, and what whoever takes it must tell apart"),
    ("OpenInput", "whoever reads an input must tell a table, a mapped file and a stream apart"),
    ("OpenTable", "the type of builds without tables, which has no value at all"),
    ("Outcome", "an output that changes an outcome must think of each of its parts"),
    ("OutputRoom", "the two bounds of an output, which formats name"),
    ("QuerySpans", "built with `..QuerySpans::default()`, which a new part does not break"),
    ("ReadPurpose", "the purposes of a reading, and each is reported in its way"),
    ("SearchStep", "whoever goes on step by step must tell an event, a game and the end apart"),
    ("RemoteFile", "the type of builds without the network, which has no value at all"),
    ("RefusingHost", "a value without parts, whose name is the value"),
    ("Remedy", "a choice of the caller, whose interface must name each"),
    ("ResolvedQuery", "built with `..ResolvedQuery::default()`, which a new part does not break"),
    ("RowGame", "a row of a table, as a source of games gives it"),
    ("RunOptions", "built with `..RunOptions::default()`, which a new option does not break"),
    ("Severity", "an error or a warning; a third would change what an error is"),
    ("Silent", "a value without parts, whose name is the value"),
    ("SortData", "a sort key is a number or a text in the language and in the data"),
    ("SortValue", "a sort key is a number or a text in the language"),
    ("SourceGame", "what a source of games gives: a game of a text or a row"),
    ("Span", "the two ends of a piece of text"),
    ("StopSignal", "built with `..StopSignal::default()`, which a new signal does not break"),
    ("TokenClass", "the classes of tokens: a program that colors a query must show each"),
    ("UnknownCode", "a value without parts, whose name is the value"),
    ("Value", "the kinds of values of the language, which every format must write"),
    ("Verdict", "the verdicts of a filter, which every trace must show"),
];

/// The names that the modules of `babson` and its root give to others, except hidden ones, of items
/// that are in the crate `crate_name`: what the engine gives may be in each of the crates below it.
fn public_names(crate_name: &str) -> BTreeSet<String> {
    let word = Regex::new(r"(?-u:\b)[A-Z](?-u:\w)*(?-u:\b)").unwrap();
    let tree = Regex::new(r"(?s)pub use ([^;]*);").unwrap();
    let item = Regex::new(r"\npub (?:struct|enum) ((?-u:\w)+)").unwrap();
    let hidden = Regex::new(r"(?s)#\[doc\(hidden\)\]\npub mod .*?\n\}").unwrap();
    let mut names = BTreeSet::new();
    for file in ["babson/src/lib.rs", "babson/src/scan.rs", "babson/src/search/mod.rs"] {
        let text = source(file);
        let text = hidden.replace_all(&text, "");
        for tree in tree.captures_iter(&text) {
            let from = tree[1].split("::").next().unwrap_or_default().replace('_', "-");
            if [crate_name, "babson-engine"].contains(&&*from) || crate_name == "babson" {
                names.extend(word.find_iter(&tree[1]).map(|name| name.as_str().to_owned()));
            }
        }
        if crate_name == "babson" {
            names.extend(item.captures_iter(&text).map(|found| found[1].to_owned()));
        }
    }
    names
}

/// The names of the public types of a source that are open: an enum, or a struct whose fields all
/// are public, without `non_exhaustive`. A type with a field of its own cannot be built or taken
/// apart by others.
fn open_types(text: &str) -> Vec<String> {
    let item = Regex::new(
        r"(?m)^((?:#\[[^\n]*\n)*)pub (struct|enum) ((?-u:\w)+)[^;({\n]*(?s:(;)|\(([^;]*?)\);|\{(.*?)\n?\})",
    )
    .unwrap();
    let field = Regex::new(r"(?m)^    (?:r#)?[a-z_](?-u:\w)*:").unwrap();
    let closed_field = Regex::new(r"pub\((?:crate|super)\)|^ *[^p ]").unwrap();
    let mut open = Vec::new();
    for found in item.captures_iter(text) {
        let part = |index: usize| found.get(index).map(|part| part.as_str());
        let has_own = match (&found[2], part(5), part(6)) {
            ("enum", ..) => false,
            (_, Some(tuple), _) => closed_field.is_match(tuple) || !tuple.contains("pub "),
            (_, _, Some(body)) => field.is_match(body) || body.contains("pub("),
            _ => false,
        };
        if !has_own && !found[1].contains("non_exhaustive") {
            open.push(found[3].to_owned());
        }
    }
    open
}

/// The sources of a crate without its tests.
fn sources(crate_name: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut folders = vec![crates().join(crate_name).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            // A type of the syntax tree (`ast`) may have the same name as a type of `hir`.
            if path.is_dir() && !["ast", "tests", "generated", "snapshots"].contains(&name) {
                folders.push(path);
            } else if name.ends_with(".rs") && name != "tests.rs" {
                texts.push(source(&path));
            }
        }
    }
    texts
}

#[test]
fn open_types_can_grow() {
    let mut open = BTreeSet::new();
    for crate_name in [
        "babson",
        "babson-cql3",
        "babson-engine",
        "babson-ide",
        "babson-input",
        "babson-lang",
        "babson-table",
        "babson-vm",
    ] {
        let names = public_names(crate_name);
        assert!(!names.is_empty() || crate_name == "babson-table", "{crate_name}");
        let types = sources(crate_name).into_iter().flat_map(|text| open_types(&text));
        open.extend(types.filter(|name| names.contains(name)));
    }
    let closed: BTreeSet<String> = CLOSED.iter().map(|(name, _)| (*name).to_owned()).collect();
    let unmarked: Vec<_> = open.difference(&closed).collect();
    assert!(unmarked.is_empty(), "add #[non_exhaustive], or a reason to CLOSED: {unmarked:?}");
    let stale: Vec<_> = closed.difference(&open).collect();
    assert!(stale.is_empty(), "not open types of the public face: {stale:?}");
    assert!(CLOSED.iter().all(|(_, reason)| reason.len() > 20));
}

#[test]
fn open_types_are_found() {
    let text = "\npub struct A {\n    pub a: u8,\n}\n\n#[non_exhaustive]\npub struct B {\n    pub a: u8,\n}\n\
                \npub struct C {\n    pub a: u8,\n    b: u8,\n}\n\npub enum D {\n    A { b: u8 },\n}\n\
                \npub struct E;\n\npub struct F(pub u8);\n\npub struct G(u8);\n\
                \npub struct H<'a> {\n    pub a: &'a u8,\n}\npub struct I {\n    pub(crate) a: u8,\n}\n";
    assert_eq!(open_types(text), ["A", "D", "E", "F", "H"]);
}
