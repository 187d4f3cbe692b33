//! What a stranger can try, and what the server answers.

use babson_serve::{DatabaseSpec, ServeConfig, ServeError, Server};
use serde_json::json;

use crate::client::{TestServer, masters, post};

#[test]
fn files_and_programs_are_refused() {
    let server = TestServer::start(|_| ());
    for query in [
        "readfile \"/etc/passwd.cqo\"",
        "writefile(\"/tmp/a.cqo\" \"x\")",
        "commandpipe(\"id\" currentfen)",
        "similarposition \"/etc/passwd.pgn\"",
    ] {
        for call in ["search", "explain"] {
            let answer = server.post(call, &json!({"query": query}));
            assert_eq!(
                (answer.status, answer.code().as_str()),
                (403, "refused"),
                "{query}: {}",
                answer.body
            );
            assert!(!answer.json()["error"]["diagnostics"].as_array().unwrap().is_empty());
        }
        // The page shows it while the query is written.
        let checked = server.post("check", &json!({"query": query})).json();
        assert_eq!(checked["diagnostics"][0]["severity"], "error");
    }
    for query in
        ["import \"/etc/passwd\" mate", "import \"../../a\" mate", "import \"secret.txt\" mate"]
    {
        let answer = server.post("search", &json!({"query": query}));
        assert_eq!((answer.status, answer.code().as_str()), (400, "query"), "{query}");
    }
}

#[test]
fn a_token_guards_the_calls() {
    let server = TestServer::start(|config| config.token = Some("secret".to_owned()));
    for head in [
        "",
        "authorization: Bearer wrong\r\n",
        "authorization: secret\r\n",
        "authorization: Basic secret\r\n",
    ] {
        for path in ["/api/databases", "/api/games/masters-2k/1", "/metrics", "/api/nosuch"] {
            let answer = server.get_with(path, head);
            assert_eq!((answer.status, answer.code().as_str()), (401, "token"), "{path} {head}");
            assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
        }
        for call in
            ["search", "check", "group", "why", "format", "convert", "explain", "complete", "hover"]
        {
            let answer = server.raw(post(call, "{\"query\": \"mate\"}", head).as_bytes());
            assert_eq!(answer.status, 401, "{call}");
        }
    }
    let good = "authorization: Bearer secret\r\n";
    assert_eq!(server.get_with("/api/databases", good).status, 200);
    assert_eq!(server.raw(post("check", "{\"query\": \"mate\"}", good).as_bytes()).status, 200);
    // The page itself asks for the token.
    assert_eq!((server.get("/").status, server.get("/healthz").status), (200, 200));
}

#[test]
fn other_hosts_and_origins_are_refused() {
    let server = TestServer::start(|config| config.hosts = vec!["chess.example".to_owned()]);
    let code = |head: &str| {
        let answer = server.get_with("/api/databases", head);
        (answer.status, if answer.status == 200 { String::new() } else { answer.code() })
    };
    let refused = |code: &str| (403, code.to_owned());
    let fine = (200, String::new());
    assert_eq!(code("host: evil.example\r\n"), refused("host"));
    assert_eq!(code("host: localhost.evil.example:80\r\n"), refused("host"));
    assert_eq!(code("host: \r\n"), refused("host"));
    assert_eq!(code("host: chess.example\r\n"), fine);
    assert_eq!(code("host: 10.0.0.7:8080\r\n"), fine);
    for origin in [
        "http://evil.example",
        "null",
        "http://localhost:1",
        "file://",
        "https://localhost.evil.example",
    ] {
        assert_eq!(code(&format!("origin: {origin}\r\n")), refused("origin"), "{origin}");
    }
    assert_eq!(code("origin: http://localhost\r\n"), fine);
    assert_eq!(code("host: chess.example\r\norigin: https://chess.example\r\n"), fine);
    // The page is not served under another name, either.
    assert_eq!(server.get_with("/", "host: evil.example\r\n").status, 403);
}

#[test]
fn no_answer_has_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("club.pgn");
    std::fs::copy(masters(), &path).unwrap();
    let server = TestServer::of(vec![DatabaseSpec::of_argument(&path)], |_| ());
    let shown = folder.path().to_str().unwrap();
    let mut answers = vec![
        server.get("/api/databases"),
        server.get("/api/games/club/1"),
        server.get("/metrics"),
        server.post("search", &json!({"query": "mate", "games": true})),
        server.post("search", &json!({"query": "mate", "columns": ["input", "white", "offset"]})),
        server.post("search", &json!({"query": "mate", "columns": ["file", "source"]})),
        server.post("group", &json!({"query": "mate", "by": ["year"]})),
        server.post("group", &json!({"query": "mate", "by": ["input"]})),
        server.post("why", &json!({"query": "mate", "database": "club", "game": 1})),
    ];
    // Windows does not remove a mapped file.
    if cfg!(unix) {
        std::fs::remove_file(&path).unwrap();
    }
    answers.push(server.post("search", &json!({"query": "mate"})));
    answers.push(server.get("/api/games/club/1"));
    for answer in &answers {
        assert!(!answer.body.contains(shown) && !answer.body.contains("/tmp"), "{}", answer.body);
    }
    if cfg!(unix) {
        assert_eq!(answers.last().unwrap().code(), "changed");
    }
    // Whoever runs the server was not told of a bug.
    assert_eq!(*server.log.lock().unwrap(), Vec::<String>::new());
}

#[test]
fn nonsense_is_answered() {
    let server = TestServer::start(|_| ());
    for (request, status) in [
        (&b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..], 400),
        (b"GET /api/databases\r\n\r\n", 400),
        (b"GET / HTTP/9.9\r\nhost: localhost\r\n\r\n", 400),
        (b"POST /api/check HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n", 400),
        (b"POST /api/check HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nxxxxxx", 400),
        (b"DELETE /api/databases HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n", 405),
        (b"GET /api/databases HTTP/1.0\r\n\r\n", 403),
    ] {
        let answer = server.raw(request);
        assert!([status, 0].contains(&answer.status), "{request:?}: {answer:?}");
        assert_eq!(server.get("/healthz").status, 200);
    }
    let answer = server.get("/api/games/%ff/1");
    assert_eq!((answer.status, answer.code().as_str()), (404, "database"));
    for body in [
        "",
        "{",
        "[]",
        "null",
        "{\"query\": 5}",
        "{\"query\": \"mate\", \"query\": \"mate\"}",
        "\u{0}",
    ] {
        for call in
            ["check", "search", "group", "why", "format", "convert", "explain", "complete", "hover"]
        {
            let answer = server.raw(post(call, body, "").as_bytes());
            assert_eq!(
                (answer.status, answer.code().as_str()),
                (400, "request"),
                "{call} {body:?}"
            );
        }
    }
    let answer = server.raw(
        &[
            post("check", "", "").replace("content-length: 0", "content-length: 2").as_bytes(),
            b"\xff\xfe",
        ]
        .concat(),
    );
    assert_eq!((answer.status, answer.code().as_str()), (400, "request"));
    // A deep query, and one that copies itself.
    for query in ["(".repeat(100_000), "not ".repeat(50_000), "shift ".repeat(200) + "Ka1"] {
        let answer = server.post("check", &json!({"query": query}));
        assert_eq!(answer.status, 200, "{}", answer.body);
        for call in ["complete", "hover"] {
            let answer = server.post(call, &json!({"query": query, "offset": query.len()}));
            assert_eq!(answer.status, 200, "{}", answer.body);
        }
    }
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn markup_in_tags_is_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    std::fs::write(&path, "[White \"<script>alert(1)</script>\"]\n\n1. e4 *\n").unwrap();
    let server = TestServer::of(vec![DatabaseSpec::of_argument(&path)], |_| ());
    let answer = server.post("search", &json!({"query": "initial"}));
    assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.lines()[0]["white"], "<script>alert(1)</script>");
}

#[test]
fn a_server_for_others_needs_a_token_or_the_word_public() {
    let config = |change: fn(&mut ServeConfig)| {
        let mut config = ServeConfig::new(vec![DatabaseSpec::of_argument(masters())]);
        config.listen = "0.0.0.0:0".parse().unwrap();
        change(&mut config);
        Server::open(config).map(drop)
    };
    assert!(matches!(config(|_| ()), Err(ServeError::Open { .. })));
    assert!(config(|config| config.token = Some("secret".to_owned())).is_ok());
    assert!(config(|config| config.public = true).is_ok());
    assert!(matches!(
        config(|config| config.token = Some("a b".to_owned())),
        Err(ServeError::BadToken)
    ));
    assert!(matches!(
        config(|config| config.token = Some(String::new())),
        Err(ServeError::BadToken)
    ));
}
