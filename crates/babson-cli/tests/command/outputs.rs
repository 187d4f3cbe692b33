//! What is written, and where: summaries, threads, pipes, signals.

use std::fs;
use std::io::Read;
#[cfg(unix)]
use std::io::Write;
use std::process::{Command, Stdio};

use crate::bench::{Bench, GAMES, corpus};
#[cfg(unix)]
use crate::signals::heeded;

#[test]
fn a_run_and_its_summary() {
    let bench = Bench::new();
    let (stdout, _) = bench.expect(0, &["-i", "games.pgn", "-o", "out.pgn", "mate", "-s"]);
    let last = stdout.lines().last().unwrap();
    assert!(last.starts_with("2 matches of 3 games in 0."), "{last}");
    assert!(last.ends_with(" seconds using 1 thread to out.pgn"), "{last}");
    assert!(String::from_utf8(bench.get("out.pgn")).unwrap().contains("2.g4 Qh4# {CQL} 0-1"));
    bench.expect(0, &["-i", "games.pgn", "mate.cql"]);
    assert_eq!(bench.get("mate-out.pgn"), bench.get("out.pgn"));
    // CQL 6.2 does not count one match otherwise than many, and scripts read its line.
    bench.put("one.pgn", b"1. f3 e5 2. g4 Qh4# 0-1\n");
    for (dialect, wanted) in
        [("cqli", "1 match of 1 game in "), ("cql6", "1 matches of 1 games in ")]
    {
        let (stdout, _) = bench.expect(0, &["-i", "one.pgn", "--dialect", dialect, "mate", "-s"]);
        let last = stdout.lines().last().unwrap();
        assert!(last.starts_with(wanted) && last.contains(" using 1 thread to "), "{last}");
    }
}

/// `--count` writes nothing, whatever outputs are named, and its number is all of standard output.
#[test]
fn counting_writes_nothing() {
    let bench = Bench::new();
    bench.put("named.cql", b"cql(output named.pgn) mate message(\"here\")");
    let before = fs::read_dir(bench.path("")).unwrap().count();
    for (words, count, ignored) in [
        (&["-o", "c.pgn", "mate"][..], "2\n", "`-o c.pgn` is ignored"),
        (&["-o", "-", "mate"], "2\n", "`-o -` is ignored"),
        (
            &["--append", "c.pgn", "-o", "c.jsonl", "mate"],
            "2\n",
            "`-o c.jsonl`, `--append c.pgn` are ignored",
        ),
        (&["-guipgnstdout", "mate"], "2\n", ""),
        (&["named"], "2\n", ""),
        (&["-o", "out/", "mate", "all"], "mate  2\nall   3\n", "`-o out/` is ignored"),
    ] {
        let all = [&["-i", "games.pgn", "--count"][..], words].concat();
        let (stdout, stderr) = bench.expect(0, &all);
        assert_eq!(stdout, count, "{words:?}");
        let told = ["2 matches of 3 games in ", "2 queries, 3 games in "];
        assert!(told.iter().any(|told| stderr.contains(told)), "{stderr}");
        let note =
            stderr.lines().find_map(|line| line.strip_prefix("babson: --count writes no output: "));
        assert_eq!(note.unwrap_or_default(), ignored, "{stderr}");
        assert_eq!(fs::read_dir(bench.path("")).unwrap().count(), before);
    }
}

#[test]
fn names_that_outputs_cannot_have() {
    let bench = Bench::new();
    let why = "it is a directory (which takes the outputs of several queries)";
    let (_, stderr) = bench.expect(2, &["-i", "games.pgn", "-o", "missing/", "mate"]);
    assert_eq!(stderr, format!("babson: -o missing/: {why}\n"));
    fs::create_dir(bench.path("folder")).unwrap();
    let (_, stderr) = bench.expect(3, &["-i", "games.pgn", "-o", "folder/", "mate"]);
    assert_eq!(stderr, format!("babson: cannot write folder/: {why}\n"));
    bench.put("folder/mate.cql", b"cql() mate");
    let words = ["-i", "games.pgn", "-o", "out/", "mate.cql", "folder/mate.cql"];
    let (_, stderr) = bench.expect(2, &words);
    let expected = "two queries are named mate, so their outputs would have the same name";
    assert_eq!(stderr, format!("babson: {expected}\n"));
}

/// `{{` and `}}` are braces of a name, whether or not it has places.
#[test]
fn braces_of_a_name() {
    let bench = Bench::new();
    for (name, file) in [("sp-{{x}}.pgn", "sp-{x}.pgn"), ("{{{tag:Event}}}.pgn", "{a}.pgn")] {
        bench.expect(0, &["-i", "games.pgn", "-o", name, "mate"]);
        assert!(!bench.get(file).is_empty(), "{file}");
        assert!(!bench.path(name).exists());
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let bench = Bench::new();
    let games = corpus("masters-2k.pgn");
    bench.put("sort.cql", b"cql() check message(\"here\") sort \"ply\" ply");
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
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn json_lines_and_perft() {
    let bench = Bench::new();
    bench.expect(0, &["-i", "games.pgn", "-o", "out.jsonl", "mate"]);
    let text = String::from_utf8(bench.get("out.jsonl")).unwrap();
    let first = text.lines().next().unwrap();
    let start = "{\"game\": 1, \"input\": \"games.pgn\", \"number\": 1, \"offset\": 0, \
                 \"white\": null, \"black\": null, \"white_elo\": null, \"black_elo\": null, \
                 \"result\": \"0-1\", \"event\": \"a\", \"site\": null, \"round\": null, \
                 \"date\": null, \"year\": null, \"month\": null, \"eco\": null, \"positions\": \
                 [{\"id\": 4, \"ply\": 4, \"move\": \"2...Qh4#\", \"fen\": \"rnb1kbnr/";
    assert!(first.starts_with(start), "{first}");
    assert!(first.contains("\"comments\": [{\"id\": 4, \"text\": \"CQL\"}]"), "{first}");
    let output = Command::new(env!("CARGO_BIN_EXE_babson")).args(["perft", "3"]).output().unwrap();
    assert_eq!(output.stdout, b"8902\n");
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let bench = Bench::new();
    fs::create_dir(bench.path("db")).unwrap();
    bench.put("db/a.pgn", GAMES);
    let cases = vec![
        vec!["-i", "games.pgn", "-o", "games.pgn", "all"],
        vec!["-i", "games.pgn", "-o", "db/../games.pgn", "all"],
        vec!["-i", "games.pgn", "--count", "--rejects", "games.pgn", "all"],
        vec!["-i", "db", "-o", "db/a.pgn", "all"],
        vec!["-i", "db", "-o", "db/", "all", "a.cql"],
        vec!["-i", "games.pgn", "-o", "x.pgn", "-o", "db/../x.pgn", "all"],
        vec!["-i", "hard.pgn", "-o", "games.pgn", "all"],
    ];
    bench.put("a.cql", b"cql() true");
    fs::hard_link(bench.path("games.pgn"), bench.path("hard.pgn")).unwrap();
    // A symbolic link, where everybody may make one; names without case, where they are one.
    #[cfg(unix)]
    std::os::unix::fs::symlink("games.pgn", bench.path("link.pgn")).unwrap();
    let links = [(cfg!(unix), "link.pgn"), (cfg!(windows), "GAMES.PGN")];
    let links = links.iter().filter(|(exists, _)| *exists);
    let links = links.map(|(_, name)| vec!["-i", "games.pgn", "-o", name, "all"]);
    for words in cases.into_iter().chain(links) {
        let (_, stderr) = bench.expect(2, &words);
        assert!(stderr.contains("is both an output and the "), "{stderr}");
        assert!(bench.get("games.pgn") == GAMES && bench.get("db/a.pgn") == GAMES);
        assert!(!bench.path("x.pgn").exists());
    }
}

#[test]
fn an_output_that_the_query_reads_is_refused() {
    let bench = Bench::new();
    let read = |name: &str| format!("x = readfile \"{name}\"");
    bench.put("other.pgn", b"precious");
    bench.put("file.cql", read("other.pgn").as_bytes());
    let filter = read("./other.pgn");
    let shift = format!("shift {{ k ({filter}) }}");
    let split = format!("{filter} settag(\"Made\" \"other\")");
    for words in [
        &["-o", "other.pgn", "file.cql"][..],
        &["--append", "other.pgn", "file.cql"],
        &["-o", "other.pgn", "--cql", &filter],
        &["-o", "other.pgn", "--cql", &shift],
        &["-o", "o.pgn", "--rejects", "other.pgn", "file.cql"],
        &["-o", "{tag:Made}.pgn", "--cql", &split],
    ] {
        let words = [&["-i", "games.pgn"], words].concat();
        let (_, stderr) = bench.expect(2, &words);
        assert!(stderr.contains("other.pgn is both an output and the file "), "{stderr}");
        assert!(stderr.contains("other.pgn of readfile"), "{stderr}");
        assert_eq!(bench.get("other.pgn"), b"precious");
    }
    bench.expect(0, &["-i", "games.pgn", "-o", "o.pgn", "file.cql"]);
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_nothing_behind() {
    use std::os::unix::process::ExitStatusExt;

    let bench = Bench::new();
    fs::create_dir(bench.path("out")).unwrap();
    for (name, number) in heeded(&[("INT", 2), ("TERM", 15)]) {
        let mut child = bench
            .command(&["-i", "-", "-o", "out/a.pgn", "--rejects", "out/b.pgn", "all"])
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
        assert!(Command::new("kill").args([&format!("-{name}"), &id]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().signal(), Some(number));
        assert_eq!(files(), 0);
        drop(input);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_with_resume_names_its_folder() {
    let bench = Bench::new();
    let query = "x = 0 while (x < 1000000000) x += 1";
    for (name, _) in heeded(&[("INT", 2)]) {
        let mut child = bench
            .command(&["-i", "games.pgn", "--resume", "kept", "-o", "o.pgn", "--cql", query])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        while !bench.path("kept").exists() {
            assert!(child.try_wait().unwrap().is_none());
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let id = child.id().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &id]).status().unwrap().success());
        let stderr = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
        assert!(stderr.ends_with("the same command goes on with what kept keeps\n"), "{stderr}");
    }
}

#[test]
fn tags_that_are_removed() {
    let bench = Bench::new();
    let words = ["-i", "games.pgn", "-o", "o.pgn", "--cql", "mate removetag(\"Event\")"];
    bench.expect(0, &words);
    assert!(!String::from_utf8(bench.get("o.pgn")).unwrap().contains("[Event"));
    bench.expect(0, &[&words[..], &["--noremovetag"]].concat());
    assert!(String::from_utf8(bench.get("o.pgn")).unwrap().contains("[Event"));
}

/// The query adds each comment once to a position. Comments of the input do not count, as in
/// CQL 6.2.
#[test]
fn a_search_of_an_output() {
    let bench = Bench::new();
    let query = "mate comment(\"hi\") comment(\"hi\")";
    bench.expect(0, &["-i", "games.pgn", "-o", "once.pgn", "--cql", query]);
    assert_eq!(bench.text("once.pgn").matches("{hi} {CQL}").count(), 2);
    bench.expect(0, &["-i", "once.pgn", "-o", "twice.pgn", "--cql", query]);
    assert_eq!(bench.text("twice.pgn").matches("{hi CQL} {hi} {CQL}").count(), 2);
    let query = format!("{query} removecomment");
    bench.expect(0, &["-i", "once.pgn", "-o", "replaced.pgn", "--cql", &query]);
    assert_eq!(bench.text("replaced.pgn"), bench.text("once.pgn"));
}

/// An output onto links that lead in a circle is refused, and the links stay.
#[test]
#[cfg(unix)]
fn links_in_a_circle_are_refused() {
    let bench = Bench::new();
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, bench.path(name)).unwrap();
    link("loop.pgn", "loop.pgn");
    link("two.pgn", "one.pgn");
    link("one.pgn", "two.pgn");
    link("loop.arrow", "loop.arrow");
    for words in [
        &["games.pgn", "-o", "loop.pgn", "--cql", "mate"][..],
        &["games.pgn", "-o", "one.pgn", "--cql", "mate"],
        &["games.pgn", "--append", "loop.pgn", "--cql", "mate"],
        &["games.pgn", "--count", "--rejects", "two.pgn", "--cql", "mate"],
        &["pack", "games.pgn", "-o", "loop.arrow"],
    ] {
        let (_, stderr) = bench.expect(3, words);
        assert!(stderr.contains("links lead in a circle"), "{words:?}: {stderr}");
    }
    for name in ["loop.pgn", "one.pgn", "two.pgn", "loop.arrow"] {
        assert!(bench.path(name).is_symlink(), "{name}");
    }
    // A link to a file that does not exist yet is not a circle.
    link("new.pgn", "link.pgn");
    bench.expect(0, &["games.pgn", "-o", "link.pgn", "--cql", "mate"]);
    assert!(bench.path("link.pgn").is_symlink() && bench.path("new.pgn").is_file());
}
