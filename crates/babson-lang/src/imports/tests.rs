use std::collections::HashMap;

use super::*;
use crate::analyze::analyze_spans;
use babson_chess::VariantNames;

/// Files by name.
#[derive(Debug)]
struct Texts(HashMap<&'static str, &'static str>);

impl ImportFiles for Texts {
    fn find(&self, name: &str, from: Option<&str>) -> Result<Option<FoundFile>, String> {
        if name == "secret" {
            return Err(format!("`{name}` is forbidden"));
        }
        let _ = from;
        let text = self.0.get(name);
        Ok(text.map(|text| FoundFile { key: name.into(), name: name.into(), text: (*text).into() }))
    }
}

fn resolved(query: &str, files: &[(&'static str, &'static str)]) -> ResolvedQuery {
    let files = Texts(files.iter().copied().collect());
    resolve(query, &QuerySpans::whole(query), Dialect::CQLI, &files)
}

/// The messages of a query, with the texts of their places.
fn errors(query: &str, files: &[(&'static str, &'static str)]) -> Vec<(String, String)> {
    let resolved = resolved(query, files);
    let typed = resolved.analyze(Dialect::CQLI, &VariantNames::default());
    let errors = typed.err().unwrap_or_default().into_iter();
    errors.map(|error| (error.message, error.span.text(&resolved.text).to_owned())).collect()
}

fn error(query: &str, files: &[(&'static str, &'static str)]) -> (String, String) {
    let mut errors = errors(query, files);
    assert!(!errors.is_empty(), "{query}");
    errors.remove(0)
}

#[test]
fn functions_of_files_are_known() {
    let files = [
        ("a", "import \"b\" function two(x) { one(x) one(x) }"),
        ("b", "function one(x) { x attacks k } // the end"),
        ("empty", "// nothing"),
    ];
    for query in [
        "import \"a\" two(R)",
        "import \"a\" import \"b\" two(R) one(Q)",
        "cql() import \"a\" two(R)",
        "import \"empty\" mate",
        "import \"motifs\" import \"a\" two(fork(N q))",
        "import \"motifs.cql\" doublecheck()",
    ] {
        assert_eq!(errors(query, &files), [], "{query}");
    }
    assert_eq!(resolved("import \"a\" import \"b\" one(R)", &files).files.len(), 2);
}

#[test]
fn wrong_imports_are_named() {
    let files = [
        ("a", "import \"b\""),
        ("b", "import \"a\""),
        ("self", "import \"self\""),
        ("filter", "function f(x) { x } check"),
        ("header", "cql() function f(x) { x }"),
        ("broken", "function f(x) { x"),
        ("typo", "function g(x) { x attaks k }"),
        ("f", "function f(x) { x }"),
        ("again", "function f(x) { x }"),
        ("ours", "import \"nosuch\""),
    ];
    for (query, message, place) in [
        ("import \"nosuch\" mate", "no file `nosuch`", "\"nosuch\""),
        ("import \"secret\" mate", "`secret` is forbidden", "\"secret\""),
        ("import \"ours\" mate", "no file `nosuch`", "\"nosuch\""),
        ("import \"a\" mate", "`a` imports itself: a → b → a", "\"a\""),
        ("import \"self\" mate", "`self` imports itself: self → self", "\"self\""),
        ("import \"filter\" mate", "only functions", "check"),
        ("import \"header\" mate", "no header", "cql()"),
        ("import \"broken\" mate", "", "{"),
        ("import \"typo\" g(R)", "", "attaks"),
        ("import \"f\" import \"again\" f(R)", "already defined", "f"),
        ("not import \"f\"", "must stand alone", "import \"f\""),
        ("{import \"f\" f(R)}", "must stand alone", "import \"f\""),
    ] {
        let (found, at) = error(query, &files);
        assert!(found.contains(message) && at == place, "{query}: {found} at {at}");
    }
}

/// Without its files, the functions of an import would be unknown names.
#[test]
fn an_import_that_nobody_resolved_is_named() {
    let text = "import \"motifs\" import \"x\" smotheredmate()";
    let errors = crate::analyze(text, Dialect::CQLI).unwrap_err();
    let told: Vec<_> = errors.iter().map(|error| (error.code, error.span.text(text))).collect();
    assert_eq!(told, [(Code::ImportNotFound, "\"motifs\""), (Code::ImportNotFound, "\"x\"")]);
    assert_eq!(errors[0].message, "the import of `motifs` was not resolved");
    assert!(errors[0].help.as_ref().is_some_and(|help| help.contains("`babson_lang::imports::")));
    // Also in the filters before a query.
    let parts = QuerySpans {
        filters: vec![Span::new(0, 15)],
        query: Span::new(16, 20),
        ..QuerySpans::default()
    };
    let text = "import \"motifs\"\nmate";
    let typed = analyze_spans(text, &parts, Dialect::CQLI, &VariantNames::default());
    assert_eq!(typed.unwrap_err()[0].span.text(text), "\"motifs\"");
}

/// The word is a name in a query that assigns it, and in the dialect `cql6`.
#[test]
fn the_word_may_be_a_name() {
    assert_eq!(errors("import = 3 import == 3", &[]), []);
    assert!(imports("import \"motifs\"", Dialect::CQL6).is_empty());
    let text = "cql() import \"motifs\" mate";
    let typed = crate::analyze(text, Dialect::CQL6).unwrap_err();
    assert!(typed[0].message.contains("`import`"), "{}", typed[0].message);
    let text = "cql() import = 3 import == 3";
    assert!(crate::analyze(text, Dialect::CQL6).is_ok());
}

#[test]
fn too_many_files_are_refused() {
    #[derive(Debug)]
    struct Endless;
    impl ImportFiles for Endless {
        fn find(&self, name: &str, _: Option<&str>) -> Result<Option<FoundFile>, String> {
            let text = format!("import \"{name}x\"");
            Ok(Some(FoundFile { key: name.to_owned(), name: name.to_owned(), text }))
        }
    }
    let text = "import \"x\" mate";
    let resolved = resolve(text, &QuerySpans::whole(text), Dialect::CQLI, &Endless);
    assert!(resolved.errors[0].message.contains("more than 100 files"));
}

/// Every function of the library has its types, whatever the query.
#[test]
fn the_library_is_sound() {
    let text = "import \"motifs\" fork(N q) skewer(R k q) battery(Q R k) hanging(a A a) \
                discoveredcheck() doublecheck() smotheredmate() backrankmate() oppositecastling() \
                oppositebishops() filewithout(P) protectedpasser(P) isolani(P)";
    assert_eq!(errors(text, &[]), []);
    let functions = library_text("motifs").unwrap_or_default().matches("\nfunction ").count();
    assert_eq!(text.matches('(').count(), functions);
}
