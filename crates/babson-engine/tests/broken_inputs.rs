//! Inputs that cannot be read to their ends: the scan tells of them in the order of the inputs and
//! goes on, with the same results for any number of threads.

use std::fs;
use std::io::{self, Cursor, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use babson_engine::{
    Destination, Error, Event, FileSink, Input, InputError, InputFailure, Job, Observer, Settings,
    Summary, Task, scan,
};
use babson_lang::{Dialect, analyze};

/// Games of about two kilobytes that compress badly, so that damage has a place.
fn games(name: &str, number: usize) -> Vec<u8> {
    let mut state = 1u64;
    let mut text = Vec::new();
    for game in 0..number {
        let mut comment = String::new();
        for _ in 0..250 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            comment += &format!("{:07x} ", state >> 36);
        }
        let tags = format!("[Event \"{name}\"]\n[Round \"{}\"]\n\n", game + 1);
        text.extend(format!("{tags}1. f3 e5 {{{comment}}} 2. g4 Qh4# 0-1\n\n").into_bytes());
    }
    text
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// An archive whose second member has a wrong checksum.
fn zip(text: &[u8]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for name in ["a.pgn", "b.pgn", "c.pgn"] {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(text).unwrap();
    }
    let mut bytes = writer.finish().unwrap().into_inner();
    let entries: Vec<usize> =
        (0..bytes.len()).filter(|&at| bytes[at..].starts_with(b"PK\x01\x02")).collect();
    bytes[entries[1] + 16] ^= 1;
    bytes
}

/// Events as lines.
#[derive(Default)]
struct Events(Vec<String>);

impl Observer for Events {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        match event {
            Event::Damaged(game) => {
                self.0.push(format!("damaged {} {} {}", game.input, game.game, game.reason));
            }
            Event::BrokenInput(input) => self.0.push(format!("broken {input}")),
            Event::Match { hit, .. } => {
                self.0.push(format!("{} {} {}", hit.game, hit.origin.input, hit.origin.number));
            }
            _ => {}
        }
        Ok(ControlFlow::Continue(()))
    }
}

struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder with sound and broken databases.
    fn new() -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        let text = games("packed", 600);
        folder.put("a.pgn", &games("a", 10));
        let gz = gzip(&text);
        folder.put("b.pgn.gz", &gz[..gz.len() / 2]);
        folder.put("c.zip", &zip(&games("zipped", 20)));
        let mut zst = zstd::encode_all(&text[..], 1).unwrap();
        let middle = zst.len() / 2;
        zst[middle..middle + 64].fill(0);
        folder.put("d.pgn.zst", &zst);
        folder.put("e.zip", b"\0 is not an archive");
        folder.put("f.pgn", b"\xff\xfe is UTF-16");
        folder.put("g.pgn", &games("g", 10));
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    /// The events with the names of files only.
    fn shown(&self, events: Events) -> Vec<String> {
        let folder = format!("{}{}", self.0.path().display(), std::path::MAIN_SEPARATOR);
        events.0.iter().map(|event| event.replace(&folder, "")).collect()
    }
}

fn job(query: &str) -> Job {
    Job::new(&analyze(query, Dialect::CQLI).unwrap().query).unwrap()
}

fn settings(threads: usize) -> Settings {
    let mut settings = Settings::default();
    settings.threads = threads;
    settings
}

/// Searches for mates, and writes them to a file.
fn search(
    inputs: &[Input],
    out: &Path,
    settings: &Settings,
    change: impl Fn(&mut Job),
) -> (Result<Summary, Error>, Events) {
    let mut job = job("mate");
    change(&mut job);
    let task = Task::new(job).sink(FileSink::at(out).unwrap());
    let mut events = Events::default();
    let summary = scan(inputs, vec![task], settings, &mut events);
    (summary, events)
}

#[test]
fn the_other_inputs_are_searched() {
    let folder = Folder::new();
    let inputs = Input::expand(folder.0.path()).unwrap();
    assert_eq!(inputs.len(), 9);
    let (out, rejects) = (folder.path("out"), folder.path("rejects"));
    let out = out.with_extension("jsonl");
    let mut expected = None;
    for threads in [1, 2, 5] {
        let mut settings = settings(threads);
        settings.rejects = Some(Destination::File(rejects.clone()));
        let (summary, events) = search(&inputs, &out, &settings, |_| {});
        let mut summary = summary.unwrap();
        (summary.threads, summary.queries[0].seconds) = (0, 0.0);
        let events = folder.shown(events);
        let all = (summary, events, fs::read(&out).unwrap(), fs::read(&rejects).unwrap());
        assert!(expected.get_or_insert_with(|| all.clone()) == &all, "{threads} threads");
    }
    let (summary, events, written, rejected) = expected.unwrap();

    let broken: Vec<_> =
        events.iter().filter_map(|event| event.strip_prefix("broken cannot ")).collect();
    let [gz, zip, zst, archive, utf16] = broken[..] else { panic!("{broken:#?}") };
    assert!(gz.starts_with("decompress b.pgn.gz: "), "{gz}");
    assert_eq!(
        zip,
        "decompress c.zip/b.pgn: its checksum is not that of the archive (after 20 games)"
    );
    assert!(zst.starts_with("decompress d.pgn.zst: "), "{zst}");
    assert!(archive.starts_with("decompress e.zip: it is not a whole zip archive"), "{archive}");
    assert!(utf16.starts_with("read f.pgn: it is UTF-16"), "{utf16}");

    let [gz, zip, zst, archive, utf16] = &summary.broken_inputs[..] else { panic!("{summary:?}") };
    assert!((100..500).contains(&gz.games) && (100..500).contains(&zst.games), "{summary:?}");
    let [gz_end, zip_end, zst_end] = [gz, zip, zst].map(|broken| broken.last_game.unwrap());
    assert_eq!((gz_end, zip.games, zip_end), (10 + gz.games, 20, gz_end + 40));
    assert_eq!(zst_end, zip_end + 20 + zst.games);
    assert_eq!((archive.games, archive.last_game), (0, Some(zst_end)));
    assert_eq!((utf16.failure, utf16.last_game), (InputFailure::Read, Some(zst_end)));
    assert_eq!(summary.games, zst_end + 10);

    // The events are in the order of the games, and the games after the damage have their numbers.
    let place = |text: String| events.iter().position(|event| *event == text).unwrap();
    let place_of = |name: &str| events.iter().position(|event| event.contains(name)).unwrap();
    let damage = place_of(&format!("damaged b.pgn.gz {gz_end} "));
    assert!(place("10 a.pgn 10".to_owned()) < damage);
    assert_eq!(place_of("broken cannot decompress b.pgn.gz"), damage + 1);
    assert_eq!(place(format!("{} c.zip/a.pgn 1", gz_end + 1)), damage + 2);
    assert_eq!(place(format!("{} g.pgn 10", summary.games)), events.len() - 1);
    // The game in which the text ends is damaged; where a text was whole, none is.
    assert_eq!(summary.damaged, 2, "{events:#?}");
    assert_eq!(rejected.windows(7).filter(|window| window == b"[Event ").count(), 2);
    assert_eq!(written.split(|&byte| byte == b'\n').count() as u64, summary.queries[0].matches + 1);
    assert_eq!(summary.queries[0].matches, summary.games - 2);
}

/// How much of a damaged text is read does not depend on the sizes of the chunks, and with them on
/// the number of threads and the other inputs.
#[test]
fn what_is_read_before_damage() {
    let text = games("packed", 600);
    let gz = gzip(&text);
    let mut zst = zstd::Encoder::new(Vec::new(), 1).unwrap();
    zst.include_checksum(true).unwrap();
    zst.write_all(&text).unwrap();
    let mut bz2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bz2.write_all(&text).unwrap();
    let (zst, bz2) = (zst.finish().unwrap(), bz2.finish().unwrap());
    for (name, packed) in [("a.gz", gz), ("a.zst", zst), ("a.bz2", bz2)] {
        for part in [3, 5, 8] {
            let mut damaged = packed.clone();
            let at = packed.len() * part / 9;
            damaged[at..at + 32].iter_mut().for_each(|byte| *byte ^= 0x55);
            let read = |threads, more: usize| {
                let mut inputs = vec![Input::bytes(name, damaged.clone())];
                let long = games("more", 20).repeat(more);
                inputs.extend((more > 0).then(|| Input::bytes("more", long)));
                let tasks = vec![Task::new(job("mate"))];
                let summary = scan(&inputs, tasks, &settings(threads), &mut Events::default());
                summary.unwrap().broken_inputs.remove(0)
            };
            let one = read(1, 0);
            assert!(one.games > 0, "{one}");
            for (threads, more) in [(2, 0), (5, 0), (1, 200)] {
                assert_eq!(read(threads, more), one, "{threads} threads");
            }
        }
    }
}

/// A reader that fails after its text.
struct Torn(Cursor<&'static [u8]>);

impl Read for Torn {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("the line is cut")),
            read => Ok(read),
        }
    }
}

/// The game in which an input ends is searched up to there and reported, unless it is whole.
#[test]
fn the_game_with_the_end() {
    let torn = "the input cannot be read to the end of this game";
    let unfinished = "comment without end";
    for (text, reason) in [
        (&b"[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1"[..], None),
        (b"[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n", None),
        (b"[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-", Some("unknown word")),
        (b"[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# {a", Some(unfinished)),
        (b"[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4#", Some(torn)),
    ] {
        for threads in [1, 2] {
            let input = Input::reader("line", Torn(Cursor::new(text)));
            let mut events = Events::default();
            let tasks = vec![Task::new(job("mate"))];
            let summary = scan(&[input], tasks, &settings(threads), &mut events).unwrap();
            assert_eq!((summary.games, summary.queries[0].matches), (1, 1));
            let mut expected = vec!["1 line 1".to_owned()];
            expected.extend(reason.map(|reason| format!("damaged line 1 {reason}")));
            expected.push("broken cannot read line: the line is cut (after 1 game)".to_owned());
            assert_eq!(events.0, expected, "{}", String::from_utf8_lossy(text));
        }
    }
}

/// What is after the last game that counts is not read, so damage there is not told.
#[test]
fn damage_after_the_last_game_that_counts() {
    let folder = Folder::new();
    let inputs = Input::expand(folder.0.path()).unwrap();
    let out = folder.path("out.pgn");
    for threads in [1, 3] {
        let limit = |limit| {
            let (summary, _) =
                search(&inputs, &out, &settings(threads), |job| job.limit = Some(limit));
            summary.unwrap().broken_inputs.len()
        };
        assert_eq!([10, 20, 600].map(limit), [0, 0, 2]);
        let range = |last| {
            let (summary, _) =
                search(&inputs, &out, &settings(threads), |job| job.range = Some((1, last)));
            summary.unwrap().broken_inputs.len()
        };
        assert_eq!([10, 20, 600].map(range), [0, 0, 2]);
    }
}

/// If no input can be read, the output of an earlier search is not replaced.
#[test]
fn no_input_can_be_read() {
    let folder = Folder::new();
    let out = folder.path("out.pgn");
    fs::write(&out, "of yesterday").unwrap();
    let inputs = ["f.pgn", "e.zip", "none.pgn"].map(|name| Input::File(folder.path(name)));
    for threads in [1, 3] {
        let (summary, events) = search(&inputs, &out, &settings(threads), |_| {});
        let error = summary.unwrap_err();
        assert!(
            matches!(&error, Error::Input(InputError::Read { path, .. }) if path.ends_with("f.pgn")),
            "{error}"
        );
        assert_eq!(folder.shown(events).len(), 3);
        assert_eq!(fs::read(&out).unwrap(), b"of yesterday");
        // An input without games is read.
        let with_empty = [inputs[0].clone(), Input::bytes("empty", [])];
        let (summary, _) = search(&with_empty, &folder.path("x.pgn"), &settings(threads), |_| {});
        assert_eq!(summary.unwrap().broken_inputs.len(), 1);
    }
}

/// The number of all games is not known if an input is broken.
#[test]
fn a_query_that_needs_the_number_of_games() {
    let folder = Folder::new();
    let inputs = Input::expand(folder.0.path()).unwrap();
    for threads in [1, 3] {
        let tasks = vec![Task::new(job("gamenumber == lastgamenumber"))];
        let error = scan(&inputs, tasks, &settings(threads), &mut Events::default()).unwrap_err();
        assert!(
            matches!(error, Error::Input(InputError::Decompress { .. } | InputError::Read { .. })),
            "{error}"
        );
    }
}

/// A scan in slices must not count a broken input as searched.
#[test]
fn slices_are_of_whole_inputs() {
    let folder = Folder::new();
    for name in ["b.pgn.gz", "d.pgn.zst", "e.zip", "f.pgn"] {
        let inputs = ["a.pgn", name, "g.pgn"].map(|name| Input::File(folder.path(name)));
        let error = babson_engine::plan(&inputs, 3, 2, true).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
        let (kept, settings) = (folder.path("kept"), settings(2));
        let tasks = vec![Task::new(job("mate"))];
        let resumed =
            babson_engine::scan_resumed(&inputs, tasks, &settings, &kept, &mut Events::default());
        let error = resumed.err().unwrap().to_string();
        assert!(error.contains(name), "{error}");
    }
}

/// The rows of a table after damage are not searched, and later inputs are.
#[cfg(feature = "table")]
#[test]
fn a_damaged_table() {
    use babson_engine::{Compression, Silent, pack};

    let folder = Folder::new();
    let (pgn, table) = (folder.path("many.pgn"), folder.path("many.arrow"));
    // Several batches.
    let game = "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";
    fs::write(&pgn, game.repeat(200_000)).unwrap();
    let many = [Input::File(pgn.clone())];
    pack(&many, &table, Compression::None, &settings(2), &mut Silent).unwrap();
    let mut bytes = fs::read(&table).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4096].iter_mut().for_each(|byte| *byte ^= 0xff);
    fs::write(&table, &bytes).unwrap();
    let inputs = ["a.pgn", "many.arrow", "g.pgn"].map(|name| Input::File(folder.path(name)));
    let mut expected = None;
    for threads in [1, 2, 4] {
        let out = folder.path("out.pgn");
        let (summary, events) = search(&inputs, &out, &settings(threads), |_| {});
        let broken = summary.unwrap().broken_inputs;
        let [one] = &broken[..] else { panic!("{broken:?}") };
        let reason = one.reason.to_string();
        assert!(reason.starts_with("the table is damaged: batch "), "{one}");
        assert_eq!(one.failure, InputFailure::Table);
        assert!((1..200_000).contains(&one.games), "{one}");
        let shown = folder.shown(events);
        let last = shown.last().unwrap();
        assert_eq!(*last, format!("{} g.pgn 10", one.games + 20));
        let all = (shown, fs::read(&out).unwrap());
        assert!(*expected.get_or_insert_with(|| all.clone()) == all, "{threads} threads");
    }
}
