//! Files that are truncated while they are mapped.
//!
//! If somebody truncates the file of a database, the system sends SIGBUS to the thread that reads a
//! page that is gone. The default action ends the process, and with it the searches of all others.
//! Here the page becomes a page of zeros. The search then sees that its file has changed, and its
//! answer says so.
//!
//! A crate for signals would also call the handler that the standard library has for the overflow
//! of a stack, which puts the default action back when the address is not in a stack. So the
//! handler here stands alone, and that one gets what is not the page of a file.

use std::ffi::{c_int, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;

use libc::{BUS_ADRERR, SA_ONSTACK, SA_SIGINFO, SIGBUS, sigaction, sigemptyset, siginfo_t};
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};

/// What the handler reads.
struct Registration {
    page_size: usize,
    /// The action before.
    previous: sigaction,
}

/// Set before the handler is.
static REGISTRATION: OnceLock<Registration> = OnceLock::new();

/// Lets the process survive that a mapped file is truncated. Later calls do nothing.
///
/// # Errors
/// The system does not take the handler.
pub(crate) fn survive() -> io::Result<()> {
    let mut previous = MaybeUninit::<sigaction>::uninit();
    // SAFETY: without a new action, the call only writes the action that there is.
    let read = unsafe { libc::sigaction(SIGBUS, ptr::null(), previous.as_mut_ptr()) };
    if read != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call has written it.
    let previous = unsafe { previous.assume_init() };
    let page_size = rustix::param::page_size();
    if REGISTRATION.set(Registration { page_size, previous }).is_err() {
        return Ok(());
    }
    // SAFETY: all bytes of the type may be zero.
    let mut action: sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
    action.sa_sigaction = handle as *const () as usize;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    // SAFETY: the mask is a part of the value above.
    unsafe { sigemptyset(&raw mut action.sa_mask) };
    // SAFETY: the handler makes two system calls at most and reads what was set before, which is
    // async-signal-safe.
    match unsafe { libc::sigaction(SIGBUS, &raw const action, ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Handles SIGBUS.
extern "C" fn handle(_signal: c_int, info: *mut siginfo_t, _context: *mut c_void) {
    let Some(Registration { page_size, previous }) = REGISTRATION.get() else { return };
    // SAFETY: the system hands in what it knows of the signal, and for SIGBUS the address.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr()) };
    if code == BUS_ADRERR && replace(address, *page_size) {
        return;
    }
    // The access fails again, and the action before sees it.
    // SAFETY: the action was in place before.
    unsafe { libc::sigaction(SIGBUS, previous, ptr::null_mut()) };
}

/// Puts a page of zeros at the page of an address. Returns whether there is one now.
fn replace(address: *mut c_void, page_size: usize) -> bool {
    let offset = address.addr() & (page_size - 1);
    let page = address.wrapping_byte_sub(offset);
    let flags = MapFlags::PRIVATE | MapFlags::FIXED;
    // SAFETY: the page is mapped to a part of a file that does not exist any more, so no memory is
    // lost. Whoever reads the bytes of a mapped file accepts any bytes: see the mapping of files in
    // `babson-input`.
    let mapped = unsafe { mmap_anonymous(page, page_size, ProtFlags::READ, flags) };
    mapped.is_ok_and(|mapped| ptr::eq(mapped, page))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use rustix::mm::mmap;

    use super::*;

    /// Several pages: the handler has to stay in place after the first one.
    #[test]
    fn pages_that_are_gone_are_zeros() {
        survive().unwrap();
        survive().unwrap();
        let page_size = rustix::param::page_size();
        let length = 4 * page_size;
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&vec![7; length]).unwrap();
        // SAFETY: the mapping is new, and nothing else uses its memory.
        let map =
            unsafe { mmap(ptr::null_mut(), length, ProtFlags::READ, MapFlags::SHARED, &file, 0) };
        let map: *const u8 = map.unwrap().cast();
        // SAFETY: the address is within the mapping, whose pages are of the file, or of zeros.
        let read = |at: usize| unsafe { ptr::read_volatile(map.wrapping_add(at)) };
        assert_eq!(read(page_size), 7);
        file.set_len(page_size as u64).unwrap();
        let bytes = [0, page_size, 3 * page_size - 1, length - 1].map(read);
        assert_eq!(bytes, [7, 0, 0, 0]);
    }
}
