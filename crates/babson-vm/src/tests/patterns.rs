//! Regular expressions in queries.

use babson_lang::Dialect;

use super::{LINE, messages, run, run_as};
use crate::{RunLimit, RunOptions};

fn value(filters: &str) -> String {
    messages(&format!("cql() initial {filters}"))
}

#[test]
fn the_value_is_the_first_match() {
    assert_eq!(value(r#"message quiet("ab12cd345" ~~ "\d+")"#), "12\n");
    assert_eq!(value(r#"message quiet("ab" ~~ "\d+")"#), "<false>\n");
    assert_eq!(value(r#"message quiet("a" + "b" ~~ "b")"#), "ab\n");
    assert_eq!(value(r#"message quiet(#fen ~~ "^[^/]*")"#), "8\n");
    assert_eq!(value(r#"x="[A-Z]+" message quiet(event ~~ x)"#), "LINE\n");
}

#[test]
fn groups_are_those_of_the_latest_match() {
    assert_eq!(
        value(r#""John Smith 42" ~~ "(\w+) (\w+) (\d+)" message quiet(\0 "|" \1 \-1 "|" \3 \-3)"#),
        "John Smith 42|John0|4211\n"
    );
    assert_eq!(value(r#""xz" ~~ "x(y)?z" message quiet(\1 \-1)"#), "<false><false>\n");
    assert_eq!(
        value(r#"if "ab" ~~ "(b)" true if "cd" ~~ "(d)" true message quiet(\1 int \0)"#),
        "d<false>\n"
    );
    // A match that fails leaves none, and so does the beginning of a game.
    for query in [
        r#"cql() initial "ab" ~~ "(b)" not "ab" ~~ "c" \0"#,
        r#"cql() initial "ab" ~~ "(b)" \2"#,
        r"cql() \0",
    ] {
        let error = run(query).error.expect(query);
        assert!(!error.fatal && error.message.contains("has no group"), "{query}");
    }
}

#[test]
fn loops_over_matches() {
    assert_eq!(value(r#"x="" while("a1b22" ~~ "\d+") x+= \0+"," message quiet(x)"#), "1,22,\n");
    assert_eq!(
        value(r#"x="" while("baac" ~~ "a*") x+= "<"+\0+">" message quiet(x)"#),
        "<><aa><><>\n"
    );
    assert_eq!(
        value(r#"x="aB" if x ~~ "(x){0}a" then x=str("[" \1 "]") message quiet(x)"#),
        "[<false>]\n"
    );
    assert_eq!(value(r#"num=0 while("abc" ~~ "^.") num+=1 message quiet(num \0)"#), "1a\n");
    // None is fine, a text without a value is not.
    assert_eq!(value(r#"{while("abc" ~~ "x") true} message quiet("y")"#), "y\n");
    assert_eq!(value(r#"while(originalcomment ~~ "x") true message quiet("y")"#), "");
    // In brackets it is a condition like any other.
    assert_eq!(value(r#"x="baa" while((x ~~ "a")) x="" message quiet("[" x "]")"#), "[]\n");
}

#[test]
fn a_pattern_that_explodes_reaches_the_limit() {
    let options = RunOptions { steps: 100_000, ..RunOptions::default() };
    let query = r#"cql() "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" ~~ "(a*)*\1b""#;
    let outcome = run_as(query, LINE, Dialect::CQL6, &options);
    assert_eq!(outcome.error.as_ref().map(|error| &*error.filter), Some("limit"));
}

#[test]
fn a_malformed_pattern_that_was_made_is_an_error_of_the_game() {
    let error = run(r#"cql() x="a(" "a" ~~ x"#).error.unwrap();
    assert!(!error.fatal && error.message.contains("never closed"), "{error}");
}

#[test]
fn characters_and_bytes() {
    let both = |query: &str| {
        [Dialect::CQLI, Dialect::CQL6].map(|dialect| {
            let outcome = run_as(query, LINE, dialect, &RunOptions::default());
            String::from_utf8(outcome.messages).unwrap()
        })
    };
    assert_eq!(both(r#"cql() initial message quiet("éb" ~~ "^..$")"#), ["éb\n", "<false>\n"]);
    assert_eq!(both(r#"cql() initial "éb" ~~ "b" message quiet(\-0)"#), ["1\n", "2\n"]);
}

/// How often a query that never ends has matched a pattern when its steps were used up.
fn searches(text: &str, pattern: &str) -> usize {
    let query = format!(
        r#"initial s="{text}" while (#s<10000) s+=s t="" while (true) {{t="{pattern}" message("x") s ~~ "{pattern}"}}"#
    );
    let options = RunOptions { steps: 2_000_000, ..RunOptions::default() };
    let outcome = run_as(&query, LINE, Dialect::CQLI, &options);
    let error = outcome.error.expect(pattern);
    assert_eq!(error.limit, Some(RunLimit::Steps), "{pattern}: {error:?}");
    outcome.messages.split(|byte| *byte == b'\n').count()
}

/// If the deterministic automaton of a pattern would be too large, the pattern is matched by other
/// means. Each byte then takes the time of all parts of the pattern.
#[test]
fn patterns_cost_what_they_take() {
    for pattern in [
        "(?:[ab]{0,60}b){60}c?$",
        "[ab]*b[ab]{1000}c?$",
        "[ab]*(b)[ab]{1000}$",
        "(?:a|b)*a(?:a|b){200}c?$",
    ] {
        let count = searches("abbabaabab", pattern);
        assert!(count < 20, "{pattern}: {count}");
    }
    for pattern in ["x[ab]", "[ab]*abab$", "Carlsen, Magnus|Anand, Viswanathan", "[ab]{10,20}c"] {
        let count = searches("abbabaabab", pattern);
        assert!(count > 1000, "{pattern}: {count}");
    }
}
