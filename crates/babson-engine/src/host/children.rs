//! The running programs of a host.

use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The running programs of a host. Each leads a process group of its own, which is killed as a
/// whole.
#[derive(Debug, Default)]
pub(super) struct Children {
    groups: Mutex<Groups>,
}

/// The groups of the programs. Locked while a program is started or reaped, so that no number in it
/// can belong to another process.
#[derive(Debug, Default)]
struct Groups {
    running: Vec<u32>,
    /// Whether all were killed, so that none may be started.
    closed: bool,
}

/// Holds back threads that start or end programs of a [`SystemHost`](super::SystemHost), whose
/// programs were [killed](super::SystemHost::kill_children), until it is dropped.
#[derive(Debug)]
#[must_use = "threads go on when it is dropped"]
pub struct KilledChildren<'h> {
    _groups: MutexGuard<'h, Groups>,
}

impl Children {
    fn lock(&self) -> MutexGuard<'_, Groups> {
        self.groups.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a program in a group of its own.
    pub(super) fn start(&self, command: &mut Command) -> io::Result<Child> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let mut groups = self.lock();
        if groups.closed {
            return Err(io::Error::other("the programs of this host were killed"));
        }
        let child = command.spawn()?;
        groups.running.push(child.id());
        Ok(child)
    }

    /// Kills the group of a program and reaps the program. Returns its status.
    pub(super) fn end(&self, child: &mut Child) -> Option<std::process::ExitStatus> {
        let mut groups = self.lock();
        let group = child.id();
        kill_group(group);
        // Fails if the process has ended already, which is fine.
        let _ = child.kill();
        let status = child.wait().ok();
        groups.running.retain(|&other| other != group);
        status
    }

    /// Kills all programs.
    pub(super) fn kill(&self) -> KilledChildren<'_> {
        let mut groups = self.lock();
        groups.closed = true;
        for &group in &groups.running {
            kill_group(group);
        }
        KilledChildren { _groups: groups }
    }
}

#[cfg(unix)]
fn kill_group(group: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let pid = i32::try_from(group).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // The group may be gone already.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

/// Whether the process has ended. Does not reap it, so that its number is not used again.
#[cfg(unix)]
pub(super) fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let pid = Pid::from_child(child);
    !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
}

#[cfg(not(unix))]
pub(super) fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}
