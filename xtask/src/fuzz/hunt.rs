//! A run of libfuzzer on one target.

use std::fmt;
use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::build::{Binaries, binary_of, folder};
use super::targets::Target;

/// The most seconds that an input may take.
const TIMEOUT: u64 = 20;
/// The most megabytes that an input may take.
const MEMORY: u64 = 2048;
/// The most bytes of an input.
const MAX_INPUT: usize = 4096;

/// What a run has done, a row of the table.
#[derive(Debug)]
pub(super) struct HuntResult {
    pub(super) name: &'static str,
    seconds: u64,
    progress: Progress,
    pub(super) end: HuntEnd,
}

/// How a run ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum HuntEnd {
    /// The law holds for all inputs.
    Sound,
    /// The law does not hold for the inputs in these files.
    Crashes(Vec<PathBuf>),
    /// The run says nothing about the law, for this reason.
    Failed(String),
}

impl fmt::Display for HuntResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HuntResult { name, seconds, progress, end } = self;
        let Progress { inputs, coverage, corpus } = progress;
        write!(f, "| `{name}` | {seconds} | {inputs} | {coverage} | {corpus} | ")?;
        match end {
            HuntEnd::Sound => f.write_str("nothing |"),
            HuntEnd::Crashes(files) => write!(f, "{} |", files.len()),
            HuntEnd::Failed(reason) => write!(f, "{reason} |"),
        }
    }
}

/// Hunts for this time, from the corpus in the repository and what earlier hunts have kept.
pub(super) fn run(
    root: &Path,
    target: &'static Target,
    tests: &Binaries,
    time: Duration,
) -> io::Result<HuntResult> {
    let name = target.name;
    let test = tests
        .get(&binary_of(target))
        .ok_or_else(|| Error::other(format!("{name} was not built")))?;
    let own = folder(root).join(name);
    let [corpus, crashes] = ["corpus", "crashes"].map(|part| own.join(part));
    fs::create_dir_all(&corpus)?;
    fs::create_dir_all(&crashes)?;
    copy_corpus(root, target, &corpus)?;
    let path = full_name(test, name)?;
    let options = format!(
        "{} -artifact_prefix={}/ -timeout={TIMEOUT} -rss_limit_mb={MEMORY} -max_len={MAX_INPUT} \
         -max_total_time={} -print_final_stats=1",
        corpus.display(),
        crashes.display(),
        time.as_secs().max(1)
    );
    eprintln!("{name}: {} s", time.as_secs());
    let began = Instant::now();
    let output = Command::new(test)
        .args([&path, "--exact", "--nocapture", "--test-threads=1"])
        .env("BOLERO_LIBFUZZER_ARGS", options)
        .current_dir(root.join("crates").join(target.package))
        .stdin(Stdio::null())
        .output()?;
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    fs::write(own.join("log.txt"), &log)?;
    let seconds = began.elapsed().as_secs();
    let progress = Progress::of(&log);
    let found = failing_inputs(&log);
    let end = HuntEnd::of(output.status.success(), &output.status.to_string(), found, &progress);
    if end != HuntEnd::Sound {
        let shown = log.lines().rev().take(60).collect::<Vec<_>>();
        shown.iter().rev().for_each(|line| eprintln!("{line}"));
    }
    Ok(HuntResult { name, seconds, progress, end })
}

impl HuntEnd {
    /// The end of a run with this exit status, these new files and this progress.
    fn of(success: bool, status: &str, found: Vec<PathBuf>, progress: &Progress) -> HuntEnd {
        if !found.is_empty() {
            return HuntEnd::Crashes(found);
        }
        match (success, progress.inputs) {
            (true, 0) => HuntEnd::Failed("no input was tested".to_owned()),
            (true, _) => HuntEnd::Sound,
            (false, _) => HuntEnd::Failed(status.to_owned()),
        }
    }
}

/// The inputs that libfuzzer has written because the law failed, or they took too much time or
/// memory. It also writes those that are only slow. An input that an earlier run has found gets the
/// same name again, so the log tells it and the folder does not.
fn failing_inputs(log: &str) -> Vec<PathBuf> {
    let written = log.lines().filter_map(|line| line.split_once("Test unit written to "));
    let mut files: Vec<PathBuf> = written.map(|(_, path)| PathBuf::from(path.trim())).collect();
    files.retain(|path| {
        path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with("slow-unit-"))
    });
    files.dedup();
    files
}

/// Copies the inputs of the repository to where libfuzzer adds others.
fn copy_corpus(root: &Path, target: &Target, to: &Path) -> io::Result<()> {
    let file = root.join("crates").join(target.package).join(target.place.file());
    let folder = file.with_file_name("__fuzz__").join(target.name).join("corpus");
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        fs::copy(&path, to.join(path.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

/// The name of a test with the modules that it is in.
fn full_name(test: &Path, name: &str) -> io::Result<String> {
    let output = Command::new(test).args(["--list", "--format=terse"]).output()?;
    let list = String::from_utf8_lossy(&output.stdout);
    let names = list.lines().filter_map(|line| line.strip_suffix(": test"));
    let mut fitting = names.filter(|full| full.rsplit("::").next() == Some(name));
    fitting
        .next()
        .map(str::to_owned)
        .ok_or_else(|| Error::other(format!("there is no test {name}")))
}

/// What the last line of libfuzzer about its progress says; zeros without one.
#[derive(Debug, Default, PartialEq, Eq)]
struct Progress {
    inputs: u64,
    /// Edges of the code that were reached.
    coverage: u64,
    /// Inputs that are kept because each of them reaches something new.
    corpus: u64,
}

impl Progress {
    fn of(log: &str) -> Progress {
        log.lines().filter_map(Progress::of_line).next_back().unwrap_or_default()
    }

    /// Reads a line such as `#1234 NEW cov: 56 ft: 78 corp: 9/10Kb …`, with a tab after the number.
    fn of_line(line: &str) -> Option<Progress> {
        let (inputs, rest) = line.strip_prefix('#')?.split_once('\t')?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let after = |name: &str| {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1)?.split('/').next()?.parse().ok()
        };
        let coverage = after("cov:")?;
        Some(Progress {
            inputs: inputs.parse().ok()?,
            coverage,
            corpus: after("corp:").unwrap_or(0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_progress_of_libfuzzer() {
        let log = "INFO: seed\n#2\tINITED cov: 4 ft: 5 corp: 1/1b exec/s: 0 rss: 30Mb\n\
                   #1531\tNEW    cov: 461 ft: 1228 corp: 187/5093b lim: 17 exec/s: 0 rss: 41Mb L: 16/17 MS: 1 -\n\
                   #9\tDONE\nstat::number_of_executed_units: 9\n";
        let expected = Progress { inputs: 1531, coverage: 461, corpus: 187 };
        assert_eq!(Progress::of(log), expected);
        assert_eq!(Progress::of(""), Progress::default());
    }

    /// Slow inputs are not among them.
    #[test]
    fn inputs_that_fail_are_in_the_log() {
        let log = "artifact_prefix='c/'; Test unit written to c/slow-unit-1\n\
                   artifact_prefix='c/'; Test unit written to c/crash-2\n";
        assert_eq!(failing_inputs(log), [PathBuf::from("c/crash-2")]);
    }

    /// A run that tested nothing is not one without a finding.
    #[test]
    fn ends_of_a_run() {
        let some = Progress { inputs: 7, ..Progress::default() };
        let file = vec![PathBuf::from("crash-1")];
        for (success, found, progress, end, cell) in [
            (true, vec![], &some, HuntEnd::Sound, "nothing"),
            (false, file.clone(), &some, HuntEnd::Crashes(file.clone()), "1"),
            (false, vec![], &some, HuntEnd::Failed("code 1".to_owned()), "code 1"),
            (
                true,
                vec![],
                &Progress::default(),
                HuntEnd::Failed("no input was tested".to_owned()),
                "no input was tested",
            ),
        ] {
            let found = HuntEnd::of(success, "code 1", found, progress);
            assert_eq!(found, end);
            let progress = Progress { inputs: progress.inputs, ..Progress::default() };
            let row = HuntResult { name: "x", seconds: 3, progress, end: found }.to_string();
            assert!(row.starts_with("| `x` | 3 | ") && row.ends_with(&format!(" | {cell} |")));
        }
    }
}
