//! Inputs through the public interface: mapped and read files give the same results, and a file
//! that changes under the scan is an error that says how.

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;

use babson_engine::{
    DamagedGame, Destination, Error, Event, FileChange, FileSink, Input, InputError, Job, Observer,
    Settings, Summary, Task, scan,
};
use babson_lang::{Dialect, analyze};

/// Games of about four kilobytes. Every seventh is damaged.
fn games(number: usize) -> Vec<u8> {
    let mut text = Vec::new();
    for game in 0..number {
        let last = if game % 7 == 3 { "Ke5" } else { "Qh4#" };
        let comment = "x".repeat(4000);
        let tags = format!("[Event \"e{game}\"]\n[Round \"{game}\"]\n\n");
        text.extend(format!("{tags}1. f3 e5 {{{comment}}} 2. g4 {last} 0-1\n\n").into_bytes());
    }
    text
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn job(query: &str) -> Job {
    Job::new(&analyze(query, Dialect::CQLI).unwrap().query).unwrap()
}

/// Records the events of a scan, and runs an action at the first message.
#[derive(Default)]
struct Events<'a> {
    messages: Vec<u8>,
    damaged: Vec<DamagedGame>,
    action: Option<Box<dyn FnOnce() + 'a>>,
}

impl Observer for Events<'_> {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        match event {
            Event::Message { lines, .. } => {
                self.messages.extend(lines);
                if let Some(action) = self.action.take() {
                    action();
                }
            }
            Event::Damaged(game) => self.damaged.push(game),
            _ => {}
        }
        Ok(ControlFlow::Continue(()))
    }

    fn takes_matches(&self) -> bool {
        false
    }
}

fn settings(threads: usize, mapped: bool) -> Settings {
    let mut settings = Settings::default();
    (settings.threads, settings.mapped) = (threads, mapped);
    settings
}

/// Everything that a scan gives, except times.
fn everything(path: &Path, mapped: bool, threads: usize, query: &str) -> impl PartialEq + use<> {
    let folder = tempfile::tempdir().unwrap();
    let (out, rejects) = (folder.path().join("out.pgn"), folder.path().join("rejects.pgn"));
    let task = Task::new(job(query)).sink(FileSink::at(&out).unwrap());
    let mut settings = settings(threads, mapped);
    settings.rejects = Some(Destination::File(rejects.clone()));
    let mut events = Events::default();
    let summary =
        scan(&[Input::File(path.to_owned())], vec![task], &settings, &mut events).unwrap();
    assert!(summary.games > 90 && summary.damaged > 10 && summary.queries[0].matches > 80);
    let counts = (summary.games, summary.damaged, summary.queries[0].positions);
    let written = (fs::read(out).unwrap(), fs::read(rejects).unwrap());
    (counts, written, events.messages, events.damaged)
}

#[test]
fn mapped_and_read_files_give_the_same_results() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    let returns = |byte: u8| if byte == b'\n' { b'\r' } else { byte };
    let feeds = games(100);
    for text in [feeds.clone(), feeds.into_iter().map(returns).collect()] {
        fs::write(&path, text).unwrap();
        for query in ["btm message(gamenumber)", "mate message(lastgamenumber)"] {
            let expected = everything(&path, true, 1, query);
            for (mapped, threads) in [(true, 3), (false, 1), (false, 3)] {
                let other = everything(&path, mapped, threads, query);
                assert!(other == expected, "{query} {mapped} {threads}");
            }
        }
    }
}

/// Searches a file that is changed at the first message. No output file is written if this is an
/// error.
fn search_changed(
    path: &Path,
    mapped: bool,
    threads: usize,
    query: &str,
    change: impl Fn(&Path),
) -> Result<Summary, Error> {
    let out = path.with_file_name("out.pgn");
    let task = Task::new(job(query)).sink(FileSink::at(&out).unwrap());
    let settings = settings(threads, mapped);
    let mut events = Events { action: Some(Box::new(|| change(path))), ..Events::default() };
    let summary = scan(&[Input::File(path.to_owned())], vec![task], &settings, &mut events);
    assert!(!events.messages.is_empty());
    assert_eq!(out.exists(), summary.is_ok());
    summary
}

fn scan_one(input: Input, threads: usize, query: &str) -> Result<Summary, Error> {
    let settings = settings(threads, true);
    scan(&[input], vec![Task::new(job(query))], &settings, &mut Events::default())
}

#[test]
fn readers_and_bytes_are_inputs() {
    let text = games(100);
    let (gz, zst) = (gzip(&text), zstd::encode_all(&text[..], 1).unwrap());
    // The first bytes tell the compression, whatever the name.
    for (name, bytes) in [("a", &text), ("b.pgn.gz", &gz), ("b.pgn.zst", &gz), ("c", &zst)] {
        for threads in [1, 3] {
            let reader = Input::reader(name, Cursor::new(bytes.clone()));
            for input in [reader, Input::bytes(name, bytes.clone())] {
                assert_eq!(input.name(), name);
                let summary = scan_one(input, threads, "mate").unwrap();
                assert_eq!((summary.games, summary.damaged), (100, 14), "{name}");
            }
        }
    }
    for input in [Input::bytes("none", []), Input::reader("none", io::empty())] {
        assert_eq!(scan_one(input, 2, "mate").unwrap().games, 0);
    }
    let table = zstd::encode_all(&b"ARROW1\0\0"[..], 1).unwrap();
    let error = scan_one(Input::bytes("a.arrow.zst", table), 2, "mate").unwrap_err().to_string();
    assert!(error.contains("a game table that was compressed as a whole"), "{error}");
    let input = Input::bytes("a.pgn.gz", *b"\x1f\x8c damaged");
    let error = scan_one(input, 2, "mate").unwrap_err().to_string();
    assert!(error.starts_with("cannot decompress a.pgn.gz: "), "{error}");
}

/// Bytes can be read as often as necessary, a reader only once.
#[test]
fn a_reader_is_read_once() {
    let text = games(10);
    let query = "lastgamenumber == 10";
    let bytes = Input::bytes("the games", text.clone());
    for _ in 0..2 {
        assert_eq!(scan_one(bytes.clone(), 2, query).unwrap().queries[0].matches, 10);
    }
    let reader = Input::reader("the games", Cursor::new(text));
    let error = scan_one(reader.clone(), 2, query).unwrap_err();
    assert!(matches!(&error, Error::Uncountable { .. }), "{error}");
    assert_eq!(scan_one(reader.clone(), 2, "mate").unwrap().games, 10);
    let error = scan_one(reader, 2, "mate").unwrap_err().to_string();
    assert_eq!(error, "cannot read the games: it was read before and can be read only once");
}

/// A reader that fails after these bytes.
struct Torn(Cursor<Vec<u8>>);

impl Read for Torn {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::new(io::ErrorKind::ConnectionReset, "the line is cut")),
            read => Ok(read),
        }
    }
}

#[test]
fn a_reader_that_fails_midway_does_not_end_the_scan() {
    let text = games(500);
    let zst = zstd::encode_all(&text[..], 1).unwrap();
    for (bytes, told) in [
        (text.clone(), "cannot read the line: the line is cut (after 500 games)"),
        (zst, "cannot decompress the line: the line is cut (after 500 games)"),
    ] {
        for threads in [1, 3] {
            let folder = tempfile::tempdir().unwrap();
            let out = folder.path().join("out.pgn");
            let job = job("initial message(gamenumber)");
            let task = Task::new(job).sink(FileSink::at(&out).unwrap());
            let reader = Input::reader("the line", Torn(Cursor::new(bytes.clone())));
            let inputs = [Input::bytes("before", games(7)), reader, Input::bytes("c", games(1))];
            let settings = settings(threads, true);
            let mut events = Events::default();
            let summary = scan(&inputs, vec![task], &settings, &mut events).unwrap();
            let [broken] = &summary.broken_inputs[..] else { panic!("{summary:?}") };
            assert_eq!((broken.to_string().as_str(), broken.last_game), (told, Some(507)));
            let messages = String::from_utf8_lossy(&events.messages);
            assert!(messages.contains(": 507\n") && messages.ends_with(": 508\n"));
            assert_eq!(fs::read_to_string(&out).unwrap().matches("[Event ").count(), 508);
        }
    }
}

/// Each kind of input: a name, its bytes, and whether it is mapped.
fn kinds() -> [(&'static str, Vec<u8>, bool); 4] {
    let text = games(1000);
    let (gz, zst) = (gzip(&text), zstd::encode_all(&text[..], 1).unwrap());
    [
        ("a.pgn", text.clone(), true),
        ("a.pgn", text, false),
        ("a.pgn.gz", gz, false),
        ("a.pgn.zst", zst, false),
    ]
}

fn resize(path: &Path, change: i64) {
    let file = File::options().write(true).open(path).unwrap();
    let before = file.metadata().unwrap().len();
    file.set_len(before.checked_add_signed(change).unwrap()).unwrap();
}

#[test]
fn a_file_that_grows_or_shrinks_is_an_error() {
    for (name, bytes, mapped) in kinds() {
        for threads in [1, 3] {
            // A mapped file that loses a page raises a signal: `Settings::mapped`.
            let shrink = if mapped { -1 } else { 10 - bytes.len() as i64 };
            for resized in [shrink, 100] {
                // Windows does not let a mapped file shrink.
                if cfg!(windows) && mapped && resized < 0 {
                    continue;
                }
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join(name);
                fs::write(&path, &bytes).unwrap();
                let change = |path: &Path| resize(path, resized);
                let query = "initial message(gamenumber)";
                let error = search_changed(&path, mapped, threads, query, change).unwrap_err();
                let before = bytes.len() as u64;
                let now = before.checked_add_signed(resized).unwrap();
                let Error::Input(InputError::Changed { change, .. }) = &error else {
                    panic!("{error}")
                };
                // A file system sets the time before the length, and another thread may look
                // between the two.
                if threads > 1 && *change == FileChange::Contents {
                    continue;
                }
                assert_eq!(*change, FileChange::Length { before, now });
                let shown = path.display();
                let told = format!(
                    "cannot read {shown}: it was changed while it was read (it had {before} \
                     bytes, now it has {now}); no output file is written"
                );
                assert_eq!(error.to_string(), told);
            }
        }
    }
}

#[test]
fn a_file_that_is_written_to_is_an_error() {
    for (name, bytes, mapped) in kinds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, &bytes).unwrap();
        let change = |path: &Path| {
            let file = File::options().write(true).open(path).unwrap();
            file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
        };
        let error =
            search_changed(&path, mapped, 2, "initial message(gamenumber)", change).unwrap_err();
        assert!(
            matches!(error, Error::Input(InputError::Changed { change: FileChange::Contents, .. })),
            "{error}"
        );
    }
}

/// The open file is read to its end, and what has its name is not read. But a query that needs the
/// number of all games opens it twice.
#[cfg(unix)]
#[test]
fn a_file_that_is_replaced() {
    for (name, bytes, mapped) in kinds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, &bytes).unwrap();
        let change = |path: &Path| {
            let other = path.with_extension("new");
            fs::write(&other, b"[Event \"new\"]\n\n*\n").unwrap();
            fs::rename(&other, path).unwrap();
        };
        let query = "initial message(gamenumber)";
        assert_eq!(search_changed(&path, mapped, 2, query, change).unwrap().games, 1000);
        fs::write(&path, &bytes).unwrap();
        fs::remove_file(folder.path().join("out.pgn")).unwrap();
        let query = "initial message(lastgamenumber)";
        let error = search_changed(&path, mapped, 2, query, change).unwrap_err();
        assert!(
            matches!(error, Error::Input(InputError::Changed { change: FileChange::Replaced, .. })),
            "{error}"
        );
    }
}
