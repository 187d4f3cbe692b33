//! The command as a whole: bad input, exit codes, streams, and the same bytes whatever the threads.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const GAMES: &[u8] = b"[Event \"a\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Event \"b\"]\n\n1. e4 *\n\n\
                       [Event \"c\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";

/// The command in a folder of its own, without progress.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Bench {
        let bench = Bench {
            folder: tempfile::tempdir().unwrap(),
        };
        bench.put("games.pgn", GAMES);
        bench.put("mate.cql", b"cql() mate");
        bench.put("all.cql", b"cql() initial");
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    fn get(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_babson"));
        command
            .current_dir(self.folder.path())
            .args(words)
            .arg("--noprogress");
        command
    }

    fn run(&self, words: &[&str]) -> Output {
        self.command(words).stdin(Stdio::null()).output().unwrap()
    }

    /// Runs and expects this exit code; standard output and standard error.
    fn expect(&self, code: i32, words: &[&str]) -> (String, String) {
        let output = self.run(words);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(
            output.status.code(),
            Some(code),
            "{words:?}\n{stdout}\n{stderr}"
        );
        assert!(!stderr.contains("panicked"), "{stderr}");
        (stdout, stderr)
    }
}

fn corpus(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../corpus/games")
        .join(name)
        .display()
        .to_string()
}

fn gzip_members(parts: &[&[u8]]) -> Vec<u8> {
    let mut all = Vec::new();
    for part in parts {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(part).unwrap();
        all.extend(encoder.finish().unwrap());
    }
    all
}

#[test]
fn a_run_and_its_summary() {
    let bench = Bench::new();
    let (stdout, _) = bench.expect(0, &["-i", "games.pgn", "-o", "out.pgn", "mate", "-s"]);
    let last = stdout.lines().last().unwrap();
    assert!(last.starts_with("2 matches of 3 games in 0."), "{last}");
    assert!(
        last.ends_with(" seconds using 1 thread to out.pgn"),
        "{last}"
    );
    assert!(
        String::from_utf8(bench.get("out.pgn"))
            .unwrap()
            .contains("2.g4 Qh4# {CQL} 0-1")
    );
    bench.expect(0, &["-i", "games.pgn", "mate.cql"]);
    assert_eq!(bench.get("mate-out.pgn"), bench.get("out.pgn"));
}

#[test]
fn queries_with_errors() {
    let bench = Bench::new();
    for (query, word) in [
        ("cql() matee", "matee"),
        ("cql() {mate", "{mate"),
        ("cql() K + 1", "1:"),
        ("", "empty"),
        ("// x", "empty"),
    ] {
        bench.put("bad.cql", query.as_bytes());
        let (stdout, stderr) = bench.expect(1, &["-i", "games.pgn", "bad.cql"]);
        assert!(stdout.is_empty());
        assert!(
            stderr.contains("bad.cql:1") && stderr.contains('^'),
            "{query}: {stderr}"
        );
        assert!(stderr.contains(word), "{query}: {stderr}");
        assert!(!bench.path("bad-out.pgn").exists());
        bench.expect(1, &["check", "bad.cql"]);
    }
    let (_, told) = bench.expect(0, &["check", "mate.cql"]);
    assert_eq!(told, "", "nothing to say");
    bench.put("moves.cql", b"wtm\nmovenumber > 20\n");
    let (_, told) = bench.expect(0, &["check", "moves.cql"]);
    for part in [
        "warning",
        "moves.cql:2:1",
        "movenumber_from_fen",
        "--dialect",
    ] {
        assert!(told.contains(part), "{part} is missing: {told}");
    }
    for dialect in ["cqli", "cql6"] {
        let (_, told) = bench.expect(0, &["check", "--dialect", dialect, "moves.cql"]);
        assert_eq!(told, "", "the author chose");
    }
    let (_, told) = bench.expect(0, &["-i", "games.pgn", "moves.cql"]);
    assert!(!told.contains("warning"), "a run says nothing: {told}");
    let (stdout, _) = bench.expect(0, &["explain", "mate.cql"]);
    assert!(stdout.contains("mate") || stdout.contains("Mate"));
}

#[test]
fn mistakes_of_the_command_line() {
    let bench = Bench::new();
    bench.put("games.txt", GAMES);
    for words in [
        &["--limti", "3", "mate"][..],
        &["mate"],
        &["-i", "games.pgn"],
        &["-i", "games.txt", "mate"],
        &["-i", "games.pgn", "-o", "out.doc", "mate"],
        &["-i", "games.pgn", "-o", "out.xml", "mate"],
        &["-i", "games.pgn", "--append", "out.html", "mate"],
        &["-i", "games.pgn", "--includetagpattern", "(", "mate"],
        &["-i", "games.pgn", "--variantalias", "x", "y", "mate"],
        &["-i", "games.pgn", "mate", "all"],
        &["-i", "games.pgn", "--quiet", "--silent", "mate"],
    ] {
        let (_, stderr) = bench.expect(2, words);
        assert!(stderr.starts_with("babson: "), "{stderr}");
    }
}

#[test]
fn inputs_and_outputs_that_fail() {
    let bench = Bench::new();
    bench.put("broken.pgn.zst", b"\x28\xb5\x2f\xfdnot really a frame");
    fs::create_dir(bench.path("folder")).unwrap();
    for words in [
        &["-i", "missing.pgn", "mate"][..],
        &["-i", "games.pgn", "missing.cql"],
        &["-i", "games.pgn", "-o", "folder", "mate"],
        &["-i", "games.pgn", "-o", "no/such/folder.pgn", "mate"],
        &["-i", "broken.pgn.zst", "mate"],
    ] {
        let (_, stderr) = bench.expect(3, words);
        assert!(stderr.contains("cannot "), "{stderr}");
    }
    assert!(!bench.path("mate-out.pgn").exists());
    #[cfg(target_os = "linux")]
    {
        let (_, stderr) = bench.expect(3, &["-i", "games.pgn", "-o", "/dev/full", "mate"]);
        assert!(stderr.contains("cannot write /dev/full"), "{stderr}");
    }
}

#[test]
fn odd_databases_are_no_failures() {
    let bench = Bench::new();
    let nest = format!("[Event \"n\"]\n\n1. e4 {} *\n", "(1. d4 ".repeat(200_000));
    let mut state = 1u64;
    let random: Vec<u8> = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 56) as u8
    })
    .take(300_000)
    .collect();
    for (name, bytes) in [
        ("empty.pgn", Vec::new()),
        ("long.pgn", vec![b'x'; 20 << 20]),
        ("random.pgn", random),
        ("nest.pgn", nest.into_bytes()),
    ] {
        bench.put(name, &bytes);
        let (stdout, _) = bench.expect(0, &["-i", name, "-o", "out.pgn", "mate", "-variations"]);
        assert!(stdout.contains("0 matches of "), "{name}: {stdout}");
        assert!(bench.get("out.pgn").is_empty());
    }
}

#[test]
fn damaged_games_are_reported_and_kept() {
    let bench = Bench::new();
    let text =
        b"[Event \"a\"]\n\n1. e4 e5 2. Ke5 *\n\n[Event \"b\"]\n\n1. e4 { no end\n\n".to_vec();
    bench.put("bad.pgn", &[&text[..], GAMES].concat());
    let words = [
        "-i",
        "bad.pgn",
        "-o",
        "out.pgn",
        "--rejects",
        "rejects.pgn",
        "all",
    ];
    let (stdout, stderr) = bench.expect(0, &words);
    assert!(
        stderr.contains("bad.pgn:3: game 1: illegal move: Ke5"),
        "{stderr}"
    );
    assert!(stderr.contains("bad.pgn:7: game 2: "), "{stderr}");
    let lines: Vec<&str> = stdout.lines().collect();
    assert!(
        lines[lines.len() - 2].starts_with("2 damaged games"),
        "{stdout}"
    );
    assert!(
        lines[lines.len() - 1].starts_with("5 matches of 5 games"),
        "{stdout}"
    );
    let rejects = String::from_utf8(bench.get("rejects.pgn")).unwrap();
    assert!(rejects.contains("Ke5") && rejects.contains("no end") && !rejects.contains("Qh4#"));
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let bench = Bench::new();
    let games = corpus("masters-2k.pgn");
    bench.put(
        "sort.cql",
        b"cql() check message(\"here\") sort \"ply\" ply",
    );
    for query in ["mate", "sort"] {
        let run = |threads: &str, out: &str| {
            let words = ["-i", &games, "-o", out, "--threads", threads, query];
            let (stdout, _) = bench.expect(0, &words);
            let messages: Vec<String> = stdout
                .lines()
                .filter(|line| line.starts_with("Game: "))
                .map(str::to_owned)
                .collect();
            (bench.get(out), messages)
        };
        let one = run("1", "one.pgn");
        assert!(!one.0.is_empty());
        assert!(one == run("8", "eight.pgn"), "{query}");
    }
}

#[test]
fn blocks_outside_the_games_see_what_all_threads_counted() {
    let bench = Bench::new();
    bench.put(
        "count.cql",
        b"dictionary int --> int (sum) plies cqlbegin { message(\"begin\") }\n\
          cqlend { key $p in plies { message($p \":\" plies[$p]) } }\n\
          terminal plies[ply] += 1 false",
    );
    let games = corpus("masters-2k.pgn");
    let words = |threads| {
        [
            "-i",
            &games,
            "-o",
            "x.pgn",
            "--threads",
            threads,
            "count.cql",
        ]
    };
    let (one, _) = bench.expect(0, &words("1"));
    let (many, _) = bench.expect(0, &words("8"));
    let messages = |text: &str| -> Vec<String> {
        text.lines()
            .filter(|line| !line.contains("seconds"))
            .map(str::to_owned)
            .collect()
    };
    assert!(
        one.starts_with("begin\n") && messages(&one).len() > 100,
        "{one}"
    );
    assert_eq!(messages(&one), messages(&many));
    bench.put("fails.cql", b"cqlend { assert false } mate");
    let (_, stderr) = bench.expect(1, &["-i", "games.pgn", "-o", "x.pgn", "fails.cql"]);
    assert!(stderr.contains("outside the games: assert"), "{stderr}");
}

#[test]
fn all_kinds_of_input() {
    let bench = Bench::new();
    let (head, tail) = GAMES.split_at(60);
    fs::create_dir(bench.path("db")).unwrap();
    bench.put("a.pgn.gz", &gzip_members(&[head, tail]));
    let frame = |bytes: &[u8]| zstd::encode_all(bytes, 1).unwrap();
    bench.put("a.pgn.zst", &[frame(head), frame(tail)].concat());
    bench.put("db/1.pgn", GAMES);
    bench.put("db/2.pgn.gz", &gzip_members(&[GAMES]));
    for (input, count) in [
        ("games.pgn", "2\n"),
        ("a.pgn.gz", "2\n"),
        ("a.pgn.zst", "2\n"),
        ("db", "4\n"),
    ] {
        let (stdout, stderr) = bench.expect(0, &["-i", input, "--count", "mate"]);
        assert_eq!(stdout, count, "{input}");
        assert!(stderr.contains("matches of"));
    }
    let mut child = bench
        .command(&["-i", "-", "-o", "-", "mate"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(GAMES).unwrap();
    let output = child.wait_with_output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success()
            && stdout.matches("{CQL}").count() == 2
            && !stdout.contains("matches of")
    );
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let bench = Bench::new();
    let games = corpus("masters-2k.pgn");
    let mut child = bench
        .command(&["-i", &games, "-o", "-", "all"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn several_queries_in_one_scan() {
    let bench = Bench::new();
    bench.put("bad.cql", b"cql() nonsense");
    let words = [
        "-i",
        "games.pgn",
        "-o",
        "out/",
        "mate.cql",
        "bad.cql",
        "all.cql",
    ];
    bench.expect(1, &words);
    bench.expect(0, &["-i", "games.pgn", "-o", "single.pgn", "mate.cql"]);
    assert_eq!(bench.get("out/mate.pgn"), bench.get("single.pgn"));
    assert!(!bench.path("out/bad.pgn").exists());
    let summary = String::from_utf8(bench.get("out/summary.csv")).unwrap();
    let lines: Vec<&str> = summary.lines().collect();
    assert_eq!(lines[0], "query,status,games,positions,seconds");
    assert!(lines[1].starts_with("mate,ok,2,2,"), "{summary}");
    assert!(
        lines[2].contains("error: ") && lines[2].starts_with("bad,"),
        "{summary}"
    );
    assert!(lines[3].starts_with("all,ok,3,3,"), "{summary}");
}

#[test]
fn ranges_and_limits() {
    let bench = Bench::new();
    let count = |words: &[&str]| {
        let all: Vec<&str> = ["-i", "games.pgn", "--count", "all"]
            .iter()
            .chain(words)
            .copied()
            .collect();
        let (stdout, stderr) = bench.expect(0, &all);
        (stdout.trim().to_owned(), stderr.contains(" of 3 games"))
    };
    assert_eq!(count(&["-g", "2", "3"]), ("2".to_owned(), true));
    assert_eq!(count(&["-G", "2"]), ("1".to_owned(), true));
    assert_eq!(count(&["--limit", "1"]), ("1".to_owned(), false));
    assert_eq!(count(&["--cql", "mate"]).0, "0");
    assert_eq!(count(&["-limit=2"]).0, "2");
}

#[test]
fn json_lines_and_perft() {
    let bench = Bench::new();
    bench.expect(0, &["-i", "games.pgn", "-o", "out.jsonl", "mate"]);
    let text = String::from_utf8(bench.get("out.jsonl")).unwrap();
    let first = text.lines().next().unwrap();
    assert!(
        first.starts_with(
            "{\"game\": 1, \"positions\": [{\"id\": 4, \"ply\": 4, \"fen\": \"rnb1kbnr/"
        ),
        "{first}"
    );
    assert!(
        first.contains("\"comments\": [{\"id\": 4, \"text\": \"CQL\"}]"),
        "{first}"
    );
    let output = Command::new(env!("CARGO_BIN_EXE_babson"))
        .args(["perft", "3"])
        .output()
        .unwrap();
    assert_eq!(output.stdout, b"8902\n");
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let bench = Bench::new();
    fs::create_dir(bench.path("db")).unwrap();
    bench.put("db/a.pgn", GAMES);
    let mut cases = vec![
        vec!["-i", "games.pgn", "-o", "games.pgn", "all"],
        vec!["-i", "games.pgn", "-o", "db/../games.pgn", "all"],
        vec![
            "-i",
            "games.pgn",
            "--count",
            "--rejects",
            "games.pgn",
            "all",
        ],
        vec!["-i", "db", "-o", "db/a.pgn", "all"],
        vec!["-i", "db", "-o", "db/", "all", "a.cql"],
        vec!["-i", "games.pgn", "-o", "x.pgn", "-o", "db/../x.pgn", "all"],
    ];
    bench.put("a.cql", b"cql() true");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("games.pgn", bench.path("link.pgn")).unwrap();
        fs::hard_link(bench.path("games.pgn"), bench.path("hard.pgn")).unwrap();
        cases.push(vec!["-i", "games.pgn", "-o", "link.pgn", "all"]);
        cases.push(vec!["-i", "hard.pgn", "-o", "games.pgn", "all"]);
    }
    for words in cases {
        let (_, stderr) = bench.expect(2, &words);
        assert!(stderr.contains("is both an output and the "), "{stderr}");
        assert!(bench.get("games.pgn") == GAMES && bench.get("db/a.pgn") == GAMES);
        assert!(!bench.path("x.pgn").exists());
    }
}

/// Queries that look at tags only, at the main line, at everything; that match and do not. Without
/// `--rejects` what a query does not look at is not checked.
#[test]
fn rejects_are_all_damaged_games_whatever_the_query() {
    let bench = Bench::new();
    let bad = "[Event \"a\"]\n\n1. e4 e5 2. Ke5 *\n\n\
               [Event \"b\"]\n\n1. e4 (1. d4 d5 2. Qd8 Kd8) e5 {x} (1... c5 {y} 2. Nf3) *\n\n\
               [Event \"c\"]\n\n1. e4 e5 2. Nf3 foo Nc6 *\n\n\
               [Event \"d\"]\n[FEN \"nonsense\"]\n\n1. e4 *\n\n\
               [Event \"e\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"]\n\n1. O-O *\n\n\
               [Event \"f\"]\n\n1. e4 (1. d4 *\n\n";
    bench.put("bad.pgn", &[bad.as_bytes(), GAMES].concat());
    let mut told = Vec::new();
    for query in [
        "initial event \"a\"",
        "initial elo > 4000",
        "false",
        "true",
        "mate",
        "originalcomment \"x\"",
        "find mate",
    ] {
        for words in [&["--count"][..], &["-o", "out.pgn"], &["-o", "out.jsonl"]] {
            for tree in [false, true] {
                let mut all = vec!["-i", "bad.pgn", "--cql", query];
                all.extend(["--rejects", "rejects.pgn"]);
                all.extend(words);
                all.extend(tree.then_some("--variations"));
                let (stdout, stderr) = bench.expect(0, &all);
                let text = stdout + &stderr;
                assert!(text.contains("5 damaged games, "), "{all:?}\n{text}");
                let damages = text.lines().filter(|line| line.starts_with("bad.pgn:"));
                told.push(damages.map(str::to_owned).collect::<Vec<_>>());
            }
        }
    }
    assert!(
        told[0][1].starts_with("bad.pgn:7: game 2: illegal move: Qd8"),
        "{told:?}"
    );
    assert!(told.iter().all(|lines| *lines == told[0]), "{told:?}");
    // Nor does what is written: variations that were only checked are no positions.
    bench.expect(
        0,
        &["-i", "bad.pgn", "-o", "a.pgn", "--cql", "event \"b\" true"],
    );
    let text = String::from_utf8(bench.get("a.pgn")).unwrap();
    assert!(text.contains("1...e5 {x} {CQL} ( 1...c5 {y}"), "{text}");
}

#[test]
fn torn_and_foreign_inputs() {
    let bench = Bench::new();
    let mut many = Vec::new();
    for _ in 0..3000 {
        many.extend_from_slice(GAMES);
        many.extend_from_slice(b"\n");
    }
    let zst = zstd::encode_all(&many[..], 1).unwrap();
    let gz = gzip_members(&[&many]);
    bench.put("cut.pgn.zst", &zst[..zst.len() * 3 / 4]);
    bench.put("cut.pgn.gz", &gz[..gz.len() * 3 / 4]);
    let mut torn = gz.clone();
    for byte in &mut torn[gz.len() / 2..gz.len() / 2 + 40] {
        *byte ^= 0x55;
    }
    bench.put("torn.pgn.gz", &torn);
    bench.put("tail.pgn.gz", &[&gz[..], b"garbage"].concat());
    for name in ["cut.pgn.zst", "cut.pgn.gz", "torn.pgn.gz"] {
        for threads in ["1", "3"] {
            let words = ["-i", name, "-o", "out.pgn", "--threads", threads, "all"];
            let (_, stderr) = bench.expect(3, &words);
            assert!(
                stderr.contains(&format!("cannot decompress {name}: "))
                    && stderr.contains(" (after "),
                "{stderr}"
            );
            assert!(!bench.path("out.pgn").exists());
        }
    }
    // The games before the damage were searched.
    for threads in ["1", "3"] {
        let words = ["-i", "cut.pgn.gz", "-o", "-", "--threads", threads, "all"];
        let (stdout, _) = bench.expect(3, &words);
        assert!(stdout.matches("[Event ").count() > 1000, "{}", stdout.len());
    }
    let units = |bytes: &[u8], big: bool| -> Vec<u8> {
        let pair = |&byte: &u8| if big { [0, byte] } else { [byte, 0] };
        bytes.iter().flat_map(pair).collect()
    };
    bench.put("a.pgn", &[b"\xff\xfe", &units(GAMES, false)[..]].concat());
    bench.put("b.pgn", &[b"\xfe\xff", &units(GAMES, true)[..]].concat());
    bench.put("c.pgn", &units(GAMES, false));
    for name in ["a.pgn", "b.pgn", "c.pgn"] {
        let (_, stderr) = bench.expect(3, &["-i", name, "--count", "all"]);
        assert!(stderr.contains("it is UTF-16"), "{stderr}");
    }
    // Byte-order marks, line ends and NUL bytes are no failures.
    let text = String::from_utf8(GAMES.to_vec()).unwrap();
    bench.put("bom.pgn", format!("\u{feff}{text}").as_bytes());
    bench.put("crlf.pgn", text.replace('\n', "\r\n").as_bytes());
    bench.put("nul.pgn", text.replace("e4 *", "e4 \0 *").as_bytes());
    for (name, damaged) in [("bom.pgn", false), ("crlf.pgn", false), ("nul.pgn", true)] {
        let (stdout, stderr) = bench.expect(0, &["-i", name, "--count", "mate"]);
        assert_eq!(
            (stdout.as_str(), stderr.contains("NUL byte")),
            ("2\n", damaged)
        );
    }
}

/// What takes the square of the length must not be found by anybody's file.
#[test]
fn hostile_texts_take_linear_time() {
    let bench = Bench::new();
    let head = "[Event \"q\"]\n\n1. e4 ";
    let begin = std::time::Instant::now();
    for part in [
        "1-0 x {{} ",
        "( e5 {{} ) ",
        "0-1 x ",
        "0-1 1. ( ",
        "*(x)",
        "; ( { x\n",
        "{ {b} ",
        "(1. d4 d5 ",
    ] {
        let text = format!("{head}{}*\n\n", part.repeat(100_000));
        bench.put("bad.pgn", &[text.as_bytes(), GAMES].concat());
        bench.expect(
            0,
            &["-i", "bad.pgn", "-o", "out.pgn", "--variations", "all"],
        );
    }
    bench.put(
        "name.cql",
        format!("cql() {}", "x".repeat(1_000_000)).as_bytes(),
    );
    bench.put(
        "many.cql",
        format!("cql() {}", "line --> ".repeat(2_000)).as_bytes(),
    );
    bench.expect(1, &["-i", "games.pgn", "name.cql"]);
    let (_, stderr) = bench.expect(1, &["check", "many.cql"]);
    assert!(stderr.contains("… and "), "{}", stderr.len());
    assert!(begin.elapsed().as_secs() < 60);
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_nothing_behind() {
    use std::os::unix::process::ExitStatusExt;

    let bench = Bench::new();
    fs::create_dir(bench.path("out")).unwrap();
    for (name, number) in [("INT", 2), ("TERM", 15)] {
        let mut child = bench
            .command(&[
                "-i",
                "-",
                "-o",
                "out/a.pgn",
                "--rejects",
                "out/b.pgn",
                "all",
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(GAMES).unwrap();
        let files = || fs::read_dir(bench.path("out")).unwrap().count();
        while files() < 2 {
            assert!(child.try_wait().unwrap().is_none());
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let id = child.id().to_string();
        assert!(
            Command::new("kill")
                .args([&format!("-{name}"), &id])
                .status()
                .unwrap()
                .success()
        );
        assert_eq!(child.wait().unwrap().signal(), Some(number));
        assert_eq!(files(), 0);
        drop(input);
    }
}

#[test]
fn a_query_that_needs_variations_is_refused_without_them() {
    let bench = Bench::new();
    for filter in [
        "cql_assertvariations \"x\"",
        "hhdb mainline",
        "hhdb variation",
        "hhdb \"<main>\"",
    ] {
        bench.put("needs.cql", format!("cql() {filter} or true").as_bytes());
        let (_, stderr) = bench.expect(1, &["--count", "-i", "games.pgn", "needs.cql"]);
        assert!(stderr.contains("needs variations"), "{stderr}");
        bench.expect(
            0,
            &["--count", "--variations", "-i", "games.pgn", "needs.cql"],
        );
    }
}

#[test]
fn run_time_errors_and_stops() {
    let bench = Bench::new();
    bench.put("loop.cql", b"cql() mate x=0 while (true) x+=1");
    let words = [
        "-i",
        "games.pgn",
        "--steps",
        "10000",
        "-o",
        "out.pgn",
        "loop",
    ];
    let (stdout, stderr) = bench.expect(1, &words);
    assert!(
        stderr.contains("game 1: ") && stderr.contains("game 3: "),
        "{stderr}"
    );
    assert!(stderr.contains("loop.cql:1:"), "{stderr}");
    assert!(
        stdout.contains("2 games skipped after run-time errors"),
        "{stdout}"
    );
    assert!(stdout.contains("0 matches of 3 games"), "{stdout}");
    bench.put("stop.cql", b"cql() mate assert false");
    for threads in ["1", "4"] {
        let words = [
            "-i",
            "games.pgn",
            "-o",
            "stop.pgn",
            "--threads",
            threads,
            "stop",
        ];
        let (_, stderr) = bench.expect(1, &words);
        assert!(stderr.contains("game 1: "), "{stderr}");
        assert!(!stderr.contains("game 3: "), "{stderr}");
        assert!(!bench.path("stop.pgn").exists());
    }
    let left: Vec<_> = fs::read_dir(bench.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".tmp"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn options_that_are_filters_of_names_and_of_other_files() {
    let bench = Bench::new();
    bench.put(
        "players.pgn",
        b"[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 *\n\n[White \"Bob\"]\n[Black \"Cid\"]\n\n1. d4 *\n\n\
          [White \"Robob\"]\n[Black \"X\"]\n\n1. c4 *\n",
    );
    bench.put("seen.pgn", b"1. e4 c5 *\n");
    let count = |words: &[&str]| {
        let common = ["-i", "players.pgn", "--count"];
        bench
            .expect(0, &[&common[..], words].concat())
            .0
            .trim()
            .to_owned()
    };
    // Each name is searched, so that `^` is the beginning of either.
    assert_eq!(count(&["-player", "^B[ou]b$", "all.cql"]), "2");
    assert_eq!(count(&["-white", "[Bb]ob$", "all.cql"]), "2");
    assert_eq!(count(&["-black", "^(.)\\1", "all.cql"]), "0");
    assert_eq!(
        count(&[
            "-similarposition",
            "notransform",
            "seen.pgn",
            "--cql",
            "ply > 0"
        ]),
        "1"
    );
    let (_, stderr) = bench.expect(
        0,
        &[
            "-i",
            "players.pgn",
            "-similarposition",
            "seen.pgn",
            "-o",
            "o.pgn",
        ],
    );
    assert!(
        stderr.contains("Db: read 1 games from submission file: seen.pgn"),
        "{stderr}"
    );
    let (_, stderr) = bench.expect(1, &["-i", "players.pgn", "-player", "a(", "all.cql"]);
    assert!(stderr.contains("malformed regular expression"), "{stderr}");
}

#[test]
fn tags_that_are_removed() {
    let bench = Bench::new();
    let words = [
        "-i",
        "games.pgn",
        "-o",
        "o.pgn",
        "--cql",
        "mate removetag(\"Event\")",
    ];
    bench.expect(0, &words);
    assert!(
        !String::from_utf8(bench.get("o.pgn"))
            .unwrap()
            .contains("[Event")
    );
    bench.expect(0, &[&words[..], &["--noremovetag"]].concat());
    assert!(
        String::from_utf8(bench.get("o.pgn"))
            .unwrap()
            .contains("[Event")
    );
}

/// Input and output of the header, and that options win over them (evaluation-and-output.md 6).
#[test]
fn the_header_names_files_and_options_win() {
    let bench = Bench::new();
    let query = b"cql(input games.pgn output \"found here.pgn\") mate";
    bench.put("files.cql", query);
    bench.expect(0, &["files.cql"]);
    let found = String::from_utf8(bench.get("found here.pgn")).unwrap();
    assert_eq!(found.matches("[Event ").count(), 2, "{found}");

    bench.put("other.pgn", b"[Event \"z\"]\n\n1. e4 *\n");
    bench.expect(0, &["-i", "other.pgn", "-o", "named.pgn", "files.cql"]);
    assert_eq!(bench.get("named.pgn"), b"");
    assert_eq!(bench.get("found here.pgn"), found.as_bytes());
}
