//! The end of a server, and of what it serves.

use std::io::{Read as _, Write as _};
use std::time::Duration;

use babson_serve::{DatabaseSpec, ServeConfig, ServeError, Server};
use serde_json::json;

use crate::client::{Answer, TestServer, masters, post, wait_until};

/// Some hundred milliseconds in all games.
const BUSY: &str = "x = 0 while (x < 30) x += 1 mate";
/// Minutes.
const SLOW: &str = "x = 0 while (x < 3000) x += 1 false";

fn begin(server: &TestServer, query: &str) -> std::net::TcpStream {
    let mut client = server.connect();
    client.write_all(post("search", &json!({"query": query}).to_string(), "").as_bytes()).unwrap();
    wait_until("the search begins", || server.metric("babson_jobs_running") == 1);
    client
}

#[test]
fn the_end_of_the_server_lets_searches_end() {
    let server = TestServer::start(|_| ());
    let mut client = begin(&server, BUSY);
    let mut idle = server.connect();
    server.stopper.stop();
    let lines = Answer::read(&mut client).lines();
    let summary = lines.last().unwrap();
    assert_eq!((&summary["games"], &summary["stopped"]), (&json!(2000), &serde_json::Value::Null));
    let address = server.address;
    server.wait();
    assert!(std::net::TcpStream::connect(address).is_err());
    assert_eq!(idle.read(&mut [0; 10]).unwrap_or(0), 0);
}

#[test]
fn searches_that_take_too_long_are_cancelled() {
    let server = TestServer::start(|config| config.limits.grace = Duration::from_millis(100));
    let mut client = begin(&server, SLOW);
    server.stopper.stop();
    let lines = Answer::read(&mut client).lines();
    assert_eq!(lines.last().unwrap()["stopped"], "cancelled");
    server.wait();
}

/// Clients that send or take nothing do not hold the end, nor do searches.
#[test]
fn a_second_stop_waits_for_nobody() {
    let hour = Duration::from_secs(3600);
    let server = TestServer::start(|config| {
        config.jobs = 2;
        config.limits.grace = hour;
        config.limits.head_time = hour;
        config.limits.body_time = hour;
        config.limits.write_time = hour;
    });
    let mut clients = [server.connect(), server.connect(), server.connect()];
    clients[0].write_all(b"POST /api/sear").unwrap();
    let half = post("check", "{\"query\": \"mate\"}", "");
    clients[1].write_all(&half.as_bytes()[..half.len() - 5]).unwrap();
    // Games that nobody takes.
    let all = json!({"query": SLOW.replace("false", "true"), "games": true});
    clients[2].write_all(post("search", &all.to_string(), "").as_bytes()).unwrap();
    let mut client = server.connect();
    client.write_all(post("search", &json!({"query": SLOW}).to_string(), "").as_bytes()).unwrap();
    wait_until("both searches run", || server.metric("babson_jobs_running") == 2);
    server.stopper.stop();
    server.stopper.stop();
    let lines = Answer::read(&mut client).lines();
    assert_eq!(lines.last().unwrap()["stopped"], "cancelled");
    server.wait();
}

#[test]
fn those_who_wait_are_told_of_the_end() {
    let server = TestServer::start(|config| {
        config.jobs = 1;
        config.limits.grace = Duration::from_secs(2);
    });
    let _running = begin(&server, SLOW);
    let mut waiting = server.connect();
    waiting.write_all(post("search", "{\"query\": \"mate\"}", "").as_bytes()).unwrap();
    wait_until("it waits", || server.metric("babson_jobs_waiting") == 1);
    server.stopper.stop();
    let answer = Answer::read(&mut waiting);
    assert_eq!((answer.status, answer.code().as_str()), (503, "ending"));
    server.wait();
}

/// Windows does not let a mapped file be cut, replaced or removed.
#[cfg(unix)]
#[test]
fn a_file_that_changes_is_told() {
    use std::path::Path;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("club.pgn");
    let text = std::fs::read(masters()).unwrap();
    type Change = fn(&Path, &[u8]) -> std::io::Result<()>;
    // Games are appended; another file gets the name; there is none; the mapped pages are gone.
    let changes: [Change; 4] = [
        |path, text| std::fs::write(path, [text, b"\n\n1. e4 *\n"].concat()),
        |path, text| {
            let other = path.with_extension("new");
            std::fs::write(&other, text)?;
            std::fs::rename(other, path)
        },
        |path, _| std::fs::remove_file(path),
        |path, _| std::fs::write(path, b""),
    ];
    for change in changes {
        std::fs::write(&path, &text).unwrap();
        let server = TestServer::of(vec![DatabaseSpec::of_argument(&path)], |_| ());
        assert_eq!(server.search(&json!({"query": "mate"})).last().unwrap()["games"], 2000);
        change(&path, &text).unwrap();
        for answer in [
            server.post("search", &json!({"query": "mate"})),
            server.get("/api/games/club/1"),
            server.post("group", &json!({"query": "mate", "by": ["year"]})),
            server.post("why", &json!({"query": "mate", "database": "club", "game": 1})),
        ] {
            assert_eq!(
                (answer.status, answer.code().as_str()),
                (503, "changed"),
                "{}",
                answer.body
            );
            assert!(answer.body.contains("`club`"));
        }
        assert_eq!(server.get("/healthz").status, 200);
    }
}

/// The pages of a mapped file disappear under a search. It ends with an error, and nothing else
/// does.
#[cfg(unix)]
#[test]
fn a_file_that_is_truncated_under_a_search_ends_only_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("club.pgn");
    let text = std::fs::read(masters()).unwrap();
    std::fs::write(&path, text.repeat(10)).unwrap();
    let other = DatabaseSpec::of_argument(masters());
    let server = TestServer::of(vec![DatabaseSpec::of_argument(&path), other], |_| ());
    let mut client = server.connect();
    let body = json!({"query": BUSY, "databases": ["club"]}).to_string();
    client.write_all(post("search", &body, "").as_bytes()).unwrap();
    wait_until("the search begins", || server.metric("babson_jobs_running") == 1);
    std::fs::File::create(&path).unwrap();
    let lines = Answer::read(&mut client).lines();
    let last = lines.last().unwrap();
    assert_eq!((&last["type"], &last["code"]), (&json!("error"), &json!("changed")), "{last}");
    let body = json!({"query": "mate", "databases": ["masters-2k"]});
    assert_eq!(server.search(&body).last().unwrap()["games"], 2000);
}

#[test]
fn a_server_that_cannot_start_says_why() {
    let open = |databases: Vec<DatabaseSpec>| {
        let mut config = ServeConfig::new(databases);
        config.listen = "127.0.0.1:0".parse().unwrap();
        Server::open(config).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(open(Vec::new()), "no database is named");
    let spec = DatabaseSpec::of_argument(masters());
    assert!(
        open(vec![spec.clone(), spec.clone()]).contains("two databases are named `masters-2k`")
    );
    assert!(open(vec![DatabaseSpec::new("a\nb", masters())]).contains("`a\\nb` is not a name"));
    assert!(open(vec![DatabaseSpec::of_argument("nosuch.pgn")]).contains("nosuch.pgn"));
    assert!(open(vec![DatabaseSpec::new("stdin", "-")]).contains("cannot read standard input"));
    let folder = tempfile::tempdir().unwrap();
    let query = folder.path().join("mate.pgn");
    std::fs::write(&query, "").unwrap();
    assert!(open(vec![DatabaseSpec::of_argument(&query)]).contains("`mate` has no games"));
    for host in ["", "http://chess.example", "chess.example:80", "chess.example/"] {
        let mut config = ServeConfig::new(vec![spec.clone()]);
        config.hosts = vec![host.to_owned()];
        assert!(matches!(Server::open(config), Err(ServeError::BadHost { .. })), "{host}");
    }
    for host in ["0.0.0.0", "::1"] {
        let mut config = ServeConfig::new(vec![spec.clone()]);
        config.hosts = vec![host.to_owned()];
        assert!(matches!(Server::open(config), Err(ServeError::HostAddress { .. })), "{host}");
    }
    let mut config = ServeConfig::new(vec![spec.clone()]);
    config.token = Some("secret".to_owned());
    config.public = true;
    assert!(matches!(Server::open(config), Err(ServeError::TokenAndPublic)));
    let taken = TestServer::start(|_| ());
    let mut config = ServeConfig::new(vec![spec]);
    config.listen = taken.address;
    assert!(matches!(Server::open(config), Err(ServeError::Listen { .. })));
}
