//! Slices of a scan in processes of their own: plain processes, the scripts of
//! docs/src/scale.md, and Spark. Whatever starts the processes, the merged result equals the result
//! of one run.

#![cfg(unix)]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use common::{babson, text};
use tempfile::TempDir;

const BABSON: &str = env!("CARGO_BIN_EXE_babson");

/// Prints messages, writes comments and sorts: all that a part has to keep.
const QUERY: &str = r#"mate sort "moves" movenumber comment("mated") message(player white)"#;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A folder with a database, a query, and `babson` in `bin`.
struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new(query: &str) -> Bench {
        let folder = tempfile::tempdir().unwrap();
        let bench = Bench { folder };
        fs::copy(root().join("corpus/games/masters-2k.pgn"), bench.path("games.pgn")).unwrap();
        fs::write(bench.path("query.cql"), query).unwrap();
        fs::create_dir(bench.path("bin")).unwrap();
        std::os::unix::fs::symlink(BABSON, bench.path("bin/babson")).unwrap();
        fs::create_dir(bench.path("parts")).unwrap();
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn babson(&self, words: &[&str]) -> Output {
        babson(self.folder.path(), words)
    }

    /// Runs `babson` once over everything. Returns what it printed.
    fn run_once(&self, outputs: &[&str]) -> Vec<u8> {
        let mut words = vec!["-i", "games.pgn", "query.cql"];
        words.extend(outputs.iter().flat_map(|output| ["-o", output]));
        let output = self.babson(&words);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        output.stdout
    }

    /// The lines of the plan.
    fn plan(&self, slices: usize) -> Vec<String> {
        let output = self.babson(&["plan", "games.pgn", "--slices", &slices.to_string()]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let lines: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
        assert_eq!(lines.len(), slices);
        lines
    }

    /// Starts a program on a slice, which is to write the part of this number.
    fn scan(&self, program: &Path, slice: &str, number: usize) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.args(["scan", "--slice", slice, "--threads", "1", "query.cql", "-o"]);
        command.arg(part(number));
        command
    }

    /// Searches all slices at the same time. Returns the names of the parts.
    fn scan_all(&self, plan: &[String]) -> Vec<String> {
        let start = |(number, slice): (usize, &String)| {
            self.scan(Path::new(BABSON), slice, number).spawn().unwrap()
        };
        let children: Vec<_> = plan.iter().enumerate().map(start).collect();
        let mut names = Vec::new();
        for (number, child) in children.into_iter().enumerate() {
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            assert_eq!(text(&output.stdout), part(number) + "\n");
            names.push(part(number));
        }
        names
    }

    fn merge(&self, parts: &[String], outputs: &[&str]) -> Output {
        let mut words = vec!["merge"];
        words.extend(parts.iter().map(String::as_str));
        words.extend(outputs.iter().flat_map(|output| ["-o", output]));
        self.babson(&words)
    }

    /// Merges parts that do not belong together: the error names the wrong one, and no file is
    /// written.
    fn merge_fails(&self, parts: &[String], named: &str) {
        let output = self.merge(parts, &["wrong.pgn"]);
        let shown = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{shown}");
        assert!(shown.contains(named), "{named} is not in: {shown}");
        assert!(!self.path("wrong.pgn").exists());
    }

    /// The variable `PATH` with this folder of the bench first.
    fn path_with(&self, folder: &str) -> String {
        let path = std::env::var("PATH").unwrap_or_default();
        format!("{}:{path}", self.path(folder).display())
    }

    /// Runs a shell script in the folder, with `bin` first in the path.
    fn shell(&self, script: &str) -> Output {
        Command::new("sh")
            .args(["-c", script])
            .current_dir(self.folder.path())
            .env("PATH", self.path_with("bin"))
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    fn write_program(&self, name: &str, script: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// A `babson` whose first scan fails and whose second scan is killed in the middle of its
    /// games. The query must ask `answer.sh`, so that the middle is known.
    fn write_faulty_babson(&self) -> PathBuf {
        let folder = self.folder.path().display();
        self.write_program(
            "faulty",
            &format!(
                r#"#!/bin/sh
for part; do :; done
if [ "$1" != scan ]; then exec {BABSON} "$@"; fi
if mkdir {folder}/failed 2>/dev/null; then echo "this scan fails" >&2; exit 1; fi
if mkdir {folder}/killed 2>/dev/null; then
    BABSON_TEST_BEGUN={folder}/begun {BABSON} "$@" &
    for try in $(seq 1200); do
        if [ -e {folder}/begun ]; then break; fi
        sleep 0.1
    done
    kill -KILL $!
    wait $!
    code=$?
    if [ -e "$part" ]; then mkdir {folder}/half; fi
    exit $code
fi
exec {BABSON} "$@"
"#
            ),
        )
    }

    /// Whether both faults of `write_faulty_babson` occurred, and left nothing half-written.
    fn assert_faults(&self) {
        for fault in ["failed", "killed", "begun"] {
            assert!(self.path(fault).exists(), "{fault}");
        }
        assert!(!self.path("half").exists(), "a part was there before it was complete");
    }
}

fn part(number: usize) -> String {
    format!("parts/{number}.part")
}

/// A query whose scans ask `answer.sh`, which repeats each line. If `$BABSON_TEST_BEGUN` is set, it
/// writes this file instead, and does not answer.
fn asking_bench() -> Bench {
    let bench = Bench::new("");
    let answer = bench.path("answer.sh");
    let query = format!(
        r#"mate sort "moves" movenumber comment(commandpipe("sh {}" player white))"#,
        answer.display()
    );
    fs::write(bench.path("query.cql"), query).unwrap();
    fs::write(
        answer,
        r#"while read -r line; do
    if [ -n "$BABSON_TEST_BEGUN" ]; then : > "$BABSON_TEST_BEGUN"; cat > /dev/null; exit; fi
    printf '%s\n' "$line"
done
"#,
    )
    .unwrap();
    bench
}

/// What was printed, without the time, the threads and the outputs that the summary names.
fn timeless(printed: &[u8]) -> String {
    let printed = text(printed);
    let lines = printed.lines().map(|line| match line.split_once(" in ") {
        Some((matches, rest)) if rest.contains(" seconds using ") => matches,
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Changes a byte in the middle of a file.
fn flip_byte(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path, bytes).unwrap();
}

#[test]
fn parts_in_any_order_give_the_bytes_of_one_run() {
    let bench = Bench::new(QUERY);
    let once = ["once.pgn", "once.jsonl", "once.csv", "once.epd", "once.html"];
    let merged = once.map(|name| name.replace("once", "merged"));
    let printed = bench.run_once(&once);
    assert!(!printed.is_empty());
    let mut parts = bench.scan_all(&bench.plan(5));
    parts.rotate_left(2);
    parts.swap(0, 1);
    let output = bench.merge(&parts, &merged.each_ref().map(String::as_str));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(timeless(&output.stdout), timeless(&printed));
    for (once, merged) in once.iter().zip(&merged) {
        assert!(bench.read(once) == bench.read(merged), "{merged} differs");
    }
}

#[test]
fn a_wrong_part_is_an_error_that_names_it() {
    let bench = Bench::new(QUERY);
    let parts = bench.scan_all(&bench.plan(3));
    let alone = [parts[0].clone(), parts[2].clone()];
    bench.merge_fails(&alone, "slice 1");

    let doubled = [&parts[..], &parts[1..2]].concat();
    bench.merge_fails(&doubled, "parts/1.part");

    fs::write(bench.path("query.cql"), "stalemate").unwrap();
    let foreign = bench.scan(Path::new(BABSON), &bench.plan(3)[1], 7).output().unwrap();
    assert_eq!(foreign.status.code(), Some(0), "{}", text(&foreign.stderr));
    bench.merge_fails(&[parts[0].clone(), part(7), parts[2].clone()], "parts/7.part");

    flip_byte(&bench.path("parts/1.part"));
    bench.merge_fails(&parts, "parts/1.part");
}

#[test]
fn a_slice_that_failed_is_searched_again() {
    let bench = asking_bench();
    bench.run_once(&["once.pgn"]);
    let faulty = bench.write_faulty_babson();
    let mut parts = Vec::new();
    let mut codes = Vec::new();
    for (number, slice) in bench.plan(4).iter().enumerate() {
        loop {
            let output = bench.scan(&faulty, slice, number).output().unwrap();
            codes.push(output.status.code().unwrap());
            if output.status.success() {
                break;
            }
            assert!(codes.len() < 3, "{}", text(&output.stderr));
            assert!(!bench.path(&part(number)).exists());
        }
        parts.push(part(number));
    }
    assert_eq!(codes, [1, 137, 0, 0, 0, 0]);
    bench.assert_faults();
    let output = bench.merge(&parts, &["merged.pgn"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(bench.read("once.pgn") == bench.read("merged.pgn"));
}

/// A run with `--resume` is killed in the middle of a slice. The next one goes on, and nothing of
/// the first stays in the folder.
#[test]
fn a_killed_run_is_resumed() {
    let bench = asking_bench();
    bench.run_once(&["once.pgn"]);
    let words = ["-i", "games.pgn", "query.cql", "-o", "found.pgn", "--resume", "kept", "-s"];
    let mut command = Command::new(BABSON);
    command.current_dir(bench.folder.path()).args(words).stdin(Stdio::null());
    let begun = bench.path("begun");
    let mut child = command.env("BABSON_TEST_BEGUN", &begun).stderr(Stdio::null()).spawn().unwrap();
    while !begun.exists() {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let left = || fs::read_dir(bench.path("kept")).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(left().any(|name| text(name.as_encoded_bytes()).ends_with(".tmp")));
    let output = bench.babson(&words);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(bench.read("once.pgn") == bench.read("found.pgn"));
    assert!(!bench.path("kept").exists());
}

/// The text of the block `sh,NAME` of docs/src/scale.md.
fn script(name: &str) -> String {
    let page = fs::read_to_string(root().join("docs/src/scale.md")).unwrap();
    let (_, block) = page.split_once(&format!("```sh,{name}\n")).expect(name);
    block.split_once("```").unwrap().0.to_owned()
}

/// Runs a script of the page, which writes `found.pgn`.
fn run_script(name: &str, prepare: impl Fn(&Bench)) {
    let bench = Bench::new(QUERY);
    prepare(&bench);
    bench.run_once(&["once.pgn"]);
    let output = bench.shell(&script(name));
    let shown = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{shown}");
    assert!(bench.read("once.pgn") == bench.read("found.pgn"), "{shown}");
}

#[test]
fn the_page_searches_with_xargs() {
    run_script("xargs.sh", |_| ());
}

#[test]
fn the_page_searches_with_gnu_parallel() {
    let version = Command::new("parallel").arg("--version").output();
    if !version.is_ok_and(|output| text(&output.stdout).starts_with("GNU parallel")) {
        eprintln!("skipped: GNU parallel is not installed");
        return;
    }
    run_script("parallel.sh", |_| ());
}

/// Slurm needs a cluster. A stand-in for `sbatch` runs the tasks of an array one after another.
#[test]
fn the_page_searches_with_slurm() {
    run_script("submit.sh", |bench| {
        bench.write_program("bin/sbatch", include_str!("stand-ins/sbatch"));
        bench.write_program("slice.sbatch", &script("slice.sbatch"));
    });
}

/// Whether `docs/examples/spark/search.py` can run here.
fn has_spark() -> bool {
    let succeeds = |program: &str, words: &[&str]| {
        Command::new(program).args(words).output().is_ok_and(|output| output.status.success())
    };
    let java = succeeds("java", &["-version"]);
    let pyspark = succeeds("python3", &["-c", "import pyspark"]);
    if !(java && pyspark) {
        eprintln!("skipped: Spark needs java ({java}) and the pyspark of python3 ({pyspark})");
    }
    java && pyspark
}

/// Searches on two threads of a local Spark, which starts a task at most three times, with the
/// `babson` of a folder of the bench, which only the `PATH` names.
fn run_spark(bench: &Bench, programs: &str) -> Output {
    Command::new("python3")
        .arg(root().join("docs/examples/spark/search.py"))
        .args(["games.pgn", "spark.pgn", "5", "--threads", "1", "query.cql"])
        .current_dir(bench.folder.path())
        .env("PATH", bench.path_with(programs))
        .env_remove("BABSON")
        .env("PYSPARK_SUBMIT_ARGS", "--master local[2,3] pyspark-shell")
        .env("SPARK_LOCAL_IP", "127.0.0.1")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[test]
fn spark_gives_the_bytes_of_one_run_after_faults() {
    if !has_spark() {
        return;
    }
    let bench = asking_bench();
    bench.run_once(&["once.pgn"]);
    let faulty = bench.write_faulty_babson();
    fs::create_dir(bench.path("faulty-bin")).unwrap();
    std::os::unix::fs::symlink(faulty, bench.path("faulty-bin/babson")).unwrap();
    let output = run_spark(&bench, "faulty-bin");
    let shown = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{shown}");
    bench.assert_faults();
    assert!(bench.read("once.pgn") == bench.read("spark.pgn"), "{shown}");
}

#[test]
fn spark_ends_with_an_error_if_a_part_is_damaged() {
    if !has_spark() {
        return;
    }
    let bench = Bench::new(QUERY);
    // The merge gets a part that was damaged on its way.
    fs::create_dir(bench.path("damaging-bin")).unwrap();
    bench.write_program(
        "damaging-bin/babson",
        &format!(
            "#!/bin/sh\nif [ \"$1\" = merge ]; then\n    \
             printf '#' | dd of=spark.pgn.parts/3.part bs=1 seek=100 conv=notrunc 2>/dev/null\nfi\n\
             exec {BABSON} \"$@\"\n"
        ),
    );
    let output = run_spark(&bench, "damaging-bin");
    let shown = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{shown}");
    assert!(shown.contains("spark.pgn.parts/3.part"), "{shown}");
    assert!(!bench.path("spark.pgn").exists());
}

#[test]
fn spark_ends_with_an_error_if_a_slice_fails_each_time() {
    if !has_spark() {
        return;
    }
    let bench = Bench::new("mate and");
    let output = run_spark(&bench, "bin");
    let shown = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    assert!(shown.contains("exit status 1"), "{shown}");
    assert!(!bench.path("spark.pgn").exists());
}
