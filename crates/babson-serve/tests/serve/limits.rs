//! Limits: each has an answer that names it, and none ends the server.

use std::io::{Read as _, Write as _};
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Answer, TestServer, post, wait_until};

/// A query that takes some milliseconds in each game, but never more steps than it may.
const SLOW: &str = "x = 0 while (x < 3000) x += 1 false";

#[test]
fn a_long_body_is_refused() {
    let server = TestServer::start(|_| ());
    let head = "POST /api/check HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n";
    let announced = format!("{head}content-length: 104857600\r\n\r\n{{\"query\":\"");
    let answer = server.raw(announced.as_bytes());
    assert_eq!((answer.status, answer.code().as_str()), (413, "large"));
    assert!(answer.body.contains("262144 bytes"), "{}", answer.body);
    // Without a length, the server finds out while it reads.
    let mut client = server.connect();
    client.write_all(format!("{head}transfer-encoding: chunked\r\n\r\n").as_bytes()).unwrap();
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    for _ in 0..5 {
        client.write_all(chunk.as_bytes()).unwrap();
    }
    let mut begin = [0; 12];
    client.read_exact(&mut begin).unwrap();
    assert_eq!(&begin, b"HTTP/1.1 413");
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_slow_client_gets_no_more_time() {
    let server = TestServer::start(|config| {
        config.limits.head_time = Duration::from_millis(200);
        config.limits.body_time = Duration::from_millis(200);
    });
    // Half a head, none at all, and half a body.
    for begin in ["POST /api/che", "", "GET / HTTP/1.1\r\nhost: localhost\r\nx: "] {
        let mut client = server.connect();
        client.write_all(begin.as_bytes()).unwrap();
        let answer = Answer::read(&mut client);
        assert!([0, 408].contains(&answer.status), "{answer:?}");
    }
    let mut client = server.connect();
    let request = post("check", "{\"query\": \"mate\"}", "");
    client.write_all(&request.as_bytes()[..request.len() - 5]).unwrap();
    let answer = Answer::read(&mut client);
    assert_eq!((answer.status, answer.code().as_str()), (408, "slow"));
    // A client that goes away in the middle leaves nothing behind.
    let mut client = server.connect();
    client.write_all(&request.as_bytes()[..request.len() - 5]).unwrap();
    drop(client);
    wait_until("the connections end", || server.metric("babson_connections") == 1);
}

#[test]
fn a_head_has_a_length() {
    let server = TestServer::start(|_| ());
    let head = format!("x: {}\r\n", "y".repeat(100_000));
    let answer = server.get_with("/healthz", &head);
    assert!([0, 431].contains(&answer.status), "{}", answer.status);
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn an_endless_query_ends() {
    let server = TestServer::start(|_| ());
    let lines = server.search(&json!({"query": "while (true) true"}));
    let summary = lines.last().unwrap();
    assert_eq!((&summary["type"], &summary["stopped"]), (&json!("summary"), &json!("steps")));
    let message = &lines[lines.len() - 2];
    assert_eq!((&message["type"], &message["game"]), (&json!("message"), &json!(1)));
    assert!(message["text"].as_str().unwrap().contains("steps"), "{message}");
}

#[test]
fn a_search_has_a_time() {
    let server = TestServer::start(|_| ());
    let lines = server.search(&json!({"query": SLOW, "timeout": 0.3}));
    let summary = lines.last().unwrap();
    assert_eq!((&summary["type"], &summary["stopped"]), (&json!("summary"), &json!("timeout")));
    assert!(summary["games"].as_u64().unwrap() < 2000);
    assert_eq!(summary["stopped_by"], "request");
    let answer = server.post("group", &json!({"query": SLOW, "by": ["year"], "timeout": 0.3}));
    assert_eq!((answer.status, answer.code().as_str()), (503, "timeout"));
    assert!(answer.body.contains("the 0.3 s that the request names"), "{}", answer.body);
    for timeout in [json!(0), json!(-1)] {
        let answer = server.post("search", &json!({"query": "mate", "timeout": timeout}));
        assert_eq!((answer.status, answer.code().as_str()), (400, "request"));
    }
    let answer = server.post("search", &json!({"query": "mate", "limit": 0}));
    assert_eq!((answer.status, answer.code().as_str()), (400, "request"));
    // The server has a time, too.
    let server = TestServer::start(|config| config.timeout = Duration::from_millis(300));
    let lines = server.search(&json!({"query": SLOW, "timeout": 1000}));
    let summary = lines.last().unwrap();
    assert_eq!(
        (&summary["stopped"], &summary["stopped_by"]),
        (&json!("timeout"), &json!("server"))
    );
    let answer = server.post("group", &json!({"query": SLOW, "by": ["year"]}));
    assert!(answer.body.contains("the 0.3 s that the server gives to a call"), "{}", answer.body);
}

#[test]
fn the_server_bounds_the_matches() {
    let server = TestServer::start(|config| config.max_matches = 7);
    for limit in [Value::Null, json!(1000)] {
        let lines = server.search(&json!({"query": "true", "limit": limit}));
        let summary = lines.last().unwrap();
        assert_eq!((&summary["matches"], &summary["stopped"]), (&json!(7), &json!("limit")));
        assert_eq!(summary["stopped_by"], "server");
    }
    let lines = server.search(&json!({"query": "true", "limit": 5}));
    let summary = lines.last().unwrap();
    assert_eq!((&summary["stopped"], &summary["stopped_by"]), (&json!("limit"), &json!("request")));
    let lines = server.search(&json!({"query": "gamenumber == 3"}));
    assert_eq!(lines.last().unwrap().get("stopped_by"), None);
}

/// The search stops when its client goes away: it does not search all games, and the next search
/// begins.
#[test]
fn closing_the_connection_cancels_a_search() {
    let server = TestServer::start(|config| config.jobs = 1);
    let mut client = server.connect();
    client.write_all(post("search", &json!({"query": SLOW}).to_string(), "").as_bytes()).unwrap();
    // The answer has begun.
    let mut begin = [0; 15];
    client.read_exact(&mut begin).unwrap();
    assert_eq!(&begin, b"HTTP/1.1 200 OK");
    drop(client);
    wait_until("the search ends", || server.metric("babson_jobs_running") == 0);
    assert_eq!(server.metric("babson_cancelled_total"), 1);
    assert!(server.metric("babson_games_searched_total") < 2000);
    assert_eq!(server.search(&json!({"query": "mate"})).last().unwrap()["games"], 2000);
    // One that waits goes away, too.
    let mut running = server.connect();
    running.write_all(post("search", &json!({"query": SLOW}).to_string(), "").as_bytes()).unwrap();
    running.read_exact(&mut begin).unwrap();
    let mut waiting = server.connect();
    waiting
        .write_all(
            post("group", &json!({"query": SLOW, "by": ["year"]}).to_string(), "").as_bytes(),
        )
        .unwrap();
    wait_until("it waits", || server.metric("babson_jobs_waiting") == 1);
    drop(waiting);
    wait_until("it waits no more", || server.metric("babson_jobs_waiting") == 0);
    wait_until("it is counted", || server.metric("babson_cancelled_total") == 2);
}

/// Each call that reads games counts when it is cancelled, and none that ends does.
#[test]
fn all_cancelled_calls_are_counted() {
    let server = TestServer::start(|_| ());
    assert_eq!(server.search(&json!({"query": "mate"})).last().unwrap()["games"], 2000);
    assert_eq!(server.post("group", &json!({"query": "mate", "by": ["year"]})).status, 200);
    let why = json!({"query": "mate", "database": "masters-2k", "game": 1});
    assert_eq!(server.post("why", &why).status, 200);
    assert_eq!(server.get("/api/games/masters-2k/1").status, 200);
    assert_eq!(server.metric("babson_cancelled_total"), 0);
    for (count, call, body) in [
        (1, "search", json!({"query": SLOW})),
        (2, "group", json!({"query": SLOW, "by": ["year"]})),
    ] {
        let mut client = server.connect();
        client.write_all(post(call, &body.to_string(), "").as_bytes()).unwrap();
        wait_until("it runs", || server.metric("babson_jobs_running") == 1);
        drop(client);
        wait_until("it is counted", || server.metric("babson_cancelled_total") == count);
    }
}

#[test]
fn some_searches_run_some_wait_and_others_are_refused() {
    let server = TestServer::start(|config| {
        config.jobs = 1;
        config.limits.waiting = 2;
    });
    let body = post("search", &json!({"query": SLOW, "timeout": 1}).to_string(), "");
    let mut clients = Vec::new();
    for (running, waiting) in [(1, 0), (1, 1), (1, 2)] {
        let mut client = server.connect();
        client.write_all(body.as_bytes()).unwrap();
        clients.push(client);
        wait_until("it runs or waits", || {
            server.metric("babson_jobs_running") == running
                && server.metric("babson_jobs_waiting") == waiting
        });
    }
    let group = json!({"query": "mate", "by": ["year"]});
    for (call, body) in [("search", json!({"query": "mate"})), ("group", group)] {
        let answer = server.post(call, &body);
        assert_eq!((answer.status, answer.code().as_str()), (429, "busy"));
        assert_eq!(answer.header("retry-after"), Some("5"));
    }
    // Short calls have places of their own, and so have calls about one game: the page shows boards
    // while it searches.
    assert_eq!(server.post("check", &json!({"query": "mate"})).status, 200);
    let why = json!({"query": "mate", "database": "masters-2k", "game": 1});
    assert_eq!(server.post("why", &why).status, 200);
    assert_eq!(server.get("/api/games/masters-2k/1").status, 200);
    for client in &mut clients {
        assert_eq!(Answer::read(client).lines().last().unwrap()["stopped"], "timeout");
    }
}

#[test]
fn sixty_four_searches_at_once_are_answered() {
    let server = TestServer::start(|_| ());
    let expected = server.search(&json!({"query": "mate"})).last().unwrap()["matches"].clone();
    std::thread::scope(|scope| {
        let ask = || server.search(&json!({"query": "mate"})).last().unwrap()["matches"].clone();
        let all: Vec<_> = (0..64).map(|_| scope.spawn(ask)).collect();
        for one in all {
            assert_eq!(one.join().unwrap(), expected);
        }
    });
    // A search gives up its place after its last line, which may have been read by then.
    wait_until("all have ended", || {
        server.metric("babson_jobs_running") == 0 && server.metric("babson_jobs_waiting") == 0
    });
}

#[test]
fn silent_connections_take_no_place_for_ever() {
    let server = TestServer::start(|config| {
        config.limits.connections = 50;
        config.limits.head_time = Duration::from_millis(500);
    });
    // Most are refused at once. Their connections end.
    let idle: Vec<_> = (0..600).map(|_| server.connect()).collect();
    wait_until("the idle ones lose their places", || server.get("/healthz").status == 200);
    assert!(server.metric("babson_refused_connections_total") > 0);
    drop(idle);
}

#[test]
fn a_client_that_takes_nothing_ends_its_own_search() {
    let server = TestServer::start(|config| {
        config.jobs = 1;
        config.limits.write_time = Duration::from_millis(500);
    });
    // Megabytes of games that nobody takes.
    let mut client = server.connect();
    let body = json!({"query": "true", "games": true}).to_string();
    client.write_all(post("search", &body, "").as_bytes()).unwrap();
    wait_until("the search begins", || {
        server.metric("babson_games_searched_total") > 0
            || server.metric("babson_jobs_running") == 1
    });
    wait_until("the search ends", || server.metric("babson_jobs_running") == 0);
    assert_eq!(server.search(&json!({"query": "mate", "limit": 1})).last().unwrap()["matches"], 1);
    drop(client);
}
