//! Zip archives as inputs: each of their databases is an input.

#[cfg(all(test, feature = "bzip2", feature = "gzip", feature = "xz", feature = "zip"))]
mod tests;

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};

use babson_vm::{ArchiveReason, InputReason};

use super::archive_directory::{Directory, MemberEntry};
use super::counting::Counting;
use super::decode::{Source, decode};
use super::extension::{
    is_archive_name, is_compressed_name, is_games_name, is_table_name, is_text_name,
};
use super::folder::is_hidden;
use super::skipped::SkipReason;
use super::sniff::holds_pgn;
use super::watch::{Stamp, Watch};
use super::{Input, OpenInput};
use crate::error::InputError;

/// A zip archive, whose list of members is read when it is needed.
pub struct Archive {
    path: PathBuf,
    /// Opens the archive if it is not the file of the path.
    reader: Option<Box<OpenArchive>>,
    /// What the archive was when its list was read, if it is a file, and the list.
    directory: OnceLock<(Option<Stamp>, Directory)>,
}

/// Gives the bytes of an archive, as often as it is called.
type OpenArchive = dyn Fn() -> io::Result<ArchiveBytes> + Send + Sync;

/// The bytes of an archive.
type ArchiveBytes = Box<dyn SeekRead>;

/// An open file, and what it was when it was opened.
type StampedFile = (Arc<File>, Stamp);

trait SeekRead: Read + Seek + Send {}

impl<R: Read + Seek + Send> SeekRead for R {}

impl fmt::Debug for Archive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Archive").field(&self.path).finish()
    }
}

impl Archive {
    /// The archive of a path. Nothing is read.
    pub fn at(path: impl Into<PathBuf>) -> Arc<Archive> {
        Arc::new(Archive { path: path.into(), reader: None, directory: OnceLock::new() })
    }

    /// The archive whose bytes `open` gives, as often as it is called: once for the list of members
    /// and once for each member. Nothing is read.
    pub(super) fn of_reader<R: Read + Seek + Send + 'static>(
        name: &str,
        open: impl Fn() -> io::Result<R> + Send + Sync + 'static,
    ) -> Arc<Archive> {
        let reader = move || open().map(|bytes| Box::new(bytes) as ArchiveBytes);
        let (path, directory) = (PathBuf::from(name), OnceLock::new());
        Arc::new(Archive { path, reader: Some(Box::new(reader)), directory })
    }

    fn error(&self, reason: impl Into<InputReason>) -> InputError {
        broken(self.path.display().to_string(), reason)
    }

    /// Opens the archive. Returns its bytes and, if it is a file, the file with its stamp.
    fn open(&self) -> io::Result<(ArchiveBytes, Option<StampedFile>)> {
        if let Some(open) = &self.reader {
            return Ok((open()?, None));
        }
        let file = Arc::new(File::open(&self.path)?);
        let stamp = Stamp::of(&file)?;
        Ok((Box::new(Arc::clone(&file)), Some((file, stamp))))
    }

    fn directory(&self) -> Result<&(Option<Stamp>, Directory), InputError> {
        if let Some(directory) = self.directory.get() {
            return Ok(directory);
        }
        let fail = |source| InputError::Read { path: self.path.display().to_string(), source };
        let (bytes, file) = self.open().map_err(fail)?;
        let stamp = file.map(|(_, stamp)| stamp);
        let directory = Directory::read(bytes).map_err(|source| InputError::Decompress {
            path: self.path.display().to_string(),
            source,
        })?;
        Ok(self.directory.get_or_init(|| (stamp, directory)))
    }

    /// The databases of the archive, or of the folder or member `within` it, in order of name.
    /// `skipped` gets the members that are not read, in order of name.
    ///
    /// To open one is an error if it is damaged or encrypted, is compressed by a method that is not
    /// known, or is an archive or a table.
    ///
    /// # Errors
    /// The archive is broken.
    pub(super) fn databases(
        self: &Arc<Archive>,
        within: &Path,
        skipped: &mut dyn FnMut(&Path, SkipReason),
    ) -> Result<Vec<Input>, InputError> {
        let (_, directory) = self.directory()?;
        let mut found: Vec<ArchiveMember> = Vec::new();
        let mut others: Vec<ArchiveMember> = Vec::new();
        for (name, entry) in directory.members() {
            let member = ArchiveMember { archive: Arc::clone(self), name: name.to_owned() };
            if !member.is_in(within) || member.is_hidden() {
                continue;
            }
            match member.is_database(entry) {
                true => found.push(member),
                false => others.push(member),
            }
        }
        for members in [&mut found, &mut others] {
            members.sort_by(|one, two| Path::new(&one.name).cmp(Path::new(&two.name)));
        }
        self.check_overlaps(directory, &found)?;
        others.iter().for_each(|member| skipped(&member.full_path(), member.skip_reason()));
        Ok(found.into_iter().map(Input::Member).collect())
    }

    /// An error if two members share data, as in archives that are made to give endless output.
    fn check_overlaps(
        &self,
        directory: &Directory,
        found: &[ArchiveMember],
    ) -> Result<(), InputError> {
        let mut extents: Vec<(Range<u64>, &ArchiveMember)> = Vec::new();
        for member in found {
            let entry = directory.member(&member.name).ok_or_else(|| member.missing())?;
            extents.push((entry.extent.clone(), member));
        }
        extents.sort_by_key(|(extent, _)| (extent.start, extent.end));
        let shared = extents.windows(2).find(|pair| pair[0].0.end > pair[1].0.start);
        match shared {
            Some([_, (_, member)]) => Err(member.error(ArchiveReason::SharedData)),
            Some(_) | None => Ok(()),
        }
    }
}

/// The error of an archive or a member that cannot be read.
fn broken(path: String, reason: impl Into<InputReason>) -> InputError {
    InputError::Decompress { path, source: reason.into().into_error() }
}

/// A database in a zip archive, as an input. [`Input::expand`] makes one for each database of an
/// archive. The archive may be read several times.
#[derive(Clone)]
pub struct ArchiveMember {
    archive: Arc<Archive>,
    name: String,
}

impl ArchiveMember {
    /// The member of this name.
    pub fn new(archive: Arc<Archive>, name: String) -> ArchiveMember {
        ArchiveMember { archive, name }
    }

    /// The path of the archive.
    pub fn archive(&self) -> &Path {
        &self.archive.path
    }

    /// The name in the archive, with folders.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name in messages: the archive, a slash, and the name in the archive.
    pub(super) fn full_name(&self) -> String {
        format!("{}/{}", self.archive.path.display(), self.name)
    }

    /// The same as a path.
    fn full_path(&self) -> PathBuf {
        let mut path = self.archive.path.as_os_str().to_owned();
        path.push("/");
        path.push(&self.name);
        PathBuf::from(path)
    }

    fn error(&self, reason: impl Into<InputReason>) -> InputError {
        broken(self.full_name(), reason)
    }

    fn missing(&self) -> InputError {
        self.archive.error(ArchiveReason::NoMember(self.name.clone()))
    }

    fn entry(&self) -> Result<&MemberEntry, InputError> {
        let (_, directory) = self.archive.directory()?;
        directory.member(&self.name).ok_or_else(|| self.missing())
    }

    /// Where its compressed bytes are in the archive.
    pub(super) fn extent(&self) -> Result<Range<u64>, InputError> {
        self.entry().map(|entry| entry.extent.clone())
    }

    /// Whether the member is this one, or in this folder. A slash or `.` before its name does not
    /// count: after the name of the archive and a slash, neither adds anything to a path.
    fn is_in(&self, within: &Path) -> bool {
        let is_name =
            |part: &Component<'_>| !matches!(part, Component::RootDir | Component::CurDir);
        let path: PathBuf = Path::new(&self.name).components().filter(is_name).collect();
        path.starts_with(within)
    }

    /// Whether the member is left out whatever its extension is.
    fn is_hidden(&self) -> bool {
        // The folder of macOS has a file for each other file, with the same extension. A name with
        // `.` or `..` in it, as zip programs write them, is a usual one: nothing is unpacked, so
        // the name cannot lead out of a folder.
        Path::new(&self.name).components().any(|component| match component {
            Component::Normal(name) => is_hidden(name) || name == "__MACOSX",
            Component::Prefix(_)
            | Component::RootDir
            | Component::CurDir
            | Component::ParentDir => false,
        })
    }

    /// Whether the member is a database, or has the name of one.
    fn is_database(&self, entry: &MemberEntry) -> bool {
        let name = OsStr::new(&self.name);
        if is_games_name(name) || is_archive_name(name) {
            return true;
        }
        // A text whose beginning cannot be read may be one.
        let holds_pgn = || holds_pgn(self.source().ok()?.bytes, name).ok();
        is_text_name(name) && (entry.problem.is_some() || holds_pgn().unwrap_or(true))
    }

    /// Why the member is not read, if it is not a database.
    fn skip_reason(&self) -> SkipReason {
        let open = || self.source().map(|source| source.bytes).map_err(io::Error::other);
        SkipReason::of(OsStr::new(&self.name), open)
    }

    /// An error if the member cannot be read, as the list of the archive says.
    fn check(&self) -> Result<(), InputError> {
        let name = OsStr::new(&self.name);
        if let Some(problem) = &self.entry()?.problem {
            return Err(self.error(problem.clone()));
        }
        if is_archive_name(name) {
            return Err(self.error(InputReason::ArchiveInArchive));
        }
        if is_table_name(name) {
            return Err(self.error(InputReason::TableInArchive));
        }
        Ok(())
    }

    /// The text of the member.
    fn source(&self) -> Result<Source, InputError> {
        let entry = self.entry()?;
        let (stamp, _) = self.archive.directory()?;
        let name = self.full_name();
        let fail = |source| InputError::Read { path: name.clone(), source };
        let (mut bytes, file) = self.archive.open().map_err(fail)?;
        let mut watch = None;
        if let (Some((file, now)), Some(stamp)) = (file, stamp) {
            stamp.check(&name, &now)?;
            watch = Some(Watch::with_stamp(file, &name, stamp));
        }
        bytes.seek(SeekFrom::Start(entry.extent.start)).map_err(fail)?;
        let taken = Arc::new(AtomicU64::new(0));
        let compressed = bytes.take(entry.extent.end - entry.extent.start);
        let text = entry.decode(Counting::new(Box::new(compressed), &taken));
        let bytes = text.map_err(|source| InputError::Decompress { path: name.clone(), source })?;
        Ok(Source { bytes, taken, watch, in_archive: true })
    }

    /// Opens the member, which may be a compressed file.
    pub(super) fn open(&self) -> Result<OpenInput, InputError> {
        self.check()?;
        decode(self.source()?, &self.full_name(), is_compressed_name(OsStr::new(&self.name)))
    }
}

impl fmt::Debug for ArchiveMember {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ArchiveMember").field(&self.full_name()).finish()
    }
}

impl PartialEq for ArchiveMember {
    fn eq(&self, other: &ArchiveMember) -> bool {
        (self.archive(), &self.name) == (other.archive(), &other.name)
    }
}

impl Eq for ArchiveMember {}
