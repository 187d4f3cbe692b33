use std::collections::HashSet;

use babson_chess::VariantNames;

use super::Speculation;
use crate::ast::print;
use crate::choice::{Choice, ChoiceKind};
use crate::diagnostic::{Code, Span};
use crate::dialect::Dialect;
use crate::limits::MIN_READING_STEPS;
use crate::parse::SourceTexts;
use crate::query_parts::QuerySpans;
use crate::sema;
use crate::steps::Steps;

/// A query with a choice of a kind, its token, and the trees of both readings.
fn example(kind: ChoiceKind) -> (&'static str, &'static str, [&'static str; 2]) {
    match kind {
        ChoiceKind::LeftOperand => (
            "path check--",
            "--",
            ["(path (step (-- check _)))", "(path (holder check) (step (-- _ _)))"],
        ),
        ChoiceKind::PathOperator => (
            "path -- check > 5",
            ">",
            ["(path (step (-- _ _) (> check 5)))", "(> (path (step (-- _ _) check)) 5)"],
        ),
        ChoiceKind::Difference => ("s=K s -1", "-", ["(= s K) (- s 1)", "(= s K) s -1"]),
        ChoiceKind::Bound => ("s=K up s K", "s K", ["(= s K) (up s K)", "(= s K) (up s) K"]),
        ChoiceKind::OperandColon => (
            "start=parent move from start:K",
            ":",
            [
                "(= start parent) (: (move (from start)) K)",
                "(= start parent) (move (from (: start K)))",
            ],
        ),
        ChoiceKind::Capture => (
            "x=1 s=\"ab\" s[x]==\"b\"",
            "[x]",
            [
                "(= x 1) (= s \"ab\") (== ([x] s _) \"b\")",
                "(= x 1) (= s \"ab\") (== (index s x) \"b\")",
            ],
        ),
        ChoiceKind::SearchText => (
            "message(#event \"E\")",
            "\"E\"",
            ["(message (# (event \"E\")))", "(message (# (event)) \"E\")"],
        ),
    }
}

const KINDS: [ChoiceKind; 7] = [
    ChoiceKind::LeftOperand,
    ChoiceKind::PathOperator,
    ChoiceKind::Difference,
    ChoiceKind::Bound,
    ChoiceKind::OperandColon,
    ChoiceKind::Capture,
    ChoiceKind::SearchText,
];

/// The tree with these second readings, if it parses.
fn tree(texts: &SourceTexts<'_>, second: &[Choice]) -> Option<String> {
    let second: HashSet<Choice> = second.iter().copied().collect();
    let (_, parsed) = texts.attempt(0, &second, 1, &mut Steps::default());
    parsed.ok().map(|query| print::query(&query))
}

#[test]
fn type_checking_rejects_the_first_reading_of_each_kind() {
    for kind in KINDS {
        let (text, token, [first, second]) = example(kind);
        let (parts, mut steps) = (QuerySpans::whole(text), Steps::default());
        let texts = SourceTexts::new(text, &parts, Dialect::CQLI, &mut steps).unwrap();
        assert_eq!(tree(&texts, &[]).as_deref(), Some(first), "{kind:?}");

        let variants = VariantNames::default();
        let mut speculation = Speculation::new(&texts, &mut steps);
        let (query, typed) = speculation
            .run(|query, steps| sema::lower(text, query, None, Dialect::CQLI, &variants, steps))
            .expect(text);
        assert_eq!(print::query(&query), second, "{kind:?}");
        assert!(typed.is_ok(), "{kind:?}: {typed:?}");
        let at = text.rfind(token).expect("the token is in the text") as u32;
        let choice = kind.at(Span::new(at, at));
        assert_eq!(speculation.choices.second(), HashSet::from([choice]), "{text}");
    }
}

/// A choice of one kind does not change a token with a choice of another kind.
#[test]
fn a_choice_is_of_its_kind() {
    for kind in KINDS {
        let (text, token, [first, second]) = example(kind);
        let (parts, mut steps) = (QuerySpans::whole(text), Steps::default());
        let texts = SourceTexts::new(text, &parts, Dialect::CQLI, &mut steps).unwrap();
        let at = text.rfind(token).expect("the token is in the text") as u32;
        for other in KINDS {
            // A capture also has the choice of its left operand.
            if (kind, other) == (ChoiceKind::Capture, ChoiceKind::LeftOperand) {
                continue;
            }
            let expected = if other == kind { second } else { first };
            let read = tree(&texts, &[other.at(Span::new(at, at))]);
            assert_eq!(read.as_deref(), Some(expected), "{text}: {other:?}");
        }
    }
}

/// All rejected choices of a list are found by one attempt.
#[test]
fn the_items_of_a_message_need_few_attempts() {
    let query = format!("message({})", "#event \"E\" ".repeat(400));
    assert!(crate::analyze(&query, Dialect::CQLI).is_ok());
}

/// Each reading counts, also one after which rejected choices are retracted.
#[test]
fn retracted_readings_are_bounded() {
    let text = "s=K {s -1} (s -1)";
    let (parts, mut steps) = (QuerySpans::whole(text), Steps::default());
    let texts = SourceTexts::new(text, &parts, Dialect::CQLI, &mut steps).unwrap();
    let variants = VariantNames::default();
    // The error, if the text does not parse with `left` steps.
    let error_with = |left: usize| {
        let mut steps = Steps { parsed: MIN_READING_STEPS - left, ..Steps::default() };
        let read = Speculation::new(&texts, &mut steps)
            .run(|query, steps| sema::lower(text, query, None, Dialect::CQLI, &variants, steps));
        read.err().map(|errors| errors[0].code)
    };
    assert_ne!(error_with(MIN_READING_STEPS), Some(Code::TooAmbiguous));
    assert!((0..400).any(|left| error_with(left) == Some(Code::TooAmbiguous)));
}
