//! The folder of scans that can be resumed, and what earlier ones have left in it.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use babson_input::FileNumber;

use super::part_file::{MAGIC_WORDS, SliceResult};
use super::slice::Slice;
use crate::error::Error;

/// Marks the folder as used while a scan keeps parts in it.
///
/// A lock of the folder itself leaves no file behind, and the system removes it with the process.
/// Where a folder cannot be locked, nothing of other scans is removed from it.
#[derive(Debug)]
pub(super) struct FolderInUse {
    folder: PathBuf,
    lock: Option<File>,
}

impl FolderInUse {
    /// Enters the folder, which is created, for the scan of this name, `PLAN-MARK`. If no other
    /// scan uses it, removes files of earlier scans that no scan needs any more.
    pub(super) fn enter(folder: &Path, scan: &str) -> io::Result<FolderInUse> {
        let lock = || -> io::Result<File> {
            let file = File::open(folder)?;
            match file.try_lock() {
                Ok(()) => {
                    // What cannot be removed stays: it is in nobody's way.
                    let _ = remove_stale(folder, scan);
                    file.unlock()?;
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // Waits only while another scan removes files.
            file.lock_shared()?;
            Ok(file)
        };
        loop {
            fs::create_dir_all(folder)?;
            // A scan that has just ended may have removed the folder before it was opened or
            // locked.
            let lock = match lock() {
                Ok(lock) => Some(lock),
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(_) => None,
            };
            if lock.as_ref().is_none_or(|lock| is_at(lock, folder)) {
                return Ok(FolderInUse { folder: folder.to_owned(), lock });
            }
        }
    }

    /// Ends the use. Returns the folder locked for this scan alone, or `None` if another scan uses
    /// it. Of several scans that leave the folder, the last one gets it.
    fn leave(self) -> Option<FolderInUse> {
        let Some(lock) = &self.lock else { return Some(self) };
        // A lock that is held is not made exclusive: another scan could wait for the same.
        let is_alone = lock.unlock().is_ok() && lock.try_lock().is_ok();
        is_alone.then_some(self)
    }
}

/// Whether an open folder still has its name.
fn is_at(open: &File, folder: &Path) -> bool {
    let named = File::open(folder).ok().and_then(|named| FileNumber::of_open(&named));
    named.is_some() && named == FileNumber::of_open(open)
}

/// The parts that a scan keeps in a folder. As long as this value lives, no other scan removes
/// them.
///
/// See [`ResumedScan`](crate::ResumedScan).
#[derive(Debug)]
#[must_use = "the parts stay in their folder until they are removed"]
pub struct KeptParts {
    paths: Vec<PathBuf>,
    /// The name of the scan.
    scan: String,
    in_use: FolderInUse,
}

impl KeptParts {
    pub(super) fn new(paths: Vec<PathBuf>, scan: String, in_use: FolderInUse) -> KeptParts {
        KeptParts { paths, scan, in_use }
    }

    /// The paths of the parts. A scan that ended before its last slice has not written all of them.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Removes the parts, and their folder if nothing else is in it.
    ///
    /// While another scan uses the folder, the parts stay: it may be the same scan and need them.
    /// An empty file, `PLAN-MARK.done`, tells the last scan that ends to remove them. Where the
    /// system cannot lock a folder, they are always removed.
    pub fn remove(self) {
        let folder = self.in_use.folder.clone();
        if self.in_use.lock.is_some() {
            let _ = File::create(folder.join(format!("{}.done", self.scan)));
        }
        let Some(_alone) = self.in_use.leave() else { return };
        for path in &self.paths {
            let _ = fs::remove_file(path);
        }
        let _ = remove_done(&folder, None);
        let _ = fs::remove_dir(&folder);
    }
}

/// The folders that were made for a scan, the innermost first.
#[derive(Debug, Default)]
pub(super) struct NewFolders(Vec<PathBuf>);

impl NewFolders {
    /// Creates a folder, with those that it is in. What exists stays as it is.
    pub(super) fn create(folder: &Path) -> io::Result<NewFolders> {
        let is_missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let missing: Vec<&Path> = folder.ancestors().take_while(is_missing).collect();
        let mut made = NewFolders::default();
        for path in missing.into_iter().rev() {
            // One that another process has made since is not ours.
            if fs::create_dir(path).is_ok() {
                made.0.insert(0, path.to_owned());
            }
        }
        match fs::create_dir_all(folder) {
            Ok(()) => Ok(made),
            Err(error) => {
                made.remove_empty();
                Err(error)
            }
        }
    }

    /// Removes those in which nothing is, unless another scan uses the innermost one.
    pub(super) fn remove_empty(self) {
        let Some(innermost) = self.0.first() else { return };
        let open = File::open(innermost).ok();
        // Another scan that uses the folder would miss it.
        let is_used = |open: &File| matches!(open.try_lock(), Err(TryLockError::WouldBlock));
        if open.as_ref().is_some_and(is_used) {
            return;
        }
        // The lock is held until the folder is removed, except where an open folder cannot be.
        let lock = open.filter(|_| cfg!(unix));
        let mut folders = self.0.iter();
        let is_removed = folders.next().is_some_and(|folder| fs::remove_dir(folder).is_ok());
        drop(lock);
        if is_removed {
            // The first one that is not empty ends it: so are those that it is in.
            let _ = folders.try_for_each(fs::remove_dir);
        }
    }
}

/// Removes unfinished parts of scans that were killed, parts of other plans whose input was changed
/// since, and parts of other scans that have ended. Other files stay, whoever made them.
fn remove_stale(folder: &Path, scan: &str) -> io::Result<()> {
    let plan_of = |scan: &str| scan.split('-').next().map(str::to_owned);
    remove_files(folder, |path, kind| match kind {
        FileKind::Unfinished => begins_as_part(path).unwrap_or(false),
        FileKind::Finished(other) => {
            plan_of(other) != plan_of(scan) && is_outdated(path).unwrap_or(false)
        }
        FileKind::Done(_) => false,
    })?;
    remove_done(folder, Some(scan))
}

/// Removes the parts of scans that have ended, and what tells it. The parts of the scan `but` stay,
/// which is run again.
fn remove_done(folder: &Path, but: Option<&str>) -> io::Result<()> {
    let mut done = BTreeSet::new();
    remove_files(folder, |path, kind| match kind {
        FileKind::Unfinished | FileKind::Finished(_) => false,
        FileKind::Done(scan) => {
            let is_ours = fs::metadata(path).is_ok_and(|data| data.len() == 0);
            if is_ours && but != Some(scan) {
                done.insert(scan.to_owned());
            }
            is_ours
        }
    })?;
    remove_files(folder, |path, kind| match kind {
        FileKind::Unfinished | FileKind::Done(_) => false,
        FileKind::Finished(scan) => done.contains(scan) && begins_as_part(path).unwrap_or(false),
    })
}

/// Removes the files of the folder that are `stale`. Files with names of another kind stay.
fn remove_files(
    folder: &Path,
    mut stale: impl FnMut(&Path, FileKind<'_>) -> bool,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        let kind = name.to_str().and_then(FileKind::of_name);
        let kind = kind.filter(|_| entry.file_type().is_ok_and(|kind| kind.is_file()));
        if kind.is_some_and(|kind| stale(&path, kind)) {
            let _ = fs::remove_file(path);
        }
    }
    Ok(())
}

/// What a file of the folder is by its name. The name of a scan is `PLAN-MARK`.
enum FileKind<'n> {
    /// A part of this scan: `PLAN-MARK-INDEX.part`.
    Finished(&'n str),
    /// The temporary file of a part: a dot, the name of the part, `.PROCESS-NUMBER.tmp`.
    Unfinished,
    /// Tells that this scan has ended and needs no parts: `PLAN-MARK.done`.
    Done(&'n str),
}

impl FileKind<'_> {
    fn of_name(name: &str) -> Option<FileKind<'_>> {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let is_mark = |text: &str| {
            text.len() == 8 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        };
        let is_scan = |text: &str| {
            text.split_once('-').is_some_and(|(plan, mark)| is_mark(plan) && is_mark(mark))
        };
        let is_part = |text: &str| {
            text.rsplit_once('-').is_some_and(|(scan, index)| is_scan(scan) && is_number(index))
        };
        if let Some(stem) = name.strip_suffix(".part").filter(|stem| is_part(stem)) {
            return stem.rsplit_once('-').map(|(scan, _)| FileKind::Finished(scan));
        }
        if let Some(scan) = name.strip_suffix(".done").filter(|scan| is_scan(scan)) {
            return Some(FileKind::Done(scan));
        }
        let (stem, rest) = name.strip_prefix('.')?.strip_suffix(".tmp")?.split_once(".part.")?;
        let (process, number) = rest.split_once('-')?;
        (is_part(stem) && is_number(process) && is_number(number)).then_some(FileKind::Unfinished)
    }
}

/// Whether a file holds the beginning of a part, or nothing yet.
fn begins_as_part(path: &Path) -> io::Result<bool> {
    let mut first = Vec::new();
    File::open(path)?.take(MAGIC_WORDS.len() as u64).read_to_end(&mut first)?;
    Ok(MAGIC_WORDS.starts_with(&first))
}

/// Whether the input of a part is not the one that was searched.
fn is_outdated(path: &Path) -> Result<bool, Error> {
    let result = SliceResult::open(path)?;
    let slice: &Slice = result.slice();
    match slice.check() {
        Ok(()) => {}
        Err(Error::Slice { .. }) => return Ok(true),
        // An input that cannot be read may come back.
        Err(error) => return Err(error),
    }
    // To read the text of each part would take long: a change of it shows by its time.
    let modified = |path: &Path| fs::metadata(path).and_then(|data| data.modified());
    let fail = |source| Error::read(path.display().to_string(), source);
    let searched = modified(path).map_err(fail)?;
    for input in slice.input_names() {
        if modified(Path::new(&input)).map_err(fail)? > searched {
            return Ok(true);
        }
    }
    Ok(false)
}
