//! Ctrl-C and the like end the command and leave no half-written file behind.

/// Watches for the signals that end a command: removes what is unfinished, then ends as if nobody
/// had watched, so that a shell sees which signal it was.
#[cfg(unix)]
pub(crate) fn watch() {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::{
        SIGALRM, SIGBUS, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM,
        SIGXCPU, SIGXFSZ,
    };

    // A file that has reached the limit of its size is then an error of writing, as a full disk is.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    let ending =
        [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGXCPU];
    let mut watched: Vec<i32> = ending.into_iter().filter(|&signal| !is_ignored(signal)).collect();
    // A mapped input that somebody has cut.
    watched.push(SIGBUS);
    // Without the watch everything works, but for the tidying.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(watched) else {
        return;
    };
    // SAFETY: the action only sleeps, which a signal handler may. It keeps the thread that came
    // upon the cut file, and would come upon it again, from going on until the thread below has
    // tidied up.
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
                let message = "cannot read an input: it was cut short while it was read";
                let failure = crate::failure::Failure::Io(message.to_owned());
                crate::tell(&failure);
                std::process::exit(i32::from(failure.code()));
            }
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
