//! The law of the bodies of requests: see docs/src/testing.md#laws.

use babson_api::{
    CheckRequest, CompleteRequest, ConvertRequest, ExplainRequest, FormatRequest, GroupRequest,
    HoverRequest, SearchRequest, TextCall, WhyRequest, body,
};
use babson_arbitrary::{Choices, check_law, query};
use serde_json::{Value, json};

/// Every call answers with JSON, or with an error that says something.
fn holds_for_body(text: &str) {
    for call in TextCall::ALL {
        match call.answer(text) {
            Ok(answer) => {
                let answer: Value = serde_json::from_str(&answer).expect("JSON");
                // Of some places nothing is known.
                assert!(answer.is_object() || answer.is_null(), "{answer}");
            }
            Err(error) => {
                assert!((400..500).contains(&error.code.status()), "{}", error.message);
                assert!(!error.message.is_empty());
            }
        }
    }
    let _ = body::<CheckRequest>(text);
    let _ = body::<CompleteRequest>(text);
    let _ = body::<ConvertRequest>(text);
    let _ = body::<ExplainRequest>(text);
    let _ = body::<FormatRequest>(text);
    let _ = body::<HoverRequest>(text);
    let _ = body::<GroupRequest>(text);
    let _ = body::<SearchRequest>(text);
    let _ = body::<WhyRequest>(text);
}

#[test]
fn api_text() {
    check_law!("api_text", 1000, |bytes| holds_for_body(&String::from_utf8_lossy(bytes)));
}

/// Bodies with the fields of requests, whose values are right or of any other type.
#[test]
fn api_bodies() {
    check_law!("api_bodies", 500, |bytes| {
        let mut choices = Choices::new(bytes);
        let names = choices.choose(&FIELDS);
        let mut fields = serde_json::Map::new();
        for name in names {
            if !choices.one_in(8) {
                fields.insert((*name).to_owned(), value(name, &mut choices, 3));
            }
        }
        if choices.one_in(8) {
            fields.insert("qery".to_owned(), json!(1));
        }
        holds_for_body(&Value::Object(fields).to_string());
    });
}

/// The fields of the requests.
const FIELDS: [&[&str]; 5] = [
    &["query", "dialect"],
    &["query", "offset", "dialect"],
    &["query", "to", "dialect"],
    &["query", "by", "dialect", "databases", "limit", "games"],
    &["query", "database", "game", "ply", "dialect"],
];

/// A value that a field may have, or one of another type.
fn value(name: &str, choices: &mut Choices<'_>, depth: usize) -> Value {
    match choices.below(8) {
        0..4 => match name {
            "query" => json!(query(choices)),
            "dialect" => json!(choices.choose(&["cqli", "cql6", "cql3", ""])),
            "offset" | "limit" | "game" | "ply" => json!(choices.below(300)),
            "to" => json!(choices.choose(&["unicode", "ascii", "modern", "cql6"])),
            "games" => json!(choices.one_in(2)),
            _ => json!(choices.choose(&["year", "white", "1. e4 *", "games.pgn"])),
        },
        4 => Value::Null,
        5 => json!(choices.below(1 << 20) as f64 - 0.5),
        6 if depth > 0 => json!([value(name, choices, depth - 1), value(name, choices, depth - 1)]),
        7 if depth > 0 => json!({name: value(name, choices, depth - 1), "query": 3}),
        _ => json!("é\u{0}\u{202e}"),
    }
}
