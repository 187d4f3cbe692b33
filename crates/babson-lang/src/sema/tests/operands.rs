//! How far an operand reaches, where its types decide it.

use super::*;

/// Where an operator does not fit, the tail moves outwards, or the prefix takes more (grammar notes, 3A).
#[test]
fn regrouping() {
    for (long, explicit) in [
        ("find quiet check : ply", "(find quiet check) : ply"),
        ("int event - 1900", "(int event) - 1900"),
        ("ascii \"q\" + 1", "(ascii \"q\") + 1"),
        ("2 * int event - 1", "(2 * (int event)) - 1"),
        ("1 == int event - 1", "1 == ((int event) - 1)"),
        ("abs int event - 1", "abs ((int event) - 1)"),
        ("#\"a\" + \"b\"", "#(\"a\" + \"b\")"),
        ("#\"a\" + \"b\" + \"c\"", "#(\"a\" + \"b\" + \"c\")"),
        ("str ply + 1", "str(ply + 1)"),
        ("str 5-3", "str(5 - 3)"),
        ("\"q\" + str ply%2 - 1", "\"q\" + str(ply%2 - 1)"),
        ("str 1 < 2", "str(1 < 2)"),
        ("str A == 16", "str(A == 16)"),
        ("str K in A or check", "str(K in A or check)"),
        ("str K & . + \"x\" + \"y\"", "str(K & .) + \"x\" + \"y\""),
        ("str ply + \"x\"", "str(ply) + \"x\""),
        (
            "piece p1 = K str p1 + \"x\" == \"Ke1x\"",
            "piece p1 = K (str(p1) + \"x\") == \"Ke1x\"",
        ),
        ("#A|a - 1", "(#(A|a)) - 1"),
        ("1 + abs -3 + 4", "1 + (abs (-3 + 4))"),
        ("K & e1 attacks e2", "K & (e1 attacks e2)"),
        ("~A attacks k", "~(A attacks k)"),
        ("not K in a", "not (K in a)"),
        ("not false and false", "(not false) and false"),
        ("flipcolor P & K", "flipcolor (P & K)"),
        ("x = find check : ply", "x = ((find check) : ply)"),
    ] {
        assert_eq!(cql6(long), cql6(explicit), "{long}");
        assert!(!cql6(long).starts_with("error"), "{long}: {}", cql6(long));
    }
}

/// A `-` is binary where a number stands before it, whatever that number ends with, else it begins a filter (language.md 5.1).
#[test]
fn minus_goes_by_types() {
    for (query, explicit) in [
        (
            "x=int tag \"PlyCount\" - 10",
            "x=((int (tag \"PlyCount\")) - 10)",
        ),
        (
            "max(ascii \"b\" - ascii \"a\" 0)",
            "max({(ascii \"b\") - (ascii \"a\")} 0)",
        ),
        (
            "ascii(file K + ascii \"a\" - 1)",
            "ascii((file K + ascii \"a\") - 1)",
        ),
        ("(int \"3\" - 1)", "((int \"3\") - 1)"),
        ("\"abc\"[#\"b\" - 1]", "\"abc\"[(#\"b\") - 1]"),
        (
            "if #event - 1 == 0 then 1 else 2",
            "if ((#event) - 1) == 0 then 1 else 2",
        ),
        (
            "file makesquare \"e4\" - 1",
            "(file (makesquare \"e4\")) - 1",
        ),
        ("#lowercase \"ABC\" - 1", "(#(lowercase \"ABC\")) - 1"),
        ("sqrt int \"16\" - 7", "sqrt ((int \"16\") - 7)"),
        ("flip count Ra1 - 1", "(flip count Ra1) - 1"),
        ("find all K - 1", "(find all K) - 1"),
        (
            "find quiet all Q - 100 > 0",
            "((find quiet all Q) - 100) > 0",
        ),
        (
            "power position 0:A - power A",
            "(power (position 0:A)) - (power A)",
        ),
        ("#pin from B - 1", "(#(pin from B)) - 1"),
        (
            "move legal count from K - 1",
            "(move legal count from K) - 1",
        ),
        (
            "#square x in A x attacks A - 1",
            "(#(square x in A x attacks A)) - 1",
        ),
        ("#if K then A else a - 1", "(#(if K then A else a)) - 1"),
        ("str ply - 1", "str(ply - 1)"),
        ("str ply * 2 - 1", "str((ply * 2) - 1)"),
        // Two filters.
        ("K -1", "K {-1}"),
        ("not K -1 or check", "(not K) {-1 or check}"),
        ("flip K -1", "(flip K) {-1}"),
        ("x=\"a\" -#x + 1", "x=\"a\" {(-#x) + 1}"),
        ("message(\"n\" -3)", "message(\"n\" {-3})"),
        (
            "message(K -1 . -1 \"a\" -#K)",
            "message(K {-1} . {-1} \"a\" {-#K})",
        ),
        ("x=K message(x -1)", "x=K message(x {-1})"),
        ("piece x=K message(x -1)", "piece x=K message(x {-1})"),
        ("str K -1", "str(K) {-1}"),
        ("equal(K -1)", "equal(K {-1})"),
        ("function f(x y){x} f(K -1)", "function f(x y){x} f(K {-1})"),
        ("if K -#a - 10 else 0", "if K {(-#a) - 10} else 0"),
        ("x=K if x -#a - 10 else 0", "x=K if x {(-#a) - 10} else 0"),
    ] {
        for dialect in [Dialect::CQL6, Dialect::CQLI] {
            let [long, explicit] = [query, explicit].map(|text| tree(text, dialect));
            assert_eq!(long, explicit, "{query}");
            assert!(!long.starts_with("error"), "{query}: {long}");
        }
    }
    for query in ["child(1) + 1", "#(A - 1)", "max(K -1)", "A + 1"] {
        assert!(cql6(query).starts_with("error"), "{query}: {}", cql6(query));
    }
}

/// Many a minus in one query: a round for each would take for ever; an error is that of its own place.
#[test]
fn many_minus_signs() {
    let many = "K -1 message(k -1 \"a\" -2) ".repeat(1500);
    let analysis = analyse(&format!("cql() {many}"), Dialect::CQL6).unwrap();
    assert_eq!(analysis.query.body.len(), 4500);
    let errors = cql6("message(K -1) #(A - 1) message(k -1)");
    assert!(
        errors.starts_with("error at `-`: `-` cannot follow a set"),
        "{errors}"
    );
    let query = "cql() message(K -1) #(A - 1) message(k -1)";
    let error = analyse(query, Dialect::CQL6).unwrap_err().remove(0);
    assert_eq!(error.span.start as usize, query.find("- 1").unwrap());
    let names = cql6("x=\"a\" -1 message(x -1) y=x up y K");
    assert!(names.contains("error at `y`"), "{names}");
    assert_eq!(
        cql6("x=\"a\" -1 message(x -1) y=2 up y K"),
        cql6("x=\"a\" {-1} message(x {-1}) y=2 up y K")
    );
}

/// `position` takes a sum (language.md 5.2); no operator of sets or positions can be part of it.
#[test]
fn positions_by_sums() {
    for (query, explicit) in [
        ("x=3 y=position x-1", "x=3 y=position(x-1)"),
        (
            "x=3 position x-1:positionid",
            "x=3 (position(x-1)):positionid",
        ),
        ("x=3 position x/2 - 1:K", "x=3 (position((x/2) - 1)):K"),
        (
            "x=3 position x-1 & currentposition",
            "x=3 (position(x-1)) & currentposition",
        ),
        (
            "x=3 position x-1 == parent",
            "x=3 (position(x-1)) == parent",
        ),
        (
            "x=3 lca(position x-1 parent)",
            "x=3 lca({position(x-1)} parent)",
        ),
        ("x=3 #position x-1:K & k", "x=3 #(((position(x-1)):K) & k)"),
        (
            "x=3 up position x-1:K & k",
            "x=3 (up ((position(x-1)):K)) & k",
        ),
        ("position 2*3", "position(2*3)"),
        ("position -1", "position(-1)"),
        ("position abs -1", "position(abs -1)"),
        ("position #K-1:k", "(position((#K)-1)):k"),
        ("position int \"2\" - 1", "position((int \"2\") - 1)"),
        ("position rank K", "position(rank K)"),
        ("position (1)-1", "position(1-1)"),
        ("position 5:A -1", "((position 5):A) {-1}"),
        ("position 5:K->a", "((position 5):K)->a"),
        ("K--position 5:a", "K--{position 5:a}"),
        (
            "dictionary D D[1]=3 position D[1]-1:K",
            "dictionary D D[1]=3 (position(D[1]-1)):K",
        ),
    ] {
        let [long, explicit] = [query, explicit].map(cql6);
        assert_eq!(long, explicit, "{query}");
        assert!(!long.starts_with("error"), "{query}: {long}");
    }
}

/// What `:` asks of a position can be an operand of `move` and `pin` (moves-and-sequences.md 3); what is no position is
/// not cut in two.
#[test]
fn operands_of_other_positions() {
    for (query, explicit) in [
        ("move from parent:N", "move from (parent:N)"),
        ("move to child:N previous", "move to (child:N) previous"),
        (
            "move capture child(0):K promote Q",
            "move capture (child(0):K) promote Q",
        ),
        (
            "move enpassantsquare child:p",
            "move enpassantsquare (child:p)",
        ),
        ("pin from parent:K", "pin from (parent:K)"),
        (
            "pin through lca(parent child):K to k",
            "pin through (lca(parent child):K) to k",
        ),
        (
            "x=parent move from x:K to e4",
            "x=parent move from (x:K) to e4",
        ),
        ("x=parent pin from x:K to k", "x=parent pin from (x:K) to k"),
        (
            "x=parent move from x:x:K : check",
            "x=parent move from (x:x:K) : check",
        ),
        (
            "move from position 3:K to e4",
            "move from (position 3:K) to e4",
        ),
        ("move to from : check", "move to (from) : check"),
    ] {
        let [long, explicit] = [query, explicit].map(cql6);
        assert_eq!(long, explicit, "{query}");
        assert!(!long.starts_with("error"), "{query}: {long}");
    }
    for query in [
        "x=parent move from x",
        "move from parent",
        "pin from K:k",
        "move to",
    ] {
        assert!(cql6(query).starts_with("error"), "{query}: {}", cql6(query));
    }
}

/// A `-` after a set or string begins a filter; a range name that is no number is an operand (3B).
#[test]
fn vetoes() {
    for (query, filters) in [
        ("x=A message(x -1)", "Message"),
        ("x=K up x & .", "Intersection"),
        ("function f(s){southwest s K} f({a1}) true", "true"),
    ] {
        let text = cql6(query);
        assert!(
            !text.starts_with("error") || query.starts_with("function"),
            "{query}: {text}"
        );
        assert!(
            text.contains(filters) || query.starts_with("function"),
            "{query}: {text}"
        );
    }
    let message = analyse("cql() x=A message(x -1)", Dialect::CQL6)
        .unwrap()
        .query
        .body
        .remove(1);
    assert!(matches!(message.kind, ExprKind::Message { parts, .. } if parts.len() == 2));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Prefix filters over each other: whatever a `-` stands behind, their type decides.
    #[test]
    fn minus_goes_by_the_type_of_all_before_it(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "#", "power ", "rank ", "light ", "up 1 ", "~", "flip ", "find ", "find all ", "parent:", "str ",
                "find quiet ", "not ", "if check ", "square x in A ", "lowercase ", "typename ", "child:", "- ",
            ]),
            0..4,
        ),
        operand in prop::sample::select(vec!["K", ".", "[]", "\"e4\"", "a1", "event", "K|k", "\"a\" ~~ \"b\""]),
    ) {
        let before = words.concat() + operand;
        // A wide filter over a number takes the difference.
        let wide = ["flip", "find", "not", "if", "square", "str"];
        let takes = (0..words.len()).any(|i| {
            wide.iter().any(|word| words[i].starts_with(word))
                && type_of(&(words[i + 1..].concat() + operand)) == Some(Type::Number)
        });
        if let (Some(ty), false) = (type_of(&before), takes) {
            let apart = if ty == Type::Number { " " } else { " {" };
            let end = if ty == Type::Number { "" } else { "}" };
            let explicit = cql6(&format!("({before}){apart}- 1{end}"));
            prop_assert_eq!(cql6(&format!("{before} - 1")), explicit, "{}", before);
        }
    }
}
