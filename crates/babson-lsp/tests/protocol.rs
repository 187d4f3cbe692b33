//! The life of a server: what a client may send when, and how both end.

mod common;

use std::path::Path;

use common::{Client, UNTITLED, long_query};
use serde_json::{Value, json};

fn server() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_babson-lsp"))
}

fn code(answer: Result<Value, Value>) -> i64 {
    answer.expect_err("an error")["code"].as_i64().expect("a code")
}

#[test]
fn requests_before_initialize_are_refused() {
    let mut client = Client::start(server());
    let hover = json!({
        "textDocument": {"uri": UNTITLED},
        "position": {"line": 0, "character": 0},
    });
    assert_eq!(code(client.request("textDocument/hover", hover)), -32002);
    client.notify("textDocument/didOpen", json!({}));
    // Nobody has asked.
    client.send(&json!({"jsonrpc": "2.0", "id": 7, "result": null}));
    let answer = client.initialize(json!({})).expect("an answer");
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(answer["serverInfo"]["name"], "babson");
    client.notify("initialized", json!({}));
    client.shut_down();
}

#[test]
fn wrong_messages_get_errors() {
    let mut client = Client::ready(server(), json!({}));
    assert_eq!(code(client.request("textDocument/nosuch", json!({}))), -32601);
    assert_eq!(code(client.request("textDocument/hover", json!({"textDocument": 3}))), -32602);
    // The document is not open.
    let params =
        json!({"textDocument": {"uri": UNTITLED}, "position": {"line": 0, "character": 0}});
    assert_eq!(code(client.request("textDocument/hover", params)), -32602);
    let command = json!({"command": "babson.nosuch", "arguments": []});
    assert_eq!(code(client.request("workspace/executeCommand", command)), -32602);
    // Unknown notifications and wrong ones change nothing.
    client.notify("$/nosuch", json!({}));
    client.notify("textDocument/didChange", json!({"textDocument": 7}));
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": "untitled:other"}}));
    client.open(UNTITLED, "mate");
    let hover = client.at("textDocument/hover", UNTITLED, 0, 1);
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("mate")));
    client.shut_down();
}

/// A notification has no answer, so that the log has what is wrong with it.
#[test]
fn notifications_that_cannot_be_read_are_logged() {
    let mut client = Client::ready(server(), json!({}));
    client.open(UNTITLED, "mate");
    client.notify("textDocument/didOpen", json!({"textDocument": 7}));
    let log = client.wait_for("window/logMessage")["params"]["message"].to_string();
    assert!(log.contains("cannot read `textDocument/didOpen`: "), "{log}");
    // Without this change the server and the client have different texts.
    let change = json!({
        "textDocument": {"uri": UNTITLED, "version": 2},
        "contentChanges": [{"range": 3, "text": "check"}],
    });
    client.notify("textDocument/didChange", change);
    let log = client.wait_for("window/logMessage")["params"]["message"].to_string();
    assert!(log.contains("cannot read `textDocument/didChange`: "), "{log}");
    let log = client.wait_for("window/logMessage")["params"]["message"].to_string();
    assert!(log.contains(UNTITLED) && log.contains("open it anew"), "{log}");
    let params =
        json!({"textDocument": {"uri": UNTITLED}, "position": {"line": 0, "character": 0}});
    let error = client.request("textDocument/hover", params).unwrap_err();
    assert!(error["message"].as_str().unwrap().contains("is not open"), "{error}");
    client.open(UNTITLED, "check");
    let hover = client.at("textDocument/hover", UNTITLED, 0, 1);
    assert!(hover["contents"]["value"].as_str().unwrap().contains("check"), "{hover}");
    client.shut_down();
}

#[test]
fn after_shutdown_only_exit_is_left() {
    let mut client = Client::ready(server(), json!({}));
    assert_eq!(client.request("shutdown", Value::Null), Ok(Value::Null));
    assert_eq!(code(client.request("shutdown", Value::Null)), -32600);
    client.notify("exit", Value::Null);
    assert_eq!(client.wait_for_end().code(), Some(0));
}

#[test]
fn exit_without_shutdown_is_a_failure() {
    let mut client = Client::ready(server(), json!({}));
    client.notify("exit", Value::Null);
    assert_eq!(client.wait_for_end().code(), Some(1));
    let mut early = Client::start(server());
    early.notify("exit", Value::Null);
    assert_eq!(early.wait_for_end().code(), Some(1));
}

#[test]
fn a_server_ends_with_its_client() {
    for is_ready in [true, false] {
        let mut client = match is_ready {
            true => Client::ready(server(), json!({})),
            false => Client::start(server()),
        };
        client.close_input();
        assert_eq!(client.wait_for_end().code(), Some(1));
        assert!(client.errors().contains("went away"));
    }
}

/// Another process may keep the input open.
#[cfg(unix)]
#[test]
fn a_server_ends_with_the_process_of_its_client() {
    let mut dead = std::process::Command::new("true").spawn().expect("a process");
    dead.wait().expect("its end");
    let mut client = Client::ready(server(), json!({"processId": dead.id()}));
    assert_eq!(client.wait_for_end().code(), Some(1));
    assert!(client.errors().contains("the process of the client has ended"));
}

#[test]
fn a_wrong_initialize_can_be_repeated() {
    let mut client = Client::start(server());
    let wrong = client.request("initialize", json!({"capabilities": 7}));
    assert_eq!(code(wrong), -32602);
    assert!(client.initialize(json!({})).is_ok());
    client.shut_down();
}

#[test]
fn a_body_that_is_not_a_message_is_refused() {
    let mut client = Client::ready(server(), json!({}));
    let mut refused = |body: &str, code: i64| {
        client.write_bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
        let answer = client.next_message();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(code)));
    };
    refused("hello", -32700);
    refused("[1, 2]", -32600);
    refused(r#"{"jsonrpc": "2.0", "id": [1], "method": "shutdown"}"#, -32600);
    // The server goes on.
    client.open(UNTITLED, "mate");
    assert!(client.at("textDocument/hover", UNTITLED, 0, 1).is_object());
    client.shut_down();
}

#[test]
fn what_is_not_a_message_ends_the_server() {
    for (bytes, why) in [
        ("Content-Length: 99999999999\r\n\r\n{}", "a message of 99999999999 bytes is longer"),
        ("Content-Length: -1\r\n\r\n{}", "is not a number of bytes"),
        ("Content-Type: text\r\n\r\n{}", "no `Content-Length`"),
        ("{\"jsonrpc\": \"2.0\"}\n\n", "no `Content-Length`"),
    ] {
        let mut client = Client::ready(server(), json!({}));
        client.write_bytes(bytes.as_bytes());
        let answer = client.next_message();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32700)));
        assert_eq!(client.wait_for_end().code(), Some(1));
        let errors = client.errors();
        assert!(errors.starts_with("babson-lsp: not a message of the protocol: "), "{errors}");
        assert!(errors.contains(why) && errors.lines().count() == 1, "{errors}");
    }
}

#[test]
fn what_is_not_a_message_is_told_after_shutdown_too() {
    let mut client = Client::ready(server(), json!({}));
    assert_eq!(client.request("shutdown", Value::Null), Ok(Value::Null));
    client.write_bytes(b"Content-Length: -1\r\n\r\n");
    assert_eq!(client.wait_for_end().code(), Some(1));
    let errors = client.errors();
    assert!(errors.contains("is not a number of bytes"), "{errors}");
}

#[test]
fn a_message_without_its_end_ends_the_server() {
    for is_ready in [true, false] {
        let mut client = match is_ready {
            true => Client::ready(server(), json!({})),
            false => Client::start(server()),
        };
        client.write_bytes(b"Content-Length: 60000000\r\n\r\n{\"jsonrpc\"");
        client.close_input();
        assert_eq!(client.wait_for_end().code(), Some(1));
        let errors = client.errors();
        assert!(errors.contains("ends after 10 of 60000000 bytes of a message"), "{errors}");
    }
}

#[test]
fn stale_and_cancelled_requests_end_at_once() {
    let mut client = Client::ready(server(), json!({}));
    client.open(UNTITLED, &long_query(3000));
    let params = json!({"textDocument": {"uri": UNTITLED}});
    let many: Vec<i64> =
        (0..20).map(|_| client.ask("textDocument/documentSymbol", params.clone())).collect();
    let last = many[many.len() - 1];
    client.notify("$/cancelRequest", json!({"id": last}));
    assert_eq!(code(client.answer(last)), -32800);
    let change = json!({
        "textDocument": {"uri": UNTITLED, "version": 2},
        "contentChanges": [{"text": "mate"}],
    });
    client.notify("textDocument/didChange", change);
    let stale = many[..many.len() - 1].iter().filter(|&&id| match client.answer(id) {
        Ok(_) => false,
        Err(error) => {
            assert_eq!(error["code"], -32801);
            true
        }
    });
    assert!(stale.count() > 0);
    // The answers of requests that were sent later are about the new text.
    assert_eq!(client.of("textDocument/documentSymbol", UNTITLED), json!([]));
    client.shut_down();
}

#[test]
fn positions_are_counted_as_the_client_counts() {
    let text = "♕ attacks ♚ // ♔\r\nx = #♕ x > 1\r\n";
    for (encodings, column) in [(json!(["utf-16"]), 7), (json!(["utf-8", "utf-16"]), 9)] {
        let general = json!({"general": {"positionEncodings": encodings}});
        let mut client = Client::ready(server(), json!({"capabilities": general}));
        client.open(UNTITLED, text);
        let found = client.at("textDocument/definition", UNTITLED, 1, column);
        let start = json!({"line": 1, "character": 0});
        assert_eq!(found["range"]["start"], start, "{found}");
        let tokens = client.of("textDocument/semanticTokens/full", UNTITLED);
        // The figurine is one unit of UTF-16 and three bytes.
        let width = if encodings[0] == "utf-8" { 3 } else { 1 };
        assert_eq!(tokens["data"][2], width);
        client.shut_down();
    }
}
