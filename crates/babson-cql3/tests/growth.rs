//! The work of the front end is linear in the length of the text. The tests count steps.

use babson_cql3::count_steps;
use babson_lang::limits::{MAX_COPIED, MAX_STEPS_A_BYTE};

/// The size in bytes of the smaller of the two texts of a family.
const SIZE: usize = 4 << 10;

/// A family of texts of each length: the text before the repetitions, the repeated text, the text
/// in the innermost repetition, the text that closes each, and the text after all of them.
type Family = [&'static str; 5];

fn text([head, item, inside, close, tail]: Family, bytes: usize) -> String {
    let count = (bytes / (item.len() + close.len())).max(1);
    format!("{head}{}{inside}{}{tail}", item.repeat(count), close.repeat(count))
}

/// Items in a sequence.
fn row(head: &'static str, item: &'static str, tail: &'static str) -> Family {
    [head, item, "", "", tail]
}

/// Compares the work of a family at two sizes with each other and with the limits.
fn check(family: Family, bytes: usize) {
    let large = text(family, 2 * bytes);
    let (one, two) = (count_steps(&text(family, bytes)), count_steps(&large));
    let per_byte = (two.total() - two.copied) / large.len();
    assert!(per_byte <= MAX_STEPS_A_BYTE, "{family:?}: {per_byte} steps a byte");
    assert!(two.copied <= MAX_COPIED, "{family:?}: {two:?}");
    // A short text has constant costs, and can be rejected earlier.
    let least = 20_000;
    assert!(2 * two.total() <= 5 * one.total() + least, "{family:?}: {one:?}, {two:?}");
}

#[test]
fn copies_grow_with_the_text() {
    for family in [
        row("(match ", "(position :shift :flip Ka1) ", ")"),
        row("(match ", "(position :shift :flip :flipcolor Ka1 Rb2) ", ")"),
        row("(match (position :sequence (", "(position :shift Ka1 Rb2) ", ")))"),
        row("(match (position :shift :flip :sequence (", "(position Ka1 Rb2) ", ")))"),
        row("(match (position :shift :flip ", "Ka1 ", "))"),
    ] {
        check(family, SIZE / 64);
    }
    // Nested transforms multiply until they are rejected.
    let nested = ["(match ", "(position :shift :or (", "(position Ka1)", "))", ")"];
    let steps = count_steps(&text(nested, SIZE / 64));
    assert!(steps.copied <= MAX_COPIED, "{steps:?}");
}

/// A query of 64 KB of copies, rejected or not, takes at most the copies and the steps that the
/// limits permit.
#[test]
fn copies_of_a_large_query_are_bounded() {
    let text = text(row("(match ", "(position :shift :flip Ka1) ", ")"), 64 << 10);
    let steps = count_steps(&text);
    assert!(steps.copied > MAX_COPIED / 100, "{steps:?}");
    assert!(steps.copied <= MAX_COPIED, "{steps:?}");
    assert!(steps.total() - steps.copied <= MAX_STEPS_A_BYTE * text.len(), "{steps:?}");
}

#[test]
fn all_else_is_read_once() {
    for family in [
        row("(match ", "(position Ka1) ", ")"),
        row("(match (position ", "Ka1 ", "))"),
        row("(match (position :ray (", "A ", ")))"),
        ["(match ", "(position :or (", "(position Ka1)", "))", ")"],
        ["(match ", "(position ", "Ka1", ")", ")"],
        ["(match ", "(", "", "", ""],
    ] {
        check(family, SIZE);
    }
}
