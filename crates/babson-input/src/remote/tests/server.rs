//! A server of one file, for the tests: it gives ranges, and misbehaves if a test wants it.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// A request.
#[derive(Clone, Debug)]
pub(super) struct Request {
    /// The path and the query.
    pub(super) target: String,
    /// The first byte and, unless the rest is requested, the end of the requested range.
    pub(super) range: Option<(usize, Option<usize>)>,
}

/// A server that runs until the test program ends.
pub(super) struct Server {
    port: u16,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// A server that answers each request by this function. Its second argument is the number of
    /// the request, from 0.
    pub(super) fn new(
        answer: impl Fn(&Request, usize, &mut TcpStream) + Send + Sync + 'static,
    ) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (known, answer) = (Arc::clone(&requests), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { continue };
                let (known, answer) = (Arc::clone(&known), Arc::clone(&answer));
                std::thread::spawn(move || {
                    let Some(request) = read_request(&mut stream) else { return };
                    let number = {
                        let mut known = known.lock().unwrap();
                        known.push(request.clone());
                        known.len() - 1
                    };
                    answer(&request, number, &mut stream);
                });
            }
        });
        Server { port, requests }
    }

    /// A server of a file that behaves well.
    pub(super) fn of(file: impl Into<Arc<[u8]>>) -> Server {
        let file = file.into();
        Server::new(move |request, _, stream| give(request, stream, &file, "\"1\""))
    }

    /// The URL of a file on it.
    pub(super) fn url(&self, name: &str) -> String {
        format!("http://127.0.0.1:{}/{name}", self.port)
    }

    pub(super) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

fn read_request(stream: &mut TcpStream) -> Option<Request> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let target = head.split(' ').nth(1)?.to_owned();
    let range = head.lines().find_map(|line| {
        let line = line.to_ascii_lowercase();
        let (start, end) = line.strip_prefix("range: bytes=")?.split_once('-')?;
        Some((start.parse().ok()?, end.parse().ok().map(|last: usize| last + 1)))
    });
    Some(Request { target, range })
}

/// The bytes that a request asks of a file of this length.
pub(super) fn asked(request: &Request, length: usize) -> Range<usize> {
    let (start, end) = request.range.unwrap_or((0, None));
    start..end.unwrap_or(length).min(length)
}

/// Writes the head of an answer with these fields.
pub(super) fn head(stream: &mut TcpStream, status: &str, fields: &str) {
    let _ = write!(stream, "HTTP/1.1 {status}\r\nConnection: close\r\n{fields}\r\n");
}

/// Writes the head of an answer with the requested bytes of a file of this length.
pub(super) fn file_head(request: &Request, stream: &mut TcpStream, length: usize, tag: &str) {
    let Range { start, end } = asked(request, length);
    let fields = format!("ETag: {tag}\r\nContent-Length: {}\r\n", end - start);
    match request.range {
        Some(_) => {
            let last = end.saturating_sub(1);
            let place = format!("{fields}Content-Range: bytes {start}-{last}/{length}\r\n");
            head(stream, "206 Partial Content", &place);
        }
        None => head(stream, "200 OK", &fields),
    }
}

/// Answers with the requested bytes of a file.
pub(super) fn give(request: &Request, stream: &mut TcpStream, file: &[u8], tag: &str) {
    if request.range.is_some_and(|(start, _)| start >= file.len()) {
        return head(stream, "416 Range Not Satisfiable", "Content-Length: 0\r\n");
    }
    file_head(request, stream, file.len(), tag);
    let _ = stream.write_all(&file[asked(request, file.len())]);
}
