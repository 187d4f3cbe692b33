//! Scopes of names (`docs/src/language/dialects.md`): local to the body that assigns it
//! first, or in 6.2 global.

use babson_lang::Dialect;

use super::{LINE, run_as};
use crate::RunOptions;

/// What the filters print at the initial position.
fn printed(filters: &str, dialect: Dialect) -> String {
    let query = format!("cql() initial {filters}");
    let outcome = run_as(&query, LINE, dialect, &RunOptions::default());
    assert_eq!(outcome.error, None, "{query}");
    let text = String::from_utf8(outcome.messages).expect("messages are text");
    text.trim_end().to_owned()
}

#[test]
fn a_function_shares_what_was_assigned_before_its_definition() {
    for (filters, cqli, cql6) in [
        // Assigned by the caller between definition and call: another variable.
        ("function fn() {num = 5 num} num = 1 message quiet(fn() num)", "51", "55"),
        ("function fn() {num = 5 num += 1 num} num = 1 message quiet(fn() num)", "61", "66"),
        (
            "function fn() {piece who = K type who} piece who = q message quiet(fn() who)",
            "6qd8",
            "6Ke1",
        ),
        // Assigned before the definition: the same.
        ("num = 1 function fn() {num = 7 num} message quiet(num fn() num)", "177", "177"),
        // A parameter stands for what the caller wrote.
        ("function fn(num) {num = 5} num = 2 fn(num) message quiet(num)", "5", "5"),
        ("function fn(num) {num = 5} num = 2 fn({num}) message quiet(num)", "2", "2"),
        // What is only read or changed is the caller's.
        ("function fn() {num + 1} num = 3 message quiet(fn())", "4", "4"),
        ("function fn() {num += 2} num = 1 fn() fn() message quiet(num)", "5", "5"),
        // So is what is read before it is assigned: a name means one thing in one body.
        ("function fn() {num = num + 1} num = 1 fn() fn() message quiet(num)", "3", "3"),
        (
            "function best(new) {if new > num num = new} num = 1 best(4) best(2) message quiet(num)",
            "4",
            "4",
        ),
        (
            "function fn() {square sq in a1-2 {num += 1} num = num * 2} num = 1 fn() message quiet(num)",
            "6",
            "6",
        ),
        (
            "function fn() {square sq in a1-2 {num = 7} num} num = 1 message quiet(fn() num)",
            "11",
            "77",
        ),
        (
            "function fn() {piece it in a1 {x = far num = 9} far = 3} far = 1 num = 1 fn() message quiet(far num)",
            "31",
            "39",
        ),
        // A function within a function.
        (
            "function fn() {one = 1 function gn() {one = 2 two = 3 two} two = 9 str(gn() one two)} message quiet(fn())",
            "329",
            "323",
        ),
        (
            "one = 1 function fn() {two = 2 gn() str(one two)} function gn() {one = 5 two = 6} message quiet(fn() one)",
            "525",
            "565",
        ),
        // The body of an iteration shares what was assigned before it, whoever calls.
        ("sq = h8 square it in a1-2 {sq = it} message quiet(sq)", "a2", "a2"),
    ] {
        assert_eq!(printed(filters, Dialect::CQLI), cqli, "{filters}");
        assert_eq!(printed(filters, Dialect::CQL6), cql6, "{filters}");
    }
}

#[test]
fn a_local_variable_has_a_type_of_its_own() {
    for (filters, wanted) in [
        ("function fn() {sq = 3 sq} sq = \"a\" message quiet(fn() sq)", "3a"),
        ("function fn() {square sq in a1-2 true} sq = 7 message quiet(fn() sq)", "[a1,a2]7"),
        ("function fn() {square sq in a1-2 true} sq = h8 message quiet(fn() sq)", "[a1,a2]h8"),
        ("function fn() {piece sq in R true} piece sq = K message quiet(fn() sq)", "[a1,h1]Ke1"),
        ("function fn() {echo quiet (sq tq) sq [<] tq} sq = h8 fn() message quiet(sq)", "h8"),
        ("function fn() {D = 3 D} dictionary D D[1] = 2 message quiet(fn() D[1])", "32"),
    ] {
        assert_eq!(printed(filters, Dialect::CQLI), wanted, "{filters}");
    }
}

#[test]
fn each_run_of_a_body_begins_anew() {
    let seen = "if it == a1 then old = it  if isbound old then seen += \"1\" else seen += \"0\"";
    for filters in [
        format!("seen = \"\" square it in a1-3 {{{seen}}} message quiet(seen)"),
        format!(
            "seen = \"\" function fn(it) {{{seen}}} square at in a1-3 fn(at) message quiet(seen)"
        ),
        format!("seen = \"\" function fn(it) {{{seen}}} fn(a1) fn(a2) fn(a3) message quiet(seen)"),
        // Assigned in each run, but in most of them nobody gets there.
        format!(
            "seen = \"\" square it in a1-3 {{{{it == a1 old = it}} or true  {seen}}} message quiet(seen)"
        ),
    ] {
        assert_eq!(printed(&filters, Dialect::CQLI), "100", "{filters}");
    }
}
