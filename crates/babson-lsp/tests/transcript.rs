//! A conversation with the server, as a checked-in text: `tests/snapshots/transcript__*.snap`.

mod common;

use std::fmt::Write;
use std::fs;
use std::path::Path;

use common::{Client, file_uri};
use serde_json::{Value, json};

fn server() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_babson-lsp"))
}

/// Elements of a list, and characters of a text, that are written.
const SHOWN_ELEMENTS: usize = 3;
const SHOWN_LETTERS: usize = 160;

/// Writes what a client and the server say to each other. The folder of the queries is `/work`,
/// places are short, and times are left out.
struct Transcript {
    client: Client,
    /// As it stands in the names of documents.
    folder: String,
    text: String,
}

impl Transcript {
    fn new(folder: &Path) -> Transcript {
        let folder = file_uri(folder).replacen("file://", "", 1);
        Transcript { client: Client::start(server()), folder, text: String::new() }
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}/{name}", self.folder)
    }

    /// A heading of the text.
    fn scene(&mut self, what: &str) {
        let _ = write!(self.text, "\n# {what}\n\n");
    }

    fn write(&mut self, arrow: &str, what: &str, value: &Value) {
        let shown = match value.is_null() {
            true => "null".to_owned(),
            false => serde_json::to_string_pretty(&shortened(value, &self.folder)).unwrap(),
        };
        let _ = writeln!(self.text, "{arrow} {what} {shown}");
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.write("-->", method, &params);
        let answer = self.client.request(method, params);
        match &answer {
            Ok(result) => self.write("<--", "result", result),
            Err(error) => self.write("<--", "error", error),
        }
        answer.unwrap_or_default()
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.write("-->", method, &params);
        self.client.notify(method, params);
    }

    fn wait_for(&mut self, method: &str) -> Value {
        let message = self.client.wait_for(method);
        self.write("<--", method, &message["params"]);
        message["params"].clone()
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "cql", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Another text in a range of a document, which gets this version.
    fn change(&mut self, uri: &str, version: u32, range: Value, text: &str) {
        let document = json!({"uri": uri, "version": version});
        let changes = json!([{"range": range, "text": text}]);
        let params = json!({"textDocument": document, "contentChanges": changes});
        self.notify("textDocument/didChange", params);
    }
}

/// A position as `line:column`, a range as two of them.
fn place(value: &Value) -> Option<String> {
    let object = value.as_object().filter(|object| object.len() == 2)?;
    if let (Some(line), Some(column)) = (object.get("line"), object.get("character")) {
        return Some(format!("{line}:{column}"));
    }
    Some(format!("{} to {}", place(object.get("start")?)?, place(object.get("end")?)?))
}

/// A value with short places, lists and texts.
fn shortened(value: &Value, folder: &str) -> Value {
    if let Some(place) = place(value) {
        return place.into();
    }
    match value {
        Value::String(text) => {
            let text = text.replace(folder, "/work");
            // The time of a search.
            let text = match text.rsplit_once(" games, ") {
                Some((before, time)) if time.ends_with(" s") => format!("{before} games, … s"),
                _ => text,
            };
            match text.char_indices().nth(SHOWN_LETTERS) {
                Some((end, _)) => format!("{} …", &text[..end]).into(),
                None => text.into(),
            }
        }
        Value::Array(all) => {
            let mut shown: Vec<Value> =
                all.iter().take(SHOWN_ELEMENTS).map(|one| shortened(one, folder)).collect();
            if all.len() > SHOWN_ELEMENTS {
                shown.push(format!("… {} more", all.len() - SHOWN_ELEMENTS).into());
            }
            shown.into()
        }
        Value::Object(all) => all
            .iter()
            .map(|(name, value)| {
                let name = name.replace(folder, "/work");
                let differs = matches!(name.as_str(), "processId" | "seconds")
                    || value.as_str() == Some(env!("CARGO_PKG_VERSION"));
                let value = if differs { "…".into() } else { shortened(value, folder) };
                (name, value)
            })
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

const MINE: &str = "// Twice a number.\nfunction twice(num) { num * 2 }\n";
const GAMES: &str = "[White \"Alpha\"]\n[Mode \"blitz\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
                     [White \"Beta\"]\n[Mode \"rapid\"]\n\n1. e4 e5 1/2-1/2\n";

#[test]
fn a_query_from_its_first_error_to_its_matches() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = dunce::canonicalize(folder.path()).expect("a folder");
    let wrong = "import \"mine\"\nMate\ntwice(ply) > 4\n";
    for (name, text) in [("mine.cql", MINE), ("first.cql", wrong), ("games.pgn", GAMES)] {
        fs::write(path.join(name), text).expect("a file");
    }
    let mut talk = Transcript::new(&path);
    let (mine, first) = (talk.uri("mine.cql"), talk.uri("first.cql"));
    let at = |uri: &str, line: u32, character: u32| json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}});
    let range = |line: u32, start: u32, end: u32| {
        let place = |character: u32| json!({"line": line, "character": character});
        json!({"start": place(start), "end": place(end)})
    };

    talk.scene("The handshake");
    let root = talk.uri("").trim_end_matches('/').to_owned();
    let action = json!({"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}});
    talk.request(
        "initialize",
        json!({
            "processId": std::process::id(),
            "rootUri": root,
            "capabilities": {"textDocument": {"codeAction": action}},
            "initializationOptions": {"database": "games.pgn", "showsResults": true},
        }),
    );
    talk.notify("initialized", json!({}));

    talk.scene("A query with a mistake, and its fix");
    talk.open(&first, wrong);
    let found = talk.wait_for("textDocument/publishDiagnostics");
    let context = json!({"diagnostics": found["diagnostics"]});
    let document = json!({"uri": first});
    let params = json!({"textDocument": document, "range": range(1, 0, 4), "context": context});
    talk.request("textDocument/codeAction", params);
    talk.change(&first, 2, range(1, 0, 4), "mate");
    talk.wait_for("textDocument/publishDiagnostics");

    talk.scene("What is this, and what can be written here?");
    talk.request("textDocument/hover", at(&first, 2, 2));
    talk.change(&first, 3, range(3, 0, 0), "twi");
    talk.request("textDocument/completion", at(&first, 3, 3));
    talk.change(&first, 4, range(3, 0, 3), "");

    talk.scene("Another name in two files");
    talk.open(&mine, MINE);
    let mut params = at(&mine, 1, 10);
    params["newName"] = "doubled".into();
    talk.request("textDocument/rename", params);

    talk.scene("The matches of the query");
    let lenses = talk.request("textDocument/codeLens", json!({"textDocument": {"uri": first}}));
    let run = &lenses[0]["command"];
    let params = json!({"command": run["command"], "arguments": run["arguments"]});
    talk.request("workspace/executeCommand", params);
    talk.request("textDocument/codeLens", json!({"textDocument": {"uri": first}}));

    talk.scene("The end");
    talk.request("shutdown", Value::Null);
    talk.notify("exit", Value::Null);
    assert!(talk.client.wait_for_end().success());
    insta::assert_snapshot!(talk.text);
}
