//! The law of the messages of a client: see docs/src/testing.md#laws.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use babson_arbitrary::{Choices, check_law, query};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

/// How long an answer may take: far longer than any takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

const DOCUMENTS: [&str; 3] = ["untitled:a.cql", "file:///nowhere/b.cql", "nonsense"];

/// Requests about a document.
const REQUESTS: [&str; 20] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/documentSymbol",
    "textDocument/formatting",
    "textDocument/rangeFormatting",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/range",
    "textDocument/foldingRange",
    "textDocument/selectionRange",
    "textDocument/inlayHint",
    "textDocument/signatureHelp",
    "textDocument/diagnostic",
    "workspace/symbol",
];

/// Every request of a client is answered once, whatever it asks, and the server ends when it is
/// asked to.
#[test]
fn lsp_messages() {
    check_law!("lsp_messages", 120, |bytes| {
        let mut choices = Choices::new(bytes);
        let (server, client) = Connection::memory();
        let server = thread::spawn(move || crate::server::run(server));
        let (sender, receiver) = (client.sender.clone(), client.receiver.clone());
        let (answer, answers) = mpsc::channel();
        let reader = thread::spawn(move || {
            for message in receiver {
                match message {
                    Message::Response(response) => drop(answer.send(response.id)),
                    Message::Request(request) => {
                        // A server that is ending takes no answer.
                        let answer = Response::new_ok(request.id, Value::Null);
                        let _ = sender.send(answer.into());
                    }
                    Message::Notification(_) => {}
                }
            }
        });
        let mut asked = 0;
        let mut request = |method: &str, params| {
            asked += 1;
            let request = Request::new(RequestId::from(asked), method.to_owned(), params);
            client.sender.send(request.into()).expect("a server");
        };
        let notify = |method: &str, params| {
            let notification = Notification::new(method.to_owned(), params);
            client.sender.send(notification.into()).expect("a server");
        };
        request("initialize", json!({"capabilities": {}}));
        notify("initialized", json!({}));
        while !choices.is_over() {
            let document = json!({"uri": choices.choose(&DOCUMENTS)});
            match choices.below(6) {
                0 => {
                    let text = query(&mut choices);
                    let document = json!({
                        "uri": document["uri"], "languageId": "cql", "version": 1, "text": text,
                    });
                    notify("textDocument/didOpen", json!({"textDocument": document}));
                }
                1 => {
                    let change = match choices.below(3) {
                        0 => json!({"text": query(&mut choices)}),
                        1 => json!({"range": range(&mut choices), "text": query(&mut choices)}),
                        _ => json!({"range": range(&mut choices), "text": "é\u{1f600}\r\n"}),
                    };
                    let document = json!({"uri": document["uri"], "version": choices.below(9)});
                    let params = json!({"textDocument": document, "contentChanges": [change]});
                    notify("textDocument/didChange", params);
                }
                2 => notify("textDocument/didClose", json!({"textDocument": document})),
                3 => {
                    let id = choices.below(20);
                    notify("$/cancelRequest", json!({"id": id}));
                }
                _ => {
                    let params = json!({
                        "textDocument": document,
                        "position": position(&mut choices),
                        "positions": [position(&mut choices)],
                        "range": range(&mut choices),
                        "context": {"diagnostics": [], "includeDeclaration": true},
                        "options": {"tabSize": 4, "insertSpaces": true},
                        "newName": choices.choose(&["x", "check", "", "é", "x y"]),
                        "query": "x",
                    });
                    request(choices.choose(&REQUESTS), params);
                }
            }
        }
        request("shutdown", Value::Null);
        let mut answered: Vec<RequestId> =
            (0..asked).map(|_| answers.recv_timeout(PATIENCE).expect("an answer")).collect();
        answered.sort();
        let expected: Vec<RequestId> = (1..=asked).map(RequestId::from).collect();
        assert_eq!(answered, expected);
        notify("exit", Value::Null);
        server.join().expect("no panic").expect("an orderly end");
        drop(client);
        reader.join().expect("no panic");
        assert!(answers.recv().is_err(), "a second answer");
    });
}

fn position(choices: &mut Choices<'_>) -> Value {
    let odd = [0, 1, 2, 3, 5, 8, 13, 21, 40, 100, u32::MAX];
    json!({"line": choices.choose(&odd[..4]), "character": choices.choose(&odd)})
}

fn range(choices: &mut Choices<'_>) -> Value {
    json!({"start": position(choices), "end": position(choices)})
}
