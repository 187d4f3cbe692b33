//! `--nonmatching`: the games that do not match, in one pass with those that do.

use std::io::{Read, Write};
use std::process::Stdio;

use crate::bench::{Bench, corpus};

/// The games of a text.
fn games(text: &str) -> usize {
    text.matches("[Event ").count()
}

#[test]
fn the_others_are_written() {
    let bench = Bench::new();
    let words = ["games.pgn", "mate.cql", "-o", "out.pgn", "--nonmatching", "rest.pgn"];
    let (stdout, stderr) = bench.expect(0, &words);
    assert!(stdout.contains(" to out.pgn, 1 other game to rest.pgn\n"), "{stdout}");
    assert_eq!(stderr, "");
    assert_eq!(bench.text("rest.pgn"), "[Event \"b\"]\n\n1.e4 *\n\n\n");
    // They are the matches of the opposite query, as games that match are written.
    let all = corpus("masters-2k.pgn");
    let opposite = ["-i", &all, "-o", "not.pgn", "--silent", "--cql", "not find mate initial"];
    bench.expect(0, &opposite);
    for threads in ["1", "3"] {
        let words =
            ["-i", &all, "--cql", "mate", "--nonmatching", "rest.pgn", "--threads", threads];
        let (stdout, stderr) = bench.expect(0, &words);
        // The command names no other output and no `--count`, so standard output has no counts.
        assert_eq!(stdout, "");
        assert!(stderr.ends_with(" other games to rest.pgn\n"), "{stderr}");
        assert_eq!(bench.text("rest.pgn"), bench.text("not.pgn"));
    }
    // With `--count` the number of matches is printed, as without `--nonmatching`.
    let words = ["games.pgn", "mate.cql", "--count", "--nonmatching", "rest.pgn"];
    assert_eq!(bench.expect(0, &words).0, "2\n");
    assert_eq!(games(&bench.text("rest.pgn")), 1);
    // The layout options apply to these games as they do to the matches.
    let words = ["games.pgn", "mate.cql", "--count", "--nonmatching", "rest.pgn"];
    let layout = ["--nomovenumbers", "--excludetagpattern", "E"];
    bench.expect(0, &[&words[..], &layout].concat());
    assert!(bench.text("rest.pgn").contains("\ne4 *\n"));
}

#[test]
fn standard_output_compression_and_tables() {
    let bench = Bench::new();
    let (stdout, stderr) = bench.expect(0, &["games.pgn", "--cql", "mate", "--nonmatching", "-"]);
    assert_eq!(stdout, "[Event \"b\"]\n\n1.e4 *\n\n\n");
    assert!(stderr.contains("2 matches of 3 games"), "{stderr}");
    bench.expect(0, &["games.pgn", "--cql", "mate", "--nonmatching", "rest.pgn.gz"]);
    let packed = bench.get("rest.pgn.gz");
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
    assert_eq!(text, stdout);
    bench.expect(0, &["games.pgn", "--cql", "mate", "--nonmatching", "rest.arrow"]);
    let (again, _) = bench.expect(0, &["rest.arrow", "-o", "-", "--silent", "--cql", "true"]);
    assert_eq!(again, stdout);
    // A table as input gives the same, although the game guard skips the game.
    bench.expect(0, &["pack", "games.pgn", "-o", "games.arrow"]);
    let (again, _) = bench.expect(0, &["games.arrow", "--cql", "mate", "--nonmatching", "-"]);
    assert_eq!(again, stdout);
    // Split by a tag.
    let words = ["games.pgn", "--cql", "false", "--nonmatching", "x-{tag:Event}.pgn"];
    let (_, stderr) = bench.expect(0, &words);
    assert!(stderr.contains("3 other games to x-{tag:Event}.pgn"), "{stderr}");
    assert_eq!(bench.text("x-b.pgn"), stdout);
    let words = [&words[..], &["--dryrun", "-o", "o.pgn"]].concat();
    let (listing, _) = bench.expect(0, &words);
    assert_eq!(listing, "o.pgn\nx-a.pgn (1)\nx-b.pgn (1)\nx-c.pgn (1)\n");
}

/// Games that options leave out are neither matches nor others.
#[test]
fn options_that_choose_games() {
    let bench = Bench::new();
    let game =
        |white: &str, text: &str| format!("[Event \"x\"]\n[White \"{white}\"]\n\n{text}\n\n");
    let mate = "1. f3 e5 2. g4 Qh4# 0-1";
    let texts = [game("Ann", mate), game("Ann", "1. e4 *"), game("Bob", "1. d4 *")];
    bench.put("players.pgn", texts.concat().as_bytes());
    let rest = |words: &[&str]| {
        let base = ["players.pgn", "--nonmatching", "-", "--cql", "mate"];
        bench.expect(0, &[&base[..], words].concat()).0
    };
    assert_eq!(games(&rest(&[])), 2);
    for words in [&["--player", "Ann"][..], &["--white", "Ann"], &["-g", "1", "2"]] {
        let rest = rest(words);
        assert!(games(&rest) == 1 && rest.contains("1.e4"), "{words:?} {rest}");
    }
    assert_eq!(rest(&["--player", "Ann", "--black", "Bob"]), "");
    // A limit ends the search with the last match.
    assert_eq!(rest(&["--limit", "1"]), "");
    assert_eq!(games(&rest(&["--limit", "2"])), 2);
    // Filters of positions are part of the query.
    assert_eq!(games(&rest(&["--btm"])), 3);
}

#[test]
fn several_queries() {
    let bench = Bench::new();
    bench.put("e4.cql", b"cql() move from e2 to e4");
    bench.put("castles.cql", b"cql() castle");
    let words = ["games.pgn", "mate", "castles", "--nonmatching", "rest.pgn"];
    let (stdout, _) = bench.expect(0, &words);
    assert!(stdout.ends_with(", 1 other game to rest.pgn\n"), "{stdout}");
    assert!(bench.text("rest.pgn").contains("\"b\""));
    bench.expect(0, &[&words[..], &["-o", "out/"]].concat());
    assert_eq!(games(&bench.text("rest.pgn")), 1);
    let (stdout, _) = bench.expect(0, &[&words[..], &["--count", "-q"]].concat());
    assert_eq!(stdout, "mate     2\ncastles  0\n");
    // Each game matches a query, so none is written.
    let words = ["games.pgn", "mate", "e4", "--nonmatching", "-", "-o", "out/"];
    assert_eq!(bench.expect(0, &words).0, "");
    // A query with an error is ignored: a game is written if no sound query matches it.
    bench.put("broken.cql", b"cql() (");
    let words = ["games.pgn", "mate", "broken", "--nonmatching", "rest.pgn", "-o", "out/"];
    bench.expect(1, &words);
    assert_eq!(games(&bench.text("rest.pgn")), 1);
}

#[test]
fn damaged_games_are_written_up_to_the_damage() {
    let bench = Bench::new();
    bench.put("bad.pgn", b"[Event \"a\"]\n\n1. e4 e5 2. Ke3 *\n\n[Event \"b\"]\n\n1. d4 *\n");
    // The query does not look at moves, so only the written game shows the damage.
    let base = ["bad.pgn", "--cql", "player \"x\"", "--threads", "1"];
    let (_, stderr) = bench.expect(0, &base);
    assert!(!stderr.contains("illegal"), "{stderr}");
    let words = [&base[..], &["--nonmatching", "rest.pgn", "--rejects", "bad.txt"]].concat();
    let (_, stderr) = bench.expect(0, &words);
    assert!(stderr.contains("bad.pgn:3: game 1: illegal move: Ke3"), "{stderr}");
    let rest = "[Event \"a\"]\n\n1.e4 e5 *\n\n\n[Event \"b\"]\n\n1.d4 *\n\n\n";
    assert_eq!(bench.text("rest.pgn"), rest);
    assert!(bench.text("bad.txt").contains("Ke3"));
}

#[test]
fn what_is_refused() {
    let bench = Bench::new();
    for (code, words, why) in [
        (2, &["rest.csv"][..], "games that do not match are written as .pgn or .arrow"),
        (2, &["rest.xyz"], "--nonmatching rest.xyz: an output ends in .pgn"),
        (2, &["{query}.pgn"], "has no query to be named after"),
        (2, &["{sort:x}.pgn"], "a game that does not match has no sort key"),
        (2, &["-", "-o", "-"], "--nonmatching -: standard output is already used for the matches"),
        (2, &["-", "--count"], "already used for the number of --count"),
        (2, &["-", "--rejects", "-"], "already used for the damaged games"),
        (2, &["rest.pgn", "--resume", "kept"], "--resume keeps the results of slices"),
        (2, &["games.pgn"], "games.pgn is both an output and the input games.pgn"),
        (2, &["out.pgn", "-o", "out.pgn"], "is both an output and the output out.pgn"),
        (3, &["none/rest.pgn"], "its folder does not exist"),
    ] {
        let all = [&["-i", "games.pgn", "--cql", "mate", "--nonmatching"], words].concat();
        let (_, stderr) = bench.expect(code, &all);
        assert!(stderr.contains(why), "{words:?} {stderr}");
    }
    let (plan, _) = bench.expect(0, &["plan", "games.pgn", "--slices", "1"]);
    let words = ["scan", "--slice", plan.trim(), "-o", "0.part", "--nonmatching", "a.pgn", "mate"];
    let (_, stderr) = bench.expect(2, &words);
    assert!(stderr.contains("--nonmatching"), "{stderr}");
    bench.expect(0, &["scan", "--slice", plan.trim(), "-o", "0.part", "mate"]);
    bench.expect(2, &["merge", "0.part", "--count", "--nonmatching", "a.pgn"]);
}

/// `--nonmatching - | head -1` does not read the rest of the games.
#[test]
fn a_closed_pipe_ends_the_search() {
    let bench = Bench::new();
    let mut command = bench.command(&["-i", "-", "--cql", "mate", "--nonmatching", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let games = "[White \"Ann\"]\n\n1. e4 e5 *\n\n".repeat(10_000);
    let mut stdin = child.stdin.take().unwrap();
    let is_ended = (0..200).any(|_| stdin.write_all(games.as_bytes()).is_err());
    drop(stdin);
    child.wait().unwrap();
    assert!(is_ended, "all 56 MB were read");
}
