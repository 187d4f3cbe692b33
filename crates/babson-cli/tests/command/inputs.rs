//! What is read: kinds of files, damage, hostile texts.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use crate::bench::{Bench, GAMES, gzip_members};

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
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    })
    .take(300_000)
    .collect();
    for (name, bytes, code) in [
        ("empty.pgn", Vec::new(), 0),
        ("long.pgn", vec![b'x'; 20 << 20], 3),
        ("random.pgn", random, 3),
        ("nest.pgn", nest.into_bytes(), 0),
    ] {
        bench.put(name, &bytes);
        let words = ["-i", name, "-o", "out.pgn", "mate", "-variations"];
        let (stdout, stderr) = bench.expect(code, &words);
        match code {
            0 => assert!(stdout.contains("0 matches of "), "{name}: {stdout}"),
            _ => {
                assert!(stderr.contains(&format!("cannot read {name}: it is not PGN")), "{stderr}")
            }
        }
        assert!(bench.get("out.pgn").is_empty());
    }
}

#[test]
fn damaged_games_are_reported_and_kept() {
    let bench = Bench::new();
    let text =
        b"[Event \"a\"]\n\n1. e4 e5 2. Ke5 *\n\n[Event \"b\"]\n\n1. e4 { no end\n\n".to_vec();
    bench.put("bad.pgn", &[&text[..], GAMES].concat());
    let words = ["-i", "bad.pgn", "-o", "out.pgn", "--rejects", "rejects.pgn", "all"];
    let (stdout, stderr) = bench.expect(0, &words);
    assert!(stderr.contains("bad.pgn:3: game 1: illegal move: Ke5"), "{stderr}");
    assert!(stderr.contains("bad.pgn:7: game 2: "), "{stderr}");
    let lines: Vec<&str> = stdout.lines().collect();
    assert!(lines[lines.len() - 2].starts_with("2 damaged games"), "{stdout}");
    assert!(lines[lines.len() - 1].starts_with("5 matches of 5 games"), "{stdout}");
    let rejects = String::from_utf8(bench.get("rejects.pgn")).unwrap();
    assert!(rejects.contains("Ke5") && rejects.contains("no end") && !rejects.contains("Qh4#"));
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
    for (input, count) in
        [("games.pgn", "2\n"), ("a.pgn.gz", "2\n"), ("a.pgn.zst", "2\n"), ("db", "4\n")]
    {
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

/// Files that are mapped and files that are read, with everything that a run prints and writes.
#[test]
fn files_that_are_not_mapped_give_the_same() {
    let bench = Bench::new();
    let bad = b"[Event \"a\"]\n\n1. e4 e5 2. Ke5 *\n\n";
    bench.put("some.pgn", &[GAMES, bad, GAMES].concat().repeat(2000));
    bench.put("some.pgn.gz", &gzip_members(&[GAMES, bad, GAMES]));
    for threads in ["1", "3"] {
        let mut results = Vec::new();
        for mapping in [&[][..], &["--no-mmap"], &["-NoMmap"]] {
            let words = ["-i", "some.pgn", "-i", "some.pgn.gz", "-o", "out.pgn", "mate"];
            let more = ["--threads", threads, "--rejects", "rejects.pgn"];
            let (stdout, stderr) = bench.expect(0, &[&words[..], &more, mapping].concat());
            let damaged = stdout.lines().find(|line| line.contains("damaged games"));
            let damaged = damaged.map(str::to_owned);
            results.push((damaged, stderr, bench.get("out.pgn"), bench.get("rejects.pgn")));
        }
        assert!(results[0].0.as_deref().unwrap().starts_with("2001 damaged games, "));
        assert_eq!(results[0], results[1]);
        assert_eq!(results[0], results[2]);
    }
}

/// A pipe with a name is read as it is, whatever its name; a pipe in a folder is not opened.
#[cfg(unix)]
#[test]
fn pipes_with_names() {
    let bench = Bench::new();
    fs::create_dir(bench.path("db")).unwrap();
    bench.put("db/a.pgn", GAMES);
    for name in ["pipe", "pipe.pgn", "db/b.pgn"] {
        let made = std::process::Command::new("mkfifo").arg(bench.path(name)).status().unwrap();
        assert!(made.success());
    }
    for (name, bytes) in [("pipe", GAMES.to_vec()), ("pipe.pgn", gzip_members(&[GAMES]))] {
        for mapping in [&[][..], &["--no-mmap"]] {
            let mut command = bench.command(&[&["-i", name, "--count", "mate"], mapping].concat());
            let child = command.stdout(Stdio::piped()).spawn().unwrap();
            fs::File::options()
                .write(true)
                .open(bench.path(name))
                .unwrap()
                .write_all(&bytes)
                .unwrap();
            assert_eq!(child.wait_with_output().unwrap().stdout, b"2\n");
        }
    }
    let (stdout, _) = bench.expect(0, &["-i", "db", "--count", "mate"]);
    assert_eq!(stdout, "2\n");
    // A link that leads nowhere is a database that cannot be searched.
    std::os::unix::fs::symlink("missing", bench.path("db/c.pgn")).unwrap();
    let (_, stderr) = bench.expect(3, &["-i", "db", "--count", "mate"]);
    assert!(stderr.contains("cannot read db/c.pgn: "), "{stderr}");
}

/// Standard input is the same under its name in the file system, for a file, too.
#[cfg(unix)]
#[test]
fn standard_input_by_its_path() {
    let bench = Bench::new();
    for name in ["-", "stdin", "/dev/stdin"] {
        let mut command = bench.command(&["-i", name, "--count", "mate"]);
        command.stdin(fs::File::open(bench.path("games.pgn")).unwrap());
        assert_eq!(command.output().unwrap().stdout, b"2\n", "{name}");
    }
    bench.expect(2, &["-i", "-", "-i", "/dev/stdin", "--count", "mate"]);
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
    assert!(told[0][1].starts_with("bad.pgn:7: game 2: illegal move: Qd8"), "{told:?}");
    assert!(told.iter().all(|lines| *lines == told[0]), "{told:?}");
    // Without `--rejects` the moves of a game that the tests of tags rule out are not looked at.
    let words = ["-i", "bad.pgn", "--count", "--cql", "event \"a\" mate"];
    let (_, stderr) = bench.expect(0, &words);
    let damages = stderr.lines().filter(|line| line.starts_with("bad.pgn:"));
    let games: Vec<_> = damages.filter_map(|line| line.split(": ").nth(1)).collect();
    assert_eq!(games, ["game 1", "game 4"], "{stderr}");
    // Nor does what is written: variations that were only checked do not count as positions.
    bench.expect(0, &["-i", "bad.pgn", "-o", "a.pgn", "--cql", "event \"b\" true"]);
    let text = String::from_utf8(bench.get("a.pgn")).unwrap();
    assert!(text.contains("1...e5 {x} {CQL} ( 1...c5 {y}"), "{text}");
}

#[test]
fn torn_and_foreign_inputs() {
    let bench = Bench::new();
    let mut many = Vec::new();
    for game in 0..3000u64 {
        many.extend_from_slice(GAMES);
        let event = game.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        many.extend(format!("\n[Event \"{event:016x}\"]\n\n1. e4 *\n\n").into_bytes());
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
            let is_cut = stderr.contains("its data ends too early (after ");
            assert_eq!(is_cut, name.starts_with("cut"), "{stderr}");
            // The games before the damage were searched.
            let games = bench.get("out.pgn").windows(7).filter(|text| text == b"[Event ").count();
            assert!(games > 1000, "{name}: {games}");
        }
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
    // Byte-order marks, line ends and NUL bytes are not failures.
    let text = String::from_utf8(GAMES.to_vec()).unwrap();
    bench.put("bom.pgn", format!("\u{feff}{text}").as_bytes());
    bench.put("crlf.pgn", text.replace('\n', "\r\n").as_bytes());
    bench.put("null.pgn", text.replace("e4 *", "e4 \0 *").as_bytes());
    for (name, damaged) in [("bom.pgn", false), ("crlf.pgn", false), ("null.pgn", true)] {
        let (stdout, stderr) = bench.expect(0, &["-i", name, "--count", "mate"]);
        assert_eq!((stdout.as_str(), stderr.contains("NUL byte")), ("2\n", damaged));
    }
}

/// The writer reads more of a game than the query needs. Damage that only the writer meets is
/// reported once.
#[test]
fn damage_that_only_the_output_meets() {
    let bench = Bench::new();
    let bad = "[Event \"a\"]\n\n1. e4 e5 2. Ke5 *\n\n\
               [Event \"b\"]\n\n1. e4 (1. d4 d5 2. Qd8 Kd8) e5 *\n\n\
               [Event \"c\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"]\n\n1. O-O *\n\n";
    bench.put("bad.pgn", &[bad.as_bytes(), GAMES].concat());
    let damage = ["bad.pgn:3: game 1: illegal move: Ke5", "bad.pgn:7: game 2: illegal move: Qd8"];
    let note = "bad.pgn:12: game 3: note: castling without the right to it: O-O";
    for query in ["initial", "ply == 0", "initial settag(\"A\" \"b\")", "true"] {
        for tree in [false, true] {
            let mut words = vec!["-i", "bad.pgn", "-o", "o.pgn", "--cql", query];
            words.extend(tree.then_some("--variations"));
            let (stdout, stderr) = bench.expect(0, &words);
            let told: Vec<&str> = stderr.lines().collect();
            assert_eq!(told, [damage[0], damage[1], note], "{words:?}");
            assert!(stdout.starts_with("2 damaged games, "), "{stdout}");
        }
    }
    // Nothing is lost of a game that is not written.
    let (_, stderr) = bench.expect(0, &["-i", "bad.pgn", "--count", "--cql", "initial"]);
    assert!(!stderr.contains("game 1"), "{stderr}");
}

/// The reports do not depend on how many threads read ahead of the last game that counts.
#[test]
fn damage_that_only_the_output_meets_with_any_number_of_threads() {
    let bench = Bench::new();
    let mut text = String::new();
    for game in 0..4000 {
        let tag = if game % 5 == 0 { "five" } else { "other" };
        let mv = if game % 3 == 0 { "Ke5" } else { "Nf3" };
        text += &format!("[Event \"{tag}\"]\n[Site \"{game:0100}\"]\n\n1. e4 e5 2. {mv} *\n\n");
    }
    bench.put("bad.pgn", text.as_bytes());
    bench.put("first.cql", b"cql() initial");
    bench.put("second.cql", b"cql() initial event \"five\"");
    let run = |threads: &str, more: &[&str]| {
        let words = ["-i", "bad.pgn", "-o", "out", "--threads", threads];
        let (stdout, stderr) = bench.expect(0, &[&words[..], more].concat());
        let damaged = stdout.lines().find(|line| line.contains("damaged games"));
        (damaged.map(str::to_owned), stderr)
    };
    fs::create_dir(bench.path("out")).unwrap();
    for (limit, damaged) in [("7", 5), ("100", 61), ("100000", 1334)] {
        let more = ["--limit", limit, "first.cql", "second.cql"];
        let one = run("1", &more);
        let counted = one.0.clone().unwrap_or_default();
        assert!(counted.starts_with(&format!("{damaged} damaged games, ")), "{limit}: {counted}");
        for _ in 0..3 {
            assert_eq!(run("4", &more), one, "{limit}");
        }
    }
}

/// A packed file whose first bytes are damaged is not a database without games.
#[test]
fn a_packed_file_that_begins_like_none() {
    let bench = Bench::new();
    let mut zst = zstd::encode_all(GAMES, 1).unwrap();
    zst[0] ^= 1;
    bench.put("a.pgn.zst", &zst);
    bench.put("b.pgn.gz", b"");
    // A text needs another name.
    bench.put("c.pgn.bz2", GAMES);
    for (name, reason) in [
        ("a.pgn.zst", "it has the extension of a compressed file, but it is not one"),
        ("b.pgn.gz", "it is empty"),
        ("c.pgn.bz2", "it has the extension of a compressed file, but it is plain PGN: name it"),
    ] {
        let (_, stderr) = bench.expect(3, &["-i", name, "--count", "all"]);
        assert!(stderr.contains(&format!("cannot decompress {name}: {reason}")), "{stderr}");
    }
    // A packed file under a plain name is read.
    bench.put("d.pgn", &gzip_members(&[GAMES]));
    let (stdout, _) = bench.expect(0, &["-i", "d.pgn", "--count", "mate"]);
    assert_eq!(stdout, "2\n");
}

/// Where it is not known how a game begins, none of its positions is searched.
#[test]
fn games_whose_start_is_not_known() {
    let bench = Bench::new();
    let text = "[FEN \"rubbish\"]\n\n1. e4 e5 *\n\n[Variant \"Tic\"]\n\n1. e4 *\n\n\
        [White \"w\"]\n\n1. e4 *\n";
    bench.put("bad.pgn", text.as_bytes());
    for query in [
        &["--cql", "initial"][..],
        &["--cql", "true"],
        &["--cql", "mate", "--matchcount", "0"],
        &["--cql", "player \"?\" or true", "-variations"],
        &["--cql", "initial", "-o", "x.jsonl"],
    ] {
        let words = [&["-i", "bad.pgn", "-o", "out.pgn"], query].concat();
        let (stdout, stderr) = bench.expect(0, &words);
        assert!(stdout.contains("1 match of 3 games"), "{query:?} {stdout}");
        assert!(stderr.contains("bad FEN: rubbish"), "{stderr}");
        assert!(stderr.contains("unknown variant: Tic"), "{stderr}");
        assert_eq!(bench.text("out.pgn").matches("[White \"w\"]").count(), 1);
    }
    // CQL 6.2 passes over such a tag.
    let words = ["-i", "bad.pgn", "-o", "out.pgn", "--dialect", "cql6", "--cql", "Pe4"];
    let (_, stderr) = bench.expect(0, &words);
    assert!(stderr.contains("bad FEN: rubbish"), "{stderr}");
    let out = bench.text("out.pgn");
    assert_eq!(out.matches("1.e4 {CQL}").count(), 3, "{out}");
    assert!(!out.contains("FEN"), "{out}");
}

/// Search and output see the same tags and moves, whatever the line ends.
#[test]
fn tags_and_moves_on_odd_lines() {
    let bench = Bench::new();
    let fen = "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]";
    for text in [
        format!("[White \"a\"]\r{fen}\r[Black \"b\"]\r\r1. O-O *\r"),
        format!("[White \"a\rb\"]\n{fen}\n[Black \"b\"]\n\n1. O-O *\n"),
        format!("[White \"a\"]\rx \"]\n{fen}\n[Black \"b\"]\n\n1. O-O *\n"),
        format!("[White \"a\"] ; note\n% note\n{fen} % note\n\n; note\n[Black \"b\"] 1. O-O *\n"),
        format!("{fen} [Black \"b\"] [White \"a\"] 1. O-O *\n"),
    ] {
        bench.put("odd.pgn", text.as_bytes());
        let words =
            ["-i", "odd.pgn", "-o", "o.pgn", "-o", "o.jsonl", "--cql", "Kg1 player black \"b\""];
        let (stdout, _) = bench.expect(0, &words);
        assert!(stdout.contains("1 match of "), "{text:?}: {stdout}");
        let (pgn, json) = (bench.text("o.pgn"), bench.text("o.jsonl"));
        assert!(pgn.contains(fen) && pgn.contains("[Black \"b\"]\n"), "{pgn:?}");
        assert!(pgn.contains("1.O-O {CQL}"), "{pgn:?}");
        assert!(json.contains("\"Black\": \"b\""), "{json:?}");
    }
}

/// The tags of all formats are found in time that grows with their number.
#[test]
fn a_game_with_many_tags() {
    let bench = Bench::new();
    let tags: Vec<String> = (0..100_000).map(|n| format!("[T{n} \"{n}\"]\n")).collect();
    let text = format!("{}\n1. e4 *\n", tags.concat());
    bench.put("many.pgn", text.as_bytes());
    for dialect in ["cqli", "cql6"] {
        let words = [
            "-i",
            "many.pgn",
            "--dialect",
            dialect,
            "-o",
            "out.pgn",
            "-o",
            "out.jsonl",
            "-o",
            "out.csv",
            "-o",
            "out.epd",
            "-o",
            "out.html",
            "--outputbuffer",
            "100000000",
            "--cql",
            "initial settag(\"T5\" \"new\") settag(\"New\" \"n\") tag \"T99999\"",
        ];
        bench.expect(0, &words);
        let (pgn, json) = (bench.text("out.pgn"), bench.text("out.jsonl"));
        assert!(pgn.contains("[T5 \"new\"]\n[T6 \"6\"]\n") && pgn.contains("[New \"n\"]"));
        assert!(
            json.contains("\"T5\": \"new\", \"T6\": \"6\", ") && json.contains("\"New\": \"n\"")
        );
        assert!(json.contains("\"T99999\": \"99999\""), "{dialect}");
    }
}

#[test]
fn inputs_without_games_are_told() {
    let bench = Bench::new();
    bench.put("page.pgn", b"<html>not found</html>\n");
    bench.put("empty.pgn", b"");
    let (stdout, stderr) = bench.expect(0, &["-i", "empty.pgn", "--cql", "mate", "--count"]);
    assert_eq!(stdout, "0\n");
    assert!(stderr.contains("no input has a game\n"), "{stderr}");
    // What is not PGN has lost games, unless another input has games.
    let not_pgn = "cannot read page.pgn: it is not PGN: it has neither a tag pair nor a move";
    let (_, stderr) = bench.expect(3, &["-i", "page.pgn", "--cql", "mate", "--count"]);
    assert!(stderr.contains(not_pgn), "{stderr}");
    let all = ["-i", "page.pgn", "-i", "empty.pgn", "--cql", "mate", "--count"];
    assert!(bench.expect(3, &all).1.contains(not_pgn));
    for query in ["mate", "gamenumber <= lastgamenumber mate"] {
        let words = ["-i", "page.pgn", "-i", "games.pgn", "--cql", query, "--count"];
        let (stdout, stderr) = bench.expect(0, &words);
        assert!(stdout == "2\n" && stderr.contains(not_pgn), "{stdout}{stderr}");
        assert!(!stderr.contains("could not be read whole"), "{stderr}");
    }
    for words in [&["pack", "page.pgn", "-o", "t.arrow"][..], &["plan", "page.pgn"]] {
        assert!(bench.expect(3, words).1.contains(not_pgn));
    }
    assert!(!bench.path("t.arrow").exists());
    let (stdout, stderr) = bench.expect(0, &["pack", "page.pgn", "games.pgn", "-o", "t.arrow"]);
    assert!(stdout.starts_with("3 games in ") && stderr.contains(not_pgn), "{stdout}{stderr}");
    let (stdout, stderr) = bench.expect(0, &["plan", "page.pgn", "games.pgn", "--slices", "1"]);
    assert!(stdout.contains("\"last_game\":3,") && stderr.contains(not_pgn), "{stdout}{stderr}");
    assert!(!stdout.contains("page.pgn"), "{stdout}");
    // Without a query that can run nothing is read.
    let words = ["-i", "games.pgn", "-o", "out/", "nosuch.cql", "none.cql"];
    assert!(!bench.expect(1, &words).0.contains("no input has"));
    // Games that are not searched are games.
    let words = |range| ["-i", "games.pgn", "-g", range, "--cql", "mate", "--count"];
    let (_, stderr) = bench.expect(0, &words("99"));
    let told = "no game has a number from 99 on: the inputs have ";
    assert!(stderr.contains(told) && !stderr.contains("no input has"), "{stderr}");
    assert!(!bench.expect(0, &words("1")).1.contains("no game has"));
    assert!(bench.expect(0, &words("0")).1.contains("games are numbered from 1\n"));
}
