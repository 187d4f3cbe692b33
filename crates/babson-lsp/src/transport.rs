//! Messages on standard input and output.
//!
//! The client is another program, and its bytes are checked before they cost memory: a header says
//! how long a body is, and only what has arrived is kept.

use std::io::{self, BufRead, Read, Write};
use std::thread::{Builder, JoinHandle};

use crossbeam::channel::bounded;
use lsp_server::{Connection, ErrorCode, Message};
use lsp_types::notification::{Exit, Notification as _};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use crate::LspError;
use crate::limits::{MAX_HEADER, MAX_MESSAGE};

/// The threads that read and write.
pub(crate) struct Transport {
    reader: JoinHandle<Result<(), LspError>>,
    writer: JoinHandle<io::Result<()>>,
}

/// Connects a client on standard input and output.
///
/// # Errors
/// The system has no thread.
pub(crate) fn stdio() -> io::Result<(Connection, Transport)> {
    let (to_server, from_client) = bounded(0);
    let (to_client, from_server) = bounded::<Message>(0);
    let reader = Builder::new().name("reader".into()).spawn(move || {
        let mut input = io::stdin().lock();
        let mut refuse = |refusal: &Value| {
            // The loop of the server notices a client that is gone.
            let _ = write(refusal);
        };
        while let Some(message) = next(&mut input, &mut refuse)? {
            let is_exit =
                matches!(&message, Message::Notification(one) if one.method == Exit::METHOD);
            if to_server.send(message).is_err() || is_exit {
                break;
            }
        }
        Ok(())
    })?;
    let writer = Builder::new().name("writer".into()).spawn(move || {
        from_server.iter().try_for_each(|message| message.write(&mut io::stdout().lock()))
    })?;
    let connection = Connection { sender: to_client, receiver: from_client };
    Ok((connection, Transport { reader, writer }))
}

impl Transport {
    /// Waits until the last message is written and the input has ended. The server has dropped its
    /// connection before.
    ///
    /// # Errors
    /// The input had something else than messages, or could not be read.
    pub(crate) fn join(self) -> Result<(), LspError> {
        // A client that does not read has gone, and the end of its input says so.
        let _ = self.writer.join();
        let panicked = |_| LspError::System(io::Error::other("the reader of messages panicked"));
        self.reader.join().map_err(panicked)?
    }
}

/// The next message of the client; `None` at the end of the input. A body that is not a message is
/// refused, and the next one counts: the headers tell where it begins.
///
/// # Errors
/// The bytes are not headers, so that nothing tells where the next message begins; the body is too
/// long; the input ends in a message, or cannot be read.
fn next(
    input: &mut impl BufRead,
    refuse: &mut dyn FnMut(&Value),
) -> Result<Option<Message>, LspError> {
    loop {
        let length = match headers(input) {
            Ok(Some(length)) => length,
            Ok(None) => return Ok(None),
            Err(error) => {
                refuse(&refusal(&Value::Null, ErrorCode::ParseError, &error.to_string()));
                return Err(error);
            }
        };
        let mut body = Vec::new();
        // The buffer grows with what arrives.
        let read = input.by_ref().take(length).read_to_end(&mut body).map_err(LspError::System)?;
        if (read as u64) < length {
            let why = format!("the input ends after {read} of {length} bytes of a message");
            return Err(LspError::Protocol(why));
        }
        match serde_json::from_slice(&body) {
            // A request with an id that is not one reads as a notification.
            Ok(Message::Notification(_)) if has_id(&body) => refuse(&refusal_of(&body)),
            Ok(message) => return Ok(Some(message)),
            Err(_) => refuse(&refusal_of(&body)),
        }
    }
}

/// Whether a body in JSON has an id that is not `null`.
fn has_id(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Envelope {
        id: Option<IgnoredAny>,
    }
    serde_json::from_slice::<Envelope>(body).is_ok_and(|envelope| envelope.id.is_some())
}

/// The answer to a body that is not a message.
fn refusal_of(body: &[u8]) -> Value {
    match serde_json::from_slice::<Value>(body) {
        Err(error) => {
            let why = format!("the body of the message is not JSON: {error}");
            refusal(&Value::Null, ErrorCode::ParseError, &why)
        }
        Ok(value) => {
            let id = value.get("id").filter(|id| id.is_string() || id.is_number());
            let why = "the body is not a request, a notification or a response";
            refusal(id.unwrap_or(&Value::Null), ErrorCode::InvalidRequest, why)
        }
    }
}

/// An answer that is an error, for an id that may be `null` or not an integer of the protocol.
fn refusal(id: &Value, code: ErrorCode, why: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code as i32, "message": why}})
}

/// Reads the headers of a message: the number of bytes of its body. `None` at the end of the input.
fn headers(input: &mut impl BufRead) -> Result<Option<u64>, LspError> {
    let wrong = |why: String| Err(LspError::Protocol(why));
    let mut left = MAX_HEADER;
    let mut length = None;
    let mut is_first = true;
    loop {
        let mut line = Vec::new();
        input.by_ref().take(left).read_until(b'\n', &mut line).map_err(LspError::System)?;
        left -= line.len() as u64;
        if line.is_empty() && is_first && left > 0 {
            return Ok(None);
        }
        if line.pop_if(|last| *last == b'\n').is_none() {
            return wrong(match left {
                0 => format!("the headers are longer than {MAX_HEADER} bytes"),
                _ => "the input ends in the headers of a message".to_owned(),
            });
        }
        line.pop_if(|last| *last == b'\r');
        let line = String::from_utf8_lossy(&line);
        if line.is_empty() && !is_first {
            return match length {
                Some(length) => Ok(Some(length)),
                None => wrong("the headers have no `Content-Length`".to_owned()),
            };
        }
        is_first = false;
        let Some((name, value)) = line.split_once(':') else {
            return wrong(format!("`{}` is not a header", shown(&line)));
        };
        if name.trim().eq_ignore_ascii_case("Content-Length") {
            let value = value.trim();
            length = match value.parse::<u64>() {
                Ok(length) if length <= MAX_MESSAGE => Some(length),
                Ok(length) => {
                    let most = MAX_MESSAGE >> 20;
                    return wrong(format!("a message of {length} bytes is longer than {most} MiB"));
                }
                Err(_) => {
                    let shown = shown(value);
                    return wrong(format!("`Content-Length: {shown}` is not a number of bytes"));
                }
            };
        }
    }
}

/// The begin of a line that may have any bytes.
fn shown(line: &str) -> String {
    const SHOWN: usize = 80;
    line.chars().take(SHOWN).collect::<String>().escape_debug().to_string()
}

/// Writes a message, as one piece: two threads write.
fn write(body: &Value) -> io::Result<()> {
    let body = body.to_string();
    let mut output = io::stdout().lock();
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The methods of the messages, the codes of the refusals, and why the input ended.
    fn read(mut input: &[u8]) -> (Vec<String>, Vec<i64>, String) {
        let (mut methods, mut codes) = (Vec::new(), Vec::new());
        let mut refuse = |refusal: &Value| {
            codes.push(refusal["error"]["code"].as_i64().unwrap());
        };
        let why = loop {
            match next(&mut input, &mut refuse) {
                Ok(Some(Message::Request(request))) => methods.push(request.method),
                Ok(Some(Message::Notification(one))) => methods.push(one.method),
                Ok(Some(Message::Response(one))) => methods.push(format!("response {}", one.id)),
                Ok(None) => break String::new(),
                Err(error) => break error.to_string(),
            }
        };
        (methods, codes, why)
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn a_body_that_is_not_a_message_is_refused() {
        let mut input = String::new();
        for body in [
            r#"{"jsonrpc":"2.0","method":"first"}"#,
            "hello",
            "[]",
            r#"{"jsonrpc":"2.0","id":[1],"method":"second"}"#,
            r#"{"jsonrpc":"2.0","id":7}"#,
            "",
            &"[".repeat(1000),
            r#"{"jsonrpc":"2.0","id":"a","method":"third","params":{"text":"♕"}}"#,
            r#"{"jsonrpc":"2.0","id":8,"result":null}"#,
        ] {
            input += &framed(body);
        }
        let (methods, codes, why) = read(input.as_bytes());
        assert_eq!(methods, ["first", "third", "response 8"]);
        assert_eq!(codes, [-32700, -32600, -32600, -32600, -32700, -32700]);
        assert_eq!(why, "");
        let refusal = refusal_of(br#"{"jsonrpc":"2.0","id":7}"#);
        assert_eq!((&refusal["id"], &refusal["error"]["code"]), (&json!(7), &json!(-32600)));
    }

    #[test]
    fn headers_may_be_written_in_many_ways() {
        let body = r#"{"jsonrpc":"2.0","method":"exit"}"#;
        for headers in [
            format!(
                "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: {}\r\n\r\n",
                body.len()
            ),
            format!("content-length:{}\n\n", body.len()),
        ] {
            let (methods, codes, why) = read((headers + body).as_bytes());
            assert_eq!((methods, codes, why), (vec!["exit".to_owned()], vec![], String::new()));
        }
    }

    /// None of these costs more memory than its bytes.
    #[test]
    fn hostile_headers_end_the_input() {
        let long = format!("Content-Type: {}\r\n\r\n", "x".repeat(1 << 20));
        for (input, why) in [
            (
                "Content-Length: 99999999999\r\n\r\n{}",
                "a message of 99999999999 bytes is longer than 64 MiB",
            ),
            ("Content-Length: 99999999999999999999999\r\n\r\n{}", "is not a number of bytes"),
            ("Content-Length: -5\r\n\r\n{}", "`Content-Length: -5` is not a number of bytes"),
            ("Content-Length: \u{1b}[2J\r\n\r\n{}", "`Content-Length: \\u{1b}[2J` is not a number"),
            ("Content-Type: text\r\n\r\n{}", "the headers have no `Content-Length`"),
            ("\r\n\r\n", "`` is not a header"),
            ("GET / HTTP/1.1\r\n\r\n", "`GET / HTTP/1.1` is not a header"),
            ("{\"jsonrpc\"", "the input ends in the headers of a message"),
            (long.as_str(), "the headers are longer than"),
        ] {
            let (methods, codes, found) = read(input.as_bytes());
            assert!(found.starts_with("not a message of the protocol: "), "{found}");
            assert!(found.contains(why), "{found}");
            assert_eq!((methods.len(), codes), (0, vec![-32700]), "{input:?}");
        }
        let (_, codes, why) = read(b"Content-Length: 60000000\r\n\r\n{}");
        assert!(why.ends_with("the input ends after 2 of 60000000 bytes of a message"), "{why}");
        assert!(codes.is_empty(), "{codes:?}");
    }
}
