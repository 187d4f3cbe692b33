//! Zip archives as inputs: each of their databases is an input.

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

#[cfg(all(test, feature = "bzip2", feature = "gzip", feature = "xz", feature = "zip"))]
mod tests {
    use std::io::{Cursor, Write};

    use zip::write::SimpleFileOptions;

    use super::super::decode::tests as compressors;
    use super::super::tests::text;
    use super::*;
    use crate::error::FileChange;

    /// A zip archive of these members.
    fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::DEFLATE)
            .last_modified_time(zip::DateTime::default());
        for (name, bytes) in members {
            writer.start_file(*name, options).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    /// Where a field of the list of an archive is, given the index of a member and the offset in
    /// its entry.
    fn field(archive: &[u8], member: usize, offset: usize) -> usize {
        let starts = (0..archive.len()).filter(|&at| archive[at..].starts_with(b"PK\x01\x02"));
        starts.collect::<Vec<_>>()[member] + offset
    }

    fn put(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    fn error(path: &Path) -> String {
        let inputs = match Input::expand(path) {
            Ok(inputs) => inputs,
            Err(error) => return error.to_string(),
        };
        let errors = inputs.iter().filter_map(|input| input.open(true).err());
        errors.map(|error| error.to_string()).collect::<Vec<_>>().join("\n")
    }

    const GAME: &[u8] = b"[Event \"x\"]\n\n1. e4 *\n";

    #[test]
    fn the_databases_of_an_archive_are_inputs() {
        let folder = tempfile::tempdir().unwrap();
        let (gz, bz2, xz) =
            (compressors::gzip(b"gz"), compressors::bzip2(b"bz2"), compressors::xz(b"xz"));
        let archive = zip(&[
            ("z.pgn", b"z"),
            ("b/B.PGN", b"B"),
            ("a.pgn.xz", &xz),
            ("b/a.pgn.gz", &gz),
            ("b.pgn.bz2", &bz2),
            ("picture.png", b"\0\0"),
            ("games.txt", GAME),
            ("readme.txt", b"My games"),
            ("__MACOSX/b/._B.PGN", b"\0"),
            ("b/.hidden.pgn", b""),
        ]);
        for name in ["games.zip", "games.ZIP", "games", "games.pgn"] {
            let path = put(folder.path(), name, &archive);
            let inputs = Input::expand(&path).unwrap();
            let names: Vec<String> = inputs.iter().map(Input::name).collect();
            let of = |member: &str| format!("{}/{member}", path.display());
            let expected =
                ["a.pgn.xz", "b/B.PGN", "b/a.pgn.gz", "b.pgn.bz2", "games.txt", "z.pgn"].map(of);
            assert_eq!(names, expected);
            let texts = inputs.iter().map(|input| text(input.open(true).unwrap()));
            let expected: [&[u8]; 6] = [b"xz", b"B", b"gz", b"bz2", GAME, b"z"];
            assert_eq!(texts.collect::<Vec<_>>(), expected);
            assert_eq!(Input::expand(path.join("b/a.pgn.gz")).unwrap(), inputs[2..3]);
            assert_eq!(Input::expand(path.join("b")).unwrap(), inputs[1..3]);
            let missing = error(&path.join("c.pgn"));
            assert!(
                missing.ends_with("c.pgn: the archive has no PGN file of this name"),
                "{missing}"
            );
            std::fs::remove_file(path).unwrap();
        }
        assert!(error(&folder.path().join("none/a.pgn")).starts_with("cannot read "));
    }

    /// Nothing is unpacked, so no name is dangerous.
    #[test]
    fn names_that_lead_out_of_a_folder_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["../up.pgn", "./dot.pgn", "/abs.pgn", "a/../b.pgn", "here.pgn", "../.hid.pgn"];
        let members = names.map(|name| (name, name.as_bytes()));
        let path = put(folder.path(), "a.zip", &zip(&members));
        let inputs = Input::expand(&path).unwrap();
        let read: Vec<_> = inputs.iter().map(|input| text(input.open(true).unwrap())).collect();
        let mut expected = names[..5].to_vec();
        expected.sort_by(|one, two| Path::new(one).cmp(Path::new(two)));
        assert_eq!(read, expected.iter().map(|name| name.as_bytes()).collect::<Vec<_>>());
        for name in expected {
            let member = Input::expand(path.join(name.trim_start_matches('/'))).unwrap();
            assert_eq!(text(member[0].open(true).unwrap()), name.as_bytes(), "{name}");
        }
    }

    #[test]
    fn a_folder_has_the_databases_of_its_archives() {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), "b.pgn", b"");
        put(folder.path(), "a.zip", &zip(&[("x.pgn", b""), ("w.pgn", b"")]));
        put(folder.path(), "c.zip", &zip(&[("picture.png", b"")]));
        put(folder.path(), "d.zip", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
        let inputs = Input::expand(folder.path()).unwrap();
        let name = |input: &Input| input.name().rsplit_once("/").unwrap().1.to_owned();
        assert_eq!(inputs.iter().map(name).collect::<Vec<_>>(), ["w.pgn", "x.pgn", "b.pgn"]);
        for name in ["c.zip", "d.zip"] {
            let error = error(&folder.path().join(name));
            assert!(error.ends_with(".zip: the archive holds no PGN file"), "{error}");
        }
        put(folder.path(), "e.zip", b"\0\0");
        assert_eq!(Input::expand(folder.path()).unwrap().len(), 4);
        let error = error(folder.path());
        assert!(error.starts_with("cannot decompress ") && error.contains("e.zip: "), "{error}");
        assert_eq!(error.lines().count(), 1);
    }

    #[test]
    fn archives_that_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let two = zip(&[("a.pgn", GAME), ("b.pgn", &GAME.repeat(3))]);
        let changed = |at: usize, bytes: &[u8]| {
            let mut archive = two.clone();
            archive[at..at + bytes.len()].copy_from_slice(bytes);
            archive
        };
        let first_header = two[field(&two, 0, 42)..][..4].to_vec();
        for (archive, expected) in [
            (two[..two.len() / 2].to_vec(), "a.zip: it is not a whole zip archive"),
            (changed(field(&two, 1, 8), &[1]), "a.zip/b.pgn: it is encrypted: unpack the archive"),
            (
                changed(field(&two, 1, 10), &[14]),
                "a.zip/b.pgn: it is compressed by method 14 of zip",
            ),
            (changed(field(&two, 1, 42), &first_header), "its data is also that of another member"),
            (zip(&[("x/in.zip", b"")]), "a.zip/x/in.zip: it is an archive in an archive"),
            (zip(&[("t.arrow", b"")]), "a.zip/t.arrow: it is a game table in an archive"),
        ] {
            let path = put(folder.path(), "a.zip", &archive);
            assert!(Input::expand(&path).is_ok(), "{expected}");
            let error = error(&path);
            assert!(error.contains(expected), "{error}\n{expected}");
        }
    }

    #[test]
    fn a_damaged_member_is_an_error_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let game = GAME.repeat(500);
        let sound = zip(&[("a.pgn", b"a"), ("b.pgn", &game)]);
        let length = |delta: i32| {
            let at = field(&sound, 1, 24);
            let mut archive = sound.clone();
            let length = i32::try_from(game.len()).unwrap() + delta;
            archive[at..at + 4].copy_from_slice(&length.to_le_bytes());
            archive
        };
        let mut checksum = sound.clone();
        checksum[field(&sound, 1, 16)] ^= 1;
        let mut compressed = sound.clone();
        let data = field(&sound, 0, 0) - 10;
        compressed[data] ^= 0xff;
        for (archive, expected) in [
            (length(-1), "it is longer than the archive says"),
            (length(1), "it is shorter than the archive says"),
            (checksum, "its checksum is not that of the archive"),
            (compressed, ""),
        ] {
            let path = put(folder.path(), "a.zip", &archive);
            let inputs = Input::expand(&path).unwrap();
            assert_eq!(text(inputs[0].open(true).unwrap()), b"a");
            let OpenInput::Stream { mut reader, compressed: true, .. } =
                inputs[1].open(true).unwrap()
            else {
                panic!("{expected}");
            };
            let error = reader.read_to_end(&mut Vec::new()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}\n{expected}");
        }
    }

    #[test]
    fn an_archive_may_be_bytes_of_the_caller() {
        let gz = compressors::gzip(b"gz");
        let archive = zip(&[("b/c.pgn.gz", &gz), ("a.pgn", b"a"), ("picture.png", b"\0\0")]);
        let open = move || Ok(Cursor::new(archive.clone()));
        let inputs = Input::archive("mine.zip", open).unwrap();
        let names: Vec<String> = inputs.iter().map(Input::name).collect();
        assert_eq!(names, ["mine.zip/a.pgn", "mine.zip/b/c.pgn.gz"]);
        let texts = inputs.iter().map(|input| text(input.open(true).unwrap()));
        assert_eq!(texts.collect::<Vec<_>>(), [&b"a"[..], b"gz"]);
        let none = Input::archive("none.zip", || Ok(Cursor::new(zip(&[("p.png", b"")]))));
        let error = none.unwrap_err().to_string();
        assert_eq!(error, "cannot read none.zip: the archive holds no PGN file");
        let torn = Input::archive("torn.zip", || Ok(Cursor::new(b"PK\x03\x04"))).unwrap_err();
        assert!(torn.to_string().contains("it is not a whole zip archive"), "{torn}");
    }

    #[test]
    fn an_archive_is_read_only_from_a_file() {
        let archive = zip(&[("a.pgn", GAME)]);
        for input in [
            Input::bytes("a.zip", &archive[..]),
            Input::reader("live", io::Cursor::new(archive.clone())),
        ] {
            let error = input.open(true).err().unwrap().to_string();
            assert!(
                error.contains("it is a zip archive, which is read only from a file"),
                "{error}"
            );
        }
        let folder = tempfile::tempdir().unwrap();
        let path = put(folder.path(), "a.pgn", &archive);
        let error = Input::File(path.clone()).open(true).err().unwrap().to_string();
        assert!(error.contains("it is a zip archive: Input::expand"), "{error}");
        let inner = zip(&[("b.pgn", &archive)]);
        let member = &Input::expand(put(folder.path(), "b.zip", &inner)).unwrap()[0];
        let error = member.open(true).err().unwrap().to_string();
        assert!(error.contains("b.zip/b.pgn: it is an archive in an archive"), "{error}");
        // An archive that changes after its list was read is not searched.
        let members = Input::expand(&path).unwrap();
        put(folder.path(), "a.pgn", &inner);
        let error = members[0].open(true).err().unwrap();
        assert!(
            matches!(error, InputError::Changed { change: FileChange::Length { .. }, .. }),
            "{error}"
        );
    }
}
