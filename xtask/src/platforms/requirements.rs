//! What a check of a platform takes.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::qemu;
use super::targets::{Platform, Runner, Work};
use crate::tools::{find_program, output};

/// What this machine lacks for a platform, and how to install it. `None` if it lacks nothing.
pub(super) fn missing(root: &Path, platform: &Platform) -> io::Result<Option<String>> {
    let mut missing = Vec::new();
    for (program, package) in platform.tools {
        if find_program(&[program]).is_none() {
            missing.push(format!("there is no {program}: apt-get install {package}"));
        }
    }
    if let Some(triple) = platform.triple
        && !has_standard_library(triple)?
    {
        missing.push(format!("Rust has no library for {triple}: rustup target add {triple}"));
    }
    if let Work::Tests(tests) = &platform.work
        && let Some(Runner::Qemu { program, .. }) = tests.runner
        && missing.is_empty()
    {
        missing.extend(qemu::missing(&super::folder(root), program)?);
    }
    if let Work::CheckWithOldestRust = platform.work {
        let version = oldest_rust(root)?;
        if !has_toolchain(&version) {
            missing.push(format!(
                "there is no Rust {version}: rustup toolchain install {version} --profile minimal"
            ));
        }
    }
    Ok((!missing.is_empty()).then(|| missing.join("; ")))
}

/// Whether the toolchain of this workspace can build programs for a platform.
fn has_standard_library(triple: &str) -> io::Result<bool> {
    let mut rustc = Command::new("rustc");
    let folder = output(rustc.args(["--print", "target-libdir", "--target", triple]))?;
    Ok(PathBuf::from(folder.trim()).is_dir())
}

fn has_toolchain(version: &str) -> bool {
    let mut command = Command::new("rustup");
    command.args(["run", version, "rustc", "--version"]);
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// The `rust-version` of the workspace.
pub(super) fn oldest_rust(root: &Path) -> io::Result<String> {
    let path = root.join("Cargo.toml");
    let text = std::fs::read_to_string(&path).map_err(|error| crate::about(&path, &error))?;
    let manifest: toml::Table = text.parse().map_err(io::Error::other)?;
    let version = manifest["workspace"]["package"]["rust-version"].as_str();
    version
        .map(str::to_owned)
        .ok_or_else(|| io::Error::other(format!("{} has no rust-version", path.display())))
}
