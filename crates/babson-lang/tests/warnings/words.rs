//! Words that are not in the language, each with the query that was meant.

use super::*;

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
