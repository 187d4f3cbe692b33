//! Whether standard output was open when the process began.
//!
//! On Unix the standard library opens `/dev/null` in place of a closed stream before `main`, and
//! ignores that a stream cannot be written to. So results would be lost without a word:
//! `babson … >&-`.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether standard output was open for writing.
static STDOUT_IS_OPEN: AtomicBool = AtomicBool::new(true);

/// Whether standard output can be written to.
pub(crate) fn stdout_is_open() -> bool {
    #[cfg(windows)]
    {
        use std::os::windows::io::AsRawHandle as _;
        if std::io::stdout().as_raw_handle().is_null() {
            return false;
        }
    }
    STDOUT_IS_OPEN.load(Ordering::Relaxed)
}

/// Looks at standard output as the process was given it.
#[cfg(unix)]
extern "C" fn look() {
    let flags = rustix::fs::fcntl_getfl(rustix::stdio::stdout());
    // A pipe, a file or a terminal that is open only for reading takes nothing either.
    let is_open = flags.is_ok_and(|flags| flags & rustix::fs::OFlags::RWMODE != READ_ONLY);
    STDOUT_IS_OPEN.store(is_open, Ordering::Relaxed);
}

#[cfg(unix)]
const READ_ONLY: rustix::fs::OFlags = rustix::fs::OFlags::RDONLY;

/// The loader calls [`look`] before `main`, and so before the standard library opens `/dev/null`.
// SAFETY: the section is a list of functions with the C calling convention, and the loader calls
// each once. `look` makes one system call and stores its result: it needs nothing that `main` sets
// up.
#[cfg(unix)]
#[used]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static LOOK: extern "C" fn() = look;
