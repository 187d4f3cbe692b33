//! Files under temporary names, and how they get their own.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::completion::Completion;
use super::entries::Ledger;
use super::step::CompletionStep;
use crate::existing::existing;
use crate::leftovers::UNFINISHED;

/// The ending of the name of an old file while it is replaced. It is not the one of an unfinished
/// file: if the process is killed, the old file may have no other name.
const BACKUP: &str = ".old";

/// Bytes that are appended to a file at a time. A signal may be handled in between.
const COPY_BUFFER: usize = 1 << 20;

/// A file under its temporary name. It is removed on drop unless it has been renamed.
pub(crate) struct Pending {
    ledger: Ledger,
    pub(crate) temporary: PathBuf,
    pub(crate) target: PathBuf,
    /// Whether the file is appended to the target instead of replacing it.
    pub(crate) append: bool,
    /// Whether the target had something in it that the file is appended to.
    pub(crate) continues: bool,
    /// Whether the files are compressed, so that no line end may be put between them.
    pub(crate) compressed: bool,
}

impl Drop for Pending {
    fn drop(&mut self) {
        let mut entries = self.ledger.lock();
        if let Some(index) = entries.temporary.iter().position(|file| *file == self.temporary) {
            entries.temporary.swap_remove(index);
            entries.remove_file(&self.temporary);
        }
    }
}

impl Pending {
    /// Creates a file in the folder of `target`, under an unused name.
    pub(crate) fn beside(
        target: PathBuf,
        append: bool,
        ledger: &Ledger,
    ) -> io::Result<(File, Pending)> {
        let mut entries = ledger.lock();
        entries.check()?;
        let old = existing(&target)?;
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            let reason = "it exists and is not a file";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, reason));
        }
        let continues = append && old.as_ref().is_some_and(|old| old.len() > 0);
        let replaced = old.as_ref().filter(|_| !append);
        let (file, temporary) =
            entries.with_unused_name(&target, UNFINISHED, |name| create(name, replaced))?;
        entries.temporary.push(temporary.clone());
        let ledger = ledger.clone();
        let compressed = false;
        Ok((file, Pending { ledger, temporary, target, append, continues, compressed }))
    }

    /// Renames the file to its target, or appends it to the target.
    pub(super) fn complete(&self, completion: &mut Completion, check: Check<'_>) -> io::Result<()> {
        if self.append && existing(&self.target)?.is_some() {
            return self.grow(completion);
        }
        let mut entries = self.ledger.lock();
        entries.check()?;
        let old = existing(&self.target)?;
        let backup = match &old {
            Some(old) => {
                keep_access(&self.temporary, old)?;
                if completion.is_single {
                    None
                } else {
                    Some(
                        entries
                            .with_unused_name(&self.target, BACKUP, |name| {
                                backup(&self.target, name)
                            })?
                            .1,
                    )
                }
            }
            None => None,
        };
        let renamed = check().and_then(|()| fs::rename(&self.temporary, &self.target));
        if let Err(error) = renamed {
            if let Some(backup) = backup {
                entries.put_back(backup, &self.target);
            }
            return Err(error);
        }
        entries.temporary.retain(|file| *file != self.temporary);
        let path = self.target.clone();
        match (old, backup) {
            (Some(_), Some(backup)) => {
                completion.record(&mut entries, CompletionStep::Replace { path, backup })
            }
            // A single output is complete when it is renamed, so there is nothing to undo.
            (Some(_), None) => {}
            (None, _) if completion.is_single => {}
            (None, _) => completion.record(&mut entries, CompletionStep::Create(path)),
        }
        Ok(())
    }

    fn grow(&self, completion: &mut Completion) -> io::Result<()> {
        let mut new = File::open(&self.temporary)?;
        let mut old = OpenOptions::new().read(true).append(true).open(&self.target)?;
        let length = old.metadata()?.len();
        if new.metadata()?.len() == 0 {
            return Ok(());
        }
        let mut last = [0];
        if length > 0 {
            old.seek(SeekFrom::Start(length - 1))?;
            old.read_exact(&mut last)?;
        }
        let path = self.target.clone();
        {
            let mut entries = self.ledger.lock();
            entries.check()?;
            completion.record(&mut entries, CompletionStep::Append { path, length });
        }
        // Locked, so that the step cannot be undone during the write.
        let mut write = |bytes: &[u8]| {
            let entries = self.ledger.lock();
            entries.check()?;
            old.write_all(bytes)
        };
        if length > 0 && last != *b"\n" && !self.compressed {
            // The appended text begins on a line of its own.
            write(b"\n")?;
        }
        let mut buffer = vec![0; COPY_BUFFER];
        loop {
            match new.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(read) => write(&buffer[..read])?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Whether a file may get its name now.
type Check<'c> = &'c dyn Fn() -> io::Result<()>;

/// Gives all files their names, together. The check is made immediately before each file is
/// renamed.
///
/// # Errors
/// The index of the file that failed, and why. All files are then as they were.
pub(crate) fn complete(files: &[&Pending], check: Check<'_>) -> Result<(), (usize, io::Error)> {
    let mut completion = Completion { id: Arc::new(()), is_single: files.len() == 1, recorded: 0 };
    // Appending needs space and can fail, so it comes first.
    let (growing, others): (Vec<usize>, Vec<usize>) =
        (0..files.len()).partition(|&index| files[index].append);
    let mut all = growing.into_iter().chain(others);
    let named = all.try_for_each(|index| {
        files[index].complete(&mut completion, check).map_err(|why| (index, why))
    });
    let ledgers: Vec<&Ledger> = files.iter().map(|file| &file.ledger).collect();
    completion.end(&ledgers, named)
}

/// Gives a file another name. On file systems without hard links it loses its old name.
fn backup(path: &Path, name: &Path) -> io::Result<()> {
    match fs::hard_link(path, name) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => rename_to_unused(path, name),
        result => result,
    }
}

/// Renames a file, unless the name is used.
pub(super) fn rename_to_unused(path: &Path, name: &Path) -> io::Result<()> {
    // Nobody else takes a name that is there.
    OpenOptions::new().write(true).create_new(true).open(name)?;
    fs::rename(path, name).map_err(|error| match remove_empty(name) {
        Ok(()) => error,
        Err(left) => {
            let text = format!("{error}; {} is left: {left}", name.display());
            io::Error::new(error.kind(), text)
        }
    })
}

/// Removes a file that is empty, unless there is none. A rename over a network that was answered
/// with an error may have happened.
pub(super) fn remove_empty(path: &Path) -> io::Result<()> {
    let removed = fs::metadata(path).and_then(|file| match file.len() {
        0 => fs::remove_file(path),
        length => Err(io::Error::other(format!("it has {length} bytes"))),
    });
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

#[cfg(unix)]
fn create(name: &Path, old: Option<&fs::Metadata>) -> io::Result<File> {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    if let Some(old) = old {
        // Whoever cannot read the old file cannot read the new one before it is renamed either.
        options.mode(old.permissions().mode() & 0o777 | 0o200);
    }
    options.open(name)
}

#[cfg(not(unix))]
fn create(name: &Path, _: Option<&fs::Metadata>) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(name)
}

/// Gives a file the owner and the mode of the one that it replaces.
#[cfg(unix)]
fn keep_access(name: &Path, old: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let new = fs::metadata(name)?;
    let mut mode = old.permissions().mode() & 0o7777;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        // Only root may change the owner. Other users may choose a group that they belong to.
        let given = std::os::unix::fs::chown(name, Some(old.uid()), Some(old.gid()));
        if given.is_err() && std::os::unix::fs::chown(name, None, Some(old.gid())).is_err() {
            // The group bits were meant for another group, and the set-id bits for another owner.
            mode &= 0o707;
        }
    }
    fs::set_permissions(name, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn keep_access(name: &Path, old: &fs::Metadata) -> io::Result<()> {
    fs::set_permissions(name, old.permissions())
}
