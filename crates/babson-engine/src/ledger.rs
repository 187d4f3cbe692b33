//! The unfinished files of a scan, and how they are undone.
//!
//! Outputs get their names together. If the disk is full, a folder has been removed or the outputs
//! are abandoned meanwhile, each file is restored to what it was before.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::leftovers::{Leftovers, UNFINISHED};
use crate::limits::{MAX_NAMES_TRIED, MAX_REPEATED_NAME};

/// The ending of the name of an old file while it is replaced. It is not the one of an unfinished
/// file: if the process is killed, the old file may have no other name.
const BACKUP: &str = ".old";

/// Bytes that are appended to a file at a time. A signal may be handled in between.
const COPY_BUFFER: usize = 1 << 20;

/// The unfinished files of a scan. A clone is a handle of the same ledger, so whoever keeps one can
/// [abandon](Ledger::abandon) the outputs. Two ledgers do not know of each other.
///
/// ```
/// use babson_engine::{Destination, Ledger, Output};
///
/// let folder = tempfile::tempdir()?;
/// let file = Destination::File(folder.path().join("out.pgn"));
/// let ledger = Ledger::default();
/// let mut output = Output::create(&file, &ledger)?;
/// output.write(b"1. e4 *\n")?;
/// drop(ledger.abandon());
/// assert_eq!(std::fs::read_dir(folder.path())?.count(), 0);
/// assert!(output.finish().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// Locked while a file is created, renamed, removed or appended to.
    entries: Arc<Mutex<Entries>>,
}

/// Holds back threads that create or complete outputs of a [`Ledger`] that was
/// [abandoned](Ledger::abandon), until it is dropped.
#[derive(Debug)]
#[must_use = "threads go on when it is dropped"]
pub struct AbandonedOutputs<'l> {
    _entries: MutexGuard<'l, Entries>,
}

#[derive(Debug, Default)]
struct Entries {
    temporary: Vec<PathBuf>,
    /// Temporary folders.
    folders: Vec<PathBuf>,
    /// The steps of unfinished completions.
    steps: Vec<(CompletionId, CompletionStep)>,
    /// What killed processes may have left.
    leftovers: Leftovers,
    /// How many temporary names were tried. It is part of each name, so that all differ.
    names: u64,
    /// Whether nothing may be created or completed any more.
    abandoned: bool,
}

/// A step of a completion.
#[derive(Debug)]
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

impl Entries {
    /// Calls `make` with temporary names in the folder of `target` until one is unused. The names
    /// have this ending.
    fn with_unused_name<T>(
        &mut self,
        target: &Path,
        ending: &str,
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
        self.leftovers.remove(folder, &stem);
        let process = std::process::id();
        for _ in 0..MAX_NAMES_TRIED {
            let name = folder.join(format!(".{stem}.{process}-{}{ending}", self.names));
            self.names += 1;
            match make(&name) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|made| (made, name)),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Undoes all unfinished completions, the last step first, and removes the temporary files.
    fn abandon(&mut self) {
        self.abandoned = true;
        for (_, step) in self.steps.drain(..).rev() {
            step.undo();
        }
        for file in self.temporary.drain(..) {
            // A failure is ignored: there is nobody to report it to.
            let _ = fs::remove_file(file);
        }
        for folder in self.folders.drain(..) {
            let _ = fs::remove_dir_all(folder);
        }
    }

    /// An error once the outputs were abandoned.
    fn check(&self) -> io::Result<()> {
        match self.abandoned {
            true => Err(io::Error::other("the outputs of this run were abandoned")),
            false => Ok(()),
        }
    }

    /// Removes the steps of a completion and returns them.
    fn take_steps(&mut self, completion: &Completion) -> Vec<CompletionStep> {
        let taken = self.steps.extract_if(.., |(id, _)| Arc::ptr_eq(id, &completion.id));
        taken.map(|(_, step)| step).collect()
    }
}

impl Ledger {
    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the temporary files of all unfinished outputs and undoes unfinished completions.
    /// From now on it is an error to create or complete an output of this ledger. Threads that try
    /// wait until the result is dropped: a process that is about to end keeps it, so that they do
    /// not report that error.
    pub fn abandon(&self) -> AbandonedOutputs<'_> {
        let mut entries = self.lock();
        entries.abandon();
        AbandonedOutputs { _entries: entries }
    }

    /// Registers a folder that is removed if the outputs are [abandoned](Ledger::abandon).
    pub fn add_folder(&self, folder: PathBuf) {
        self.lock().folders.push(folder);
    }
}

/// A file under its temporary name. It is removed on drop unless it has been renamed.
pub(crate) struct Pending {
    ledger: Ledger,
    pub(crate) temporary: PathBuf,
    pub(crate) target: PathBuf,
    /// Whether the file is appended to the target instead of replacing it.
    pub(crate) append: bool,
    /// Whether the files are compressed, so that no line end may be put between them.
    pub(crate) compressed: bool,
}

impl Drop for Pending {
    fn drop(&mut self) {
        let mut entries = self.ledger.lock();
        if let Some(index) = entries.temporary.iter().position(|file| *file == self.temporary) {
            entries.temporary.swap_remove(index);
            // A failure is ignored: the run has failed anyway.
            let _ = fs::remove_file(&self.temporary);
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
        let old = fs::metadata(&target).ok().filter(|_| !append);
        let (file, temporary) =
            entries.with_unused_name(&target, UNFINISHED, |name| create(name, old.as_ref()))?;
        entries.temporary.push(temporary.clone());
        Ok((file, Pending { ledger: ledger.clone(), temporary, target, append, compressed: false }))
    }

    /// Renames the file to its target, or appends it to the target.
    fn complete(&self, completion: &mut Completion, check: Check<'_>) -> io::Result<()> {
        if self.append && self.target.exists() {
            return self.grow(completion);
        }
        let mut entries = self.ledger.lock();
        entries.check()?;
        let old = fs::metadata(&self.target).ok();
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
                let _ = fs::rename(&backup, &self.target);
                // If the backup is a hard link to the target, `rename` leaves both names.
                let _ = fs::remove_file(backup);
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
            let read = new.read(&mut buffer)?;
            if read == 0 {
                return Ok(());
            }
            write(&buffer[..read])?;
        }
    }
}

/// Tells one completion from all others, also of other ledgers.
type CompletionId = Arc<()>;

/// The completion of some outputs together.
struct Completion {
    id: CompletionId,
    is_single: bool,
    /// How many steps were recorded.
    recorded: usize,
}

impl Completion {
    fn record(&mut self, entries: &mut Entries, step: CompletionStep) {
        entries.steps.push((Arc::clone(&self.id), step));
        self.recorded += 1;
    }

    /// Undoes the steps if a file failed or if the outputs were abandoned meanwhile; otherwise the
    /// completion is final.
    fn end(
        self,
        files: &[&Pending],
        named: Result<(), (usize, io::Error)>,
    ) -> Result<(), (usize, io::Error)> {
        // While they are locked, nobody abandons the ledgers. The order of their addresses keeps
        // two threads from waiting for each other.
        let address = |file: &Pending| Arc::as_ptr(&file.ledger.entries);
        let mut ledgers = files.to_vec();
        ledgers.sort_by_key(|file| address(file));
        ledgers.dedup_by_key(|file| address(file));
        let mut locked: Vec<_> = ledgers.iter().map(|file| file.ledger.lock()).collect();
        let steps: Vec<CompletionStep> =
            locked.iter_mut().flat_map(|entries| entries.take_steps(&self)).collect();
        let mut outcome = named;
        if outcome.is_ok() && steps.len() < self.recorded {
            // The other steps were undone when their ledger was abandoned.
            let error = locked.iter().zip(&ledgers).find_map(|(entries, file)| {
                let index = files.iter().position(|other| address(other) == address(file))?;
                Some((index, entries.check().err()?))
            });
            outcome = error.map_or(Ok(()), Err);
        }
        match outcome {
            Ok(()) => steps.iter().for_each(CompletionStep::discard_backup),
            Err(_) => steps.iter().rev().for_each(CompletionStep::undo),
        }
        outcome
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
    completion.end(files, named)
}

/// Gives a file another name. On file systems without hard links it loses its old name.
fn backup(path: &Path, name: &Path) -> io::Result<()> {
    match fs::hard_link(path, name) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => rename_to_unused(path, name),
        result => result,
    }
}

/// Renames a file, unless the name is used.
fn rename_to_unused(path: &Path, name: &Path) -> io::Result<()> {
    // Nobody else takes a name that is there.
    OpenOptions::new().write(true).create_new(true).open(name)?;
    fs::rename(path, name).inspect_err(|_| {
        let _ = fs::remove_file(name);
    })
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

    const ALLOWED: fn() -> io::Result<()> = || Ok(());

    /// Any number of files may be unfinished at a time. Names left behind by a process with the
    /// same id are skipped.
    #[test]
    fn temporary_names_do_not_run_out() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.pgn");
        let own = std::process::id();
        for name in 0..200 {
            File::create(folder.path().join(format!(".a.pgn.{own}-{name}.tmp"))).unwrap();
        }
        let ledger = Ledger::default();
        let begin = |_| Pending::beside(target.clone(), false, &ledger).unwrap().1;
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
        let [one, two] = [(), ()].map(Arc::new);
        let mut entries = Entries {
            temporary: vec![path("d.tmp")],
            folders: vec![path("folder")],
            steps: vec![
                (Arc::clone(&one), replace("first")),
                (one, append(0)),
                (Arc::clone(&two), replace("second")),
                (Arc::clone(&two), append(4)),
                (two, CompletionStep::Create(path("c.pgn"))),
            ],
            ..Entries::default()
        };
        entries.abandon();
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
        let ledger = Ledger::default();
        let (_, file) = Pending::beside(path("a.pgn"), false, &ledger).unwrap();
        let (_, other) = Pending::beside(path("b.pgn"), false, &ledger).unwrap();
        fs::remove_file(&file.temporary).unwrap();
        fs::create_dir(&file.temporary).unwrap();
        let (index, _) = complete(&[&file, &other], &ALLOWED).unwrap_err();
        assert_eq!(index, 0);
        fs::remove_dir(&file.temporary).unwrap();
        drop((file, other));
        assert_eq!(names(folder.path()), ["a.pgn"]);
        assert_eq!(fs::read(path("a.pgn")).unwrap(), b"old");
    }

    /// Then the old file stays, and the new one is gone.
    #[test]
    fn a_file_that_may_not_be_replaced_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        fs::write(&path, "old").unwrap();
        let (_, file) = Pending::beside(path.clone(), false, &Ledger::default()).unwrap();
        let check = || Err(io::Error::other("no"));
        assert!(complete(&[&file], &check).is_err_and(|(_, why)| why.to_string() == "no"));
        drop(file);
        assert_eq!(names(folder.path()), ["a.pgn"]);
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }

    /// An empty addition changes nothing: not even the last line gets its end.
    #[test]
    fn nothing_is_appended_for_an_empty_addition() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        fs::write(&path, "no end of line").unwrap();
        let (_, file) = Pending::beside(path.clone(), true, &Ledger::default()).unwrap();
        complete(&[&file], &ALLOWED).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"no end of line");
    }

    /// As on file systems without hard links.
    #[test]
    fn a_file_takes_only_an_unused_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a.pgn"), "old").unwrap();
        fs::write(path("used"), "other").unwrap();
        let error = rename_to_unused(&path("a.pgn"), &path("used")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(path("used")).unwrap(), b"other");
        assert!(rename_to_unused(&path("missing"), &path("unused")).is_err());
        assert_eq!(names(folder.path()), ["a.pgn", "used"]);
        rename_to_unused(&path("a.pgn"), &path("unused")).unwrap();
        assert_eq!(names(folder.path()), ["unused", "used"]);
    }

    /// All files get their names. Then one of the two ledgers is abandoned, before the completion
    /// ends. The completion fails and undoes the files of both ledgers.
    #[test]
    fn outputs_that_are_abandoned_last_are_undone_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a.pgn"), "old").unwrap();
        fs::write(path("b.pgn"), "old").unwrap();
        let ledgers = [Ledger::default(), Ledger::default()];
        let begin = |name: &str, append: bool, ledger: &Ledger| {
            let (mut file, pending) = Pending::beside(path(name), append, ledger).unwrap();
            file.write_all(b"new").unwrap();
            pending
        };
        let files = [
            begin("a.pgn", false, &ledgers[0]),
            begin("b.pgn", true, &ledgers[1]),
            begin("c.pgn", false, &ledgers[1]),
        ];
        let files = files.each_ref();
        let mut completion = Completion { id: Arc::new(()), is_single: false, recorded: 0 };
        for file in files {
            file.complete(&mut completion, &ALLOWED).unwrap();
        }
        assert_eq!(fs::read(path("a.pgn")).unwrap(), b"new");
        drop(ledgers[1].abandon());
        let (index, error) = completion.end(&files, Ok(())).unwrap_err();
        assert_eq!(index, 1, "{error}");
        assert_eq!(names(folder.path()), ["a.pgn", "b.pgn"]);
        assert_eq!(fs::read(path("a.pgn")).unwrap(), b"old");
        assert_eq!(fs::read(path("b.pgn")).unwrap(), b"old");
    }

    /// Two runs write to the same folder, even to the same file. One is abandoned: the other does
    /// not notice.
    #[test]
    fn a_ledger_abandons_only_its_own_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a.pgn"), "old").unwrap();
        let (abandoned, other) = (Ledger::default(), Ledger::default());
        let begin = |ledger: &Ledger, name: &str, append: bool, text: &[u8]| {
            let (mut file, pending) = Pending::beside(path(name), append, ledger).unwrap();
            file.write_all(text).unwrap();
            pending
        };
        let lost =
            [begin(&abandoned, "a.pgn", false, b"lost"), begin(&abandoned, "b.pgn", true, b"lost")];
        let kept = [begin(&other, "a.pgn", false, b"new"), begin(&other, "c.pgn", true, b"new")];
        let held = abandoned.abandon();
        complete(&[&kept[0], &kept[1]], &ALLOWED).unwrap();
        drop(held);
        for file in &lost {
            assert!(
                complete(&[file], &ALLOWED)
                    .is_err_and(|(_, why)| why.to_string().contains("abandoned"))
            );
        }
        assert!(complete(&[&lost[0], &lost[1]], &ALLOWED).is_err());
        assert!(Pending::beside(path("d.pgn"), false, &abandoned).is_err());
        drop((lost, kept));
        assert_eq!(names(folder.path()), ["a.pgn", "c.pgn"]);
        assert_eq!(fs::read(path("a.pgn")).unwrap(), b"new");
        assert_eq!(fs::read(path("c.pgn")).unwrap(), b"new");
    }
}
