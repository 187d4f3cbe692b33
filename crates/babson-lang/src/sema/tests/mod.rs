//! Tests of the type check: types, the shapes of trees, errors, and that it never panics.

mod operands;
mod slips;

use proptest::prelude::*;

use babson_chess::{Variant, VariantNames};

use crate::dialect::Dialect;
use crate::hir::{Condition, ExprKind, Type};
use crate::imports::{LibraryOnly, resolve};
use crate::keywords::{Keyword, KeywordClass, SpecialKeyword};
use crate::{QuerySpans, analyze, analyze_with};

/// The typed tree, or the errors with their spans.
fn tree(query: &str, dialect: Dialect) -> String {
    match analyze(query, dialect) {
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

/// CQL 6.2 that accepts bare values, so that tests can look at them.
const CQL6: Dialect = Dialect { bare_values: true, ..Dialect::CQL6 };

fn cql6(query: &str) -> String {
    tree(&format!("cql() {query}"), CQL6)
}

/// The type of the only filter of a query (after those in `before`).
fn type_of(query: &str) -> Option<Type> {
    let analysis = analyze(&format!("cql() {query}"), CQL6).ok()?;
    analysis.query.body.last().map(|filter| filter.ty)
}

/// The type check finds filters by tables and by matches with a last arm for other keywords. A
/// keyword that is missing there is an error in each query that has it.
#[test]
fn no_keyword_is_forgotten() {
    let is_correct = |query: &String| {
        let header = if query.starts_with("cql(") { "" } else { "cql() " };
        let text = format!("{header}{query}");
        [CQL6, Dialect::CQLI].into_iter().any(|dialect| {
            let resolved = resolve(&text, &QuerySpans::whole(&text), dialect, &LibraryOnly);
            resolved.analyze(dialect, &VariantNames::default()).is_ok()
        })
    };
    let mut forgotten = Vec::new();
    for &keyword in Keyword::ALL {
        let name = keyword.name();
        let candidates: Vec<String> = match keyword.class() {
            KeywordClass::Nullary | KeywordClass::Search | KeywordClass::Colored => {
                vec![name.to_owned()]
            }
            KeywordClass::Direction(_)
            | KeywordClass::Transform
            | KeywordClass::Prefix(_)
            | KeywordClass::List
            | KeywordClass::Text => {
                OPERANDS.iter().map(|operand| format!("{name} {operand}")).collect()
            }
            KeywordClass::Special(special) => {
                let query = query_with(special);
                let has_word = crate::vocabulary::used(query, Dialect::CQLI)
                    .iter()
                    .any(|term| term.text.split_whitespace().eq(name.split_whitespace()));
                assert!(has_word, "{query} has no {name}");
                vec![query.to_owned()]
            }
            KeywordClass::Parameter | KeywordClass::Reserved => continue,
        };
        if !candidates.iter().any(is_correct) {
            forgotten.push(format!("{name}: {}", tree(&candidates[0], Dialect::CQLI)));
        }
    }
    assert!(forgotten.is_empty(), "{forgotten:#?}");
}

/// Operands of each type, and lists of two.
const OPERANDS: &[&str] = &[
    "K",
    "1",
    "\"motifs\"",
    "parent",
    "(\"a\")",
    "(K k)",
    "(1 2)",
    "(\"a.cqo\" \"b\")",
    "(parent parent)",
    "(\"a\" \"b\")",
];

/// A correct query with a keyword that has a production of its own.
fn query_with(special: SpecialKeyword) -> &'static str {
    match special {
        SpecialKeyword::All => "find all check",
        SpecialKeyword::And => "check and mate",
        SpecialKeyword::Atomic => "atomic x = 1",
        SpecialKeyword::AttackedBy => "k attackedby Q",
        SpecialKeyword::Attacks => "Q attacks k",
        SpecialKeyword::Comment => "comment \"a\"",
        SpecialKeyword::ConsecutiveMoves => "x = parent y = parent consecutivemoves(x y)",
        SpecialKeyword::Count => "move legal count > 1",
        SpecialKeyword::CountMoves => "countmoves legal -- > 1",
        SpecialKeyword::Cql => "cql() true",
        SpecialKeyword::CqlBegin => "cqlbegin { x = 1 } mate",
        SpecialKeyword::CqlEnd => "cqlend { message \"a\" } mate",
        SpecialKeyword::Dictionary => "dictionary D D[\"a\"] = \"b\"",
        SpecialKeyword::Echo => "echo (x y) { check }",
        SpecialKeyword::Else => "if check then mate else stalemate",
        SpecialKeyword::Find => "find check",
        SpecialKeyword::Function => "function f() { check } f()",
        SpecialKeyword::Hhdb => "hhdb cooked",
        SpecialKeyword::If => "if check then mate",
        SpecialKeyword::Imagine => "imagine piece Q --> a8 : check",
        SpecialKeyword::In => "square x in A x attacks k",
        SpecialKeyword::IsBound => "x = 1 isbound x",
        SpecialKeyword::IsUnbound => "x = 1 isunbound x",
        SpecialKeyword::Key => "dictionary D D[\"a\"] = \"b\" key x in D check",
        SpecialKeyword::Legal => "legal --",
        SpecialKeyword::Line => "line --> check",
        SpecialKeyword::Local => "local dictionary D mate",
        SpecialKeyword::Message => "message \"a\"",
        SpecialKeyword::Move => "move from K",
        SpecialKeyword::Not => "not check",
        SpecialKeyword::Or => "check or mate",
        SpecialKeyword::Path => "path -- check",
        SpecialKeyword::Persistent => "persistent x = 1",
        SpecialKeyword::Piece => "piece x in A check",
        SpecialKeyword::Pin => "pin",
        SpecialKeyword::Position => "position 3",
        SpecialKeyword::Previous => "previous --",
        SpecialKeyword::PseudoLegal => "pseudolegal --",
        SpecialKeyword::Quiet => "find quiet check",
        SpecialKeyword::Ray => "ray(Q k)",
        SpecialKeyword::Result => "result 1-0",
        SpecialKeyword::SimilarPosition => "similarposition \"a.pgn\"",
        SpecialKeyword::Sort => "sort \"a\" ply",
        SpecialKeyword::Square => "square x in A x attacks k",
        SpecialKeyword::Str => "str(1 2)",
        SpecialKeyword::String => "dictionary D D[\"a\"] = \"b\" string x in D check",
        SpecialKeyword::Then => "if check then mate",
        SpecialKeyword::Unbind => "x = 1 unbind x",
        SpecialKeyword::While => "x = 1 while (x < 3) { x += 1 }",
        SpecialKeyword::Xray => "xray(Q k)",
    }
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

/// A query that a dialect rejects or accepts.
#[test]
fn dialects() {
    for (query, taken_by, refused_by, message) in [
        ("wtm 1-0", Dialect::CQLI, CQL6, "unexpected `1-0`"),
        // Names of bodies are local in CQLi.
        ("function f(){z = 3} f() z", CQL6, Dialect::CQLI, "unknown name `z`"),
        (
            "function f(){z = 3} function g(){z = \"a\"} f() g()",
            Dialect::CQLI,
            CQL6,
            "`z` is a numeric variable",
        ),
        ("square x in A {y = 1} y", CQL6, Dialect::CQLI, "unknown name `y`"),
    ] {
        assert!(analyze(query, taken_by).is_ok(), "{query}: {}", tree(query, taken_by));
        assert!(tree(query, refused_by).contains(message), "{query}: {}", tree(query, refused_by));
    }
}

#[test]
fn functions_by_name_and_by_value() {
    insta::assert_snapshot!(cql6("function f(x){x=5} y=2 f(y) f({y})"));
}

#[test]
fn explicit_tree() {
    insta::assert_snapshot!(cql6("A == 13 up 1 K pin from B piece $x = K message($x $x & .)"));
}

/// A keyword in the wrong place is not reported as misspelled.
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
        assert!(told.contains("is not a filter"), "{query}: {told}");
        assert!(told.contains(of) && !told.contains("did you mean"), "{query}: {told}");
    }
}

#[test]
fn errors() {
    let queries = [
        "A + 1",
        "K < Q",
        "1 == \"a\"",
        "K [<] Q",
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
        "move from up",
        "function f(x x){x}",
        "function f(x){x} f()",
        "function f(x){x} f(check)",
        "function f(){f()} f()",
        "f = 1 function f(){check}",
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
        "line --> (check <-- check) --> (btm <-- wtm)",
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
        "reversecolor count K",
        "sort min ply",
        "sort max ply",
        "move enpassant enpassantsquare A",
        "[△△]",
        "--flip check",
        "pin from #K",
        "path -- K & check",
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
        "imagine swap K path -- : Q",
        "imagine swap path -- path K : Q ) path --",
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
    let tests = |query: &str, names: &VariantNames| match analyze_with(query, Dialect::CQLI, names)
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
    let atomic = Ok(ExprKind::Condition(Condition::IsVariant(Variant::Atomic)));
    assert_eq!(tests("variant \"BOOM\"", &names), atomic);
    assert_eq!(tests("variant \"atom\"", &names), atomic);
    let unknown =
        [tests("variant \"Boom\"", &VariantNames::default()), tests("variant \"bang\"", &names)];
    insta::assert_snapshot!(unknown.map(Result::unwrap_err).join("\n\n"));
}

#[test]
fn empty_queries() {
    for (query, dialect, message) in [
        ("", Dialect::CQLI, "the query is empty"),
        ("// nothing", Dialect::CQLI, "the query is empty"),
        ("cql()", Dialect::CQL6, "the query ends here: expected a filter"),
    ] {
        assert!(tree(query, dialect).contains(message), "{query}: {}", tree(query, dialect));
    }
}

/// Inlining doubles the body at each call. The query is rejected before it fills the memory.
#[test]
fn exponential_inlining_is_bounded() {
    let mut query = String::from("function fn0(){1 2}");
    for i in 1..60 {
        query.push_str(&format!(" function fn{i}(){{fn{0}() fn{0}()}}", i - 1));
    }
    query.push_str(" fn59()");
    let errors = analyze(&query, Dialect::CQLI).unwrap_err();
    assert!(
        errors.len() == 1 && errors[0].message.contains("more than 2000000 filters"),
        "{errors:?}"
    );
}

#[test]
fn deep_nesting_is_refused_or_typed() {
    let too_deep = |query: &str| {
        let errors = analyze(query, Dialect::CQLI).unwrap_err();
        errors[0].message.contains("nested")
    };
    for (open, close) in [("{ ", " }"), ("(", ")"), ("not ", ""), ("if check then ", "")] {
        let nested = |n: usize| format!("{}check{}", open.repeat(n), close.repeat(n));
        for n in [100, 240] {
            assert!(analyze(&nested(n), Dialect::CQLI).is_ok(), "{n} times {open}");
        }
        for n in [1000, 20_000] {
            assert!(too_deep(&nested(n)), "{n} times {open}");
        }
    }
    // Inlined calls nest deeper than the text.
    let body = |inner: &str| format!("{}{inner}{}", "{ true ".repeat(50), "}".repeat(50));
    let mut query = format!("function fn0(){{ {} }}", body("check"));
    for i in 1..90 {
        query.push_str(&format!(" function fn{i}(){{ {} }}", body(&format!("fn{}()", i - 1))));
    }
    query.push_str(" fn89()");
    assert!(too_deep(&query));
}

#[test]
fn long_chains() {
    let or = vec!["check"; 5000].join(" or ");
    assert!(analyze(&or, Dialect::CQLI).is_ok());
    let sum = vec!["1"; 5000].join(" + ");
    let errors = analyze(&sum, Dialect::CQLI).unwrap_err();
    assert_eq!(errors[0].message, "more than 250 operators in a row");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

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
        let _ = analyze(&query, Dialect::CQL6);
    }
}

#[test]
fn echo_and_consecutivemoves() {
    assert_eq!(type_of("echo (x y) ply"), Some(Type::Number));
    assert_eq!(type_of("echo (x y) K"), Some(Type::Bool));
    assert_eq!(type_of("echo (x y) consecutivemoves (x y) > 3"), Some(Type::Number));
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
    assert_eq!(errors, "error at `(`: malformed regular expression: this `(` is never closed\n");
    assert!(cql6(r#"while (event ~~ "[") true"#).contains("at `[`"));
    assert!(cql6(r#"K ~~ "a""#).contains("`~~` needs a string"));
    assert!(cql6("event ~~ K").contains("`~~` needs a string"));
}

/// The error of a keyword that is not a filter names the filter to which the keyword belongs. It
/// never suggests the keyword itself.
#[test]
fn words_that_are_no_filters() {
    for (word, cqli, cql6) in [
        ("any", "`.`", "`.`"),
        ("arrow", "means nothing", "a reserved word"),
        ("null", "`move`", "`move`"),
        ("oldline", "means nothing", "a reserved word"),
        ("title", "`path`", "`path`"),
        ("silent", "`cql(…)`", "`cql(…)`"),
        ("through", "`pin`", "`pin`"),
    ] {
        for (dialect, hint) in [(Dialect::CQLI, cqli), (Dialect::CQL6, cql6)] {
            let errors = analyze(&format!("cql() {word}"), dialect).unwrap_err();
            let help = errors[0].help.as_deref().unwrap_or_default();
            assert!(errors[0].message.contains(&format!("`{word}`")), "{errors:?}");
            assert!(help.contains(hint) && !help.contains("did you mean"), "{errors:?}");
        }
    }
}

#[test]
fn a_condition_is_no_entry_of_a_dictionary() {
    for query in ["D[\"a\"]=check", "D[check]=1"] {
        let errors = analyze(&format!("dictionary D {query}"), Dialect::CQLI).unwrap_err();
        assert_eq!(errors[0].message, "a dictionary needs a value, but this is a condition");
    }
}
