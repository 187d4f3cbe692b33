//! `babson serve` as a process: its start, its options, its signals.
#![cfg(unix)]

mod common;
mod signals;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

const MASTERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/games/masters-2k.pgn");
/// Minutes in all games, but few steps in each.
const SLOW: &str = r#"{"query": "x = 0 while (x < 3000) x += 1 false"}"#;
/// Some hundred milliseconds in all games.
const BUSY: &str = r#"{"query": "x = 0 while (x < 30) x += 1 mate"}"#;

/// A server, with its address. It ends with the value.
struct Process(Child, String);

impl Process {
    fn start(words: &[&str]) -> Process {
        let mut child = Command::new(env!("CARGO_BIN_EXE_babson"))
            .args(["serve", MASTERS, "--listen", "0"])
            .args(words)
            .env_remove("BABSON_CONFIG")
            .env_remove("BABSON_TOKEN")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
        assert_eq!(lines.next().unwrap(), "babson: masters-2k: 2000 games");
        let line = lines.next().unwrap();
        let (_, rest) = line.split_once("http://").unwrap_or_else(|| panic!("{line}"));
        let address = rest.split('/').next().unwrap().to_owned();
        Process(child, address)
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).unwrap();
    }

    /// The exit code; `None` after a signal.
    fn code(&mut self) -> Option<i32> {
        self.0.wait().unwrap().code()
    }

    fn send(&self, request: &str) -> TcpStream {
        let mut client = TcpStream::connect(&self.1).unwrap();
        client.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        client.write_all(request.as_bytes()).unwrap();
        client
    }

    fn get(&self, path: &str) -> String {
        let head = "host: localhost\r\nconnection: close\r\n\r\n";
        read(self.send(&format!("GET {path} HTTP/1.1\r\n{head}")))
    }

    /// Begins a search, and waits until it runs.
    fn search(&self, body: &str) -> TcpStream {
        let head = format!("host: localhost\r\ncontent-length: {}\r\n\r\n", body.len());
        let client =
            self.send(&format!("POST /api/search HTTP/1.1\r\nconnection: close\r\n{head}{body}"));
        wait_until("the search begins", || {
            self.get("/metrics").contains("\nbabson_jobs_running 1\n")
        });
        client
    }
}

/// Waits until something holds, for 12,000 looks.
fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let holds_at_last = (0..12_000).any(|_| {
        let held = holds();
        if !held {
            std::thread::sleep(Duration::from_millis(10));
        }
        held
    });
    assert!(holds_at_last, "never: {what}");
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn read(mut client: TcpStream) -> String {
    let mut answer = Vec::new();
    let _ = client.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn a_signal_lets_searches_end() {
    for (name, number) in signals::heeded(&[("SIGTERM", 15), ("SIGINT", 2)]) {
        let mut server = Process::start(&[]);
        let running = server.search(BUSY);
        server.signal(Signal::from_named_raw(number).unwrap());
        let answer = read(running);
        assert!(
            answer.contains(r#""games":2000"#) && answer.contains(r#""stopped":null"#),
            "{name}: {answer}"
        );
        assert_eq!(server.code(), Some(0), "{name}");
    }
}

#[test]
fn a_second_signal_ends_them() {
    let mut server = Process::start(&[]);
    let running = server.search(SLOW);
    server.signal(Signal::TERM);
    // A signal that comes at the same time as another one is lost.
    wait_until("it listens no more", || TcpStream::connect(&server.1).is_err());
    server.signal(Signal::TERM);
    assert!(read(running).contains(r#""stopped":"cancelled""#));
    assert_eq!(server.code(), Some(0));
}

#[test]
fn a_killed_server_starts_again() {
    let mut server = Process::start(&[]);
    let running = server.search(SLOW);
    let port = server.1.rsplit(':').next().unwrap().to_owned();
    server.signal(Signal::KILL);
    assert_eq!(server.code(), None);
    drop(running);
    let again = Process::start(&["--listen", &port]);
    assert!(again.get("/api/databases").contains(r#""games":2000"#));
    assert!(again.1.ends_with(&port));
}

#[test]
fn options_are_those_of_the_server() {
    let server =
        Process::start(&["--token", "secret", "--host", "chess.example", "--max-matches", "3"]);
    assert!(server.get("/api/databases").contains(" 401 "));
    let head = "host: chess.example\r\nauthorization: Bearer secret\r\nconnection: close\r\n";
    let body = r#"{"query": "mate"}"#;
    let length = format!("content-length: {}\r\n", body.len());
    let answer =
        read(server.send(&format!("POST /api/search HTTP/1.1\r\n{head}{length}\r\n{body}")));
    assert!(
        answer.contains(r#""matches":3,"#) && answer.contains(r#""stopped":"limit""#),
        "{answer}"
    );
}

/// An address of the output can be typed into a browser, also if the server listens on all.
#[test]
fn all_addresses_are_told_by_one_that_works() {
    let server = Process::start(&["--public", "--listen", "0.0.0.0:0"]);
    assert!(server.1.starts_with("127.0.0.1:"), "{}", server.1);
    assert!(server.get("/healthz").ends_with("ok\n"));
}

#[test]
fn mistakes_are_told_before_it_listens() {
    let folder = tempfile::tempdir().unwrap();
    for (words, code, text) in [
        (
            &["serve"][..],
            2,
            "which database? Name its file, or name it in a file babson.toml; usage:",
        ),
        (&["serve", MASTERS, "--listen", "0.0.0.0:0"], 2, "(--token T, --public)"),
        (
            &["serve", MASTERS, "--listen", "elsewhere"],
            2,
            "'elsewhere' is not an address with a port",
        ),
        (&["serve", MASTERS, "--token", "a b", "--listen", "0"], 2, "printable ASCII"),
        (&["serve", MASTERS, MASTERS, "--listen", "0"], 2, "two databases are named `masters-2k`"),
        (&["serve", "nosuch.pgn", "--listen", "0"], 3, "nosuch.pgn"),
        (&["serve", MASTERS, "--jobs", "0"], 2, "jobs"),
        (&["serve", MASTERS, "--port", "9000"], 2, "unknown option --port: write `--listen 9000`"),
        (&["serve", MASTERS, "-p", "9000"], 2, "write `--listen 9000`"),
        (&["serve", MASTERS, "--bind", "0.0.0.0:80"], 2, "write `--listen 0.0.0.0:80`"),
        (&["serve", MASTERS, "--limit", "5"], 2, "write `--max-matches 5`"),
        (&["serve", MASTERS, "--listen", "0.0.0.0"], 2, "write `--listen 0.0.0.0:8080`"),
        (&["serve", MASTERS, "--host", "0.0.0.0"], 2, "(--listen ADDRESS:PORT listens on"),
        (&["serve", MASTERS, "--token", "t", "--public"], 2, "$BABSON_TOKEN, --public)"),
    ] {
        let output = common::babson(folder.path(), words);
        let told = common::text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {told}");
        assert!(told.contains(text), "{words:?}: {told}");
    }
}

#[test]
fn without_a_database_those_of_the_project_are_served() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("below")).unwrap();
    let games = "[Event \"a\"]\n\n1. e4 *\n";
    for name in ["club.pgn", "a=b.pgn"] {
        std::fs::write(folder.path().join(name), games).unwrap();
    }
    let project = "database = ['club.pgn', 'a=b.pgn']\n";
    std::fs::write(folder.path().join("babson.toml"), project).unwrap();
    for below in ["", "below"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_babson"))
            .args(["serve", "--listen", "0"])
            .current_dir(folder.path().join(below))
            .env_remove("BABSON_CONFIG")
            .env_remove("BABSON_TOKEN")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
        let told = [lines.next().unwrap(), lines.next().unwrap()];
        assert_eq!(told, ["babson: club: 1 games", "babson: a=b: 1 games"]);
        assert!(lines.next().unwrap().contains("serving at"));
        kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    let output = common::babson(folder.path(), &["serve", "--no-project", "--listen", "0"]);
    assert_eq!(output.status.code(), Some(2));
}
