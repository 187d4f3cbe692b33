//! All answers on the queries of the corpus, whole and cut.

use std::fs;
use std::path::Path;

use babson_lang::Span;

use crate::source::border;
use crate::*;

/// The queries of the corpus, in all three dialects.
fn queries() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/queries");
    let files = fs::read_dir(folder).expect("the queries").map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|ending| ending == "cql" || ending == "cqo"))
        .collect();
    files.sort();
    files.iter().filter_map(|path| fs::read_to_string(path).ok()).collect()
}

fn is_in(text: &str, span: Span) -> bool {
    span.start <= span.end && text.get(span.start as usize..span.end as usize).is_some()
}

fn check_symbol(text: &str, symbol: &Symbol) {
    assert!(is_in(text, symbol.place) && is_in(text, symbol.name_place), "{symbol:?}");
    assert_eq!(symbol.place.to(symbol.name_place), symbol.place, "{symbol:?}");
    for child in &symbol.children {
        assert_eq!(symbol.place.to(child.place), symbol.place, "{symbol:?}");
        check_symbol(text, child);
    }
}

fn check(text: &str, offset: usize, options: &Options) {
    let tokens = tokens(text, options);
    for pair in tokens.windows(2) {
        assert!(pair[0].span.end <= pair[1].span.start, "{pair:?} of {text:?}");
    }
    assert!(tokens.iter().all(|token| is_in(text, token.span)), "{text:?}");
    assert!(folds(text, options).iter().all(|fold| is_in(text, fold.span)), "{text:?}");
    symbols(text, options).iter().for_each(|one| check_symbol(text, one));
    let whole = Span::new(0, text.len() as u32);
    for hint in inlay_hints(text, whole, options) {
        assert!(text.is_char_boundary(hint.offset as usize), "{hint:?} of {text:?}");
    }
    let parts = selection(text, offset, options);
    for pair in parts.windows(2) {
        assert!(pair[0] != pair[1] && pair[0].to(pair[1]) == pair[1], "{pair:?} of {text:?}");
    }
    for one in signature(text, offset, options) {
        assert!(one.parameters.iter().all(|&place| is_in(&one.label, place)), "{one:?}");
    }
    let places = references(text, offset, options);
    let here = border(text, offset) as u32;
    if let Some(found) = definition(text, offset, options) {
        assert!(found.origin.start <= here && here <= found.origin.end, "{found:?} of {text:?}");
        let is_there = |one: &Reference| one.place == found.target;
        assert!(
            found.target.file.is_some() || places.iter().any(is_there),
            "{found:?} of {text:?}"
        );
    }
    if let Ok(edits) = format(text, None, options) {
        let fixed = babson_lang::diagnostic::Fix::edit("", edits).apply(text);
        assert_eq!(format(&fixed.unwrap(), None, options), Ok(Vec::new()), "{text:?}");
    }
}

#[test]
fn answers_are_sound() {
    let options = Options { words: Some(WordBook::read()), ..Options::default() };
    for (number, text) in queries().into_iter().enumerate() {
        let offset = (text.len() * (number % 11) / 10).min(text.len());
        check(&text, offset, &options);
        let cut = border(&text, text.len() * (1 + number % 7) / 8);
        check(&text[..cut], cut, &options);
    }
    for text in
        ["", "\"", "((((", "♔a1 ∊ \u{feff}(ⅻ\"é♕ {[〈 /* ♔", "function f(", "f(", "x =", "[Aa]x"]
    {
        (0..text.len() + 2).for_each(|offset| check(text, offset, &options));
    }
}

/// A name can be renamed wherever the query declares one, and back again.
#[test]
fn every_name_can_be_renamed() {
    let options = Options { words: Some(WordBook::read()), ..Options::default() };
    let mut tried = 0;
    for text in queries().into_iter().filter(|text| text.len() < 2000) {
        let declared = tokens(&text, &options).into_iter().filter(|token| token.is_declaration);
        for token in declared.take(3) {
            let offset = token.span.end as usize;
            let Ok(edits) = rename(&text, offset, "aVeryNewName", &options) else {
                panic!("{} of {text}", token.span.text(&text))
            };
            assert!(!edits.is_empty());
            tried += 1;
        }
    }
    assert!(tried > 20, "{tried}");
}

#[test]
fn what_is_implicit_is_shown() {
    let mut out = String::new();
    for text in [
        "x = #Q name = player wtm",
        "square s in R { s attacks k check }",
        "x ∊ R x attacks k",
        "[Aa]x ∊ [RQ] { type x == 5 }",
        "∀ x ∊ R x attacks k",
        "flip { check\nmate }",
        "✵ check",
        "echo (s t) { s [<] t }",
        "function f(arg) { arg attacks k check } f(Q)",
        "dictionary D D[\"one\"] = 1",
        "import \"motifs\" smotheredmate() check",
    ] {
        let whole = Span::new(0, text.len() as u32);
        let (mut shown, mut done) = (String::new(), 0);
        for hint in inlay_hints(text, whole, &Options::default()) {
            let at = hint.offset as usize;
            shown += &format!("{}‹{}›", &text[done..at], hint.label);
            done = at;
        }
        out += &format!("{}{}\n", shown, &text[done..]);
    }
    insta::assert_snapshot!(out);
}

#[test]
fn signatures() {
    let mut out = String::new();
    for text in [
        "import \"motifs\" fork(‸",
        "import \"motifs\" fork(Q ‸",
        "function on(pieces squares) { pieces & squares } on(R & a1-8 ‸)",
        "function on(pieces squares) { pieces & squares } on(R ∪ a1-8 ‸)",
        "function on(first second) { first and second } on(#R ≤ 3 ‸)",
        "between(‸",
        "between(R ‸k)",
        "pin from R through ‸",
        "move from ‸",
        "find ‸",
        "power ‸",
        "mate‸",
        "{ ‸ }",
        "// fork(‸",
    ] {
        let offset = text.find('‸').unwrap();
        let text = text.replace('‸', "");
        out += &format!("{text}\n");
        for one in signature(&text, offset, &Options::default()).iter().take(3) {
            let active = one.active.map_or("-", |at| one.parameters[at].text(&one.label));
            out += &format!("    {}: {active}\n", one.label);
        }
    }
    insta::assert_snapshot!(out);
}
