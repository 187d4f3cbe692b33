//! `field`: values that a query records for a position.

use super::*;
use crate::SortValue;

/// The fields of a query on [`LINE`], each as `position name=value`; a text is in quotes.
fn fields(query: &str) -> Vec<String> {
    fields_of(&run_as(query, LINE, Dialect::CQLI, &RunOptions::default()))
}

fn fields_of(outcome: &Outcome) -> Vec<String> {
    assert_eq!(outcome.error, None);
    let value = |value: &SortValue| match value {
        SortValue::Number(number) => number.to_string(),
        SortValue::Text(text) => format!("{:?}", text.escape_ascii().to_string()),
    };
    let field =
        |field: &crate::Field| format!("{} {}={}", field.position, field.name, value(&field.value));
    outcome.fields.iter().map(field).collect()
}

#[test]
fn values_keep_their_types() {
    for (query, expect) in [
        ("ply==1 field(\"n\" ply)", &["1 n=1"][..]),
        ("ply==1 field(\"n\" \"x\" + \"y\")", &["1 n=\"xy\""]),
        ("ply==1 field(\"n\" to)", &["1 n=\"e4\""]),
        ("ply==1 field(\"n\" \"ply \" ply)", &["1 n=\"ply 1\""]),
        ("ply==1 field(\"n\" check)", &["1 n=\"<false>\""]),
        ("ply==1 field(\"b\" 1) field(\"a\" 2)", &["1 b=1", "1 a=2"]),
        ("ply<2 field(\"n\" {-ply})", &["0 n=0", "1 n=-1"]),
        ("ply==1 piece x = e4 field(\"n\" x)", &["1 n=\"Pe4\""]),
    ] {
        assert_eq!(fields(query), expect, "{query}");
    }
}

/// A number or a string without a value records nothing, and does not fail.
#[test]
fn a_missing_value_is_not_recorded() {
    for query in [
        "ply==1 field(\"n\" int \"x\")",
        "ply==1 field(\"n\" tag \"Nosuch\")",
        "ply==1 {false x=1} or {field(\"n\" x) true}",
    ] {
        let outcome = run_as(query, LINE, Dialect::CQLI, &RunOptions::default());
        assert_eq!((fields_of(&outcome), outcome.positions), (vec![], vec![1]), "{query}");
    }
    assert_eq!(fields("ply==1 field(\"n\" 5) field(\"n\" int \"x\")"), ["1 n=5"]);
}

#[test]
fn the_last_value_counts() {
    assert_eq!(
        fields("ply==1 field(\"n\" 1) field(\"m\" 2) field(\"n\" \"z\")"),
        ["1 n=\"z\"", "1 m=2"]
    );
    // Positions in order, wherever the fields are recorded.
    let query = "ply==2 field(\"n\" 0) find all {ply < 4 field(\"n\" ply)}";
    assert_eq!(fields(query), ["2 n=2", "3 n=3"]);
    let query = "ply==2 field(\"n\" 0) find <-- all {ply > 0 field(\"n\" ply)}";
    assert_eq!(fields(query), ["1 n=1", "2 n=2"]);
}

/// Fields are taken back as comments are.
#[test]
fn a_filter_that_fails_takes_its_fields_back() {
    for query in [
        "ply==1 {field(\"n\" 1) false} or true",
        "ply==1 not {field(\"n\" 1) false}",
        "ply==1 {field(\"n\" 1) 1} != 2",
        "ply==1 if {field(\"n\" 1) false} true",
        "ply==1 find all {field(\"n\" 1) false} or true",
        "ply==1 {line --> {field(\"n\" 1) true} --> false} or true",
        "field(\"n\" 1) false or stalemate",
    ] {
        assert_eq!(fields(query), [""; 0], "{query}");
    }
    let kept = RunOptions { always_comment: true, ..RunOptions::default() };
    let query = "ply==1 {field(\"n\" 1) false} or true";
    assert_eq!(fields_of(&run_as(query, LINE, Dialect::CQLI, &kept)), ["1 n=1"]);
}

/// A sort keeps the fields that were recorded with its best value.
#[test]
fn a_sort_keeps_the_fields_of_its_best_value() {
    let best = fields("ply < 4 sort \"ply\" {field(\"n\" ply) ply}");
    assert_eq!(best, ["3 n=3"]);
    let least = fields("ply > 1 ply < 4 sort min \"ply\" {field(\"n\" ply) ply}");
    assert_eq!(least, ["2 n=2"]);
}

/// Options about comments do not change fields, and fields are not written as comments.
#[test]
fn fields_are_not_comments() {
    for query in ["cql(silent) ply==1 field(\"n\" 1)", "cql(quiet) ply==1 field(\"n\" 1)"] {
        let outcome = run_as(query, LINE, Dialect::CQLI, &RunOptions::default());
        assert_eq!(fields_of(&outcome), ["1 n=1"]);
        assert!(outcome.comments.is_empty());
    }
    let outcome = run_as("ply==1 field(\"n\" \"t\")", LINE, Dialect::CQLI, &RunOptions::default());
    assert_eq!(comments(&outcome), [(1, "CQL".to_owned())]);
    // No match, no fields.
    let query = "cql(matchcount 2 9) ply==1 field(\"n\" 1)";
    assert_eq!(fields(query), [""; 0]);
}

/// An imagined board is not a position of the game: the field belongs to the position around it.
#[test]
fn an_imagined_board_records_for_the_position_around_it() {
    let query = "ply==1 imagine piece _ --> p : field(\"p\" #p)";
    assert_eq!(fields(query), ["1 p=0"]);
}

/// The word is a name in a query that assigns it, and in the dialect `cql6`.
#[test]
fn the_word_may_be_a_name() {
    for query in ["field = 3 field == 3 ply==0", "function field(x) {x} field(3) == 3 ply==0"] {
        for dialect in [Dialect::CQLI, Dialect::CQL6] {
            let query = format!("cql() {query}");
            let outcome = run_as(&query, LINE, dialect, &RunOptions::default());
            assert_eq!((outcome.positions, outcome.fields), (vec![0], vec![]), "{query}");
        }
    }
    let errors = babson_lang::analyze("cql() field(\"n\" 1)", Dialect::CQL6).unwrap_err();
    assert!(errors[0].message.contains("`field`"), "{}", errors[0].message);
}

/// The program names its fields once, in the order of the text.
#[test]
fn the_names_of_fields() {
    let query = "field(\"b\" ply) {check field(\"a\" 1)} or field(\"b\" 2)";
    let query = babson_lang::analyze(query, Dialect::CQLI).unwrap().query;
    assert_eq!(Program::compile(&query).unwrap().fields(), ["b", "a"]);
}
