//! Inputs that cannot be read to their ends: they are told, the others are searched, and the exit
//! code is 3.

use std::fs;
use std::io::Write;

use crate::archives::zip;
use crate::bench::{Bench, gzip_members};

/// Games of about a kilobyte that compress badly, so that damage has a place. Each has a mate.
pub(crate) fn games(event: &str, number: usize) -> Vec<u8> {
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
    ("decompress db/b.pgn.gz: ", "; the rest of it is not searched (it is damaged or was cut off"),
    (
        "decompress db/c.zip/x.pgn: ",
        " (after 10 games); the rest of it is not searched (it is damaged",
    ),
    ("decompress db/d.pgn.zst: ", "; the rest of it is not searched (it is damaged or was cut"),
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
    // A name that does not exist is reported before the search.
    let (stdout, stderr) = bench.expect(3, &["-i", "db", "-i", "x.pgn", "-o", "out.pgn", "mate"]);
    assert!(stderr.starts_with("babson: cannot read x.pgn: "), "{stderr}");
    assert!(stdout.is_empty() && stderr.lines().count() == 1, "{stderr}");
}

/// A gzip file of this text, stored as it is, with the checksum of another text: damage of the data
/// is damage of the text.
fn stored_gzip(text: &str, sum_of: &str) -> Vec<u8> {
    let header = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x01";
    let length = (text.len() as u16).to_le_bytes();
    let inverse = (!(text.len() as u16)).to_le_bytes();
    let whole = gzip_members(&[sum_of.as_bytes()]);
    [&header[..], &length, &inverse, text.as_bytes(), &whole[whole.len() - 8..]].concat()
}

/// Damage of compressed data is found only at its end, and until then it makes sound games look
/// damaged. These games are reported as they come. The line about the input counts them.
#[test]
fn damaged_games_of_a_broken_input() {
    let bench = Bench::new();
    let text = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n".repeat(100);
    let [damaged, one] = [50, 1].map(|games| text.replacen("Nf3", "Nf6", games));
    bench.put("a.pgn.gz", &stored_gzip(&damaged, &text));
    bench.put("one.pgn.gz", &stored_gzip(&one, &text));
    bench.put("none.pgn.gz", &stored_gzip(&text, &damaged));
    bench.put("b.pgn", damaged.as_bytes());
    bench.put("c.pgn.gz", &stored_gzip(&damaged, &damaged));
    let (many, single) = ("50 damaged games may be", "damaged game may be");
    for (inputs, clauses) in [
        (&["a.pgn.gz"][..], &[many][..]),
        (&["one.pgn.gz"], &[single]),
        (&["none.pgn.gz"], &[""]),
        (&["c.pgn.gz", "none.pgn.gz", "b.pgn"], &[""]),
        (&["b.pgn", "a.pgn.gz", "a.pgn.gz", "c.pgn.gz", "one.pgn.gz"], &[many, many, single]),
    ] {
        let named = inputs.iter().flat_map(|input| ["-i", *input]);
        let words: Vec<&str> = named.chain(["--count", "mate"]).collect();
        let (_, stderr) = bench.expect(3, &words);
        let told = stderr.lines().filter(|line| line.starts_with("babson: cannot"));
        let told: Vec<&str> = told.collect();
        assert_eq!(told.len(), clauses.len(), "{stderr}");
        for (line, clause) in told.iter().zip(clauses) {
            let clause = match *clause {
                "" => String::new(),
                clause => format!("; its {clause} a consequence"),
            };
            let told = format!(" (after 100 games){clause}; the rest of it is not searched");
            assert!(line.contains(&told), "{line}");
        }
        // The lines about games come in the order of the games, also in sound inputs.
        let lines = stderr.lines().filter(|line| !line.contains(" is an input twice, "));
        let lines: Vec<&str> = lines.collect();
        if inputs[0] != "none.pgn.gz" {
            assert!(lines[0].starts_with(&format!("{}:3: game 1: illegal", inputs[0])), "{stderr}");
        }
        let shown = lines.iter().filter(|line| line.contains(": illegal move: ")).count();
        assert!(shown <= 20 && (shown < 20 || lines[19].contains(": game 20: ")), "{stderr}");
    }
    let (stdout, _) = bench.expect(0, &["profile", "-i", "b.pgn", "--cql", "mate"]);
    assert!(stdout.contains("50 damaged games, searched up to the damage\n"), "{stdout}");
    let (_, stderr) = bench.expect(3, &["pack", "b.pgn", "a.pgn.gz", "-o", "t.arrow"]);
    let told = "(after 100 games); its 50 damaged games may be a consequence; no table is written";
    assert!(stderr.contains(told), "{stderr}");
}

/// `why` and `profile` have no summary of inputs: they name each broken one once.
#[test]
fn commands_that_look_at_a_query_tell_a_broken_input_once() {
    let bench = Bench::new();
    bench.put("cut.zip", b"PK\x03\x04cut");
    bench.put("a.pgn", b"[White \"A\"]\n\n1. e4 *\n");
    for inputs in [&["-i", "cut.zip"][..], &["-i", "cut.zip", "-i", "a.pgn"]] {
        for command in ["why", "profile"] {
            let words = [&[command], inputs, &["--cql", "mate"]].concat();
            let code = if inputs.len() > 2 && command == "why" { 0 } else { 3 };
            let (_, stderr) = bench.expect(code, &words);
            assert_eq!(
                stderr,
                "babson: cannot decompress cut.zip: it is not a whole zip archive\n"
            );
        }
    }
    let words = ["why", "cut.zip", "a.pgn", "--white", "A", "--cql", "mate"];
    let (_, stderr) = bench.expect(0, &words);
    assert_eq!(stderr.matches("cut.zip").count(), 1, "{stderr}");
}

/// Two inputs may have the same name in messages.
#[cfg(target_os = "linux")]
#[test]
fn damaged_games_of_an_input_of_the_same_name() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let bench = Bench::new();
    let text = "[Event \"x\"]\n\n1. e4 e5 2. Nf6 *\n\n".repeat(3);
    fs::create_dir(bench.path("db")).unwrap();
    let put = |name: &[u8], bytes: &[u8]| {
        fs::write(bench.path("db").join(OsStr::from_bytes(name)), bytes).unwrap();
    };
    put(b"\xfe.pgn.gz", &stored_gzip(&text, &text));
    put(b"\xff.pgn.gz", &stored_gzip(&text.replace("Nf6", "Nf3"), &text));
    let (_, stderr) = bench.expect(3, &["-i", "db", "--count", "mate"]);
    assert!(stderr.contains("(after 3 games); the rest of it is not searched"), "{stderr}");
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
        (
            &["pack", "db", "-o", "t.arrow"][..],
            ["; no table is written: pack needs", "(get new copies of"],
        ),
        (
            &["plan", "db"],
            ["; no slice is printed: plan needs all inputs whole, and", "(get new copies of"],
        ),
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
    // So does one in which the others were made.
    let words = ["-i", "db/b.pgn.gz", "--resume", "kept/r/s/t", "-o", "o.pgn", "mate"];
    bench.expect(3, &words);
    assert_eq!(fs::read_dir(bench.path("kept")).unwrap().count(), 0);
    fs::create_dir(bench.path("kept/r")).unwrap();
    bench.put("kept/r/notes", b"");
    bench.expect(3, &words);
    assert_eq!(fs::read_dir(bench.path("kept/r")).unwrap().count(), 1);
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
