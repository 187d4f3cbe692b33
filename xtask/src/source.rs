//! The commit that the working tree is at, and copies of it.

use std::io::{self, Error};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools::run;

/// Runs git and returns what it prints.
///
/// # Errors
/// There is no git, or it fails.
pub(crate) fn git(root: &Path, options: &[&str]) -> io::Result<String> {
    let output = Command::new("git").args(options).current_dir(root).output();
    let output = output.map_err(|error| Error::other(format!("git: {error}")))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        false => {
            let told = String::from_utf8_lossy(&output.stderr);
            Err(Error::other(format!("git {}: {}", options.join(" "), told.trim())))
        }
    }
}

/// The commit that the working tree is at.
///
/// # Errors
/// As [`git`].
pub(crate) fn commit(root: &Path) -> io::Result<String> {
    git(root, &["rev-parse", "HEAD"])
}

/// Whether files have changes that no commit has.
///
/// # Errors
/// As [`git`].
pub(crate) fn has_changes(root: &Path) -> io::Result<bool> {
    Ok(!git(root, &["status", "--porcelain"])?.is_empty())
}

/// The time of the commit in seconds since 1970. What is built from it has this time, as the
/// environment variable `SOURCE_DATE_EPOCH` of <https://reproducible-builds.org> says.
///
/// # Errors
/// As [`git`].
pub(crate) fn time(root: &Path) -> io::Result<u64> {
    let text = git(root, &["log", "-1", "--format=%ct"])?;
    text.parse().map_err(|_| Error::other(format!("git gives the time {text:?} of the commit")))
}

/// A copy of the commit in a folder of its own. The folder goes when the value is dropped.
pub(crate) struct Checkout(tempfile::TempDir);

impl Checkout {
    /// Copies the commit that the working tree is at, without changes that no commit has.
    ///
    /// # Errors
    /// As [`git`].
    pub(crate) fn of(root: &Path) -> io::Result<Checkout> {
        let folder = tempfile::tempdir()?;
        let mut clone = Command::new("git");
        clone.args(["clone", "--quiet", "--shared"]).arg(root).arg(folder.path().join("babson"));
        run(&mut clone)?;
        Ok(Checkout(folder))
    }

    /// The root of the copy.
    pub(crate) fn root(&self) -> PathBuf {
        self.0.path().join("babson")
    }

    /// A folder beside the copy, for what is built of it.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}
