//! What of this process is unfinished on the disk, and how it is taken back.
//!
//! Outputs get their names together: a full disk, a folder that is gone or a signal in the midst of
//! it leaves each file as it was before.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::limits::{MAX_NAMES_TRIED, MAX_REPEATED_NAME};

/// How much is added to a file at a time, between which a signal may come.
const PIECE: usize = 1 << 20;

/// The unfinished files of this process. Held while one is made, renamed, removed or added to.
static LEDGER: Mutex<Ledger> = Mutex::new(Ledger {
    temporary: Vec::new(),
    folders: Vec::new(),
    done: Vec::new(),
    completions: 0,
    names: 0,
});

struct Ledger {
    temporary: Vec<PathBuf>,
    /// Temporary folders.
    folders: Vec<PathBuf>,
    /// What completions that are under way have done, with their numbers.
    done: Vec<(u64, Done)>,
    completions: u64,
    /// How many temporary names were tried: no two of this process are equal.
    names: u64,
}

/// A step of a completion.
enum Done {
    /// The file was this long before it grew.
    Grown { path: PathBuf, length: u64 },
    /// There was no such file.
    Made(PathBuf),
    /// What was there has this other name.
    Replaced { path: PathBuf, backup: PathBuf },
}

impl Done {
    /// Makes the step undone. What cannot be undone stays: there is nobody to tell.
    fn take_back(&self) {
        let _ = match self {
            Done::Grown { path, length } => {
                OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(*length))
            }
            Done::Made(path) => fs::remove_file(path),
            Done::Replaced { path, backup } => fs::rename(backup, path),
        };
    }

    /// Removes what only taking it back needs.
    fn settle(&self) {
        match self {
            Done::Replaced { backup, .. } => {
                let _ = fs::remove_file(backup);
            }
            Done::Grown { .. } | Done::Made(_) => {}
        }
    }
}

impl Ledger {
    /// Calls `make` with names in the folder of `target` until one is free.
    fn unused<T>(
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
}

fn ledger() -> MutexGuard<'static, Ledger> {
    LEDGER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all unfinished outputs, and takes back what was done for those
/// that were just being completed: for a process that a signal ends. From then on no output can be
/// made or completed; a thread that tries waits for the end.
pub fn abandon_outputs() {
    let ledger = ledger();
    for (_, done) in ledger.done.iter().rev() {
        done.take_back();
    }
    for file in &ledger.temporary {
        // A file that cannot be removed stays: there is nobody to tell.
        let _ = fs::remove_file(file);
    }
    for folder in &ledger.folders {
        let _ = fs::remove_dir_all(folder);
    }
    std::mem::forget(ledger);
}

/// Removes the folder, too, when outputs are [abandoned](abandon_outputs).
pub fn abandon_with_outputs(folder: PathBuf) {
    ledger().folders.push(folder);
}

/// A file under its temporary name: removed unless it is renamed.
pub(crate) struct Pending {
    pub(crate) temporary: PathBuf,
    pub(crate) target: PathBuf,
    /// The target grows by the file instead of being replaced.
    pub(crate) append: bool,
}

impl Drop for Pending {
    fn drop(&mut self) {
        let mut ledger = ledger();
        if let Some(index) = ledger.temporary.iter().position(|file| *file == self.temporary) {
            ledger.temporary.swap_remove(index);
            // Nothing can be done about a failure here, and the run has failed anyway.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

impl Pending {
    /// Makes a new file in the folder of `target`, under a name that nobody has.
    pub(crate) fn beside(target: PathBuf, append: bool) -> io::Result<(File, Pending)> {
        let mut ledger = ledger();
        let old = fs::metadata(&target).ok().filter(|_| !append);
        let (file, temporary) = ledger.unused(&target, |name| create(name, old.as_ref()))?;
        ledger.temporary.push(temporary.clone());
        Ok((file, Pending { temporary, target, append }))
    }

    /// Gives the file its name, or adds it to what has it.
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
                    Some(ledger.unused(&self.target, |name| backup(&self.target, name))?.1)
                }
            }
            None => None,
        };
        if let Err(error) = fs::rename(&self.temporary, &self.target) {
            if let Some(backup) = backup {
                let _ = fs::rename(&backup, &self.target);
                // A hard link to the file is not moved onto it.
                let _ = fs::remove_file(backup);
            }
            return Err(error);
        }
        ledger.temporary.retain(|file| *file != self.temporary);
        let path = self.target.clone();
        match (old, backup) {
            (Some(_), Some(backup)) => completion.did(&mut ledger, Done::Replaced { path, backup }),
            // The only output: with the new name it is complete.
            (Some(_), None) => {}
            (None, _) if completion.is_single => {}
            (None, _) => completion.did(&mut ledger, Done::Made(path)),
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
        completion.did(&mut ledger(), Done::Grown { path, length });
        if length > 0 {
            let mut last = [0];
            old.seek(SeekFrom::Start(length - 1))?;
            old.read_exact(&mut last)?;
            // What is added begins with a line of its own.
            if last != *b"\n" {
                old.write_all(b"\n")?;
            }
        }
        let mut piece = vec![0; PIECE];
        loop {
            let read = new.read(&mut piece)?;
            if read == 0 {
                return Ok(());
            }
            // Not in the midst of being taken back.
            let _ledger = ledger();
            old.write_all(&piece[..read])?;
        }
    }
}

/// Some outputs on their way to their names.
struct Completion {
    number: u64,
    is_single: bool,
}

impl Completion {
    fn did(&self, ledger: &mut Ledger, done: Done) {
        ledger.done.push((self.number, done));
    }

    /// The steps so far, which are then forgotten.
    fn done(&self, ledger: &mut Ledger) -> Vec<Done> {
        let (own, others) = ledger.done.drain(..).partition(|(number, _)| *number == self.number);
        ledger.done = others;
        let own: Vec<(u64, Done)> = own;
        own.into_iter().map(|(_, done)| done).collect()
    }
}

/// Gives all files their names, or none.
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
    // Those that can fail for want of space come first.
    let (growing, others): (Vec<usize>, Vec<usize>) =
        (0..files.len()).partition(|&index| files[index].append);
    for index in growing.into_iter().chain(others) {
        if let Err(error) = files[index].complete(&completion) {
            let mut ledger = ledger();
            for done in completion.done(&mut ledger).iter().rev() {
                done.take_back();
            }
            return Err((index, error));
        }
    }
    for done in completion.done(&mut ledger()) {
        done.settle();
    }
    Ok(())
}

/// Another name of a file. Where there are no hard links it loses the first one.
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
        // Nobody may read the new file before it has its name who cannot read the old one.
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
        // Only root may give files away; a group of one's own anybody may choose.
        let given = std::os::unix::fs::chown(name, Some(old.uid()), Some(old.gid()));
        if given.is_err() && std::os::unix::fs::chown(name, None, Some(old.gid())).is_err() {
            // The bits of the group are about another one, and the special ones about another
            // owner.
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

    /// Any number of files may be unfinished at a time, and leftovers of a process that had our
    /// number are passed over.
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
}
