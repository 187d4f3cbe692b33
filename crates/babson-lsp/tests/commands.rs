//! The commands: searches of the workspace's database, and explanations.

mod common;

use std::fs;
use std::path::Path;

use common::{Client, UNTITLED, file_uri, root};
use serde_json::{Value, json};

fn server() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_babson-lsp"))
}

fn command(client: &mut Client, name: &str, uri: &str) -> Result<Value, Value> {
    let params = json!({"command": name, "arguments": [uri], "workDoneToken": "t"});
    client.request("workspace/executeCommand", params)
}

/// A query that takes too many steps in each game.
const FAILS: &str = "x = 0 while (x < 1000000000) x += 1\n";

fn games() -> String {
    root().join("corpus/games/masters-2k.pgn").display().to_string()
}

#[test]
fn a_query_is_run_on_the_database() {
    let options = json!({"database": games(), "showsResults": true, "limit": 3});
    let mut client = Client::ready(server(), json!({"initializationOptions": options}));
    client.open(UNTITLED, "mate\n");
    let lens = client.of("textDocument/codeLens", UNTITLED);
    let title = lens[0]["command"]["title"].as_str().unwrap();
    assert!(title.starts_with("Run on ") && title.ends_with("masters-2k.pgn"), "{title}");
    let answer = command(&mut client, "babson.run", UNTITLED).unwrap();
    assert_eq!((&answer["matches"], &answer["games"]), (&json!(32), &json!(2000)));
    let items = answer["items"].as_array().unwrap();
    assert_eq!(items.len(), 3);
    assert_eq!(
        (&items[0]["type"], &items[0]["database"]),
        (&json!("match"), &json!("masters-2k.pgn"))
    );
    assert!(items[0]["pgn"].as_str().unwrap().contains("[White "), "{}", items[0]);
    assert!(answer["seconds"].is_number() && answer["stopped"].is_null());
    let kinds: Vec<Value> = client
        .unread
        .iter()
        .filter(|message| message["method"] == "$/progress")
        .map(|message| message["params"]["value"]["kind"].clone())
        .collect();
    assert_eq!((&kinds[0], kinds.last()), (&json!("begin"), Some(&json!("end"))));
    let lens = client.of("textDocument/codeLens", UNTITLED);
    let title = lens[0]["command"]["title"].as_str().unwrap();
    assert!(title.starts_with("32 matches in 2,000 games"), "{title}");
    // The numbers belong to another text.
    let change = json!({
        "textDocument": {"uri": UNTITLED, "version": 2},
        "contentChanges": [{"text": "check\n"}],
    });
    client.notify("textDocument/didChange", change);
    let lens = client.of("textDocument/codeLens", UNTITLED);
    assert!(lens[0]["command"]["title"].as_str().unwrap().starts_with("Run on "));
    client.shut_down();
}

#[test]
fn the_header_names_the_database_if_no_setting_does() {
    let folder = tempfile::tempdir().unwrap();
    let folder_path = dunce::canonicalize(folder.path()).unwrap();
    fs::write(folder_path.join("own.pgn"), "1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
    let uri = format!("{}/query.cql", file_uri(&folder_path));
    let mut client = Client::ready(server(), json!({}));
    client.open(&uri, "cql(input own.pgn) mate\n");
    let answer = command(&mut client, "babson.run", &uri).unwrap();
    assert_eq!((&answer["matches"], &answer["games"]), (&json!(1), &json!(1)));
    // An editor without a view of its own gets a message.
    let shown = client.wait_for("window/showMessage");
    assert!(shown["params"]["message"].as_str().unwrap().starts_with("1 match in 1 game"));
    client.shut_down();
}

/// Standard input carries the protocol, and a query must not connect to a server.
#[test]
fn a_header_names_files_only() {
    let folder = tempfile::tempdir().unwrap();
    let folder = dunce::canonicalize(folder.path()).unwrap();
    let saved = format!("{}/query.cql", file_uri(&folder));
    let own = folder.join("stdin").display().to_string();
    let mut client = Client::ready(server(), json!({}));
    let mut cases: Vec<(&str, &str, &str)> = vec![
        (UNTITLED, "-", "is standard input"),
        (UNTITLED, "stdin", "is standard input"),
        (UNTITLED, "own.pgn", "save it, or write the whole path"),
        (UNTITLED, "https://127.0.0.1:9/a.pgn", "connect to a server"),
        (&saved, "https://127.0.0.1:9/a.pgn", "connect to a server"),
        // A file of this name in the folder of the query, which is not there.
        (&saved, "stdin", &own),
    ];
    if cfg!(unix) {
        cases.push((&saved, "/dev/stdin", "is standard input"));
        cases.push((&saved, "/dev/fd/0", "is a device or a pipe"));
        cases.push((UNTITLED, "/dev/../dev/stdin", "is a device or a pipe"));
    }
    for (uri, input, expected) in cases {
        client.open(uri, &format!("cql(input \"{input}\") mate\n"));
        let lens = client.of("textDocument/codeLens", uri);
        assert!(lens[0]["command"]["title"].as_str().unwrap().starts_with("Run"), "{lens}");
        let error = command(&mut client, "babson.run", uri).unwrap_err();
        assert!(error["message"].as_str().unwrap().contains(expected), "{input}: {error}");
        client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    }
    client.shut_down();
}

/// In its own folder a project has relative paths, and `stdin` is a name of standard input.
#[test]
fn a_project_names_no_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let folder = dunce::canonicalize(folder.path()).unwrap();
    let uri = format!("{}/query.cql", file_uri(&folder));
    for name in ["stdin", "/dev/stdin"] {
        fs::write(folder.join("babson.toml"), format!("database = \"{name}\"\n")).unwrap();
        let mut client = Client::start_in(server(), &folder);
        client.initialize(json!({})).unwrap();
        client.notify("initialized", json!({}));
        client.open(&uri, "mate\n");
        let error = command(&mut client, "babson.run", &uri).unwrap_err();
        assert_eq!(error["code"], -32803, "{error}");
        client.shut_down();
    }
}

#[test]
fn the_project_names_what_no_setting_does() {
    let folder = tempfile::tempdir().unwrap();
    let folder = dunce::canonicalize(folder.path()).unwrap();
    let project = folder.join("babson.toml");
    fs::write(folder.join("own.pgn"), "1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
    fs::create_dir_all(folder.join("queries/deep")).unwrap();
    fs::create_dir(folder.join("library")).unwrap();
    fs::write(folder.join("library/ends.cql"), "function Ends() { mate }\n").unwrap();
    let text = "database = \"own.pgn\"\nimports = [\"library\"]\n";
    fs::write(&project, text.replace("imports", "import")).unwrap();
    let uri = |name: &str| format!("{}/queries/deep/{name}.cql", file_uri(&folder));
    let mut client = Client::ready(server(), json!({}));
    client.open(&uri("first"), "mate\n");
    // The message about a mistake in its file names the place.
    let told = client.wait_for("window/showMessage")["params"]["message"].to_string();
    assert!(
        told.contains("babson.toml:2:1: ") && told.contains("did you mean `imports`?"),
        "{told}"
    );
    let error = command(&mut client, "babson.run", &uri("first")).unwrap_err();
    assert!(error["message"].as_str().unwrap().contains("`babson.toml`"), "{error}");
    fs::write(&project, text).unwrap();
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": []}));
    let answer = command(&mut client, "babson.run", &uri("first")).unwrap();
    assert_eq!((&answer["matches"], &answer["games"]), (&json!(1), &json!(1)));
    client.open(&uri("second"), "import \"ends.cql\"\nEnds()\n");
    let answer = command(&mut client, "babson.run", &uri("second")).unwrap();
    assert_eq!(answer["matches"], 1);
    client.shut_down();
}

/// No matches because the query fails are not the same as no matches.
#[test]
fn a_search_tells_what_went_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("own.pgn");
    fs::write(&database, "1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 2. Ke8 *\n").unwrap();
    let options = json!({"database": database.display().to_string()});
    let mut client = Client::ready(server(), json!({"initializationOptions": options}));
    client.open(UNTITLED, FAILS);
    let answer = command(&mut client, "babson.run", UNTITLED).unwrap();
    let messages: Vec<&str> =
        answer["messages"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    let has = |text: &str| messages.iter().any(|message| message.contains(text));
    assert!(has("game 1: ") && has("illegal move"), "{messages:?}");
    let shown = client.wait_for("window/showMessage")["params"]["message"].to_string();
    assert!(shown.contains("the query fails in ") && shown.contains("illegal move"), "{shown}");
    let lens = client.of("textDocument/codeLens", UNTITLED);
    let title = lens[0]["command"]["title"].as_str().unwrap();
    assert!(title.contains("the query fails in ") && !title.contains('\n'), "{title}");
    client.open("untitled:message.cql", "mate message \"found it\"\n");
    let answer = command(&mut client, "babson.run", "untitled:message.cql").unwrap();
    assert!(answer["messages"].to_string().contains("move 3(wtm): found it"), "{answer}");
    client.shut_down();
}

#[test]
fn settings_come_from_the_client() {
    let configuration = json!({"capabilities": {"workspace": {"configuration": true}}});
    let mut client = Client::start(server());
    client.settings = json!({"database": games(), "dialect": "cql6"});
    client.initialize(configuration).unwrap();
    client.notify("initialized", json!({}));
    client.wait_for("workspace/configuration");
    client.open(UNTITLED, "mate\n");
    // The answer with the settings was sent before.
    assert_eq!(command(&mut client, "babson.run", UNTITLED).unwrap()["matches"], 32);
    client.settings = json!({"database": "/nosuch/folder.pgn", "dialect": "cql9"});
    client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    client.unread.clear();
    client.wait_for("workspace/configuration");
    let warning = loop {
        let shown = client.wait_for("window/showMessage");
        if shown["params"]["type"] == 2 {
            break shown;
        }
    };
    assert!(warning["params"]["message"].as_str().unwrap().contains("cql9"), "{warning}");
    let error = command(&mut client, "babson.run", UNTITLED).unwrap_err();
    assert!(error["message"].as_str().unwrap().contains("/nosuch/folder.pgn"), "{error}");
    client.shut_down();
}

#[test]
fn what_cannot_be_run_says_why() {
    let mut client = Client::ready(server(), json!({}));
    client.open(UNTITLED, "mate\n");
    let error = command(&mut client, "babson.run", UNTITLED).unwrap_err();
    assert!(error["message"].as_str().unwrap().contains("babson.database"), "{error}");
    client.open("untitled:wrong.cql", "mat\n");
    for name in ["babson.run", "babson.explain"] {
        let error = command(&mut client, name, "untitled:wrong.cql").unwrap_err();
        assert_eq!(error["code"], -32803, "{error}");
    }
    // A click on a lens starts no programs.
    client.open("untitled:program.cql", "commandpipe(\"ls\" currentfen)\n");
    let error = command(&mut client, "babson.run", "untitled:program.cql").unwrap_err();
    assert!(error["message"].as_str().unwrap().contains("forbidden"), "{error}");
    client.shut_down();
}

#[test]
fn a_search_can_be_cancelled() {
    let options = json!({"database": games(), "showsResults": true});
    let mut client = Client::ready(server(), json!({"initializationOptions": options}));
    // Without the cancellation it would run for minutes.
    client
        .open(UNTITLED, "x = 0 while (x < 100000) x += 1 find all { find all { find all wtm } }\n");
    let params = json!({"command": "babson.run", "arguments": [UNTITLED]});
    let id = client.ask("workspace/executeCommand", params);
    client.notify("$/cancelRequest", json!({"id": id}));
    assert_eq!(client.answer(id).unwrap_err()["code"], -32800);
    client.shut_down();
}

#[test]
fn a_query_is_explained() {
    let mut client = Client::ready(server(), json!({}));
    client.open(UNTITLED, "check #Q > 1\n");
    let answer = command(&mut client, "babson.explain", UNTITLED).unwrap();
    let text = answer["text"].as_str().unwrap();
    assert!(text.contains("there is more than 1 white queen"), "{text}");
    let shown = client.wait_for("window/showMessage");
    assert_eq!(shown["params"]["message"], text);
    client.shut_down();
}

#[test]
fn the_games_of_a_search_can_be_shown() {
    let options = json!({"database": games(), "showsResults": true, "limit": 1});
    let mut client = Client::ready(server(), json!({"initializationOptions": options}));
    client.open(UNTITLED, "mate\n");
    let answer = command(&mut client, "babson.run", UNTITLED).unwrap();
    let number = &answer["items"][0]["game"];
    let mut ask = |name: &str, argument: Value| {
        let params = json!({"command": name, "arguments": [argument]});
        client.request("workspace/executeCommand", params)
    };
    let game = ask("babson.game", json!({"uri": UNTITLED, "game": number})).unwrap();
    assert_eq!(&game["game"], number);
    assert!(game["moves"].as_array().unwrap().len() > 10, "{game}");
    let why = json!({"uri": UNTITLED, "query": "mate\n", "game": number});
    let why = ask("babson.why", why).unwrap();
    assert!(why.to_string().contains("mate"), "{why}");
    let missing = ask("babson.game", json!({"uri": UNTITLED, "game": 9_999_999}));
    assert_eq!(missing.unwrap_err()["code"], -32803);
    assert_eq!(ask("babson.game", json!({"uri": UNTITLED})).unwrap_err()["code"], -32602);
    client.shut_down();
}

/// Two windows, or two queries, each have their matches.
#[test]
fn each_document_has_a_file_for_its_matches() {
    let capabilities = json!({"window": {"showDocument": {"support": true}}});
    let options = json!({"database": games(), "limit": 1});
    let params = json!({"initializationOptions": options, "capabilities": capabilities});
    let mut client = Client::ready(server(), params);
    let mut shown = Vec::new();
    for (uri, text) in [("untitled:1", "mate"), ("untitled:2", "check"), ("untitled:1", "")] {
        if !text.is_empty() {
            client.open(uri, text);
        }
        command(&mut client, "babson.run", uri).unwrap();
        shown.push(client.wait_for("window/showDocument"));
    }
    let uri = |at: usize| &shown[at]["params"]["uri"];
    assert!(uri(0) != uri(1) && uri(0) == uri(2), "{shown:?}");
    assert!(uri(0).as_str().unwrap().ends_with("/matches.pgn"), "{shown:?}");
    // Ids of requests are not used twice.
    assert!(shown[0]["id"] != shown[1]["id"] && shown[0]["id"] != shown[2]["id"], "{shown:?}");
    client.shut_down();
}

#[test]
fn a_closed_document_has_no_matches() {
    let options = json!({"database": games(), "showsResults": true});
    let mut client = Client::ready(server(), json!({"initializationOptions": options}));
    client.open(UNTITLED, "mate\n");
    let params = json!({"command": "babson.run", "arguments": [UNTITLED]});
    let id = client.ask("workspace/executeCommand", params);
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": UNTITLED}}));
    assert_eq!(client.answer(id).unwrap()["matches"], 32);
    client.open(UNTITLED, "mate\n");
    let lens = client.of("textDocument/codeLens", UNTITLED);
    assert!(lens[0]["command"]["title"].as_str().unwrap().starts_with("Run on "), "{lens}");
    client.shut_down();
}

/// The header may name another database by now.
#[test]
fn a_game_is_one_of_the_query_that_was_run() {
    let folder = tempfile::tempdir().unwrap();
    let folder = dunce::canonicalize(folder.path()).unwrap();
    fs::write(folder.join("old.pgn"), "[White \"Old\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
    fs::write(folder.join("new.pgn"), "[White \"New\"]\n\n1. e4 *\n").unwrap();
    let uri = format!("{}/query.cql", file_uri(&folder));
    let mut client = Client::ready(server(), json!({}));
    client.open(&uri, "cql(input new.pgn) mate\n");
    let mut ask = |argument: Value| {
        let params = json!({"command": "babson.game", "arguments": [argument]});
        client.request("workspace/executeCommand", params).unwrap().to_string()
    };
    let query = "cql(input old.pgn) mate\n";
    assert!(ask(json!({"uri": uri, "query": query, "game": 1})).contains("Old"));
    assert!(ask(json!({"uri": uri, "game": 1})).contains("New"));
    client.shut_down();
}
