//! The functions of imported files in the answers about a query.

use std::sync::Arc;

use babson_lang::imports::{FoundFile, ImportFiles};

use crate::tests::marked;
use crate::{Item, ItemKind, Options, complete, hover, signature};

/// A file that is being written.
const MINE: &str = "// A file of mine.\n\nlimit = 3 // of the file\n// Twice a number,\n// or \
                more.\nfunction twice(num more) {\n  num * 2 + more\n}\nfunction third(x)\n\
                function quarter(x) { x / 4 }\nfunction half(";

#[derive(Debug)]
struct Files;

impl ImportFiles for Files {
    fn find(&self, name: &str, _: Option<&str>) -> Result<Option<FoundFile>, String> {
        Ok((name == "mine").then(|| FoundFile::new("/queries/mine.cql", "mine.cql", MINE)))
    }

    fn names(&self) -> Vec<String> {
        ["mine", "sub/other", "motifs"].map(str::to_owned).to_vec()
    }
}

fn options() -> Options {
    Options { imports: Arc::new(Files), ..Options::default() }
}

fn items(text: &str) -> Vec<Item> {
    let (text, offset) = marked(text);
    complete(&text, offset, &options())
}

#[test]
fn functions_of_files_are_offered() {
    let found = items("import \"mine\" x = tw‸");
    let twice = found.iter().find(|item| item.label == "twice").expect("the function");
    assert_eq!(twice.kind, ItemKind::Function);
    assert_eq!(twice.insert, "twice(${1:num} ${2:more})");
    let text = "// Twice a number,\n// or more.\nfunction twice(num more) {\n  num * 2 + more\n}";
    let doc = |text: &str| format!("```cql\n{text}\n```\n\nfrom `mine.cql`");
    assert_eq!(twice.doc, Some(doc(text)));
    // A function without a body ends with its line.
    let found = items("import \"mine\" x = thi‸");
    let third = found.iter().find(|item| item.label == "third").expect("the function");
    assert_eq!(third.doc, Some(doc("function third(x)")));
    assert!(items("x = tw‸").iter().all(|item| item.label != "twice"));
    // An imported file of the library has its functions, the others have their imports.
    let fork = |text: &str| {
        let found = items(text).into_iter().find(|item| item.label == "fork");
        found.map(|item| item.insert)
    };
    let call = "fork(${1:attackers} ${2:targets})";
    assert_eq!(fork("import \"motifs\" fo‸").as_deref(), Some(call));
    assert_eq!(fork("fo‸"), Some(format!("import \"motifs\" {call}")));
}

#[test]
fn functions_of_files_are_explained() {
    let (text, offset) = marked("import \"mine\" twice(1 ‸");
    let found = signature(&text, offset, &options());
    assert_eq!(found[0].label, "twice(num more)");
    assert_eq!(found[0].active, Some(1));
    assert!(found[0].doc.as_deref().is_some_and(|doc| doc.contains("// Twice a number")));
    let (text, offset) = marked("import \"mine\" twi‸ce(1 2) > 3");
    let found = hover(&text, offset, &options()).expect("a meaning");
    assert!(found.markdown.ends_with("from `mine.cql`"), "{}", found.markdown);
}

#[test]
fn files_are_offered() {
    let labels: Vec<String> = items("import \"‸").into_iter().map(|item| item.label).collect();
    // A file may have the name of a file of the library.
    assert_eq!(labels, ["mine", "sub/other", "motifs"]);
    let found = items("import \"sub/‸\" mate");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].insert, "sub/other");
}
