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
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::libc;
use nix::sys::ptrace::{self, Options};
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use rustix::process::{PidfdFlags, Signal as KillSignal, pidfd_open, pidfd_send_signal};

/// How long a run may take. It takes less than a second, so one that takes this long hangs.
const MAX_TIME: Duration = Duration::from_secs(180);

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
    /// The target of a symbolic link is read.
    ReadLink,
    /// A name of a file is removed, or a folder.
    Remove,
    /// A file is mapped into memory.
    Map,
    /// A thread is started.
    Thread,
    /// A program is started.
    Spawn,
    /// A pipe is made.
    Pipe,
    /// A question about a file: its length, its kind.
    Stat,
    /// A folder is made.
    Folder,
    /// The names in a folder are read.
    List,
    /// A place in a file is sought.
    Seek,
    /// The access to a file is changed.
    Access,
    Lock,
}

impl Call {
    pub(crate) const ALL: [Call; 18] = [
        Call::Open,
        Call::Read,
        Call::Write,
        Call::Flush,
        Call::Rename,
        Call::Link,
        Call::ReadLink,
        Call::Remove,
        Call::Map,
        Call::Thread,
        Call::Spawn,
        Call::Pipe,
        Call::Stat,
        Call::Folder,
        Call::List,
        Call::Seek,
        Call::Access,
        Call::Lock,
    ];

    /// The kinds of calls that a signal can interrupt.
    pub(crate) const SLOW: [Call; 5] =
        [Call::Open, Call::Read, Call::Write, Call::Flush, Call::Lock];

    /// The error that the call gets.
    fn errno(self) -> Errno {
        match self {
            Call::Write | Call::Folder => Errno::ENOSPC,
            Call::Map => Errno::ENOMEM,
            Call::Thread | Call::Spawn => Errno::EAGAIN,
            Call::Pipe => Errno::EMFILE,
            Call::Lock => Errno::ENOLCK,
            Call::Open
            | Call::Read
            | Call::Flush
            | Call::Rename
            | Call::Link
            | Call::ReadLink
            | Call::Remove
            | Call::Stat
            | Call::List
            | Call::Seek
            | Call::Access => Errno::EIO,
        }
    }
}

/// What happens to a call instead of its success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// It fails, with the error of its kind.
    Fails,
    /// A signal interrupts it, so it can be made again.
    IsInterrupted,
    /// It reads or writes one byte.
    IsShort,
}

/// The call to which something happens: the one of this kind with this number, from 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failure {
    pub(crate) call: Call,
    pub(crate) number: usize,
    pub(crate) manner: Manner,
}

/// How a program ended.
pub(crate) struct Traced {
    pub(crate) status: ExitStatus,
    /// The call that failed, with the file that it was about.
    pub(crate) failed: Option<String>,
    /// Whether the program was killed because it did not end.
    pub(crate) hung: bool,
}

/// Why programs cannot be traced here, as in some containers. With `CI=true` that is an error.
pub(crate) fn refusal() -> Option<&'static str> {
    static REFUSAL: LazyLock<Option<String>> = LazyLock::new(refusal_of_a_trial);
    REFUSAL.as_deref()
}

fn refusal_of_a_trial() -> Option<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_babson"));
    command.arg("--version").stdout(Stdio::null());
    let failure = Failure { call: Call::Lock, number: 1, manner: Manner::Fails };
    let error = run(&mut command, Path::new("/"), Some(failure)).err()?;
    let is_refused =
        matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::Unsupported);
    let is_required = std::env::var_os("CI").is_some_and(|value| value == "true");
    assert!(is_refused && !is_required, "no process can be traced: {error}");
    Some(format!("no process can be traced here: {error}"))
}

/// Runs a command in a folder. To let a call fail, it is traced. Only those calls count that start
/// threads or programs, that make pipes, that are about a file of the folder, or that write to
/// standard output.
pub(crate) fn run(
    command: &mut Command,
    folder: &Path,
    failure: Option<Failure>,
) -> io::Result<Traced> {
    if failure.is_some() {
        // SAFETY: the call is async-signal-safe and touches no memory of the process.
        unsafe { command.pre_exec(|| ptrace::traceme().map_err(io::Error::from)) };
    }
    let folder = folder.canonicalize()?;
    let mut child = command.spawn()?;
    let pid = Pid::from_raw(child.id().cast_signed());
    let process = pidfd_open(rustix::process::Pid::from_child(&child), PidfdFlags::empty())
        .inspect_err(|_| end_untraced(&mut child))?;
    thread::scope(|scope| {
        // Whoever drops it has seen the end of the program.
        let (ended, end) = mpsc::channel::<()>();
        let watchdog = scope.spawn(move || {
            let hangs = end.recv_timeout(MAX_TIME) == Err(RecvTimeoutError::Timeout);
            hangs && pidfd_send_signal(process, KillSignal::KILL).is_ok()
        });
        let followed = match failure {
            None => child.wait().map(|status| (status, None)),
            Some(failure) => Tracer::new(folder, failure).follow(pid),
        };
        if followed.is_err() {
            end_untraced(&mut child);
        }
        drop(ended);
        let hung = watchdog.join().unwrap_or_default();
        followed.map(|(status, failed)| Traced { status, failed, hung })
    })
}

/// Ends a program that cannot be followed further.
fn end_untraced(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

/// The result of a request for a thread. `None` if the thread has ended meanwhile, as all threads
/// do when the process ends.
fn unless_ended<T>(result: Result<T, Errno>) -> io::Result<Option<T>> {
    match result {
        Ok(done) => Ok(Some(done)),
        Err(Errno::ESRCH) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

struct Tracer {
    folder: PathBuf,
    failure: Failure,
    /// How many calls of the kind there were.
    seen: usize,
    failed: Option<String>,
    /// The threads that are in a call, and the error that it gets.
    threads: HashMap<Pid, Option<Errno>>,
}

impl Tracer {
    fn new(folder: PathBuf, failure: Failure) -> Tracer {
        Tracer { folder, failure, seen: 0, failed: None, threads: HashMap::new() }
    }

    /// Follows a program that waits to be traced until it ends. Returns how it ended, and the call
    /// that failed.
    fn follow(mut self, child: Pid) -> io::Result<(ExitStatus, Option<String>)> {
        waitpid(child, None)?;
        ptrace::setoptions(
            child,
            Options::PTRACE_O_TRACESYSGOOD
                | Options::PTRACE_O_TRACECLONE
                | Options::PTRACE_O_EXITKILL,
        )?;
        ptrace::syscall(child, None)?;
        // Other threads run other tests, with children of their own.
        let flags = WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD;
        loop {
            let (pid, signal) = match waitpid(None, Some(flags)) {
                Ok(WaitStatus::Exited(pid, code)) if pid == child => {
                    return Ok((ExitStatus::from_raw(code << 8), self.failed));
                }
                Ok(WaitStatus::Signaled(pid, signal, _)) if pid == child => {
                    return Ok((ExitStatus::from_raw(signal as i32), self.failed));
                }
                Ok(WaitStatus::PtraceSyscall(pid)) => {
                    self.stopped(pid)?;
                    (pid, None)
                }
                Ok(WaitStatus::PtraceEvent(pid, _, _)) => (pid, None),
                // A new thread begins so.
                Ok(WaitStatus::Stopped(pid, Signal::SIGSTOP)) => (pid, None),
                Ok(WaitStatus::Stopped(pid, signal)) => (pid, Some(signal)),
                Ok(
                    WaitStatus::Exited(..)
                    | WaitStatus::Signaled(..)
                    | WaitStatus::Continued(_)
                    | WaitStatus::StillAlive,
                )
                | Err(Errno::EINTR) => continue,
                Err(error) => return Err(error.into()),
            };
            unless_ended(ptrace::syscall(pid, signal))?;
        }
    }

    /// A thread has stopped before or after a call.
    fn stopped(&mut self, pid: Pid) -> io::Result<()> {
        let Some(mut registers) = unless_ended(ptrace::getregs(pid))? else { return Ok(()) };
        if let Some(error) = self.threads.remove(&pid) {
            if let Some(error) = error {
                registers.rax = i64::from(-(error as i32)).cast_unsigned();
                unless_ended(ptrace::setregs(pid, registers))?;
            }
            return Ok(());
        }
        let mut error = None;
        if self.is_next(pid, &registers) {
            match self.failure.manner {
                Manner::Fails => error = Some(self.failure.call.errno()),
                Manner::IsInterrupted => error = Some(Errno::EINTR),
                // The third word is the number of bytes.
                Manner::IsShort => registers.rdx = registers.rdx.min(1),
            }
            if error.is_some() {
                registers.orig_rax = u64::MAX;
            }
            unless_ended(ptrace::setregs(pid, registers))?;
        }
        self.threads.insert(pid, error);
        Ok(())
    }

    /// Whether the call that begins is the one to which something happens.
    fn is_next(&mut self, pid: Pid, registers: &libc::user_regs_struct) -> bool {
        let Some((call, subject)) = subject(pid, registers) else { return false };
        let fits = self.failure.manner != Manner::IsShort || is_cut(registers);
        if call != self.failure.call || !fits || !self.is_ours(&subject) {
            return false;
        }
        self.seen += 1;
        if self.seen != self.failure.number {
            return false;
        }
        self.failed = Some(format!("{call:?} {subject}"));
        true
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
        libc::SYS_clone => starting(first),
        // The first word of its arguments has the flags.
        libc::SYS_clone3 => starting(read_word(pid, first)?),
        libc::SYS_fork | libc::SYS_vfork => starting(0),
        libc::SYS_pipe | libc::SYS_pipe2 => (Call::Pipe, "a pipe".to_owned()),
        libc::SYS_readlink => (Call::ReadLink, path(first)?),
        libc::SYS_readlinkat => (Call::ReadLink, path(second)?),
        libc::SYS_unlink | libc::SYS_rmdir => (Call::Remove, path(first)?),
        libc::SYS_unlinkat => (Call::Remove, path(second)?),
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
        libc::SYS_chmod | libc::SYS_chown => (Call::Access, path(first)?),
        libc::SYS_fchmod | libc::SYS_fchown => (Call::Access, file(first)?),
        libc::SYS_fchmodat | libc::SYS_fchownat => (Call::Access, path(second)?),
        libc::SYS_flock => (Call::Lock, file(first)?),
        _ => return None,
    })
}

/// What a call starts that clones the process, by its flags.
fn starting(flags: u64) -> (Call, String) {
    match flags & u64::from(libc::CLONE_THREAD.cast_unsigned()) == 0 {
        true => (Call::Spawn, "a program".to_owned()),
        false => (Call::Thread, "a thread".to_owned()),
    }
}

/// Whether the third word of a call is a number of bytes, which can be less.
fn is_cut(registers: &libc::user_regs_struct) -> bool {
    let number = i64::try_from(registers.orig_rax);
    number.is_ok_and(|number| {
        let calls = [libc::SYS_read, libc::SYS_pread64, libc::SYS_write, libc::SYS_pwrite64];
        calls.contains(&number) && registers.rdx > 1
    })
}

/// The number at an address of a process.
fn read_word(pid: Pid, address: u64) -> Option<u64> {
    let mut bytes = [0; 8];
    File::open(format!("/proc/{pid}/mem")).ok()?.read_exact_at(&mut bytes, address).ok()?;
    Some(u64::from_ne_bytes(bytes))
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
