//! Warnings for queries that CQLi and CQL 6.2 read differently: each names the switch that decides.

use babson_lang::{Diagnostic, Dialect, Remedy, Severity, analyze};

fn differences(text: &str, dialect: Dialect) -> Vec<Diagnostic> {
    analyze(text, dialect).unwrap_or_else(|errors| panic!("{text}: {}", errors[0])).differences
}

/// The messages of the warnings for a query.
fn messages(text: &str) -> Vec<String> {
    differences(text, Dialect::CQLI).into_iter().map(|warning| warning.message).collect()
}

#[test]
fn each_switch_says_so() {
    let queries = [
        "move legal count > 100",
        "move from K legal",
        "legal --(castle)",
        "countmoves pseudolegal -- == 1",
        "fen == \"x\"",
        "movenumber > 20",
        "movenumber > 20 movenumber < 30 check and movenumber == 25",
        "pieceid K == 5",
        "piece x in R message(x)",
        "piece x = K  str(x) == \"Ke1\"",
        "square s in A { if s attacks k then near = s  near attacks q }",
        "square s in A { isbound old  old = s }",
        "x = 1  square x in R x attacks k",
        "function f() {x = 1  x > 0} x = K  f()",
        "wtm 1-0",
        "try = 1  try > 0",
        "arrow = 1  arrow > 0",
        "dictionary D  D[\"a\"] += 1",
        "#event > 10",
        "lowercase player white == \"x\"",
        "player \"Smith\"",
        "tag \"Annotator\"",
    ];
    let mut told = String::new();
    for query in queries {
        told += &format!("{query}\n");
        match analyze(query, Dialect::CQLI) {
            Err(errors) => told += &format!("    error: {}\n", errors[0].message),
            Ok(analysis) => {
                for warning in analysis.differences {
                    assert_eq!(warning.severity(), Severity::Warning);
                    told += &format!(
                        "    {:?}: {} [{}]\n",
                        warning.span.text(query),
                        warning.message,
                        warning.label.as_deref().unwrap_or_default(),
                    );
                }
            }
        }
        told.push('\n');
    }
    insta::assert_snapshot!(told);
}

#[test]
fn a_query_that_means_one_thing_has_no_warnings() {
    for query in [
        "mate",
        "cql() wtm A == a  #A > 3  #\"abc\" == 3  1 - 0 == 1",
        "move from K  move previous capture .  --(check)",
        "fen \"8/8/8/8/8/8/8/8\"",
        "result 1-0",
        "str(R) == \"e4\"  piece x in R { message(x & .) }",
        "square s in A { near = s  near attacks k }",
        "square s in A { if s attacks k then near = s else near = k  near attacks q }",
        "function f(x) { y = x & a  #y } f(A) > f(Q)",
        "function f(x) { square s in x { t = s  t attacks k } } f(A) f(Q)",
        "x = 1  square s in A { x += 1 }  x > 2",
        "text = str(ply)  #text > 2  text[0] == \"1\"",
        "dictionary D  D[\"a\"] = 1",
        "date == \"2000.01.01\"  year > 2000",
    ] {
        assert_eq!(messages(query), [""; 0], "{query}");
    }
}

#[test]
fn who_chose_cql_6_is_told_nothing() {
    assert!(differences("cql() movenumber > 20 move legal count > 3", Dialect::CQL6).is_empty());
}

#[test]
fn a_name_of_a_body_that_is_over_is_explained() {
    let text = "square s in A { last = s  last attacks k }  last == K";
    let errors = analyze(text, Dialect::CQLI).expect_err("unknown in CQLi");
    let help = errors[0].help.as_deref().unwrap_or_default();
    assert!(help.contains("the dialect `cql6`"), "{help}");
    assert_eq!(errors[0].remedy, Some(Remedy::Dialect));
    assert!(analyze(&format!("cql() {text}"), Dialect::CQL6).is_ok());
}
