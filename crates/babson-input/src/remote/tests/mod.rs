mod server;

use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use babson_pgn::{Needs, Reader};
use babson_table::{Column, ColumnSet, Compression, GameOrigin, Rows, TableWriter};
use server::{Request, Server, asked, file_head, give, head};

use super::*;
use crate::{FileChange, Input, InputError, OpenInput};

/// A text of this many games.
fn pgn(games: usize) -> Vec<u8> {
    let game = |number| {
        format!("[White \"Player {number}\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n")
    };
    (0..games).map(game).collect::<String>().into_bytes()
}

/// A table of this many games.
fn table(games: usize) -> Vec<u8> {
    let mut writer = TableWriter::new(std::io::Cursor::new(Vec::new()), "test");
    let mut reader = Reader::new();
    let text = "[White \"Anderssen, Adolf\"]\n[Black \"Kieseritzky\"]\n\n1. f3 e5 2. g4 Qh4# 0-1";
    for number in 1..=games as u64 {
        let mut rows = Rows::default();
        let origin = GameOrigin { input: "a.pgn", number, offset: 0, length: 0, line: 1 };
        rows.add(&reader.read(text.as_bytes(), Needs::ALL), origin);
        writer.append(&rows).unwrap();
    }
    let mut file = Vec::new();
    writer.finish(&mut file, Compression::None).unwrap();
    file
}

/// An input of a server that may be silent for some seconds.
fn input(url: &str) -> Input {
    silent_input(url, Duration::from_secs(5))
}

/// An input of a server that may be silent for this time.
fn silent_input(url: &str, silence: Duration) -> Input {
    Input::Remote(RemoteFile::with_silence(Path::new(url), silence).unwrap())
}

fn traffic(input: &Input) -> Traffic {
    remote_file(input).traffic()
}

fn remote_file(input: &Input) -> &RemoteFile {
    let Input::Remote(file) = input else { panic!("{input:?} is not remote") };
    file
}

/// The number of games of an input, or why it cannot be read. The message does not have the query.
fn count(input: &Input) -> Result<usize, String> {
    let mut games = 0;
    for game in input.games() {
        let error = game.map(|_| games += 1).map_err(|error| (format!("{error:?}"), error));
        error.map_err(|(debug, error)| {
            assert!(!debug.contains("sesame") && !format!("{input:?}").contains("sesame"));
            error.to_string()
        })?;
    }
    Ok(games)
}

/// Why an input cannot be read, after its name.
fn reason(input: &Input) -> String {
    let error = count(input).unwrap_err();
    assert!(!error.contains("sesame"), "{error}");
    let (name, reason) = error.split_once(": ").unwrap();
    assert_eq!(name, format!("cannot read {}", input.name()));
    reason.to_owned()
}

#[test]
fn text_is_read() {
    let text = pgn(3000);
    let file = Server::of(&*text);
    let plain = input(&file.url("games.pgn"));
    assert_eq!(plain.size(), Some(text.len() as u64));
    assert_eq!(count(&plain), Ok(3000));
    // Its beginning and then its text.
    assert_eq!(file.requests().len(), 2);
    assert_eq!(traffic(&plain), Traffic { requests: 2, bytes: text.len() as u64 + 64 });
    // A second time the beginning is known.
    assert_eq!((count(&plain), traffic(&plain).requests), (Ok(3000), 3));
    assert_eq!(count(&input(&Server::of(&b""[..]).url("a.pgn"))), Ok(0));
}

#[cfg(all(feature = "gzip", feature = "zstd", feature = "zip"))]
#[test]
fn compressed_text_is_read() {
    let compressed = zstd::encode_all(&pgn(3000)[..], 1).unwrap();
    let file = Server::of(compressed);
    assert_eq!(count(&input(&file.url("games.pgn.zst"))), Ok(3000));
    assert_eq!(count(&input(&file.url("a%20b/games"))), Ok(3000));
    assert_eq!(file.requests().pop().unwrap().target, "/a%20b/games");
    let wrong = Server::of(pgn(1));
    let error = count(&input(&wrong.url("games.pgn.gz"))).unwrap_err();
    assert!(error.starts_with("cannot decompress http://127.0.0.1:"), "{error}");
    let archive = Server::of(&b"PK\x03\x04"[..]);
    assert!(reason(&input(&archive.url("games.zip"))).contains("save it to a file"));
}

#[test]
fn a_table_is_read_in_parts() {
    let file: Arc<[u8]> = table(4000).into();
    let server = Server::of(Arc::clone(&file));
    let remote = input(&server.url("games.arrow"));
    let OpenInput::Table(open) = remote.open(true).unwrap() else { panic!("it is not a table") };
    let before = traffic(&remote).bytes;
    assert!(before < 200_000, "{before}");
    let near = babson_table::Table::open(file.to_vec().into()).unwrap();
    for columns in [ColumnSet::of(&[Column::FLAGS]), ColumnSet::GAME] {
        let [near, far] = [&near, &open.table].map(|table| table.batch(0, columns).unwrap());
        assert_eq!(near.flags(), far.flags());
    }
    // What is known is not read again.
    let before = traffic(&remote);
    open.table.batch(0, ColumnSet::GAME).unwrap();
    assert_eq!(traffic(&remote), before);
    assert_eq!(before.requests as usize, server.requests().len());
    open.verify().unwrap();
    assert!(traffic(&remote).bytes < file.len() as u64 * 12 / 10);
    assert_eq!(count(&remote), Ok(4000));
}

#[test]
fn a_small_cache_reads_again() {
    let server = Server::of(table(4000));
    for (limit, again) in [(0, true), (1 << 20, false)] {
        let remote = input(&server.url("games.arrow"));
        if let Input::Remote(file) = &remote {
            file.set_cache(limit);
        }
        let OpenInput::Table(open) = remote.open(true).unwrap() else { panic!("not a table") };
        open.table.batch(0, ColumnSet::of(&[Column::TAGS])).unwrap();
        let before = traffic(&remote).bytes;
        open.table.batch(0, ColumnSet::of(&[Column::TAGS])).unwrap();
        assert_eq!(traffic(&remote).bytes > before, again);
    }
}

/// Many threads that need the same parts of a table read them once.
#[test]
fn threads_share_what_is_read() {
    let server = Server::of(table(4000));
    let remote = input(&server.url("games.arrow"));
    let OpenInput::Table(open) = remote.open(true).unwrap() else { panic!("it is not a table") };
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| open.table.batch(0, ColumnSet::ALL).unwrap());
        }
    });
    let Traffic { bytes, .. } = traffic(&remote);
    assert!(bytes <= remote.size().unwrap() + 64, "{bytes}");
}

/// Answers with a part of what is requested, and ends.
fn break_off(request: &Request, stream: &mut TcpStream, file: &[u8], bytes: usize) {
    file_head(request, stream, file.len(), "\"1\"");
    let asked = asked(request, file.len());
    let end = asked.end.min(asked.start + bytes);
    let _ = stream.write_all(&file[asked.start..end]);
}

#[test]
fn a_lost_connection_is_taken_up_again() {
    let text = pgn(5000);
    let file = text.clone();
    let server = Server::new(move |request, _, stream| {
        break_off(request, stream, &file, 100_000);
    });
    let remote = input(&server.url("games.pgn"));
    assert_eq!(count(&remote), Ok(5000));
    assert_eq!(traffic(&remote).bytes, text.len() as u64 + 64);
    let pieces = text.len().div_ceil(100_000);
    assert_eq!(server.requests().len(), pieces + 1);
    // A range that breaks off is read again.
    let file = table(2000);
    let server = Server::new(move |request, number, stream| match number % 3 {
        1 => break_off(request, stream, &file, 10),
        _ => give(request, stream, &file, "\"1\""),
    });
    assert_eq!(count(&input(&server.url("games.arrow"))), Ok(2000));
}

#[test]
fn a_connection_that_is_lost_each_time_is_an_error() {
    let text = pgn(100);
    let server = Server::new(move |request, _, stream| match request.range {
        Some((_, Some(64))) => give(request, stream, &text, "\"1\""),
        _ => file_head(request, stream, text.len(), "\"1\""),
    });
    // So long that the pauses between the attempts do not use it up, also on a busy machine.
    let input = silent_input(&server.url("games.pgn?key=sesame"), Duration::from_secs(60));
    let reason = reason(&input);
    assert!(reason.starts_with("the connection to the server was lost"), "{reason}");
    assert!(server.requests().len() < 40);
}

#[test]
fn a_server_without_ranges() {
    let whole = |file: Vec<u8>| {
        Server::new(move |request, _, stream| {
            let request = Request { range: None, ..request.clone() };
            give(&request, stream, &file, "\"1\"");
        })
    };
    assert_eq!(count(&input(&whole(pgn(3000)).url("games.pgn"))), Ok(3000));
    let error = reason(&input(&whole(table(10)).url("games.arrow")));
    assert!(error.starts_with("the server does not give ranges of the file, as"), "{error}");
    let text = pgn(3000);
    let breaking = Server::new(move |request, _, stream| {
        break_off(&Request { range: None, ..request.clone() }, stream, &text, 70_000);
    });
    let error = reason(&input(&breaking.url("games.pgn")));
    assert!(error.contains("does not give the rest of the file alone"), "{error}");
}

#[test]
fn refusals_are_errors() {
    for (status, expected, most) in [
        ("401 Unauthorized", "the server denies access (401): check the credentials", 1),
        ("403 Forbidden", "the server denies access (403): check the credentials", 1),
        ("404 Not Found", "the server has no such file (404)", 1),
        ("418 I'm a teapot", "the server refuses the request (418)", 1),
        ("429 Too Many Requests", "the server has had too many requests (429): try again", 6),
        ("500 Internal Server Error", "the server has an error (500): try again later", 6),
        ("503 Service Unavailable", "the server has an error (503): try again later", 6),
        ("302 Found", "the server sends us elsewhere (302)", 1),
    ] {
        let server = Server::new(move |_, _, stream| {
            head(stream, status, "Content-Length: 6\r\n");
            let _ = stream.write_all(b"sesame");
        });
        for name in ["games.pgn?X-Amz-Signature=sesame", "games.arrow"] {
            let remote = silent_input(&server.url(name), Duration::from_secs(1));
            let reason = reason(&remote);
            assert!(reason.starts_with(expected), "{reason}");
            // The failure is known.
            assert_eq!((remote.size(), count(&remote).is_err()), (None, true));
        }
        assert!(server.requests().len() <= 2 * most, "{status}");
    }
}

#[test]
fn errors_that_pass_are_waited_for() {
    let file = pgn(10);
    let server = Server::new(move |request, number, stream| match number {
        0 => head(stream, "500 Internal Server Error", "Content-Length: 0\r\n"),
        1 | 3 => head(stream, "429 Too Many Requests", "Content-Length: 0\r\n"),
        _ => give(request, stream, &file, "\"1\""),
    });
    assert_eq!(count(&input(&server.url("games.pgn"))), Ok(10));
    assert_eq!(server.requests().len(), 5);
}

#[test]
fn a_file_that_changes_is_an_error() {
    let (text, file) = (pgn(3000), table(4000));
    let with_tag = |file: Vec<u8>| {
        Server::new(move |request, number, stream| {
            give(request, stream, &file, if number < 2 { "\"1\"" } else { "\"2\"" });
        })
    };
    // The text is one answer, and the second time it is another one.
    let remote = input(&with_tag(text).url("games.pgn"));
    assert_eq!(count(&remote), Ok(3000));
    let changed = |error: &InputError| {
        matches!(error, InputError::Changed { change: FileChange::Version, .. })
    };
    let error = remote.games().find_map(Result::err).unwrap();
    assert!(changed(&error), "{error}");
    let error = input(&with_tag(file).url("games.arrow")).open(true).err().unwrap();
    assert!(changed(&error), "{error}");
    // Without a tag, the length tells.
    let text = pgn(100);
    let server = Server::new(move |request, number, stream| {
        let length = text.len() - number.min(1) * 50;
        file_head(request, stream, length, "\"1\"");
        let _ = stream.write_all(&text[asked(request, length)]);
    });
    assert!(changed(&input(&server.url("games.pgn")).games().find_map(Result::err).unwrap()));
}

#[test]
fn a_server_that_stalls_is_an_error() {
    let stall = || std::thread::sleep(Duration::from_secs(60));
    let silent = Server::new(move |_, _, _| stall());
    let limit = Duration::from_millis(300);
    let error = reason(&silent_input(&silent.url("games.pgn?key=sesame"), limit));
    let too_slow = "the server does not answer, or sends less than 4 KiB a second";
    assert_eq!(error, too_slow);
    // After some of the file.
    let text = pgn(3000);
    let stalling = Server::new(move |request, _, stream| match request.range {
        Some((_, Some(64))) => give(request, stream, &text, "\"1\""),
        _ => {
            break_off(request, stream, &text, 2000);
            stall();
        }
    });
    let remote = silent_input(&stalling.url("games.pgn"), limit);
    // Each connection brings enough for the time that it takes, and stalls.
    assert_eq!(remote_file(&remote).read_range(0..6000).unwrap(), pgn(3000)[..6000]);
    // Bytes that trickle are too slow for a range.
    let slow = silent_input(&trickling(table(1)).url("games.arrow"), limit);
    assert_eq!(reason(&slow), too_slow);
    // And for a text, whose beginning comes at once.
    let slow = silent_input(&trickling(pgn(3000)).url("games.pgn"), limit);
    assert_eq!(reason(&slow), too_slow);
}

/// A server of a file that gives the first bytes at once, and of all others one after another.
fn trickling(file: Vec<u8>) -> Server {
    Server::new(move |request, _, stream| match request.range {
        Some((_, Some(64))) if file[0] == b'[' => give(request, stream, &file, "\"1\""),
        _ => {
            file_head(request, stream, file.len(), "\"1\"");
            for byte in &file[asked(request, file.len())] {
                std::thread::sleep(Duration::from_millis(100));
                if stream.write_all(&[*byte]).is_err() {
                    return;
                }
            }
        }
    })
}

#[test]
fn a_server_that_lies_is_an_error() {
    let text = pgn(100);
    type Lie = fn(&Request, &mut TcpStream, &[u8]);
    let lies: [(&str, Lie); 3] = [
        ("the server does not say what it sends", |request, stream, file| {
            // Another range than the requested one.
            let range = asked(request, file.len());
            let place = format!("bytes 7-{}/{}", range.len() + 6, file.len());
            let fields = format!("Content-Length: {}\r\nContent-Range: {place}\r\n", range.len());
            head(stream, "206 Partial Content", &fields);
            let _ = stream.write_all(&file[range]);
        }),
        ("the server does not say what it sends", |_, stream, _| {
            head(stream, "200 OK", "Transfer-Encoding: chunked\r\n");
            let _ = stream.write_all(b"1\r\na\r\n0\r\n\r\n");
        }),
        ("the connection to the server was lost", |_, stream, _| {
            let _ = stream.write_all(b"SSH-2.0-OpenSSH_9.6\r\n");
        }),
    ];
    for (expected, lie) in lies {
        let text = text.clone();
        let server = Server::new(move |request, _, stream| lie(request, stream, &text));
        let error = reason(&input(&server.url("games.pgn?key=sesame")));
        assert!(error.starts_with(expected), "{error}");
    }
    // A page of a login in place of the file.
    let server = Server::of(&b"<!DOCTYPE html><title>Welcome</title>"[..]);
    assert!(
        reason(&input(&server.url("games.arrow"))).starts_with("the file is not an Arrow file")
    );
    assert!(count(&input(&server.url("games.pgn"))).unwrap_err().contains("neither"));
}

#[test]
fn no_server_is_an_error() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = reason(&input(&format!("http://127.0.0.1:{port}/games.pgn?key=sesame")));
    assert!(error.starts_with("no connection to the server ("), "{error}");
}

#[test]
fn urls_that_are_not_read() {
    for (url, expected) in [
        ("https://sesame:sesame@host/a.pgn", "a URL with a user or a password is not read"),
        ("https://user:sesame/sesame@host/a.pgn", "it is not a URL of a file"),
        ("s3://AKIA:sesame@bucket/a.pgn", "a URL with a user or a password is not read"),
        ("s3://sesame@bucket/a.pgn", "a URL with a user or a password is not read"),
        ("s3://bucket/a.pgn?sesame", "only URLs of http and https have a query"),
        ("https://host/games/?sesame", "it is the URL of a folder"),
        ("https://host", "it is the URL of a folder"),
        ("https://", "it is not a URL of a file"),
        ("http://[::1/a.pgn", "it is not a URL of a file"),
    ] {
        let error = Input::expand(url).unwrap_err().to_string();
        assert!(error.contains(&format!(": {expected}")), "{error}");
        assert!(!error.contains("sesame"), "{error}");
    }
}

#[test]
fn connections_without_encryption() {
    for (url, expected) in [
        ("http://host/a.pgn", true),
        ("http://192.168.1.2/a.pgn", true),
        ("http://localhost:8000/a.pgn", false),
        ("http://127.0.0.2/a.pgn", false),
        ("http://[::1]:8000/a.pgn", false),
        ("https://host/a.pgn", false),
        ("HTTPS://host/a.pgn", false),
    ] {
        let file = RemoteFile::parse(Path::new(url)).unwrap();
        assert_eq!(file.is_insecure(), expected, "{url}");
    }
    let file = RemoteFile::parse(Path::new("https://host/a.pgn?key=sesame#2")).unwrap();
    assert_eq!((file.name(), file.has_query()), ("https://host/a.pgn", true));
    assert_eq!(file.url(), Path::new("https://host/a.pgn?key=sesame"));
    assert_eq!(file, RemoteFile::parse(Path::new("https://host/a.pgn?key=sesame")).unwrap());
    assert_ne!(file, RemoteFile::parse(Path::new("https://host/a.pgn")).unwrap());
}
