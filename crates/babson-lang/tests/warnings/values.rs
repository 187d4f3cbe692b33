//! A value alone as a filter, and queries that mean what they say.

use super::*;

#[test]
fn values_alone_are_reported() {
    for (query, places) in [
        ("mate 1/2", &["1/2"][..]),
        ("mate \"a\" + \"b\"", &["\"a\" + \"b\""]),
        ("3", &["3"]),
        ("-1", &["-1"]),
        ("(3)", &["(3)"]),
        ("check and 3", &["3"]),
        ("not \"a\"", &["\"a\""]),
        ("if 1 then check else mate", &["1"]),
        ("if mate 1 else 2", &["1", "2"]),
        ("find \"a\"", &["\"a\""]),
        ("{3 check} mate", &["3"]),
        ("function f() {3 check} f()", &["3"]),
        ("cqlend {3 message(\"a\")} mate", &["3"]),
        ("square x in A {3 x attacks k}", &["3"]),
        ("3 4 mate", &["3", "4"]),
        // The last filter in braces whose value is not used.
        ("{wtm year 1920}", &["1920"]),
        ("mate or {check 3}", &["3"]),
        ("{check 3} and mate", &["3"]),
        ("not {check 3}", &["3"]),
        ("find {check 3}", &["3"]),
        ("check {{mate 3}}", &["3"]),
        ("function f() {check 3} f()", &["3"]),
        ("function f() {check 3} function g() {f()} mate or g()", &["3"]),
        ("while (check) {mate 3}", &["3"]),
        ("line --> {check 3}", &["3"]),
        ("path -- {check 3}", &["3"]),
        ("echo (x y) {check \"a\"}", &["\"a\""]),
        ("echo (x y) {check 3}", &["3"]),
        ("flip {Ka1 3}", &["3"]),
        ("move legal : {check 3}", &["3"]),
        ("imagine piece Q --> a8 : {check 3}", &["3"]),
    ] {
        let told = warnings(query);
        let found: Vec<&str> = told.iter().map(|(place, _)| place.as_str()).collect();
        assert_eq!(found, places, "{query}");
        for (_, help) in told {
            let compiles = named(&help) == "~~" || analyze(named(&help), Dialect::CQLI).is_ok();
            assert!(compiles, "{query}: {help}");
        }
    }
}

/// Slips, each with the place of the warning and the query in its help.
const SLIPS: &[(&str, &str, &str)] = &[
    ("year 1920", "1920", "year == 1920"),
    ("not year 1920", "1920", "year == 1920"),
    ("year 1920 or mate", "1920", "year == 1920"),
    ("mate year 1920 and check", "1920", "year == 1920"),
    ("year 1920 1930", "1920 1930", "1920 <= year <= 1930"),
    ("year 1930 1920", "1930 1920", "1920 <= year <= 1930"),
    ("year 1920-1930", "1920-1930", "1920 <= year <= 1930"),
    ("{wtm year 1920}", "1920", "year == 1920"),
    ("year \"1920\"", "\"1920\"", "year == 1920"),
    ("year == 1920 or 1930", "1930", "year == 1930"),
    ("year > 1920 and 1930", "1930", "year > 1930"),
    ("year + 1 1920", "1920", "year + 1 == 1920"),
    ("date 1920", "1920", "date \"1920\""),
    ("date 1920.05.01", "1920.05.01", "date \"1920.05.01\""),
    ("date 1920 1930", "1920 1930", "1920 <= year <= 1930"),
    ("date \"1920\" \"1930\"", "\"1930\"", "date \"1920\" or date \"1930\""),
    ("eventdate 1920", "1920", "eventdate \"1920\""),
    ("ply 3", "3", "ply == 3"),
    ("movenumber 20", "20", "movenumber == 20"),
    ("terminal ply 40", "40", "ply == 40"),
    ("gamenumber 1 100", "1 100", "1 <= gamenumber <= 100"),
    ("depth 2", "2", "depth == 2"),
    ("#A 3", "3", "#A == 3"),
    ("#[Pp] 10 16", "10 16", "10 <= #[Pp] <= 16"),
    ("A 5", "5", "A == 5"),
    ("power A 20", "20", "power A == 20"),
    ("rank K 8", "8", "rank K == 8"),
    ("A attacks k 2", "2", "A attacks k == 2"),
    ("typename a1 \"Q\"", "\"Q\"", "typename a1 == \"Q\""),
    ("elo 2500", "2500", "elo >= 2500"),
    ("elo white 2500", "2500", "elo white >= 2500"),
    ("elo \"2500\"", "\"2500\"", "elo >= 2500"),
    ("elo black < 2000 elo white 2500", "2500", "elo white >= 2500"),
    ("white \"Carlsen\"", "\"Carlsen\"", "player white \"Carlsen\""),
    ("not black \"Carlsen\"", "\"Carlsen\"", "player black \"Carlsen\""),
    ("player \"Carlsen\" or \"Anand\"", "\"Anand\"", "player \"Anand\""),
    ("player white \"Carlsen\" and \"Anand\"", "\"Anand\"", "player white \"Anand\""),
    ("eco \"B20\" \"B21\"", "\"B21\"", "eco \"B20\" or eco \"B21\""),
    ("tag \"ECO\" \"B20\"", "\"B20\"", "\"B20\" in tag \"ECO\""),
    ("not tag \"Event\" \"Linares\"", "\"Linares\"", "\"Linares\" in tag \"Event\""),
    ("tag \"Round\" 3", "3", "tag \"Round\" == \"3\""),
    ("player black \"Alekhine\" 1920", "1920", "year == 1920"),
    ("elo white 2500 3000", "2500 3000", "2500 <= elo white <= 3000"),
    ("0-0", "0-0", "o-o"),
    ("mate 0-0-0", "0-0-0", "o-o-o"),
    ("1/2", "1/2", "result 1/2-1/2"),
    ("mate 1/2", "1/2", "result 1/2-1/2"),
    ("1. e4 e5", "1. e4 e5", "initial path P--e4 p--e5"),
    ("1.e4 e5 2.Nf3", "1.e4 e5 2.Nf3", "initial path P--e4 p--e5 N--f3"),
    ("check 1. d4 Nf6\nmate", "1. d4 Nf6", "initial path P--d4 n--f6"),
    ("{1. e4 e5}", "1. e4 e5", "initial path P--e4 p--e5"),
    ("1. e4 e5\n2. Nf3 mate", "1. e4 e5\n2. Nf3", "initial path P--e4 p--e5 N--f3"),
    ("1... c5 check", "1... c5", "initial path -- p--c5"),
    ("find mate 3", "3", "find 3 mate"),
    ("find mate 3 5", "3 5", "find 3 5 mate"),
    ("find ply 3", "3", "ply == 3"),
    ("up K 3", "3", "up 3 K"),
    ("up [Aa] 30", "30", "[Aa] == 30"),
    ("flip Ka1 2", "2", "flip 2 Ka1"),
    ("castle 2", "2", "ply == 2"),
];

#[test]
fn what_was_meant_compiles() {
    for &(query, place, meant) in SLIPS {
        let told = warnings(query);
        let [(found, help)] = told.as_slice() else {
            panic!("{query}: {told:?}");
        };
        assert_eq!((found.as_str(), named(help)), (place, meant), "{query}");
        assert_eq!(warnings(meant), [], "{query}: {meant}");
    }
    // The parts of a larger query.
    for (query, meant) in [
        ("x = 3 x 4", "x == 4"),
        ("who = \"x\" player white who", "player white == who"),
        ("who = \"x\" player white who + \"y\"", "who + \"y\" == who"),
        ("line --> check {3 100}", "{3,100}"),
        ("line --> check { 3 }", "{3}"),
        ("path -- {3 100}", "{3,100}"),
    ] {
        let told = warnings(query);
        assert!(told.len() <= 1, "{query}: {told:?}");
        let found = told.first().map_or("", |(_, help)| named(help));
        if query.contains('+') {
            // A sum with a variable is not a constant.
            assert_eq!(found, "", "{query}");
        } else {
            assert_eq!(found, meant, "{query}");
        }
    }
    let both = warnings("year 1920 or 1930");
    let named: Vec<&str> = both.iter().map(|(_, help)| named(help)).collect();
    assert_eq!(named, ["year == 1920", "year == 1930"]);
}

/// What follows the moves of a game is checked like any filter, and moves from the middle of a game
/// are not said to begin it.
#[test]
fn moves_end_where_other_filters_begin() {
    let told = warnings("1. e4 e5 mate 2500");
    let places: Vec<&str> = told.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(places, ["1. e4 e5", "2500"]);
    let told = warnings("2. Nf3");
    assert!(!told.is_empty() && told.iter().all(|(_, help)| !help.contains("path")), "{told:?}");
}

#[test]
fn valid_queries_have_no_warnings() {
    for query in [
        "x = {check 3} x > 1",
        "{wtm 3} > 2",
        "function f() {check 3} f() > 2",
        "function f() {check 3} f() f() > 2",
        "function f() {check 3} function g() {f()} g() > 2",
        "x = if check {mate 1} else 2",
        "message(if check {mate 1} else 2)",
        "sort \"n\" {check 3}",
        "message(echo (x y) {check 3})",
        "message(move legal : {check} --(3))",
        "true false",
        "{check true}",
        "while (true) {check}",
        "message(3 \"a\")",
        "x = 3 x",
        "1-0",
        "result 1-0",
        "{3 == #A}",
        "comment(if check 1 else 2)",
        "event \"x\"",
        "check mate",
        "line --> check {3,100}",
    ] {
        assert_eq!(warnings(query), [], "{query}");
    }
}
