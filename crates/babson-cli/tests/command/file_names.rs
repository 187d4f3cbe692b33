//! Names of files that are not UTF-8.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Output, Stdio};

use crate::bench::{Bench, GAMES};

/// A name with a byte that UTF-8 does not have, before this ending.
fn odd(stem: &str, ending: &str) -> OsString {
    let bytes = [stem.as_bytes(), b"\xff", ending.as_bytes()].concat();
    OsStr::from_bytes(&bytes).to_owned()
}

/// Runs with words that need not be UTF-8.
fn run(bench: &Bench, code: i32, words: &[&OsStr]) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_babson"));
    command.current_dir(bench.path("")).env_remove("BABSON_CONFIG").args(words);
    let Output { status, stdout, stderr } = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&stdout), text(&stderr));
    assert_eq!(status.code(), Some(code), "{words:?}\n{stdout}\n{stderr}");
    (stdout, stderr)
}

/// A word that is UTF-8.
fn word(text: &str) -> &OsStr {
    OsStr::new(text)
}

#[test]
fn inputs_outputs_and_queries() {
    let bench = Bench::new();
    let write = |name: &OsStr, bytes: &[u8]| fs::write(bench.path("").join(name), bytes).unwrap();
    let read = |name: &OsStr| fs::read(bench.path("").join(name)).unwrap();
    let (games, query) = (odd("games", ".pgn"), odd("mate", ".cql"));
    write(&games, GAMES);
    write(&query, b"cql() mate");

    let (stdout, _) = run(&bench, 0, &[word("-i"), &games, word("--count"), &query]);
    assert_eq!(stdout, "2\n");
    // The extension of the query may be missing, and its output has its name.
    let (stdout, _) = run(&bench, 0, &[word("-i"), &games, &odd("mate", "")]);
    assert!(stdout.contains("to mate\u{fffd}-out.pgn"), "{stdout}");
    let default = read(&odd("mate", "-out.pgn"));
    assert!(!default.is_empty());

    let output = odd("out", ".pgn");
    let mut attached = OsString::from("--output=");
    attached.push(&output);
    run(&bench, 0, &[word("-i"), &games, &attached, &query]);
    assert_eq!(read(&output), default);
    fs::remove_file(bench.path("").join(&output)).unwrap();
    run(&bench, 0, &[word("-i"), &games, word("-o"), &output, &query]);
    assert_eq!(read(&output), default);
    run(&bench, 0, &[word("-i"), &games, word("--append"), &output, &query]);
    assert_eq!(read(&output), [&default[..], &default[..]].concat());

    let (damaged, rejects) = (odd("damaged", ".pgn"), odd("rejects", ".pgn"));
    write(&damaged, b"[Event \"a\"]\n\n1. e5 *\n");
    let words = [word("-i"), &damaged, word("--count"), word("--rejects"), &rejects, &query];
    let (_, stderr) = run(&bench, 0, &words);
    assert!(stderr.contains("damaged\u{fffd}.pgn"), "{stderr}");
    assert!(read(&rejects).starts_with(&read(&damaged)));

    // A folder of such files, and one for the outputs of several queries.
    let (folder, found) = (odd("folder", ""), odd("found", ""));
    fs::create_dir(bench.path("").join(&folder)).unwrap();
    fs::rename(bench.path("").join(&games), bench.path("").join(&folder).join(&games)).unwrap();
    let mut directory = found.clone();
    directory.push("/");
    run(&bench, 0, &[word("-i"), &folder, word("-o"), &directory, &query, word("mate")]);
    for name in [odd("mate", ".pgn"), "mate.pgn".into()] {
        assert_eq!(fs::read(bench.path("").join(&found).join(name)).unwrap(), default);
    }
}

#[test]
fn commands_on_queries() {
    let bench = Bench::new();
    let write = |name: &OsStr, text: &str| fs::write(bench.path("").join(name), text).unwrap();
    let read = |name: &OsStr| fs::read_to_string(bench.path("").join(name)).unwrap();
    let query = odd("q", ".cql");
    write(&query, "cql()   R -> k");
    run(&bench, 0, &[word("check"), &query]);
    run(&bench, 0, &[word("explain"), &query]);
    run(&bench, 0, &[word("profile"), &query, word("-i"), word("games.pgn")]);

    // In place, and to another such name.
    let new = odd("new", ".cql");
    let words = [word("convert"), word("--to"), word("unicode"), &query, word("-o"), &new];
    run(&bench, 0, &words);
    assert_eq!(read(&new), "cql()   ♖ → ♚");
    run(&bench, 0, &[word("fmt"), &new]);
    assert!(read(&new).ends_with("♖ → ♚\n"), "{}", read(&new));
    run(&bench, 0, &[word("-u"), &query]);
    assert_eq!(read(&query), "cql()   ♖ → ♚");
    let words = [word("convert"), word("--to"), word("ascii"), &query, word("-o"), &query];
    let (_, stderr) = run(&bench, 2, &words);
    assert!(stderr.contains("-o q\u{fffd}.cql would replace the query"), "{stderr}");
    let (_, stderr) = run(&bench, 3, &[word("check"), &odd("absent", "")]);
    assert!(stderr.contains("cannot read absent\u{fffd}.cql"), "{stderr}");
    run(&bench, 0, &[word("--html"), &query]);
    assert!(bench.path("").join(odd("q", ".html")).exists());
}

/// Texts must be UTF-8, and so must names that are patterns.
#[test]
fn texts_are_utf8() {
    let bench = Bench::new();
    let not_text = odd("x", "");
    let scan = [word("-i"), word("games.pgn"), word("mate")];
    for (words, told) in [
        (&[word("--cql"), &not_text][..], "--cql: 'x\u{fffd}' is not UTF-8"),
        (&[word("--player"), &not_text], "--player: 'x\u{fffd}' is not UTF-8"),
        (&[word("--limit"), &not_text], "--limit: 'x\u{fffd}' is not UTF-8"),
        (&[word("-o"), &odd("{tag:ECO}", ".pgn")], "a name with braces must be UTF-8"),
    ] {
        let (_, stderr) = run(&bench, 2, &[&scan[..], words].concat());
        assert!(stderr.contains(told), "{stderr}");
    }
    for command in ["position", "perft", "completions", "help"] {
        let (_, stderr) = run(&bench, 2, &[word(command), &not_text]);
        assert!(stderr.contains("'x\u{fffd}' is not UTF-8"), "{stderr}");
    }
    let (_, stderr) = run(&bench, 2, &[word("check"), word("games.pgn"), &odd("", ".pgn")]);
    assert!(stderr.contains("games.pgn is a database"), "{stderr}");
}
