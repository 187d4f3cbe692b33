//! What was measured where: the machine, the versions, the games.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use super::measure::Bench;

/// The lines of the list that describes the measurement.
pub(super) fn description(root: &Path, bench: &Bench) -> io::Result<Vec<String>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let cpu = line_after("/proc/cpuinfo", "model name")
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let system = line_after("/etc/os-release", "PRETTY_NAME")
        .unwrap_or_else(|| std::env::consts::OS.to_owned());
    let mut machine = format!("machine: {cpu}, {cores} cores, {system}");
    if let Ok(kernel) = fs::read_to_string("/proc/sys/kernel/osrelease") {
        machine.push_str(&format!(" (kernel {})", kernel.trim()));
    }
    if let Ok(load) = fs::read_to_string("/proc/loadavg") {
        let load: Vec<&str> = load.split(' ').take(3).collect();
        machine.push_str(&format!("; load before the measurement {}", load.join(", ")));
    }
    let version = said(Command::new(&bench.babson).arg("--version"))
        .ok_or_else(|| io::Error::other(format!("{} does not run", bench.babson.display())))?;
    let git = |words: &[&str]| said(Command::new("git").arg("-C").arg(root).args(words));
    let commit = git(&["log", "-1", "--format=%h of %cs"]);
    let mut versions = format!("versions: {version}");
    if let Some(commit) = commit {
        versions.push_str(&format!(", commit {commit}"));
        // The page itself is changed by every measurement.
        let changed = git(&["status", "--porcelain", "--", "*.rs", "*.toml", "*.lalrpop"]);
        if changed.is_some_and(|changed| !changed.is_empty()) {
            versions.push_str(" with changes that are not committed");
        }
    }
    if let Some(rustc) = said(Command::new("rustc").arg("--version")) {
        versions.push_str(&format!("; {rustc}"));
    }
    let games = format!(
        "games: `{}`, {} games, {} bytes",
        bench.pgn_name(),
        bench.games,
        fs::metadata(&bench.pgn)?.len()
    );
    let rounds = format!("rounds: {}, after one to warm up", bench.rounds);
    Ok(vec![machine, versions, games, rounds])
}

/// The first line that a command prints.
fn said(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout);
    Some(text.lines().next().unwrap_or_default().trim().to_owned())
}

/// The value of a key in a file of lines `KEY : VALUE` or `KEY="VALUE"`.
fn line_after(file: &str, key: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    let (_, value) = line.split_once([':', '='])?;
    Some(value.trim().trim_matches('"').to_owned())
}
