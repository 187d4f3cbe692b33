//! Inputs through the public interface: mapped and read files give the same results, and a file
//! that changes under the scan is an error that says how.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use babson_engine::{
    DamagedGame, Destination, Error, FileChange, Format, Input, Job, Observer, Settings, Sink,
    Summary, scan,
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
    Job::new(&analyze(query, Dialect::CQLI).unwrap().query, Dialect::CQLI).unwrap()
}

/// Records the events of a scan, and runs an action at the first message.
#[derive(Default)]
struct Events<'a> {
    messages: Vec<u8>,
    damaged: Vec<DamagedGame>,
    action: Option<Box<dyn FnOnce() + 'a>>,
}

impl Observer for Events<'_> {
    fn message(&mut self, _job: usize, lines: &[u8]) -> Result<(), Error> {
        self.messages.extend_from_slice(lines);
        if let Some(action) = self.action.take() {
            action();
        }
        Ok(())
    }

    fn damaged(&mut self, game: &DamagedGame) {
        self.damaged.push(game.clone());
    }
}

/// Everything that a scan gives, except times.
fn everything(path: &Path, mapped: bool, threads: usize, query: &str) -> impl PartialEq + use<> {
    let folder = tempfile::tempdir().unwrap();
    let (out, rejects) = (folder.path().join("out.pgn"), folder.path().join("rejects.pgn"));
    let mut job = job(query);
    job.sinks.push(Sink { format: Format::Pgn, destination: Destination::File(out.clone()) });
    let settings = Settings {
        threads,
        mapped,
        rejects: Some(Destination::File(rejects.clone())),
        ..Settings::default()
    };
    let mut events = Events::default();
    let summary = scan(&[Input::File(path.to_owned())], &[job], &settings, &mut events).unwrap();
    assert!(summary.games > 90 && summary.damaged > 10 && summary.jobs[0].matches > 80);
    let counts = (summary.games, summary.damaged, summary.bytes, summary.jobs[0].positions);
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
    let mut job = job(query);
    job.sinks.push(Sink { format: Format::Pgn, destination: Destination::File(out.clone()) });
    let settings = Settings { threads, mapped, ..Settings::default() };
    let mut events = Events { action: Some(Box::new(|| change(path))), ..Events::default() };
    let summary = scan(&[Input::File(path.to_owned())], &[job], &settings, &mut events);
    assert!(!events.messages.is_empty());
    assert_eq!(out.exists(), summary.is_ok());
    summary
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
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join(name);
                fs::write(&path, &bytes).unwrap();
                let change = |path: &Path| resize(path, resized);
                let query = "initial message(gamenumber)";
                let error = search_changed(&path, mapped, threads, query, change).unwrap_err();
                let before = bytes.len() as u64;
                let now = before.checked_add_signed(resized).unwrap();
                let Error::Changed { change, .. } = &error else { panic!("{error}") };
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
        assert!(matches!(error, Error::Changed { change: FileChange::Contents, .. }), "{error}");
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
        assert!(matches!(error, Error::Changed { change: FileChange::Replaced, .. }), "{error}");
    }
}
