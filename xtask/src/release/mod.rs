//! `cargo xtask release`: all that a release publishes, in `target/dist`.
//!
//! A release is a list of steps. `cargo xtask release --dry-run` takes all of them and publishes
//! nothing; the workflow `.github/workflows/release.yml` takes some on each platform. The page
//! `docs/src/releasing.md` explains them.

mod archive;
mod build;
mod changelog;
mod checksums;
mod command;
mod crates;
mod deb;
mod install;
mod links;
mod others;
mod reproducible;
mod sbom;

use std::fs;
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

pub(crate) use command::notices;

use crate::source;
use crate::tools::host;

/// What a step has done.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    /// In a few words.
    Done(String),
    /// Why it was not done. A tool that is missing is an error where `CI=true`.
    Skipped(String),
}

/// A step: its name on the command line, what it does, and the function that does it.
type Step = (&'static str, &'static str, fn(&Release) -> io::Result<Outcome>);

/// The steps in their order. What cannot be undone is the last one.
const STEPS: &[Step] = &[
    ("version", "CHANGELOG.md, the manifests and the tag agree", changelog::check),
    ("crates", "package the crates, and build each from its package", crates::package),
    ("semver", "compare the libraries with the last release", crates::semver),
    ("docs", "the documentation, as docs.rs builds it", crates::docs),
    ("archive", "the command with its manual page, completions and licenses", command::archive),
    ("reproducible", "build the command again in another folder", reproducible::check),
    ("deb", "the package of Debian", deb::package),
    ("sbom", "the list of all that the command is built of", sbom::write),
    ("wheel", "the Python package", others::wheel),
    ("npm", "the package of npm", others::npm),
    ("vsix", "the extension for VS Code", others::vsix),
    ("install", "install each package into an empty folder, and run it", install::check),
    ("checksums", "SHA-256 of all files", checksums::write),
    ("publish", "publish the crates on crates.io", crates::publish),
];

/// Where the files of a release are written. The name is the same for each version, so that a
/// workflow knows it.
const OUT: &str = "target/dist";

/// The options of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReleaseOptions {
    dry_run: bool,
    /// The platform of the command, as rustc names it; without it, this one.
    target: Option<String>,
    /// The commit or tag that the libraries are compared with; without it, the last release.
    baseline: Option<String>,
    /// The names of the steps; without a name, all.
    steps: Vec<String>,
}

impl ReleaseOptions {
    /// Reads the command line after `release`; `None` if it is wrong.
    pub(crate) fn parse(words: &[&str]) -> Option<ReleaseOptions> {
        let mut options =
            ReleaseOptions { dry_run: false, target: None, baseline: None, steps: Vec::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--dry-run" => options.dry_run = true,
                "--target" => options.target = Some((*words.next()?).to_owned()),
                "--baseline" => options.baseline = Some((*words.next()?).to_owned()),
                name if STEPS.iter().any(|(step, ..)| *step == name) => {
                    options.steps.push(name.to_owned());
                }
                _ => return None,
            }
        }
        // Nobody publishes by leaving a word out.
        (options.dry_run || !options.steps.is_empty()).then_some(options)
    }
}

/// What the steps know of the release.
struct Release {
    root: PathBuf,
    version: String,
    /// The platform of the command, as rustc names it.
    target: String,
    baseline: Option<String>,
    dry_run: bool,
    /// The time of the commit, in seconds since 1970.
    time: u64,
    /// The folder [`OUT`].
    out: PathBuf,
}

impl Release {
    /// The name of the command's archive without its ending, and of the folder in it.
    fn archive_name(&self) -> String {
        format!("babson-{}-{}", self.version, self.target)
    }

    /// A task of this program, as a process of its own that knows the time of the commit.
    fn xtask(&self, task: &str) -> io::Result<Command> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(task).current_dir(&self.root).env("SOURCE_DATE_EPOCH", self.time.to_string());
        Ok(command)
    }

    /// Writes a file of the release, and returns its name with its size.
    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<String> {
        let path = self.out.join(name);
        fs::write(&path, bytes).map_err(|error| crate::about(&path, &error))?;
        Ok(format!("{name}, {}", size(bytes.len() as u64)))
    }
}

/// Runs the steps and prints what they have done, and the files of the release with their sizes.
///
/// # Errors
/// A step fails. In a dry run, the later steps still run.
pub(crate) fn run(root: &Path, options: &ReleaseOptions) -> io::Result<()> {
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let out = root.join(OUT);
    if options.steps.is_empty() && out.exists() {
        fs::remove_dir_all(&out)?;
    }
    forget_other_commits(&out, &source::commit(root)?)?;
    let target = match &options.target {
        Some(target) => target.clone(),
        None => host()?,
    };
    let release = Release {
        root: root.to_owned(),
        version,
        target,
        baseline: options.baseline.clone(),
        dry_run: options.dry_run,
        time: source::time(root)?,
        out,
    };
    let mut rows = Vec::new();
    let mut failed = Vec::new();
    for (name, purpose, step) in STEPS {
        if !options.steps.is_empty() && !options.steps.iter().any(|wanted| wanted == name) {
            continue;
        }
        println!("== {name}: {purpose}");
        let begin = Instant::now();
        let outcome = step(&release);
        let seconds = begin.elapsed().as_secs();
        let text = match outcome {
            Ok(Outcome::Done(text)) => text,
            Ok(Outcome::Skipped(reason)) => format!("skipped: {reason}"),
            Err(error) => {
                failed.push(*name);
                format!("FAILED: {error}")
            }
        };
        println!("== {name}: {text}, {seconds} s");
        rows.push(format!("{name:<12}  {seconds:>5} s  {text}"));
        if !failed.is_empty() && !release.dry_run {
            break;
        }
    }
    println!("\n{}", rows.join("\n"));
    print_files(&release.out)?;
    match failed.is_empty() {
        true => Ok(()),
        false => Err(Error::other(format!("failed: {}", failed.join(", ")))),
    }
}

/// Removes what steps have written of another commit, so that no step takes it for this one's. A
/// file beside the folder names the commit. Without it the files come from elsewhere: the workflow
/// collects the files of all platforms. Changes without a commit are not noticed.
fn forget_other_commits(out: &Path, commit: &str) -> io::Result<()> {
    let record = out.with_extension("commit");
    if out.exists() && fs::read_to_string(&record).is_ok_and(|recorded| recorded != commit) {
        fs::remove_dir_all(out)?;
    }
    fs::create_dir_all(out)?;
    fs::write(&record, commit).map_err(|error| crate::about(&record, &error))
}

/// The paths of the files of a folder, in the order of their names.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries: Result<Vec<_>, io::Error> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut files: Vec<PathBuf> = entries?.into_iter().filter(|path| path.is_file()).collect();
    files.sort();
    Ok(files)
}

/// The name of a file for tables and lists.
fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn print_files(folder: &Path) -> io::Result<()> {
    println!("\n{}", folder.display());
    for path in files(folder)? {
        println!("{:>10}  {}", size(fs::metadata(&path)?.len()), name_of(&path));
    }
    Ok(())
}

/// A number of bytes for people.
fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        _ => format!("{:.2} MiB", bytes as f64 / 1_048_576.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_published_by_leaving_a_word_out() {
        assert_eq!(ReleaseOptions::parse(&[]), None);
        assert_eq!(ReleaseOptions::parse(&["--target", "x86_64-unknown-linux-musl"]), None);
        assert_eq!(ReleaseOptions::parse(&["--dry-run", "unknown"]), None);
        assert_eq!(ReleaseOptions::parse(&["--target"]), None);
        let options = ReleaseOptions::parse(&["--dry-run"]).unwrap();
        assert!(options.dry_run && options.steps.is_empty());
        let options = ReleaseOptions::parse(&["--target", "a", "archive", "deb"]).unwrap();
        assert_eq!((options.target.as_deref(), options.steps.len()), (Some("a"), 2));
        assert_eq!(STEPS.last().map(|(name, ..)| *name), Some("publish"));
    }

    #[test]
    fn the_help_names_each_step() {
        let (_, help) = crate::HELP.split_once("  release ").unwrap();
        for (name, ..) in STEPS {
            assert!(
                help.contains(&format!("{name},")) || help.contains(&format!("{name}.")),
                "{name}"
            );
        }
    }

    #[test]
    fn files_of_another_commit_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("dist");
        fs::create_dir(&out).unwrap();
        let file = out.join("a.whl");
        fs::write(&file, "").unwrap();
        // Those of a workflow have no commit.
        for commit in ["1a", "1a"] {
            forget_other_commits(&out, commit).unwrap();
            assert!(file.exists());
        }
        forget_other_commits(&out, "2b").unwrap();
        assert!(out.is_dir() && !file.exists());
    }

    #[test]
    fn sizes_are_for_people() {
        assert_eq!([0, 1023, 1536, 5 << 20].map(size), ["0 B", "1023 B", "1.5 KiB", "5.00 MiB"]);
    }
}
