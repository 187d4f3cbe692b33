//! A run of libfuzzer on one target.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::build::{binary_of, folder};
use super::targets::Target;

/// The most seconds that an input may take.
const TIMEOUT: u64 = 20;
/// The most megabytes that an input may take.
const MEMORY: u64 = 2048;
/// The most bytes of an input.
const MAX_INPUT: usize = 4096;

/// What a run has done, a row of the table.
pub(super) struct HuntResult {
    name: &'static str,
    seconds: u64,
    inputs: u64,
    /// Edges of the code that were reached.
    coverage: u64,
    /// Inputs that are kept because each of them reaches something new.
    corpus: u64,
    pub(super) crash: Option<String>,
}

impl fmt::Display for HuntResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HuntResult { name, seconds, inputs, coverage, corpus, crash } = self;
        let crash = crash.as_deref().unwrap_or("nothing");
        write!(f, "| `{name}` | {seconds} | {inputs} | {coverage} | {corpus} | {crash} |")
    }
}

/// Hunts for this time, from the corpus in the repository and what earlier hunts have kept.
pub(super) fn run(
    root: &Path,
    target: &'static Target,
    tests: &HashMap<(String, String), PathBuf>,
    time: Duration,
) -> io::Result<HuntResult> {
    let name = target.name;
    let key = (target.package.to_owned(), binary_of(target).1.to_owned());
    let test = tests.get(&key).ok_or_else(|| Error::other(format!("{name} was not built")))?;
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
    let crash = (!output.status.success()).then(|| {
        let written = log.lines().find_map(|line| line.split("Test unit written to ").nth(1));
        written.map_or_else(|| format!("{}", output.status), |path| format!("`{}`", path.trim()))
    });
    if crash.is_some() {
        let shown = log.lines().rev().take(60).collect::<Vec<_>>();
        shown.iter().rev().for_each(|line| eprintln!("{line}"));
    }
    let Progress { inputs, coverage, corpus } = Progress::of(&log);
    Ok(HuntResult { name, seconds, inputs, coverage, corpus, crash })
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

/// What the last line of libfuzzer about its progress says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Progress {
    inputs: u64,
    coverage: u64,
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
    use super::Progress;

    #[test]
    fn the_progress_of_libfuzzer() {
        let log = "INFO: seed\n#2\tINITED cov: 4 ft: 5 corp: 1/1b exec/s: 0 rss: 30Mb\n\
                   #1531\tNEW    cov: 461 ft: 1228 corp: 187/5093b lim: 17 exec/s: 0 rss: 41Mb L: 16/17 MS: 1 -\n\
                   #9\tDONE\nstat::number_of_executed_units: 9\n";
        let expected = Progress { inputs: 1531, coverage: 461, corpus: 187 };
        assert_eq!(Progress::of(log), expected);
        assert_eq!(Progress::of(""), Progress::default());
    }
}
