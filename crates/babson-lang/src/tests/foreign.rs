//! Texts that are not queries.

use babson_chess::VariantNames;

use crate::diagnostic::{Code, Span};
use crate::{Dialect, QuerySpans, analyze, analyze_spans};

#[test]
fn one_error_for_the_whole_text() {
    for (text, code, help) in [
        (
            " rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w KQkq - 0 1\n",
            Code::FenAsQuery,
            "write `fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"`",
        ),
        (
            "rnbqkbnr/pppppppp/8/8\n  /8/8/PPPPPPPP/\nRNBQKBNR\r\nw KQkq -",
            Code::FenAsQuery,
            "write `fen \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\"`",
        ),
        ("8/8/8/8/8/8/8/K1k5", Code::FenAsQuery, "write `fen \"8/8/8/8/8/8/8/K1k5\"`"),
        ("{ \"stm\": \"white\", \"pass\": \"\" }", Code::JsonAsQuery, "write `btm`"),
    ] {
        let errors = analyze(text, Dialect::CQLI).expect_err(text);
        let [error] = errors.as_slice() else { panic!("{text}: {errors:?}") };
        let found = error.help.as_deref().unwrap_or_default();
        assert!(error.code == code && found.starts_with(help), "{error:?}");
        assert_eq!(error.span.text(text), text.trim());
    }
}

/// A FEN among several texts is found in its part.
#[test]
fn the_part_with_the_fen() {
    let text = "mate 8/8/8/8/8/8/8/K1k5 w";
    let parts = QuerySpans {
        filters: vec![Span::new(0, 4), Span::new(5, 25)],
        query: Span::new(25, 25),
        ..QuerySpans::default()
    };
    let names = VariantNames::default();
    let errors = analyze_spans(text, &parts, Dialect::CQLI, &names).expect_err("a FEN");
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].span, Span::new(5, 25));
}
