//! The work of the front end is linear in the length of the text. The tests count steps.

use babson_lang::analyze;
use babson_lang::limits::{MAX_COPIED, MAX_NODES, MAX_STEPS_A_BYTE};
use babson_lang::{Dialect, Steps, count_steps};

/// The size in bytes of the smaller of the two texts of a family.
const SIZE: usize = 4 << 10;

/// A family of texts, one of about each length.
struct Family {
    /// The text before the repetitions.
    head: &'static str,
    /// The repeated text.
    item: &'static str,
    /// The separator of the repetitions.
    between: &'static str,
    /// The content of the innermost repetition.
    inside: &'static str,
    /// The text that closes each repetition.
    close: &'static str,
    /// The text after the repetitions.
    tail: &'static str,
}

impl Family {
    fn text(&self, bytes: usize) -> String {
        let Family { head, item, between, inside, close, tail } = self;
        let count = (bytes / (item.len() + between.len() + close.len())).max(1);
        let items = vec![*item; count].join(between);
        format!("{head}{items}{inside}{}{tail}", close.repeat(count))
    }
}

/// A sequence of items.
fn row(head: &'static str, item: &'static str, between: &'static str) -> Family {
    Family { head, item, between, inside: "", close: "", tail: "" }
}

/// Nested items.
fn nest(
    head: &'static str,
    item: &'static str,
    close: &'static str,
    inside: &'static str,
) -> Family {
    Family { head, item, between: "", inside, close, tail: "" }
}

/// Each kind of token with two readings.
fn readings() -> Vec<Family> {
    vec![
        row("cql() ", "K[x]R", ""),
        row("cql() ", "K[x]R", " "),
        row("cql() ", "(K)[x]R", " "),
        row("cql() ", "(K)[x]R", " -"),
        row("cql() s=K ", "s -1", " "),
        row("cql() s=K ", "{s -1}", " and "),
        row("cql() s=K ", "{s -1}", " | "),
        row("cql() s=K ", "(s -1)", " "),
        row("cql() s=K ", "(s -1 check)", " "),
        row("cql() s=K ", "x=s -1", " "),
        row("cql() s=K ", "{t=s -1}", " or "),
        row("cql() function f(){K} ", "f() -1", " "),
        row("cql() function f(){K} ", "f() -f()", " "),
        row("cql() function f(){t=K t} ", "f() -1", " "),
        row("cql() function f(a){a -1 true} ", "f(K)", " "),
        row("cql() s=K ", "max(s -1 2)", " "),
        row("cql() s=K ", "up s K", " "),
        row("cql() s=K ", "flip s K", " "),
        row("cql() s=K ", "find s K", " "),
        row("cql() s=K ", "path s -- ", "\n\n"),
        row("cql() s=K ", "line s --> K", " "),
        row("cql() s=K ", "up s", " "),
        row("cql() s=\"a\" x=1 ", "s[x]", " "),
        row("cql() s=\"a\" x=1 ", "s[x]==\"a\"", " and "),
        row("cql() s=\"a\" x=1 ", "{s[x]==\"a\"}", " "),
        row("cql() s=\"a\" x=1 ", "y=s[x]", " "),
        row("cql() dictionary D x=1 D[x]=2 ", "D[x] > 1", " or "),
        row("cql() here=currentposition ", "move from here:K", " "),
        row("cql() s=K ", "if check s -10 else 0", " "),
        row("cql() s=K ", "square q in A {s -1}", " "),
        row("cql() s=K ", "message(s -1)", " "),
        nest("cql() s=K ", "{s -1 ", "}", ""),
        nest("cql() s=K ", "not (", ")", "s -1"),
        nest("cql() s=K ", "up s ", "", "K"),
    ]
}

/// Transforms and their copies.
fn copies() -> Vec<Family> {
    vec![
        row("cql() ", "shift shift Ka1", " "),
        row("cql() ", "shift {Ka1 qb2}", " "),
        row("cql() ", "flip shift [Ka1,b3]", " "),
        row("cql() ", "flip {Ka1 flipcolor count Rb1 > 1}", " "),
        nest("cql() ", "flip ", "", "Ka1"),
        nest("cql() ", "shift ", "", "Ka1"),
        nest("cql() ", "flip {Ka1 ", "}", "Rb3"),
        nest("cql() ", "shift 1 2 ", "", "Ka1"),
        nest("cql() ", "flip not ", "", "Ka1"),
    ]
}

/// Other long or deep texts.
fn others() -> Vec<Family> {
    vec![
        row("cql() ", "K", " "),
        row("cql() 0", "1", " + "),
        row("cql() ", "check", " or "),
        row("cql() ", "K", " | "),
        row("cql() ", "K", " attacks "),
        row("cql() ", "K", " -> "),
        row("cql() ", "R", "\u{2192}"),
        row("cql() ", "K", " <- "),
        row("cql() ", "sort \"k\" ply", " "),
        row("cql() ", "sort ply", " "),
        row("cql() ", "field(\"k\" ply)", " "),
        row("cql() ", "1", " == "),
        row("cql() ", "\"a\"", " + "),
        row("cql() ", "1", " - "),
        row("cql() ", "parent", ":"),
        row("cql() ", "--", " "),
        row("cql() path ", "-- check", " "),
        row("cql() path ", "(-- check)+", " "),
        row("cql() line ", "--> check", " "),
        row("cql() ", "path -- ", "\n\n"),
        row("cql() ", "x=1 x+=1", " "),
        row("cql() ", "nosuch", " "),
        row("cql() ", "nosuch(1)", " "),
        row("cql() ", "]", " "),
        row("cql() ", "up", " "),
        row("cql() ", "A + 1", " "),
        row("cql() { ", "A + 1", " ").ended("}"),
        row("cql() comment \"", "a", "").ended("\""),
        row("cql() message(", "\"a\"", " ").ended(")"),
        row("cql() event ~~ \"", "(a|b)*", "").ended("\""),
        nest("cql() event ~~ \"", "(", ")", "").ended("\""),
        row("cql() move from ray ", "up", " ").ended("(K)"),
        row("cql() ", "//x", "\n"),
        row("cql() ", "/* x */", " "),
        row("cql() K", "-", " "),
        row("cql() A[", "a1", ",").ended("]"),
        row("cql() dictionary D ", "D[1]=2", " "),
        row("cql() ", "piece $x in A {$x}", " "),
        row("cql(", "input a.pgn", " ").ended(") K"),
        nest("cql() ", "(", ")", "1"),
        nest("cql() ", "{", "}", "K"),
        nest("cql() ", "(", "", ""),
        nest("cql() ", "not ", "", "K"),
        nest("cql() ", "square x in A ", "", "K"),
        nest("cql() ", "function f() { ", "}", "K"),
        nest("cql() ", "if ", " then K else K", "K"),
        nest("cql() path ", "(-- ", ")", "check"),
        nest("cql() dictionary D ", "D[", "]", "1"),
    ]
}

impl Family {
    /// Adds text at the end.
    fn ended(self, tail: &'static str) -> Family {
        Family { tail, ..self }
    }
}

/// The work in the dialect with the greater count.
fn steps(text: &str) -> Steps {
    let [one, other] = [Dialect::CQLI, Dialect::CQL6].map(|dialect| count_steps(text, dialect));
    if one.total() > other.total() { one } else { other }
}

/// Compares the work of a family at two sizes with each other and with the limits.
fn check(family: &Family, bytes: usize) {
    let [small, large] = [bytes, 2 * bytes].map(|bytes| family.text(bytes));
    let [one, two] = [&small, &large].map(|text| steps(text));
    let name: String = large.chars().take(60).collect();
    let per_byte = (two.total() - two.copied) / large.len();
    assert!(per_byte <= MAX_STEPS_A_BYTE, "{name}: {per_byte} steps a byte");
    assert!(two.copied <= MAX_COPIED, "{name}: {two:?}");
    // A short text has constant costs, and can be rejected earlier.
    let least = 20_000;
    assert!(2 * two.total() <= 5 * one.total() + least, "{name}: {one:?}, {two:?}");
    assert!(2 * two.built <= 5 * one.built + least, "{name}: {one:?}, {two:?}");
}

#[test]
fn ambiguous_tokens_take_few_passes() {
    for family in readings() {
        check(&family, SIZE);
    }
}

#[test]
fn copies_grow_with_the_text() {
    for family in copies() {
        // Nested transforms multiply until they are rejected.
        if family.between.is_empty() {
            let steps = count_steps(&family.text(SIZE / 64), Dialect::CQLI);
            assert!(steps.copied <= MAX_COPIED, "{}{}: {steps:?}", family.head, family.item);
        } else {
            check(&family, SIZE / 64);
        }
    }
}

/// A query of 64 KB of copies, rejected or not, takes at most the copies and the steps that the
/// limits permit. The release build makes these copies in 0.7 seconds.
#[test]
fn copies_of_a_large_query_are_bounded() {
    let text = row("cql() ", "shift shift Ka1", " ").text(64 << 10);
    let steps = count_steps(&text, Dialect::CQLI);
    assert!(steps.copied > MAX_COPIED / 100, "{steps:?}");
    assert!(steps.copied <= MAX_COPIED, "{steps:?}");
    assert!(steps.total() - steps.copied <= MAX_STEPS_A_BYTE * text.len(), "{steps:?}");
}

#[test]
fn all_else_is_read_once() {
    for family in others() {
        check(&family, SIZE);
    }
}

#[test]
fn inlined_functions_are_bounded() {
    // Each function calls the previous one twice.
    let mut text = String::from("cql() function f0() { check }");
    for i in 1..60 {
        text += &format!(" function f{i}() {{ f{0}() f{0}() }}", i - 1);
    }
    text += " f59()";
    let steps = count_steps(&text, Dialect::CQLI);
    assert!(steps.typed <= 2 * MAX_NODES, "{steps:?}");
}

#[test]
fn many_ambiguous_tokens_mean_what_few_do() {
    // More tokens than `MAX_SINGLE_READINGS`, in sequence in one filter.
    let tree = |query: &str| {
        let analysis = analyze(query, Dialect::CQLI).expect("the query is sound");
        babson_lang::hir::print(&analysis.query).replace("\n", " ")
    };
    for (head, item, apart) in [
        ("s=K", "s -1", "{s} {-1}"),
        ("x=1 s=\"a\"", "s[x]==\"a\"", "s[ x ]==\"a\""),
        ("function f(){K}", "f() -1", "{f()} {-1}"),
        ("s=K", "up s K", "{up s} {K}"),
    ] {
        for count in [1, 3, 40] {
            let [written, meant] = [item, apart].map(|item| {
                let items = vec![item; count].join(" ");
                tree(&format!("cql() {head} {items}"))
            });
            let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(plain(&written), plain(&meant), "{count} {item}");
        }
    }
}
