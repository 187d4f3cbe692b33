//! `babson pack`: the contract of the command.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

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
fn games_that_conditions_let_through_are_counted() {
    let bench = bench();
    let folder = bench.path();
    stdout(&babson(folder, &["pack", "games.pgn", "-o", "games.arrow"]));
    for (input, query, lines) in [
        (
            "games.arrow",
            "player white \"A\" Nf3 Qh7",
            "60 games of tables: passed, left, condition\n  60  60  \"A\" in player white\n  \
             60  60  Nf3\n   1   1  Qh7\n",
        ),
        (
            "games.arrow",
            "ply == 1",
            "60 games of tables, no condition on whole games: all searched\n",
        ),
        ("games.pgn", "Qh7", "no game of a table, so conditions on whole games were not used\n"),
    ] {
        let told = stderr(&babson(folder, &["-i", input, "--count", "--stats", "--cql", query]));
        assert!(told.ends_with(lines), "{told}");
        let plain = stderr(&babson(folder, &["-i", input, "--count", "--cql", query]));
        assert!(told.starts_with(plain.split(" in ").next().unwrap()), "{plain}");
        assert!(plain.ends_with(" thread\n") || plain.ends_with(" threads\n"), "{plain}");
    }
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
        (&table[..table.len() / 2], "the file is cut off"),
        (&turned, "the table is damaged"),
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
    for (words, code, reason) in [
        (&["pack", "games.pgn"][..], 2, "name it with -o TABLE.arrow"),
        (&["pack", "games.pgn", "-o", "games.pgn"], 2, "ends with .arrow"),
        (&["pack", "missing.pgn", "-o", "a.arrow"], 3, "missing.pgn"),
        (&["pack", "games.pgn", "-o", "no/a.arrow"], 3, "no/a.arrow"),
        (&["pack", "games.pgn", "-o", "a.arrow", "-o", "b.arrow"], 2, "give -o once"),
        (&["pack", "--check", "a.arrow", "-o", "b.arrow"], 2, "--check writes no table"),
        (&["pack", "games.pgn", "-o", "a.arrow", "--compress", "lz4"], 2, "lz4"),
        (&["pack", "--check", "missing.arrow"], 3, "missing.arrow"),
    ] {
        let output = babson(folder, words);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(reason), "{words:?}: {}", stderr(&output));
    }
    assert_eq!(fs::read_dir(folder).unwrap().count(), 2);
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
