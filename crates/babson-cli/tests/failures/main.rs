//! Failure at every point: whichever call to the system fails, a run ends with an error and leaves
//! everything as it was, or it goes on and gives what it gives without the failure.
//!
//! A run is repeated with a failure of its first call of a kind, of its second one and so on, until
//! no call is left. In the same way calls are interrupted, and read or write one byte.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod tracer;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};

use tracer::{Call, Failure, Manner};

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
            if path.is_symlink() {
                let target = fs::read_link(path).unwrap();
                files.insert(format!("{name}@"), target.to_str().unwrap().into());
            } else if path.is_dir() {
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

impl End {
    /// Removes the temporary files that the system refused to remove once, as the messages ask for.
    fn remove_leftovers(&mut self, folder: &Path) {
        let told: Vec<&str> = self.stderr.lines().filter(|line| is_of_cleanup(line)).collect();
        self.files.retain(|name, _| {
            let is_told = is_temporary(name) && told.iter().any(|line| line.contains(&**name));
            if is_told {
                fs::remove_file(folder.join(name)).unwrap();
            }
            !is_told
        });
    }
}

fn is_of_cleanup(line: &str) -> bool {
    line.starts_with("babson: cannot remove ")
}

fn is_temporary(name: &str) -> bool {
    name.ends_with(".tmp") || name.ends_with(".old")
}

/// A command line and the files that are there before it.
struct Scenario {
    words: Vec<&'static str>,
    before: Files,
    /// Links that are there before, each with its target.
    links: Vec<(&'static str, &'static str)>,
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
        let words = line.split(' ').collect();
        Scenario { words, before, links: Vec::new(), kept: None, failure: FAILED }
    }

    /// With a symbolic link that is there before.
    fn linked(mut self, name: &'static str, target: &'static str) -> Scenario {
        self.links.push((name, target));
        self
    }

    /// What a run finds: the files, the folders and the links.
    fn found(&self) -> Files {
        let links = self.links.iter();
        let links = links.map(|(name, target)| (format!("{name}@"), target.as_bytes().to_vec()));
        self.before.clone().into_iter().chain(links).collect()
    }

    /// A new folder with the files that are there before.
    fn folder(&self) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &self.before);
        for (name, target) in &self.links {
            std::os::unix::fs::symlink(target, folder.path().join(name)).unwrap();
        }
        folder
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
        assert!(!traced.hung, "{:?} hangs: {failure:?} {:?}", self.words, traced.failed);
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
        self.run_in(self.folder().path(), failure)
    }

    /// Lets each call fail. What the run should do is done, or nothing of it, and then the same
    /// command does it. A call that is interrupted, or that reads or writes less than it could,
    /// changes nothing.
    fn fails_anywhere(&self) {
        let (whole, _) = self.run(None);
        assert_eq!(whole.code, Some(0), "{:?}: {}", self.words, whole.stderr);
        self.each_failure(Manner::Fails, &Call::ALL, |end, failed, folder| {
            let fault = self.fault(end, failed, &whole);
            // A run that has appended its matches would append them again.
            let is_done = end.files == whole.files;
            fault.or_else(|| {
                let again = (!is_done).then(|| self.run_in(folder, None).0)?;
                let is_same = again.files == whole.files && again.code == whole.code;
                (!is_same).then(|| format!("and again: {}", again.stderr))
            })
        });
        let is_same = |end: &End, _: &str, _: &Path| match end.code {
            Some(0) => self.other_results(end, &whole),
            _ => Some("an error".to_owned()),
        };
        self.each_failure(Manner::IsInterrupted, &Call::SLOW, is_same);
        self.each_failure(Manner::IsShort, &[Call::Read, Call::Write], is_same);
    }

    /// Lets each call fail of a run that is refused: it changes nothing.
    fn is_refused_anywhere(&self) {
        let (whole, _) = self.run(None);
        assert!(whole.code != Some(0) && whole.files == self.found(), "{:?}", self.words);
        self.each_failure(Manner::Fails, &Call::ALL, |end, _, _| {
            let is_refused = end.code == whole.code || end.code == Some(FAILED);
            let is_same = end.files == self.found();
            (!is_refused || !is_same).then(|| format!("{:?}", differences(end, &whole)))
        });
    }

    /// Calls `check` with the end of each run in which a call of these kinds fails, the call, and
    /// the folder. It says what is wrong.
    fn each_failure(
        &self,
        manner: Manner,
        kinds: &[Call],
        check: impl Fn(&End, &str, &Path) -> Option<String>,
    ) {
        if let Some(reason) = tracer::refusal() {
            eprintln!("skipped: {reason}");
            return;
        }
        let (mut faults, mut calls) = (Vec::new(), 0);
        for &call in kinds {
            for number in 1.. {
                let folder = self.folder();
                let failure = Failure { call, number, manner };
                let (mut end, failed) = self.run_in(folder.path(), Some(failure));
                let Some(failed) = failed else { break };
                calls += 1;
                if call == Call::Remove {
                    end.remove_leftovers(folder.path());
                }
                if let Some(fault) = check(&end, &failed, folder.path()) {
                    let [code, signal] = [end.code, end.signal];
                    let told = end.stderr.lines().next_back().unwrap_or_default();
                    faults.push(format!(
                        "{failed}, call {number}, {manner:?}: {fault}; {code:?} {signal:?} {told}"
                    ));
                }
            }
        }
        assert!(faults.is_empty(), "{:?}\n  {}", self.words, faults.join("\n  "));
        assert!(calls > 0, "{:?}: {manner:?} never happened", self.words);
        eprintln!("{:?}: {manner:?} {calls} times", self.words);
    }

    /// Whether the file is one that a run may leave that could not lock or list the folder of its
    /// parts.
    fn may_stay(&self, name: &str) -> bool {
        self.kept.is_some_and(|kept| name.starts_with(kept))
    }

    /// What differs in the results of two runs.
    fn other_results(&self, end: &End, whole: &End) -> Option<String> {
        let mut differences = differences(end, whole);
        differences.retain(|name| !self.may_stay(name));
        let is_same = differences.is_empty() && end.stdout == whole.stdout;
        (!is_same).then(|| format!("other results: {differences:?}"))
    }

    /// What is wrong with the end of a run in which a call failed.
    fn fault(&self, end: &End, failed: &str, whole: &End) -> Option<String> {
        // The summary comes after the outputs.
        let is_told_last = failed == "Write standard output" && end.files == whole.files;
        match end.code {
            // The run could do without the call.
            Some(0) => return self.other_results(end, whole),
            Some(FAILED) if is_told_last => return None,
            Some(code) if code == FAILED || code == self.failure => {}
            _ => return Some("another code".to_owned()),
        }
        if !end.stderr.contains("babson: ") {
            return Some("no message".to_owned());
        }
        let found = self.found();
        for (name, bytes) in &end.files {
            if is_temporary(name) {
                return Some(format!("{name} is left"));
            }
            if found.get(name) != Some(bytes) && !self.may_stay(name) {
                return Some(format!("{name} was written"));
            }
        }
        let lost = found.keys().find(|name| !end.files.contains_key(*name));
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
    Scenario::new("-i games.pgn q.cql -o out.pgn").fails_anywhere();
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

/// A link stays a link, and its target is written.
#[test]
fn an_output_that_is_a_link() {
    Scenario::new("-i games.pgn q.cql -o link.pgn").linked("link.pgn", "out.pgn").fails_anywhere();
    Scenario::new("-i games.pgn q.cql -o link.pgn -o old.csv")
        .linked("link.pgn", "inner/out.pgn")
        .with("inner/", "")
        .with("inner/out.pgn", OLD)
        .with("old.csv", "old")
        .fails_anywhere();
    Scenario::new("-i games.pgn q.cql -o link.pgn")
        .linked("link.pgn", "games.pgn")
        .is_refused_anywhere();
    Scenario::new("-i games.pgn q.cql -o link.pgn -o out.pgn")
        .linked("link.pgn", "out.pgn")
        .is_refused_anywhere();
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
    Scenario::new("games.pgn q.cql -o out.csv -o out.arrow --rejects bad.pgn --resume kept")
        .with("out.csv", "old\n")
        .keeps("kept")
        .fails_anywhere();
}

#[test]
fn a_part_of_a_slice() {
    let plan = Scenario::new("plan games.pgn --slices 2").with("plan.jsonl", "");
    let slices = String::from_utf8(plan.run(None).0.stdout).unwrap();
    let scan = |slice: &str, name: &'static str| {
        let mut scan = Scenario::new("scan q.cql --slice");
        scan.words.extend([&*slice.to_owned().leak(), "-o", name]);
        scan
    };
    let slices: Vec<&str> = slices.lines().collect();
    scan(slices[0], "0.part").fails_anywhere();
    let part = |index: usize, name| scan(slices[index], name).run(None).0.files[name].clone();
    Scenario::new("merge 0.part 1.part -o out.pgn -o out.csv")
        .with("0.part", part(0, "0.part"))
        .with("1.part", part(1, "1.part"))
        .with("out.csv", "old\n")
        .fails_anywhere();
}

#[test]
fn a_query_that_is_rewritten() {
    Scenario::new("fmt q.cql").with("q.cql", "mate   and check").fails_anywhere();
    Scenario::new("convert --to unicode q.cql -o other.cql").fails_anywhere();
}

/// A kind of call that no run makes would fail nowhere, and nobody would notice.
#[test]
fn each_kind_of_call_is_met() {
    if let Some(reason) = tracer::refusal() {
        eprintln!("skipped: {reason}");
        return;
    }
    let asking = ("q.cql", "mate commandpipe(\"cat\" \"x\") == \"x\"");
    let runs = [
        Scenario::new("-i games.pgn q.cql -o out.pgn").with("out.pgn", OLD),
        Scenario::new("-i games.pgn q.cql --append out.pgn").with("out.pgn", OLD),
        Scenario::new("-i games.pgn q.cql -o link.pgn").linked("link.pgn", "out.pgn"),
        Scenario::new("-i games.pgn q.cql -o out.pgn").with(asking.0, asking.1),
        Scenario::new("games.pgn q.cql -o out.pgn --resume kept"),
        Scenario::new("-i games.pgn q.cql -o out.pgn -o out.csv").with("out.csv", OLD),
        Scenario::new("pack games.pgn -o out.arrow").with("out.arrow", OLD),
    ];
    let fails = |run: &Scenario, call| {
        let failure = Failure { call, number: 1, manner: Manner::Fails };
        run.run(Some(failure)).1.is_some()
    };
    let mut never = Call::ALL.to_vec();
    never.retain(|&call| !runs.iter().any(|run| fails(run, call)));
    assert_eq!(never, []);
}
