//! `check-datafusion`: the tests of `crates/babson-datafusion`, which is a workspace of its own.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, io};

use crate::own_workspace::OwnWorkspace;

/// The minor version of Rust 1 that DataFusion needs.
const RUST: u32 = 94;

/// Checks the format, lints and tests the crate and its example program. What is missing for it is
/// an error where the variable `CI` is `true`; elsewhere a line says why nothing was tested.
pub(crate) fn check(root: &Path) -> io::Result<()> {
    let workspace = OwnWorkspace::of(root, "babson-datafusion");
    if let Some(reason) = missing(&workspace) {
        return match env::var("CI").as_deref() == Ok("true") {
            true => Err(io::Error::other(reason)),
            false => {
                println!("skipped: {reason}");
                Ok(())
            }
        };
    }
    workspace.lint("")?;
    workspace.run("test", &["--locked"])
}

/// What is missing to build the crate, if anything is.
fn missing(workspace: &OwnWorkspace) -> Option<String> {
    let version = Command::new("rustc").arg("--version").output();
    let version = version.ok().filter(|output| output.status.success());
    let Some(version) = version else { return Some("rustc cannot be run".to_owned()) };
    let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
    if !is_enough(&version) {
        return Some(format!("DataFusion needs Rust 1.{RUST} or later, this is {version}"));
    }
    let fetched = workspace.cargo("fetch", &["--locked"]).stderr(Stdio::null()).status();
    match fetched.is_ok_and(|status| status.success()) {
        true => None,
        false => Some("the crates that DataFusion needs cannot be fetched".to_owned()),
    }
}

/// Whether a version, as rustc prints it, is one that DataFusion needs or a later one.
fn is_enough(version: &str) -> bool {
    let number = version.split_whitespace().nth(1).unwrap_or_default();
    let mut parts = number.split('.').map(|part| part.parse::<u32>().ok());
    match (parts.next().flatten(), parts.next().flatten()) {
        (Some(1), Some(minor)) => minor >= RUST,
        (Some(major), Some(_)) => major > 1,
        (_, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_enough;

    #[test]
    fn versions_of_rust() {
        for (version, expected) in [
            ("rustc 1.95.0 (59807616e 2026-04-14)", true),
            ("rustc 1.94.0", true),
            ("rustc 1.93.1 (0000 2026-01-01)", false),
            ("rustc 2.0.0", true),
            ("rustc", false),
            ("", false),
        ] {
            assert_eq!(is_enough(version), expected, "{version}");
        }
    }
}
