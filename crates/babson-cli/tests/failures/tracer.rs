//! Runs a program and lets one of its system calls fail.
//!
//! The program is traced: it stops before and after each system call. The call that is to fail is
//! replaced by one that does not exist, and gets the error in place of its result. So a call fails
//! whoever makes it, also a library, and the program under test has no code for it.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use nix::libc;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

/// The kinds of calls that fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// A file is opened or created.
    Open,
    Read,
    Write,
    /// What was written is brought to the disk.
    Flush,
    Rename,
    /// A file gets a second name.
    Link,
    /// A file is mapped into memory.
    Map,
    /// A thread is started.
    Thread,
    /// A question about a file: its length, its kind.
    Stat,
    /// A folder is made.
    Folder,
    /// The names in a folder are read.
    List,
    /// A place in a file is sought.
    Seek,
    /// A file is cut.
    Truncate,
    /// The access to a file is changed.
    Access,
    Lock,
}

impl Call {
    pub(crate) const ALL: [Call; 15] = [
        Call::Open,
        Call::Read,
        Call::Write,
        Call::Flush,
        Call::Rename,
        Call::Link,
        Call::Map,
        Call::Thread,
        Call::Stat,
        Call::Folder,
        Call::List,
        Call::Seek,
        Call::Truncate,
        Call::Access,
        Call::Lock,
    ];

    /// The error that the call gets.
    fn errno(self) -> i32 {
        match self {
            Call::Write | Call::Folder => libc::ENOSPC,
            Call::Map => libc::ENOMEM,
            Call::Thread => libc::EAGAIN,
            Call::Lock => libc::ENOLCK,
            Call::Open
            | Call::Read
            | Call::Flush
            | Call::Rename
            | Call::Link
            | Call::Stat
            | Call::List
            | Call::Seek
            | Call::Truncate
            | Call::Access => libc::EIO,
        }
    }
}

/// The call that fails: the one of this kind with this number, from 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failure {
    pub(crate) call: Call,
    pub(crate) number: usize,
}

/// How a traced program ended.
pub(crate) struct Traced {
    pub(crate) status: ExitStatus,
    /// The call that failed, with the file that it was about.
    pub(crate) failed: Option<String>,
}

/// Runs a command in a folder. It counts only calls that start threads, that are about a file of
/// the folder or that write to standard output.
pub(crate) fn run(
    command: &mut Command,
    folder: &Path,
    failure: Option<Failure>,
) -> io::Result<Traced> {
    // SAFETY: the call is async-signal-safe and touches no memory of the process.
    unsafe { command.pre_exec(|| ptrace::traceme().map_err(io::Error::from)) };
    let child = Pid::from_raw(command.spawn()?.id().cast_signed());
    waitpid(child, None)?;
    ptrace::setoptions(
        child,
        Options::PTRACE_O_TRACESYSGOOD | Options::PTRACE_O_TRACECLONE | Options::PTRACE_O_EXITKILL,
    )?;
    let folder = folder.canonicalize()?;
    let mut tracer = Tracer { folder, failure, seen: 0, failed: None, threads: HashMap::new() };
    ptrace::syscall(child, None)?;
    let flags = WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD;
    loop {
        let signal = match waitpid(None, Some(flags))? {
            WaitStatus::Exited(pid, code) if pid == child => {
                let status = ExitStatus::from_raw(code << 8);
                return Ok(Traced { status, failed: tracer.failed });
            }
            WaitStatus::Signaled(pid, signal, _) if pid == child => {
                let status = ExitStatus::from_raw(signal as i32);
                return Ok(Traced { status, failed: tracer.failed });
            }
            WaitStatus::PtraceSyscall(pid) => {
                tracer.stopped(pid)?;
                ptrace::syscall(pid, None)?;
                continue;
            }
            WaitStatus::PtraceEvent(pid, _, _) => (pid, None),
            // A new thread begins so.
            WaitStatus::Stopped(pid, Signal::SIGSTOP) => (pid, None),
            WaitStatus::Stopped(pid, signal) => (pid, Some(signal)),
            WaitStatus::Exited(..)
            | WaitStatus::Signaled(..)
            | WaitStatus::Continued(_)
            | WaitStatus::StillAlive => continue,
        };
        // A thread may be gone already when the process ends.
        let _ = ptrace::syscall(signal.0, signal.1);
    }
}

struct Tracer {
    folder: PathBuf,
    failure: Option<Failure>,
    /// How many calls of the kind there were.
    seen: usize,
    failed: Option<String>,
    /// The threads that are in a call, and the error that it gets.
    threads: HashMap<Pid, Option<i32>>,
}

impl Tracer {
    /// A thread has stopped before or after a call.
    fn stopped(&mut self, pid: Pid) -> io::Result<()> {
        let Ok(mut registers) = ptrace::getregs(pid) else { return Ok(()) };
        if let Some(error) = self.threads.remove(&pid) {
            if let Some(error) = error {
                registers.rax = i64::from(-error).cast_unsigned();
                ptrace::setregs(pid, registers)?;
            }
            return Ok(());
        }
        let error = self.failing(pid, &registers);
        if error.is_some() {
            registers.orig_rax = u64::MAX;
            ptrace::setregs(pid, registers)?;
        }
        self.threads.insert(pid, error);
        Ok(())
    }

    /// The error of the call that begins, if it is the one that fails.
    fn failing(&mut self, pid: Pid, registers: &libc::user_regs_struct) -> Option<i32> {
        let failure = self.failure?;
        let (call, subject) = subject(pid, registers)?;
        if call != failure.call || !self.is_ours(&subject) {
            return None;
        }
        self.seen += 1;
        if self.seen != failure.number {
            return None;
        }
        self.failed = Some(format!("{call:?} {subject}"));
        Some(call.errno())
    }

    fn is_ours(&self, subject: &str) -> bool {
        !subject.starts_with('/') || Path::new(subject).starts_with(&self.folder)
    }
}

/// The kind of a call, and the file that it is about: a path, absolute or relative to the folder of
/// the process. `None` for calls that do not fail here.
fn subject(pid: Pid, registers: &libc::user_regs_struct) -> Option<(Call, String)> {
    let (first, second) = (registers.rdi, registers.rsi);
    let file = |descriptor: u64| -> Option<String> {
        if descriptor == 1 {
            return Some("standard output".to_owned());
        }
        let link = fs::read_link(format!("/proc/{pid}/fd/{descriptor}")).ok()?;
        let link = link.to_string_lossy().into_owned();
        link.starts_with('/').then_some(link)
    };
    // A path that is relative to an open folder is relative to the folder of the process here, too.
    let path = |address: u64| read_text(pid, address);
    let number = i64::try_from(registers.orig_rax).ok()?;
    Some(match number {
        libc::SYS_openat => (Call::Open, path(second)?),
        libc::SYS_open | libc::SYS_creat => (Call::Open, path(first)?),
        libc::SYS_read | libc::SYS_pread64 | libc::SYS_readv | libc::SYS_copy_file_range => {
            (Call::Read, file(first)?)
        }
        libc::SYS_write | libc::SYS_pwrite64 | libc::SYS_writev => (Call::Write, file(first)?),
        libc::SYS_fsync | libc::SYS_fdatasync => (Call::Flush, file(first)?),
        libc::SYS_rename => (Call::Rename, path(first)?),
        libc::SYS_renameat | libc::SYS_renameat2 => (Call::Rename, path(second)?),
        libc::SYS_link => (Call::Link, path(first)?),
        libc::SYS_linkat => (Call::Link, path(second)?),
        libc::SYS_mmap => (Call::Map, file(u64::from(u32::try_from(registers.r8).ok()?))?),
        libc::SYS_clone | libc::SYS_clone3 => (Call::Thread, "a thread".to_owned()),
        libc::SYS_stat | libc::SYS_lstat => (Call::Stat, path(first)?),
        libc::SYS_statx | libc::SYS_newfstatat => match path(second)? {
            text if text.is_empty() => (Call::Stat, file(first)?),
            text => (Call::Stat, text),
        },
        libc::SYS_fstat => (Call::Stat, file(first)?),
        libc::SYS_mkdir => (Call::Folder, path(first)?),
        libc::SYS_mkdirat => (Call::Folder, path(second)?),
        libc::SYS_getdents64 => (Call::List, file(first)?),
        libc::SYS_lseek => (Call::Seek, file(first)?),
        libc::SYS_ftruncate => (Call::Truncate, file(first)?),
        libc::SYS_chmod | libc::SYS_chown => (Call::Access, path(first)?),
        libc::SYS_fchmod | libc::SYS_fchown => (Call::Access, file(first)?),
        libc::SYS_fchmodat | libc::SYS_fchownat => (Call::Access, path(second)?),
        libc::SYS_flock => (Call::Lock, file(first)?),
        _ => return None,
    })
}

/// The text at an address of a process, up to its zero.
fn read_text(pid: Pid, address: u64) -> Option<String> {
    let memory = File::open(format!("/proc/{pid}/mem")).ok()?;
    let mut text = Vec::new();
    loop {
        // A read may not go over the end of a page.
        let at = address + text.len() as u64;
        let mut page = vec![0; 4096 - (at % 4096) as usize];
        let read = memory.read_at(&mut page, at).ok().filter(|read| *read > 0)?;
        match page[..read].iter().position(|byte| *byte == 0) {
            Some(end) => {
                text.extend_from_slice(&page[..end]);
                return Some(String::from_utf8_lossy(&text).into_owned());
            }
            None => text.extend_from_slice(&page[..read]),
        }
    }
}
