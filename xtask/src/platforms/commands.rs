//! The commands that check a platform.

use std::fs::{self, File};
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::results::{Outcome, TestCounts};
use super::targets::{CRATES, CrossTests, Platform, Runner, Work};
use super::{folder, log, qemu, requirements, wine};
use crate::tools::{cargo, host, output};

/// The seconds that a binary of tests may take. One that hangs is ended and counts as broken.
const MAX_SECONDS: &str = "3600";

/// Checks a platform, for which nothing is missing.
///
/// # Errors
/// A program cannot be run. A test that fails is counted instead.
pub(super) fn check(root: &Path, platform: &Platform) -> io::Result<Outcome> {
    let log = Log::create(root, platform)?;
    match &platform.work {
        Work::Tests(tests) => {
            let triple = platform.triple.map_or_else(host, |triple| Ok(triple.to_owned()))?;
            run_tests(root, &log, &triple, tests).map(Outcome::Tested)
        }
        Work::Check => {
            let mut check = cargo();
            check.args(["check", "--locked"]).args(CRATES);
            if let Some(triple) = platform.triple {
                check.args(["--target", triple]);
                // Nothing is linked, so the C code of dependencies needs no compiler.
                let suffix = triple.replace('-', "_");
                check.env(format!("CC_{suffix}"), "true").env(format!("AR_{suffix}"), "true");
            }
            log.run(root, &mut check).map(Outcome::Checked)
        }
        Work::CheckWithOldestRust => {
            let version = requirements::oldest_rust(root)?;
            let mut check = Command::new("rustup");
            check.args(["run", &version, "cargo", "check"]);
            check.args(["--locked", "--workspace", "--all-targets"]);
            // As it is published.
            check.args(["--features", "babson-cli/parquet,babson-cli/remote"]);
            // It would name the toolchain that runs this task.
            check.env_remove("CARGO").env_remove("RUSTC");
            log.run(root, &mut check).map(Outcome::Checked)
        }
    }
}

fn run_tests(root: &Path, log: &Log, triple: &str, tests: &CrossTests) -> io::Result<TestCounts> {
    let folder = folder(root);
    if !tests.programs.is_empty() {
        let mut build = cross("build", triple, tests);
        if !log.run(root, build.args(tests.programs.concat()))? {
            return Ok(TestCounts::without_build());
        }
    }
    let mut test = cross("test", triple, tests);
    test.arg("--no-fail-fast").args(tests.selection.concat());
    let mut runner =
        vec!["timeout".to_owned(), "--kill-after=10".to_owned(), MAX_SECONDS.to_owned()];
    match tests.runner {
        None => {}
        Some(Runner::Wine) => {
            wine::prepare(&folder)?;
            wine::set_variables(&mut test, &folder);
            runner.push("wine".to_owned());
        }
        Some(Runner::Qemu { program, libraries }) => {
            test.env("QEMU_LD_PREFIX", libraries);
            runner.extend(qemu::runner(&folder, program)?);
        }
    }
    test.args(["--config", &format!("target.{triple}.runner={runner:?}")]);
    let passed = log.run(root, &mut test)?;
    if let Some(Runner::Wine) = tests.runner {
        wine::end(&folder)?;
    }
    let mut counts = TestCounts::of(&log.text()?);
    if counts.binaries == 0 {
        return Ok(TestCounts::without_build());
    }
    if !passed && counts.failed == 0 && counts.broken.is_empty() {
        counts.broken.push("a binary that failed after its tests".to_owned());
    }
    if tests.is_static {
        let command = folder.join(triple).join("debug/babson");
        if needs_loader(&command)? {
            counts.broken.push("the command needs shared libraries".to_owned());
        }
    }
    Ok(counts)
}

/// A command of cargo for another platform, as the tests are built.
fn cross(command: &str, triple: &str, tests: &CrossTests) -> Command {
    let mut cargo = cargo();
    cargo.args([command, "--locked", "--target", triple]);
    if let Some(linker) = tests.linker {
        cargo.args(["--config", &format!("target.{triple}.linker={linker:?}")]);
    }
    if !tests.link_arguments.is_empty() {
        let flags: Vec<String> =
            tests.link_arguments.iter().map(|argument| format!("-Clink-arg={argument}")).collect();
        cargo.args(["--config", &format!("target.{triple}.rustflags={flags:?}")]);
    }
    cargo
}

/// Whether a program is loaded by another one, which is how it gets shared libraries.
fn needs_loader(program: &Path) -> io::Result<bool> {
    let headers = output(Command::new("readelf").arg("--program-headers").arg(program))?;
    Ok(headers.lines().any(|line| line.trim_start().starts_with("INTERP")))
}

/// What cargo and the tests print for a platform.
struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    fn create(root: &Path, platform: &Platform) -> io::Result<Log> {
        let path = log(root, platform);
        let file = File::create(&path).map_err(|error| crate::about(&path, &error))?;
        Ok(Log { path, file })
    }

    fn text(&self) -> io::Result<String> {
        let text = fs::read(&self.path).map_err(|error| crate::about(&self.path, &error))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Runs a command of cargo in a target folder of this task. What it prints goes to the log.
    /// Returns whether it succeeded.
    fn run(&self, root: &Path, command: &mut Command) -> io::Result<bool> {
        command.current_dir(root).stdin(Stdio::null());
        command.stdout(self.file.try_clone()?).stderr(self.file.try_clone()?);
        command.env("CARGO_TARGET_DIR", folder(root)).env("CARGO_TERM_COLOR", "never");
        // Without information for debuggers and for the next build, a platform takes half the
        // space.
        command.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
        // A snapshot that differs is an error of the platform. The tests cannot ask cargo where the
        // snapshots are.
        command.env("INSTA_UPDATE", "no").env("INSTA_WORKSPACE_ROOT", root);
        let shown = command.get_program().display().to_string();
        let status = command.status().map_err(|error| Error::other(format!("{shown}: {error}")))?;
        Ok(status.success())
    }
}
