//! Each call, as a page or a script uses it.

use babson::scan::{Settings, Silent};
use babson::table::{Compression, pack};
use babson::{Input, Query};
use babson_serve::DatabaseSpec;
use serde_json::{Value, json};

use crate::client::{FAILS_IN_17, TestServer, masters};

fn of_type<'l>(lines: &'l [Value], kind: &str) -> Vec<&'l Value> {
    lines.iter().filter(|line| line["type"] == kind).collect()
}

#[test]
fn databases_are_listed() {
    let server = TestServer::start(|_| ());
    let answer = server.get("/api/databases").json();
    assert_eq!((&answer[0]["name"], &answer[0]["games"]), (&json!("masters-2k"), &json!(2000)));
    let columns = answer[0]["columns"].as_array().unwrap();
    assert!(columns.contains(&json!("white")) && columns.contains(&json!("fen")));
    assert_eq!(answer.as_array().unwrap().len(), 1);
}

#[test]
fn a_search_is_a_stream_of_lines() {
    let server = TestServer::start(|_| ());
    let answer = server.post("search", &json!({"query": "mate", "games": true}));
    assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));
    let lines = answer.lines();
    let matches = of_type(&lines, "match");
    let query = Query::compile("mate").unwrap();
    let file = std::fs::File::open(masters()).unwrap();
    let expected: Vec<_> = query.search(file).map(Result::unwrap).collect();
    assert_eq!(matches.len(), expected.len());
    for (line, expected) in matches.iter().zip(&expected) {
        assert_eq!(line["database"], "masters-2k");
        // The same as the row of the command, but for the folders of the input.
        let mut row = serde_json::to_value(expected).unwrap();
        row["input"] = json!("masters-2k.pgn");
        row["offset"] = line["offset"].clone();
        for (key, value) in row.as_object().unwrap() {
            assert_eq!(line[key], *value, "{key}");
        }
        assert!(line["pgn"].as_str().unwrap().contains("{CQL}"), "{line}");
    }
    let summary = lines.last().unwrap();
    assert_eq!((&summary["type"], &summary["games"]), (&json!("summary"), &json!(2000)));
    assert_eq!((&summary["matches"], &summary["stopped"]), (&json!(expected.len()), &Value::Null));
}

#[test]
fn a_search_has_columns_and_a_limit() {
    let server = TestServer::start(|_| ());
    let columns = json!(["game", "ply", "fen", "tag:Event", "input"]);
    let lines = server.search(&json!({"query": "mate", "columns": columns, "limit": 3}));
    let matches = of_type(&lines, "match");
    assert_eq!(matches.len(), 3);
    let keys: Vec<_> = matches[0].as_object().unwrap().keys().cloned().collect();
    let mut expected = vec!["type", "database", "game", "ply", "fen", "Event", "input"];
    expected.sort_unstable();
    assert_eq!(keys, expected);
    assert_eq!(matches[0]["input"], "masters-2k.pgn");
    assert_eq!(lines.last().unwrap()["stopped"], "limit");
    for (columns, word) in
        [(json!(["gaem"]), "game"), (json!(["sort:x"]), "sort"), (json!([]), "column")]
    {
        let answer = server.post("search", &json!({"query": "mate", "columns": columns}));
        assert_eq!((answer.status, answer.code().as_str()), (400, "request"));
        assert!(answer.body.contains(word), "{}", answer.body);
    }
}

#[test]
fn games_are_counted_in_their_database() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let one = write(
        "one.pgn",
        "[White \"a\"]\n\n1. e4 *\n\n[White \"b\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n",
    );
    let two = write("two.pgn", "[White \"c\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n");
    let named = |path: &std::path::Path| DatabaseSpec::of_argument(path);
    let server = TestServer::of(vec![named(&one), named(&two)], |_| ());
    let places = |body: &Value| -> Vec<(String, u64)> {
        let lines = server.search(body);
        let place = |line: &&Value| {
            (line["database"].as_str().unwrap().to_owned(), line["game"].as_u64().unwrap())
        };
        of_type(&lines, "match").iter().map(place).collect()
    };
    let all = places(&json!({"query": "mate"}));
    assert_eq!(all, [("one".to_owned(), 2), ("two".to_owned(), 1)]);
    assert_eq!(
        places(&json!({"query": "mate", "databases": ["two", "one"]})),
        [all[1].clone(), all[0].clone()]
    );
    assert_eq!(places(&json!({"query": "mate", "databases": ["two"]})), [all[1].clone()]);
    let game = server.get("/api/games/two/1").json();
    assert_eq!((&game["tags"]["White"], &game["game"]), (&json!("c"), &json!(1)));
    for body in [json!(["two", "two"]), json!([])] {
        let answer = server.post("search", &json!({"query": "mate", "databases": body}));
        assert_eq!(answer.code(), "request");
    }
    let answer = server.post("search", &json!({"query": "mate", "databases": ["three"]}));
    assert_eq!((answer.status, answer.code().as_str()), (404, "database"));
}

#[test]
fn a_game_has_its_positions() {
    let server = TestServer::start(|_| ());
    let game = server.get("/api/games/masters-2k/17").json();
    assert_eq!(game["game"], 17);
    let moves = game["moves"].as_array().unwrap();
    assert!(moves[0]["fen"].as_str().unwrap().starts_with("rnbqkbnr/pppppppp/"));
    assert_eq!(
        (&moves[1]["id"], &moves[1]["parent"], &moves[1]["ply"]),
        (&json!(1), &json!(0), &json!(1))
    );
    assert!(moves[1]["san"].is_string() && moves[1]["from"].is_string());
    assert!(game["pgn"].as_str().unwrap().starts_with("[Event "));
    for (path, code) in [
        ("masters-2k/0", "game"),
        ("masters-2k/2001", "game"),
        ("masters-2k/x", "game"),
        ("masters/1", "database"),
        ("masters-2k/99999999999999999999", "game"),
    ] {
        let answer = server.get(&format!("/api/games/{path}"));
        assert_eq!((answer.status, answer.code().as_str()), (404, code), "{path}");
    }
}

#[test]
fn why_has_the_filters() {
    let server = TestServer::start(|_| ());
    let ask = |ply: Value| {
        let body = json!({"query": "check mate", "database": "masters-2k", "game": 17, "ply": ply});
        server.post("why", &body)
    };
    let answer = ask(Value::Null).json();
    assert_eq!(answer["filters"], json!(["check", "mate"]));
    assert_eq!(answer["game"]["input"], "masters-2k.pgn");
    assert_eq!(ask(json!(3)).json()["why"]["trace"]["position"], 3);
    let late = ask(json!(9999));
    assert_eq!((late.status, late.code().as_str()), (404, "game"));
    let body = json!({"query": "assert false", "database": "masters-2k", "game": 1});
    let answer = server.post("why", &body);
    assert_eq!((answer.status, answer.code().as_str()), (400, "runtime"));
}

/// A game of a table is found without the games before it. The answers are the same.
#[test]
fn a_game_of_a_table_is_the_game_of_its_text() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table.arrow");
    let inputs = Input::expand(masters()).unwrap();
    pack(&inputs, &table, Compression::None, &Settings::default(), &mut Silent).unwrap();
    // A folder with two tables is one database.
    let both = folder.path().join("both");
    std::fs::create_dir(&both).unwrap();
    for name in ["a.arrow", "b.arrow"] {
        std::fs::copy(&table, both.join(name)).unwrap();
    }
    let databases = [masters(), table, both].map(|path| DatabaseSpec::of_argument(&path));
    let server = TestServer::of(databases.to_vec(), |_| ());
    for number in [1, 17, 65, 1000, 2000] {
        let game = server.get(&format!("/api/games/masters-2k/{number}")).json();
        assert_eq!(server.get(&format!("/api/games/table/{number}")).json(), game);
        let second = number + 2000;
        let mut in_both = server.get(&format!("/api/games/both/{second}")).json();
        assert_eq!(in_both["game"], second);
        in_both["game"] = json!(number);
        assert_eq!(in_both, game);
        for (ply, query) in [(Value::Null, "check mate"), (json!(3), "cql(variations) check")] {
            let ask = |database: &str| {
                let body =
                    json!({"query": query, "database": database, "game": number, "ply": ply});
                server.post("why", &body).json()
            };
            assert_eq!(ask("table"), ask("masters-2k"), "{number} {query}");
        }
    }
    let answer = server.get("/api/games/both/4001");
    assert_eq!((answer.status, answer.code().as_str()), (404, "game"));
    let lines = server.search(&json!({"query": "mate", "databases": ["both"]}));
    assert!(of_type(&lines, "match").last().unwrap()["game"].as_u64() > Some(2000));
}

#[test]
fn groups_are_a_table() {
    let server = TestServer::start(|_| ());
    let answer = server.post("group", &json!({"query": "mate", "by": ["result", "eco:1"]})).json();
    assert_eq!(answer["columns"][2], "games");
    let games: u64 =
        answer["rows"].as_array().unwrap().iter().filter_map(|row| row[2].as_u64()).sum();
    let matches = server.search(&json!({"query": "mate"})).last().unwrap()["matches"].as_u64();
    assert_eq!(Some(games), matches);
    // The opening explorer: by moves without numbers, the most games first.
    let answer = server.post("group", &json!({"query": "btm Pe4 ply == 1", "by": ["next"]})).json();
    let at = |name: &str| {
        answer["columns"].as_array().unwrap().iter().position(|column| column == name).unwrap()
    };
    assert_eq!((at("next"), at("performance")), (0, 8));
    let rows = answer["rows"].as_array().unwrap();
    let counts: Vec<u64> = rows.iter().map(|row| row[at("games")].as_u64().unwrap()).collect();
    assert!(counts.is_sorted_by(|one, next| one >= next) && counts.len() > 5, "{counts:?}");
    assert!(rows.iter().any(|row| row[0] == "e5") && rows.iter().any(|row| row[0] == "c5"));
    let some = server.post("group", &json!({"query": "mate", "by": ["year"], "limit": 5})).json();
    let games: u64 =
        some["rows"].as_array().unwrap().iter().filter_map(|row| row[1].as_u64()).sum();
    assert_eq!(games, 5);
    for by in [json!(["yaer"]), json!([]), json!(["year", "year"])] {
        let answer = server.post("group", &json!({"query": "mate", "by": by}));
        assert_eq!((answer.status, answer.code().as_str()), (400, "request"), "{by}");
    }
    let answer = server.post("group", &json!({"query": "mate"}));
    assert!(answer.body.contains("the field `by` is missing"), "{}", answer.body);
}

#[test]
fn groups_tell_what_they_do_not_count() {
    let server = TestServer::start(|_| ());
    let counted = |query: &str| {
        let table = server.post("group", &json!({"query": query, "by": ["result"]})).json();
        let rows = table["rows"].as_array().unwrap();
        let games: u64 = rows.iter().filter_map(|row| row[1].as_u64()).sum();
        (games, table["messages"].clone())
    };
    let (mates, messages) = counted("mate");
    assert!(messages.is_null(), "{messages}");
    // Game 17 ends with a mate.
    let (games, messages) = counted(FAILS_IN_17);
    assert_eq!((games, messages.as_array().unwrap().len()), (mates - 1, 1));
    assert!(messages[0].as_str().unwrap().starts_with("masters-2k, game 17: "), "{messages}");
    // Too many steps end the count, as they end a search.
    let endless = "if (gamenumber == 17) {while (true) true} else mate";
    let answer = server.post("group", &json!({"query": endless, "by": ["result"]}));
    assert_eq!((answer.status, answer.code().as_str()), (400, "runtime"));
    assert!(answer.body.contains("masters-2k, game 17: ") && answer.body.contains("steps"));
}

/// The answer names the first hundred games in which a query fails, and then says how many more
/// there are.
#[test]
fn errors_beyond_the_first_ones_are_counted() {
    let server = TestServer::start(|_| ());
    let query = "if (gamenumber <= 103) {x = \"a\" while (ply < 9999) x += x} else false";
    let more = "the query fails in 3 more games";
    let lines = server.search(&json!({"query": query}));
    let messages = of_type(&lines, "message");
    assert_eq!((messages.len(), &messages[100]["text"]), (101, &json!(more)));
    let table = server.post("group", &json!({"query": query, "by": ["year"]})).json();
    let messages = table["messages"].as_array().unwrap();
    assert_eq!((messages.len(), &messages[100]), (101, &json!(more)));
}

#[test]
fn the_calls_of_an_editor() {
    let server = TestServer::start(|_| ());
    let answer = server.post("check", &json!({"query": "mate adn check"})).json();
    let fix = &answer["diagnostics"][0]["fixes"][0];
    assert_eq!((&answer["dialect"], &fix["edits"][0]["span"]), (&json!("cqli"), &json!([5, 8])));
    assert_eq!(server.post("format", &json!({"query": "flip{K}"})).json()["text"], "flip { K }\n");
    let text = server.post("convert", &json!({"query": "R", "to": "unicode"})).json();
    assert_eq!(text["text"], "♖");
    let sentences = server.post("explain", &json!({"query": "mate"})).json()["sentences"].clone();
    assert!(!sentences.as_array().unwrap().is_empty());
}

#[test]
fn what_a_query_says_is_told() {
    let server = TestServer::start(|_| ());
    let query = "cql(input a.pgn output b.pgn) mate message(\"hello\")";
    let lines = server.search(&json!({"query": query, "limit": 1}));
    let texts: Vec<_> =
        of_type(&lines, "message").iter().map(|line| line["text"].as_str().unwrap()).collect();
    assert!(texts[0].contains("the input `a.pgn` of the query has no effect"), "{texts:?}");
    assert!(
        texts[1].contains("the output `b.pgn`")
            && texts[2..].iter().any(|text| text.contains("hello"))
    );
    // Each game has its messages, without a match, too.
    let lines = server.search(&json!({"query": "ply == 1 message(\"at \" ply) false", "limit": 5}));
    let games: Vec<_> =
        of_type(&lines, "message").iter().map(|line| line["game"].as_u64()).collect();
    assert_eq!(games, (1..=2000).map(Some).collect::<Vec<_>>());
    let lines = server.search(&json!({"query": "assert mate"}));
    let last = lines.last().unwrap();
    assert_eq!((&last["type"], &last["code"]), (&json!("error"), &json!("runtime")));
}

#[test]
fn damaged_games_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    std::fs::write(&path, "[White \"a\"]\n\n1. e4 e5 2. Ke9 *\n").unwrap();
    let server = TestServer::of(vec![DatabaseSpec::of_argument(&path)], |_| ());
    let lines = server.search(&json!({"query": "ply == 2"}));
    let damaged = of_type(&lines, "damaged");
    assert_eq!(
        (damaged.len(), &damaged[0]["game"], &damaged[0]["line"]),
        (1, &json!(1), &json!(3))
    );
    assert_eq!((&damaged[0]["text"], &damaged[0]["database"]), (&json!("Ke9"), &json!("a")));
}

#[test]
fn sorted_matches_come_in_their_order() {
    let server = TestServer::start(|_| ());
    let lines = server.search(&json!({"query": "mate sort \"plies\" ply"}));
    let plies: Vec<_> = of_type(&lines, "match")
        .iter()
        .map(|line| line["sort"][0]["value"].as_i64().unwrap())
        .collect();
    assert!(plies.len() > 5 && plies.is_sorted_by(|one, other| one >= other), "{plies:?}");
}

#[test]
fn the_page_comes_from_the_binary() {
    let server = TestServer::start(|_| ());
    let page = server.get("/");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(page.header("content-security-policy").unwrap().contains("script-src 'self'"));
    assert_eq!(page.body, server.get("/index.html").body);
    let tag = page.header("etag").unwrap();
    assert_eq!(server.get_with("/", &format!("if-none-match: {tag}\r\n")).status, 304);
    for path in
        ["/nothing.js", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "/api/nothing", "//etc/passwd"]
    {
        let answer = server.get(path);
        assert_eq!((answer.status, answer.code().as_str()), (404, "path"), "{path}");
    }
    assert_eq!(server.get("/healthz").body, "ok\n");
}
