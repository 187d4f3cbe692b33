//! The unfinished files of this process, and how they are undone.
//!
//! Outputs get their names together. If the disk is full, a folder has been removed or a signal
//! arrives meanwhile, each file is restored to what it was before.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::limits::{MAX_NAMES_TRIED, MAX_REPEATED_NAME};

/// Bytes that are appended to a file at a time. A signal may be handled in between.
const COPY_BUFFER: usize = 1 << 20;

/// The unfinished files of this process. Locked while one is created, renamed, removed or appended
/// to.
static LEDGER: Mutex<Ledger> = Mutex::new(Ledger {
    temporary: Vec::new(),
    folders: Vec::new(),
    steps: Vec::new(),
    completions: 0,
    names: 0,
});

struct Ledger {
    temporary: Vec<PathBuf>,
    /// Temporary folders.
    folders: Vec<PathBuf>,
    /// The steps of unfinished completions, with the numbers of the completions.
    steps: Vec<(u64, CompletionStep)>,
    completions: u64,
    /// How many temporary names were tried. It is part of each name, so that all names differ.
    names: u64,
}

/// A step of a completion.
enum CompletionStep {
    /// The file had this length before it was appended to.
    Append { path: PathBuf, length: u64 },
    /// The file did not exist before.
    Create(PathBuf),
    /// The old file has this other name.
    Replace { path: PathBuf, backup: PathBuf },
}

impl CompletionStep {
    /// Undoes the step. A failure is ignored: there is nobody to report it to.
    fn undo(&self) {
        let _ = match self {
            CompletionStep::Append { path, length } => {
                OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(*length))
            }
            CompletionStep::Create(path) => fs::remove_file(path),
            CompletionStep::Replace { path, backup } => fs::rename(backup, path),
        };
    }

    /// Removes the backup, which only `undo` needs.
    fn discard_backup(&self) {
        match self {
            CompletionStep::Replace { backup, .. } => {
                let _ = fs::remove_file(backup);
            }
            CompletionStep::Append { .. } | CompletionStep::Create(_) => {}
        }
    }
}

impl Ledger {
    /// Calls `make` with temporary names in the folder of `target` until one is unused.
    fn with_unused_name<T>(
        &mut self,
        target: &Path,
        make: impl Fn(&Path) -> io::Result<T>,
    ) -> io::Result<(T, PathBuf)> {
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let stem = target.file_name().map(|name| name.to_string_lossy().into_owned());
        let mut stem =
            stem.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it has no file name"))?;
        while stem.len() > MAX_REPEATED_NAME {
            stem.pop();
        }
        for _ in 0..MAX_NAMES_TRIED {
            let name = folder.join(format!(".{stem}.{}-{}.tmp", std::process::id(), self.names));
            self.names += 1;
            match make(&name) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|made| (made, name)),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Undoes all unfinished completions, the last step first, and removes the temporary files.
    fn abandon(&self) {
        for (_, step) in self.steps.iter().rev() {
            step.undo();
        }
        for file in &self.temporary {
            // A failure is ignored: there is nobody to report it to.
            let _ = fs::remove_file(file);
        }
        for folder in &self.folders {
            let _ = fs::remove_dir_all(folder);
        }
    }
}

fn ledger() -> MutexGuard<'static, Ledger> {
    LEDGER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all unfinished outputs and undoes unfinished completions, for a
/// process that a signal ends. Afterwards no output can be created or completed: a thread that
/// tries blocks until the process ends.
pub fn abandon_outputs() {
    let ledger = ledger();
    ledger.abandon();
    std::mem::forget(ledger);
}

/// Registers a folder that is removed when outputs are [abandoned](abandon_outputs).
pub fn abandon_with_outputs(folder: PathBuf) {
    ledger().folders.push(folder);
}

/// A file under its temporary name. It is removed on drop unless it has been renamed.
pub(crate) struct Pending {
    pub(crate) temporary: PathBuf,
    pub(crate) target: PathBuf,
    /// Whether the file is appended to the target instead of replacing it.
    pub(crate) append: bool,
}

impl Drop for Pending {
    fn drop(&mut self) {
        let mut ledger = ledger();
        if let Some(index) = ledger.temporary.iter().position(|file| *file == self.temporary) {
            ledger.temporary.swap_remove(index);
            // A failure is ignored: the run has failed anyway.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

impl Pending {
    /// Creates a file in the folder of `target`, under an unused name.
    pub(crate) fn beside(target: PathBuf, append: bool) -> io::Result<(File, Pending)> {
        let mut ledger = ledger();
        let old = fs::metadata(&target).ok().filter(|_| !append);
        let (file, temporary) =
            ledger.with_unused_name(&target, |name| create(name, old.as_ref()))?;
        ledger.temporary.push(temporary.clone());
        Ok((file, Pending { temporary, target, append }))
    }

    /// Renames the file to its target, or appends it to the target.
    fn complete(&self, completion: &Completion) -> io::Result<()> {
        if self.append && self.target.exists() {
            return self.grow(completion);
        }
        let mut ledger = ledger();
        let old = fs::metadata(&self.target).ok();
        let backup = match &old {
            Some(old) => {
                keep_access(&self.temporary, old)?;
                if completion.is_single {
                    None
                } else {
                    Some(
                        ledger.with_unused_name(&self.target, |name| backup(&self.target, name))?.1,
                    )
                }
            }
            None => None,
        };
        if let Err(error) = fs::rename(&self.temporary, &self.target) {
            if let Some(backup) = backup {
                let _ = fs::rename(&backup, &self.target);
                // If the backup is a hard link to the target, `rename` leaves both names.
                let _ = fs::remove_file(backup);
            }
            return Err(error);
        }
        ledger.temporary.retain(|file| *file != self.temporary);
        let path = self.target.clone();
        match (old, backup) {
            (Some(_), Some(backup)) => {
                completion.record(&mut ledger, CompletionStep::Replace { path, backup })
            }
            // A single output is complete when it is renamed, so there is nothing to undo.
            (Some(_), None) => {}
            (None, _) if completion.is_single => {}
            (None, _) => completion.record(&mut ledger, CompletionStep::Create(path)),
        }
        Ok(())
    }

    fn grow(&self, completion: &Completion) -> io::Result<()> {
        let mut new = File::open(&self.temporary)?;
        let mut old = OpenOptions::new().read(true).append(true).open(&self.target)?;
        let length = old.metadata()?.len();
        if new.metadata()?.len() == 0 {
            return Ok(());
        }
        let path = self.target.clone();
        completion.record(&mut ledger(), CompletionStep::Append { path, length });
        if length > 0 {
            let mut last = [0];
            old.seek(SeekFrom::Start(length - 1))?;
            old.read_exact(&mut last)?;
            // The appended text begins on a line of its own.
            if last != *b"\n" {
                old.write_all(b"\n")?;
            }
        }
        let mut buffer = vec![0; COPY_BUFFER];
        loop {
            let read = new.read(&mut buffer)?;
            if read == 0 {
                return Ok(());
            }
            // Locked, so that `abandon_outputs` cannot undo the step during the write.
            let _ledger = ledger();
            old.write_all(&buffer[..read])?;
        }
    }
}

/// The completion of some outputs together.
struct Completion {
    number: u64,
    is_single: bool,
}

impl Completion {
    fn record(&self, ledger: &mut Ledger, step: CompletionStep) {
        ledger.steps.push((self.number, step));
    }

    /// Removes the steps of this completion from the ledger and returns them.
    fn take_steps(&self, ledger: &mut Ledger) -> Vec<CompletionStep> {
        let (own, others) = ledger.steps.drain(..).partition(|(number, _)| *number == self.number);
        ledger.steps = others;
        let own: Vec<(u64, CompletionStep)> = own;
        own.into_iter().map(|(_, step)| step).collect()
    }
}

/// Gives all files their names, or none of them.
///
/// # Errors
/// The index of the file that failed, and why.
pub(crate) fn complete(files: &[&Pending]) -> Result<(), (usize, io::Error)> {
    let number = {
        let mut ledger = ledger();
        ledger.completions += 1;
        ledger.completions
    };
    let completion = Completion { number, is_single: files.len() == 1 };
    // Appending needs space and can fail, so it comes first.
    let (growing, others): (Vec<usize>, Vec<usize>) =
        (0..files.len()).partition(|&index| files[index].append);
    for index in growing.into_iter().chain(others) {
        if let Err(error) = files[index].complete(&completion) {
            let mut ledger = ledger();
            for step in completion.take_steps(&mut ledger).iter().rev() {
                step.undo();
            }
            return Err((index, error));
        }
    }
    for step in completion.take_steps(&mut ledger()) {
        step.discard_backup();
    }
    Ok(())
}

/// Gives a file another name. On file systems without hard links it loses its old name.
fn backup(path: &Path, name: &Path) -> io::Result<()> {
    match fs::hard_link(path, name) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            if name.exists() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            fs::rename(path, name)
        }
        result => result,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Any number of files may be unfinished at a time. Names left behind by a process with the
    /// same id are skipped.
    #[test]
    fn temporary_names_do_not_run_out() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.pgn");
        let own = std::process::id();
        let next = ledger().names;
        for name in next..next + 200 {
            File::create(folder.path().join(format!(".a.pgn.{own}-{name}.tmp"))).unwrap();
        }
        let begin = |_| Pending::beside(target.clone(), false).unwrap().1;
        let pending: Vec<Pending> = (0..1100).map(begin).collect();
        let is_there = |file: &Pending| file.temporary.exists();
        assert!(pending.iter().all(is_there));
        drop(pending);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 200);
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// A file may have been replaced and appended to more than once: the last step is undone first.
    #[test]
    fn abandoned_steps_are_undone_in_reverse() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("first"), "old").unwrap();
        fs::write(path("second"), "replaced").unwrap();
        fs::write(path("a.pgn"), "replaced again").unwrap();
        fs::write(path("b.pgn"), "one\ntwo\n").unwrap();
        fs::write(path("c.pgn"), "new").unwrap();
        fs::write(path("d.tmp"), "unfinished").unwrap();
        fs::create_dir(path("folder")).unwrap();
        fs::write(path("folder/e.tmp"), "unfinished").unwrap();
        let replace =
            |backup| CompletionStep::Replace { path: path("a.pgn"), backup: path(backup) };
        let append = |length| CompletionStep::Append { path: path("b.pgn"), length };
        let ledger = Ledger {
            temporary: vec![path("d.tmp")],
            folders: vec![path("folder")],
            steps: vec![
                (1, replace("first")),
                (1, append(0)),
                (2, replace("second")),
                (2, append(4)),
                (2, CompletionStep::Create(path("c.pgn"))),
            ],
            completions: 2,
            names: 0,
        };
        ledger.abandon();
        assert_eq!(names(folder.path()), ["a.pgn", "b.pgn"]);
        assert_eq!(fs::read(path("a.pgn")).unwrap(), b"old");
        assert_eq!(fs::read(path("b.pgn")).unwrap(), b"");
    }

    /// A rename fails if a folder has taken the place of the temporary file.
    #[test]
    fn a_failed_rename_leaves_no_backup() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a.pgn"), "old").unwrap();
        let (_, file) = Pending::beside(path("a.pgn"), false).unwrap();
        let (_, other) = Pending::beside(path("b.pgn"), false).unwrap();
        fs::remove_file(&file.temporary).unwrap();
        fs::create_dir(&file.temporary).unwrap();
        let (index, _) = complete(&[&file, &other]).unwrap_err();
        assert_eq!(index, 0);
        fs::remove_dir(&file.temporary).unwrap();
        drop((file, other));
        assert_eq!(names(folder.path()), ["a.pgn"]);
        assert_eq!(fs::read(path("a.pgn")).unwrap(), b"old");
    }

    /// An empty addition changes nothing: not even the last line gets its end.
    #[test]
    fn nothing_is_appended_for_an_empty_addition() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        fs::write(&path, "no end of line").unwrap();
        let (_, file) = Pending::beside(path.clone(), true).unwrap();
        complete(&[&file]).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"no end of line");
    }
}
