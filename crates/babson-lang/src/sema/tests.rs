//! Tests of the typing pass: types and shapes by the tables of language.md, errors, and that nothing panics.

use proptest::prelude::*;

use babson_chess::{Variant, VariantNames};

use super::{analyse, analyse_with};
use crate::dialect::Dialect;
use crate::hir::{ExprKind, Nullary, Type};

/// The typed tree, or the errors with their places.
fn tree(query: &str, dialect: Dialect) -> String {
    match analyse(query, dialect) {
        Ok(analysis) => crate::hir::print(&analysis.query),
        Err(errors) => {
            let mut out = String::new();
            for error in errors {
                out.push_str(&format!(
                    "error at `{}`: {}\n",
                    error.span.text(query),
                    error.message
                ));
                if let Some(help) = error.help {
                    out.push_str(&format!("  help: {help}\n"));
                }
            }
            out
        }
    }
}

fn cql6(query: &str) -> String {
    tree(&format!("cql() {query}"), Dialect::CQL6)
}

/// The type of the only filter of a query (after those in `before`).
fn type_of(query: &str) -> Option<Type> {
    let analysis = analyse(&format!("cql() {query}"), Dialect::CQL6).ok()?;
    analysis.query.body.last().map(|filter| filter.ty)
}

#[test]
fn types() {
    for (query, ty) in [
        ("check", Type::Bool),
        ("K", Type::Set),
        ("a1", Type::Set),
        ("#A", Type::Number),
        ("A == 13", Type::Number),
        ("13 == A", Type::Number),
        ("A == a", Type::Bool),
        ("1 != 2", Type::Bool),
        ("1 < 2 < 3", Type::Number),
        ("\"a\" < \"b\"", Type::String),
        ("position 3 [<] position 8", Type::Position),
        ("currentposition & parent", Type::Set),
        ("K in A", Type::Bool),
        ("\"a\" in fen", Type::Bool),
        ("child", Type::Position),
        ("child(1)", Type::Position),
        ("parent:K", Type::Set),
        ("parent:parent:ply", Type::Number),
        ("if check then 1 else 2", Type::Number),
        ("if check then 1 else K", Type::Bool),
        ("if check 1", Type::Bool),
        ("{check K}", Type::Set),
        ("x = 3", Type::Bool),
        ("x = 3 x", Type::Number),
        ("piece x = K x", Type::Set),
        ("square x in A x attacks k", Type::Set),
        ("square all x in A x attacks k", Type::Bool),
        ("piece x in A check", Type::Set),
        ("max(1 2)", Type::Number),
        ("max(\"a\" \"b\")", Type::String),
        ("equal(1 \"1\")", Type::Bool),
        ("flip K", Type::Set),
        ("flip rank K", Type::Number),
        ("flip check", Type::Bool),
        ("flip count check", Type::Number),
        ("flipcolor str K", Type::Bool),
        ("find check", Type::Position),
        ("find all check", Type::Number),
        ("find 2 3 check", Type::Number),
        ("line --> check --> mate", Type::Number),
        ("line lastposition --> check", Type::Position),
        ("sort \"p\" power A", Type::Number),
        ("sort \"p\" A", Type::Number),
        ("sort player white", Type::String),
        ("move from K", Type::Set),
        ("move legal from .", Type::Bool),
        ("move legal count", Type::Number),
        ("move to . legal", Type::Set),
        ("move capture Q previous", Type::Set),
        ("event", Type::String),
        ("event \"x\"", Type::Bool),
        ("originalcomment \"!\"", Type::Bool),
        ("elo white", Type::Number),
        ("fen", Type::String),
        ("fen \"8/8/8/8/8/8/8/8\"", Type::Bool),
        ("white", Type::Number),
        ("pin", Type::Set),
        ("R->a->k", Type::Set),
        ("between(K k)", Type::Set),
        ("makesquare(1 2)", Type::Set),
        ("makesquare \"e4\"", Type::Set),
        ("type K", Type::Number),
        ("typename K", Type::String),
        ("ascii \"a\"", Type::Number),
        ("ascii 97", Type::String),
        ("dictionary D", Type::Bool),
        ("dictionary D D[1] = \"x\" D[2]", Type::String),
        ("dictionary D #D", Type::Number),
        ("function f(x){x} f(3)", Type::Number),
        ("function f(x){x} f(K)", Type::Set),
        ("fen[2:3]", Type::String),
        ("puremate", Type::Set),
        ("not K", Type::Bool),
        ("~K", Type::Set),
        ("x = \"abc\" x[1]", Type::String),
        ("result 1-0", Type::Bool),
        ("notransform K", Type::Set),
        ("currenttransform", Type::String),
        ("assert true", Type::Bool),
        ("isbound nosuch", Type::Bool),
    ] {
        assert_eq!(type_of(query), Some(ty), "{query}: {}", cql6(query));
    }
}

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

/// A query that a dialect rejects or accepts.
#[test]
fn dialects() {
    let bare = "wtm 1-0";
    assert!(analyse(bare, Dialect::CQLI).is_ok());
    assert!(analyse(bare, Dialect::CQL6).is_err());
    // Names of bodies are local in CQLi.
    let local = "function f(){z = 3} f() z";
    assert!(analyse(local, Dialect::CQLI).is_err());
    assert!(analyse(local, Dialect::CQL6).is_ok());
    let two = "function f(){z = 3} function g(){z = \"a\"} f() g()";
    assert!(analyse(two, Dialect::CQLI).is_ok());
    assert!(analyse(two, Dialect::CQL6).is_err());
    let body = "square x in A {y = 1} y";
    assert!(analyse(body, Dialect::CQLI).is_err());
    assert!(analyse(body, Dialect::CQL6).is_ok());
}

#[test]
fn functions_by_name_and_by_value() {
    insta::assert_snapshot!(cql6("function f(x){x=5} y=2 f(y) f({y})"));
}

#[test]
fn explicit_tree() {
    insta::assert_snapshot!(cql6(
        "A == 13 up 1 K pin from B piece $x = K message($x $x & .)"
    ));
}

/// A word of the language is never taken for a mistyped one.
#[test]
fn words_out_of_place() {
    for (query, of) in [
        ("reverse \"abc\"", "`move`"),
        ("pin from Q | R through A", "`pin`"),
        ("null", "`move`"),
        ("singlecolor", "`path`"),
        ("matchcount", "`cql(…)`"),
        ("arrow", "means nothing"),
    ] {
        let told = tree(query, Dialect::CQLI);
        assert!(told.contains("is no filter"), "{query}: {told}");
        assert!(
            told.contains(of) && !told.contains("did you mean"),
            "{query}: {told}"
        );
    }
}

#[test]
fn errors() {
    let queries = [
        "A + 1",
        "K < Q",
        "1 == \"a\"",
        "chekc",
        "nosuch(1)",
        "x = check",
        "x = 3 x = \"a\"",
        "piece x = K x = Q",
        "x += 1",
        "x = K x += 1",
        "light 3",
        "max(1)",
        "max(1 \"a\")",
        "dictionary D D[\"a\"]=check",
        "find 1 2",
        "echo (x y) consecutivemoves 1 2",
        "echo (x y) consecutivemoves quiet quiet (x y)",
        "between(K)",
        "makesquare(1 2 3)",
        "#(A - 1)",
        "move from pin from B",
        "function f(x x){x}",
        "function f(x){x} f()",
        "function f(x){x} f(check)",
        "function f(){f()} f()",
        "f = 1 function f(){1}",
        "check : ply",
        "move count",
        "move legal previous",
        "move legal promote Q",
        "move null enpassant",
        "move enpassant promote Q",
        "move primary secondary",
        "move from a1 from a2",
        "move promote Ra1",
        "x = move primary from .",
        "line --> 3",
        "line --> check**",
        "line --> check++",
        "line --> check{0,3}*",
        "line primary secondary --> check",
        "line nestban <-- check",
        "find all 2 check",
        "sort check",
        "sort 3",
        "up 2 1 K",
        "up 8 K",
        "ray up vertical (K k)",
        "pin from K from Q",
        "dictionary D D[1] = 2 D[\"a\"]",
        "dictionary D D[currentposition] = 2",
        "persistent x = currentposition",
        "x = 1 persistent x = 2",
        "atomic persistent x = 1",
        "fen \"8/8\"",
        "event \"a[bc]\"",
        "originalcomment \"$0\"",
        "settag(\"_\" \"x\")",
        "tag \"WhiteElo\"",
        "settag(\"N\" 3)",
        "rotate45 a1",
        "reversecolor 3 K",
        "\"abc\" & K",
        "K[1]",
        "path secondary --",
        "path focus K primary --",
        "path focus K singlecolor --",
        "path piecepath --",
        "path title 3 --",
        "path max K --",
        "path -- 3",
        "path -- legal --",
        "path -- pathcount",
        "path -- {3,2}",
        "check--f3",
        "K--check",
        "Q--{true}",
        "K--=check",
        "legal [x]",
        "legal --=Q",
        "legal --(check)",
        "countmoves previous --",
        "previous K",
        "move previous : mate",
        "imagine piece Q --> d4",
        "imagine piece Q --> parent : Q",
        "imagine swap K check : Q",
        "legal e5[x]d6",
        "legal o-o",
        "countmoves pseudolegal o-o-o",
        "A + 1 chekc light 3",
        "x = chekc x + 1",
    ];
    let mut out = String::new();
    for query in queries {
        out.push_str(&format!("{query}\n"));
        for line in cql6(query).lines() {
            out.push_str(&format!("    {line}\n"));
        }
    }
    insta::assert_snapshot!(out);
}

#[test]
fn rules_of_dictionaries() {
    let mut out = String::new();
    for query in [
        "dictionary str --> int (sum) D",
        "dictionary int --> str (max) D",
        "dictionary set --> set (intersection) D",
        "dictionary str --> int (min) D dictionary D dictionary str --> int (min) D",
        "dictionary str --> int (mean) D",
        "dictionary str --> str (Sum) D",
        "dictionary str --> set ( sum ) D",
        "dictionary set --> int (union) D",
        "local dictionary int --> position (first) D",
        "local dictionary int --> position (min) D",
        "dictionary str --> int (sum) D dictionary str --> int (max) D",
    ] {
        out.push_str(&format!("{query}\n"));
        for line in tree(query, Dialect::CQLI).lines() {
            out.push_str(&format!("    {line}\n"));
        }
    }
    insta::assert_snapshot!(out);
}

#[test]
fn names_of_variants() {
    let mut names = VariantNames::default();
    assert_eq!(names.add("Boom", Variant::Atomic), Ok(()));
    let tests = |query: &str, names: &VariantNames| match analyse_with(query, Dialect::CQLI, names)
    {
        Ok(analysis) => Ok(analysis.query.body[0].kind.clone()),
        Err(errors) => {
            let (error, more) = errors.split_first().expect("an error");
            assert!(more.is_empty());
            let help = error.help.as_deref().unwrap_or_default();
            let place = error.span.text(query);
            Err(format!("{place}: {}\n{help}", error.message))
        }
    };
    let atomic = Ok(ExprKind::Nullary(Nullary::IsVariant(Variant::Atomic)));
    assert_eq!(tests("variant \"BOOM\"", &names), atomic);
    assert_eq!(tests("variant \"atom\"", &names), atomic);
    let unknown = [
        tests("variant \"Boom\"", &VariantNames::default()),
        tests("variant \"bang\"", &names),
    ];
    insta::assert_snapshot!(unknown.map(Result::unwrap_err).join("\n\n"));
}

#[test]
fn empty_queries() {
    assert!(analyse("", Dialect::CQLI).is_err());
    assert!(analyse("cql()", Dialect::CQL6).is_err());
    assert!(analyse("// nothing", Dialect::CQLI).is_err());
}

/// Inlining doubles the body each time: the query is refused before it fills the memory.
#[test]
fn exponential_inlining_is_bounded() {
    let mut query = String::from("function fn0(){1 2}");
    for i in 1..60 {
        query.push_str(&format!(" function fn{i}(){{fn{0}() fn{0}()}}", i - 1));
    }
    query.push_str(" fn59()");
    let errors = analyse(&query, Dialect::CQLI).unwrap_err();
    assert!(
        errors.len() == 1 && errors[0].message.contains("too large"),
        "{errors:?}"
    );
}

#[test]
fn deep_nesting_is_refused_or_typed() {
    for n in [100, 390, 1000, 20_000] {
        for (open, close) in [
            ("{ ", " }"),
            ("(", ")"),
            ("not ", ""),
            ("if check then ", ""),
        ] {
            let query = format!("{}check{}", open.repeat(n), close.repeat(n));
            let _ = analyse(&query, Dialect::CQLI);
        }
    }
    // Inlined calls nest deeper than the text.
    let body = |inner: &str| format!("{}{inner}{}", "{ true ".repeat(50), "}".repeat(50));
    let mut query = format!("function fn0(){{ {} }}", body("check"));
    for i in 1..90 {
        query.push_str(&format!(
            " function fn{i}(){{ {} }}",
            body(&format!("fn{}()", i - 1))
        ));
    }
    query.push_str(" fn89()");
    assert!(analyse(&query, Dialect::CQLI).is_err());
}

#[test]
fn long_chains() {
    let or = vec!["check"; 5000].join(" or ");
    assert!(analyse(&or, Dialect::CQLI).is_ok());
    let sum = vec!["1"; 5000].join(" + ");
    assert!(analyse(&sum, Dialect::CQLI).is_err());
}

/// Words of queries, good and bad.
fn word() -> impl Strategy<Value = String> {
    let fixed = "x y f D K A a1 . [] 3 -1 \"s\" ( ) { } [ ] : = == < + - * & | ~ -> <- --> , in and or not += =? x= \
                 x=1 x=K x=\"a\" {x} f(x) D[ x ] function f (x){x} dictionary D local 1-0 from to legal count"
        .split(' ')
        .map(str::to_string);
    let keywords = crate::keywords::Keyword::ALL
        .iter()
        .map(|keyword| keyword.name().to_string());
    prop::sample::select(fixed.chain(keywords).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn soup_never_panics(words in prop::collection::vec(word(), 1..14), cqli: bool) {
        let query = words.join(" ");
        let _ = analyse(&query, if cqli { Dialect::CQLI } else { Dialect::CQL6 });
    }

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

    /// Operators between operands: nearly all parse, so that the typing pass sees them.
    #[test]
    fn expressions_never_panic(
        first in "(x|K|3|\"s\"|parent|check|#A|find check|str 3|int \"3\"|abs x|up 1 K)",
        rest in prop::collection::vec(
            "( (\\+|-|\\*|&|\\||==|<|in|and|or|:|attacks|->) (x|K|3|\"s\"|parent|check|#A|find K|str 3|int \"3\"|abs x|not K|~K|flip K))",
            0..7,
        ),
    ) {
        let query = format!("x = 1 {first}{}", rest.concat());
        let _ = analyse(&query, Dialect::CQL6);
    }
}

#[test]
fn echo_and_consecutivemoves() {
    assert_eq!(type_of("echo (x y) ply"), Some(Type::Number));
    assert_eq!(type_of("echo (x y) K"), Some(Type::Bool));
    assert_eq!(
        type_of("echo (x y) consecutivemoves (x y) > 3"),
        Some(Type::Number)
    );
    assert_eq!(
        cql6("echo (x y) consecutivemoves quiet 2 quiet (x y)"),
        cql6("echo (x y) consecutivemoves quiet 2 (x y)")
    );
    let errors = |query: &str| cql6(query);
    assert!(errors("echo (x x) true").contains("two different variables"));
    assert!(errors("x=1 echo (x y) true").contains("`x` is a numeric variable"));
    assert!(errors("sort min \"n\" echo (x y) ply").contains("`sort min` cannot have an `echo`"));
    assert!(errors("x=1 y=2 consecutivemoves (x y)").contains("compares positions, but `x`"));
    assert!(errors("echo (x y) consecutivemoves (x x)").contains("two different positions"));
    // In CQLi the variables are the echo's own.
    let tree = tree("x=1 echo (x y) {x:K} x>0", Dialect::CQLI);
    assert!(!tree.contains("error"), "{tree}");
}

#[test]
fn regular_expressions() {
    assert_eq!(type_of(r#"event ~~ "a""#), Some(Type::String));
    assert_eq!(type_of(r#""a" ~~ "(a)" \1"#), Some(Type::String));
    assert_eq!(type_of(r#""a" ~~ "(a)" \-1 + 1"#), Some(Type::Number));
    assert_eq!(type_of(r#"while (event ~~ "a") true"#), Some(Type::Bool));
    let query = r#"event ~~ "a(b""#;
    let errors = cql6(query);
    assert_eq!(
        errors,
        "error at `(`: malformed regular expression: this `(` is never closed\n"
    );
    assert!(cql6(r#"while (event ~~ "[") true"#).contains("at `[`"));
    assert!(cql6(r#"K ~~ "a""#).contains("`~~` needs a string"));
    assert!(cql6("event ~~ K").contains("`~~` needs a string"));
}

/// A word of the language that is no filter says what it belongs to; it is never offered for itself.
#[test]
fn words_that_are_no_filters() {
    for dialect in [Dialect::CQLI, Dialect::CQL6] {
        for (word, hint) in [
            ("any", "`.`"),
            ("arrow", ""),
            ("null", "`move`"),
            ("oldline", ""),
            ("title", "`path`"),
            ("silent", "`cql(…)`"),
            ("through", "`pin`"),
        ] {
            let errors = analyse(&format!("cql() {word}"), dialect).unwrap_err();
            let help = errors[0].help.as_deref().unwrap_or_default();
            assert!(
                errors[0].message.contains(&format!("`{word}`")),
                "{errors:?}"
            );
            assert!(
                help.contains(hint) && !help.contains("did you mean"),
                "{errors:?}"
            );
        }
    }
}

#[test]
fn a_condition_is_no_entry_of_a_dictionary() {
    for (query, what) in [
        ("D[\"a\"]=check", "a value of a dictionary cannot be"),
        ("D[check]=1", "a key of a dictionary cannot be"),
    ] {
        let errors = analyse(&format!("dictionary D {query}"), Dialect::CQLI).unwrap_err();
        assert!(errors[0].message.starts_with(what), "{errors:?}");
    }
}
