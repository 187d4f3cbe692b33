//! The OpenAPI document is what the server does: its calls, the fields of bodies, the forms of
//! answers.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::client::{FAILS_IN_17, TestServer};

fn document() -> Value {
    serde_json::from_str(include_str!("../../openapi.json")).unwrap()
}

/// Each call of the document, with its method.
fn calls(document: &Value) -> Vec<(String, String, Value)> {
    let paths = document["paths"].as_object().unwrap();
    let of_path = |(path, methods): (&String, &Value)| {
        let methods = methods.as_object().unwrap().clone();
        let path = path.clone();
        methods.into_iter().map(move |(method, call)| (path.clone(), method, call))
    };
    paths.iter().flat_map(of_path).collect()
}

/// What a value has against a schema.
fn faults(document: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap();
        return faults(document, &document["components"]["schemas"][name], value, at);
    }
    if let Some(one_of) = schema["oneOf"].as_array() {
        let all: Vec<_> = one_of.iter().map(|one| faults(document, one, value, at)).collect();
        let fitting = all.iter().filter(|faults| faults.is_empty()).count();
        return if fitting == 1 {
            Vec::new()
        } else {
            vec![format!("{at}: {fitting} forms: {all:?}")]
        };
    }
    let mut found = Vec::new();
    let constant = schema.get("const").map(std::slice::from_ref);
    if let Some(allowed) = constant.or_else(|| schema["enum"].as_array().map(Vec::as_slice))
        && !allowed.contains(value)
    {
        found.push(format!("{at}: {value} is not one of {allowed:?}"));
    }
    let has_type = |name: &Value| match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        name => panic!("unknown type {name}"),
    };
    let types = match &schema["type"] {
        Value::Null => Vec::new(),
        Value::Array(types) => types.clone(),
        one => vec![one.clone()],
    };
    if !types.is_empty() && !types.iter().any(has_type) {
        found.push(format!("{at}: {value} is not of type {types:?}"));
    }
    if let (Some(object), Some(properties)) = (value.as_object(), schema["properties"].as_object())
    {
        for (name, value) in object {
            match properties.get(name) {
                Some(schema) => {
                    found.extend(faults(document, schema, value, &format!("{at}.{name}")))
                }
                None if schema["additionalProperties"] == json!(false) => {
                    found.push(format!("{at}.{name} is not described"));
                }
                None => {}
            }
        }
        for name in schema["required"].as_array().into_iter().flatten() {
            if !object.contains_key(name.as_str().unwrap()) {
                found.push(format!("{at}: {name} is missing"));
            }
        }
    }
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        found.extend(faults(document, &schema["items"], item, &format!("{at}[{index}]")));
    }
    found
}

#[test]
fn the_document_has_the_calls_of_the_server() {
    let server = TestServer::start(|_| ());
    let document = document();
    assert_eq!(server.get("/api/openapi.json").json(), document);
    for (path, method, _) in calls(&document) {
        let path = path.replace("{database}", "masters-2k").replace("{game}", "1");
        let (one, other) = match method.as_str() {
            "get" => (server.get(&path), server.raw(request("POST", &path).as_bytes())),
            _ => (server.raw(request("POST", &path).as_bytes()), server.get(&path)),
        };
        assert!(![404, 405].contains(&one.status), "{method} {path}: {one:?}");
        assert_eq!((other.status, other.code().as_str()), (405, "method"), "not {method} {path}");
        assert!(other.header("allow").unwrap().to_lowercase().contains(&method));
    }
    // The other way around: what the server counts as a call is in the document.
    let names: BTreeSet<String> = calls(&document).into_iter().map(|(path, ..)| path).collect();
    for call in babson_serve::call_paths() {
        assert!(names.contains(&call), "{call} is not in the document");
    }
    assert_eq!(names.len(), babson_serve::call_paths().len());
}

fn request(method: &str, path: &str) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
    )
}

/// A call takes the fields that the document has: the error of an unknown field names them all.
#[test]
fn the_document_has_the_fields_of_bodies() {
    let server = TestServer::start(|_| ());
    let document = document();
    let mut bodies = 0;
    for (path, _, call) in calls(&document) {
        let Some(name) =
            call["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str()
        else {
            continue;
        };
        let schema = &document["components"]["schemas"][name.rsplit('/').next().unwrap()];
        let call = path.strip_prefix("/api/").unwrap();
        let answer = server.post(call, &json!({"query": "mate", "zzz": 1}));
        assert_eq!((answer.status, answer.code().as_str()), (400, "request"));
        let message = answer.json()["error"]["message"].as_str().unwrap().to_owned();
        let (_, named) = message.split_once("its fields are").unwrap();
        let fields: BTreeSet<&str> = named.split('`').skip(1).step_by(2).collect();
        let described = schema["properties"].as_object().unwrap().keys();
        assert_eq!(fields, described.map(String::as_str).collect(), "{call}");
        // Without a field that the document requires, the call says so.
        for required in schema["required"].as_array().unwrap() {
            let mut body = json!({"query": "mate", "by": ["year"], "to": "ascii", "database": "m", "game": 1, "offset": 1});
            body.as_object_mut().unwrap().retain(|key, _| {
                key != required.as_str().unwrap() && schema["properties"].get(key).is_some()
            });
            let answer = server.post(call, &body);
            assert!(
                answer.body.contains(&format!("field `{}` is missing", required.as_str().unwrap())),
                "{answer:?}"
            );
        }
        bodies += 1;
    }
    assert_eq!(bodies, 9);
}

#[test]
fn answers_have_the_forms_of_the_document() {
    let server = TestServer::start(|_| ());
    let document = document();
    let old = "(match (position :mate))";
    let samples = [
        ("check", json!({"query": "mate adn check"})),
        ("check", json!({"query": "wtm btm"})),
        ("check", json!({"query": "import \"motifs\" smotheredmate(1)"})),
        ("check", json!({"query": "cql(dialect cql9) mate"})),
        ("format", json!({"query": "mate"})),
        ("convert", json!({"query": old, "to": "modern"})),
        ("explain", json!({"query": "mate"})),
        ("why", json!({"query": "mate", "database": "masters-2k", "game": 5})),
        ("group", json!({"query": "mate", "by": ["result", "white", "year"]})),
        ("search", json!({"query": "mate message(\"x\")", "limit": 20, "games": true})),
        ("search", json!({"query": "mate", "limit": 2, "columns": ["white", "elo:white", "ply"]})),
        ("search", json!({"query": "while (true) true"})),
        ("complete", json!({"query": "ma", "offset": 2})),
        ("hover", json!({"query": "mate", "offset": 2})),
        ("hover", json!({"query": "   ", "offset": 1})),
        ("group", json!({"query": "gamenumber==17 while (true) true", "by": ["year"]})),
        ("group", json!({"query": FAILS_IN_17, "by": ["year"]})),
    ];
    for (call, body) in samples {
        let answer = server.post(call, &body);
        let responses = &document["paths"][format!("/api/{call}")]["post"]["responses"];
        let content = &responses[answer.status.to_string()]["content"];
        let (content_type, media) = content.as_object().unwrap().iter().next().unwrap();
        let values = if content_type == "application/x-ndjson" {
            answer.lines()
        } else {
            vec![answer.json()]
        };
        for value in values {
            let found = faults(&document, &media["schema"], &value, call);
            assert!(found.is_empty(), "{body}: {found:#?}");
        }
    }
    for path in ["/api/databases", "/api/games/masters-2k/3"] {
        let described = path.replace("masters-2k/3", "{database}/{game}");
        let schema =
            &document["paths"][described]["get"]["responses"]["200"]["content"]["application/json"];
        let found = faults(&document, &schema["schema"], &server.get(path).json(), path);
        assert!(found.is_empty(), "{found:#?}");
    }
}

/// Each error has the form of the document, and a status that the document gives the call.
#[test]
fn errors_have_the_form_of_the_document() {
    let server = TestServer::start(|config| config.token = Some("secret".to_owned()));
    let document = document();
    let answer = server.get("/api/databases");
    let schema = &document["paths"]["/api/databases"]["get"]["responses"]["401"]["content"];
    let found = faults(&document, &schema["application/json"]["schema"], &answer.json(), "401");
    assert!(answer.status == 401 && found.is_empty(), "{found:?}");
    let wrong = json!({"error": {"code": "none", "message": 1}});
    let schema = &schema["application/json"]["schema"];
    assert_eq!(faults(&document, schema, &wrong, "").len(), 2);
    assert_eq!(faults(&document, schema, &json!({"x": 1}), "").len(), 2);
}
