//! Opening inputs.

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
        assert!(matches!(opened, OpenInput::Stream { watch: Some(_), compressed: false, .. }));
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
    for name in ["b.pgn", "a.PGN.gz", "c.txt", "d.pgn.zst", "b.arrow", "c.feather", "f.cql"] {
        std::fs::write(folder.path().join(name), b"").unwrap();
    }
    std::fs::create_dir(folder.path().join("e.pgn")).unwrap();
    let expected = ["a.PGN.gz", "b.arrow", "b.pgn", "c.feather", "d.pgn.zst"];
    assert_eq!(names(folder.path()), expected);
    assert!(Input::expand("/does/not/exist.pgn").is_err());
    let empty = Input::expand(folder.path().join("e.pgn")).unwrap_err().to_string();
    assert!(empty.ends_with("e.pgn: the folder holds no PGN file and no game table"), "{empty}");
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
    // The folder has a database that cannot be read.
    assert_eq!(names(folder.path()), ["a.pgn", "broken.pgn", "link.pgn"]);
    let error = Input::File(path("broken.pgn")).open(true).err().unwrap().to_string();
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

    use super::decode::tests::gzip;

    let folder = tempfile::tempdir().unwrap();
    let name = OsStr::from_bytes(b"M\xfcnchen.pgn");
    let compressed = OsStr::from_bytes(b"Z\xfcrich.PGN.gz");
    assert!(is_database_name(name) && is_database_name(compressed));
    assert!(!is_database_name(OsStr::from_bytes(b"M\xfcnchen.cql")));
    std::fs::write(folder.path().join(name), b"a").unwrap();
    std::fs::write(folder.path().join(compressed), gzip(b"a")).unwrap();
    assert_eq!(names(folder.path()), [name, compressed]);
    for input in Input::expand(folder.path()).unwrap() {
        assert_eq!(Input::expand(input.path().unwrap()).unwrap(), std::slice::from_ref(&input));
        assert!(input.name().contains('\u{fffd}'));
        assert_eq!(text(input.open(true).unwrap()), b"a");
    }
    // A compressed name decides what is an error, also if it is not UTF-8.
    std::fs::write(folder.path().join(compressed), b"\0\0").unwrap();
    let input = Input::File(folder.path().join(compressed));
    assert!(matches!(input.open(true), Err(InputError::Decompress { .. })));
}
