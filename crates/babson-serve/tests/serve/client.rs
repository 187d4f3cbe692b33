//! A server in this process, and a client that sends any bytes.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use babson_serve::{DatabaseSpec, ServeConfig, Server, Stopper};
use serde_json::Value;

/// A server that ends with the value.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    pub(crate) stopper: Stopper,
    thread: Option<JoinHandle<()>>,
    /// What the server logged.
    pub(crate) log: Arc<Mutex<Vec<String>>>,
}

/// A query that fails in game 17 for want of memory, and finds the mates of the others.
pub(crate) const FAILS_IN_17: &str =
    "if (gamenumber == 17) {x = \"a\" while (ply < 9999) x += x} else mate";

/// The 2000 games of masters.
pub(crate) fn masters() -> PathBuf {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/games/masters-2k.pgn");
    PathBuf::from(root)
}

impl TestServer {
    /// A server of the games of masters.
    pub(crate) fn start(change: impl FnOnce(&mut ServeConfig)) -> TestServer {
        TestServer::of(vec![DatabaseSpec::of_argument(masters())], change)
    }

    /// A server of some databases.
    pub(crate) fn of(
        databases: Vec<DatabaseSpec>,
        change: impl FnOnce(&mut ServeConfig),
    ) -> TestServer {
        let log = Arc::new(Mutex::new(Vec::new()));
        let mut config = ServeConfig::new(databases);
        config.listen = "127.0.0.1:0".parse().unwrap();
        let lines = Arc::clone(&log);
        config.log = Arc::new(move |line| lines.lock().unwrap().push(line.to_owned()));
        change(&mut config);
        let server = Server::open(config).unwrap();
        let (address, stopper) = (server.address(), server.stopper());
        let thread = Some(std::thread::spawn(move || server.run()));
        TestServer { address, stopper, thread, log }
    }

    /// Waits for the end of the server.
    pub(crate) fn wait(mut self) {
        self.thread.take().unwrap().join().unwrap();
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let client = TcpStream::connect(self.address).unwrap();
        client.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        client
    }

    /// Sends a request as it is, and reads the answer to the end of the connection.
    pub(crate) fn raw(&self, request: &[u8]) -> Answer {
        let mut client = self.connect();
        // A server that refuses a request may close before it has all of it.
        let _ = client.write_all(request);
        Answer::read(&mut client)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.get_with(path, "")
    }

    /// A request with more lines in its head.
    pub(crate) fn get_with(&self, path: &str, head: &str) -> Answer {
        let host = if head.starts_with("host:") { "" } else { "host: localhost\r\n" };
        self.raw(format!("GET {path} HTTP/1.1\r\n{host}connection: close\r\n{head}\r\n").as_bytes())
    }

    pub(crate) fn post(&self, call: &str, body: &Value) -> Answer {
        self.raw(post(call, &body.to_string(), "").as_bytes())
    }

    /// The lines of the answer of a search.
    pub(crate) fn search(&self, body: &Value) -> Vec<Value> {
        let answer = self.post("search", body);
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.lines()
    }

    /// A counter of the metrics.
    pub(crate) fn metric(&self, name: &str) -> u64 {
        let text = self.get("/metrics").body;
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{name} is not in\n{text}")).parse().unwrap()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(std::thread::panicking() || ended.is_ok());
        }
    }
}

/// A request of a call, with more lines in its head.
pub(crate) fn post(call: &str, body: &str, head: &str) -> String {
    let length = body.len();
    format!(
        "POST /api/{call} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n{head}\r\n{body}"
    )
}

/// What a server answers.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    /// Reads to the end of the connection; an answer that is cut has the status 0.
    pub(crate) fn read(client: &mut TcpStream) -> Answer {
        let mut bytes = Vec::new();
        // A connection that is reset has the bytes before it.
        let _ = client.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            return Answer { status: 0, head: text.into_owned(), body: String::new() };
        };
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let is_chunked = head.to_lowercase().contains("transfer-encoding: chunked");
        let body = if is_chunked { unchunked(&bytes[head.len() + 4..]) } else { body.to_owned() };
        Answer { status: status.unwrap_or(0), head: head.to_owned(), body }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The objects of a stream.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let line =
            |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        self.body.lines().map(line).collect()
    }

    /// The code of an error.
    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

fn unchunked(mut bytes: &[u8]) -> String {
    let mut out = Vec::new();
    while let Some(end) = bytes.windows(2).position(|pair| pair == b"\r\n") {
        let size = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let size = usize::from_str_radix(&size, 16).unwrap();
        bytes = &bytes[end + 2..];
        if size == 0 || bytes.len() < size {
            break;
        }
        out.extend_from_slice(&bytes[..size]);
        bytes = &bytes[(size + 2).min(bytes.len())..];
    }
    String::from_utf8(out).unwrap()
}

/// Waits until something holds, for 12,000 looks.
pub(crate) fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let holds_at_last = (0..12_000).any(|_| {
        let held = holds();
        if !held {
            std::thread::sleep(Duration::from_millis(10));
        }
        held
    });
    assert!(holds_at_last, "never: {what}");
}
