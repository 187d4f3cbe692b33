//! Appending to tables.

use std::fs;
use std::path::{Path, PathBuf};

use babson_input::InputError;

use super::tests::{corpus, names, pack_files, settings};
use super::*;
use crate::error::OutputRefusal;
use crate::observer::Silent;

fn append_files(
    files: &[PathBuf],
    table: &Path,
    settings: &Settings,
) -> Result<PackSummary, Error> {
    let inputs: Vec<Input> = files.iter().cloned().map(Input::File).collect();
    append(&inputs, table, None, settings, &mut Silent)
}

/// The matches of a query as PGN and JSONL, and the number of damaged games.
fn found(inputs: &[PathBuf], folder: &Path) -> [Vec<u8>; 3] {
    let query = "cql(variations) {mate or check or wtm comment(\"here\")} sort \"n\" ply";
    let query = babson_lang::analyze(query, babson_lang::Dialect::CQLI).unwrap().query;
    let job = crate::Job::new(&query).unwrap();
    let [pgn, jsonl] = ["found.pgn", "found.jsonl"].map(|name| folder.join(name));
    let (first, second) = (crate::FileSink::pgn(&pgn), crate::FileSink::jsonl(&jsonl));
    let tasks = vec![crate::Task::new(job).sink(first).sink(second)];
    let inputs: Vec<Input> = inputs.iter().cloned().map(Input::File).collect();
    let summary = crate::scan(&inputs, tasks, &settings(2), &mut Silent).unwrap();
    let texts = [&pgn, &jsonl].map(|path| fs::read(path).unwrap());
    [pgn, jsonl].into_iter().for_each(|path| fs::remove_file(path).unwrap());
    let [pgn, jsonl] = texts;
    [pgn, jsonl, format!("{} {}", summary.games, summary.damaged).into_bytes()]
}

/// A search of a table to which games were appended is a search of all the PGN files.
#[test]
fn a_longer_table_is_searched_as_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let files = ["special.pgn", "studies.pgn", "odd-tags.pgn", "cqli-games.pgn"].map(corpus);
    let (table, whole) = (path("a.arrow"), path("whole.arrow"));
    pack_files(&files[..1], &table, &settings(2)).unwrap();
    for at in 1..files.len() {
        let before = fs::read(&table).unwrap();
        let summary = append_files(&files[at..=at], &table, &settings(at)).unwrap();
        let expected = pack_files(&files[..=at], &whole, &settings(2)).unwrap();
        assert_eq!((summary.games, summary.bytes), (expected.games, expected.bytes));
        assert!(summary.appended > 0 && summary.appended < summary.games);
        let after = fs::read(&table).unwrap();
        assert!(after == fs::read(&whole).unwrap() && after != before);
        let written = [table.clone()];
        assert!(found(&written, folder.path()) == found(&files[..=at], folder.path()));
        check_table(&table, true).unwrap();
    }
    // A table as an input, and its mode is kept.
    pack_files(&files[..2], &table, &settings(2)).unwrap();
    pack_files(&files[2..], &path("b.arrow"), &settings(2)).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&table, fs::Permissions::from_mode(0o640)).unwrap();
    }
    append_files(&[path("b.arrow")], &table, &Settings { mapped: false, ..settings(2) }).unwrap();
    assert!(fs::read(&table).unwrap() == fs::read(&whole).unwrap());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&table).unwrap().permissions().mode() & 0o777, 0o640);
    }
    assert_eq!(names(folder.path()), ["a.arrow", "b.arrow", "whole.arrow"]);
}

#[test]
fn equal_games_are_counted_or_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let game = |name: &str| format!("[White \"{name}\"]\n\n1. e4 e5 *\n\n");
    fs::write(path("a.pgn"), game("A") + &game("B") + &game("A")).unwrap();
    fs::write(path("b.pgn"), game("B") + &game("C") + &game("C").replace("e5", "e5 {x}")).unwrap();
    let table = path("a.arrow");
    pack_files(&[path("a.pgn")], &table, &settings(1)).unwrap();
    let old = fs::read(&table).unwrap();
    let numbers = |summary: PackSummary| (summary.games, summary.appended, summary.equal_games);
    assert_eq!(numbers(append_files(&[path("b.pgn")], &table, &settings(1)).unwrap()), (6, 3, 2));
    fs::write(&table, &old).unwrap();
    let unique = Settings { unique: true, ..settings(1) };
    assert_eq!(numbers(append_files(&[path("b.pgn")], &table, &unique).unwrap()), (4, 1, 2));
    // Nothing is new: the file is not touched.
    let (longer, modified) =
        (fs::read(&table).unwrap(), fs::metadata(&table).unwrap().modified().unwrap());
    let summary = append_files(&[path("b.pgn"), path("a.pgn")], &table, &unique).unwrap();
    assert_eq!(numbers(summary), (4, 0, 6));
    assert_eq!(summary.bytes, longer.len() as u64);
    assert_eq!(fs::metadata(&table).unwrap().modified().unwrap(), modified);
    assert!(fs::read(&table).unwrap() == longer);
}

/// Whatever fails, the old table is there, and nothing else.
#[test]
fn errors_leave_the_old_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (table, games) = (path("a.arrow"), corpus("special.pgn"));
    pack_files(&[corpus("studies.pgn")], &table, &settings(1)).unwrap();
    let old = fs::read(&table).unwrap();
    let refused = |files: &[PathBuf], settings: &Settings| {
        let error = append_files(files, &table, settings).unwrap_err();
        assert!(fs::read(&table).unwrap() == old);
        assert_eq!(names(folder.path()), ["a.arrow"]);
        error
    };
    let error = refused(&[games.clone(), path("missing.pgn")], &settings(2));
    assert!(matches!(error, Error::Input(InputError::Read { .. })), "{error}");
    let error = refused(&[games.clone(), table.clone()], &settings(2));
    assert!(matches!(error, Error::SameFile { .. }), "{error}");
    let ledger = crate::Ledger::default();
    drop(ledger.abandon());
    refused(std::slice::from_ref(&games), &Settings { ledger, ..settings(1) });
    let lock = TableLock::of(&table).unwrap();
    let error = refused(std::slice::from_ref(&games), &settings(1));
    let reason = OutputRefusal::LockedTable;
    assert!(matches!(&error, Error::OutputRefused { reason: found, .. } if *found == reason));
    // A run that would replace it by another table.
    let error = pack_files(std::slice::from_ref(&games), &table, &settings(1)).unwrap_err();
    assert!(matches!(&error, Error::OutputRefused { reason: found, .. } if *found == reason));
    assert!(fs::read(&table).unwrap() == old);
    drop(lock);
    append_files(&[games], &table, &settings(1)).unwrap();
}

/// A table that another process replaces meanwhile is not lost. Windows does not let a process
/// replace an open table.
#[cfg(unix)]
#[test]
fn a_replaced_table_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let table = path("a.arrow");
    pack_files(&[corpus("studies.pgn")], &table, &settings(1)).unwrap();
    pack_files(&[corpus("special.pgn")], &path("b.arrow"), &settings(1)).unwrap();
    let mut replace = |event: Event| {
        if matches!(event, Event::Progress(_)) && path("b.arrow").exists() {
            fs::rename(path("b.arrow"), &table).unwrap();
        }
        Ok(std::ops::ControlFlow::Continue(()))
    };
    let inputs = [Input::File(corpus("odd-tags.pgn"))];
    let error = append(&inputs, &table, None, &settings(1), &mut replace).unwrap_err();
    let reason = OutputRefusal::ReplacedTable;
    assert!(
        matches!(&error, Error::OutputRefused { reason: found, .. } if *found == reason)
            || matches!(error, Error::Input(InputError::Changed { .. })),
        "{error}"
    );
    pack_files(&[corpus("special.pgn")], &path("b.arrow"), &settings(1)).unwrap();
    assert!(fs::read(&table).unwrap() == fs::read(path("b.arrow")).unwrap());
    assert_eq!(names(folder.path()), ["a.arrow", "b.arrow"]);
}

#[test]
fn other_files_are_not_appended_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let games = [corpus("special.pgn")];
    fs::write(path("a.pgn"), "1. e4 *").unwrap();
    fs::copy(path("a.pgn"), path("text.arrow")).unwrap();
    for name in ["a.pgn", "text.arrow"] {
        let error = append_files(&games, &path(name), &settings(1)).unwrap_err();
        assert!(error.to_string().contains("not an Arrow file"), "{error}");
    }
    let query = babson_lang::analyze("true", babson_lang::Dialect::CQLI).unwrap().query;
    let job = crate::Job::new(&query).unwrap();
    let task = crate::Task::new(job).sink(crate::FileSink::arrow(path("found.arrow")));
    crate::scan(&[Input::File(path("a.pgn"))], vec![task], &settings(1), &mut Silent).unwrap();
    let error = append_files(&games, &path("found.arrow"), &settings(1)).unwrap_err();
    assert!(error.to_string().contains("more columns than a table of games"), "{error}");
    let error = append_files(&games, &path("missing.arrow"), &settings(1)).unwrap_err();
    assert!(error.to_string().contains("missing.arrow"), "{error}");
    fs::create_dir(path("folder.arrow")).unwrap();
    let error = append_files(&games, &path("folder.arrow"), &settings(1)).unwrap_err();
    assert!(error.to_string().contains("it is not a file"), "{error}");
    assert_eq!(names(folder.path()), ["a.pgn", "folder.arrow", "found.arrow", "text.arrow"]);
}
