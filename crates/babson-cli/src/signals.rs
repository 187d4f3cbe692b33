//! Ctrl-C and the like end the command and leave no half-written file behind.

/// Watches for the signals that end a command: removes what is unfinished, then ends as if nobody
/// had watched, so that a shell sees which signal it was.
#[cfg(unix)]
pub(crate) fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let watched: Vec<i32> = [SIGINT, SIGTERM, SIGHUP]
        .into_iter()
        .filter(|&signal| !is_ignored(signal))
        .collect();
    // Without the watch everything works, but for the tidying.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(watched) else {
        return;
    };
    let _ = std::thread::Builder::new().spawn(move || {
        if let Some(signal) = signals.forever().next() {
            babson_engine::abandon_outputs();
            babson_engine::kill_pipes();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
            std::process::exit(128 + signal);
        }
    });
}

/// Whether whoever started us had the signal ignored, as `nohup` does and shells do for what runs
/// in the background: that is to stay so. Only Linux tells without unsafe code.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Elsewhere a temporary file may stay, under a name that says so.
#[cfg(not(unix))]
pub(crate) fn watch() {}
