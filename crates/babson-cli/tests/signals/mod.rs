//! Signals that end a command.

/// Those that the command does not ignore: a test run in the background of a shell script inherits
/// that interrupts are ignored, and the command keeps it so.
pub(crate) fn heeded(signals: &[(&'static str, i32)]) -> Vec<(&'static str, i32)> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0);
    let heeded = signals.iter().copied();
    heeded.filter(|&(_, number)| ignored >> (number - 1) & 1 == 0).collect()
}
