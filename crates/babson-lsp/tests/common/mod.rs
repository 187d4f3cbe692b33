//! A client of the language server, over the standard streams of a process.

#![allow(dead_code, reason = "each test binary uses a part")]

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use lsp_types::Url;
use serde_json::{Value, json};

/// How long a client waits before it gives a server up: far longer than any answer takes, also on a
/// busy machine in a build without optimization.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// The folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text of a query of the corpus.
pub(crate) fn corpus_query(name: &str) -> String {
    let path = root().join("corpus/queries").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The name of a document that is a file.
pub(crate) fn file_uri(path: &Path) -> String {
    Url::from_file_path(path).expect("an absolute path").to_string()
}

/// The name of a document that is not a file.
pub(crate) const UNTITLED: &str = "untitled:query.cql";

pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Notifications and requests of the server that nobody has looked at.
    pub(crate) unread: VecDeque<Value>,
    next: i64,
    /// What the server gets when it asks for the settings.
    pub(crate) settings: Value,
}

impl Client {
    /// Starts a server without a handshake.
    pub(crate) fn start(server: &Path) -> Client {
        Client::start_in(server, Path::new("."))
    }

    /// Starts a server in a folder without a handshake.
    pub(crate) fn start_in(server: &Path, folder: &Path) -> Client {
        let mut child = Command::new(server)
            .current_dir(folder)
            .env("XDG_CACHE_HOME", std::env::temp_dir().join("babson-lsp-tests"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", server.display()));
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("the output of the server");
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            while let Some(message) = read(&mut stdout) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Client { child, stdin, messages, unread: VecDeque::new(), next: 0, settings: Value::Null }
    }

    /// Starts a server and makes the handshake.
    pub(crate) fn ready(server: &Path, params: Value) -> Client {
        let mut client = Client::start(server);
        client.initialize(params).expect("an answer to initialize");
        client.notify("initialized", json!({}));
        client
    }

    pub(crate) fn initialize(&mut self, params: Value) -> Result<Value, Value> {
        let mut all = json!({"processId": std::process::id(), "rootUri": null, "capabilities": {}});
        for (name, value) in params.as_object().into_iter().flatten() {
            all[name] = value.clone();
        }
        self.request("initialize", all)
    }

    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("the input of the server");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("a server that reads");
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.write_bytes(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and returns its id.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The next message of the server; requests of the server are answered.
    pub(crate) fn next_message(&mut self) -> Value {
        let message = self.messages.recv_timeout(PATIENCE).expect("a message of the server");
        if let (Some(id), Some(method)) = (message.get("id"), message.get("method")) {
            let result = match method.as_str() {
                Some("workspace/configuration") => json!([self.settings]),
                _ => Value::Null,
            };
            let answer = json!({"jsonrpc": "2.0", "id": id, "result": result});
            self.send(&answer);
        }
        message
    }

    /// The answer of a request: its result, or its error.
    pub(crate) fn answer(&mut self, id: i64) -> Result<Value, Value> {
        let is_it = |message: &Value| {
            message.get("id") == Some(&json!(id)) && message.get("method").is_none()
        };
        let known = self.unread.iter().position(is_it);
        let message = match known.and_then(|at| self.unread.remove(at)) {
            Some(message) => message,
            None => loop {
                let message = self.next_message();
                if is_it(&message) {
                    break message;
                }
                self.unread.push_back(message);
            },
        };
        match message.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(message["result"].clone()),
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.ask(method, params);
        self.answer(id)
    }

    /// The next notification or request of the server with this method.
    pub(crate) fn wait_for(&mut self, method: &str) -> Value {
        let is_it = |message: &Value| message.get("method") == Some(&json!(method));
        if let Some(at) = self.unread.iter().position(is_it) {
            return self.unread.remove(at).expect("a message");
        }
        loop {
            let message = self.next_message();
            if is_it(&message) {
                return message;
            }
            self.unread.push_back(message);
        }
    }

    pub(crate) fn open(&mut self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "cql", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// A request about a document at a place.
    pub(crate) fn at(&mut self, method: &str, uri: &str, line: u32, column: u32) -> Value {
        let params = json!({
            "textDocument": {"uri": uri},
            "position": {"line": line, "character": column},
        });
        self.request(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// A request about a whole document.
    pub(crate) fn of(&mut self, method: &str, uri: &str) -> Value {
        let params = json!({"textDocument": {"uri": uri}});
        self.request(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Closes the input of the server, as a client does that dies.
    pub(crate) fn close_input(&mut self) {
        self.stdin = None;
    }

    pub(crate) fn wait_for_end(&mut self) -> ExitStatus {
        self.child.wait().expect("the end of the server")
    }

    /// What the server said on standard error, up to its end.
    pub(crate) fn errors(&mut self) -> String {
        let mut text = String::new();
        let stderr = self.child.stderr.as_mut().expect("the errors of the server");
        stderr.read_to_string(&mut text).expect("the errors of the server");
        text
    }

    /// Ends the server as the protocol asks for it.
    pub(crate) fn shut_down(mut self) {
        assert_eq!(self.request("shutdown", Value::Null), Ok(Value::Null));
        self.notify("exit", Value::Null);
        assert!(self.wait_for_end().success());
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A server that has ended cannot be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads one message; `None` at the end of the output.
fn read(from: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.parse().expect("a length");
        }
    }
    let mut text = vec![0; length];
    from.read_exact(&mut text).ok()?;
    Some(serde_json::from_slice(&text).expect("a message in JSON"))
}

/// The line and the column in UTF-16 of a byte.
pub(crate) fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.matches('\n').count();
    let column: usize = before[start..].chars().map(char::len_utf16).sum();
    json!({"line": line, "character": column})
}

/// A query with this number of lines, as people write them: functions, loops, calls, comments.
pub(crate) fn long_query(lines: usize) -> String {
    let mut text = "// A long query.\ncql(input games.pgn)\n".to_owned();
    let mut number = 0;
    while text.matches('\n').count() + 12 <= lines {
        number += 1;
        text += &format!(
            "// The pieces that attack more than {number} others.\n\
             function busy{number}(pieces limit) {{\n  \
               square one in pieces {{\n    \
                 targets = a & ~(p | one)\n    \
                 #(one attacks targets) > limit\n  \
               }}\n\
             }}\n\
             total{number} = #[QR] + #[qr] * {number}\n\
             if total{number} > 3 then {{ wtm check }} else {{ btm not check }}\n\
             flip {{ busy{number}([QRBN] 1) K attacks [Pp] }}\n\
             find quiet {{ ♕ attacks ♚ total{number} > 1 }}\n\n"
        );
    }
    while text.matches('\n').count() < lines {
        text += "mate\n";
    }
    text
}
