//! The tests, built for libfuzzer.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::targets::{Place, Target};
use crate::tools::{cargo, host};

/// What tells the crate bolero and our own code which engine is in use, and counts the edges of the
/// code that an input reaches. `cargo bolero test` sets the same.
const FLAGS: &str = "--cfg fuzzing --cfg fuzzing_libfuzzer -Cpasses=sancov-module \
                     -Cllvm-args=-sanitizer-coverage-level=4 \
                     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
                     -Cllvm-args=-sanitizer-coverage-pc-table \
                     -Cllvm-args=-sanitizer-coverage-trace-compares";

/// The program among the binaries.
const PROGRAM: &str = "babson";

/// The folder of the builds, the corpora and the crashes.
pub(super) fn folder(root: &Path) -> PathBuf {
    root.join("target/fuzz")
}

/// What is missing to build libfuzzer, which the crate bolero has the sources of.
pub(super) fn missing() -> Option<String> {
    if !cfg!(target_os = "linux") {
        return Some("fuzz needs Linux".to_owned());
    }
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let version = Command::new(&compiler).arg("--version").stdout(Stdio::null()).status();
    match version {
        Ok(status) if status.success() => None,
        Ok(_) | Err(_) => Some(format!(
            "there is no {compiler}, with which libfuzzer is built: apt-get install g++"
        )),
    }
}

/// The binaries of tests, each by its package and its name in cargo.
pub(super) type Binaries = HashMap<(String, String), PathBuf>;

/// Builds the tests of these targets. A call of cargo builds all unit tests, and another one all
/// integration tests. One call for both would also build the unit tests of packages without a law
/// there, which cannot be linked: only a test with a law has libfuzzer.
pub(super) fn tests(root: &Path, targets: &[Target]) -> io::Result<Binaries> {
    let (units, others): (Vec<&Target>, Vec<&Target>) =
        targets.iter().partition(|target| !matches!(target.place, Place::Integration(..)));
    let mut binaries = Binaries::new();
    for targets in [others, units] {
        if !targets.is_empty() {
            binaries.extend(build(root, &targets)?);
        }
    }
    match targets.iter().find(|target| !binaries.contains_key(&binary_of(target))) {
        Some(target) => Err(Error::other(format!("{}: cargo made no test", target.name))),
        None => Ok(binaries),
    }
}

/// Builds the tests of these targets by one call of cargo: each package once.
fn build(root: &Path, targets: &[&Target]) -> io::Result<Binaries> {
    let mut command = cargo();
    command.args(["test", "--no-run", "--locked", "--profile", "fuzz", "--target", &host()?]);
    command.arg("--message-format=json-render-diagnostics");
    let packages: BTreeSet<&str> = targets.iter().map(|target| target.package).collect();
    for package in packages {
        command.args(["--package", package]);
    }
    let kinds: BTreeSet<Vec<&str>> = targets.iter().map(|target| selection(target.place)).collect();
    for kind in kinds {
        command.args(kind);
    }
    command.arg("--target-dir").arg(folder(root).join("build"));
    command.env("RUSTFLAGS", FLAGS).env("BOLERO_FUZZER", "libfuzzer").current_dir(root);
    let output = command.stderr(Stdio::inherit()).output()?;
    match output.status.success() {
        true => Ok(binaries(root, &output.stdout)),
        false => Err(Error::other(format!("cargo test --no-run: {}", output.status))),
    }
}

/// The words of cargo that choose a binary of tests.
fn selection(place: Place) -> Vec<&'static str> {
    match place {
        Place::Unit(_) => vec!["--lib"],
        Place::Program(_) => vec!["--bin", PROGRAM],
        Place::Integration(name, _) => vec!["--test", name],
    }
}

/// The binary of a target, as the messages of cargo name it.
pub(super) fn binary_of(target: &Target) -> (String, String) {
    let name = match target.place {
        Place::Unit(_) => target.package.replace('-', "_"),
        Place::Program(_) => PROGRAM.to_owned(),
        Place::Integration(name, _) => name.to_owned(),
    };
    (target.package.to_owned(), name)
}

/// The binaries of tests that cargo made, from its messages.
fn binaries(root: &Path, messages: &[u8]) -> Binaries {
    let lines = messages.split(|byte| *byte == b'\n');
    let messages = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let tests = messages.filter(|message| message["profile"]["test"] == true);
    let crates = root.join("crates");
    let binary = |message: Value| {
        let manifest = Path::new(message["manifest_path"].as_str()?);
        let package = manifest.parent()?.strip_prefix(&crates).ok()?.to_str()?;
        let name = message["target"]["name"].as_str()?;
        let path = PathBuf::from(message["executable"].as_str()?);
        Some(((package.to_owned(), name.to_owned()), path))
    };
    tests.filter_map(binary).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::targets::TARGETS;

    /// A message of cargo about the binary of a target is found; the others are left out.
    #[test]
    fn binaries_are_known_by_package_and_name() {
        let message = |package: &str, name: &str, test: bool| {
            serde_json::json!({
                "manifest_path": format!("/x/crates/{package}/Cargo.toml"),
                "target": {"name": name},
                "profile": {"test": test},
                "executable": format!("/x/target/{name}-1"),
            })
        };
        let lines = [
            message("babson-lang", "laws", true).to_string(),
            message("babson-cli", "babson", true).to_string(),
            message("babson-vm", "babson_vm", true).to_string(),
            message("babson-pgn", "babson_pgn", false).to_string(),
            "not JSON".to_owned(),
        ];
        let binaries = binaries(Path::new("/x"), lines.join("\n").as_bytes());
        assert_eq!(binaries.len(), 3);
        let target = |name| TARGETS.iter().find(|target| target.name == name).unwrap();
        for (name, path) in [
            ("query_text", "/x/target/laws-1"),
            ("command_lines", "/x/target/babson-1"),
            ("regex_text", "/x/target/babson_vm-1"),
        ] {
            assert_eq!(binaries[&binary_of(target(name))], Path::new(path));
        }
        assert!(!binaries.contains_key(&binary_of(target("pgn_text"))));
    }
}
