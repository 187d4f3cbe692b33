//! Outputs that are completed, abandoned and undone.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use super::completion::Completion;
use super::entries::Entries;
use super::pending::{remove_empty, rename_to_unused};
use super::step::CompletionStep;
use super::{Ledger, Pending, complete};

const ALLOWED: fn() -> io::Result<()> = || Ok(());

/// Any number of files may be unfinished at a time. Names left behind by a process with the
/// same id are skipped.
#[test]
fn temporary_names_do_not_run_out() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("a.pgn");
    let own = std::process::id();
    for name in 0..200 {
        File::create(folder.path().join(format!(".a.pgn.{own}-{name}.tmp"))).unwrap();
    }
    let ledger = Ledger::default();
    let begin = |_| Pending::beside(target.clone(), false, &ledger).unwrap().1;
    let pending: Vec<Pending> = (0..1100).map(begin).collect();
    let is_there = |file: &Pending| file.temporary.exists();
    assert!(pending.iter().all(is_there));
    drop(pending);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 200);
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// A file may have been replaced and appended to more than once: the last step is undone first.
#[test]
fn abandoned_steps_are_undone_in_reverse() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("first"), "old").unwrap();
    fs::write(path("second"), "replaced").unwrap();
    fs::write(path("a.pgn"), "replaced again").unwrap();
    fs::write(path("b.pgn"), "one\ntwo\n").unwrap();
    fs::write(path("c.pgn"), "new").unwrap();
    fs::write(path("d.tmp"), "unfinished").unwrap();
    fs::create_dir(path("folder")).unwrap();
    fs::write(path("folder/e.tmp"), "unfinished").unwrap();
    let replace = |backup| CompletionStep::Replace { path: path("a.pgn"), backup: path(backup) };
    let append = |length| CompletionStep::Append { path: path("b.pgn"), length };
    let [one, two] = [(), ()].map(Arc::new);
    let mut entries = Entries {
        temporary: vec![path("d.tmp")],
        folders: vec![path("folder")],
        steps: vec![
            (Arc::clone(&one), replace("first")),
            (one, append(0)),
            (Arc::clone(&two), replace("second")),
            (Arc::clone(&two), append(4)),
            (two, CompletionStep::Create(path("c.pgn"))),
        ],
        ..Entries::default()
    };
    entries.abandon();
    assert!(entries.cleanup_errors.is_empty(), "{:?}", entries.cleanup_errors);
    assert_eq!(names(folder.path()), ["a.pgn", "b.pgn"]);
    assert_eq!(fs::read(path("a.pgn")).unwrap(), b"old");
    assert_eq!(fs::read(path("b.pgn")).unwrap(), b"");
}

/// The temporary file is gone when it is to be renamed.
#[test]
fn a_failed_rename_leaves_no_backup() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.pgn"), "old").unwrap();
    let ledger = Ledger::default();
    let (_, file) = Pending::beside(path("a.pgn"), false, &ledger).unwrap();
    let (_, other) = Pending::beside(path("b.pgn"), false, &ledger).unwrap();
    // The check comes after the backup.
    let remove = || fs::remove_file(&file.temporary);
    let (index, _) = complete(&[&file, &other], &remove).unwrap_err();
    assert_eq!(index, 0);
    drop((file, other));
    assert_eq!(names(folder.path()), ["a.pgn"]);
    assert_eq!(fs::read(path("a.pgn")).unwrap(), b"old");
}

/// Errors name what cannot be removed or restored, and the old contents are not lost.
#[test]
fn errors_name_what_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["kept.old", "spare.old"] {
        fs::write(path(name), "old").unwrap();
    }
    for name in ["taken", "d.tmp", "spare"] {
        fs::create_dir_all(path(name).join("inner")).unwrap();
    }
    let mut entries = Entries::default();
    // The folder of a target is gone: its old file keeps the name that it has.
    entries.put_back(path("kept.old"), &path("gone/kept"));
    // A folder has taken the name.
    entries.put_back(path("spare.old"), &path("spare"));
    entries.temporary.push(path("d.tmp"));
    let id = Arc::new(());
    let replace = CompletionStep::Replace { path: path("taken"), backup: path("kept.old") };
    let append = CompletionStep::Append { path: path("gone/a.pgn"), length: 4 };
    entries.steps = [replace, append].map(|step| (Arc::clone(&id), step)).into();
    entries.abandon();
    let told: Vec<String> = entries.cleanup_errors.iter().map(ToString::to_string).collect();
    let parts = [
        ("cannot restore ", "gone/kept: ", "kept.old"),
        ("cannot restore ", "spare: ", "spare.old"),
        ("cannot cut ", "gone/a.pgn back to its old length, 4 bytes: ", ""),
        ("cannot restore ", "taken: ", "kept.old"),
        ("cannot remove ", "d.tmp, which is not needed: ", ""),
    ];
    assert_eq!(told.len(), parts.len(), "{told:?}");
    for (text, (begin, inner, end)) in told.iter().zip(parts) {
        assert!(text.starts_with(begin) && text.contains(inner) && text.ends_with(end), "{text}");
    }
    for name in ["kept.old", "spare.old"] {
        assert_eq!(fs::read(path(name)).unwrap(), b"old");
    }
    assert_eq!(names(folder.path()), ["d.tmp", "kept.old", "spare", "spare.old", "taken"]);
}

/// Then the old file stays, and the new one is gone.
#[test]
fn a_file_that_may_not_be_replaced_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    fs::write(&path, "old").unwrap();
    let (_, file) = Pending::beside(path.clone(), false, &Ledger::default()).unwrap();
    let check = || Err(io::Error::other("no"));
    assert!(complete(&[&file], &check).is_err_and(|(_, why)| why.to_string() == "no"));
    drop(file);
    assert_eq!(names(folder.path()), ["a.pgn"]);
    assert_eq!(fs::read(&path).unwrap(), b"old");
}

/// An empty addition changes nothing: not even the last line gets its end.
#[test]
fn nothing_is_appended_for_an_empty_addition() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    fs::write(&path, "no end of line").unwrap();
    let (_, file) = Pending::beside(path.clone(), true, &Ledger::default()).unwrap();
    complete(&[&file], &ALLOWED).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"no end of line");
}

/// As on file systems without hard links.
#[test]
fn a_file_takes_only_an_unused_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.pgn"), "old").unwrap();
    fs::write(path("used"), "other").unwrap();
    let error = rename_to_unused(&path("a.pgn"), &path("used")).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(fs::read(path("used")).unwrap(), b"other");
    assert!(rename_to_unused(&path("missing"), &path("unused")).is_err());
    assert_eq!(names(folder.path()), ["a.pgn", "used"]);
    rename_to_unused(&path("a.pgn"), &path("unused")).unwrap();
    assert_eq!(names(folder.path()), ["unused", "used"]);
}

/// A file that got the name after all is not removed.
#[test]
fn only_an_empty_file_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("full"), "old").unwrap();
    fs::write(path("empty"), "").unwrap();
    assert_eq!(remove_empty(&path("full")).unwrap_err().to_string(), "it has 3 bytes");
    remove_empty(&path("empty")).unwrap();
    remove_empty(&path("none")).unwrap();
    assert_eq!(names(folder.path()), ["full"]);
}

/// All files get their names. Then one of the two ledgers is abandoned, before the completion
/// ends. The completion fails and undoes the files of both ledgers.
#[test]
fn outputs_that_are_abandoned_last_are_undone_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.pgn"), "old").unwrap();
    fs::write(path("b.pgn"), "old").unwrap();
    let ledgers = [Ledger::default(), Ledger::default()];
    let begin = |name: &str, append: bool, ledger: &Ledger| {
        let (mut file, pending) = Pending::beside(path(name), append, ledger).unwrap();
        file.write_all(b"new").unwrap();
        pending
    };
    let files = [
        begin("a.pgn", false, &ledgers[0]),
        begin("b.pgn", true, &ledgers[1]),
        begin("c.pgn", false, &ledgers[1]),
    ];
    let files = files.each_ref();
    let mut completion = Completion { id: Arc::new(()), is_single: false, recorded: 0 };
    for file in files {
        file.complete(&mut completion, &ALLOWED).unwrap();
    }
    assert_eq!(fs::read(path("a.pgn")).unwrap(), b"new");
    drop(ledgers[1].abandon());
    let (index, error) =
        completion.end(&[&ledgers[0], &ledgers[1], &ledgers[1]], Ok(())).unwrap_err();
    assert_eq!(index, 1, "{error}");
    assert_eq!(names(folder.path()), ["a.pgn", "b.pgn"]);
    assert_eq!(fs::read(path("a.pgn")).unwrap(), b"old");
    assert_eq!(fs::read(path("b.pgn")).unwrap(), b"old");
}

/// Two runs write to the same folder, even to the same file. One is abandoned: the other does
/// not notice.
#[test]
fn a_ledger_abandons_only_its_own_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.pgn"), "old").unwrap();
    let (abandoned, other) = (Ledger::default(), Ledger::default());
    let begin = |ledger: &Ledger, name: &str, append: bool, text: &[u8]| {
        let (mut file, pending) = Pending::beside(path(name), append, ledger).unwrap();
        file.write_all(text).unwrap();
        pending
    };
    let lost =
        [begin(&abandoned, "a.pgn", false, b"lost"), begin(&abandoned, "b.pgn", true, b"lost")];
    let kept = [begin(&other, "a.pgn", false, b"new"), begin(&other, "c.pgn", true, b"new")];
    let held = abandoned.abandon();
    complete(&[&kept[0], &kept[1]], &ALLOWED).unwrap();
    drop(held);
    for file in &lost {
        assert!(
            complete(&[file], &ALLOWED)
                .is_err_and(|(_, why)| why.to_string().contains("abandoned"))
        );
    }
    assert!(complete(&[&lost[0], &lost[1]], &ALLOWED).is_err());
    assert!(Pending::beside(path("d.pgn"), false, &abandoned).is_err());
    drop((lost, kept));
    assert_eq!(names(folder.path()), ["a.pgn", "c.pgn"]);
    assert_eq!(fs::read(path("a.pgn")).unwrap(), b"new");
    assert_eq!(fs::read(path("c.pgn")).unwrap(), b"new");
}
