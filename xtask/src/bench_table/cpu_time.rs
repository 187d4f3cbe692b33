//! The processor time of child processes.

use std::io;

/// Seconds that the child processes which have ended spent in user and system mode.
///
/// # Errors
/// The system does not tell.
#[cfg(unix)]
pub(super) fn of_children() -> io::Result<f64> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let microseconds = (usage.user_time() + usage.system_time()).num_microseconds();
    Ok(microseconds as f64 / 1e6)
}

#[cfg(not(unix))]
pub(super) fn of_children() -> io::Result<f64> {
    Err(io::Error::other("bench-table measures processor time as Unix has it"))
}
