//! `cargo xtask bench-table`: the workloads and the peers, side by side.

use std::env;
use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds the release command and says where it lies.
pub(crate) fn release_binary(root: &Path) -> io::Result<PathBuf> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .current_dir(root)
        .args(["build", "--release", "-p", "babson-cli"])
        .status()?;
    if !status.success() {
        return Err(Error::other("the release build failed"));
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(root.join(target).join("release/babson"))
}

/// Runs `benches/peers/run.sh` on `pgn`, which measures everything in one run and prints the table.
pub(crate) fn run(root: &Path, pgn: &str, rounds: &str) -> io::Result<()> {
    let binary = release_binary(root)?;
    let pgn = env::current_dir()?.join(pgn);
    let status = Command::new("bash")
        .arg(root.join("benches/peers/run.sh"))
        .arg(pgn)
        .arg(rounds)
        .env("BABSON", binary)
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(Error::other("benches/peers/run.sh reported a missed bound or failed"))
    }
}
