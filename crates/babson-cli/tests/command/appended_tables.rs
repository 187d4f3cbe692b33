//! `babson pack --append`: games are appended to a table.

use std::fs;

use crate::bench::{Bench, corpus};

/// The names of the folder.
fn names(bench: &Bench) -> Vec<String> {
    let entries = fs::read_dir(bench.path(".")).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn games_are_appended() {
    let bench = Bench::new();
    let masters = corpus("masters-2k.pgn");
    bench.expect(0, &["pack", "games.pgn", "-o", "a.arrow"]);
    let (text, told) = bench.expect(0, &["pack", &masters, "--append", "a.arrow"]);
    assert_eq!(told, "");
    let size = bench.get("a.arrow").len();
    assert!(text.starts_with("2000 games in "), "{text}");
    assert!(
        text.ends_with(&format!(" appended to a.arrow (2003 games, {size} bytes)\n")),
        "{text}"
    );
    bench.expect(0, &["pack", "games.pgn", &masters, "-o", "b.arrow"]);
    assert!(bench.get("a.arrow") == bench.get("b.arrow"));
    let (checked, _) = bench.expect(0, &["pack", "--check", "a.arrow"]);
    assert!(checked.starts_with("a.arrow: sound, 2003 games, written by babson "), "{checked}");

    // Again: the games are there already.
    let (_, told) = bench.expect(0, &["pack", &masters, "--append", "a.arrow"]);
    let warning = "babson: 2000 of 2000 games are equal to an earlier one (the same players, date \
                   and moves): --unique leaves such games out\n";
    assert_eq!(told, warning);
    let (text, told) = bench.expect(0, &["pack", "games.pgn", "--append", "b.arrow", "--unique"]);
    assert_eq!(told, "");
    let lines = "3 games equal to earlier ones, left out\n0 games in ";
    assert!(text.starts_with(lines), "{text}");
    assert!(
        text.ends_with(&format!(" appended to b.arrow (2003 games, {size} bytes)\n")),
        "{text}"
    );
}

/// A table keeps its compression unless the command line names another one.
#[test]
fn the_compression_is_kept() {
    let bench = Bench::new();
    let masters = corpus("masters-2k.pgn");
    let pack = |words: &[&str]| bench.expect(0, &[&["pack"], words].concat());
    pack(&["games.pgn", &masters, "-o", "plain.arrow"]);
    pack(&["games.pgn", &masters, "-o", "zstd.arrow", "--compress", "zstd"]);
    for (first, compress, expected) in [
        ("zstd", &[][..], "zstd.arrow"),
        ("zstd", &["--compress", "none"], "plain.arrow"),
        ("none", &[], "plain.arrow"),
        ("none", &["--compress", "zstd"], "zstd.arrow"),
    ] {
        pack(&["games.pgn", "-o", "a.arrow", "--compress", first]);
        pack(&[&[&masters[..], "--append", "a.arrow"], compress].concat());
        assert!(bench.get("a.arrow") == bench.get(expected), "{first} {compress:?}");
    }
}

#[test]
fn mistakes_leave_the_table() {
    let bench = Bench::new();
    let anew = "make a table of its games with babson pack, and append to that one";
    bench.expect(0, &["pack", "games.pgn", "-o", "a.arrow"]);
    bench.expect(0, &["-i", "games.pgn", "-o", "found.arrow", "--cql", "mate"]);
    fs::copy(bench.path("games.pgn"), bench.path("text.arrow")).unwrap();
    let table = bench.get("a.arrow");
    bench.put("cut.arrow", &table[..table.len() / 2]);
    let before = names(&bench);
    for (words, code, reason) in [
        (
            &["--append", "missing.arrow"][..],
            3,
            "cannot append to missing.arrow: it does not exist",
        ),
        (&["--append", "games.pgn"], 2, "--append games.pgn: it is not a game table"),
        (&["--append", "a.arrow", "-o", "b.arrow"], 2, "a new table with -o or appends to one"),
        (&["--append", "a.arrow", "--append", "b.arrow"], 2, "give --append once"),
        (&["--append", "text.arrow"], 3, "the file is not an Arrow file"),
        (&["--append", "cut.arrow"], 3, "the file is cut off"),
        (&["--append", "found.arrow"], 3, anew),
        (&["missing.pgn", "--append", "a.arrow"], 3, "missing.pgn"),
        (&["a.arrow", "--append", "a.arrow"], 2, "is both an output and the input"),
        (&["--check", "--append", "a.arrow"], 2, "--check writes no table: it takes no --append"),
        (&["--append"], 2, "--append"),
        (&["--append", "a.arrow", "--compress", "lz4"], 2, "lz4"),
    ] {
        let (_, told) = bench.expect(code, &[&["pack", "games.pgn"], words].concat());
        assert!(told.contains(reason), "{words:?}: {told}");
        assert!(bench.get("a.arrow") == table, "{words:?}");
        assert_eq!(names(&bench), before, "{words:?}");
    }
    // A table of another version: the footer has the number before its key.
    let find = |bytes: &[u8], end: usize| {
        table[..end].windows(bytes.len()).rposition(|found| found == bytes).unwrap()
    };
    let number = find(b"\x01\0\0\x004\0", find(b"babson.table.version", table.len()));
    let mut other = table.clone();
    other[number + 4] = b'3';
    bench.put("a.arrow", &other);
    let (_, told) = bench.expect(3, &["pack", "games.pgn", "--append", "a.arrow"]);
    assert!(told.contains("the table has version 3 of the schema"), "{told}");
    assert!(bench.get("a.arrow") == other);
}

/// A table as a process opens it that appends to it.
fn locked(bench: &Bench, name: &str) -> fs::File {
    let mut options = fs::OpenOptions::new();
    options.read(true);
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt as _;
        // FILE_SHARE_READ and FILE_SHARE_DELETE: nobody else may write.
        options.write(true).share_mode(1 | 4);
    }
    let file = options.open(bench.path(name)).unwrap();
    #[cfg(not(windows))]
    file.lock().unwrap();
    file
}

/// A table that another process appends to.
#[test]
fn two_appends_at_once_are_told() {
    let bench = Bench::new();
    bench.expect(0, &["pack", "games.pgn", "-o", "a.arrow"]);
    let table = bench.get("a.arrow");
    let lock = locked(&bench, "a.arrow");
    // It can be searched meanwhile.
    bench.expect(0, &["-i", "a.arrow", "--count", "mate"]);
    let append = ["pack", "games.pgn", "--append", "a.arrow"];
    let (_, told) = bench.expect(3, &append);
    assert!(told.contains("another process is writing it: wait for its end"), "{told}");
    assert!(bench.get("a.arrow") == table);
    drop(lock);
    bench.expect(0, &append);
}

/// Killed at any moment, the command leaves a whole table: the old one or the new one. What it
/// leaves beside it is removed by a later run.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_run_leaves_a_whole_table() {
    use std::process::Stdio;
    use std::time::Duration;

    let bench = Bench::new();
    let masters = corpus("masters-2k.pgn");
    bench.expect(0, &["pack", &masters, "-o", "old.arrow"]);
    bench.expect(0, &["pack", &masters, &masters, "-o", "new.arrow", "-q"]);
    let [old, new] = ["old.arrow", "new.arrow"].map(|name| bench.get(name));
    let mut wait = Duration::ZERO;
    let (mut killed, mut completed) = (0, 0);
    while completed < 2 && wait < Duration::from_secs(60) {
        bench.put("a.arrow", &old);
        let words = ["pack", &masters, "--append", "a.arrow", "-q"];
        let mut command = bench.command(&words);
        let mut child = command.stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(wait);
        let _ = child.kill();
        let status = child.wait().unwrap();
        let table = bench.get("a.arrow");
        assert!(table == old || table == new, "after {wait:?}");
        if status.success() {
            assert!(table == new);
            completed += 1;
        } else {
            killed += 1;
        }
        wait = wait * 5 / 4 + Duration::from_millis(3);
    }
    assert!(killed > 0);
    // No process holds the leftovers, and none of them has the name of a table.
    let left: Vec<String> =
        names(&bench).into_iter().filter(|name| name.starts_with(".a.arrow")).collect();
    assert!(left.iter().all(|name| name.ends_with(".tmp")), "{left:?}");
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(100_000);
    for name in &left {
        let file = fs::File::options().append(true).open(bench.path(name)).unwrap();
        file.set_modified(long_ago).unwrap();
    }
    bench.expect(0, &["pack", "games.pgn", "--append", "a.arrow"]);
    assert!(!names(&bench).iter().any(|name| name.starts_with('.')), "{:?}", names(&bench));
    bench.expect(0, &["pack", "--check", "a.arrow"]);
}
