//! A value that stands alone as a filter matches everything: its author is told what was probably
//! meant.

use babson_lang::hir::{Expr, ExprKind, Nullary};
use babson_lang::{Dialect, sema::analyse};

/// The places that are warned of, and the help.
fn advice(query: &str) -> Vec<(String, String)> {
    let analysis =
        analyse(query, Dialect::CQLI).unwrap_or_else(|errors| panic!("{query}: {}", errors[0]));
    let told = |one: &babson_lang::Diagnostic| {
        (one.span.text(query).to_owned(), one.help.clone().unwrap_or_default())
    };
    analysis.advice.iter().map(told).collect()
}

#[test]
fn constants_alone_are_told() {
    for (query, places, meant) in [
        ("year 1920", &["1920"][..], "`year == 1920`"),
        ("ply 3", &["3"], "`ply == 3`"),
        ("#A 3", &["3"], "`#A == 3`"),
        ("A 5", &["5"], "`A == 5`"),
        ("elo 2500", &["2500"], "`elo == 2500`"),
        ("x = 3 x 4", &["4"], "`x == 4`"),
        ("find mate 3", &["3"], "`find 3 mate`"),
        ("up K 3", &["3"], "`up 3 K`"),
        ("flip Ka1 2", &["2"], "`flip 2 Ka1`"),
        ("who = \"x\" player white who", &["who"], "`player white == who`"),
        ("line --> check {3 100}", &["3"], "`{3,100}`"),
        ("mate 1/2", &["1/2"], "ply"),
        ("mate \"a\" + \"b\"", &["\"a\" + \"b\""], "comment"),
        ("3", &["3"], "ply"),
        ("-1", &["-1"], "ply"),
        ("(3)", &["(3)"], "ply"),
        ("check and 3", &["3"], "ply"),
        ("not \"a\"", &["\"a\""], "comment"),
        ("if 1 then check else mate", &["1"], "ply"),
        ("find \"a\"", &["\"a\""], "comment"),
        ("{3 check} mate", &["3"], "ply"),
        ("function f() {3 check} f()", &["3"], "ply"),
        ("cqlend {3 message(\"a\")} mate", &["3"], "ply"),
        ("square x in A {3 x attacks k}", &["3"], "ply"),
        ("3 4 mate", &["3", "4"], "ply"),
    ] {
        let told = advice(query);
        let found: Vec<&str> = told.iter().map(|(place, _)| place.as_str()).collect();
        assert_eq!(found, places, "{query}");
        assert!(told[0].1.contains(meant), "{query}: {}", told[0].1);
    }
}

#[test]
fn values_that_are_asked_for_are_not() {
    for query in [
        "x = {check 3} x > 1",
        "wtm {check 3}",
        "function f() {check 3} f() > 2",
        "true false",
        "while (true) {check}",
        "message(3 \"a\")",
        "x = 3 x",
        "1-0",
        "{3 == #A}",
        "comment(if check 1 else 2)",
        "event \"x\"",
        "line --> check {3,100}",
    ] {
        assert_eq!(advice(query), [], "{query}");
    }
}

/// How many filters end the run in CQL 6.2.
fn stops(query: &str) -> usize {
    fn count(e: &Expr) -> usize {
        let mut n = usize::from(matches!(e.kind, ExprKind::Nullary(Nullary::BareValue)));
        e.for_each_operand(&mut |operand| n += count(operand));
        n
    }
    let analysis = analyse(&format!("cql() {query}"), Dialect::CQL6)
        .unwrap_or_else(|errors| panic!("{query}: {}", errors[0]));
    assert_eq!(analysis.advice, []);
    analysis.query.body.iter().map(count).sum()
}

#[test]
fn in_cql_6_bare_values_end_the_run() {
    for (query, expected) in [
        ("3", 1),
        ("year 1920", 1),
        ("\"a\" + \"b\"", 1),
        ("x=1 x", 1),
        ("x=currentposition x", 1),
        ("x=K x", 0),
        ("str(K) fen player abs(3) sqrt 4 max(1 2) min(1 2)", 7),
        ("type a1 typename a1 piecename a1 positionid sidetomove white black", 7),
        ("distance(parent child) lca(parent child) #\"abc\" currentposition & parent", 4),
        ("if 1>2 1", 1),
        ("while (false) 1", 1),
        ("check or 1", 1),
        ("not 1", 1),
        ("find (1)", 1),
        ("line --> (not 3 --> check)+", 1),
        ("{check 3}", 0),
        ("{3 check}", 1),
        ("flipcolor {check 3}", 0),
        ("x={check 3}", 0),
        ("message({check 3} str(K) 3)", 0),
        ("message({3 check})", 1),
        ("ply movenumber depth gamenumber power A #A 1-1 rank K file K colortype a1", 0),
        ("true year elo event player white currentposition parent child position 0", 0),
        ("fen \"8/8/8/8/8/8/8/8\"", 0),
        ("3 == #A A == 3 x=3 x>2", 0),
    ] {
        assert_eq!(stops(query), expected, "{query}");
    }
}
