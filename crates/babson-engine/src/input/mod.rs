//! Inputs: files, mapped or read, plain or compressed; folders; standard input; readers and bytes.
//!
//! The compression of a file is recognized by its first bytes. A file whose extension does not
//! match its content is still read.

mod decode;
mod extension;
mod mapped;
mod reader;
mod table;
mod watch;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use memmap2::Mmap;

use crate::chunk::OpenTable;
use crate::error::Error;
use decode::{Packing, decode, is_utf16};
use extension::is_packed_name;
pub use extension::{is_database_name, is_table_name};
#[cfg(test)]
pub(crate) use mapped::MAPS;
pub(crate) use mapped::MappedFile;
pub use reader::InputReader;
pub use watch::FileChange;
pub(crate) use watch::{InputStamps, Watch};

/// An input that is not open yet.
///
/// Its text is plain or compressed with zstd or gzip, which is recognized by its first bytes.
///
/// ```
/// use babson_engine::{Input, Job, Settings, Silent, scan};
/// use babson_lang::{Dialect, analyze};
///
/// let analysis = analyze("mate", Dialect::CQLI).unwrap();
/// let job = Job::new(&analysis.query, Dialect::CQLI).unwrap();
/// // A socket, the output of another program, an entry of an archive: any `Read`.
/// let reader = &b"[White \"Adams\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n"[..];
/// let inputs = [
///     Input::reader("the live games", reader),
///     Input::bytes("two games", *b"[White \"a\"]\n\n*\n\n[White \"b\"]\n\n*\n"),
/// ];
/// let summary = scan(&inputs, vec![job.into()], &Settings::default(), &mut Silent)?;
/// assert_eq!((summary.games, summary.jobs[0].matches), (3, 1));
/// # Ok::<(), babson_engine::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
    /// Bytes in memory.
    Bytes {
        /// The name in messages. If it has the extension of a compressed file, bytes that are
        /// neither compressed nor text are an error, as in a file of this name.
        name: String,
        /// The text, plain or compressed.
        bytes: Arc<[u8]>,
    },
    /// A reader of the caller, which can be read once: see [`Input::reader`].
    Reader(InputReader),
}

impl Input {
    /// Bytes in memory, with a name for messages.
    pub fn bytes(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Input {
        Input::Bytes { name: name.into(), bytes: bytes.into() }
    }

    /// A reader, with a name for messages. It is read to its end in pieces, from another thread, so
    /// it should be cheap to read or buffer its source itself.
    ///
    /// If the reader returns an error, the scan ends with [`Error::Read`], or with
    /// [`Error::Decompress`] if the text is compressed. The message tells how many games were
    /// searched before it. Since the reader can be read only once, a second scan of the input is an
    /// error, and so is a query that must know the number of all games before the search.
    pub fn reader(name: impl Into<String>, reader: impl Read + Send + 'static) -> Input {
        Input::Reader(InputReader::new(name.into(), Box::new(reader)))
    }

    /// The inputs of an argument: `-` (also `stdin` and `/dev/stdin`) is standard input, and a
    /// folder stands for all PGN files and game tables in it, in order of name. Pipes and folders
    /// in the folder are left out.
    ///
    /// # Errors
    /// The name does not exist, or the folder cannot be read, has no database in it, or has a link
    /// to a database that does not exist.
    pub fn expand(name: impl AsRef<Path>) -> Result<Vec<Input>, Error> {
        let path = name.as_ref();
        if Input::is_stdin(path) {
            return Ok(vec![Input::Stdin]);
        }
        let read = |source| Error::Read { path: path.display().to_string(), source };
        if !std::fs::metadata(path).map_err(read)?.is_dir() {
            return Ok(vec![Input::File(path.to_owned())]);
        }
        let mut files = Vec::new();
        for entry in std::fs::read_dir(path).map_err(read)? {
            let file = entry.map_err(read)?.path();
            if !file.file_name().is_some_and(is_database_name) {
                continue;
            }
            // A broken link is an error: the folder has a database that is not searched.
            let broken = |source| Error::Read { path: file.display().to_string(), source };
            if std::fs::metadata(&file).map_err(broken)?.is_file() {
                files.push(file);
            }
        }
        if files.is_empty() {
            let reason = io::Error::new(
                io::ErrorKind::NotFound,
                "the folder holds no PGN file and no game table",
            );
            return Err(read(reason));
        }
        files.sort();
        Ok(files.into_iter().map(Input::File).collect())
    }

    /// Whether a name is that of standard input.
    pub(crate) fn is_stdin(path: &Path) -> bool {
        let is_stdin = ["-", "stdin"].iter().any(|name| path.as_os_str() == *name);
        is_stdin || (cfg!(unix) && path == Path::new("/dev/stdin"))
    }

    /// The name in messages.
    pub fn name(&self) -> String {
        match self {
            Input::File(path) => path.display().to_string(),
            Input::Stdin => "<stdin>".to_owned(),
            Input::Bytes { name, .. } => name.clone(),
            Input::Reader(reader) => reader.name().to_owned(),
        }
    }

    /// The size in bytes if it is known: the full length of the progress bar.
    pub fn size(&self) -> Option<u64> {
        match self {
            Input::File(path) => {
                std::fs::metadata(path).ok().filter(|data| data.is_file()).map(|data| data.len())
            }
            Input::Bytes { bytes, .. } => Some(bytes.len() as u64),
            Input::Stdin | Input::Reader(_) => None,
        }
    }

    /// The path of a file.
    fn path(&self) -> Option<&Path> {
        match self {
            Input::File(path) => Some(path),
            Input::Stdin | Input::Bytes { .. } | Input::Reader(_) => None,
        }
    }

    /// Opens the input. Plain files are mapped if `mapped` is set and the system can do it; all
    /// other inputs are streams.
    pub(crate) fn open(&self, mapped: bool) -> Result<OpenInput, Error> {
        self.open_with(if mapped { Some(mapped::map) } else { None })
    }

    /// Opens the input. Plain files are mapped by `map`.
    fn open_with(&self, map: Option<fn(&File) -> io::Result<Mmap>>) -> Result<OpenInput, Error> {
        let name = self.name();
        let fail = |source| Error::Read { path: name.clone(), source };
        let path = match self {
            Input::Stdin => return decode(Box::new(io::stdin()), &name, false, None),
            Input::Bytes { bytes, .. } => {
                let packed = is_packed_name(OsStr::new(&name));
                return decode(Box::new(io::Cursor::new(Arc::clone(bytes))), &name, packed, None);
            }
            Input::Reader(reader) => {
                let taken =
                    || fail(io::Error::other("it was read before and can be read only once"));
                let packed = is_packed_name(OsStr::new(&name));
                return decode(reader.take().ok_or_else(taken)?, &name, packed, None);
            }
            Input::File(path) => path,
        };
        let packed = is_packed_name(path.as_os_str());
        let file = Arc::new(File::open(path).map_err(fail)?);
        let data = file.metadata().map_err(fail)?;
        if data.is_dir() {
            return Err(fail(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory")));
        }
        // Pipes and files in /proc have no size: they are read, not mapped.
        if !data.is_file() || data.len() == 0 {
            return decode(Box::new(file), &name, packed, None);
        }
        let watch = Watch::new(Arc::clone(&file), &name, &data);
        if let Some(map) = map {
            let mut first = Vec::with_capacity(4);
            file.as_ref().take(4).read_to_end(&mut first).map_err(fail)?;
            let is_plain = !packed && Packing::of(&first) == Packing::Plain && !is_utf16(&first);
            // Some file systems cannot map files. Reading them gives the same chunks.
            if is_plain && let Ok(map) = map(&file) {
                let mapped = MappedFile::new(map, watch);
                if table::is_table(path.as_os_str(), &mapped) {
                    return table::of_map(mapped, &name);
                }
                return Ok(OpenInput::Mapped(Arc::new(mapped)));
            }
            file.as_ref().rewind().map_err(fail)?;
        }
        decode(Box::new(file), &name, packed, Some(watch))
    }
}

/// An open input.
pub(crate) enum OpenInput {
    /// A game table.
    #[cfg_attr(not(feature = "table"), expect(dead_code, reason = "there are no tables"))]
    Table(Arc<OpenTable>),
    /// A mapped file.
    Mapped(Arc<MappedFile>),
    /// Bytes that are read in order.
    Stream {
        reader: Box<dyn Read + Send>,
        /// Whether the input is compressed.
        packed: bool,
        /// How many bytes the reader has read from the input, before decompression.
        taken: Arc<AtomicU64>,
        /// Detects changes of the file, if the bytes come from one.
        watch: Option<Watch>,
    },
}

#[cfg(all(test, feature = "gzip", feature = "zstd"))]
mod tests {
    use super::decode::tests::gzip;
    use super::*;

    pub(super) fn text(opened: OpenInput) -> Vec<u8> {
        match opened {
            OpenInput::Mapped(map) => map.to_vec(),
            OpenInput::Table(_) => panic!("it is a table"),
            OpenInput::Stream { reader: mut stream, .. } => {
                let mut bytes = Vec::new();
                stream.read_to_end(&mut bytes).unwrap();
                bytes
            }
        }
    }

    #[test]
    fn plain_and_short_files() {
        let folder = tempfile::tempdir().unwrap();
        for bytes in [&b""[..], b"a", b"[Event \"x\"]"] {
            let path = folder.path().join("a.pgn");
            std::fs::write(&path, bytes).unwrap();
            for mapped in [true, false] {
                let opened = Input::File(path.clone()).open(mapped).unwrap();
                let is_mapped = matches!(opened, OpenInput::Mapped(_));
                assert_eq!(is_mapped, mapped && !bytes.is_empty());
                assert_eq!(text(opened), bytes);
            }
        }
    }

    /// Some file systems of networks and of user space cannot map files.
    #[cfg(unix)]
    #[test]
    fn a_file_that_cannot_be_mapped_is_read() {
        fn fail<const ERROR: i32>(_: &File) -> io::Result<Mmap> {
            Err(io::Error::from_raw_os_error(ERROR))
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        let bytes = b"[Event \"x\"]\n\n1. e4 *\n".repeat(1000);
        std::fs::write(&path, &bytes).unwrap();
        let input = Input::File(path);
        // ENOMEM, EACCES, ENODEV, EINVAL: these numbers are the same on Linux, macOS and the BSDs.
        for map in [fail::<12>, fail::<13>, fail::<19>, fail::<22>] {
            let opened = input.open_with(Some(map)).unwrap();
            assert!(matches!(opened, OpenInput::Stream { watch: Some(_), packed: false, .. }));
            assert_eq!(text(opened), bytes);
        }
    }

    fn names(folder: &Path) -> Vec<std::ffi::OsString> {
        let inputs = Input::expand(folder).unwrap();
        let name = |input: &Input| input.path().unwrap().file_name().unwrap().to_owned();
        inputs.iter().map(name).collect()
    }

    #[test]
    fn folders_are_read_in_the_order_of_names() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.pgn", "a.PGN.gz", "c.txt", "d.pgn.zst", "b.arrow", "c.feather"] {
            std::fs::write(folder.path().join(name), b"").unwrap();
        }
        std::fs::create_dir(folder.path().join("e.pgn")).unwrap();
        let expected = ["a.PGN.gz", "b.arrow", "b.pgn", "c.feather", "d.pgn.zst"];
        assert_eq!(names(folder.path()), expected);
        assert!(Input::expand("/does/not/exist.pgn").is_err());
        let empty = Input::expand(folder.path().join("e.pgn")).unwrap_err().to_string();
        assert!(
            empty.ends_with("e.pgn: the folder holds no PGN file and no game table"),
            "{empty}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_with_pipes_and_links() {
        use std::os::unix::fs::symlink;

        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("a.pgn"), b"").unwrap();
        symlink("a.pgn", path("link.pgn")).unwrap();
        // Nobody writes to the pipe: to open it would wait for ever.
        let made = std::process::Command::new("mkfifo").arg(path("pipe.pgn")).status().unwrap();
        assert!(made.success());
        assert_eq!(names(folder.path()), ["a.pgn", "link.pgn"]);
        symlink("missing.txt", path("broken.txt")).unwrap();
        assert_eq!(names(folder.path()), ["a.pgn", "link.pgn"]);
        symlink("missing.pgn", path("broken.pgn")).unwrap();
        let error = Input::expand(folder.path()).unwrap_err().to_string();
        assert!(error.contains("/broken.pgn: "), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn standard_input_has_several_names() {
        for name in ["-", "stdin", "/dev/stdin"] {
            assert_eq!(Input::expand(name).unwrap(), [Input::Stdin]);
        }
    }

    /// Names are bytes on Linux; other systems may refuse such names.
    #[cfg(target_os = "linux")]
    #[test]
    fn names_that_are_not_utf8() {
        use std::os::unix::ffi::OsStrExt;

        let folder = tempfile::tempdir().unwrap();
        let name = OsStr::from_bytes(b"M\xfcnchen.pgn");
        let packed = OsStr::from_bytes(b"Z\xfcrich.PGN.gz");
        assert!(is_database_name(name) && is_database_name(packed));
        assert!(!is_database_name(OsStr::from_bytes(b"M\xfcnchen.cql")));
        std::fs::write(folder.path().join(name), b"a").unwrap();
        std::fs::write(folder.path().join(packed), gzip(b"a")).unwrap();
        assert_eq!(names(folder.path()), [name, packed]);
        for input in Input::expand(folder.path()).unwrap() {
            assert_eq!(Input::expand(input.path().unwrap()).unwrap(), std::slice::from_ref(&input));
            assert!(input.name().contains('\u{fffd}'));
            assert_eq!(text(input.open(true).unwrap()), b"a");
        }
        // A packed name decides what is an error, also if it is not UTF-8.
        std::fs::write(folder.path().join(packed), b"\0\0").unwrap();
        let input = Input::File(folder.path().join(packed));
        assert!(matches!(input.open(true), Err(Error::Decompress { .. })));
    }
}
