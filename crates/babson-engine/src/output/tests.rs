use super::*;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn written(destination: Destination, text: &str) -> Output {
    let mut output = Output::create(&destination, &Ledger::default()).unwrap();
    output.write(text.as_bytes()).unwrap();
    output
}

#[test]
fn a_file_appears_only_when_complete() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.pgn");
    fs::write(&path, b"old").unwrap();
    let mut output = Output::create(&Destination::File(path.clone()), &Ledger::default()).unwrap();
    output.write(b"new").unwrap();
    output.flush().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"old");
    drop(output);
    assert_eq!(names(folder.path()), ["out.pgn"], "the temporary file is gone");
    let mut output = Output::create(&Destination::File(path.clone()), &Ledger::default()).unwrap();
    output.write(b"new").unwrap();
    output.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(names(folder.path()), ["out.pgn"]);
}

#[test]
fn a_file_grows_only_when_complete() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.pgn");
    // The last line of what is there gets its end.
    for (part, continues) in [("one\n", false), ("two", true), ("three\n", true)] {
        let dropped = Output::create(&Destination::Append(path.clone()), &Ledger::default());
        drop(dropped.unwrap());
        let mut output =
            Output::create(&Destination::Append(path.clone()), &Ledger::default()).unwrap();
        assert_eq!(output.continues(), continues);
        output.write(part.as_bytes()).unwrap();
        output.finish().unwrap();
    }
    Output::create(&Destination::Append(path.clone()), &Ledger::default())
        .unwrap()
        .finish()
        .unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"one\ntwo\nthree\n");
    assert_eq!(names(folder.path()), ["all.pgn"]);
}

#[test]
fn directories_and_missing_folders_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    assert!(
        Output::create(&Destination::File(folder.path().to_owned()), &Ledger::default()).is_err()
    );
    assert!(
        Output::create(&Destination::File(folder.path().join("no/out.pgn")), &Ledger::default())
            .is_err()
    );
}

/// Whatever kind the outputs before the failing one have: they are as they were.
#[test]
fn all_files_get_their_names_or_none() {
    for failing_is_append in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("old.pgn"), "old").unwrap();
        fs::write(path("grown.pgn"), "grown\n").unwrap();
        fs::create_dir(path("gone")).unwrap();
        let failing = path("gone/x.pgn");
        let mut outputs = Unpublished::default();
        for (destination, text) in [
            (Destination::File(path("new.pgn")), "new"),
            (Destination::File(path("old.pgn")), "replaced"),
            (Destination::Append(path("grown.pgn")), "more\n"),
            (Destination::Append(path("begun.pgn")), "begun\n"),
            match failing_is_append {
                true => (Destination::Append(failing.clone()), "x"),
                false => (Destination::File(failing.clone()), "x"),
            },
        ] {
            outputs.add(written(destination, text)).unwrap();
        }
        fs::remove_dir_all(path("gone")).unwrap();
        let error = outputs.publish().unwrap_err();
        assert!(error.to_string().contains("gone/x.pgn"), "{error}");
        assert_eq!(names(folder.path()), ["grown.pgn", "old.pgn"]);
        assert_eq!(fs::read(path("old.pgn")).unwrap(), b"old");
        assert_eq!(fs::read(path("grown.pgn")).unwrap(), b"grown\n");
        // And the same without the failure.
        let mut outputs = Unpublished::default();
        outputs.add(written(Destination::File(path("new.pgn")), "new")).unwrap();
        outputs.add(written(Destination::File(path("old.pgn")), "replaced")).unwrap();
        outputs.add(written(Destination::Append(path("grown.pgn")), "more\n")).unwrap();
        outputs.publish().unwrap();
        assert_eq!(names(folder.path()), ["grown.pgn", "new.pgn", "old.pgn"]);
        assert_eq!(fs::read(path("old.pgn")).unwrap(), b"replaced");
        assert_eq!(fs::read(path("grown.pgn")).unwrap(), b"grown\nmore\n");
    }
}

#[cfg(unix)]
#[test]
fn a_replaced_file_keeps_its_mode_and_a_link_stays_one() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode() & 0o7777;
    for (bits, append) in [
        (0o600, false),
        (0o640, false),
        (0o664, false),
        (0o444, false),
        (0o751, false),
        (0o600, true),
    ] {
        fs::write(path("out.pgn"), "old\n").unwrap();
        fs::set_permissions(path("out.pgn"), fs::Permissions::from_mode(bits)).unwrap();
        let destination = match append {
            true => Destination::Append(path("out.pgn")),
            false => Destination::File(path("out.pgn")),
        };
        let mut output = Output::create(&destination, &Ledger::default()).unwrap();
        // A file of many outputs is closed and opened again.
        output.suspend().unwrap();
        output.write(b"new\n").unwrap();
        if !append {
            let hidden = names(folder.path()).into_iter().find(|name| name.starts_with('.'));
            let while_written = mode(&hidden.unwrap());
            assert_eq!(while_written & !(bits | 0o200), 0, "{while_written:o} for {bits:o}");
        }
        output.finish().unwrap();
        assert_eq!(mode("out.pgn"), bits, "{bits:o}");
        fs::remove_file(path("out.pgn")).unwrap();
    }
    for target in ["there.pgn", "missing.pgn"] {
        fs::write(path("there.pgn"), "old").unwrap();
        symlink(target, path("link.pgn")).unwrap();
        written(Destination::File(path("link.pgn")), "new").finish().unwrap();
        assert!(fs::symlink_metadata(path("link.pgn")).unwrap().is_symlink());
        assert_eq!(fs::read(path(target)).unwrap(), b"new");
        fs::remove_file(path("link.pgn")).unwrap();
    }
}

#[test]
fn a_long_name_has_a_temporary_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("{}.pgn", "ü".repeat(125)));
    written(Destination::File(path.clone()), "x").finish().unwrap();
    assert_eq!(fs::read(path).unwrap(), b"x");
}
