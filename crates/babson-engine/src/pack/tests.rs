use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use babson_input::InputError;
use babson_table::{Column, ColumnSet, StoredGame, Table};

use super::*;
use crate::ledger::Ledger;
use crate::observer::Silent;
use crate::threads::refusal::{self, ThreadRecorder};
use babson_vm::DamagedGame;

pub(super) fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/games").join(name)
}

pub(super) fn settings(threads: usize) -> Settings {
    Settings { threads, ..Settings::default() }
}

pub(super) fn pack_files(
    files: &[PathBuf],
    table: &Path,
    settings: &Settings,
) -> Result<PackSummary, Error> {
    let inputs: Vec<Input> = files.iter().cloned().map(Input::File).collect();
    pack(&inputs, table, Compression::None, settings, &mut Silent)
}

/// The names of a folder.
pub(super) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A file of games with damage and a note.
fn damaged_games(folder: &Path) -> PathBuf {
    let path = folder.join("damaged.pgn");
    let text = "[White \"A\"]\n\n1. e4 e5 2. Ke4 *\n\n[White \"B\"]\n\n1. e4 e5 (1... Ke4) 2. ?? }\n\n\
                [White \"C\"\n[FEN \"8\"]\n\n*\n\n[White \"D\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"]\n\n\
                1. O-O *\n\n[White \"E\"]\n\n1. e4 {open";
    fs::write(&path, text).unwrap();
    path
}

#[derive(Default)]
struct Log {
    damaged: Vec<DamagedGame>,
    noted: Vec<DamagedGame>,
    progress: Progress,
}

impl Observer for Log {
    fn event(&mut self, event: Event) -> Result<ControlFlow<()>, Error> {
        match event {
            Event::Damaged(game) => self.damaged.push(game),
            Event::Noted(game) => self.noted.push(game),
            Event::Progress(progress) => self.progress = progress,
            Event::Match { .. }
            | Event::Matched { .. }
            | Event::Message { .. }
            | Event::RuntimeError { .. }
            | Event::BrokenInput(_)
            | Event::FewerThreads { .. }
            | _ => {}
        }
        Ok(ControlFlow::Continue(()))
    }
}

#[test]
fn the_bytes_do_not_depend_on_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("a.arrow");
    let files = ["studies.pgn", "special.pgn", "odd-tags.pgn"].map(corpus);
    let summary = pack_files(&files, &table, &settings(1)).unwrap();
    let expected = fs::read(&table).unwrap();
    assert_eq!(summary.bytes, expected.len() as u64);
    assert_eq!(check_table(&table, false).unwrap().games, summary.games);
    for threads in [2, 3, 7] {
        for mapped in [true, false] {
            let settings = Settings { mapped, ..settings(threads) };
            pack_files(&files, &table, &settings).unwrap();
            assert!(fs::read(&table).unwrap() == expected);
        }
    }
    assert_eq!(names(folder.path()), ["a.arrow"]);
}

/// Packing finds the same games as a scan, at the same places, and reports the same damage.
#[test]
fn games_and_reports_are_those_of_a_scan() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("a.arrow");
    let files = ["special.pgn", "odd-positions.pgn", "odd-tags.pgn"].map(corpus);
    let files = files.into_iter().chain([damaged_games(folder.path())]);
    let inputs: Vec<Input> = files.map(Input::File).collect();
    let mut packed = Log::default();
    // With an output of damaged games a scan looks for all damage.
    let rejects = Some(Destination::File(folder.path().join("rejects.pgn")));
    let settings = Settings { rejects, ..settings(2) };
    let summary = pack(&inputs, &table, Compression::None, &settings, &mut packed).unwrap();
    let query = babson_lang::analyze("true", babson_lang::Dialect::CQLI).unwrap().query;
    let mut job = crate::Job::new(&query).unwrap();
    job.options.variations = Some(true);
    let mut scanned = Log::default();
    let sink = crate::FileSink::jsonl(folder.path().join("a.jsonl"));
    let task = crate::Task::new(job).sink(sink);
    let scan = crate::scan(&inputs, vec![task], &settings, &mut scanned).unwrap();
    assert_eq!((summary.games, summary.damaged), (scan.games, scan.damaged));
    assert!(packed.damaged.len() > 3 && !packed.noted.is_empty());
    assert_eq!(packed.damaged, scanned.damaged);
    assert_eq!(packed.noted, scanned.noted);
    let mut progress = scanned.progress;
    progress.matches = 0;
    assert_eq!(packed.progress, progress);
    let rows = fs::read_to_string(folder.path().join("a.jsonl")).unwrap();
    let rows: Vec<serde_json::Value> =
        rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let table = Table::open(fs::read(&table).unwrap().into()).unwrap();
    let sources = table.texts(Column::INPUT).unwrap();
    let batch = table.batch(0, ColumnSet::ALL).unwrap();
    // The query does not match the game without a start.
    assert_eq!(batch.len(), rows.len() + 1);
    for hit in &rows {
        let (row, origin) = (hit["game"].as_u64().unwrap() as usize - 1, hit);
        assert_eq!(batch.text(Column::INPUT, row, &sources), origin["input"].as_str());
        assert_eq!(Some(batch.number()[row]), origin["number"].as_u64());
        assert_eq!(Some(batch.offset()[row]), origin["offset"].as_u64());
    }
}

/// The line of a row is the line of the input on which the text of its game begins.
#[test]
fn rows_have_the_lines_of_their_games() {
    let folder = tempfile::tempdir().unwrap();
    let (games, table) = (folder.path().join("a.pgn"), folder.path().join("a.arrow"));
    fs::write(
        &games,
        "[White \"A\"]\r\n\r\n1. e4 *\r\n\r\n[White \"B\"]\r\r{x}*\n\n[White \"C\"]\n*",
    )
    .unwrap();
    pack_files(&[games], &table, &settings(3)).unwrap();
    let table = Table::open(fs::read(&table).unwrap().into()).unwrap();
    let batch = table.batch(0, ColumnSet::ALL).unwrap();
    assert_eq!(batch.line(), [1, 5, 9]);
}

#[test]
fn an_input_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("a.arrow");
    fs::write(&games, "1. e4 *\n").unwrap();
    let error = pack_files(std::slice::from_ref(&games), &games, &settings(1)).unwrap_err();
    assert!(matches!(error, Error::SameFile { .. }), "{error}");
    assert_eq!(fs::read(&games).unwrap(), b"1. e4 *\n");
}

/// An error leaves the old table as it is, and no other files.
#[test]
fn errors_leave_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("a.arrow");
    fs::write(&table, "old").unwrap();
    let missing = folder.path().join("missing.pgn");
    let files = [corpus("special.pgn"), missing];
    let error = pack_files(&files, &table, &settings(2)).unwrap_err();
    assert!(matches!(error, Error::Input(InputError::Read { .. })), "{error}");
    assert_eq!(fs::read(&table).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["a.arrow"]);

    let ledger = Ledger::default();
    drop(ledger.abandon());
    let settings = Settings { ledger, ..Settings::default() };
    assert!(pack_files(&files[..1], &table, &settings).is_err());
    let nowhere = folder.path().join("no/folder/a.arrow");
    assert!(pack_files(&files[..1], &nowhere, &self::settings(1)).is_err());
    assert_eq!(names(folder.path()), ["a.arrow"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let error = pack_files(&[corpus("special.pgn")], Path::new("/dev/full"), &settings(1));
    assert!(error.unwrap_err().to_string().contains("No space left"), "the disk is full");
}

#[test]
fn panics_are_errors() {
    let mut observer = |event: Event| {
        assert!(!matches!(event, Event::Damaged(_)), "poisoned");
        Ok(ControlFlow::Continue(()))
    };
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("a.arrow");
    let inputs = [Input::File(damaged_games(folder.path()))];
    let outcome = pack(&inputs, &table, Compression::None, &settings(2), &mut observer);
    assert!(matches!(outcome, Err(Error::Panicked(_))));
    assert_eq!(names(folder.path()), ["damaged.pgn"]);
}

#[test]
fn long_games_are_reported_and_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let (games, table) = (folder.path().join("a.pgn"), folder.path().join("a.arrow"));
    let long = format!("[White \"A\"]\n\n1. e4 {{{}}} *\n\n", "x".repeat(crate::MAX_GAME));
    fs::write(&games, format!("1. d4 *\n\n{long}[White \"B\"]\n\n1. c4 *\n")).unwrap();
    let summary = pack_files(&[games], &table, &settings(2)).unwrap();
    assert_eq!((summary.games, summary.damaged, summary.left_out), (2, 1, 1));
    let table = Table::open(fs::read(&table).unwrap().into()).unwrap();
    let batch = table.batch(0, ColumnSet::ALL).unwrap();
    assert_eq!(batch.number(), [1, 3]);
}

#[test]
fn text_that_is_not_pgn_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (games, table) = (folder.path().join("a.pgn"), folder.path().join("a.arrow"));
    let noise = (0..20_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8);
    let text: Vec<u8> = b"[White \"A\"]\n\n1. e4 ".iter().copied().chain(noise).collect();
    fs::write(&games, &text).unwrap();
    let summary = pack_files(std::slice::from_ref(&games), &table, &settings(2)).unwrap();
    let table = Table::open(fs::read(&table).unwrap().into()).unwrap();
    assert_eq!(table.len(), summary.games);
    assert!(summary.damaged > 0);
    table.verify().unwrap();
    let batch = table.batch(0, ColumnSet::ALL).unwrap();
    for row in 0..batch.len() {
        let start = batch.offset()[row] as usize;
        if let StoredGame::Text { tags, movetext } = batch.game_text(row) {
            let game = [tags, movetext].concat();
            assert_eq!(text[start..start + game.len()], game);
        }
    }
}

#[test]
fn other_files_fail_the_check() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("a.arrow");
    fs::write(&table, "1. e4 *").unwrap();
    let error = check_table(&table, true).unwrap_err();
    assert!(error.to_string().contains("not an Arrow file"), "{error}");
    pack_files(&[corpus("special.pgn")], &table, &settings(2)).unwrap();
    let mut bytes = fs::read(&table).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&table, bytes).unwrap();
    let error = check_table(&table, true).unwrap_err();
    assert!(error.to_string().contains("checksum"), "{error}");
}

/// A table that is packed again is the table of its PGN files, and so is one of several inputs.
#[test]
fn tables_are_packed_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let variants = ["random-atomic", "random-crazyhouse", "random-chess960", "random-horde"];
    let variants = variants.map(|name| corpus("variants").join(name).with_extension("pgn"));
    let names = ["studies.pgn", "special.pgn", "odd-tags.pgn", "odd-positions.pgn"];
    let files = [names.map(corpus), variants].concat();
    let files = [files, vec![damaged_games(folder.path()), corpus("cqli-games.pgn")]].concat();
    let inputs: Vec<Input> = files.iter().cloned().map(Input::File).collect();
    let (table, again) = (path("a.arrow"), path("again.arrow"));
    let pack_with = |inputs: &[Input], table: &Path, compression| {
        let mut log = Log::default();
        let summary = pack(inputs, table, compression, &settings(2), &mut log).unwrap();
        (summary.games, log.damaged, log.noted)
    };
    let reports = pack_with(&inputs, &table, Compression::None);
    let expected = fs::read(&table).unwrap();
    let mut compressions = vec![Compression::None];
    if cfg!(feature = "zstd") {
        compressions.push(Compression::Zstd);
    }
    for compression in compressions {
        pack_with(&[Input::File(table.clone())], &path("other.arrow"), compression);
        let other = [Input::File(path("other.arrow"))];
        assert_eq!(pack_with(&other, &again, Compression::None), reports);
        assert!(fs::read(&again).unwrap() == expected);
    }
    // Tables and PGN files in turn.
    let mut mixed = Vec::new();
    for (index, input) in inputs.into_iter().enumerate() {
        mixed.push(match index % 3 {
            0 => input,
            _ => {
                let part = path(&format!("{index}.arrow"));
                pack_with(&[input], &part, Compression::None);
                Input::File(part)
            }
        });
    }
    assert_eq!(pack_with(&mixed, &again, Compression::None), reports);
    assert!(fs::read(&again).unwrap() == expected);
}

/// A table of matches is packed as the games in it.
#[test]
fn the_columns_of_matches_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let inputs = [Input::File(corpus("special.pgn"))];
    let query = babson_lang::analyze("cql(matchcount 0 9999) true", babson_lang::Dialect::CQLI);
    let job = crate::Job::new(&query.unwrap().query).unwrap();
    let task = crate::Task::new(job).sink(crate::FileSink::arrow(path("found.arrow")));
    crate::scan(&inputs, vec![task], &settings(2), &mut Silent).unwrap();
    pack_files(&[corpus("special.pgn")], &path("packed.arrow"), &settings(2)).unwrap();
    pack_files(&[path("found.arrow")], &path("again.arrow"), &settings(2)).unwrap();
    let [packed, again] = ["packed.arrow", "again.arrow"].map(|name| fs::read(path(name)).unwrap());
    assert!(packed == again);
}

/// Packed again, a damaged table would have right checksums.
#[test]
fn a_damaged_table_is_not_packed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.pgn"), "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. d4 *\n").unwrap();
    pack_files(&[path("a.pgn")], &path("a.arrow"), &settings(1)).unwrap();
    let mut bytes = fs::read(path("a.arrow")).unwrap();
    // The codes of 1. e4 e5: see docs/src/tables.md#moves.
    let codes: [u16; 2] = [12 | 28 << 6 | 6 << 12, 52 | 36 << 6 | 6 << 12];
    let codes: Vec<u8> = codes.iter().flat_map(|code| code.to_le_bytes()).collect();
    let at = bytes.windows(4).position(|four| four == codes).unwrap();
    bytes[at..at + 2].fill(0);
    fs::write(path("a.arrow"), bytes).unwrap();
    let error = pack_files(&[path("a.arrow")], &path("b.arrow"), &settings(2)).unwrap_err();
    assert!(error.to_string().contains("the column moves does not have its checksum"), "{error}");
    assert_eq!(names(folder.path()), ["a.arrow", "a.pgn"]);
}

#[test]
fn threads_that_do_not_start() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = [Input::File(corpus("special.pgn"))];
    let packed = |allowed, name: &str| {
        let path = folder.path().join(name);
        let mut told = ThreadRecorder::default();
        let result = refusal::after(allowed, || {
            pack(&inputs, &path, Compression::None, &settings(3), &mut told)
        });
        (result.map(|summary| summary.threads), fs::read(path).ok(), told.0)
    };
    let (whole, few, none) = (packed(9, "whole.arrow"), packed(1, "few.arrow"), packed(0, "none"));
    assert_eq!((whole.0.unwrap(), whole.2), (3, vec![]));
    assert_eq!((few.0.unwrap(), few.2), (1, vec![(1, 3)]));
    assert!(whole.1.is_some() && whole.1 == few.1);
    assert!(matches!(none.0, Err(Error::Threads { .. })) && none.1.is_none() && none.2.is_empty());
}

/// A run that is stopped when all games are read ends while it writes the table.
#[test]
fn the_last_write_can_be_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let (games, table) = (folder.path().join("a.pgn"), folder.path().join("a.arrow"));
    fs::write(&games, "1. e4 e5 *\n").unwrap();
    pack_files(std::slice::from_ref(&games), &table, &settings(1)).unwrap();
    let old = fs::read(&table).unwrap();
    let token = babson_vm::CancelToken::default();
    let stop = StopSignal { cancel: Some(token.clone()), ..StopSignal::default() };
    let settings = Settings { stop, ..settings(1) };
    let mut cancel = |event: Event| {
        if matches!(event, Event::Progress(Progress { games: 1, .. })) {
            token.cancel();
        }
        Ok(ControlFlow::Continue(()))
    };
    let inputs = [Input::File(games)];
    let packed = pack(&inputs, &table, Compression::None, &settings, &mut cancel);
    let stopped = babson_vm::Stopped::Cancelled;
    let error = packed.unwrap_err();
    assert!(matches!(error, Error::Stopped { stopped: found, games: 1 } if found == stopped));
    assert_eq!(names(folder.path()), ["a.arrow", "a.pgn"]);
    assert!(fs::read(&table).unwrap() == old);
}
