//! What a run may take: steps, memory, files.

use std::fmt::Write as _;

use crate::bench::Bench;

/// A query that never ends at the games of these numbers.
fn endless(condition: &str) -> String {
    format!("initial if {condition} then while (true) true")
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
        let quoted = name.replace('"', "\\\"\"").trim_end().to_owned();
        for game in 1..=3 {
            let white = format!("\"{game} {quoted}");
            assert_eq!(csv.matches(&white).count(), 5, "{query}");
            let white = format!(": {game} {}", name.replace('"', "'").trim_end());
            let found = epd.matches(white.replace('\'', "\\'").as_str()).count();
            assert_eq!(found, 5, "{query}: {}", &epd[..300]);
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
        ("long.cqo", "it has more than the 64 MiB that are left to the game"),
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
