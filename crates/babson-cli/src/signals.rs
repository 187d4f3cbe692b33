//! Signals such as Ctrl-C end the command without leaving temporary files behind.

/// Handles the signals that end a process: removes unfinished files, then ends the process with the
/// default action, so that a shell sees the signal.
#[cfg(unix)]
pub(crate) fn watch() {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::{
        SIGALRM, SIGBUS, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM,
        SIGXCPU, SIGXFSZ,
    };

    // With SIGXFSZ ignored, a file that reaches the size limit fails to write, as on a full disk.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    let ending =
        [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGXCPU];
    let mut watched: Vec<i32> = ending.into_iter().filter(|&signal| !is_ignored(signal)).collect();
    // Raised when a mapped input has been truncated.
    watched.push(SIGBUS);
    // Without handlers, only the removal of unfinished files is lost.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(watched) else {
        return;
    };
    // SAFETY: the action only sleeps, which is async-signal-safe. It stops the thread that accessed
    // the truncated file, which would otherwise raise the signal again, until the thread below has
    // removed the unfinished files.
    let _ = unsafe {
        signal_hook::low_level::register(SIGBUS, || {
            loop {
                std::thread::sleep(std::time::Duration::from_secs(1));
            }
        })
    };
    let _ = std::thread::Builder::new().spawn(move || {
        if let Some(signal) = signals.forever().next() {
            babson_engine::abandon_outputs();
            babson_engine::kill_pipes();
            if signal == SIGBUS {
                let message = "cannot read an input: it was truncated while it was read";
                let failure = crate::failure::Failure::Io(message.to_owned());
                crate::terminal::report_failure(&failure);
                std::process::exit(i32::from(failure.code()));
            }
            let _ = signal_hook::low_level::emulate_default_handler(signal);
            std::process::exit(128 + signal);
        }
    });
}

/// Whether the signal was ignored when the process was started, as by `nohup` or for a background
/// job of a shell. It stays ignored. Only on Linux can this be read without unsafe code.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// On other systems a temporary file may be left behind.
#[cfg(not(unix))]
pub(crate) fn watch() {}
