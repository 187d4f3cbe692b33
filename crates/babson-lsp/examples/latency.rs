//! Measures how long the language server takes for each request (benches/README.md).
//!
//! ```text
//! cargo run --release -p babson-lsp --example latency -- target/release/babson-lsp
//! ```

#[path = "../tests/common/mod.rs"]
mod common;

use std::path::Path;
use std::time::{Duration, Instant};

use common::{Client, UNTITLED, long_query, position, root};
use serde_json::{Value, json};

/// Rounds of each request. Each begins with a change of the text, as an editor's does.
const ROUNDS: usize = 21;

fn main() {
    let server = std::env::args().nth(1).expect("the path of the server");
    let short = std::fs::read_to_string(root().join("benches/check-200.cql")).expect("a query");
    for (name, text) in [("200 lines", short), ("5,000 lines", long_query(5000))] {
        println!("| {name}, {} bytes | median ms | worst ms |", text.len());
        println!("| --- | --- | --- |");
        measure(Path::new(&server), &text);
        println!();
    }
}

fn measure(server: &Path, text: &str) {
    let able = json!({"capabilities": {"textDocument": {
        "diagnostic": {},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
    }}});
    let mut client = Client::ready(server, able);
    client.open(UNTITLED, text);
    let mut half = text.len() / 2;
    while !text.is_char_boundary(half) {
        half -= 1;
    }
    // A name in the middle of the text.
    let word = text[half..].find(" = ").map_or(half, |at| half + at);
    let place = position(text, word);
    let whole = json!({"start": {"line": 0, "character": 0}, "end": position(text, text.len())});
    let document = json!({"uri": UNTITLED});
    let at = json!({"textDocument": document, "position": place});
    let of = json!({"textDocument": document});
    let here = json!({"start": place, "end": place});
    let options = json!({"tabSize": 2, "insertSpaces": true});
    let requests: Vec<(&str, Value)> = vec![
        ("textDocument/diagnostic", of.clone()),
        ("textDocument/hover", at.clone()),
        ("textDocument/completion", at.clone()),
        ("textDocument/signatureHelp", at.clone()),
        ("textDocument/inlayHint", json!({"textDocument": document, "range": whole})),
        ("textDocument/definition", at.clone()),
        (
            "textDocument/references",
            json!({
                "textDocument": document,
                "position": place,
                "context": {"includeDeclaration": true},
            }),
        ),
        ("textDocument/documentHighlight", at.clone()),
        ("textDocument/prepareRename", at.clone()),
        (
            "textDocument/rename",
            json!({"textDocument": document, "position": place, "newName": "another_name"}),
        ),
        ("textDocument/semanticTokens/full", of.clone()),
        ("textDocument/foldingRange", of.clone()),
        ("textDocument/selectionRange", json!({"textDocument": document, "positions": [place]})),
        ("textDocument/documentSymbol", of.clone()),
        ("textDocument/formatting", json!({"textDocument": document, "options": options})),
        (
            "textDocument/codeAction",
            json!({"textDocument": document, "range": here, "context": {"diagnostics": []}}),
        ),
        ("textDocument/codeLens", of),
    ];
    let mut version = 1;
    for (method, params) in requests {
        let mut times: Vec<Duration> = Vec::new();
        for round in 0..ROUNDS {
            version += 1;
            let end = position(text, text.len());
            // One more or one less space at the end.
            let change = match round % 2 {
                0 => json!({"range": {"start": end, "end": end}, "text": " "}),
                _ => {
                    let mut after = end.clone();
                    after["character"] = json!(end["character"].as_u64().unwrap_or(0) + 1);
                    json!({"range": {"start": end, "end": after}, "text": ""})
                }
            };
            let began = Instant::now();
            client.notify(
                "textDocument/didChange",
                json!({
                    "textDocument": {"uri": UNTITLED, "version": version},
                    "contentChanges": [change],
                }),
            );
            let answer = client.request(method, params.clone());
            times.push(began.elapsed());
            if let Err(error) = answer {
                panic!("{method}: {error}");
            }
        }
        times.sort();
        let shown = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1000.0);
        let name = method.strip_prefix("textDocument/").unwrap_or(method);
        println!("| {name} | {} | {} |", shown(times[ROUNDS / 2]), shown(times[ROUNDS - 1]));
    }
    client.shut_down();
}
