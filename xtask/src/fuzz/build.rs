//! The tests, built for libfuzzer.

use std::collections::HashMap;
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::targets::{Place, Target};

/// What tells the crate bolero and our own code which engine is in use, and counts the edges of the
/// code that an input reaches. `cargo bolero test` sets the same.
const FLAGS: &str = "--cfg fuzzing --cfg fuzzing_libfuzzer -Cpasses=sancov-module \
                     -Cllvm-args=-sanitizer-coverage-level=4 \
                     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
                     -Cllvm-args=-sanitizer-coverage-pc-table \
                     -Cllvm-args=-sanitizer-coverage-trace-compares";

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

/// Builds the tests of these targets. Returns the binaries by package and place.
pub(super) fn tests(
    root: &Path,
    targets: &[Target],
) -> io::Result<HashMap<(String, String), PathBuf>> {
    let host = host()?;
    let mut binaries = HashMap::new();
    for target in targets {
        let (kind, name) = binary_of(target);
        if binaries.contains_key(&(target.package.to_owned(), name.to_owned())) {
            continue;
        }
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        command.args(["test", "--no-run", "--locked", "--profile", "fuzz", "--target", &host]);
        command.args(["--message-format=json-render-diagnostics", "--package", target.package]);
        command.args(kind).arg("--target-dir").arg(folder(root).join("build"));
        command.env("RUSTFLAGS", FLAGS).env("BOLERO_FUZZER", "libfuzzer").current_dir(root);
        let output = command.stderr(Stdio::inherit()).output()?;
        if !output.status.success() {
            return Err(Error::other(format!("{}: cargo test {}", target.name, output.status)));
        }
        let path = executable(&output.stdout)
            .ok_or_else(|| Error::other(format!("{}: cargo made no test", target.name)))?;
        binaries.insert((target.package.to_owned(), name.to_owned()), path);
    }
    Ok(binaries)
}

/// The words of cargo that choose the binary of a target, and a name for it.
pub(super) fn binary_of(target: &Target) -> (Vec<&'static str>, &'static str) {
    match target.place {
        Place::Unit(_) => (vec!["--lib"], "lib"),
        Place::Program(_) => (vec!["--bin", "babson"], "bin"),
        Place::Integration(name, _) => (vec!["--test", name], name),
    }
}

/// The test that cargo made, from its messages.
fn executable(messages: &[u8]) -> Option<PathBuf> {
    let lines = messages.split(|byte| *byte == b'\n');
    let messages = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let tests = messages.filter(|message| message["profile"]["test"] == true);
    tests.filter_map(|message| message["executable"].as_str().map(PathBuf::from)).next_back()
}

/// The platform of this machine: flags for it do not apply to build scripts.
fn host() -> io::Result<String> {
    let output = Command::new("rustc").arg("-vV").output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Error::other("rustc does not say its host"))
}
