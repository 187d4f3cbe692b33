//! Databases that are read over the network, by the real command from a server of the test.

#![cfg(feature = "remote")]

mod common;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Output;
use std::sync::Arc;
use std::thread;

use common::{babson, text};

/// Serves the files of a folder, with ranges. Returns the URL of the folder.
fn serve(folder: &Path) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let folder = Arc::new(folder.to_owned());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let folder = Arc::clone(&folder);
            thread::spawn(move || answer(stream, &folder));
        }
    });
    url
}

/// Answers the requests of a connection.
fn answer(mut stream: TcpStream, folder: &Path) {
    let mut byte = [0];
    loop {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            match stream.read(&mut byte) {
                Ok(1) => head.push(byte[0]),
                Ok(_) | Err(_) => return,
            }
        }
        let head = String::from_utf8_lossy(&head).to_ascii_lowercase();
        let name = head.split([' ', '?']).nth(1).unwrap_or_default().trim_start_matches('/');
        let Ok(file) = std::fs::read(folder.join(name)) else {
            let _ = stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
            continue;
        };
        let range = head.lines().find_map(|line| {
            let (start, end) = line.strip_prefix("range: bytes=")?.split_once('-')?;
            let end = end.parse().map_or(file.len(), |last: usize| file.len().min(last + 1));
            Some(start.parse::<usize>().ok()?..end)
        });
        let (status, place) = match &range {
            Some(range) => {
                let (start, last) = (range.start, range.end - 1);
                let place = format!("Content-Range: bytes {start}-{last}/{}\r\n", file.len());
                ("206 Partial Content", place)
            }
            None => ("200 OK", String::new()),
        };
        let bytes = &file[range.unwrap_or(0..file.len())];
        let fields = format!("ETag: \"1\"\r\nContent-Length: {}\r\n{place}", bytes.len());
        let _ = write!(stream, "HTTP/1.1 {status}\r\n{fields}\r\n");
        let _ = stream.write_all(bytes);
    }
}

/// What the command prints on standard error, after a run with this exit code.
fn errors(folder: &Path, words: &[&str], code: i32) -> String {
    let Output { status, stderr, .. } = babson(folder, words);
    let errors = text(&stderr);
    assert_eq!(status.code(), Some(code), "{words:?}: {errors}");
    errors
}

/// A folder with `games.pgn`, `games.pgn.zst` and `games.arrow`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games");
    let pgn = std::fs::read(corpus.join("masters-2k.pgn")).unwrap();
    std::fs::write(folder.path().join("games.pgn"), &pgn).unwrap();
    let compressed = zstd::encode_all(&pgn[..], 3).unwrap();
    std::fs::write(folder.path().join("games.pgn.zst"), compressed).unwrap();
    errors(folder.path(), &["pack", "games.pgn", "-o", "games.arrow"], 0);
    folder
}

#[test]
fn the_same_games_come_from_a_server() {
    let folder = folder();
    let (path, url) = (folder.path(), serve(folder.path()));
    for name in ["games.pgn", "games.pgn.zst", "games.arrow"] {
        let url = format!("{url}/{name}?signature=sesame");
        for query in ["mate", "Qh7 check", "player \"Alekhine\"", "true"] {
            let search = |input: &str, output: &str| {
                errors(path, &["-i", input, "--cql", query, "-o", output], 0)
            };
            search(name, "near.pgn");
            let told = search(&url, "far.pgn");
            assert!(!told.contains("sesame"), "{told}");
            let [near, far] = ["near.pgn", "far.pgn"].map(|name| path.join(name));
            let [near, far] = [near, far].map(|file| std::fs::read(file).unwrap());
            assert!(near == far, "{name} {query}");
        }
    }
    // A database may be named without -i, and a query find nothing.
    let words = [&*format!("{url}/games.pgn"), "--cql", "false", "--count"];
    assert_eq!(babson(path, &words).stdout, b"0\n");
}

/// A table is never read as a whole, and `--stats` says what was read.
#[test]
fn a_search_reads_a_part_of_a_table() {
    let folder = folder();
    let (path, url) = (folder.path(), serve(folder.path()));
    let url = format!("{url}/games.arrow");
    let told = errors(path, &["-i", &url, "--cql", "mate", "--count", "--stats"], 0);
    let line = told.lines().find(|line| line.starts_with("read over the network: ")).unwrap();
    let numbers = line.split(|letter: char| !letter.is_ascii_digit());
    let numbers: Vec<u64> = numbers.filter_map(|number| number.parse().ok()).collect();
    let length = std::fs::metadata(path.join("games.arrow")).unwrap().len();
    assert_eq!(numbers[1..3], [1, length], "{line}");
    // Of a small table its beginning and its end are a tenth.
    assert!(numbers[0] < length / 5 && numbers[3] < 8, "{line}");
    let told = errors(path, &["-i", "games.arrow", "--cql", "mate", "--count", "--stats"], 0);
    assert!(!told.contains("network"), "{told}");
}

#[test]
fn slices_of_a_server() {
    let folder = folder();
    let (path, url) = (folder.path(), serve(folder.path()));
    errors(path, &["-i", "games.pgn", "--cql", "mate", "-o", "near.pgn"], 0);
    let near = std::fs::read(path.join("near.pgn")).unwrap();
    for name in ["games.pgn", "games.pgn.zst", "games.arrow"] {
        let plan = babson(path, &["plan", &format!("{url}/{name}"), "--slices", "3"]);
        let plan = text(&plan.stdout);
        let mut parts = vec!["merge".to_owned()];
        for (number, slice) in plan.lines().enumerate() {
            let part = format!("{number}.part");
            errors(path, &["scan", "--slice", slice, "--cql", "mate", "-o", &part], 0);
            parts.push(part);
        }
        assert_eq!(parts.len(), if name.ends_with("zst") { 2 } else { 4 });
        parts.extend(["-o", "far.pgn"].map(str::to_owned));
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        errors(path, &parts, 0);
        assert!(std::fs::read(path.join("far.pgn")).unwrap() == near, "{name}");
    }
    let told = errors(path, &["plan", &format!("{url}/games.pgn?key=sesame")], 3);
    assert!(told.contains("its URL has a query") && !told.contains("sesame"), "{told}");
}

#[test]
fn a_file_that_a_server_does_not_have_is_a_broken_input() {
    let folder = folder();
    let (path, url) = (folder.path(), serve(folder.path()));
    for name in ["none.pgn", "none.arrow"] {
        let url = format!("{url}/{name}?key=sesame");
        let told = errors(path, &["-i", &url, "-i", "games.pgn", "--cql", "mate"], 3);
        assert!(told.contains("the server has no such file (404)"), "{told}");
        assert!(told.contains("32 matches of 2000 games") && !told.contains("sesame"), "{told}");
    }
    let told = errors(path, &["-i", &format!("{url}/games.pgn"), "--cache", "much"], 2);
    assert!(told.contains("'much' is not a number of bytes, such as 64M or 1G"), "{told}");
}
