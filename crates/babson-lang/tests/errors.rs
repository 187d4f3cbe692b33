//! The error messages of invalid queries.

use babson_lang::{Dialect, analyze, parse};

fn told(text: &str) -> String {
    match analyze(text, Dialect::CQL6) {
        Ok(_) => panic!("no error: {text}"),
        Err(errors) => errors
            .iter()
            .map(|e| {
                let help = e.help.as_ref().map_or(String::new(), |h| format!(" [{h}]"));
                format!("{}..{} {}{help}\n", e.span.start, e.span.end, e.message)
            })
            .collect(),
    }
}

/// What stands in the place of the dash may be a filter that no dash can have on its left.
#[test]
fn a_word_before_a_dash_needs_the_dash() {
    for query in [
        "legal",
        "legal K",
        "legal not check",
        "legal find check",
        "legal #K",
        "legal abs 3",
        "legal if check then K",
        "pseudolegal line --> check",
    ] {
        let word = query.split(' ').next().unwrap();
        assert!(told(query).contains(&format!("`{word}` needs `--` after it")), "{query}");
    }
}

/// Errors that CQL 6.2 reports only at run time, when it evaluates the filter.
#[test]
fn loop_variables_in_use() {
    for (query, sound) in [
        ("square x in A {square x in R check}", false),
        ("piece p1 in A {piece p1 in R check}", false),
        ("square x in A not square all x in R {x attacks k}", false),
        ("x ∊ A {x ∊ R check}", false),
        ("x = K square x in A check", false),
        ("x = K unbind x square x in A check", true),
        ("x = 1 square x in A check", true),
        ("square x in A check square x in R check", true),
        ("if check then {x = K} square x in A check", true),
        ("function f(){square x in A check} square x in R {f()}", true),
    ] {
        assert!(sound || analyze(&format!("cql() {query}"), Dialect::CQL6).is_ok(), "{query}");
        match analyze(query, Dialect::CQLI) {
            Ok(_) => assert!(sound, "{query}"),
            Err(errors) => {
                assert!(!sound, "{query}: {}", errors[0].message);
                assert!(["x", "p1"].contains(&errors[0].span.text(query)), "{query}");
                assert!(errors[0].message.contains("loop"), "{}", errors[0].message);
            }
        }
    }
}

#[test]
fn a_way_of_merging_stands_in_parentheses() {
    let errors = analyze("dictionary int --> int sum D mate", Dialect::CQLI).unwrap_err();
    assert_eq!((errors[0].span.start, errors[0].help.as_deref()), (23, Some("write `(sum) D`")));
    assert!(analyze("dictionary int --> int (sum) D mate", Dialect::CQLI).is_ok());
}

/// A null move is valid with and without a filter after it.
#[test]
fn null_among_legal_moves() {
    for query in [
        "move legal null",
        "move null legal count",
        "move pseudolegal null",
        "move legal null from K",
    ] {
        assert!(analyze(query, Dialect::CQLI).is_ok(), "{query}");
        assert!(analyze(&format!("cql() {query}"), Dialect::CQL6).is_err(), "{query}");
    }
    assert!(analyze("move reverse null", Dialect::CQLI).is_err());
}

#[test]
fn messages() {
    let queries = [
        "cql() { K & } mate { Q | }",
        "cql() to = 3",
        "cql() (K",
        "cql() K)",
        "cql() {K)",
        "cql() \"abc",
        "cql() local dictionary D D[K]=1",
        "cql() x=1 x=2=3",
        "cql() square x K",
        "cql() A = 3",
        "cql() K § é k ¿",
        "cql(fast) mate",
        "cql() h-a1",
        "cql() if check",
        "cql() path",
        "cql() K->k<-Q",
        "cql() [KR",
        "",
        "cql() path -- + * check",
        "cql() ()",
        "cql() N--f3 (check)",
        "cql() {-- (check)} K",
        "cql() --=Q (check)",
        "cql() K--(castle)--",
        "cql() P-- =Q",
        "cql() P--a8 =Q",
        "cql() --()",
        "cql() a1--b2--c3",
        "cql() {N--(from) & g1}",
        "cql() imagine piece Q --> P check",
        "cql() imagine piece Q --> P & a-d2",
        "cql() imagine piece Q --> P & : Q",
        "cql() imagine sidetomove green : Q",
        "cql() imagine swap K & e1 sidetomove green : Q",
        "cql() imagine swap K : Q",
        "cql() imagine piece Q e4 : Q",
        "cql() imagine piece Q -> a8 : check",
        "cql() n = 3",
        "cql() k += 3",
        "cql() square k in A check",
        "cql() square k in",
        "cql() piece n = K",
        "cql() function f(k) {k} f(1)",
        "cql() dictionary N",
        "cql() dictionary D key k in D check",
        "cql() echo (k n) check",
        "cql() dictionary int -> int D",
        "cql() dictionary int --> bool D",
        "cql() dictionary bool --> int D",
        "cql() dictionary int int D",
        "cql() k[f-h]8",
        "cql() [Kk][f8-h8]",
        "cql() R[a,h]1",
        "cql() P[a]2",
    ];
    let all: String = queries.iter().map(|q| format!("{q}\n{}\n", told(q))).collect();
    insta::assert_snapshot!(all);
}

#[test]
fn entities_of_web_pages() {
    for (text, at, said) in [
        ("N &amp; left 3 k", 2, "`&amp;` is the HTML entity for `&`"),
        ("K &lt; 3", 2, "`&lt;` is the HTML entity for `<`"),
        ("mate ; why", 5, "does not start a comment"),
        ("; why", 0, "does not start a comment"),
    ] {
        let errors = parse(text, Dialect::CQLI).expect_err(text);
        assert_eq!(errors[0].span.start, at, "{text}");
        assert!(errors[0].message.contains(said), "{text}: {}", errors[0]);
    }
}
