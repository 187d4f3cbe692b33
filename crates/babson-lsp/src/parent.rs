//! Whether the process that started the server still runs.

/// Returns false if the process of this number is known to be gone.
#[cfg(unix)]
pub(crate) fn is_alive(process: u32) -> bool {
    let Some(process) = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw) else {
        return true;
    };
    // The process may belong to somebody else: then it exists.
    rustix::process::test_kill_process(process) != Err(rustix::io::Errno::SRCH)
}

/// Returns true: only standard input tells.
#[cfg(not(unix))]
pub(crate) fn is_alive(_: u32) -> bool {
    true
}
