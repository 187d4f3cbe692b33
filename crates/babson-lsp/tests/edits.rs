//! Random edits: after each hundred, a server that opens the text anew answers the same.

mod common;

use std::path::Path;

use common::{Client, UNTITLED, corpus_query, position};
use serde_json::{Value, json};

fn server() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_babson-lsp"))
}

/// A generator of numbers (Knuth's MMIX).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

fn border(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// What is compared: everything that depends on the text as a whole, and some places of it.
fn answers(client: &mut Client, text: &str) -> Vec<Value> {
    let mut all = Vec::new();
    for method in [
        "textDocument/semanticTokens/full",
        "textDocument/documentSymbol",
        "textDocument/foldingRange",
        "textDocument/diagnostic",
    ] {
        all.push(client.of(method, UNTITLED));
    }
    for part in [3, 2] {
        let place = position(text, border(text, text.len() / part));
        for method in ["textDocument/hover", "textDocument/completion", "textDocument/definition"] {
            let params = json!({"textDocument": {"uri": UNTITLED}, "position": place});
            all.push(client.request(method, params).expect("an answer"));
        }
    }
    all
}

const PASTED: [&str; 12] = [
    "mate\n",
    "♕ attacks ♚ ",
    "{",
    "}",
    "(",
    ")",
    "x = #Q ",
    "\r\n",
    "\"",
    "// 𝄞\n",
    "find ",
    "[Aa]y = k ",
];

#[test]
fn edited_documents_are_like_new_ones() {
    let able = json!({"capabilities": {"textDocument": {"diagnostic": {}}}});
    let mut random = Random(7);
    let mut client = Client::ready(server(), able.clone());
    let names = ["cqli-coakley-maze.cql", "cqli-effectiveattacks.cql", "cqli-triple-loyd.cql"];
    let mut text = corpus_query(names[0]);
    client.open(UNTITLED, &text);
    let mut undo: Vec<String> = Vec::new();
    let mut version = 1;
    for number in 1..=2000 {
        let (start, end, new) = match random.below(10) {
            // A change is undone as editors undo it: by the text that was there.
            0 if !undo.is_empty() => (0, text.len(), undo.pop().expect("a text")),
            1 => (0, text.len(), corpus_query(names[random.below(names.len())])),
            2..5 => {
                let start = border(&text, random.below(text.len() + 1));
                let end = border(&text, (start + random.below(12)).min(text.len()));
                (start, end.max(start), String::new())
            }
            _ => {
                let at = border(&text, random.below(text.len() + 1));
                (at, at, PASTED[random.below(PASTED.len())].to_owned())
            }
        };
        if undo.len() < 50 {
            undo.push(text.clone());
        }
        version += 1;
        let range = json!({"start": position(&text, start), "end": position(&text, end)});
        let whole = start == 0 && end == text.len();
        // Clients replace a whole text with and without a range.
        let change = match whole && number % 2 == 0 {
            true => json!({"text": new}),
            false => json!({"range": range, "text": new}),
        };
        client.notify(
            "textDocument/didChange",
            json!({
                "textDocument": {"uri": UNTITLED, "version": version},
                "contentChanges": [change],
            }),
        );
        text.replace_range(start..end, &new);
        if number % 100 == 0 {
            let mut fresh = Client::ready(server(), able.clone());
            fresh.open(UNTITLED, &text);
            assert_eq!(answers(&mut client, &text), answers(&mut fresh, &text), "{number}: {text}");
            fresh.shut_down();
        }
    }
    client.shut_down();
}
