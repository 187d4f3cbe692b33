//! The laws of query text, for whatever is typed: see docs/src/testing.md#laws.

use babson_arbitrary::{Choices, check_law, for_random_inputs, query};
use babson_lang::keywords::Keyword;
use babson_lang::limits::{MAX_COPIED, MAX_NODES, MAX_STEPS_A_BYTE};
use babson_lang::text::{Spelling, comments, convert, format, tokens, tokens_around_errors};
use babson_lang::{Diagnostic, Dialect, Span, analyze, count_steps, describe, hir};

/// The most bytes of a text: a fuzzer would make longer ones slow.
const MAX_TEXT: usize = 2000;

/// The steps that the check of a text of few bytes may take: those that readings of ambiguous
/// tokens always may, and one more reading.
const MIN_BUDGET: usize = 250_000;

/// The HIR; `None` for a query with an error.
fn tree(source: &str, dialect: Dialect) -> Option<String> {
    let analysis = analyze(source, dialect).ok()?;
    Some(hir::print(&analysis.query))
}

/// Whatever the text is, the diagnostics point into it. Formatting and both spellings keep the
/// meaning of a query, formatting twice is formatting once, and a spelling can be taken back.
fn hold_for_text(text: &str) {
    let mut ends = (0..=text.len().min(MAX_TEXT)).rev();
    let end = ends.find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    let text = &text[..end];
    for span in comments(text) {
        is_within(span, text);
    }
    for dialect in [Dialect::CQLI, Dialect::CQL6] {
        ends_within_its_budget(text, dialect);
        for token in tokens_around_errors(text, dialect) {
            is_within(token.span, text);
        }
        match analyze(text, dialect) {
            Err(errors) => {
                assert!(!errors.is_empty());
                errors.iter().for_each(|error| points_into(error, text));
            }
            Ok(analysis) => {
                let told = analysis.warnings.iter().chain(&analysis.differences);
                told.for_each(|warning| points_into(warning, text));
                let _ = describe::sentences(&analysis.query);
                keeps_its_meaning(text, &hir::print(&analysis.query), dialect);
            }
        }
    }
}

/// The steps of a check are in proportion to the text, except copies under transforms and inlined
/// functions, which have limits of their own.
fn ends_within_its_budget(text: &str, dialect: Dialect) {
    let steps = count_steps(text, dialect);
    let budget = MIN_BUDGET.max(text.len() * MAX_STEPS_A_BYTE);
    assert!(steps.lexed + steps.parsed <= budget, "{steps:?} of {budget}");
    assert!(steps.typed <= budget + MAX_NODES && steps.copied <= 2 * MAX_COPIED, "{steps:?}");
}

fn keeps_its_meaning(text: &str, meaning: &str, dialect: Dialect) {
    // CQL 6.2 accepts a function that is never called and cannot be parsed. It has no other form.
    let Ok(formatted) = format(text, dialect) else { return };
    assert_eq!(tree(&formatted, dialect).as_deref(), Some(meaning), "{formatted}");
    assert_eq!(format(&formatted, dialect).as_ref(), Ok(&formatted));
    let [unicode, ascii] = [Spelling::Unicode, Spelling::Ascii].map(|spelling| {
        let converted = convert(text, spelling, dialect).expect("what can be formatted");
        assert_eq!(tree(&converted, dialect).as_deref(), Some(meaning), "{converted}");
        converted
    });
    assert_eq!(convert(&unicode, Spelling::Ascii, dialect).as_ref(), Ok(&ascii), "{unicode}");
    assert_eq!(convert(&ascii, Spelling::Unicode, dialect).as_ref(), Ok(&unicode), "{ascii}");
    assert!(tokens(text, dialect).is_ok());
}

fn points_into(diagnostic: &Diagnostic, text: &str) {
    is_within(diagnostic.span, text);
    for related in &diagnostic.related {
        is_within(related.span, text);
    }
    for fix in &diagnostic.fixes {
        assert!(fix.apply(text).is_some(), "{fix:?}");
    }
    assert!(!diagnostic.message.is_empty());
}

fn is_within(span: Span, text: &str) {
    let range = span.start as usize..span.end as usize;
    assert!(text.get(range).is_some(), "{span:?} of {} bytes", text.len());
}

/// Any bytes as a text.
#[test]
fn query_text() {
    check_law!("query_text", 600, |bytes| hold_for_text(&String::from_utf8_lossy(bytes)));
}

/// Words of the language in any order.
#[test]
fn query_words() {
    check_law!("query_words", 600, |bytes| {
        let fixed = "x y f D K A a1 . [] 3 -1 \"s\" ( ) { } [ ] : = == < + - * & | ~ -> <- --> <-- , =? += \
                     x=1 {x} f(x) D[ ] 1-0 o-o [x] -- =Q # ~~ \\1 ? {2,3} ♖ △ ∩ ≤ ⊢ ✵ ―― × ◭x ∊ ∀ → \
                     a-h1-8 [Aa] [a1,b2] // /// /* */ \"(a)\" \"s R->k\" cql() 'a'";
        let words: Vec<&str> = fixed
            .split_whitespace()
            .chain(Keyword::ALL.iter().map(|keyword| keyword.name()))
            .collect();
        let mut choices = Choices::new(bytes);
        let mut text = String::new();
        while !choices.is_over() && text.len() < 400 {
            text.push_str(choices.choose(&words));
            text.push_str(choices.choose(&[" ", " ", "", "\n", "\n\n", "\t "]));
        }
        hold_for_text(&text);
    });
}

/// Queries of the grammar: most are well typed.
#[test]
fn query_grammar() {
    check_law!("query_grammar", 600, |bytes| hold_for_text(&query(&mut Choices::new(bytes))));
}

/// Most queries of the grammar can run: the laws about runs need them.
#[test]
fn most_queries_of_the_grammar_are_sound() {
    let (mut all, mut sound) = (0, 0);
    for_random_inputs(400, |bytes| {
        let query = query(&mut Choices::new(bytes));
        all += 1;
        sound += u32::from(analyze(&query, Dialect::CQLI).is_ok());
    });
    assert!(all == 0 || sound > all / 3, "only {sound} of {all}");
}
