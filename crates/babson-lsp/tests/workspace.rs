//! What the server knows besides the open documents: files, databases and settings.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use common::{Client, PATIENCE, UNTITLED, file_uri, long_query};
use serde_json::{Value, json};

fn server() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_babson-lsp"))
}

/// A folder with these files, and a client that has it as its workspace.
fn workspace(files: &[(&str, &str)], options: Value) -> (tempfile::TempDir, PathBuf, Client) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = dunce::canonicalize(folder.path()).expect("a folder");
    for (name, text) in files {
        let file = path.join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
    }
    let root = file_uri(&path);
    let params = json!({
        "workspaceFolders": [{"uri": root, "name": "queries"}],
        "initializationOptions": options,
    });
    let client = Client::ready(server(), params);
    (folder, path, client)
}

/// The labels that a completion at the end of the last line offers.
fn offered(client: &mut Client, uri: &str, text: &str) -> Vec<String> {
    client.open(uri, text);
    let (line, last) = text.lines().enumerate().last().expect("a line");
    let column = u32::try_from(last.len()).expect("a column");
    let list = client.at("textDocument/completion", uri, line as u32, column);
    let labels = list["items"].as_array().expect("items").iter();
    labels.map(|item| item["label"].as_str().expect("a label").to_owned()).collect()
}

#[test]
fn imported_files_are_completed() {
    let files = [
        ("queries/mine.cql", "// Twice a number.\nfunction twice(num) { num * 2 }\n"),
        ("queries/sub/far.cql", "function far() { mate }\n"),
        ("lib/shared.cql", "function shared() { mate }\n"),
        ("queries/notes.txt", "no query\n"),
    ];
    let (_folder, path, mut client) = workspace(&files, json!({"importPath": ["lib"]}));
    let uri = format!("{}/queries/new.cql", file_uri(&path));
    let names = offered(&mut client, &uri, "import \"");
    assert_eq!(names[..5], ["mine", "sub/far", "../lib/shared", "shared", "motifs"]);
    let names = offered(&mut client, &uri, "import \"mine\"\nx = tw");
    assert_eq!(names[0], "twice");
    let item = client.at("textDocument/completion", &uri, 1, 6)["items"][0].clone();
    assert_eq!(item["textEdit"]["newText"], "twice(num)");
    let doc = item["documentation"]["value"].as_str().expect("a text");
    assert!(doc.contains("// Twice a number.") && doc.ends_with("from `mine.cql`"), "{doc}");
    // An imported file that is open counts as it is in the editor.
    let mine = format!("{}/queries/mine.cql", file_uri(&path));
    client.open(&mine, "function twofold(num) { num * 2 }\n");
    let names = offered(&mut client, &uri, "import \"mine\"\nx = tw");
    assert_eq!(names[0], "twofold");
    client.shut_down();
}

#[test]
fn names_are_found_in_the_whole_workspace() {
    let files = [
        ("mine.cql", "function twice(num) { num * 2 }\n"),
        ("other.cql", "dictionary Weights\nWeights[\"a\"] = 1\nsort \"weight\" 1\n"),
        ("old.cql", "(match :forany twin Q (position $twin))\n"),
    ];
    let (_folder, _, mut client) = workspace(&files, json!({}));
    client.open(UNTITLED, "tow_words = 3\n");
    let mut found = |query: &str| -> Vec<String> {
        let answer = client.request("workspace/symbol", json!({"query": query})).expect("symbols");
        let all = answer.as_array().expect("symbols").iter();
        all.map(|one| {
            let name = one["name"].as_str().expect("a name");
            let uri = one["location"]["uri"].as_str().expect("a file");
            format!("{name} {}", uri.rsplit(['/', ':']).next().expect("a file"))
        })
        .collect()
    };
    assert_eq!(found("TW"), ["tow_words query.cql", "twice mine.cql", "twin old.cql"]);
    assert_eq!(found("wght"), ["Weights other.cql"]);
    assert_eq!(found("nosuch"), [""; 0]);
    client.shut_down();
}

/// Requests about many files take long, and those about one document do not wait for them.
#[test]
fn a_document_gets_answers_while_the_workspace_is_searched() {
    let text = long_query(200);
    let names: Vec<String> = (0..300).map(|number| format!("{number}.cql")).collect();
    let files: Vec<(&str, &str)> =
        names.iter().map(|name| (name.as_str(), text.as_str())).collect();
    let (_folder, _, mut client) = workspace(&files, json!({}));
    client.open(UNTITLED, "mate");
    let searches: Vec<i64> =
        (0..10).map(|_| client.ask("workspace/symbol", json!({"query": "no such name"}))).collect();
    client.at("textDocument/hover", UNTITLED, 0, 1);
    let answered = client.unread.iter().filter_map(|message| message["id"].as_i64());
    let answered = answered.filter(|id| searches.contains(id)).count();
    // Threads that take all requests in their order would have ended nine of them.
    assert!(answered < 9, "{answered} searches were answered before a hover");
    for search in searches {
        client.notify("$/cancelRequest", json!({"id": search}));
    }
    client.shut_down();
}

#[test]
fn the_tags_of_the_database_are_offered() {
    let games = "[White \"Alpha\"]\n[Mode \"blitz\"]\n\n1. e4 *\n\n\
                 [White \"Beta\"]\n[Mode \"rapid\"]\n\n1. d4 *\n";
    let files = [("games.pgn", games), ("queries/babson.toml", "database = \"../games.pgn\"\n")];
    let (_folder, path, mut client) = workspace(&files, json!({}));
    let uri = format!("{}/queries/new.cql", file_uri(&path));
    // They are read in the background.
    let end = Instant::now() + PATIENCE;
    while !offered(&mut client, &uri, "tag \"").contains(&"Mode".to_owned()) {
        assert!(Instant::now() < end, "the tags are not offered");
        std::thread::yield_now();
    }
    assert_eq!(offered(&mut client, &uri, "tag \"Mo"), ["Mode"]);
    assert_eq!(offered(&mut client, &uri, "tag \"Mode\" == \""), ["blitz", "rapid"]);
    assert_eq!(offered(&mut client, &uri, "tag \"Mode\" == \"r"), ["rapid"]);
    client.shut_down();
}

#[test]
fn the_input_of_a_query_of_cql3_is_searched() {
    let games = "[White \"Alpha\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    let (_folder, path, mut client) = workspace(&[("games.pgn", games)], json!({}));
    let uri = format!("{}/old.cql", file_uri(&path));
    client.open(&uri, "(match :pgn games.pgn (position :mate))");
    let lens = client.of("textDocument/codeLens", &uri);
    assert_eq!(lens[0]["command"]["title"], "Run on games.pgn");
    let params = json!({"command": "babson.run", "arguments": [uri]});
    let answer = client.request("workspace/executeCommand", params).expect("an answer");
    assert_eq!((&answer["matches"], &answer["games"]), (&json!(1), &json!(1)));
    client.shut_down();
}

/// The warnings that the client has got.
fn warnings(client: &Client) -> Vec<String> {
    let is_warning = |message: &&Value| message["method"] == "window/showMessage";
    let messages = client.unread.iter().filter(is_warning);
    messages.map(|message| message["params"]["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn wrong_settings_are_told_once() {
    let options = json!({"databse": "games.pgn", "limit": "many", "trace": {"server": "off"}});
    let (_folder, _, mut client) = workspace(&[], options);
    let settings = json!({"settings": {"babson": {"limit": -1, "path": "babson"}}});
    for _ in 0..3 {
        client.notify("workspace/didChangeConfiguration", settings.clone());
    }
    client.open(UNTITLED, "mate");
    client.at("textDocument/hover", UNTITLED, 0, 1);
    let mut found = warnings(&client);
    found.sort_unstable();
    let once = found.clone();
    // The server tells a mistake again that was mended and is made again.
    client.notify("workspace/didChangeConfiguration", json!({"settings": {"babson": {}}}));
    client.notify("workspace/didChangeConfiguration", settings);
    client.at("textDocument/hover", UNTITLED, 0, 1);
    assert_eq!(warnings(&client).len(), once.len() + 1);
    assert_eq!(
        found,
        [
            "the setting `babson.databse`: `databse` is not a setting; did you mean `database`?",
            "the setting `babson.limit`: write a number of matches, not \"many\"",
            "the setting `babson.limit`: write a number of matches, not -1",
        ]
    );
    client.shut_down();
}

/// The table of the book's page on editors.
#[test]
fn a_query_of_cql3_gets_answers() {
    let action = json!({"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}});
    let able = json!({"capabilities": {"textDocument": {"codeAction": action, "diagnostic": {}}}});
    let mut client = Client::ready(server(), able);
    let uri = "untitled:old.cql";
    let text = "(match :forany rook [rR]\n  (position $rook[a1] :flip)\n  (position :power A 10))";
    client.open(uri, text);
    let whole = json!({"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 0}});
    let document = json!({"uri": uri});
    assert_eq!(client.of("textDocument/diagnostic", uri)["items"], json!([]));
    let hover = client.at("textDocument/hover", uri, 1, 24);
    assert!(hover["contents"]["value"].as_str().unwrap().contains(":flip"), "{hover}");
    let items = client.at("textDocument/completion", uri, 1, 15);
    assert_eq!(items["items"][0]["label"], "$rook");
    let help = client.at("textDocument/signatureHelp", uri, 2, 22);
    assert_eq!(
        (&help["signatures"][0]["label"], &help["activeParameter"]),
        (&json!(":power D R"), &json!(1))
    );
    let found = client.at("textDocument/definition", uri, 1, 15);
    let range = json!({"start": {"line": 0, "character": 15}, "end": {"line": 0, "character": 19}});
    assert_eq!(found["range"], range);
    assert_eq!(
        client.at("textDocument/documentHighlight", uri, 1, 15).as_array().unwrap().len(),
        2
    );
    let params = json!({
        "textDocument": document,
        "position": {"line": 0, "character": 16},
        "newName": "piece",
        "context": {"includeDeclaration": true},
    });
    let references = client.request("textDocument/references", params.clone()).unwrap();
    assert_eq!(references.as_array().unwrap().len(), 2);
    let edit = client.request("textDocument/rename", params).unwrap();
    assert_eq!(edit["changes"][uri].as_array().unwrap().len(), 2);
    let symbols = client.of("textDocument/documentSymbol", uri);
    let names: Vec<&str> =
        symbols.as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["rook", "position $rook[a1] :flip", "position :power A 10"]);
    assert_eq!(client.of("textDocument/foldingRange", uri).as_array().unwrap().len(), 1);
    assert!(client.of("textDocument/semanticTokens/full", uri)["data"].is_array());
    let params = json!({"textDocument": document, "range": whole});
    let hints = client.request("textDocument/inlayHint", params).unwrap();
    assert_eq!(hints[0]["label"], "in up to 8 versions");
    let params = json!({"textDocument": document, "range": whole, "context": {"diagnostics": []}});
    let actions = client.request("textDocument/codeAction", params).unwrap();
    assert!(actions.to_string().contains("convert to modern CQL"), "{actions}");
    let params = json!({"textDocument": document, "options": {"tabSize": 2, "insertSpaces": true}});
    let error = client.request("textDocument/formatting", params).expect_err("a refusal");
    assert!(error["message"].as_str().unwrap().contains("CQL 3"), "{error}");
    client.shut_down();
}
