//! `babson check --watch`.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::bench::Bench;
use crate::signals::heeded;

/// A watch, with the lines of its standard error. It ends with the value.
struct Watch(Child, Receiver<String>);

impl Watch {
    fn start(bench: &Bench, words: &[&str]) -> Watch {
        let words = [&["check", "--watch"][..], words].concat();
        let mut command = bench.command(&words);
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (sender, lines) = channel();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        std::thread::spawn(move || {
            stderr.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Watch(child, lines)
    }

    /// The lines until the summary of a round, which is the last of them.
    fn round(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        while !lines.last().is_some_and(|line| line.ends_with("watching (Ctrl-C ends it)")) {
            match self.1.recv_timeout(Duration::from_secs(120)) {
                Ok(line) => lines.push(line),
                Err(error) => panic!("{error} after {lines:?}"),
            }
        }
        lines
    }

    /// The next round; its summary and a part of what is before it.
    fn expect(&self, summary: &str, parts: &[&str]) {
        let lines = self.round();
        let last = lines.last().unwrap();
        assert_eq!(*last, format!("babson: {summary}; watching (Ctrl-C ends it)"), "{lines:#?}");
        let text = lines.join("\n");
        for part in parts {
            assert!(text.contains(part), "{part} is missing: {text}");
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn what_changes_is_checked_again() {
    let bench = Bench::new();
    fs::create_dir_all(bench.path("q/lib")).unwrap();
    bench.put("q/babson.toml", b"imports = ['lib']");
    bench.put("q/a.cql", b"import \"shapes\" near(Q)");
    bench.put("q/b.cql", b"mate");
    bench.put("q/lib/shapes.cql", b"function near(S) { S & g5 }");
    let watch = Watch::start(&bench, &["q"]);
    watch.expect("checked 3 queries: no errors", &[]);
    // The query itself.
    bench.put("q/b.cql", b"mat");
    watch.expect(
        "checked 3 queries: 1 error in 1 query",
        &["checking again q/b.cql", "unknown name `mat`"],
    );
    // An imported file: the file, and what imports it.
    bench.put("q/lib/shapes.cql", b"function near(S) { S & gg5 }");
    watch.expect(
        "checked 3 queries: 2 errors in 2 queries, 1 warning",
        &["checking again q/a.cql, q/lib/shapes.cql", "unknown name `gg5`"],
    );
    bench.put("q/lib/shapes.cql", b"function near(S) { S & g6 }");
    watch.expect("checked 3 queries: 1 error in 1 query", &["q/a.cql, q/lib/shapes.cql"]);
    // A file that vanishes, and a new one in a new folder.
    fs::remove_file(bench.path("q/b.cql")).unwrap();
    watch.expect("checked 2 queries: no errors", &["babson: no longer there: q/b.cql"]);
    fs::create_dir(bench.path("q/new")).unwrap();
    bench.put("q/new/c.cql", b"mate");
    watch.expect("checked 3 queries: no errors", &["checking again q/new/c.cql"]);
    // An editor that writes another file and gives it the name.
    bench.put("q/new/c.tmp", b"mat");
    fs::rename(bench.path("q/new/c.tmp"), bench.path("q/new/c.cql")).unwrap();
    watch.expect("checked 3 queries: 1 error in 1 query", &["unknown name `mat`"]);
    // A query whose import has vanished.
    fs::remove_file(bench.path("q/lib/shapes.cql")).unwrap();
    watch.expect("checked 2 queries: 2 errors in 2 queries", &["no file `shapes`"]);
    // The project.
    bench.put("q/babson.toml", b"import = ['lib']");
    watch.expect("checked 0 queries: 1 project file has mistakes", &["q/babson.toml:1:1"]);
    bench.put("q/babson.toml", b"dialect = 'cql6'");
    watch.expect("checked 2 queries: 3 errors in 2 queries", &["E1003"]);
}

#[test]
fn a_file_may_vanish_and_come_back() {
    let bench = Bench::new();
    let watch = Watch::start(&bench, &["mate.cql", "all.cql"]);
    watch.expect("checked 2 queries: no errors", &[]);
    fs::remove_file(bench.path("mate.cql")).unwrap();
    watch.expect("checked 1 query: no errors, 1 cannot be read", &["cannot read mate.cql"]);
    bench.put("mate.cql", b"mat");
    watch.expect("checked 2 queries: 1 error in 1 query", &["checking again mate.cql"]);
}

/// A query that is named twice does not count as a change in the next round.
#[test]
fn a_query_is_watched_once() {
    let bench = Bench::new();
    bench.put("one.cql", b"mate");
    bench.put("two.cql", b"check");
    let watch = Watch::start(&bench, &["one.cql", "./one.cql", "one.cql", "two.cql"]);
    watch.expect("checked 2 queries: no errors", &[]);
    bench.put("two.cql", b"chek");
    watch.expect("checked 2 queries: 1 error in 1 query", &["babson: checking again two.cql\n"]);
}

#[test]
fn a_folder_may_vanish_and_come_back() {
    let bench = Bench::new();
    fs::create_dir(bench.path("q")).unwrap();
    bench.put("q/one.cql", b"mate");
    let watch = Watch::start(&bench, &["q"]);
    watch.expect("checked 1 query: no errors", &[]);
    fs::rename(bench.path("q"), bench.path("away")).unwrap();
    watch.expect("checked 0 queries: 1 cannot be read", &["cannot read q"]);
    fs::rename(bench.path("away"), bench.path("q")).unwrap();
    watch.expect("checked 1 query: no errors", &[]);
    bench.put("q/one.cql", b"mat");
    watch.expect("checked 1 query: 1 error in 1 query", &[]);
}

/// As any command, so that a shell sees it.
#[test]
fn an_interrupt_ends_it() {
    for (name, number) in heeded(&[("INT", 2), ("TERM", 15)]) {
        let bench = Bench::new();
        let mut watch = Watch::start(&bench, &["mate.cql"]);
        watch.round();
        let signal = Signal::from_named_raw(number).unwrap();
        kill_process(Pid::from_child(&watch.0), signal).unwrap();
        assert_eq!(watch.0.wait().unwrap().signal(), Some(number), "{name}");
    }
}

#[test]
fn json_goes_on_line_by_line() {
    let bench = Bench::new();
    let mut watch = Watch::start(&bench, &["--json", "mate.cql"]);
    let mut lines = BufReader::new(watch.0.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<serde_json::Value>(&lines.next().unwrap().unwrap());
    assert_eq!(next().unwrap()["diagnostics"].as_array().unwrap().len(), 0);
    watch.round();
    bench.put("mate.cql", b"mat");
    assert_eq!(next().unwrap()["diagnostics"][0]["code"], "E0201");
    watch.round();
    fs::remove_file(bench.path("mate.cql")).unwrap();
    assert_eq!(next().unwrap(), serde_json::json!({ "query": "mate.cql", "removed": true }));
    assert!(next().unwrap()["error"].as_str().unwrap().starts_with("cannot read mate.cql: "));
    watch.round();
    bench.put("mate.cql", b"mat");
    assert_eq!(next().unwrap()["diagnostics"][0]["code"], "E0201");
    // A reader that goes away ends the watch.
    drop(lines);
    bench.put("mate.cql", b"mate");
    assert_eq!(watch.0.wait().unwrap().code(), Some(0));
}
