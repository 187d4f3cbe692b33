//! Programs that a task runs and that may be missing.

use std::io::{self, Error};
use std::process::Command;

/// The tool, if it is there. Otherwise it says why not; with `CI=true` that is an error.
pub(crate) fn available<T>(tool: Result<T, String>) -> io::Result<Option<T>> {
    match tool {
        Ok(tool) => Ok(Some(tool)),
        Err(reason) if std::env::var_os("CI").is_some_and(|value| value == "true") => {
            Err(Error::other(reason))
        }
        Err(reason) => {
            println!("skipped: {reason}");
            Ok(None)
        }
    }
}

/// Runs a command, which must succeed.
pub(crate) fn run(command: &mut Command) -> io::Result<()> {
    let shown = command.get_program().display().to_string();
    let status = command.status().map_err(|error| Error::other(format!("{shown}: {error}")))?;
    if status.success() { Ok(()) } else { Err(Error::other(format!("{shown}: {status}"))) }
}
