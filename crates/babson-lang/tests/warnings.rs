//! A literal alone as a filter matches everything: a warning says what was probably meant. Other
//! warnings are about queries that no game matches, or that CQL 6.2 refuses.

use babson_lang::diagnostic::Code;
use babson_lang::hir::{Condition, Expr, ExprKind};
use babson_lang::{Dialect, analyze};

/// The place and the help of each warning.
fn warnings(query: &str) -> Vec<(String, String)> {
    let analysis =
        analyze(query, Dialect::CQLI).unwrap_or_else(|errors| panic!("{query}: {}", errors[0]));
    let told = |one: &babson_lang::Diagnostic| {
        (one.span.text(query).to_owned(), one.help.clone().unwrap_or_default())
    };
    analysis.warnings.iter().map(told).collect()
}

/// The last query in a help text.
fn named(help: &str) -> &str {
    help.rsplit('`').nth(1).unwrap_or_default()
}

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

/// Slips that are errors, each with the places of the errors and the query in the help of the
/// first.
const WRONG: &[(&str, &[&str], &str)] = &[
    ("ECO B20", &["ECO"], "eco \"B20\""),
    ("ECO \"B20\"", &["ECO"], "eco \"B20\""),
    ("eco B20", &["B20"], "eco \"B20\""),
    ("Event \"Hastings\"", &["Event"], "event \"Hastings\""),
    ("event Hastings", &["Hastings"], "event \"Hastings\""),
    ("site London and mate", &["London"], "site \"London\""),
    ("player Alekhine", &["Alekhine"], "player \"Alekhine\""),
    ("not player Alekhine or mate", &["Alekhine"], "player \"Alekhine\""),
    ("player Magnus Carlsen", &["Magnus"], "player \"Magnus Carlsen\""),
    ("player white Carlsen", &["Carlsen"], "player white \"Carlsen\""),
    ("white Alekhine", &["Alekhine"], "player white \"Alekhine\""),
    ("White \"Carlsen\"", &["White"], "player white \"Carlsen\""),
    ("White Carlsen", &["White"], "player white \"Carlsen\""),
    ("player white == Carlsen", &["Carlsen"], "player white == \"Carlsen\""),
    ("tag \"ECO\" == B20", &["B20"], "tag \"ECO\" == \"B20\""),
    ("white == \"Carlsen\"", &["=="], "player white \"Carlsen\""),
    ("year == \"1920\"", &["=="], "year == 1920"),
    ("year > \"1920\"", &[">"], "year > 1920"),
    ("elo white >= \"2500\"", &[">="], "elo white >= 2500"),
    ("date > 1920", &[">"], "year > 1920"),
    ("site == 3", &["=="], "site == \"3\""),
    ("year = 1920", &["="], "year == 1920"),
    ("ply = 20", &["="], "ply == 20"),
    ("elo white = 2500", &["="], "elo white == 2500"),
    ("event = \"Hastings\"", &["="], "event == \"Hastings\""),
    ("#Q = 2", &["="], "#Q == 2"),
    ("rank K = 8", &["="], "rank K == 8"),
    ("P = 8", &["P"], "P == 8"),
    ("result = 1-0", &["="], "result 1-0"),
    ("result == \"1/2-1/2\"", &["=="], "result 1/2-1/2"),
    ("year >= 1920 and <= 1930", &["<="], "year <= 1930"),
    ("if year 1920 then mate", &["then"], "year == 1920"),
    ("tag ECO", &["ECO"], "tag \"ECO\""),
    ("R on a8", &["on"], "Ra8"),
    ("K at g8 or h8", &["at"], "Kg8 or Kh8"),
    ("Q takes r or b", &["takes"], "Q[x]r or Q[x]b"),
    ("K at g8 or mate", &["at"], "Kg8"),
    ("R on rank 7", &["on", "7"], "Kg8"),
    ("opening \"Sicilian\"", &["opening"], "\"Sicilian\" in tag \"Opening\""),
    ("termination \"normal\"", &["termination"], "tag \"Termination\" == \"normal\""),
    ("bishoppair", &["bishoppair"], "light b dark b"),
    ("round 3", &["round"], "tag \"Round\" == \"3\""),
    ("WhiteElo 2500", &["WhiteElo"], "elo white >= 2500"),
    ("blackelo > 2500", &["blackelo"], "elo black >= 2500"),
    ("Mate", &["Mate"], "mate"),
    ("CHECK and mate", &["CHECK"], "check"),
    ("checkmate", &["checkmate"], "mate"),
    ("count Q == 2", &["count"], "#Q == 2"),
    ("Player Magnus Carlsen", &["Player"], "player \"Magnus Carlsen\""),
    ("Mate xyz", &["Mate", "xyz"], "mate"),
    ("WhiteElo foo", &["WhiteElo", "foo"], "elo white >= 2500"),
    ("player = Alekhine", &["="], "player \"Alekhine\""),
    ("player white = Tal", &["="], "player white \"Tal\""),
    ("event = Hastings", &["="], "event \"Hastings\""),
    ("player:Alekhine", &[":"], "player \"Alekhine\""),
    ("mate player: \"Alekhine, A\"", &[":"], "player \"Alekhine, A\""),
    ("white:Tal", &[":"], "player white \"Tal\""),
    ("eco:B20", &[":"], "eco \"B20\""),
    ("year:1950", &[":"], "year == 1950"),
    ("year:1950-1960", &[":"], "1950 <= year <= 1960"),
    ("elo white:2500", &[":"], "elo white >= 2500"),
    ("eco B20-B99", &["B20"], "\"B20\" <= eco <= \"B99\""),
    ("eco B20..B99", &["B20"], "\"B20\" <= eco <= \"B99\""),
    ("year between 1950 1960", &["1950"], "1950 <= year <= 1960"),
    ("elo white between 2400 and 2500", &["2400"], "2400 <= elo white <= 2500"),
];

#[test]
fn words_of_the_language_in_capitals_are_recognized() {
    for (query, help) in [
        ("check OR mate", "write `or`"),
        ("mate AND wtm", "write `and`"),
        ("NOT check", "write `not`"),
    ] {
        let errors = analyze(query, Dialect::CQLI).expect_err(query);
        assert_eq!(errors[0].help.as_deref(), Some(help), "{query}");
    }
}

#[test]
fn the_side_to_move_of_a_fen_is_not_compared() {
    let fen = "8/8/8/3k4/8/3K4/3P4/8";
    for (side, filter) in [("w - - 0 1", "wtm"), ("b", "btm")] {
        let query = format!("fen \"{fen} {side}\"");
        let told = warnings(&query);
        assert_eq!(told.iter().map(|(_, help)| named(help)).collect::<Vec<_>>(), [filter]);
    }
    assert_eq!(warnings(&format!("fen \"{fen}\"")), []);
    let errors = analyze("fen \"?7/8/8/8/8/8/8/8\"", Dialect::CQLI).unwrap_err();
    assert!(errors[0].message.ends_with("`.` is any content of a square, `_` an empty one"));
}

#[test]
fn words_that_take_operands_are_not_proposed() {
    let errors = analyze("Title 3", Dialect::CQLI).expect_err("not a filter");
    let help = errors[0].help.as_deref().unwrap_or_default();
    assert!(!help.starts_with("write `"), "{help}");
}

#[test]
fn a_symbol_is_explained_as_its_keyword() {
    for query in ["focus A", "◎ A"] {
        let errors = analyze(query, Dialect::CQL6).expect_err("a parameter without its filter");
        let help = errors[0].help.as_deref();
        assert_eq!(help, Some("it is a parameter of `path`"), "{query}");
    }
}

#[test]
fn a_date_is_not_proposed_as_a_number() {
    for query in ["year 1920.05.01", "elo 1.2", "ply 3.4.5"] {
        for (_, help) in warnings(query) {
            assert!(!help.contains('.'), "{query}: {help}");
        }
    }
}

#[test]
fn errors_name_a_query_that_compiles() {
    for &(query, places, meant) in WRONG {
        let errors = analyze(query, Dialect::CQLI).expect_err(query);
        let found: Vec<&str> = errors.iter().map(|error| error.span.text(query)).collect();
        let help = errors[0].help.as_deref().unwrap_or_default();
        assert_eq!((found.as_slice(), named(help)), (places, meant), "{query}: {}", errors[0]);
        assert_eq!(warnings(meant), [], "{query}");
    }
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

/// The code, the place and the help of each warning.
fn coded(query: &str) -> Vec<(&'static str, String, String)> {
    let analysis =
        analyze(query, Dialect::CQLI).unwrap_or_else(|errors| panic!("{query}: {}", errors[0]));
    let told = |one: &babson_lang::Diagnostic| {
        let help = one.help.clone().unwrap_or_default();
        (one.code.as_str(), one.span.text(query).to_owned(), help)
    };
    analysis.warnings.iter().map(told).collect()
}

#[test]
fn filters_that_hold_in_every_position_are_reported() {
    for (query, code, place, help) in [
        ("e4", "W1201", "e4", "`move to e4`"),
        ("mate e4", "W1201", "e4", "`[Aa]e4`"),
        ("not [e4,e5]", "W1201", "[e4,e5]", "`move to [e4,e5]`"),
        ("(e4) or mate", "W1201", "e4", "`move to e4`"),
        ("find a-h4", "W1201", "a-h4", "`move to a-h4`"),
        ("white", "W1201", "white", "`wtm`"),
        ("not black", "W1201", "black", "`btm`"),
        ("_ check", "W1201", "_", "`_e4`"),
        ("{mate .}", "W1201", ".", "`A`"),
        ("[Aa_]", "W1201", "[Aa_]", "`[Aa]`"),
        ("[Aa_]e4-5", "W1201", "[Aa_]e4-5", "`[Aa]e4-5`"),
        ("Q h7", "W1201", "h7", "`Qh7`, without a space"),
        ("find Q h7", "W1201", "h7", "`Qh7`, without a space"),
        ("not Q h7", "W1201", "h7", "`Qh7`, without a space"),
        ("flip Q h7", "W1201", "h7", "`Qh7`, without a space"),
        ("mate and Q h7", "W1201", "h7", "`Qh7`, without a space"),
        ("move from Q h7", "W1201", "h7", "`move to h7`"),
        ("find {K Q} h7", "W1201", "h7", "`move to h7`"),
        ("mate [Qq] a-h7", "W1201", "a-h7", "`[Qq]a-h7`"),
        ("wtm or btm", "W1201", "wtm or btm", "one of its conditions is true"),
        ("mate {Ka1 or not Ka1}", "W1201", "{Ka1 or not Ka1}", "one of its conditions is true"),
        (
            "check or mate or not check",
            "W1201",
            "check or mate or not check",
            "one of its conditions is true",
        ),
        ("check or not mate", "W1201", "check or not mate", "one of its conditions is true"),
        ("e4 e5 Nf3", "W0303", "e4 e5 Nf3", "`initial path P--e4 p--e5 N--f3`"),
        ("mate Nf3 d5 check", "W0303", "Nf3 d5", "`initial path N--f3 p--d5`"),
    ] {
        let told = coded(query);
        let [(found, at, told_help)] = told.as_slice() else {
            panic!("{query}: {told:?}");
        };
        assert_eq!((*found, at.as_str()), (code, place), "{query}");
        assert!(told_help.contains(help), "{query}: {told_help}");
        for named in told_help.split('`').skip(1).step_by(2).filter(|word| !word.contains('…')) {
            assert_eq!(coded(named), [], "{query}: {named}");
        }
    }
    for query in [
        "Nf3 nf6",
        "[Aa]e4",
        "_e4",
        "mate or not check",
        "K or not K & Q",
        "wtm or find btm",
        "message(wtm or btm)",
        "x = e4 x & A",
        "line --> . --> check",
        "path -- .",
        "square s in e4 {s attacks k}",
        "e4 attacks k",
        "function f(x) {x} f(e4) & K",
        "sort \"x\" e4 | A",
        "K attacks e4 == 0",
        "comment(e4)",
        "move from K to e4",
        "sidetomove == white",
    ] {
        assert_eq!(coded(query), [], "{query}");
    }
    // In CQL 6.2 a number as a filter ends the run, so it is not a matter of a warning.
    let warned = analyze("cql() white", Dialect::CQL6).unwrap().warnings;
    assert!(warned.is_empty());
    assert_eq!(analyze("cql() e4", Dialect::CQL6).unwrap().warnings.len(), 1);
    assert!(coded(&"e4 nf6 ".repeat(5000)).len() < 100);
}

#[test]
fn what_never_holds_is_reported() {
    for (query, place) in [
        ("wtm and btm", "btm"),
        ("wtm not wtm", "not wtm"),
        ("{check wtm} mate {btm}", "{btm}"),
        ("mate and stalemate", "stalemate"),
        ("stalemate check", "check"),
        ("mate not check", "not check"),
        ("move legal : move previous from P", "move previous from P"),
        ("imagine piece Q --> a8 : {check move}", "move"),
        ("P == 65", "P == 65"),
        ("#Pe4-5 > 2", "#Pe4-5 > 2"),
        ("Q #Q == 0", "#Q == 0"),
        ("Q not Q", "not Q"),
        ("ply > 20 ply < 10", "ply < 10"),
        ("10 > ply > 20", "10 > ply > 20"),
        ("year > 2000 mate year < 1990", "year < 1990"),
        ("sidetomove > white", "sidetomove > white"),
        ("Ra1 qa1", "qa1"),
        ("flipcolor {wtm btm}", "btm"),
        ("find {wtm btm}", "btm"),
        ("{wtm btm} or {mate not check}", "btm"),
        ("mate not (wtm or btm)", "not (wtm or btm)"),
        ("K & Q", "K & Q"),
        ("Ra1 & Rb1", "Ra1 & Rb1"),
        ("check (P & p) attacks k", "(P & p) attacks k"),
        ("[RQ]a1 [QN]a1 [RN]a1", "[RN]a1"),
        ("result 1-0 result 0-1", "result 0-1"),
        ("result \"1-0\" mate result \"1/2-1/2\"", "result \"1/2-1/2\""),
    ] {
        let told = coded(query);
        assert!(matches!(told.as_slice(), [("W1202", at, _)] if at == place), "{query}: {told:?}");
    }
    // What the help says to write does not hold everywhere.
    for (query, help) in [
        ("mate and stalemate", "for one of the two, write `mate or stalemate`"),
        ("ply > 20 ply < 10", "for one of the two, write `ply > 20 or ply < 10`"),
        ("wtm btm", "each is the opposite of the other: leave one out"),
        ("Ka1 not Ka1", "each is the opposite of the other: leave one out"),
        ("ply > 20 ply <= 20", "each is the opposite of the other: leave one out"),
        ("Q #Q == 0", "each is the opposite of the other: leave one out"),
        ("mate not check", "for one of the two, write `mate or not check`"),
        ("wtm not (wtm or check)", "for one of the two, write `wtm or not (wtm or check)`"),
        ("Q not (Q or check)", "for one of the two, write `Q or not (Q or check)`"),
        (
            "result 1-0 not (result 1-0 or check)",
            "for one of the two, write `result 1-0 or not (result 1-0 or check)`",
        ),
        ("2 < ply < 10 ply <= 2", "for one of the two, write `2 < ply < 10 or ply <= 2`"),
    ] {
        let [(_, _, told)] = coded(query).try_into().expect(query);
        assert_eq!(told, help, "{query}");
        for named in told.split('`').skip(1).step_by(2) {
            assert_eq!(coded(named), [], "{query}: {named}");
        }
    }
    for (query, place) in [
        ("K == 0", "K == 0"),
        ("P == 9", "P == 9"),
        ("not K", "not K"),
        ("mate [Rr] > 20", "[Rr] > 20"),
        ("K[a1,b1] K[b1,c1] K[a1,c1]", "K[a1,c1]"),
        ("{wtm btm} or P == 9", "P == 9"),
        ("P == 9 or {wtm btm}", "P == 9"),
        ("move legal : {A > 16}", "{A > 16}"),
        ("Kg1 Kh1", "Kh1"),
        ("Ka-c1 mate Kc-d1 Kd1", "Kd1"),
        ("flip {kg8 kh8}", "kh8"),
    ] {
        let told = coded(query);
        assert!(matches!(told.as_slice(), [("W1203", at, _)] if at == place), "{query}: {told:?}");
    }
    for query in [
        "wtm find btm",
        "K & [KQ]",
        "K & Q == 0",
        "not (K & Q)",
        "Ka1-8 & Kb-c1 == 0",
        "Kg1 kg8",
        "Kg1 Kg1-8",
        "Kg1 find Kh1",
        "Kg1 or Kh1",
        "[Kk]g1 [Kk]h1",
        "variant \"Horde\" Kg1 Kh1",
        "imagine piece K --> h1 : {Kg1 Kh1}",
        "result 1-0 or result 0-1",
        "result 1-0 not result 0-1",
        "settag(\"Result\" \"1-0\") result 1-0 result 0-1",
        "wtm parent : btm",
        "not {wtm btm}",
        "find 0 {wtm btm}",
        "variant \"Horde\" P > 8",
        "imagine piece _ --> K : not K",
        "move pseudolegal : not K",
        "settag(\"WhiteElo\" \"1\") elo white > 2000 elo white < 10",
        "false",
        "[]",
        "Q == 9 q == 9 P == 0",
        "x = 1 x > 1 x < 1",
        "ply > 2 ply < 4",
        "Ra1 Aa1",
        "elo > 2500 elo < 2000",
        "move legal all : {wtm btm}",
        "if mate then {wtm btm}",
    ] {
        assert_eq!(coded(query), [], "{query}");
    }
}

#[test]
fn comparisons_of_constants_are_reported() {
    for (query, place, help) in [
        ("year >1920 <1930", "1920 <1930", "to compare with both, write `1920 < year < 1930`"),
        (
            "mate or elo white >= 2400 <= 2500",
            "2400 <= 2500",
            "to compare with both, write the value between the numbers: `1920 < year < 1930`",
        ),
        ("P > 2 < 5", "2 < 5", "to compare with both, write `2 < P < 5`"),
        (
            "year != 1920 < 1930",
            "1920 < 1930",
            "to compare with both, write the value between the numbers: `1920 < year < 1930`",
        ),
    ] {
        assert_eq!(coded(query), [("W1201", place.to_owned(), help.to_owned())], "{query}");
        assert_eq!(coded(named(help)), [], "{query}");
    }
    for query in ["1920 < year < 1930", "year > (movenumber < 5)", "year > ply < 3"] {
        assert_eq!(coded(query), [], "{query}");
    }
}

#[test]
fn dates_in_other_forms_are_reported() {
    const ORDER: &str = "the year comes first, then the month and the day, with two digits each";
    for (query, place, help) in [
        ("date >= \"1999-04-05\"", "\"1999-04-05\"", "write `\"1999.04.05\"`"),
        ("date \"1999-04-05\"", "\"1999-04-05\"", "write `\"1999.04.05\"`"),
        ("not date \"1999/4/5\"", "\"1999/4/5\"", "write `\"1999.04.05\"`"),
        ("eventdate \"1999-04\"", "\"1999-04\"", "write `\"1999.04\"`"),
        ("date > \"05.04.1999\"", "\"05.04.1999\"", "write `\"1999.04.05\"`"),
        ("date > \"25/04/1999\"", "\"25/04/1999\"", "write `\"1999.04.25\"`"),
        ("date > \"04/25/1999\"", "\"04/25/1999\"", "write `\"1999.04.25\"`"),
        ("date > \"04/05/1999\"", "\"04/05/1999\"", ORDER),
        ("date == \"1999-?-?\"", "\"1999-?-?\"", "write `\"1999.??.??\"`"),
        ("date >= \"1999.4\"", "\"1999.4\"", "write `\"1999.04\"`"),
        ("\"1999\" <= date <= \"1999-12-31\"", "\"1999-12-31\"", "write `\"1999.12.31\"`"),
    ] {
        assert_eq!(coded(query), [("W0902", place.to_owned(), help.to_owned())], "{query}");
    }
    for query in [
        "date >= \"1999\"",
        "date >= \"1999.04\"",
        "date == \"1999.04.05\"",
        "date == \"????.12.25\"",
        "date \"12.25\"",
        "date \"1999.1\"",
        "date \"199\"",
        "date ~~ \"1999-\"",
        "date == eventdate",
        "event \"1999-04-05\"",
        "date == \"é-1\"",
    ] {
        assert_eq!(coded(query), [], "{query}");
    }
    let warned = analyze("cql() date \"1999-04-05\"", Dialect::CQL6).unwrap().warnings;
    assert_eq!(warned.len(), 1);
}

#[test]
fn the_squares_of_ranks_and_files_are_named() {
    let squares = "the squares of a rank are `a-h7`, of a file `e1-8`";
    for query in ["rank 7", "R & file 5", "mate rank", "(file)", "R & rank or K"] {
        let errors = analyze(query, Dialect::CQLI).expect_err(query);
        assert_eq!(errors[0].help.as_deref(), Some(squares), "{query}: {}", errors[0]);
    }
    let help =
        "write `Ra-h7`: a rook on the seventh rank; on the e-file `Re1-8`, a king on g8 `Kg8`";
    for query in ["R on rank 7", "R on seventh"] {
        let errors = analyze(query, Dialect::CQLI).expect_err(query);
        assert_eq!(errors[0].help.as_deref(), Some(help), "{query}");
    }
}

/// The other filter is one that has nothing in common with this one.
#[test]
fn the_other_filter_of_a_contradiction_is_named() {
    for (query, message) in [
        ("Kg1 K Kh1", "`Kg1` and `Kh1` hold in no game of chess: a side has one king"),
        ("Kg1 Kg-h1 Kh1", "`Kg1` and `Kh1` hold in no game of chess: a side has one king"),
        (
            "K[a1,b1] K[b1,c1] K[a1,c1]",
            "`K[a1,c1]` and the filters before it leave no square for the king in a game of chess",
        ),
        ("Ra1 [RQ]a1 [QN]a1", "`Ra1` and `[QN]a1` never hold in the same position"),
        (
            "[RQ]a1 [QN]a1 [RN]a1",
            "`[RN]a1` and the filters before it leave no piece for the square",
        ),
    ] {
        let warnings = analyze(query, Dialect::CQLI).expect(query).warnings;
        let messages: Vec<&str> = warnings.iter().map(|one| one.message.as_str()).collect();
        assert_eq!(messages, [message], "{query}");
    }
}

/// Each comparison is looked at once: otherwise this would take 2^60 steps.
#[test]
fn comparisons_of_comparisons_are_looked_at_once() {
    let mut query = "ply".to_owned();
    for limit in 0..60 {
        query = format!("({query} < {})", 100 + limit);
    }
    assert_eq!(coded(&query), []);
    assert_eq!(coded("ply != (P > 65)"), []);
    assert_eq!(coded("(P == 3) != (P == 4)"), []);
}

#[test]
fn filters_that_were_meant_as_one_are_reported() {
    for (query, code, place, help) in [
        ("move promote [RBN] check", "W1204", "check", "`move promote [RBN] : check`"),
        ("move capture q and mate", "W1204", "mate", "`move capture q : mate`"),
        ("find {move o-o stalemate}", "W1204", "stalemate", "`move o-o : stalemate`"),
        ("move from N mate", "W1204", "mate", "`move from N : mate`"),
        ("move stalemate", "W1204", "stalemate", "`move : stalemate`"),
        ("mate move from K", "W1204", "mate", "`move from K : mate`"),
        ("move primary mate", "W1204", "mate", "`move primary : mate`"),
        ("move _e4", "W1205", "move _e4", "`move to _e4`"),
        ("move _", "W1205", "move _", "`move to _`"),
        ("pin Q", "W1205", "pin Q", "`pin through Q`"),
        ("pin Q k", "W1205", "pin Q", "`pin from Q`"),
        ("move Q", "W1205", "move Q", "`move from Q`"),
        ("move Nf3", "W1205", "move Nf3", "`move from N to f3`"),
        ("move e4", "W1205", "move e4", "`move to e4`"),
    ] {
        let told = coded(query);
        let [(found, at, told_help)] = told.as_slice() else {
            panic!("{query}: {told:?}");
        };
        assert_eq!((*found, at.as_str()), (code, place), "{query}");
        assert!(told_help.contains(help), "{query}: {told_help}");
        for named in told_help.split('`').skip(1).step_by(2) {
            assert_eq!(coded(named), [], "{query}: {named}");
            assert!(analyze(&format!("cql() {named}"), Dialect::CQL6).is_ok(), "{named}");
        }
    }
    let long = format!("move to [{}] mate", vec!["a1"; 100].join(","));
    assert!(coded(&long)[0].2.len() < 100, "{:?}", coded(&long));
    for query in [
        "check move promote Q",
        "move from K check",
        "move previous from N mate",
        "move null mate",
        "mate move null",
        "move legal count mate",
        "move previous promote Q check",
        "move promote Q : check",
        "pin through Q",
        "pin check",
        "move check",
        "move or Q",
    ] {
        assert_eq!(coded(query), [], "{query}");
    }
}

#[test]
fn the_number_of_warnings_is_limited() {
    let query = format!("mate {}", "1 or ".repeat(5000) + "1");
    assert!(warnings(&query).len() < 100);
}

/// The number of filters that end the run in CQL 6.2.
fn stops(query: &str) -> usize {
    fn count(e: &Expr) -> usize {
        let mut n = usize::from(matches!(e.kind, ExprKind::Condition(Condition::BareValue)));
        e.for_each_operand(&mut |operand| n += count(operand));
        n
    }
    let analysis = analyze(&format!("cql() {query}"), Dialect::CQL6)
        .unwrap_or_else(|errors| panic!("{query}: {}", errors[0]));
    assert_eq!(analysis.warnings, []);
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
        ("echo (x y) \"a\"", 1),
        ("echo (x y) x", 1),
        ("echo (x y) 3", 1),
        ("echo (x y) {check 3}", 0),
        ("message(echo (x y) 3)", 0),
        ("message(echo (x y) \"a\")", 1),
        ("x=\"a\" path -- x", 1),
        ("path -- str(K)", 1),
        ("path --(\"a\") check", 1),
        ("x=\"a\" path (x --)+ {not 3}", 2),
        ("path max 3 --", 0),
        ("path focus {3 K} --", 1),
        ("path -- {pathcount check}", 1),
        ("path -- find pathcount", 1),
        ("path -- pathcount > 1", 0),
        ("pathcount", 0),
        ("--(3)", 1),
        ("message(--(3))", 0),
        ("countmoves --(3) > 1", 1),
        ("currentposition:3", 1),
        ("message(currentposition:3)", 0),
        ("flip {3 K}", 1),
        ("square x in A \"a\"", 1),
    ] {
        assert_eq!(stops(query), expected, "{query}");
    }
}

/// A counter that outlives a game, set at each position.
#[test]
fn counters_that_are_set_at_each_position_are_reported() {
    for (query, place, help) in [
        (
            "persistent num = 0 mate num += 1",
            "persistent num = 0",
            "to set it once, write `cqlbegin { persistent num = 0 }`",
        ),
        (
            "dictionary D[\"a\"] = 0 mate D[\"a\"] += 1 message(D[\"a\"])",
            "dictionary D[\"a\"] = 0",
            "to set it once, write `cqlbegin { dictionary D[\"a\"] = 0 }`",
        ),
        (
            "dictionary D x = 1 D[1] = 0 if mate then {D[1] += x}",
            "D[1] = 0",
            "to set it once, write `cqlbegin { D[1] = 0 }`",
        ),
        (
            "persistent seen = [] check and {seen |= K}",
            "persistent seen = []",
            "to set it once, write `cqlbegin { persistent seen = [] }`",
        ),
    ] {
        assert_eq!(warnings(query), [(place.to_owned(), help.to_owned())], "{query}");
    }
    for (query, help) in [
        ("persistent num = 0 mate num += 1", "leave it out: `persistent num += …` begins with `0`"),
        (
            "dictionary D D[\"a\"] = 0 mate D[\"a\"] += 1",
            "to set it once, write `if not D[\"a\"] then D[\"a\"] = 0`",
        ),
    ] {
        let analysis = analyze(&format!("cql() {query}"), Dialect::CQL6).expect(query);
        let helps: Vec<_> = analysis.warnings.iter().map(|one| one.help.as_deref()).collect();
        assert_eq!(helps, [Some(help)], "{query}");
    }
}

#[test]
fn counters_of_a_game_or_a_position_are_not_reported() {
    for query in [
        "cqlbegin { persistent num = 0 } mate num += 1",
        "initial persistent num = 0 num += 1",
        "if initial then persistent num = 0 mate num += 1",
        "persistent num = ply num += 1",
        "persistent num = 0 square x in A num += 1",
        "persistent num = 0 find all {check num += 1}",
        "num = 0 mate num += 1",
        "persistent num = 0 mate",
        "mate persistent num += 1",
        "local dictionary D D[1] = 0 mate D[1] += 1",
        "dictionary D D[1] = 0 mate D[2] += 1",
        "dictionary D D[1] = 0 if check then D[1] += 1 D[1] > 0",
        "dictionary D D[ply] = 0 mate D[ply] += 1",
    ] {
        assert_eq!(warnings(query), [], "{query}");
    }
}

#[test]
fn what_cql_6_refuses_is_told_in_its_dialect() {
    let refused = |query: &str, dialect| {
        let warnings = analyze(query, dialect).expect(query).warnings;
        warnings.iter().filter(|warning| warning.code == Code::RefusedByCql6).count()
    };
    for query in [
        "----",
        "--[x]",
        "--and--",
        "--=q and 2",
        "countmoves legal ---2",
        "path --(-- --)",
        "initialposition != currentposition",
        "dictionary v unbind v[\"key\"]",
        "square w in A v=A in Q",
        "move legal capture a",
        "imagine swap R K : check",
    ] {
        let query = format!("cql() {query}");
        assert_eq!(refused(&query, Dialect::CQL6), 1, "{query}");
        assert_eq!(refused(&query, Dialect::CQLI), 0, "{query}");
    }
    for query in [
        "-- and -- -- [x]",
        "K--g1 --=Q(check) and 2 == 2",
        "--or check",
        "path -- check (--) (-- --) + --(check)",
        "path A-- (a--){1,2}",
        "not initialposition == currentposition K != Q",
        "dictionary v v[\"a\"]=1 unbind v[\"key\"]",
        "square w in A {v=A w in Q}",
        "move from A legal count > 3",
    ] {
        let query = format!("cql() {query}");
        assert_eq!(refused(&query, Dialect::CQL6), 0, "{query}");
    }
}

#[test]
fn an_empty_range_of_the_header_is_a_warning() {
    for (range, count) in [
        ("matchcount 2 0", 1),
        ("gamenumber 1 0", 1),
        ("sort matchcount 3 2", 1),
        ("matchcount 0 2", 0),
        ("matchcount 2", 0),
    ] {
        let warnings = analyze(&format!("cql({range}) mate"), Dialect::CQLI).expect(range).warnings;
        assert_eq!(warnings.len(), count, "{range}");
        assert!(warnings.iter().all(|warning| warning.code == Code::EmptyHeaderRange), "{range}");
    }
}
