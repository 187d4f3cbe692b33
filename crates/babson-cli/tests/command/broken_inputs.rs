//! Inputs that cannot be read to their ends: they are told, the others are searched, and the exit
//! code is 3.

use std::fs;
use std::io::Write;

use crate::archives::zip;
use crate::bench::{Bench, gzip_members};

/// Games of about a kilobyte that compress badly, so that damage has a place. Each has a mate.
fn games(event: &str, number: usize) -> Vec<u8> {
    let mut state = 1u64;
    let mut text = String::new();
    for game in 1..=number {
        let comment = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            format!("{:07x} ", state >> 36)
        });
        let comment: String = comment.take(120).collect();
        let eco = ["A00", "B12"][game % 2];
        let tags = format!("[Event \"{event}\"]\n[Round \"{game}\"]\n[ECO \"{eco}\"]\n\n");
        text += &format!("{tags}1. f3 e5 2. g4 Qh4# {{{comment}}} 0-1\n\n");
        text += &format!("{tags}1. d4 {{{comment}}} *\n\n");
    }
    text.into_bytes()
}

/// Seven databases: three are damaged, and one cannot be opened.
fn bench() -> Bench {
    let bench = Bench::new();
    fs::create_dir(bench.path("db")).unwrap();
    let text = games("packed", 300);
    bench.put("db/a.pgn", &games("a", 5));
    let gz = gzip_members(&[&text]);
    bench.put("db/b.pgn.gz", &gz[..gz.len() / 2]);
    let mut archive = zip(&[("x.pgn", &games("x", 5)), ("y.pgn", &games("y", 5))]);
    let list = archive.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    archive[list + 16] ^= 1;
    bench.put("db/c.zip", &archive);
    let mut zst = zstd::Encoder::new(Vec::new(), 1).unwrap();
    zst.include_checksum(true).unwrap();
    zst.write_all(&text).unwrap();
    let mut zst = zst.finish().unwrap();
    let middle = zst.len() / 2;
    zst[middle..middle + 64].fill(0);
    bench.put("db/d.pgn.zst", &zst);
    bench.put("db/e.zip", b"\0");
    bench.put("db/f.pgn", &games("f", 5));
    bench.put("all.cql", b"cql() ply >= 0");
    bench.put("sorted.cql", b"mate sort \"game\" gamenumber");
    bench
}

/// The name of a broken input, and what is said of it.
const BROKEN: [(&str, &str); 4] = [
    (
        "decompress db/b.pgn.gz: ",
        " games); the rest of it is not searched (it is damaged or was cut off",
    ),
    (
        "decompress db/c.zip/x.pgn: ",
        " (after 10 games); the rest of it is not searched (it is damaged",
    ),
    (
        "decompress db/d.pgn.zst: ",
        " games); the rest of it is not searched (it is damaged or was cut",
    ),
    ("decompress db/e.zip: it is not a whole zip archive", "; it is not searched"),
];

/// Checks the messages about the broken inputs, in the order of the inputs.
fn check_told(stderr: &str) {
    let told: Vec<&str> =
        stderr.lines().filter(|line| line.starts_with("babson: cannot")).collect();
    assert_eq!(told.len(), BROKEN.len(), "{stderr}");
    for (line, (begin, rest)) in told.iter().zip(BROKEN) {
        assert!(line.starts_with(&format!("babson: cannot {begin}")), "{line}");
        assert!(line.contains(rest), "{line}");
    }
}

/// Every kind of output, the same for any number of threads.
#[test]
fn the_other_inputs_are_searched() {
    let bench = bench();
    fs::create_dir(bench.path("out")).unwrap();
    for (words, files) in [
        (&["-o", "out/a.pgn", "mate"][..], &["a.pgn"][..]),
        (&["-o", "out/a.jsonl", "-o", "out/a.csv", "mate"], &["a.jsonl", "a.csv"]),
        (&["-o", "out/a.pgn", "--nonmatching", "out/n.pgn", "mate"], &["a.pgn", "n.pgn"]),
        (&["-o", "out/{tag:Event}.pgn", "mate"], &["a.pgn", "f.pgn", "y.pgn"]),
        (&["-o", "out/a.html", "--rejects", "out/r.pgn", "mate"], &["a.html", "r.pgn"]),
        (&["-o", "out/g.csv", "--group", "eco:1", "mate"], &["g.csv"]),
        (&["-o", "out/top.pgn", "--top", "3", "sorted"], &["top.pgn"]),
        (&["-o", "out/", "mate", "all"], &["mate.pgn", "all.pgn"]),
        (&["-o", "out/a.csv", "mate", "all"], &["a.csv"]),
        (&["--count", "mate"], &[]),
    ] {
        let run = |threads: &str| {
            let words = [&["-i", "db", "--threads", threads], words].concat();
            let (stdout, stderr) = bench.expect(3, &words);
            check_told(&stderr);
            let is_count = words.contains(&"--count");
            let shown = if is_count { &stderr } else { &stdout };
            assert!(
                shown.contains("\n4 of 7 inputs could not be read whole\n"),
                "{words:?}: {shown}"
            );
            let read = |name: &&str| fs::read(bench.path("out").join(name)).unwrap();
            let written: Vec<Vec<u8>> = files.iter().map(read).collect();
            assert!(written.iter().all(|file| !file.is_empty()), "{words:?}");
            let number = is_count.then_some(stdout);
            (written, number, stderr.replace(" 1 thread", "").replace(" 2 threads", ""))
        };
        let (one, two) = (run("1"), run("2"));
        assert!(one.0 == two.0 && one.1 == two.1, "{words:?}");
    }
    let (stdout, _) = bench.expect(3, &["-i", "db", "--count", "--cql", "event \"f\""]);
    assert_eq!(stdout, "10\n");
}

/// A broken input decides the exit code, whatever else there is.
#[test]
fn the_exit_code() {
    let bench = bench();
    bench.put("wrong.cql", b"chekc");
    bench.put("fails.cql", b"cql() ply == 0 assert gamenumber < 30");
    for words in [
        &["--count", "--exit-status", "mate"][..],
        &["--count", "--exit-status", "--cql", "event \"none\""],
        &["--count", "-q", "mate"],
        &["--count", "mate", "wrong"],
        &["--count", "fails", "mate"],
        &["--dryrun", "-o", "{tag:Event}.pgn", "mate"],
    ] {
        let (_, stderr) = bench.expect(3, &[&["-i", "db"], words].concat());
        check_told(&stderr);
    }
    // Nor is it told if the search ends before it, by its query or by a limit.
    for (code, words) in [
        (0, &["-i", "db", "--count", "--limit", "5", "mate"][..]),
        (0, &["-i", "db", "--count", "-g", "1", "10", "mate"]),
        (1, &["-i", "db/a.pgn", "-i", "db", "-o", "o.pgn", "--cql", "assert gamenumber < 12"]),
    ] {
        let (_, stderr) = bench.expect(code, words);
        assert!(!stderr.contains("cannot decompress"), "{stderr}");
    }
    let words = ["-i", "db/b.pgn.gz", "-i", "db/a.pgn", "-o", "o.pgn", "fails"];
    let (_, stderr) = bench.expect(1, &words);
    assert!(!stderr.contains("cannot decompress"), "{stderr}");
    let late = "event \"f\" assert false";
    let (_, stderr) = bench.expect(3, &["-i", "db", "-o", "o.pgn", "--cql", late]);
    check_told(&stderr);
    assert!(stderr.contains("assert"), "{stderr}");
    assert!(!bench.path("o.pgn").exists());
}

/// What was found in a single broken input is written. If nothing can be read, no file is.
#[test]
fn one_input() {
    let bench = bench();
    let (stdout, stderr) = bench.expect(3, &["-i", "db/b.pgn.gz", "-o", "out.pgn", "mate"]);
    assert!(stderr.contains("; the rest of it is not searched"), "{stderr}");
    assert!(stdout.contains("1 of 1 input could not be read whole\n"), "{stdout}");
    assert!(bench.get("out.pgn").windows(4).filter(|text| text == b"Qh4#").count() > 50);
    bench.put("out.pgn", b"of yesterday");
    bench.put("f.pgn", b"\xff\xfe UTF-16");
    for (inputs, noun) in
        [(&["-i", "f.pgn"][..], "the input"), (&["-i", "f.pgn", "-i", "db/e.zip"], "the inputs")]
    {
        let (stdout, stderr) =
            bench.expect(3, &[inputs, &["-o", "out.pgn", "mate", "--threads", "2"]].concat());
        assert!(stderr.contains("cannot read f.pgn: it is UTF-16"), "{stderr}");
        let last = format!("babson: no game of {noun} could be read: no output is written\n");
        assert!(stderr.ends_with(&last) && stdout.is_empty(), "{stderr}");
        assert_eq!(bench.get("out.pgn"), b"of yesterday");
    }
    // A name that does not exist is told before the search.
    let (stdout, stderr) = bench.expect(3, &["-i", "db", "-i", "x.pgn", "-o", "out.pgn", "mate"]);
    assert!(stderr.starts_with("babson: cannot read x.pgn: "), "{stderr}");
    assert!(stdout.is_empty() && stderr.lines().count() == 1, "{stderr}");
}

/// Damage of compressed data is found at its end. Of the damaged games that it makes of sound ones,
/// one is told, after the cause.
#[test]
fn the_cause_is_told_before_what_follows_from_it() {
    let bench = Bench::new();
    // Stored as it is, so that damage is damage of the text.
    let text = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n".repeat(100);
    let damaged = text.replacen("Nf3", "Nf6", 50);
    let packed = |text: &str, sum_of: &str| {
        let header = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x01";
        let length = (text.len() as u16).to_le_bytes();
        let inverse = (!(text.len() as u16)).to_le_bytes();
        let whole = gzip_members(&[sum_of.as_bytes()]);
        let end = &whole[whole.len() - 8..];
        [&header[..], &length, &inverse, text.as_bytes(), end].concat()
    };
    bench.put("a.pgn.gz", &packed(&damaged, &text));
    bench.put("b.pgn", damaged.as_bytes());
    bench.put("c.pgn.gz", &packed(&damaged, &damaged));
    let (_, stderr) = bench.expect(3, &["-i", "a.pgn.gz", "--count", "mate"]);
    let lines: Vec<&str> = stderr.lines().take(3).collect();
    assert!(lines[0].starts_with("babson: cannot decompress a.pgn.gz: corrupt"), "{stderr}");
    assert_eq!(lines[1], "a.pgn.gz:3: game 1: illegal move: Nf6");
    assert_eq!(lines[2], "… and 49 more damaged games of a.pgn.gz");
    assert_eq!(stderr.matches("damaged games").count(), 2, "{stderr}");
    // Those of sound inputs have their lines, in the order of the games.
    for name in ["b.pgn", "c.pgn.gz"] {
        let inputs = ["-i", "games.pgn", "-i", name, "-i", "a.pgn.gz"];
        let (_, stderr) = bench.expect(3, &[&inputs[..], &["--count", "mate"]].concat());
        let lines: Vec<&str> = stderr.lines().collect();
        assert!(lines[0].starts_with(&format!("{name}:3: game 4: illegal move")), "{stderr}");
        assert!(lines[19].starts_with(&format!("{name}:")), "{stderr}");
        assert!(lines[20].starts_with("babson: cannot decompress a.pgn.gz"), "{stderr}");
        assert_eq!(lines[22], "… and 49 more damaged games of a.pgn.gz");
        assert!(lines[23].starts_with("… and 30 more damaged games (--rejects"), "{stderr}");
    }
    let (_, stderr) = bench.expect(3, &["pack", "a.pgn.gz", "-o", "t.arrow"]);
    assert_eq!(stderr.lines().count(), 3, "{stderr}");
}

/// What must have all games does not go on. It ends with the first broken input that it finds, and
/// tells that there may be others.
#[test]
fn work_that_needs_whole_inputs() {
    let bench = bench();
    let resume = [
        "; nothing was searched: --resume needs all inputs whole, and others may be broken, too",
        " (without --resume what can be read is searched)",
    ];
    for (words, told) in [
        (&["pack", "db", "-o", "t.arrow"][..], ["; no table is written: pack needs", " anew"]),
        (&["plan", "db"], ["; no slice is printed: plan needs all inputs whole, and", " anew"]),
        (&["-i", "db", "--resume", "kept", "-o", "o.pgn", "mate"], resume),
        (&["-i", "db", "--resume", "kept", "-o", "out/", "mate", "all"], resume),
        (&["-i", "db", "-o", "o.pgn", "--cql", "gamenumber == lastgamenumber"], ["", ""]),
    ] {
        let (stdout, stderr) = bench.expect(3, words);
        let lines = stderr.lines().filter(|line| line.contains("cannot decompress db/")).count();
        assert_eq!((lines, stdout.as_str()), (1, ""), "{words:?}: {stderr}");
        assert!(told.iter().all(|told| stderr.contains(told)), "{words:?}: {stderr}");
        assert!(!bench.path("t.arrow").exists() && !bench.path("o.pgn").exists());
        assert!(!bench.path("kept").exists(), "{words:?}");
    }
    let words = ["-i", "db/b.pgn.gz", "--resume", "kept", "-o", "o.pgn", "mate"];
    let (_, stderr) = bench.expect(3, &words);
    assert!(
        stderr.contains("; nothing was searched: --resume needs its input whole ("),
        "{stderr}"
    );
    // A folder that was there before stays.
    fs::create_dir(bench.path("kept")).unwrap();
    bench.expect(3, &words);
    assert!(bench.path("kept").is_dir());
}

/// An input that is damaged after the plan was made.
#[test]
fn a_slice_of_a_broken_input() {
    let bench = Bench::new();
    let text = games("a", 300);
    let mut gz = gzip_members(&[&text]);
    bench.put("a.pgn.gz", &gz);
    let (plan, _) = bench.expect(0, &["plan", "a.pgn.gz", "--slices", "1"]);
    let middle = gz.len() / 2;
    gz[middle..middle + 64].fill(0);
    bench.put("a.pgn.gz", &gz);
    let words = ["scan", "--slice", plan.trim(), "mate", "-o", "a.part"];
    let (_, stderr) = bench.expect(3, &words);
    assert!(stderr.contains("cannot decompress a.pgn.gz: "), "{stderr}");
    assert!(stderr.contains("; no part is written: a slice needs its input whole ("), "{stderr}");
    assert!(!bench.path("a.part").exists());
}
