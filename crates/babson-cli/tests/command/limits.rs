//! What a run may take: steps, memory, files.

use std::fmt::Write as _;
#[cfg(unix)]
use std::io::Write as _;

use crate::bench::Bench;

/// A query that never ends at the games of these numbers.
fn endless(condition: &str) -> String {
    format!("initial if {condition} then while (true) true")
}

/// The run is stopped, not the game: nothing is written, and a sentence says how far it came.
#[test]
fn a_timeout_ends_the_run() {
    let bench = Bench::new();
    bench.put("many.pgn", "[Event \"a\"]\n\n1. e4 e5 *\n\n".repeat(12_000).as_bytes());
    let query = endless("gamenumber > 6000");
    let steps = i64::MAX.to_string();
    for threads in ["1", "3"] {
        let words = ["-i", "many.pgn", "-o", "o.pgn", "--steps", &steps, "--threads", threads];
        let words = [&words[..], &["--timeout", "1", "--cql", &query]].concat();
        let (stdout, stderr) = bench.expect(1, &words);
        assert_eq!(stdout, "");
        let ending = " games: no output is written\n";
        let begin = "babson: the run reached its deadline after ";
        assert!(stderr.starts_with(begin) && stderr.ends_with(ending), "{stderr}");
        assert!(!bench.path("o.pgn").exists());
    }
    let query = ["-i", "many.pgn", "--steps", &steps, "--timeout", "1", "--cql", &query];
    let (_, stderr) = bench.expect(1, &[&query[..], &["-o", "o.pgn", "--resume", "kept"]].concat());
    let sentence = "babson: the run reached its deadline: no output is written; the same command \
                    goes on with what kept keeps\n";
    assert_eq!(stderr, sentence);
    bench.expect(0, &["-i", "many.pgn", "--count", "--timeout", "3600", "--cql", "mate"]);
    let (_, stderr) = bench.expect(2, &["-i", "many.pgn", "--timeout", "0", "--cql", "mate"]);
    assert!(stderr.contains("--timeout"), "{stderr}");
}

/// So many games in a row at the limit end the run, wherever the file was cut and however many
/// threads there are.
#[test]
fn games_in_a_row_at_the_limit_end_the_run() {
    let bench = Bench::new();
    // Several chunks of the least size.
    let text = "[Event \"a\"]\n\n1. e4 e5 *\n\n".repeat(12_000);
    bench.put("many.pgn", text.as_bytes());
    let run = |code: i32, query: &str, threads: &str, more: &[&str]| {
        let words = ["-i", "many.pgn", "-o", "o.pgn", "--steps", "200", "--cql", query];
        let words = [&words[..], &["--threads", threads], more].concat();
        let _ = std::fs::remove_file(bench.path("o.pgn"));
        let (stdout, stderr) = bench.expect(code, &words);
        (stdout.replace(&format!("using {threads} thread"), ""), stderr)
    };
    // The first chunk ends after game 2622.
    for first in [1, 2400, 2605, 2612, 2620, 9000] {
        let query = endless(&format!("gamenumber >= {first}"));
        let told = ["1", "3"].map(|threads| {
            let (_, stderr) = run(1, &query, threads, &[]);
            assert!(!bench.path("o.pgn").exists());
            stderr
        });
        assert_eq!(told[0], told[1]);
        let last = format!(
            "game {}: limit: the evaluation limit of 200 steps was reached by 20 games in a row (the run ends)",
            first + 19
        );
        assert!(told[0].contains(&last), "{}", told[0]);
        let skipped = told[0].matches("(the game is skipped)").count();
        assert_eq!(skipped, 19, "{}", told[0]);
        assert!(told[0].contains("--steps N") && told[0].contains("50000000"), "{}", told[0]);
    }
    // One game less in each row, and the rest matches.
    let query = endless("gamenumber % 20 > 0");
    let mut all = Vec::new();
    for threads in ["1", "3"] {
        let (stdout, stderr) = run(1, &query, threads, &[]);
        assert!(stdout.contains("600 matches of 12000 games"), "{stdout}");
        assert!(stderr.contains("… and 11380 more games with run-time errors"), "{stderr}");
        all.push((stderr, bench.get("o.pgn")));
    }
    assert!(all[0] == all[1]);
    // Games that are not evaluated are in no row; what is wrong otherwise parts one.
    let range = ["-g", "5", "23"];
    run(1, &endless("true"), "3", &range);
    assert!(bench.path("o.pgn").exists());
    let query =
        format!("{} if gamenumber % 20 == 0 then x=\\group", endless("gamenumber % 20 > 0"));
    let query = query.replace("x=\\group", "settag(\"A\" \\1)");
    let (stdout, _) = run(1, &query, "3", &[]);
    assert!(stdout.contains("0 matches of 12000 games"), "{stdout}");
    // Nothing after the last game that counts is counted.
    let (stdout, _) = run(0, &endless("gamenumber > 3"), "1", &["--limit", "3"]);
    assert!(stdout.contains("3 matches of 3 games"), "{stdout}");
}

/// Of several queries the one without an end does not stop the others.
#[test]
fn a_query_at_the_limit_stops_no_other() {
    let bench = Bench::new();
    let text = "[Event \"a\"]\n\n1. e4 e5 *\n\n".repeat(500);
    bench.put("many.pgn", text.as_bytes());
    bench.put("endless.cql", b"cql() while (true) true");
    bench.put("loop.cql", b"cql() x=0 while (x<9) x+=1");
    let words = ["-i", "many.pgn", "-o", "out/", "--steps", "100", "endless.cql", "loop.cql"];
    bench.expect(1, &words);
    let summary = String::from_utf8(bench.get("out/summary.csv")).unwrap();
    assert!(summary.contains("20 games in a row"), "{summary}");
    assert!(summary.contains("loop,ok,500,"), "{summary}");
    assert!(!bench.path("out/endless.pgn").exists());
}

#[test]
fn blocks_outside_the_games_know_their_number() {
    let bench = Bench::new();
    let query =
        "cqlbegin { message(lastgamenumber) } cqlend { message(\"of \" lastgamenumber) } mate";
    for (range, number) in [(&[][..], 3), (&["-g", "1", "2"], 2)] {
        let words = [&["-i", "games.pgn", "--count", "--cql", query][..], range].concat();
        let (_, stderr) = bench.expect(0, &words);
        let wanted = format!("{number}\nof {number}\n");
        assert!(stderr.contains(&wanted), "{stderr}");
    }
}

/// Rows that share long tags are whole, in the order of the games and of a sort.
#[test]
fn rows_with_long_tags() {
    let bench = Bench::new();
    let name = "Na\"me, ".repeat(1000);
    let mut text = String::new();
    for game in 1..=3 {
        let _ = write!(
            text,
            "[White \"{game} {}\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n",
            name.replace('"', "\\\"")
        );
    }
    bench.put("long.pgn", text.as_bytes());
    for query in ["true", "sort \"n\" gamenumber"] {
        let words = ["-i", "long.pgn", "-o", "o.csv", "-o", "o.epd", "--cql", query];
        bench.expect(0, &words);
        let csv = String::from_utf8(bench.get("o.csv")).unwrap();
        let epd = String::from_utf8(bench.get("o.epd")).unwrap();
        let quoted = name.replace('"', "\"\"").trim_end().to_owned();
        for game in 1..=3 {
            let white = format!("\"{game} {quoted}");
            assert_eq!(csv.matches(&white).count(), 5, "{query}");
            let white = format!(": {game} {}", name.replace('"', "'").trim_end());
            assert_eq!(epd.matches(&white).count(), 5, "{query}: {}", &epd[..300]);
        }
        assert_eq!(csv.lines().count(), 16, "{query}");
        assert_eq!(epd.lines().count(), 15, "{query}");
    }
}

/// What is not a file, or too long a one, is an error and neither read for ever nor waited for.
#[cfg(unix)]
#[test]
fn readfile_reads_files_that_fit() {
    use std::os::unix::fs::symlink;
    let bench = Bench::new();
    symlink("/dev/zero", bench.path("zero.pgn")).unwrap();
    symlink("games.pgn", bench.path("link.pgn")).unwrap();
    std::fs::create_dir(bench.path("folder.pgn")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(bench.path("fifo.cql")).status();
    assert!(made.is_ok_and(|status| status.success()));
    let long = std::fs::File::create(bench.path("long.cqo")).unwrap();
    long.set_len(65 << 20).unwrap();
    let run = |code: i32, filter: &str| {
        let words = ["-i", "games.pgn", "-o", "o.pgn", "--cql", filter];
        bench.expect(code, &words).1
    };
    for (file, reason) in [
        ("zero.pgn", "it is not a regular file"),
        ("fifo.cql", "it is not a regular file"),
        ("folder.pgn", "it is not a regular file"),
        ("long.cqo", "it has more than 64 MiB, the memory that is left to the game"),
        ("none.pgn", "No such file"),
    ] {
        let stderr = run(1, &format!("readfile \"{file}\""));
        assert!(stderr.contains(reason), "{file}: {stderr}");
        assert!(!bench.path("o.pgn").exists(), "{file}");
    }
    let stderr = run(1, "writefile(\"fifo.cql\" \"x\")");
    assert!(stderr.contains("it is not a regular file"), "{stderr}");
    run(0, "\"Qh4#\" in readfile \"link.pgn\"");
}

/// Files that are read whole have a limit, and only a query may be a pipe.
#[cfg(unix)]
#[test]
fn whole_files_end() {
    use std::os::unix::fs::symlink;
    use std::process::Stdio;
    let bench = Bench::new();
    symlink("/dev/zero", bench.path("zero.cql")).unwrap();
    symlink("/dev/zero", bench.path("zero.pgn")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(bench.path("fifo.pgn")).status();
    assert!(made.is_ok_and(|status| status.success()));
    std::fs::File::create(bench.path("long")).unwrap().set_len((1 << 20) + 1).unwrap();
    std::fs::File::create(bench.path("huge.pgn")).unwrap().set_len((1 << 30) + 1).unwrap();

    let queries: [&[&str]; 7] = [
        &["check", "zero.cql"],
        &["explain", "zero.cql"],
        &["fmt", "zero.cql"],
        &["convert", "--to", "ascii", "zero.cql"],
        &["--parse", "zero.cql"],
        &["-i", "games.pgn", "-o", "o.pgn", "zero.cql"],
        &["profile", "-i", "games.pgn", "zero.cql"],
    ];
    // Not all of these commands have the option that `Bench` adds.
    let run = |words: &[&str], stdin: Stdio| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_babson"));
        command.current_dir(bench.path("")).env_remove("BABSON_CONFIG").args(words);
        let output = command.stdin(stdin).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{words:?}\n{stderr}");
        stderr
    };
    for words in queries {
        let stderr = run(words, Stdio::null());
        assert!(stderr.contains("cannot read zero.cql: it has more than 64 MiB"), "{stderr}");
    }
    let stderr = run(&["fmt", "-"], std::fs::File::open("/dev/zero").unwrap().into());
    assert!(stderr.contains("cannot read stdin: it has more than 64 MiB"), "{stderr}");
    // A query may come through a pipe.
    let words = ["check", "/dev/stdin"];
    let mut child = bench.command(&words).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"mate").unwrap();
    assert!(child.wait().unwrap().success());

    let not_regular = "it is not a regular file";
    for (file, reason) in [
        ("zero.pgn", not_regular),
        ("fifo.pgn", not_regular),
        ("huge.pgn", "it has more than 1 GiB"),
    ] {
        let filter = format!("similarposition \"{file}\"");
        let queries = [["--similarposition", file], ["--cql", &filter]];
        for query in queries {
            let words = ["-i", "games.pgn", "-o", "o.pgn"];
            let (_, stderr) = bench.expect(1, &[&words[..], &query].concat());
            assert!(stderr.contains(&format!("cannot read {file}: {reason}")), "{stderr}");
        }
    }
    for (file, reason) in
        [("zero.pgn", not_regular), ("fifo.pgn", not_regular), ("long", "it has more than 1 MiB")]
    {
        let mut command = bench.command(&["--count", "-i", "games.pgn", "mate"]);
        let output = command.env("BABSON_CONFIG", file).stdin(Stdio::null()).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{stderr}");
        let message = format!("cannot read $BABSON_CONFIG, {file}: {reason}");
        assert!(stderr.contains(&message), "{stderr}");
    }
}
