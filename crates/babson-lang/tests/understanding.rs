//! What is understood of queries with errors.

#![allow(clippy::disallowed_methods, reason = "tests read the corpus")]

use std::fs;
use std::path::Path;

use babson_chess::VariantNames;
use babson_lang::hir::Type;
use babson_lang::{Dialect, QuerySpans, Understanding, analyze, analyze_spans, understand};

fn known(text: &str) -> Understanding {
    understand(text, &QuerySpans::whole(text), Dialect::CQLI, &VariantNames::default())
}

/// The type of the part of the text.
fn type_of(text: &str, part: &str) -> Option<Type> {
    let start = text.find(part).expect("a part") as u32;
    known(text).type_at(babson_lang::Span::new(start, start + part.len() as u32))
}

fn corpus() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/queries");
    let files = fs::read_dir(folder).expect("the queries").map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|e| e == "cql")).collect();
    files.sort();
    files.into_iter().map(|path| fs::read_to_string(path).expect("a query")).collect()
}

/// A correct query is understood as it is analyzed.
#[test]
fn correct_queries_have_no_errors() {
    let mut tried = 0;
    for text in corpus() {
        let Ok(analysis) = analyze(&text, Dialect::CQLI) else { continue };
        let known = known(&text);
        assert!(known.errors.is_empty(), "{text}\n{:?}", known.errors);
        assert!(known.tree.is_some() && !known.types.is_empty(), "{text}");
        let names = |vars: &[babson_lang::hir::Var]| {
            vars.iter().map(|var| (var.name.clone(), var.ty)).collect::<Vec<_>>()
        };
        assert_eq!(names(&known.variables), names(&analysis.query.vars), "{text}");
        tried += 1;
    }
    assert!(tried > 40, "{tried}");
}

/// A query that ends anywhere is understood up to there: one error for each statement at most.
#[test]
fn the_beginning_of_a_query_is_understood() {
    for text in corpus() {
        let step = 1 + text.len() / 24;
        for end in (0..text.len()).step_by(step).filter(|&end| text.is_char_boundary(end)) {
            let part = &text[..end];
            let known = known(part);
            let spans = known
                .types
                .iter()
                .map(|one| one.span)
                .chain(known.errors.iter().map(|one| one.span));
            for span in spans {
                assert!(span.start <= span.end && span.end as usize <= end, "{span:?} of {part}");
            }
            let Some(tree) = &known.tree else { continue };
            for statement in &tree.items {
                let inside = |at: u32| statement.span.start <= at && at < statement.span.end;
                let errors = known.errors.iter().filter(|error| inside(error.span.start)).count();
                assert!(errors <= 1, "{errors} errors in a statement of {part}");
            }
        }
    }
}

#[test]
fn what_is_right_is_typed() {
    for (text, part, expected) in [
        ("mate x > and K attacks q", "K attacks q", Some(Type::Set)),
        ("mat\npower A", "power A", Some(Type::Number)),
        ("x = #Q\n(mate\ny = x + 1 z = y", "y = x + 1", Some(Type::Bool)),
        ("player \"Tal\nelo > 2500", "elo", Some(Type::Number)),
        ("mate ) #R", "#R", Some(Type::Number)),
        ("cql(inptu a.pgn) #R", "#R", Some(Type::Number)),
        ("ply > ", "ply", None),
    ] {
        assert_eq!(type_of(text, part), expected, "{text}");
    }
}

#[test]
fn each_statement_has_one_error() {
    for (text, errors) in [
        ("mate", 0),
        ("mat chekc", 2),
        ("mat + chekc", 1),
        ("(mate\ncheck", 1),
        ("mate ) ) check", 2),
        ("x > x > x >", 1),
        ("A + 1 = 3 mate (", 2),
        ("", 0),
    ] {
        let known = known(text);
        assert_eq!(known.errors.len(), errors, "{text}: {:?}", known.errors);
    }
}

/// A statement with wrong syntax hides neither the errors of the others nor a better one of its
/// own, and what it may declare is not unknown after it.
#[test]
fn errors_of_all_statements_are_told() {
    for (text, expected) in [
        ("move previus capture A\nmate\nN atacks k", &["previus", "atacks"][..]),
        ("function F(K) {K attacks k}\nF(R)\nN atacks k", &["K", "atacks"]),
        ("dictionary int -> int D\nD[ply]\nmate adn check", &["->", "adn"]),
        // Where a bracket is missing, all errors but a misspelled name follow from it.
        ("mate adn {check\nx > K\nN atacks k", &["adn", "{", "atacks"]),
    ] {
        let errors = analyze(text, Dialect::CQLI).expect_err(text);
        let places: Vec<&str> = errors.iter().map(|error| error.span.text(text)).collect();
        assert_eq!(places, expected, "{text}");
    }
}

/// The text of an imported file stands after the query, though its functions count first.
#[test]
fn errors_beside_imported_functions() {
    let query = "dictionary int -> int D\nmate adn check\nD[ply]\nmove previus capture A\n";
    let text = format!("{query}function F(x) {{\nx attacks k\n}}\n");
    let border = query.len() as u32;
    let parts = QuerySpans {
        imports: vec![babson_lang::Span::new(border, text.len() as u32)],
        query: babson_lang::Span::new(0, border),
        ..QuerySpans::default()
    };
    let errors = analyze_spans(&text, &parts, Dialect::CQLI, &VariantNames::default());
    let errors = errors.expect_err("wrong statements");
    let places: Vec<&str> = errors.iter().map(|error| error.span.text(&text)).collect();
    assert_eq!(places, ["->", "adn", "previus"]);
}
