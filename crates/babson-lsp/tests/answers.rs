//! Each request on real queries.

mod common;

use std::fs;
use std::path::Path;

use common::{Client, UNTITLED, corpus_query, file_uri, position};
use lsp_types::Url;
use serde_json::{Value, json};

fn server() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_babson-lsp"))
}

/// A client that can do what VS Code can.
fn able() -> Value {
    json!({"capabilities": {
        "textDocument": {
            "completion": {"completionItem": {"snippetSupport": true}},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
            "diagnostic": {},
            "definition": {"linkSupport": false},
        },
        "workspace": {"workspaceEdit": {"documentChanges": false}},
    }})
}

/// The text after the edits of a document, which are in UTF-16.
fn edited(text: &str, edits: &Value) -> String {
    let offset = |place: &Value| {
        let line = place["line"].as_u64().expect("a line") as usize;
        let column = place["character"].as_u64().expect("a column") as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let mut units = 0;
        let inside = text[start..].char_indices().find(|(_, letter)| {
            let is_there = units >= column;
            units += letter.len_utf16();
            is_there
        });
        start + inside.map_or(text.len() - start, |(at, _)| at)
    };
    let mut all: Vec<(usize, usize, String)> = edits
        .as_array()
        .expect("edits")
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            let new = edit["newText"].as_str().expect("a text").to_owned();
            (offset(&range["start"]), offset(&range["end"]), new)
        })
        .collect();
    all.sort_by_key(|edit| edit.0);
    let mut out = text.to_owned();
    for (start, end, new) in all.into_iter().rev() {
        out.replace_range(start..end, &new);
    }
    out
}

/// The edits of the only document in a change of the workspace.
fn changes_of<'c>(edit: &'c Value, uri: &str) -> &'c Value {
    &edit["changes"][uri]
}

#[test]
fn a_real_query_gets_all_answers() {
    let mut client = Client::ready(server(), able());
    let uri = "untitled:maze.cql";
    let text = corpus_query("cqli-coakley-maze.cql");
    client.open(uri, &text);
    let place = |word: &str| {
        let at = text.find(word).expect("a word") + 1;
        let place = position(&text, at);
        (place["line"].as_u64().unwrap() as u32, place["character"].as_u64().unwrap() as u32)
    };
    let (line, column) = place("safe_squares =");
    let hover = client.at("textDocument/hover", uri, line, column);
    let shown = hover["contents"]["value"].as_str().expect("a text");
    assert!(shown.contains("safe_squares") && shown.contains("set"), "{shown}");

    let references = client.request(
        "textDocument/references",
        json!({
            "textDocument": {"uri": uri},
            "position": {"line": line, "character": column},
            "context": {"includeDeclaration": true},
        }),
    );
    let count = text.matches("safe_squares").count();
    assert_eq!(references.unwrap().as_array().unwrap().len(), count);
    let highlights = client.at("textDocument/documentHighlight", uri, line, column);
    assert_eq!(highlights.as_array().unwrap().len(), count);

    let renamed = client.request(
        "textDocument/rename",
        json!({
            "textDocument": {"uri": uri},
            "position": {"line": line, "character": column},
            "newName": "free_squares",
        }),
    );
    let renamed = edited(&text, changes_of(&renamed.unwrap(), uri));
    assert_eq!(renamed, text.replace("safe_squares", "free_squares"));

    let symbols = client.of("textDocument/documentSymbol", uri);
    let names: Vec<&str> =
        symbols.as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
    assert!(names.contains(&"dict_next") && names.contains(&"safe_squares"), "{names:?}");

    let tokens = client.of("textDocument/semanticTokens/full", uri);
    assert!(tokens["data"].as_array().unwrap().len() > 500);
    let folds = client.of("textDocument/foldingRange", uri);
    assert!(folds.as_array().unwrap().len() > 3, "{folds}");
    let lenses = client.of("textDocument/codeLens", uri);
    assert_eq!(lenses[0]["command"]["command"], "babson.run");
    assert_eq!(lenses[0]["command"]["arguments"], json!([uri]));
    assert_eq!(lenses[1]["command"]["command"], "babson.explain");

    let whole = json!({"start": {"line": 0, "character": 0}, "end": position(&text, text.len())});
    let hints = client
        .request("textDocument/inlayHint", json!({"textDocument": {"uri": uri}, "range": whole}))
        .unwrap();
    let labels: Vec<&str> =
        hints.as_array().unwrap().iter().filter_map(|hint| hint["label"].as_str()).collect();
    assert!(labels.contains(&": number") && labels.contains(&": set"), "{labels:?}");

    let selection = client
        .request(
            "textDocument/selectionRange",
            json!({"textDocument": {"uri": uri}, "positions": [{"line": line, "character": column}]}),
        )
        .unwrap();
    assert!(selection[0]["parent"]["parent"].is_object(), "{selection}");

    let report = client.of("textDocument/diagnostic", uri);
    assert_eq!((&report["kind"], &report["items"]), (&json!("full"), &json!([])));
    let again = client
        .request(
            "textDocument/diagnostic",
            json!({"textDocument": {"uri": uri}, "previousResultId": report["resultId"]}),
        )
        .unwrap();
    assert_eq!(again["kind"], "unchanged");
    client.shut_down();
}

#[test]
fn diagnostics_are_sent_to_a_client_that_does_not_ask() {
    let mut client = Client::ready(server(), json!({}));
    client.open(UNTITLED, "♕ attacks ♚\nMate");
    let sent = client.wait_for("textDocument/publishDiagnostics");
    let one = &sent["params"]["diagnostics"][0];
    assert_eq!(sent["params"]["version"], 1);
    assert_eq!((&one["severity"], &one["source"]), (&json!(1), &json!("babson")));
    let range = json!({"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 4}});
    assert_eq!(one["range"], range);
    let code = one["code"].as_str().expect("a code").to_ascii_lowercase();
    let href = one["codeDescription"]["href"].as_str().expect("a link");
    assert!(href.ends_with(&format!("diagnostics.html#{code}")), "{href}");
    let change = json!({
        "textDocument": {"uri": UNTITLED, "version": 2},
        "contentChanges": [{
            "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 1}},
            "text": "m",
        }],
    });
    client.notify("textDocument/didChange", change);
    let sent = client.wait_for("textDocument/publishDiagnostics");
    let params = &sent["params"];
    assert_eq!((&params["version"], &params["diagnostics"]), (&json!(2), &json!([])));
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": UNTITLED}}));
    let sent = client.wait_for("textDocument/publishDiagnostics");
    assert_eq!(sent["params"]["diagnostics"], json!([]));
    client.shut_down();
}

#[test]
fn a_query_that_is_being_written_gets_answers() {
    let mut client = Client::ready(server(), able());
    client.open(UNTITLED, "queens = #Q\nflip { K attacks q\npow");
    let list = client.at("textDocument/completion", UNTITLED, 2, 3);
    let first = &list["items"][0];
    assert_eq!(first["label"], "power");
    assert!(first["documentation"]["value"].is_string(), "{first}");
    let range = json!({"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 3}});
    assert_eq!(first["textEdit"]["range"], range);
    let symbols = client.of("textDocument/documentSymbol", UNTITLED);
    assert_eq!(symbols[0]["name"], "queens");
    let report = client.of("textDocument/diagnostic", UNTITLED);
    assert!(!report["items"].as_array().unwrap().is_empty());

    client.open("untitled:call.cql", "import \"motifs\"\nfork(Q ");
    let help = client.at("textDocument/signatureHelp", "untitled:call.cql", 1, 7);
    assert_eq!(help["signatures"][0]["label"], "fork(attackers targets)");
    assert_eq!(help["activeParameter"], 1);
    // Snippets have places only for clients that can fill them in.
    client.open("untitled:find.cql", "fin");
    let list = client.at("textDocument/completion", "untitled:find.cql", 0, 3);
    let snippet = list["items"].as_array().unwrap().iter().find(|one| one["kind"] == 15);
    let snippet = snippet.expect("a snippet");
    assert_eq!(snippet["insertTextFormat"], 2);
    assert!(snippet["textEdit"]["newText"].as_str().unwrap().contains("${1"), "{snippet}");
    client.shut_down();
}

#[test]
fn queries_are_formatted() {
    let mut client = Client::ready(server(), able());
    let text = "// ♔\r\nflip{♕→♚}\r\nmate\r\n";
    client.open(UNTITLED, text);
    let options = json!({"tabSize": 2, "insertSpaces": true});
    let params = json!({"textDocument": {"uri": UNTITLED}, "options": options});
    let edits = client.request("textDocument/formatting", params).unwrap();
    assert_eq!(edited(text, &edits), "// ♔\r\nflip { ♕→♚ }\r\nmate\r\n");
    let wild = "flip{K==a1}\nflip{K==a2}\n";
    client.open("untitled:two.cql", wild);
    let range = json!({"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 3}});
    let params = json!({
        "textDocument": {"uri": "untitled:two.cql"},
        "range": range,
        "options": options,
    });
    let edits = client.request("textDocument/rangeFormatting", params).unwrap();
    assert_eq!(edited(wild, &edits), "flip{K==a1}\nflip { K == a2 }\n");
    client.open("untitled:wrong.cql", "{mate");
    let params = json!({"textDocument": {"uri": "untitled:wrong.cql"}, "options": options});
    let error = client.request("textDocument/formatting", params).unwrap_err();
    assert_eq!(error["code"], -32803);
    client.shut_down();
}

fn action<'a>(actions: &'a Value, title: &str) -> &'a Value {
    let all = actions.as_array().expect("actions");
    let found = all.iter().find(|one| one["title"].as_str().is_some_and(|one| one.contains(title)));
    found.unwrap_or_else(|| panic!("no action {title}: {actions}"))
}

#[test]
fn actions_change_the_query() {
    let mut client = Client::ready(server(), able());
    let ask = |client: &mut Client, uri: &str, range: Value, only: Value| {
        let context = match only.is_null() {
            true => json!({"diagnostics": []}),
            false => json!({"diagnostics": [], "only": only}),
        };
        let params = json!({"textDocument": {"uri": uri}, "range": range, "context": context});
        client.request("textDocument/codeAction", params).unwrap()
    };
    let at = |line: u32, from: u32, to: u32| {
        json!({
            "start": {"line": line, "character": from},
            "end": {"line": line, "character": to},
        })
    };
    let wrong = "Mate\nK atacks q\n";
    client.open(UNTITLED, wrong);
    let actions = ask(&mut client, UNTITLED, at(0, 1, 1), Value::Null);
    let fix = action(&actions, "`mate`");
    assert_eq!((&fix["kind"], &fix["isPreferred"]), (&json!("quickfix"), &json!(true)));
    let fixed = edited(wrong, changes_of(&fix["edit"], UNTITLED));
    assert_eq!(fixed, "mate\nK atacks q\n");
    // The word may mean something else.
    let actions = ask(&mut client, UNTITLED, at(1, 3, 3), Value::Null);
    assert_eq!(action(&actions, "`attacks`")["isPreferred"], false);
    let actions = ask(&mut client, UNTITLED, at(0, 0, 0), json!(["source.fixAll"]));
    let fixed = edited(wrong, changes_of(&action(&actions, "fix all")["edit"], UNTITLED));
    assert_eq!(fixed, "mate\nK atacks q\n");

    let good = "sum = #Q + #R\nflip { check K attacks q }\nsum > 2\nfind mate\n";
    client.open("untitled:good.cql", good);
    for (range, title, expected) in [
        (
            at(0, 1, 1),
            "inline `sum`",
            good.replace("sum = #Q + #R\n", "").replace("sum >", "(#Q + #R) >"),
        ),
        (at(3, 1, 1), "`quiet`", good.replace("find mate", "find quiet mate")),
        (
            at(1, 13, 24),
            "extract",
            good.replace(
                "flip { check K attacks q }",
                "function extracted() { K attacks q }\nflip { check extracted() }",
            ),
        ),
        (
            at(0, 0, 0),
            "symbols",
            "sum = #♕ + #♖\n✵ { check ♔ → ♛ }\nsum > 2\nfind mate\n".to_owned(),
        ),
    ] {
        let actions = ask(&mut client, "untitled:good.cql", range, json!(["refactor"]));
        let edit = &action(&actions, title)["edit"];
        let changed = edited(good, changes_of(edit, "untitled:good.cql"));
        if title != "symbols" {
            assert_eq!(changed, expected, "{title}");
        } else {
            assert!(changed.contains("#♕ + #♖"), "{changed}");
        }
    }
    let old = "(match (position :mate))";
    client.open("untitled:old.cql", old);
    let actions = ask(&mut client, "untitled:old.cql", at(0, 0, 0), Value::Null);
    let modern = edited(old, changes_of(&action(&actions, "modern")["edit"], "untitled:old.cql"));
    assert!(modern.contains("mate") && !modern.contains(":mate"), "{modern}");
    client.shut_down();
}

#[test]
fn names_lead_over_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder_path = dunce::canonicalize(folder.path()).expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder_path.join(name);
        fs::write(&path, text).expect("a file");
        file_uri(&path)
    };
    let library = write("mine.cql", "function twice(num) { num * 2 }\n");
    let first = write("first.cql", "import \"mine\"\ntwice(ply) > 40\n");
    let second = write("second.cql", "import \"mine\"\ntwice(ply) > 50 twice(3) > 1\n");
    let root = file_uri(&folder_path);
    let mut params = able();
    params["workspaceFolders"] = json!([{"uri": root, "name": "queries"}]);
    let mut client = Client::ready(server(), params);
    client.open(&first, "import \"mine\"\ntwice(ply) > 40\n");
    let found = client.at("textDocument/definition", &first, 1, 2);
    assert_eq!(found["uri"], library.as_str());
    assert_eq!(found["range"]["start"], json!({"line": 0, "character": 9}));
    let found = client.at("textDocument/definition", &first, 0, 9);
    assert_eq!(found["uri"], library.as_str(), "the file that an import names");
    // An open file counts as it is in the editor.
    client.open(&library, "// mine\nfunction twice(num) { num * 2 }\n");
    let found = client.at("textDocument/definition", &first, 1, 2);
    assert_eq!(found["range"]["start"], json!({"line": 1, "character": 9}));
    let params = json!({
        "textDocument": {"uri": library},
        "position": {"line": 1, "character": 10},
        "context": {"includeDeclaration": false},
    });
    let references = client.request("textDocument/references", params).unwrap();
    let uris: Vec<&str> =
        references.as_array().unwrap().iter().filter_map(|one| one["uri"].as_str()).collect();
    assert_eq!(uris, [first.as_str(), second.as_str(), second.as_str()]);
    let params = json!({
        "textDocument": {"uri": first},
        "position": {"line": 1, "character": 2},
        "newName": "doubled",
    });
    let edit = client.request("textDocument/rename", params).unwrap();
    let edits = |uri: &str| edit["changes"][uri].as_array().map_or(0, Vec::len);
    assert_eq!((edits(&library), edits(&first), edits(&second)), (1, 1, 2));
    // A mistake in an imported file is shown at the import, and leads to its place.
    let change = json!({
        "textDocument": {"uri": library, "version": 2},
        "contentChanges": [{"text": "function twice(num) { num * Q }\n"}],
    });
    client.notify("textDocument/didChange", change);
    let report = client.of("textDocument/diagnostic", &first);
    let one = &report["items"][0];
    assert_eq!(one["range"]["start"]["line"], 0, "{one}");
    assert_eq!(one["relatedInformation"][0]["location"]["uri"], library.as_str(), "{one}");
    client.shut_down();
}

/// A folder of queries, and a client that has it as its workspace.
fn workspace(files: &[(&str, &[u8])]) -> (tempfile::TempDir, std::path::PathBuf, Client) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = dunce::canonicalize(folder.path()).expect("a folder");
    for (name, text) in files {
        fs::write(path.join(name), text).expect("a file");
    }
    let mut params = able();
    let root = file_uri(&path);
    params["workspaceFolders"] = json!([{"uri": root, "name": "queries"}]);
    let client = Client::ready(server(), params);
    (folder, path, client)
}

fn rename(client: &mut Client, uri: &str, column: u32, name: &str) -> Result<Value, Value> {
    let params = json!({
        "textDocument": {"uri": uri},
        "position": {"line": 0, "character": column},
        "newName": name,
    });
    client.request("textDocument/rename", params)
}

const MINE: &str = "function twice(num) { num * 2 }\n";

#[test]
fn a_rename_keeps_the_meaning_of_importers() {
    let main = "\u{feff}import \"mine\" double = 3 twice(ply) > double\n";
    let (_folder, path, mut client) =
        workspace(&[("mine.cql", MINE.as_bytes()), ("main.cql", main.as_bytes())]);
    let uri = format!("{}/mine.cql", file_uri(&path));
    client.open(&uri, MINE);
    let error = rename(&mut client, &uri, 10, "double").expect_err("a collision");
    let why = error["message"].as_str().expect("a message");
    assert!(why.starts_with("main.cql: the query uses the new name already"), "{why}");
    let edit = rename(&mut client, &uri, 10, "doubled").expect("edits");
    let edits = &edit["changes"][format!("{}/main.cql", file_uri(&path))];
    // Editors show a text without its byte-order mark.
    let place = |column: u32| json!({"line": 0, "character": column});
    let range = json!({"start": place(25), "end": place(30)});
    assert_eq!(*edits, json!([{"range": range, "newText": "doubled"}]));
    client.shut_down();
}

#[test]
fn a_rename_tells_which_files_it_cannot_read() {
    let long = "// import\n".repeat((1 << 20) / 10 + 1);
    let files: [(&str, &[u8]); 3] =
        [("mine.cql", MINE.as_bytes()), ("long.cql", long.as_bytes()), ("odd.cql", b"import \xff")];
    let (_folder, path, mut client) = workspace(&files);
    let uri = format!("{}/mine.cql", file_uri(&path));
    client.open(&uri, MINE);
    let error = rename(&mut client, &uri, 10, "double").expect_err("files that are not read");
    let why = error["message"].as_str().expect("a message");
    assert!(why.ends_with("long.cql (longer than 1 MiB), odd.cql (not UTF-8)"), "{why}");
    // A parameter is known to its function alone.
    let edit = rename(&mut client, &uri, 16, "number").expect("edits");
    assert_eq!(edit["changes"][&uri].as_array().map(Vec::len), Some(2), "{edit}");
    client.shut_down();
}

#[test]
fn a_file_with_two_uris_is_one_file() {
    let main = "import \"mine (1)\" twice(ply) > 40\n";
    let files: [(&str, &[u8]); 2] =
        [("mine (1).cql", MINE.as_bytes()), ("main (2).cql", main.as_bytes())];
    let (_folder, path, mut client) = workspace(&files);
    // As VS Code writes them.
    let mine = format!("{}/mine%20%281%29.cql", file_uri(&path));
    let importer = format!("{}/main%20%282%29.cql", file_uri(&path));
    client.open(&mine, MINE);
    client.open(&importer, main);
    for (uri, column) in [(&mine, 10), (&importer, 20)] {
        let edit = rename(&mut client, uri, column, "double").expect("edits");
        let changes = edit["changes"].as_object().expect("changes");
        let counts: Vec<(&str, usize)> = changes
            .iter()
            .map(|(uri, edits)| (uri.as_str(), edits.as_array().map_or(0, Vec::len)))
            .collect();
        assert_eq!(counts, [(importer.as_str(), 1), (mine.as_str(), 1)]);
        let params = json!({
            "textDocument": {"uri": uri},
            "position": {"line": 0, "character": column},
            "context": {"includeDeclaration": true},
        });
        let references = client.request("textDocument/references", params).unwrap();
        assert_eq!(references.as_array().map(Vec::len), Some(2), "{references}");
    }
    client.shut_down();
}

#[test]
fn a_file_of_the_library_can_be_shown() {
    let mut client = Client::ready(server(), able());
    client.open(UNTITLED, "import \"motifs\" smotheredmate()");
    let found = client.at("textDocument/definition", UNTITLED, 0, 20);
    let uri = Url::parse(found["uri"].as_str().unwrap()).unwrap();
    let path = uri.to_file_path().expect("a file");
    let text = fs::read_to_string(path).expect("the library");
    let line = found["range"]["start"]["line"].as_u64().expect("a line") as usize;
    assert!(text.lines().nth(line).unwrap().starts_with("function smotheredmate("));
    client.shut_down();
}

#[test]
fn a_large_file_gets_answers() {
    let mut client = Client::ready(server(), able());
    // Beyond the limit there is nothing to say, and nothing hangs.
    let text = "mate // and so on\n".repeat((1 << 20) / 18 + 10);
    client.open(UNTITLED, &text);
    assert_eq!(client.at("textDocument/hover", UNTITLED, 3, 1), Value::Null);
    assert_eq!(client.of("textDocument/documentSymbol", UNTITLED), json!([]));
    let within = "mate // and so on\n".repeat(20_000);
    client.open("untitled:within.cql", &within);
    let tokens = client.of("textDocument/semanticTokens/full", "untitled:within.cql");
    assert_eq!(tokens["data"].as_array().unwrap().len(), 2 * 5 * 20_000);
    let hover = client.at("textDocument/hover", "untitled:within.cql", 19_999, 1);
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("mate")));
    client.shut_down();
}

/// Long lines, deep brackets and many names cost time that grows with the text alone.
#[test]
fn hostile_texts_get_answers() {
    let mut client = Client::ready(server(), able());
    let names: String = (0..4000).map(|number| format!("name{number} = #Q ")).collect();
    let sums: String = (0..20_000).map(|number| format!(":accumulate a{number} ")).collect();
    let calls = "function f(x) { x } ".to_owned() + &"f(".repeat(3000);
    for (number, text) in [
        "(".repeat(60_000),
        "{[(".repeat(20_000),
        "}".repeat(60_000),
        names,
        calls,
        "♕ ".repeat(20_000),
        "\"".repeat(60_001),
        "/*".repeat(30_000),
        "x = ".repeat(15_000),
        "(match".to_owned() + &"(position ".repeat(100_000),
        "(match (position ".to_owned() + &sums,
        "(".repeat(400_000) + &")".repeat(400_000),
    ]
    .into_iter()
    .enumerate()
    {
        let uri = format!("untitled:{number}.cql");
        client.open(&uri, &text);
        for method in [
            "textDocument/semanticTokens/full",
            "textDocument/foldingRange",
            "textDocument/documentSymbol",
            "textDocument/diagnostic",
        ] {
            client.of(method, &uri);
        }
        let column = (text.encode_utf16().count() / 2) as u32;
        for method in
            ["textDocument/hover", "textDocument/completion", "textDocument/signatureHelp"]
        {
            client.at(method, &uri, 0, column);
        }
        let position = json!({"line": 0, "character": column});
        let params = json!({"textDocument": {"uri": uri}, "positions": [position]});
        client.request("textDocument/selectionRange", params).expect("an answer");
    }
    client.shut_down();
}
