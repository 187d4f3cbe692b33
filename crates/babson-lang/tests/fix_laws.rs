//! The law of fixes: whoever takes a fix that is offered, and then the first fix that is offered
//! each time, comes to a query that compiles, or keeps errors that were there before.

#![allow(clippy::disallowed_methods, reason = "tests read the corpus")]

mod offered;

use std::fs;
use std::path::Path;

use babson_arbitrary::{Choices, for_random_inputs, query};
use babson_lang::diagnostic::{Edit, Fix, Severity, Span};
use babson_lang::text::tokens;
use babson_lang::{Diagnostic, Dialect};
use offered::offered;

/// More fixes than any damaged query needs.
const MAX_ROUNDS: usize = 24;

/// The bytes of the longest query of the corpus that is damaged: longer ones take too long without
/// optimization.
const MAX_QUERY: usize = 700;

/// The damaged versions of each query of the corpus.
const DAMAGES: usize = 24;

fn is_error(one: &Diagnostic) -> bool {
    one.severity() == Severity::Error
}

/// The place after the edits; `None` if one of them changes it.
fn moved(place: Span, edits: &[Edit]) -> Option<Span> {
    let mut growth = 0;
    for Edit { span, text, .. } in edits {
        if span.end <= place.start {
            growth += text.len() as i64 - i64::from(span.end - span.start);
        } else if span.start < place.end {
            return None;
        }
    }
    let at = |offset: u32| u32::try_from(i64::from(offset) + growth).ok();
    Some(Span::new(at(place.start)?, at(place.end)?))
}

/// The errors left after one fix and the first fixes that are offered then, except those that the
/// query had before; `None` if there are none.
fn new_errors(query: &str, found: &[Diagnostic], fix: &Fix) -> Option<String> {
    let mut before: Vec<Diagnostic> = found.iter().filter(|one| is_error(one)).cloned().collect();
    let mut text = query.to_owned();
    let mut trail = String::new();
    let mut next = Some(fix.clone());
    let mut left = Vec::new();
    for _ in 0..MAX_ROUNDS {
        let Some(fix) = next else { break };
        before.retain_mut(|one| match moved(one.span, &fix.edits) {
            Some(place) => {
                one.span = place;
                true
            }
            None => false,
        });
        text = fix.apply(&text).expect("the edits are in the text");
        trail += &format!("\n  [{}]\n  {}", fix.title, text.replace('\n', "\n  "));
        left = offered(&text, Dialect::CQLI);
        left.retain(is_error);
        next = left.iter().flat_map(|one| &one.fixes).next().cloned();
    }
    left.retain(|one| {
        !before
            .iter()
            .any(|old| (old.code, &old.message, old.span) == (one.code, &one.message, one.span))
    });
    let shown: Vec<String> =
        left.iter().map(|one| format!("  {}: {}", one.code, one.message)).collect();
    (!left.is_empty()).then(|| format!("{query}{trail}\n{}", shown.join("\n")))
}

/// The number of fixes that are offered for a query, and those that break the law.
fn check(query: &str, failures: &mut Vec<String>) -> usize {
    let found = offered(query, Dialect::CQLI);
    let fixes = found.iter().flat_map(|one| &one.fixes);
    failures.extend(fixes.clone().filter_map(|fix| new_errors(query, &found, fix)));
    fixes.count()
}

/// The texts of the files of a folder of the corpus.
fn corpus(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(folder);
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().filter_map(|path| fs::read_to_string(path).ok()).collect()
}

/// The query with one token left out, doubled, misspelled or replaced by a token of another place.
fn damaged(query: &str, choices: &mut Choices<'_>) -> String {
    const WRONG: [&str; 16] = [
        "&&", ",", ";", "=", "==", "and", "(", "}", "White", "rooks", "\"", "attaks", "1.5", "!",
        "Qxf7", "mate",
    ];
    let Ok(tokens) = tokens(query, Dialect::CQLI) else { return query.to_owned() };
    let spans: Vec<Span> = tokens.iter().map(|token| token.span).collect();
    if spans.is_empty() {
        return query.to_owned();
    }
    let place = choices.choose(&spans);
    let word = place.text(query);
    let text = match choices.choose(&[0, 1, 2, 3, 4]) {
        0 => String::new(),
        1 => format!("{word} {word}"),
        2 => choices.choose(&spans).text(query).to_owned(),
        3 => choices.choose(&WRONG).to_owned(),
        _ => {
            // Two letters change places.
            let mut letters: Vec<char> = word.chars().collect();
            let middle = letters.len() / 2;
            if middle > 0 {
                letters.swap(middle, middle - 1);
            }
            letters.into_iter().collect()
        }
    };
    Fix::replace(place, text).apply(query).unwrap_or_default()
}

fn report(offered: usize, failures: &[String]) {
    let shown = failures.iter().take(20).cloned().collect::<Vec<_>>().join("\n\n");
    assert!(failures.is_empty(), "{} of {offered} fixes:\n{shown}", failures.len());
}

#[test]
fn damaged_queries_of_the_corpus_are_mended() {
    let queries: Vec<String> =
        corpus("queries").into_iter().filter(|query| query.len() <= MAX_QUERY).collect();
    let (mut offered, mut failures) = (0, Vec::new());
    let mut at = 0;
    for_random_inputs((queries.len() * DAMAGES) as u64, |bytes| {
        let mut choices = Choices::new(bytes);
        let mut query = damaged(&queries[at % queries.len()], &mut choices);
        at += 1;
        if choices.choose(&[false, true]) {
            query = damaged(&query, &mut choices);
        }
        offered += check(&query, &mut failures);
    });
    assert!(at == 0 || offered > at / 4, "{offered}");
    report(offered, &failures);
}

#[test]
fn damaged_queries_of_the_grammar_are_mended() {
    let (mut offered, mut failures, mut tested) = (0, Vec::new(), 0);
    for_random_inputs(1000, |bytes| {
        let mut choices = Choices::new(bytes);
        let whole = query(&mut choices);
        let query = damaged(&whole, &mut choices);
        offered += check(&query, &mut failures);
        tested += 1;
    });
    assert!(tested == 0 || offered > 100, "{offered}");
    report(offered, &failures);
}

/// What an import leads to is tested if it is in the library; commas of calls are left out.
#[test]
fn what_is_offered_at_imports_and_in_calls() {
    let long = "B".repeat(150);
    for (query, fixed) in [
        ("import \"motivs\" mate", Some("import \"motifs\" mate")),
        ("import \"motivs\" K atacks 3", None),
        (
            "function f(x y z) {x attacks y z} f(K, e4, e5)",
            Some("function f(x y z) {x attacks y z} f(K e4 e5)"),
        ),
        ("K in e4,e5", Some("K in [e4,e5]")),
        // A name that is too long to look at is not cut.
        (&format!("player Tal, {long}"), Some(&*format!("player Tal {long}"))),
    ] {
        let found = offered(query, Dialect::CQLI);
        let fix = found.iter().flat_map(|one| &one.fixes).next();
        let text = fix.and_then(|fix| fix.apply(query));
        assert_eq!(text.as_deref(), fixed, "{query}");
    }
}

#[test]
fn wrong_queries_of_beginners_are_mended() {
    let text = &corpus("mistakes")[0];
    let (mut offered, mut failures) = (0, Vec::new());
    for block in text.split("\n\n") {
        let lines = block.lines().filter_map(|line| line.strip_prefix("> "));
        let query = lines.collect::<Vec<_>>().join("\n");
        offered += check(&query, &mut failures);
    }
    assert!(offered > 50, "{offered}");
    report(offered, &failures);
}
