//! `babson pack`: the contract of the command.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

#[cfg(unix)]
mod signals;

fn babson(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_babson"));
    command.current_dir(folder).args(words).env_remove("BABSON_CONFIG").output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", stderr(output));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// A folder with 60 games, of them one damaged.
fn bench() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let games = "[White \"A\"]\n\n1. e4 e5 2. Nf3 *\n\n".repeat(59) + "1. e4 e4 *\n";
    fs::write(folder.path().join("games.pgn"), games).unwrap();
    folder
}

#[test]
fn a_table_is_written_and_checked() {
    let bench = bench();
    let folder = bench.path();
    for words in [
        &["pack", "games.pgn", "-o", "games.arrow"][..],
        &["pack", "games.pgn", "-o", "games.arrow", "--threads", "1", "--no-mmap"],
        &["pack", "games.pgn", "-o", "games.arrow", "--compress", "zstd"],
    ] {
        let packed = babson(folder, words);
        let text = stdout(&packed);
        assert!(text.starts_with("1 damaged game, kept as it is\n60 games in "), "{text}");
        assert!(stderr(&packed).contains("games.pgn:237: game 60: illegal move: e4"));
        let checked = stdout(&babson(folder, &["pack", "--check", "games.arrow"]));
        assert!(checked.starts_with("games.arrow: sound, 60 games, written by babson "));
    }
    assert_eq!(fs::read_dir(folder).unwrap().count(), 2);
}

#[test]
fn a_folder_is_made_on_request_and_the_summary_left_out() {
    let bench = bench();
    let folder = bench.path();
    let words = ["pack", "games.pgn", "-o", "new/a.arrow", "--createdirectories", "-q"];
    assert_eq!(stdout(&babson(folder, &words)), "");
    assert!(folder.join("new/a.arrow").is_file());
}

#[test]
fn games_that_the_game_guard_lets_through_are_counted() {
    let bench = bench();
    let folder = bench.path();
    stdout(&babson(folder, &["pack", "games.pgn", "-o", "games.arrow"]));
    for (input, query, lines) in [
        (
            "games.arrow",
            "player white \"A\" Nf3 Qh7",
            "game guard, 60 games of tables:\n  passed    left  condition\n      60      60  \
             \"A\" in player white\n      60      60  Nf3\n       1       1  Qh7\n",
        ),
        (
            "games.arrow",
            "depth == 0",
            "game guard: no condition, so all 60 games of tables were searched\n",
        ),
        // All games but the damaged one, which is always searched, have three plies.
        (
            "games.arrow",
            "ply == 3",
            "game guard, 60 games of tables:\n  passed    left  condition\n      60      60  ply >= 3\n",
        ),
        (
            "games.arrow",
            "movenumber > 2",
            "game guard, 60 games of tables:\n  passed    left  condition\n       1       1  ply >= 4\n",
        ),
        ("games.pgn", "Qh7", "game guard: not used, because no game of a table was searched\n"),
    ] {
        let told = stderr(&babson(folder, &["-i", input, "--count", "--stats", "--cql", query]));
        assert!(told.ends_with(lines), "{told}");
        let plain = stderr(&babson(folder, &["-i", input, "--count", "--cql", query]));
        assert!(told.starts_with(plain.split(" in ").next().unwrap()), "{plain}");
        assert!(plain.ends_with(" thread\n") || plain.ends_with(" threads\n"), "{plain}");
    }
}

#[test]
fn the_game_guards_of_several_queries_have_names() {
    let bench = bench();
    let folder = bench.path();
    stdout(&babson(folder, &["pack", "games.pgn", "-o", "games.arrow"]));
    fs::write(folder.join("a.cql"), "Nf3").unwrap();
    fs::write(folder.join("b.cql"), "depth == 0").unwrap();
    let told =
        stderr(&babson(folder, &["-i", "games.arrow", "--count", "--stats", "a.cql", "b.cql"]));
    assert!(told.contains("game guard of a, 60 games of tables:\n"), "{told}");
    assert!(told.contains("game guard of b: no condition"), "{told}");
}

/// A folder stands for all its databases. That its tables may have the games of its PGN files is
/// not left unsaid.
#[test]
fn a_folder_stands_for_its_tables() {
    let bench = bench();
    let folder = bench.path();
    fs::create_dir(folder.join("tables")).unwrap();
    stdout(&babson(folder, &["pack", "games.pgn", "-o", "tables/a.arrow"]));
    fs::copy(folder.join("tables/a.arrow"), folder.join("tables/b.feather")).unwrap();
    let search = || babson(folder, &["-i", "tables", "--count", "--cql", "Nf3"]);
    let warning = "tables has PGN files and game tables";
    let found = search();
    assert_eq!(stdout(&found), "118\n");
    assert!(!stderr(&found).contains(warning), "{}", stderr(&found));
    fs::copy(folder.join("games.pgn"), folder.join("tables/a.pgn")).unwrap();
    let found = search();
    assert_eq!(stdout(&found), "177\n");
    assert!(stderr(&found).contains(warning), "{}", stderr(&found));
    let planned = babson(folder, &["plan", "tables"]);
    // As JSON has it.
    let table = format!("{:?}", Path::new("tables").join("b.feather"));
    assert!(stdout(&planned).contains(&table), "{}", stdout(&planned));
    assert!(stderr(&planned).contains(warning));
}

/// A table has the games as they are, and that an option about their text has no effect is said.
#[test]
fn options_that_a_table_ignores_are_named() {
    let bench = bench();
    let folder = bench.path();
    let search = |words: &[&str]| {
        let query = ["-i", "games.pgn", "-o", "a.arrow", "-o", "a.pgn", "--cql", "Nf3"];
        let output = babson(folder, &[&query, words].concat());
        stdout(&output);
        (stderr(&output), fs::read(folder.join("a.arrow")).unwrap())
    };
    let (told, expected) = search(&[]);
    assert!(!told.contains("ignores"), "{told}");
    let (told, table) =
        search(&["--excludetagpattern", "e", "--excludetagpattern", "E", "-noelidecomments"]);
    let line = "babson: a.arrow is a game table, which has the games as they are in the input: it \
                ignores --excludetagpattern, --noelidecomments\n";
    assert!(told.contains(line), "{told}");
    assert!(table == expected);
    let (told, table) = search(&["--silent"]);
    assert!(!told.contains("ignores") && table != expected, "{told}");
}

#[test]
fn a_damaged_table_fails_the_check() {
    let bench = bench();
    let folder = bench.path();
    stdout(&babson(folder, &["pack", "games.pgn", "-o", "games.arrow"]));
    let table = fs::read(folder.join("games.arrow")).unwrap();
    let mut turned = table.clone();
    turned[table.len() / 2] ^= 1;
    for (bytes, reason) in [
        (
            &table[..table.len() / 2],
            "the file is cut off, or something was added to it: an Arrow file has its footer at its end; get a new copy",
        ),
        (
            &turned,
            "does not have its checksum (get a new copy of the table, or pack its games again)\n",
        ),
        (b"[White \"A\"]\n\n1. e4 *", "the file is not an Arrow file"),
    ] {
        fs::write(folder.join("damaged.arrow"), bytes).unwrap();
        let checked = babson(folder, &["pack", "--check", "damaged.arrow", "games.arrow"]);
        assert_eq!(checked.status.code(), Some(3));
        assert!(stderr(&checked).contains(reason), "{}", stderr(&checked));
        assert!(String::from_utf8_lossy(&checked.stdout).contains("games.arrow: sound, 60 games"));
    }
}

#[test]
fn mistakes_write_nothing() {
    let bench = bench();
    let folder = bench.path();
    fs::copy(folder.join("games.pgn"), folder.join("input.arrow")).unwrap();
    fs::write(folder.join("prose.pgn"), "My games\n").unwrap();
    for (words, code, reason) in [
        (&["pack", "games.pgn"][..], 2, "name it with -o TABLE.arrow"),
        (&["pack", "games.pgn", "-o", "games.pgn"], 2, "ends with .arrow"),
        (&["pack", "missing.pgn", "-o", "a.arrow"], 3, "missing.pgn"),
        (&["pack", "games.pgn", "-o", "no/a.arrow"], 3, "its folder does not exist"),
        (&["pack", "games.pgn", "-o", "a.arrow", "-o", "b.arrow"], 2, "give -o once"),
        (&["pack", "--check", "a.arrow", "-o", "b.arrow"], 2, "--check writes no table"),
        (&["pack", "--check", "a.arrow", "--noclobber"], 2, "--check writes no table"),
        (&["pack", "games.pgn", "-o", "input.arrow", "--noclobber"], 3, "it exists"),
        (&["pack", "--check", "."], 3, "input.arrow: the file is not an Arrow file"),
        (
            &["pack", "--check", "games.pgn"],
            3,
            "cannot read games.pgn: the file is not a game table (an Arrow file); --check tests \
             tables\n",
        ),
        (
            &["pack", "--compress", "games.pgn", "-o", "a.arrow"],
            2,
            "--compress: 'games.pgn' is not none or zstd; usage: babson pack ",
        ),
        (&["pack", "prose.pgn", "-o", "a.arrow"], 3, "it is not packed"),
        (&["pack", "games.pgn", "-o", "a.arrow", "--compress", "lz4"], 2, "lz4"),
        (&["pack", "--check", "missing.arrow"], 3, "missing.arrow"),
    ] {
        let output = babson(folder, words);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(reason), "{words:?}: {}", stderr(&output));
    }
    assert_eq!(fs::read_dir(folder).unwrap().count(), 3);
}

/// The matches of a search as a table: by one run, by slices, and with a folder of parts.
#[test]
fn a_search_writes_a_table() {
    let bench = bench();
    let folder = bench.path();
    let query = ["--cql", "Nf3 sort \"n\" ply comment(\"here\")"];
    let run = |words: &[&str]| stdout(&babson(folder, words));
    let search = |words: &[&str]| run(&[words, &query[..]].concat());
    let text = search(&["-i", "games.pgn", "-o", "a.arrow", "-o", "a.jsonl"]);
    assert!(
        text.starts_with("1 damaged game") || text.contains("59 matches of 60 games"),
        "{text}"
    );
    let checked = run(&["pack", "--check", "a.arrow"]);
    assert!(checked.starts_with("a.arrow: sound, 59 games, written by babson "), "{checked}");
    assert!(run(&["-i", "a.arrow", "--count", "--cql", "true"]).starts_with("59\n"));
    let expected = fs::read(folder.join("a.arrow")).unwrap();
    search(&["-i", "games.pgn", "-o", "b.arrow", "--resume", "parts"]);
    assert!(fs::read(folder.join("b.arrow")).unwrap() == expected);
    let plan = run(&["plan", "games.pgn", "--slices", "3"]);
    let mut parts = Vec::new();
    for (index, slice) in plan.lines().enumerate() {
        let part = format!("{index}.part");
        search(&["scan", "--slice", slice, "-o", &part]);
        parts.push(part);
    }
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    run(&[&["merge"], &parts[..], &["-o", "c.arrow"]].concat());
    assert!(fs::read(folder.join("c.arrow")).unwrap() == expected);
    search(&["-i", "games.pgn", "-o", "d.arrow", "--compress", "zstd"]);
    let compressed = fs::metadata(folder.join("d.arrow")).unwrap().len();
    assert!(compressed < expected.len() as u64 * 3 / 4, "{compressed}");
    for (words, reason) in [
        (&["-i", "games.pgn", "--append", "e.arrow"][..], "a game table cannot be appended to"),
        (&["-i", "games.pgn", "-o", "{tag:White}.arrow"], "cannot be split into many files"),
        (&["-i", "games.pgn", "-o", "e.arrow", "--compress", "lz4"], "lz4"),
        (&["-i", "games.pgn", "-o", "e.pgn", "--compress", "zstd"], "no output is one"),
        (&["-i", "a.arrow", "-o", "a.arrow"], "is both an output and the input"),
    ] {
        let output = babson(folder, &[words, &query].concat());
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(reason), "{words:?}: {}", stderr(&output));
    }
    assert!(
        !folder.join("e.arrow").exists() && fs::read(folder.join("a.arrow")).unwrap() == expected
    );
}

#[test]
fn tables_of_a_folder_and_of_standard_input_are_checked() {
    let bench = bench();
    let folder = bench.path();
    fs::create_dir(folder.join("tables")).unwrap();
    let empty = babson(folder, &["pack", "--check", "tables"]);
    assert_eq!(empty.status.code(), Some(3));
    assert!(stderr(&empty).contains("no game table"), "{}", stderr(&empty));
    for table in ["tables/b.arrow", "tables/a.arrow"] {
        stdout(&babson(folder, &["pack", "games.pgn", "-o", table, "--noclobber"]));
    }
    fs::write(folder.join("tables/games.pgn"), "*").unwrap();
    let text = stdout(&babson(folder, &["pack", "--check", "tables"]));
    let text = text.replace(std::path::MAIN_SEPARATOR, "/");
    let names: Vec<&str> = text.lines().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(names, ["tables/a.arrow", "tables/b.arrow"]);
    let table = fs::File::open(folder.join("tables/a.arrow")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_babson"));
    let checked = command.args(["pack", "--check", "-"]).stdin(table).output().unwrap();
    assert!(stdout(&checked).starts_with("-: sound, 60 games, written by babson "));
}

/// A search of a table whose first column is damaged writes nothing, and says what to do.
#[test]
fn a_damaged_column_is_told() {
    let bench = bench();
    let folder = bench.path();
    stdout(&babson(folder, &["pack", "games.pgn", "-o", "games.arrow"]));
    let mut table = fs::read(folder.join("games.arrow")).unwrap();
    // The tags of the first game.
    let at = table.windows(11).position(|bytes| bytes == b"[White \"A\"]").unwrap();
    table[at + 8] = b'B';
    fs::write(folder.join("games.arrow"), table).unwrap();
    let found = babson(folder, &["-i", "games.arrow", "-o", "a.pgn", "--cql", "Nf3"]);
    assert_eq!(found.status.code(), Some(3));
    let expected = "cannot read games.arrow: the table is damaged: batch 1 (rows 1 to 60): the \
                    column tags does not have its checksum; it is not searched (`babson pack \
                    --check games.arrow` tests all of it; get a new copy of the table, or pack \
                    its games again)\n";
    assert!(stderr(&found).contains(expected), "{}", stderr(&found));
    assert!(!folder.join("a.pgn").exists());
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_no_temporary_file() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Stdio;

    for (name, number) in signals::heeded(&[("INT", 2), ("TERM", 15), ("HUP", 1)]) {
        let bench = bench();
        let folder = bench.path();
        fs::write(folder.join("a.arrow"), "old").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_babson"));
        let command = command.current_dir(folder).args(["pack", "-", "-o", "a.arrow"]);
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let names = || {
            let entries = fs::read_dir(folder).unwrap();
            let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            names.collect::<Vec<String>>()
        };
        while !names().iter().any(|name| name.ends_with(".tmp")) {
            assert!(child.try_wait().unwrap().is_none(), "it ended too early");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let words = [format!("-{name}"), child.id().to_string()];
        assert!(Command::new("kill").args(words).status().unwrap().success());
        // Its standard input stays open until it has ended.
        let input = child.stdin.take();
        let status = child.wait().unwrap();
        drop(input);
        assert_eq!(status.signal(), Some(number));
        let mut left = names();
        left.sort();
        assert_eq!(left, ["a.arrow", "games.pgn"]);
        assert_eq!(fs::read(folder.join("a.arrow")).unwrap(), b"old");
    }
}

/// `--stats` counts the games that a search does not read.
#[test]
fn games_whose_moves_were_not_read_are_counted() {
    let bench = bench();
    let folder = bench.path();
    stdout(&babson(folder, &["pack", "games.pgn", "-o", "games.arrow"]));
    for (input, query, unread, damaged) in [
        ("games.pgn", "terminal", 0, true),
        ("games.pgn", "initial", 60, false),
        ("games.pgn", "player \"A\" mate", 1, false),
        ("games.pgn", "false", 60, false),
        ("games.pgn", "ply <= 1", 60, false),
        ("games.pgn", "ply < 1 terminal", 60, false),
        ("games.pgn", "ply <= 2", 59, true),
        ("games.pgn", "ply <= 3", 0, true),
        ("games.pgn", "ply <= 2 find check", 0, true),
        ("games.arrow", "mate", 59, true),
        ("games.arrow", "ply <= 2", 59, true),
        ("games.arrow", "initial player \"A\"", 60, false),
    ] {
        for threads in ["1", "3"] {
            let words = ["-i", input, "--count", "--stats", "--threads", threads, "--cql", query];
            let told = stderr(&babson(folder, &words));
            let line = match unread {
                0 => None,
                1 => Some("the moves of 1 game were not read".to_owned()),
                many => Some(format!("the moves of {many} games were not read")),
            };
            let found = told.lines().find(|line| line.starts_with("the moves of "));
            let found = found.map(|line| line.split(',').next().unwrap().to_owned());
            assert_eq!(found, line, "{input} {query} {told}");
            assert_eq!(told.contains("1 damaged game"), damaged, "{input} {query} {told}");
        }
    }
}

/// A table of another program: see the tests of babson-table.
#[test]
fn tables_that_were_written_anew_are_told() {
    let bench = bench();
    let folder = bench.path();
    stdout(&babson(folder, &["pack", "games.pgn", "-o", "games.arrow"]));
    let file = fs::File::open(folder.join("games.arrow")).unwrap();
    let mut reader = arrow_ipc::reader::FileReader::try_new(file, None).unwrap();
    let schema = reader.schema();
    let batch = reader.next().unwrap().unwrap().slice(10, 50);
    for name in ["file.arrow", "stream.arrow"] {
        let out = fs::File::create(folder.join(name)).unwrap();
        if name == "file.arrow" {
            let mut writer = arrow_ipc::writer::FileWriter::try_new(out, &schema).unwrap();
            writer.write(&batch).unwrap();
            writer.finish().unwrap();
        } else {
            let mut writer = arrow_ipc::writer::StreamWriter::try_new(out, &schema).unwrap();
            writer.write(&batch).unwrap();
            writer.finish().unwrap();
        }
        let found = babson(folder, &["-i", name, "--count", "--cql", "Nf3"]);
        assert_eq!(stdout(&found), "49\n");
        let told = format!("babson: {name}: another program has written this table anew");
        assert!(stderr(&found).contains(&told), "{}", stderr(&found));
        let checked = stdout(&babson(folder, &["pack", "--check", name]));
        let line = "written anew by another program, without checksums; its 50 games can be played";
        assert_eq!(checked, format!("{name}: {line}\n"));
        let packed = babson(folder, &["pack", name, "-o", "packed.arrow"]);
        assert!(stderr(&packed).contains("1 table was written anew"), "{}", stderr(&packed));
        assert_eq!(
            stdout(&babson(folder, &["-i", "packed.arrow", "--count", "--cql", "Nf3"])),
            "49\n"
        );
    }
}
