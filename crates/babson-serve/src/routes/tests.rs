//! Each status that a call can answer, and the document that names them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt as _;
use serde_json::Value;

use super::*;
use crate::DatabaseSpec;
use crate::config::ServeConfig;
use crate::databases::Databases;
use crate::gate::{Gate, Pass};

/// A server without connections.
struct Requests {
    state: Arc<ServerState>,
    runtime: tokio::runtime::Runtime,
    /// Where its database is.
    _folder: tempfile::TempDir,
}

impl Requests {
    /// A server with one game.
    fn new(change: impl FnOnce(&mut ServeConfig)) -> Requests {
        let folder = tempfile::tempdir().unwrap();
        let path: PathBuf = folder.path().join("club.pgn");
        std::fs::write(&path, "1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
        let mut config = ServeConfig::new(vec![DatabaseSpec::of_argument(path)]);
        change(&mut config);
        let databases = Databases::open(&config.databases).unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let state = Arc::new(ServerState::new(config, databases));
        Requests { state, runtime, _folder: folder }
    }

    fn ask(&self, method: &str, path: &str, host: &str, body: Body) -> (u16, Value) {
        let request = Request::builder().method(method).uri(path).header("host", host);
        let request = request.body(body).unwrap();
        let answered = answer(Arc::clone(&self.state), router(Arc::clone(&self.state)), request);
        self.runtime.block_on(async {
            let response = answered.await;
            let status = response.status().as_u16();
            let bytes = response.into_body().collect().await.unwrap().to_bytes();
            (status, serde_json::from_slice(&bytes).unwrap_or_default())
        })
    }

    /// Holds all passes of a gate at which nobody may wait.
    fn fill(&self, gate: &Gate) -> Vec<Pass> {
        std::iter::from_fn(|| self.runtime.block_on(gate.enter()).ok()).collect()
    }
}

/// A body that the call takes if there is this database.
fn body_of(call: Call, database: &str) -> String {
    let more = match call {
        Call::Search => format!(r#", "databases": ["{database}"]"#),
        Call::Group => format!(r#", "by": ["year"], "databases": ["{database}"]"#),
        Call::Why => format!(r#", "game": 1, "database": "{database}""#),
        Call::Text(TextCall::Convert) => r#", "to": "ascii""#.to_owned(),
        Call::Text(TextCall::Complete | TextCall::Hover) => r#", "offset": 1"#.to_owned(),
        Call::Text(_)
        | Call::Databases
        | Call::Game
        | Call::OpenApi
        | Call::Health
        | Call::Metrics => String::new(),
    };
    format!(r#"{{"query": "mate"{more}}}"#)
}

/// The statuses of errors that a call answers, with the codes of the errors.
fn provoked(call: Call) -> BTreeMap<u16, String> {
    let method = if call.is_post() { "POST" } else { "GET" };
    let path_of = |database: &str, game: u32| {
        call.path().replace("{database}", database).replace("{game}", &game.to_string())
    };
    let (path, good) = (path_of("club", 1), body_of(call, "club"));
    let full = |body: &str| Body::from(body.to_owned());
    let mut found = BTreeMap::new();
    let mut take = |(status, answer): (u16, Value)| {
        if status >= 400 {
            let code = answer["error"]["code"].as_str();
            let code = code.unwrap_or_else(|| panic!("{path}: {status} without an error"));
            found.insert(status, code.to_owned());
        }
    };
    let server = Requests::new(|config| {
        config.limits.body = 200;
        config.limits.body_time = Duration::from_millis(50);
        config.limits.waiting = 0;
    });
    let ask = |method: &str, path: &str, body: Body| server.ask(method, path, "localhost", body);
    let (status, _) = ask(method, &path, full(&good));
    assert_eq!(status, 200, "{path}");
    take(server.ask(method, &path, "elsewhere", full(&good)));
    take(ask(if call.is_post() { "GET" } else { "POST" }, &path, Body::empty()));
    take(ask(method, &path_of("nosuch", 1), full(&body_of(call, "nosuch"))));
    take(ask(method, &path_of("club", 9), full(&good)));
    take(ask(method, &path, full("mate")));
    take(ask(method, &path, full(&" ".repeat(1000))));
    let endless = futures_util::stream::pending::<Result<Bytes, std::io::Error>>();
    take(ask(method, &path, Body::from_stream(endless)));
    let state = &server.state;
    let passes: Vec<Pass> = [&state.jobs, &state.looks, state.short_gate()]
        .into_iter()
        .flat_map(|gate| server.fill(gate))
        .collect();
    take(ask(method, &path, full(&good)));
    drop(passes);
    state.end();
    take(ask(method, &path, full(&good)));
    let guarded = Requests::new(|config| config.token = Some("secret".to_owned()));
    take(guarded.ask(method, &path, "localhost", full(&good)));
    found
}

#[test]
fn the_document_has_the_statuses_of_each_call() {
    let document: Value = serde_json::from_str(OPENAPI).unwrap();
    let codes = document["components"]["schemas"]["Error"]["properties"]["code"]["enum"].clone();
    for call in Call::all() {
        let method = if call.is_post() { "post" } else { "get" };
        let responses = &document["paths"][call.path()][method]["responses"];
        let documented = responses.as_object().unwrap().keys().map(|key| key.parse().unwrap());
        let mut documented: BTreeSet<u16> = documented.filter(|status| *status >= 400).collect();
        // A bug cannot be provoked. What has no work to do has none.
        let has_work = !matches!(call, Call::OpenApi | Call::Health | Call::Metrics);
        assert_eq!(documented.remove(&500), has_work, "{}", call.path());
        let found = provoked(call);
        assert_eq!(found.keys().copied().collect::<BTreeSet<u16>>(), documented, "{}", call.path());
        for (status, code) in found {
            let schema = &responses[status.to_string()]["content"]["application/json"]["schema"];
            assert_eq!(schema["$ref"], "#/components/schemas/ErrorAnswer", "{status}");
            assert!(codes.as_array().unwrap().contains(&Value::from(code.as_str())), "{code}");
        }
    }
}
