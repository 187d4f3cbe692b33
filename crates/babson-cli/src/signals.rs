//! Signals such as Ctrl-C end the command without leaving temporary files or programs behind.

use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};

use babson::Input;
use babson::files::{CleanupError, Ledger};
use babson::host::SystemHost;

use crate::show_name::ShowName as _;

/// What a signal has to undo. The command runs one scan, so it has one of each.
#[derive(Debug)]
pub(crate) struct SystemHandles {
    pub(crate) host: SystemHost,
    /// The unfinished outputs.
    pub(crate) ledger: Ledger,
}

/// The handles of the command, for the code that uses them and for the thread of the signals.
pub(crate) fn system() -> &'static SystemHandles {
    static HANDLES: LazyLock<SystemHandles> =
        LazyLock::new(|| SystemHandles { host: SystemHost::new(), ledger: Ledger::default() });
    &HANDLES
}

/// The input files of the search, each with its name in messages and its length in bytes when the
/// search began.
static INPUTS: OnceLock<Vec<(PathBuf, String, u64)>> = OnceLock::new();

/// Records the inputs of the search, so that the message of a truncated one can name it.
pub(crate) fn record_inputs(inputs: &[Input]) {
    let lengths = inputs.iter().filter_map(|input| match input {
        Input::File(path) => Some((path.clone(), input.name().shown(), input.size()?)),
        Input::Stdin | Input::Bytes { .. } | Input::Reader(_) | Input::Member(_) | _ => None,
    });
    let _ = INPUTS.set(lengths.collect());
}

/// The folder of `--resume`, which keeps what is found until an interruption.
static KEPT: OnceLock<PathBuf> = OnceLock::new();

/// Records the folder of `--resume`, so that an interruption can name it.
pub(crate) fn record_kept(folder: &Path) {
    let _ = KEPT.set(folder.to_owned());
}

/// Says that an interrupted search can go on, if it can.
fn report_kept() {
    if let Some(folder) = KEPT.get() {
        crate::terminal::error_line(&format!(
            "babson: interrupted; the same command goes on with what {} keeps",
            folder.shown()
        ));
    }
}

/// The message for a mapped input that was truncated, in the words of
/// [`InputError::Changed`](babson::files::InputError::Changed).
#[cfg(unix)]
fn truncation() -> String {
    let files = INPUTS.get().map(Vec::as_slice).unwrap_or_default();
    let truncated = files.iter().find_map(|(path, name, before)| {
        let now = std::fs::metadata(path).ok()?.len();
        (now < *before).then_some((name, before, now))
    });
    let (name, change) = match truncated {
        Some((name, before, now)) => {
            (name.as_str(), format!("it had {before} bytes, now it has {now}"))
        }
        // Another file has its name now, or the device does not return its bytes.
        None => ("an input", "its bytes are no longer there".to_owned()),
    };
    format!(
        "cannot read {name}: it was changed while it was read ({change}); no output file is written"
    )
}

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
            let handles = system();
            let mut outputs = handles.ledger.abandon();
            let _children = handles.host.kill_children();
            outputs.cleanup_errors().iter().for_each(report_cleanup_error);
            if signal == SIGBUS {
                let failure = crate::failure::Failure::Io(truncation());
                crate::terminal::report_failure(&failure);
                std::process::exit(i32::from(failure.code()));
            }
            report_kept();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
            std::process::exit(128 + signal);
        }
    });
}

/// Reports a file that could not be removed or restored.
fn report_cleanup_error(error: &CleanupError) {
    crate::terminal::error_line(&format!("babson: {error}"));
}

/// Reports the files of the run that could not be removed or restored.
pub(crate) fn report_cleanup_errors() {
    system().ledger.cleanup_errors().iter().for_each(report_cleanup_error);
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

/// Handles Ctrl-C and Ctrl-Break: removes unfinished files, then ends the process with the code of
/// a program that was interrupted.
#[cfg(windows)]
pub(crate) fn watch() {
    // The code that Windows gives a process that does not handle Ctrl-C.
    const STATUS_CONTROL_C_EXIT: u32 = 0xC000_013A;
    // Without a handler, only the removal of unfinished files is lost.
    let _ = ctrlc::set_handler(|| {
        let handles = system();
        let mut outputs = handles.ledger.abandon();
        let _children = handles.host.kill_children();
        outputs.cleanup_errors().iter().for_each(report_cleanup_error);
        report_kept();
        std::process::exit(STATUS_CONTROL_C_EXIT.cast_signed());
    });
}

/// On other systems an unfinished file may be left behind.
#[cfg(not(any(unix, windows)))]
pub(crate) fn watch() {}
