//! Failure at every point: whichever call to the system fails, a run ends with an error and leaves
//! everything as it was, or it goes on and gives what it gives without the failure.
//!
//! A run is repeated with a failure of its first call of a kind, of its second one and so on, until
//! no call is left.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod tracer;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};

use tracer::{Call, Failure};

/// The code of a run whose input or output failed: docs/src/command-line.md#exit-codes.
const FAILED: i32 = 3;
/// The code of a run whose query has an error.
const QUERY_FAILED: i32 = 1;

/// The files of a folder and of its folders, by their paths.
type Files = BTreeMap<String, Vec<u8>>;

fn files(folder: &Path) -> Files {
    let mut files = Files::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                files.insert(format!("{name}/"), Vec::new());
                folders.push(path);
            } else {
                files.insert(name, fs::read(path).unwrap());
            }
        }
    }
    files
}

fn write(folder: &Path, files: &Files) {
    for (name, bytes) in files {
        let path = folder.join(name);
        match name.ends_with('/') {
            true => fs::create_dir_all(path).unwrap(),
            false => {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, bytes).unwrap();
            }
        }
    }
}

/// The lines of a text that do not say how long a run took.
fn without_times(text: &[u8]) -> Vec<u8> {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let is_timed = |line: &[u8]| line.windows(9).any(|window| window == b" seconds ");
    lines.filter(|line| !is_timed(line)).flatten().copied().collect()
}

/// What a run left.
#[derive(Clone, Debug, PartialEq)]
struct End {
    code: Option<i32>,
    signal: Option<i32>,
    stdout: Vec<u8>,
    stderr: String,
    files: Files,
}

/// A command line and the files that are there before it.
struct Scenario {
    words: Vec<&'static str>,
    before: Files,
    /// The folder that a run keeps its parts in. A run that failed may leave it.
    kept: Option<&'static str>,
    /// The code of a run that fails.
    failure: i32,
}

impl Scenario {
    fn new(line: &'static str) -> Scenario {
        let games = "[Event \"a\"]\n[White \"Ann\"]\n[Date \"2001.02.03\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
                     [Event \"b\"]\n[White \"Bob\"]\n\n1. e4 e5 2. Ke3 *\n\n\
                     [Event \"c\"]\n[White \"Cid\"]\n\n1. e4 e5 2. Bc4 a6 3. Qh5 a5 4. Qxf7# 1-0\n\n";
        let mut before = Files::new();
        before.insert("games.pgn".to_owned(), games.repeat(20).into_bytes());
        before.insert("q.cql".to_owned(), b"mate sort \"ply\" ply comment(\"mated\")".to_vec());
        before.insert("tmp/".to_owned(), Vec::new());
        Scenario { words: line.split(' ').collect(), before, kept: None, failure: FAILED }
    }

    /// With another file that is there before.
    fn with(mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Scenario {
        self.before.insert(name.to_owned(), bytes.into());
        self
    }

    fn keeps(self, folder: &'static str) -> Scenario {
        Scenario { kept: Some(folder), ..self }
    }

    fn fails_with(self, failure: i32) -> Scenario {
        Scenario { failure, ..self }
    }

    /// Runs the command line in the folder.
    fn run_in(&self, folder: &Path, failure: Option<Failure>) -> (End, Option<String>) {
        let outside = tempfile::tempdir().unwrap();
        let [out, err] = ["out", "err"].map(|name| outside.path().join(name));
        let stream = |path: &Path| Stdio::from(fs::File::create(path).unwrap());
        let mut command = Command::new(env!("CARGO_BIN_EXE_babson"));
        command.current_dir(folder).args(&self.words).env_remove("BABSON_CONFIG");
        command.env("TMPDIR", folder.join("tmp"));
        command.stdin(Stdio::null()).stdout(stream(&out)).stderr(stream(&err));
        let traced = tracer::run(&mut command, folder, failure).unwrap();
        let end = End {
            code: traced.status.code(),
            signal: traced.status.signal(),
            stdout: without_times(&fs::read(out).unwrap()),
            stderr: fs::read_to_string(err).unwrap(),
            files: files(folder),
        };
        (end, traced.failed)
    }

    fn run(&self, failure: Option<Failure>) -> (End, Option<String>) {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &self.before);
        self.run_in(folder.path(), failure)
    }

    /// Lets each call fail. What the run should do is done, or nothing of it, and then the same
    /// command does it. Returns how many calls there were.
    fn fails_anywhere(&self) -> usize {
        let (whole, _) = self.run(None);
        assert_eq!(whole.code, Some(0), "{:?}: {}", self.words, whole.stderr);
        self.each_failure(|end, failed, folder| {
            let fault = self.fault(end, failed, &whole);
            // A run that has appended its matches would append them again.
            let is_done = end.files == whole.files;
            fault.or_else(|| {
                let again = (!is_done).then(|| self.run_in(folder, None).0)?;
                let is_same = again.files == whole.files && again.code == whole.code;
                (!is_same).then(|| format!("and again: {}", again.stderr))
            })
        })
    }

    /// Lets each call fail of a run that is refused: it changes nothing.
    fn is_refused_anywhere(&self) {
        let (whole, _) = self.run(None);
        assert!(whole.code != Some(0) && whole.files == self.before, "{:?}", self.words);
        self.each_failure(|end, _, _| {
            let is_refused = end.code == whole.code || end.code == Some(FAILED);
            let is_same = end.files == self.before;
            (!is_refused || !is_same).then(|| format!("{:?}", differences(end, &whole)))
        });
    }

    /// Calls `check` with the end of each run in which a call fails, the call, and the folder. It
    /// says what is wrong. Returns how many calls there were.
    fn each_failure(&self, check: impl Fn(&End, &str, &Path) -> Option<String>) -> usize {
        let (mut faults, mut calls) = (Vec::new(), 0);
        for call in Call::ALL {
            for number in 1.. {
                let folder = tempfile::tempdir().unwrap();
                write(folder.path(), &self.before);
                let (end, failed) = self.run_in(folder.path(), Some(Failure { call, number }));
                let Some(failed) = failed else { break };
                calls += 1;
                if let Some(fault) = check(&end, &failed, folder.path()) {
                    let [code, signal] = [end.code, end.signal];
                    let told = end.stderr.lines().next_back().unwrap_or_default();
                    faults.push(format!(
                        "{call:?} {number} ({failed}): {fault}; {code:?} {signal:?} {told}"
                    ));
                }
            }
        }
        assert!(faults.is_empty(), "{:?}\n  {}", self.words, faults.join("\n  "));
        calls
    }

    /// What is wrong with the end of a run in which a call failed.
    fn fault(&self, end: &End, failed: &str, whole: &End) -> Option<String> {
        let may_stay = |name: &str| self.kept.is_some_and(|kept| name.starts_with(kept));
        // The summary comes after the outputs.
        let is_told_last = failed == "Write standard output" && end.files == whole.files;
        match end.code {
            // The run could do without the call.
            Some(0) => {
                let mut differences = differences(end, whole);
                differences.retain(|name| !may_stay(name));
                let is_same = differences.is_empty() && end.stdout == whole.stdout;
                return (!is_same).then(|| format!("other results: {differences:?}"));
            }
            Some(FAILED) if is_told_last => return None,
            Some(code) if code == FAILED || code == self.failure => {}
            _ => return Some("another code".to_owned()),
        }
        if !end.stderr.contains("babson: ") {
            return Some("no message".to_owned());
        }
        let is_temporary = |name: &str| name.ends_with(".tmp") || name.ends_with(".old");
        for (name, bytes) in &end.files {
            if is_temporary(name) {
                return Some(format!("{name} is left"));
            }
            if self.before.get(name) != Some(bytes) && !may_stay(name) {
                return Some(format!("{name} was written"));
            }
        }
        let lost = self.before.keys().find(|name| !end.files.contains_key(*name));
        lost.map(|name| format!("{name} is lost"))
    }
}

/// The names of the files that differ.
fn differences<'e>(end: &'e End, whole: &'e End) -> Vec<&'e str> {
    let names = end.files.keys().chain(whole.files.keys());
    let mut names: Vec<&str> = names
        .filter(|name| end.files.get(*name) != whole.files.get(*name))
        .map(String::as_str)
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

const OLD: &str = "[Event \"old\"]\n\n1. d4 *\n\n";

#[test]
fn a_pgn_file() {
    assert!(Scenario::new("-i games.pgn q.cql -o out.pgn").fails_anywhere() > 10);
}

#[test]
fn a_pgn_file_that_is_replaced() {
    Scenario::new("-i games.pgn q.cql -o out.pgn").with("out.pgn", OLD).fails_anywhere();
}

#[test]
fn a_pgn_file_that_is_appended_to() {
    Scenario::new("-i games.pgn q.cql --append out.pgn").with("out.pgn", OLD).fails_anywhere();
}

#[test]
fn several_outputs_together() {
    let rows = Scenario::new("-i games.pgn q.cql -o old.csv").run(None).0;
    let old = rows.files["old.csv"].clone();
    Scenario::new("-i games.pgn q.cql -o out.pgn -o out.jsonl -o out.csv --append old.csv")
        .with("out.csv", "old\n")
        .with("old.csv", old)
        .fails_anywhere();
}

/// A file that may not be lost is not lost because something about it cannot be found out.
#[test]
fn outputs_that_are_refused() {
    Scenario::new("-i games.pgn q.cql -o out.pgn --noclobber")
        .with("out.pgn", OLD)
        .is_refused_anywhere();
    Scenario::new("-i games.pgn q.cql -o ./games.pgn").is_refused_anywhere();
    Scenario::new("pack games.pgn -o out.arrow --noclobber")
        .with("out.arrow", OLD)
        .is_refused_anywhere();
    Scenario::new("-i games.pgn --cql mate -o {tag:White}.pgn --noclobber")
        .with("Ann.pgn", OLD)
        .is_refused_anywhere();
}

#[test]
fn compressed_outputs() {
    Scenario::new("-i games.pgn q.cql -o out.pgn.gz -o out.jsonl.zst").fails_anywhere();
}

/// A query whose program cannot be started has an error.
#[test]
fn a_search_that_asks_a_program() {
    Scenario::new("-i games.pgn q.cql -o out.pgn")
        .with("q.cql", "mate commandpipe(\"cat\" \"x\") == \"x\"")
        .fails_with(QUERY_FAILED)
        .fails_anywhere();
}

#[test]
fn standard_output() {
    Scenario::new("-i games.pgn q.cql -o - --format jsonl").fails_anywhere();
}

#[test]
fn a_report() {
    Scenario::new("-i games.pgn q.cql -o out.html").fails_anywhere();
}

#[test]
fn a_table_of_matches() {
    Scenario::new("-i games.pgn q.cql -o out.arrow").fails_anywhere();
}

#[test]
fn a_table_of_groups() {
    Scenario::new("-i games.pgn q.cql --group year -o out.csv").fails_anywhere();
}

#[test]
fn outputs_that_are_split() {
    Scenario::new("-i games.pgn --cql mate -o by-{tag:White}.pgn --rejects rejects.pgn")
        .fails_anywhere();
}

#[test]
fn games_that_do_not_match() {
    Scenario::new("-i games.pgn q.cql -o out.pgn --nonmatching others.arrow").fails_anywhere();
}

#[test]
fn a_packed_table() {
    Scenario::new("pack games.pgn -o out.arrow --compress zstd").fails_anywhere();
}

#[test]
fn a_table_that_is_appended_to() {
    let mut packing = Scenario::new("pack games.pgn -o out.arrow");
    let table = packing.run(None).0.files.remove("out.arrow").unwrap();
    packing.words = "pack more.pgn --append out.arrow".split(' ').collect();
    packing.with("out.arrow", table).with("more.pgn", OLD).fails_anywhere();
}

#[test]
fn a_search_that_is_resumed() {
    Scenario::new("games.pgn q.cql -o out.pgn --resume kept").keeps("kept").fails_anywhere();
}

#[test]
fn a_part_of_a_slice() {
    let plan = Scenario::new("plan games.pgn --slices 2").with("plan.jsonl", "");
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &plan.before);
    let (planned, _) = plan.run_in(folder.path(), None);
    let slice = String::from_utf8(planned.stdout).unwrap().lines().next().unwrap().to_owned();
    let mut scan = Scenario::new("scan q.cql -o 0.part --slice");
    scan.words.push(slice.leak());
    scan.fails_anywhere();
}
