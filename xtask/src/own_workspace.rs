//! Crates that are workspaces of their own, which `cargo` at the root leaves out.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools;

/// A crate that is a workspace of its own.
pub(crate) struct OwnWorkspace {
    name: &'static str,
    manifest: PathBuf,
}

impl OwnWorkspace {
    /// The crate with this name.
    pub(crate) fn of(root: &Path, name: &'static str) -> OwnWorkspace {
        OwnWorkspace { name, manifest: root.join("crates").join(name).join("Cargo.toml") }
    }

    /// Checks its format and lints it, with these features.
    ///
    /// # Errors
    /// Something is to be changed.
    pub(crate) fn lint(&self, features: &str) -> io::Result<()> {
        self.run("fmt", &["--check"])?;
        let clippy = ["--locked", "--all-targets", "--features", features, "--", "-D", "warnings"];
        self.run("clippy", &clippy)
    }

    /// Runs a command of cargo, which must succeed.
    pub(crate) fn run(&self, command: &str, options: &[&str]) -> io::Result<()> {
        let status = self.cargo(command, options).status()?;
        match status.success() {
            true => Ok(()),
            false => Err(io::Error::other(format!("cargo {command} of {} failed", self.name))),
        }
    }

    /// A command of cargo.
    pub(crate) fn cargo(&self, command: &str, options: &[&str]) -> Command {
        let mut cargo = tools::cargo();
        cargo.arg(command).arg("--manifest-path").arg(&self.manifest).args(options);
        cargo
    }
}
