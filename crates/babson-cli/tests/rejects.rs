//! `--rejects`: each game that is reported as damaged is in it, no other is, and it takes no file
//! that has another role.

mod common;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use common::{babson, text};

/// A game of each kind of damage, and sound ones between them; one that is too long to be read
/// costs time.
fn games(with_long: bool) -> Vec<Vec<u8>> {
    let fen = |board: &str| format!("[SetUp \"1\"]\n[FEN \"{board}\"]\n");
    let rooks = fen("4k3/8/8/8/8/8/4K3/R6R w - - 0 1");
    let mut many_moves = String::new();
    for number in 0..17_000 {
        let _ = write!(many_moves, "{}. Nf3 Nf6 {}. Ng1 Ng8 ", 2 * number + 1, 2 * number + 2);
    }
    // The tags after the Event, and the moves.
    let kinds: &[(&str, &str)] = &[
        ("", "1. e4 e5 *"),
        ("", "1. e4 Ke5 *"),
        (&rooks, "1. Rd1 *"),
        ("", "1. e4 what e5 *"),
        ("", "1. e4 } e5 *"),
        ("", "1. e4 ) e5 *"),
        ("", "1. e4 { no end e5 *"),
        ("", "1. e4 e5 (1... c5 *"),
        ("", "(1. d4) 1. e4 *"),
        ("", "1. e4 (1. d4 Ke5) e5 *"),
        ("[Round 3]\n", "1. e4 e5 *"),
        ("[FEN \"8/8/8/8 w\"]\n", "1. e4 e5 *"),
        ("[Variant \"Nonesuch\"]\n", "1. e4 e5 *"),
        ("", "1. e4 \0 e5 *"),
        ("", &many_moves),
        ("", "1. e4 1-0 and more text"),
        // A note: this game is not damaged.
        (&fen("4k3/8/8/8/8/8/8/4K2R w - - 0 1"), "1. O-O *"),
        ("", "1. f3 e5 2. g4 Qh4# 0-1"),
    ];
    let game = |(index, (tags, moves)): (usize, &(&str, &str))| {
        format!("[Event \"{}\"]\n{tags}\n{moves}\n\n", index + 1).into_bytes()
    };
    let mut games: Vec<Vec<u8>> = kinds.iter().enumerate().map(game).collect();
    if with_long {
        // One that is too long to be read at all.
        let mut long = format!("[Event \"{}\"]\n\n1. e4 ", games.len() + 1).into_bytes();
        long.resize(long.len() + (33 << 20), b'x');
        long.extend(b" *\n\n");
        games.push(long);
    }
    games.push(format!("[Event \"{}\"]\n\n1. e4 Ke5 *\n\n", games.len() + 1).into_bytes());
    games
}

/// The numbers of the games that were reported.
fn reported(stderr: &str) -> BTreeSet<usize> {
    let lines = stderr.lines().filter(|line| !line.contains(": note: "));
    lines.filter_map(|line| line.split_once(": game ")?.1.split(':').next()?.parse().ok()).collect()
}

/// The numbers of the games that a file holds: their `Event`.
fn collected(bytes: &[u8]) -> BTreeSet<usize> {
    let lines = bytes.split(|&byte| byte == b'\n');
    lines
        .filter_map(|line| {
            let number = line.strip_prefix(b"[Event \"")?.strip_suffix(b"\"]")?;
            std::str::from_utf8(number).ok()?.parse().ok()
        })
        .collect()
}

const COMMANDS: &[&[&str]] = &[
    &["-o", "out.pgn", "mate.cql"],
    &["-o", "out.pgn", "mate.cql", "-s"],
    &["--count", "tags.cql"],
    &["-o", "out.pgn", "--cql", "initial"],
    &["-o", "out.pgn", "--cql", "initial", "--variations"],
    &["-o", "out.pgn", "--cql", "initial", "--dialect", "cql6"],
    &["-o", "out.csv", "--cql", "initial sort gamenumber"],
    &["-o", "out", "mate.cql", "tags.cql"],
    &["--count", "mate.cql", "--skipunknownvariants"],
    &["--count", "mate.cql", "-g", "4", "9"],
    &["--count", "mate.cql", "-g", "1", "18"],
    &["--count", "mate.cql", "-g", "20"],
    &["--count", "--cql", "initial", "--limit", "4"],
    &["--count", "--cql", "initial", "--limit", "4", "-s"],
];

#[test]
fn each_reported_game_is_collected_and_no_other() {
    for words in COMMANDS {
        check(words, false);
    }
    for words in &COMMANDS[..3] {
        check(words, true);
    }
}

fn check(words: &[&str], with_long: bool) {
    let folder = tempfile::tempdir().unwrap();
    let games = games(with_long);
    let all = games.concat();
    fs::write(folder.path().join("games.pgn"), &all).unwrap();
    fs::write(folder.path().join("games.pgn.zst"), zstd::encode_all(&all[..], 1).unwrap()).unwrap();
    fs::write(folder.path().join("mate.cql"), "mate").unwrap();
    fs::write(folder.path().join("tags.cql"), "event \"1\"").unwrap();
    let sound = [1, 17, 18];
    let damaged: BTreeSet<usize> =
        (1..=games.len()).filter(|number| !sound.contains(number)).collect();
    for input in ["games.pgn", "games.pgn.zst"] {
        let words = [&["-i", input, "--rejects", "rejects.pgn"], words].concat();
        let output = babson(folder.path(), &words);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{words:?}\n{stderr}");
        let rejects = fs::read(folder.path().join("rejects.pgn")).unwrap();
        assert_eq!(collected(&rejects), reported(&stderr), "{words:?}\n{stderr}");
        // The output has the text of the games, except for white space at the end of a game.
        let mut texts = Vec::new();
        for number in collected(&rejects) {
            texts.extend_from_slice(games[number - 1].trim_ascii_end());
            texts.extend_from_slice(b"\n\n");
        }
        assert!(texts == rejects, "{words:?}");
        if words.contains(&"mate.cql")
            && !words.iter().any(|word| word.starts_with("-g") || word.starts_with("--skip"))
        {
            assert_eq!(reported(&stderr), damaged, "{words:?}\n{stderr}");
        }
    }
}

/// A job that has reached its limit asks for no moves, whichever thread has seen that.
#[test]
fn damage_after_the_limit_of_a_job_does_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("c.cql"), "cql() ply == 3").unwrap();
    fs::write(path("d.cql"), "cql() player \"Carlsen\" mate").unwrap();
    // The tags of the second game are damaged as well; the last game of a round is a mate.
    let round = "[White \"Carlsen\"]\n\n1. e4 e5 *\n\n\
                 [White \"Xavier\"]\n[Round 3]\n\n1. e4 e5 2. Ke5 *\n\n\
                 [White \"Xavier\"]\n\n1. e4 e5 2. Ke5 *\n\n";
    let mate = "[White \"Carlsen\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";
    // Here the first query reaches its limit, on other threads much later.
    let begin = round.to_owned() + &"[White \"Xavier\"]\n\n1. e4 e5 2. d4 *\n\n".repeat(3);
    let rounds = round.repeat(900);
    let games = [&begin, &rounds, mate, &rounds, mate, mate, round].concat();
    fs::write(path("many.pgn"), games).unwrap();
    let run = |threads: &str, more: &[&str]| {
        let words =
            ["c.cql", "d.cql", "-i", "many.pgn", "-o", "out", "--limit", "3", "--threads", threads];
        let output = babson(folder.path(), &[&words[..], more].concat());
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        let is_told = |line: &&str| line.contains("many.pgn:") || line.contains("damaged");
        stderr.lines().filter(is_told).map(str::to_owned).collect::<Vec<String>>()
    };
    for more in [&[][..], &["--variations"]] {
        let told = run("1", more);
        // 1801 games with damaged tags, and the third game.
        let rest = "… and 1782 more damaged games (--rejects FILE.pgn collects all)";
        assert!(told.len() == 21 && told.contains(&rest.to_owned()), "{told:#?}");
        assert!(told.contains(&"many.pgn:12: game 3: illegal move: Ke5".to_owned()));
        for threads in ["2", "4"] {
            assert!(run(threads, more) == told, "{threads} threads");
        }
    }
}

/// Files are the same whatever their names: by another path, a link, or a hard link.
#[test]
fn no_file_of_another_role_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let put = |name: &str, text: &str| fs::write(path(name), text).unwrap();
    put("games.pgn", "[Event \"a\"]\n\n1. e4 Ke5 *\n");
    put("similar.pgn", "[Event \"a\"]\n\n1. e4 e5 *\n");
    put("query.cql", "initial");
    put("second.cql", "mate");
    put("found.cql", "similarposition \"similar.pgn\"");
    put("out.pgn", "precious");
    fs::create_dir(path("out")).unwrap();
    put("out/summary.csv", "precious");
    let mut cases = vec![
        ("query.cql", vec!["query.cql"]),
        ("query.cql", vec!["query"]),
        ("out/../query.cql", vec!["query"]),
        ("second.cql", vec!["-o", "out", "query", "second.cql"]),
        ("games.pgn", vec!["query.cql"]),
        ("out/../games.pgn", vec!["query.cql"]),
        ("similar.pgn", vec!["found.cql"]),
        ("out.pgn", vec!["query.cql", "-o", "out.pgn"]),
        ("out.pgn", vec!["query.cql", "--append", "out.pgn"]),
        ("new.pgn", vec!["query.cql", "-o", "out/../new.pgn"]),
        ("out/query.pgn", vec!["-o", "out", "query", "second.cql"]),
        ("out/summary.csv", vec!["-o", "out/", "query", "second.cql"]),
        ("a.pgn", vec!["query.cql", "-o", "{tag:Event}.pgn"]),
    ];
    fs::hard_link(path("query.cql"), path("hard.pgn")).unwrap();
    cases.push(("hard.pgn", vec!["query.cql"]));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("query.cql", path("link.pgn")).unwrap();
        std::os::unix::fs::symlink("query.cql", path("link.cql")).unwrap();
        std::os::unix::fs::symlink("made.pgn", path("dangling.pgn")).unwrap();
        cases.push(("link.pgn", vec!["query.cql"]));
        cases.push(("query.cql", vec!["link.cql"]));
        cases.push(("dangling.pgn", vec!["query.cql", "-o", "made.pgn"]));
    }
    for (rejects, words) in cases {
        let words = [&["-i", "games.pgn", "--rejects", rejects], &words[..]].concat();
        let output = babson(folder.path(), &words);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}\n{stderr}");
        assert!(stderr.contains("is both an output and "), "{words:?}\n{stderr}");
        let read = |name: &str| fs::read_to_string(path(name)).unwrap();
        assert_eq!(read("query.cql"), "initial", "{words:?}");
        assert_eq!(read("second.cql"), "mate", "{words:?}");
        assert_eq!(
            (read("out.pgn"), read("out/summary.csv")),
            ("precious".into(), "precious".into())
        );
        assert!(read("games.pgn").contains("Ke5") && read("similar.pgn").contains("e5"));
    }
    // Other outputs do not take these, either.
    for output in ["hard.pgn", "similar.pgn"] {
        let words = [
            "-i",
            "games.pgn",
            "-o",
            output,
            "query.cql",
            "--cql",
            "similarposition \"similar.pgn\"",
        ];
        assert_eq!(babson(folder.path(), &words).status.code(), Some(2), "{output}");
    }
}

/// What is read from or written to a redirected stream is a file, too.
#[cfg(target_os = "linux")]
#[test]
fn redirected_streams_are_files() {
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("games.pgn"), "[Event \"a\"]\n\n1. e4 Ke5 *\n").unwrap();
    fs::write(path("query.cql"), "initial").unwrap();
    let run = |words: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_babson"))
            .current_dir(folder.path())
            .env_remove("BABSON_CONFIG")
            .args(words)
            .stdin(fs::File::open(path("games.pgn")).unwrap())
            .stdout(
                fs::OpenOptions::new().append(true).create(true).open(path("stdout.pgn")).unwrap(),
            )
            .stderr(Stdio::null())
            .status()
            .unwrap()
            .code()
    };
    assert_eq!(run(&["-i", "-", "--rejects", "games.pgn", "query.cql", "-o", "o.pgn"]), Some(2));
    assert_eq!(run(&["-i", "-", "--rejects", "stdout.pgn", "query.cql", "-o", "-"]), Some(2));
    assert_eq!(run(&["-i", "stdout.pgn", "query.cql", "-o", "-"]), Some(2));
    assert_eq!(run(&["-i", "-", "--rejects", "r.pgn", "query.cql", "-o", "-"]), Some(0));
    assert_eq!(run(&["-i", "-", "--rejects", "-", "query.cql", "-o", "stdout.pgn"]), Some(2));
    assert_eq!(run(&["-i", "stdout.pgn", "--rejects", "-", "query.cql", "-o", "o.pgn"]), Some(2));
    assert_eq!(run(&["-i", "-", "--rejects", "-", "query.cql", "-o", "o.pgn"]), Some(0));
}

/// `-` is standard output as for `-o`, and one stream takes one thing.
#[test]
fn standard_output_takes_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (sound, damaged) = ("[Event \"a\"]\n\n1. e4 e5 *\n\n", "[Event \"b\"]\n\n1. e4 Ke5 *\n\n");
    fs::write(path("games.pgn"), [sound, damaged].concat()).unwrap();
    for query in ["one", "two"] {
        fs::write(path(query).with_extension("cql"), "initial message \"here\"").unwrap();
    }
    let names = ["-", "stdout", "/dev/stdout"];
    for name in &names[..if cfg!(unix) { 3 } else { 2 }] {
        for words in [&["-o", "o.pgn", "one"][..], &["-o", "folder", "one", "two"]] {
            let words = [&["-i", "games.pgn", "--rejects", name], words].concat();
            let output = babson(folder.path(), &words);
            let stderr = text(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{words:?}\n{stderr}");
            // Messages and the summary go to the other stream.
            assert_eq!(text(&output.stdout), damaged, "{words:?}");
            assert!(stderr.contains("here") && stderr.contains(" 2 games in "), "{stderr}");
            assert!(!path(name).exists() || name.starts_with('/'), "{words:?}");
        }
        for (words, other) in [
            (&["-o", "-", "one"][..], "the matches"),
            (&["-o", "o.pgn", "-o", "stdout", "one"], "the matches"),
            (&["--guipgnstdout", "one"], "the matches"),
            (&["--count", "one"], "the number of --count"),
            (&["--count", "one", "two"], "the number of --count"),
        ] {
            let words = [&["-i", "games.pgn", "--rejects", name], words].concat();
            let output = babson(folder.path(), &words);
            let stderr = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{words:?}\n{stderr}");
            let told = format!("standard output is already used for {other}");
            assert!(stderr.contains(&told), "{words:?}\n{stderr}");
            assert_eq!(text(&output.stdout), "", "{words:?}");
        }
    }
}
