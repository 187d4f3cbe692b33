//! The list of the unfinished files, which threads share.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use babson_input::FileNumber;

use super::cleanup::{CleanupError, remove_file, remove_folder};
use super::step::{CompletionId, CompletionStep};
use crate::leftovers::Leftovers;
use crate::limits::{MAX_NAMES_TRIED, MAX_REPEATED_NAME};

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
    pub(super) entries: Arc<Mutex<Entries>>,
}

/// Holds back threads that create or complete outputs of a [`Ledger`] that was
/// [abandoned](Ledger::abandon), until it is dropped.
#[derive(Debug)]
#[must_use = "threads go on when it is dropped"]
pub struct AbandonedOutputs<'l> {
    entries: MutexGuard<'l, Entries>,
}

impl AbandonedOutputs<'_> {
    /// As [`Ledger::cleanup_errors`], which would wait until this value is dropped.
    pub fn cleanup_errors(&mut self) -> Vec<CleanupError> {
        std::mem::take(&mut self.entries.cleanup_errors)
    }
}

#[derive(Debug, Default)]
pub(super) struct Entries {
    pub(super) temporary: Vec<PathBuf>,
    /// Temporary folders.
    pub(super) folders: Vec<PathBuf>,
    /// The steps of unfinished completions.
    pub(super) steps: Vec<(CompletionId, CompletionStep)>,
    /// What killed processes may have left.
    pub(super) leftovers: Leftovers,
    /// How many temporary names were tried. It is part of each name, so that all differ.
    pub(super) names: u64,
    /// What could not be removed or restored.
    pub(super) cleanup_errors: Vec<CleanupError>,
    /// Whether nothing may be created or completed any more.
    pub(super) abandoned: bool,
}

impl Entries {
    /// Calls `make` with temporary names in the folder of `target` until one is unused. The names
    /// have this ending.
    pub(super) fn with_unused_name<T>(
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
    pub(super) fn abandon(&mut self) {
        self.abandoned = true;
        let undone = self.steps.drain(..).rev().map(|(_, step)| step.undo());
        let removed = self.temporary.drain(..).map(|file| remove_file(&file));
        let folders = self.folders.drain(..).map(|folder| remove_folder(&folder));
        let all = undone.chain(removed).chain(folders);
        self.cleanup_errors.extend(all.filter_map(Result::err));
    }

    /// Gives an old file the name again that it had before its backup was made. The target is not
    /// replaced yet.
    pub(super) fn put_back(&mut self, backup: PathBuf, target: &Path) {
        match fs::rename(&backup, target) {
            // If the backup is a hard link to the target, `rename` leaves both names.
            Ok(()) => self.remove_file(&backup),
            // The backup is a hard link: the old file has both names.
            Err(_) if is_one_file(&backup, target) => self.remove_file(&backup),
            Err(source) => {
                let path = target.to_owned();
                self.cleanup_errors.push(CleanupError::Restore { path, backup, source });
            }
        }
    }

    /// Removes a file. A failure is kept for [`Ledger::cleanup_errors`].
    pub(super) fn remove_file(&mut self, path: &Path) {
        self.cleanup_errors.extend(remove_file(path).err());
    }

    /// An error once the outputs were abandoned.
    pub(super) fn check(&self) -> io::Result<()> {
        match self.abandoned {
            true => Err(io::Error::other("the outputs of this run were abandoned")),
            false => Ok(()),
        }
    }

    /// Removes the steps of a completion and returns them.
    pub(super) fn take_steps(&mut self, completion: &CompletionId) -> Vec<CompletionStep> {
        let taken = self.steps.extract_if(.., |(id, _)| Arc::ptr_eq(id, completion));
        taken.map(|(_, step)| step).collect()
    }
}

/// Whether two names are known to be of one file that exists.
fn is_one_file(one: &Path, other: &Path) -> bool {
    FileNumber::of(one).is_some_and(|number| FileNumber::of(other) == Some(number))
}

impl Ledger {
    pub(super) fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes the temporary files of all unfinished outputs and undoes unfinished completions.
    /// From now on it is an error to create or complete an output of this ledger. Threads that try
    /// wait until the result is dropped: a process that is about to end keeps it, so that they do
    /// not report that error.
    pub fn abandon(&self) -> AbandonedOutputs<'_> {
        let mut entries = self.lock();
        entries.abandon();
        AbandonedOutputs { entries }
    }

    /// Returns which files the system refused to remove or to restore since the last call. A run
    /// whose outputs are complete can leave a temporary file, too. Call it when the run has ended.
    pub fn cleanup_errors(&self) -> Vec<CleanupError> {
        std::mem::take(&mut self.lock().cleanup_errors)
    }

    /// Registers a folder that is removed if the outputs are [abandoned](Ledger::abandon).
    pub fn add_folder(&self, folder: PathBuf) {
        self.lock().folders.push(folder);
    }
}
