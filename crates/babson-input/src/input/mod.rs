//! Inputs: files, mapped or read, plain or compressed; folders; zip archives; standard input;
//! readers and bytes.
//!
//! The compression of a file is recognized by its first bytes. A file with the extension of another
//! compression, or of text, is still read. A file that is not compressed, but has the extension of
//! a compressed file, is refused: its first bytes are damaged.

mod archive;
mod archive_directory;
mod counting;
mod decode;
mod decoded_text;
mod extension;
mod folder;
mod foreign;
mod mapped;
#[cfg(not(feature = "table"))]
#[path = "no_open_table.rs"]
mod open_table;
#[cfg(feature = "table")]
mod open_table;
mod opened;
mod opened_file;
mod pgn_text;
mod reader;
mod refusal;
mod skipped;
mod sniff;
mod table;
#[cfg(all(test, feature = "bzip2", feature = "gzip", feature = "xz", feature = "zstd"))]
mod tests;
mod watch;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use babson_pgn::FileSignature;
use babson_vm::InputReason;
use memmap2::Mmap;

use crate::codec::{Codec, MAGIC_LEN};
use crate::error::InputError;
use crate::remote::{RemoteFile, is_remote_name};
pub use archive::Archive;
pub use archive::ArchiveMember;
use decode::{Source, decode};
pub use decoded_text::DecompressedText;
use extension::says_compressed;
pub use extension::{is_database_name, is_table_name, may_be_database_name};
pub use foreign::{foreign_help, is_foreign_name};
pub use mapped::{MappedFile, mapped_files};
pub use open_table::OpenTable;
#[cfg(feature = "table")]
pub use open_table::TableSummary;
pub use opened::OpenInput;
pub use opened_file::OpenedFile;
pub use pgn_text::begins_as_pgn;
pub use reader::InputReader;
use refusal::unreadable;
pub use skipped::SkipReason;
pub use sniff::{begins_as_compressed, begins_as_utf16, is_database_file};
pub use watch::{InputStamps, Watch};

/// An input that is not open yet.
///
/// Its text is plain or compressed with zstd, gzip, xz or bzip2, which is recognized by its first
/// bytes.
///
/// ```
/// use babson_input::Input;
///
/// // A socket, the output of another program, an entry of an archive: any `Read`.
/// let reader = &b"[White \"Adams\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n"[..];
/// let inputs = [
///     Input::reader("the live games", reader),
///     Input::bytes("two games", *b"[White \"a\"]\n\n*\n\n[White \"b\"]\n\n*\n"),
/// ];
/// let counts = inputs.each_ref().map(|input| input.games().count());
/// assert_eq!(counts, [1, 2]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
    /// Bytes in memory.
    Bytes {
        /// The name in messages. If it has the extension of a compressed file, bytes that are not
        /// compressed are an error, as in a file of this name.
        name: String,
        /// The text, plain or compressed.
        bytes: Arc<[u8]>,
    },
    /// A reader of the caller, which can be read once: see [`Input::reader`].
    Reader(InputReader),
    /// A database in a zip archive: see [`Input::expand`].
    Member(ArchiveMember),
    /// A file on a server or in an object store: see [`Input::expand`].
    Remote(RemoteFile),
    /// A file that is open already: see [`Input::opened`].
    Opened(OpenedFile),
}

/// What is wrong with an archive that has no database.
const NO_MEMBER: &str = "the archive holds no PGN file";

impl Input {
    /// Bytes in memory, with a name for messages.
    pub fn bytes(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Input {
        Input::Bytes { name: name.into(), bytes: bytes.into() }
    }

    /// A reader, with a name for messages. It is read to its end in pieces, from another thread, so
    /// it should be cheap to read or buffer its source itself.
    ///
    /// If the reader returns an error, the input ends with [`InputError::Read`], or with
    /// [`InputError::Decompress`] if the text is compressed. The message tells how many games were
    /// read before it. Since the reader can be read only once, a second scan of the input is an
    /// error, and so is a query that must know the number of all games before the search.
    pub fn reader(name: impl Into<String>, reader: impl Read + Send + 'static) -> Input {
        Input::Reader(InputReader::new(name.into(), Box::new(reader)))
    }

    /// The inputs of an argument: `-` (also `stdin` and `/dev/stdin`) is standard input, and a
    /// folder stands for all databases in it and in its folders, in order of path: files with the
    /// extension of a database ([`is_database_name`]), and files `.txt` and compressed files of any
    /// name whose text begins as PGN does ([`begins_as_pgn`]). Hidden files and folders, pipes and
    /// devices in the folder are left out.
    ///
    /// A zip archive stands for its PGN files, plain or compressed, in order of name, as if it were
    /// a folder. The argument `games.zip/folder/a.pgn` is one member, `games.zip/folder` all
    /// members of that folder, and `games.zip/` all members.
    ///
    /// A URL is a file that is read over the network: `https://host/games.pgn.zst`,
    /// `s3://bucket/games.arrow`, `gs://bucket/…`, `az://container/…`. This needs the feature
    /// `remote`. Nothing is sent before the input is opened or a caller wants its size.
    ///
    /// ```
    /// use babson_input::Input;
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path();
    /// std::fs::create_dir(path.join("club"))?;
    /// std::fs::write(path.join("a.pgn"), "1. e4 e5 *")?;
    /// std::fs::write(path.join("club/b.txt"), "1. d4 d5 *")?;
    /// assert_eq!(Input::expand(path)?.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A file that cannot be read and a broken archive are inputs. So is a member of an archive
    /// that cannot be searched, because it is encrypted, has an unknown compression, or is itself
    /// an archive or a game table. A scan [reports](babson_vm::Event::BrokenInput) what is wrong
    /// with them, and searches the others.
    ///
    /// # Errors
    /// The name does not exist, or the folder or the archive has no database, or the folder cannot
    /// be read.
    pub fn expand(name: impl AsRef<Path>) -> Result<Vec<Input>, InputError> {
        Input::expand_with(name, &mut |_, _| ())
    }

    /// As [`Input::expand`], but also calls `skipped` for files that it skips although they may
    /// hold games. In a folder, these are databases of another program and archives of a kind that
    /// is not read ([`is_foreign_name`]), and files of any other name whose text begins as PGN
    /// does. In an archive, these are all skipped members, since an archive rarely holds anything
    /// but games. Hidden files are not reported, and neither is a member that the argument names:
    /// the error is about it.
    ///
    /// ```
    /// use babson_input::{Input, SkipReason};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path();
    /// std::fs::write(path.join("a.pgn"), "1. e4 e5 *")?;
    /// std::fs::write(path.join("b.pgn.7z"), "7z")?;
    /// std::fs::write(path.join("games"), "1. d4 d5 *")?;
    /// std::fs::write(path.join("notes"), "d4 is good")?;
    /// let mut reasons = Vec::new();
    /// let inputs = Input::expand_with(path, &mut |_, reason| reasons.push(reason))?;
    /// assert_eq!((inputs.len(), reasons), (1, vec![SkipReason::Foreign, SkipReason::NotNamed]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Input::expand`].
    pub fn expand_with(
        name: impl AsRef<Path>,
        skipped: &mut dyn FnMut(&Path, SkipReason),
    ) -> Result<Vec<Input>, InputError> {
        let path = name.as_ref();
        if Input::is_stdin(path) {
            return Ok(vec![Input::Stdin]);
        }
        if is_remote_name(path) {
            return Ok(vec![Input::Remote(RemoteFile::parse(path)?)]);
        }
        let read = |source| InputError::Read { path: path.display().to_string(), source };
        let data = match std::fs::metadata(path) {
            Ok(data) => data,
            Err(source) => {
                let within = Input::in_archive(path, skipped);
                let within = within.or_else(|| Input::before_slash(path, skipped));
                return within.unwrap_or(Err(read(source)));
            }
        };
        let (inputs, reason) = if data.is_dir() {
            let mut inputs = Vec::new();
            for file in folder::databases(path, skipped)? {
                inputs.extend(Input::of_file(file, skipped));
            }
            (inputs, "the folder holds no PGN file and no game table")
        } else {
            (Input::of_file(path.to_owned(), skipped), NO_MEMBER)
        };
        match inputs.is_empty() {
            true => Err(read(io::Error::new(io::ErrorKind::NotFound, reason))),
            false => Ok(inputs),
        }
    }

    /// The databases of a zip archive whose bytes `open` gives, as often as it is called: see
    /// [`Input::expand`].
    ///
    /// # Errors
    /// The archive is broken, or has no database.
    pub fn archive<R: Read + Seek + Send + 'static>(
        name: &str,
        open: impl Fn() -> io::Result<R> + Send + Sync + 'static,
    ) -> Result<Vec<Input>, InputError> {
        let archive = Archive::of_reader(name, open);
        let members = archive.databases(Path::new(""), &mut |_, _| ())?;
        if members.is_empty() {
            let source = io::Error::new(io::ErrorKind::NotFound, NO_MEMBER);
            return Err(InputError::Read { path: name.to_owned(), source });
        }
        Ok(members)
    }

    /// The file as an input, or the members of an archive. A file that cannot be read is an input,
    /// too, and so is a broken archive: to open them is an error.
    fn of_file(path: PathBuf, skipped: &mut dyn FnMut(&Path, SkipReason)) -> Vec<Input> {
        let members = match is_archive(&path) {
            Ok(true) => Archive::at(&path).databases(Path::new(""), skipped).ok(),
            Ok(false) | Err(_) => None,
        };
        members.unwrap_or_else(|| vec![Input::File(path)])
    }

    /// Checks that the file of the input can be opened. Work that a broken input would end calls
    /// this before it begins.
    ///
    /// # Errors
    /// As [`Input::open`].
    #[cfg(feature = "table")]
    pub fn check(&self) -> Result<(), InputError> {
        let is_file = |path: &Path| std::fs::metadata(path).map_or(true, |data| data.is_file());
        match self {
            // To open a pipe takes its first bytes.
            Input::File(path) if !is_file(path) => Ok(()),
            Input::File(_) | Input::Member(_) | Input::Remote(_) => self.open(true).map(drop),
            Input::Opened(file) => file.open().map(drop),
            Input::Stdin | Input::Bytes { .. } | Input::Reader(_) => Ok(()),
        }
    }

    /// The archive that a path leads into.
    fn archive_of(path: &Path) -> Option<&Path> {
        // For Windows `a.zip/b/..` is the file `a.zip`.
        let is_file = |path: &&Path| path.file_name().is_some() && path.is_file();
        let archive = path.ancestors().skip(1).find(is_file)?;
        is_archive(archive).ok().filter(|is_archive| *is_archive).map(|_| archive)
    }

    /// The members that a path in an archive names; `None` if no part of it is an archive.
    fn in_archive(
        path: &Path,
        skipped: &mut dyn FnMut(&Path, SkipReason),
    ) -> Option<Result<Vec<Input>, InputError>> {
        let archive = Input::archive_of(path)?;
        let within = path.strip_prefix(archive).ok()?;
        let mut named = None;
        // A member that the path names is not one of several.
        let members =
            Archive::at(archive).databases(within, &mut |member, reason| match member == path {
                true => named = Some(reason),
                false => skipped(member, reason),
            });
        Some(members.and_then(|members| match members.is_empty() {
            true => {
                let reason = match named {
                    Some(reason) => reason.told_of(path),
                    None => "the archive has no PGN file of this name".to_owned(),
                };
                let source = io::Error::new(io::ErrorKind::NotFound, reason);
                Err(InputError::Read { path: path.display().to_string(), source })
            }
            false => Ok(members),
        }))
    }

    /// The inputs of a file with a slash after its name: the members of an archive, as for a
    /// folder; `None` if there is no such file.
    fn before_slash(
        path: &Path,
        skipped: &mut dyn FnMut(&Path, SkipReason),
    ) -> Option<Result<Vec<Input>, InputError>> {
        let file = path.components().as_path();
        if file.as_os_str() == path.as_os_str() || !file.is_file() {
            return None;
        }
        if is_archive(file).unwrap_or(false) {
            return Some(Input::expand_with(file, skipped));
        }
        let reason = "it is a file, not a folder: leave out the slash after its name";
        let source = io::Error::new(io::ErrorKind::NotADirectory, reason);
        Some(Err(InputError::Read { path: path.display().to_string(), source }))
    }

    /// The input of a name that is a file or a URL, without a look at it: a folder or an archive is
    /// not expanded.
    ///
    /// # Errors
    /// The URL is not one of a file.
    pub fn named(name: impl AsRef<Path>) -> Result<Input, InputError> {
        let path = name.as_ref();
        match is_remote_name(path) {
            true => RemoteFile::parse(path).map(Input::Remote),
            false => Ok(Input::File(path.to_owned())),
        }
    }

    /// Whether a name stands for standard input.
    pub fn is_stdin(path: &Path) -> bool {
        let is_stdin = ["-", "stdin"].iter().any(|name| path.as_os_str() == *name);
        is_stdin || (cfg!(unix) && path == Path::new("/dev/stdin"))
    }

    /// Opens the file of the input now, for many scans: they share the mapped bytes, and what was
    /// read of a game table. If the file gets another name or is replaced, they still read the file
    /// that was opened. If it has changed, they end with [`InputError::Changed`]. An input that is
    /// not a plain file or a table, or cannot be mapped, stays as it is.
    ///
    /// ```
    /// use babson_input::Input;
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("a.pgn");
    /// std::fs::write(&path, "1. e4 e5 *")?;
    /// let input = Input::File(path.clone()).opened()?;
    /// std::fs::remove_file(&path)?;
    /// assert_eq!(input.games().count(), 1);
    /// assert_eq!(input.games().count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Input::open`].
    pub fn opened(self) -> Result<Input, InputError> {
        match &self {
            Input::File(path) => {
                let opened = OpenedFile::of(path.clone(), self.name(), self.open(true)?);
                Ok(opened.map_or(self, Input::Opened))
            }
            Input::Stdin
            | Input::Bytes { .. }
            | Input::Reader(_)
            | Input::Member(_)
            | Input::Remote(_)
            | Input::Opened(_) => Ok(self),
        }
    }

    /// The name in messages.
    pub fn name(&self) -> String {
        match self {
            Input::File(path) => path.display().to_string(),
            Input::Stdin => "<stdin>".to_owned(),
            Input::Bytes { name, .. } => name.clone(),
            Input::Reader(reader) => reader.name().to_owned(),
            Input::Member(member) => member.full_name(),
            Input::Remote(file) => file.name().to_owned(),
            Input::Opened(file) => file.name().to_owned(),
        }
    }

    /// The size in bytes if it is known: the full length of the progress bar. For a member of an
    /// archive, the size that it takes in the archive. The first call asks the server of a
    /// remote file.
    pub fn size(&self) -> Option<u64> {
        match self {
            Input::File(path) => {
                std::fs::metadata(path).ok().filter(|data| data.is_file()).map(|data| data.len())
            }
            Input::Bytes { bytes, .. } => Some(bytes.len() as u64),
            Input::Member(member) => member.extent().ok().map(|extent| extent.end - extent.start),
            Input::Remote(file) => file.length().ok(),
            Input::Opened(file) => Some(file.size()),
            Input::Stdin | Input::Reader(_) => None,
        }
    }

    /// The size of all of these inputs whose size is known.
    pub fn total_size(inputs: &[Input]) -> u64 {
        inputs.iter().filter_map(Input::size).sum()
    }

    /// The bytes of the input in its file; `None` if the input is not a regular file or a part of
    /// one. The path of a remote file is its URL.
    ///
    /// # Errors
    /// The archive of the input cannot be read, or a server does not tell the length of the file.
    pub fn file_extent(&self) -> Result<Option<(&Path, Range<u64>)>, InputError> {
        Ok(match self {
            // A pipe has a name, but no size.
            Input::File(path) => self.size().map(|length| (path.as_path(), 0..length)),
            Input::Member(member) => Some((member.archive(), member.extent()?)),
            Input::Remote(file) => {
                let length = file.length();
                let fail = |source| InputError::Read { path: self.name(), source };
                Some((file.url(), 0..length.map_err(fail)?))
            }
            Input::Stdin | Input::Bytes { .. } | Input::Reader(_) | Input::Opened(_) => None,
        })
    }

    /// The path of a file, also of the archive of a member.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Input::File(path) => Some(path),
            Input::Member(member) => Some(member.archive()),
            Input::Opened(file) => Some(file.path()),
            Input::Stdin | Input::Bytes { .. } | Input::Reader(_) | Input::Remote(_) => None,
        }
    }

    /// Opens the input. Plain files are mapped if `mapped` is set and the system can do it; all
    /// other inputs are streams.
    ///
    /// If another process truncates a mapped file, the system sends this process the signal SIGBUS,
    /// which ends it unless it is handled. A program that cannot exclude it does not map files.
    ///
    /// # Errors
    /// The input cannot be read. Or its first bytes show that Babson does not read this kind of
    /// file, or that it is not compressed though its name says so.
    pub fn open(&self, mapped: bool) -> Result<OpenInput, InputError> {
        self.open_with(if mapped { Some(mapped::map) } else { None })
    }

    /// Opens the input. Plain files are mapped by `map`.
    fn open_with(
        &self,
        map: Option<fn(&File) -> io::Result<Mmap>>,
    ) -> Result<OpenInput, InputError> {
        let name = self.name();
        let fail = |source| InputError::Read { path: name.clone(), source };
        let path = match self {
            Input::Stdin => {
                return decode(Source::new(Box::new(io::stdin()), None), &name, false);
            }
            Input::Bytes { bytes, .. } => {
                let compressed = says_compressed(OsStr::new(&name));
                let bytes = Box::new(io::Cursor::new(Arc::clone(bytes)));
                return decode(Source::new(bytes, None), &name, compressed);
            }
            Input::Reader(reader) => {
                let taken =
                    || fail(io::Error::other("it was read before and can be read only once"));
                let compressed = says_compressed(OsStr::new(&name));
                let source = Source::new(reader.take().ok_or_else(taken)?, None);
                return decode(source, &name, compressed);
            }
            Input::Member(member) => return member.open(),
            Input::Remote(file) => return open_remote(file),
            Input::Opened(file) => return file.open(),
            Input::File(path) => path,
        };
        let compressed = says_compressed(path.as_os_str());
        let file = Arc::new(File::open(path).map_err(fail)?);
        let data = file.metadata().map_err(fail)?;
        if data.is_dir() {
            return Err(fail(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory")));
        }
        // Pipes and files in /proc have no size: they are read, not mapped.
        if !data.is_file() || data.len() == 0 {
            return decode(Source::new(Box::new(file), None), &name, compressed);
        }
        let watch = Watch::new(Arc::clone(&file), &name, &data);
        let first = first_bytes(&file).map_err(fail)?;
        if begins_as_archive(path, &first) {
            // One that is sound comes as its members, see `expand`.
            Archive::at(path).databases(Path::new(""), &mut |_, _| ())?;
        }
        if let Some(map) = map {
            let is_plain = !compressed
                && FileSignature::of(&first).is_none_or(|format| {
                    Codec::of(&first) == Codec::Plain && unreadable(format).is_none()
                });
            // Some file systems cannot map files. Reading them gives the same chunks.
            if is_plain && let Ok(map) = map(&file) {
                let mapped = MappedFile::new(map, watch);
                if table::is_table(path.as_os_str(), &mapped) {
                    return table::of_map(mapped, &name);
                }
                return Ok(OpenInput::Mapped(Arc::new(mapped)));
            }
        }
        file.as_ref().rewind().map_err(fail)?;
        decode(Source::new(Box::new(file), Some(watch)), &name, compressed)
    }
}

/// Opens a file on a server: a table, whose parts are read when they are needed, or a stream.
#[cfg_attr(
    not(feature = "remote"),
    expect(unreachable_code, unused_variables, reason = "there are no such files")
)]
fn open_remote(file: &RemoteFile) -> Result<OpenInput, InputError> {
    let fail = |source| InputError::Read { path: file.name().to_owned(), source };
    let name = OsStr::new(file.name());
    let mut first = file.beginning().map_err(fail)?;
    first.truncate(MAGIC_LEN);
    if Codec::of(&first) == Codec::Zip || (first.is_empty() && extension::is_archive_name(name)) {
        return Err(fail(InputReason::ArchiveStream.into_error()));
    }
    if !says_compressed(name) && table::is_table(name, &first) {
        return table::of_remote(file);
    }
    let watch = Watch::of_remote(file.clone());
    let source = Source::new(file.read_from(0), Some(watch.clone()));
    let opened = decode(source, file.name(), says_compressed(name));
    // The first bytes may have failed because the file has changed.
    watch.check()?;
    opened
}

/// The first bytes of a file, as many as [`Codec::of`] needs.
fn first_bytes(file: &File) -> io::Result<Vec<u8>> {
    let mut first = Vec::with_capacity(MAGIC_LEN);
    file.take(MAGIC_LEN as u64).read_to_end(&mut first)?;
    Ok(first)
}

/// Whether a regular file is a zip archive. A file with the extension of an archive is one unless
/// it is compressed, so that damage in its first bytes is an error.
fn is_archive(path: &Path) -> io::Result<bool> {
    // To open a pipe would wait for its writer.
    if !std::fs::metadata(path)?.is_file() {
        return Ok(false);
    }
    Ok(begins_as_archive(path, &first_bytes(&File::open(path)?)?))
}

/// Whether a file with these first bytes is a zip archive.
fn begins_as_archive(path: &Path, first: &[u8]) -> bool {
    let is_named = || path.file_name().is_some_and(extension::is_archive_name);
    match Codec::of(first) {
        Codec::Zip => true,
        Codec::Plain => is_named(),
        Codec::Bzip2 | Codec::Gzip | Codec::Xz | Codec::Zstd => false,
    }
}
