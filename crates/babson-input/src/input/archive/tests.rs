//! The databases of zip archives.

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
        assert!(missing.ends_with("c.pgn: the archive has no PGN file of this name"), "{missing}");
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
    let name = |input: &Input| input.name().rsplit(['/', '\\']).next().unwrap().to_owned();
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
        (changed(field(&two, 1, 10), &[14]), "a.zip/b.pgn: it is compressed by method 14 of zip"),
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
        let OpenInput::Stream { mut reader, compressed: true, .. } = inputs[1].open(true).unwrap()
        else {
            panic!("{expected}");
        };
        let error = reader.read_to_end(&mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\n{expected}");
    }
}

/// The databases of an archive in memory.
fn members(archive: Vec<u8>) -> Result<Vec<Input>, InputError> {
    Input::archive("mine.zip", move || Ok(Cursor::new(archive.clone())))
}

/// The text of an input, or its error.
fn read(input: &Input) -> Result<Vec<u8>, String> {
    let OpenInput::Stream { mut reader, .. } =
        input.open(false).map_err(|error| error.to_string())?
    else {
        panic!("an archive has only streams");
    };
    let mut text = Vec::new();
    reader.read_to_end(&mut text).map(|_| text).map_err(|error| error.to_string())
}

#[test]
fn an_archive_may_be_bytes_of_the_caller() {
    let gz = compressors::gzip(b"gz");
    let archive = zip(&[("b/c.pgn.gz", &gz), ("a.pgn", b"a"), ("picture.png", b"\0\0")]);
    let inputs = members(archive).unwrap();
    let names: Vec<String> = inputs.iter().map(Input::name).collect();
    assert_eq!(names, ["mine.zip/a.pgn", "mine.zip/b/c.pgn.gz"]);
    let texts: Result<Vec<_>, _> = inputs.iter().map(read).collect();
    assert_eq!(texts.unwrap(), [&b"a"[..], b"gz"]);
    let none = members(zip(&[("p.png", b"")])).unwrap_err().to_string();
    assert_eq!(none, "cannot read mine.zip: the archive holds no PGN file");
    let empty = members(b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec());
    assert!(empty.unwrap_err().to_string().ends_with("the archive holds no PGN file"));
}

#[test]
fn an_archive_that_is_cut_off_is_an_error() {
    let archive = zip(&[("a.pgn", GAME), ("b/b.pgn", GAME)]);
    for length in 0..archive.len() {
        let error = members(archive[..length].to_vec()).unwrap_err().to_string();
        assert!(error.ends_with("it is not a whole zip archive"), "{length}: {error}");
    }
    assert_eq!(members(archive).unwrap().len(), 2);
}

/// Whatever a byte is changed to, it is an error or what was packed.
#[test]
fn a_damaged_archive_gives_no_other_text() {
    let text = GAME.repeat(20);
    let archive = zip(&[("a.pgn", &text)]);
    for at in 0..archive.len() {
        for flip in [1, 0x80] {
            let mut damaged = archive.clone();
            damaged[at] ^= flip;
            let Ok(inputs) = members(damaged) else { continue };
            for input in inputs {
                if let Ok(read) = read(&input) {
                    assert!(read == text, "{at}: {}", read.len());
                }
            }
        }
    }
}

#[test]
fn folders_and_members_of_all_kinds() {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().last_modified_time(zip::DateTime::default());
    let (stored, deflated) = (
        options.compression_method(zip::CompressionMethod::STORE),
        options.compression_method(zip::CompressionMethod::DEFLATE),
    );
    let (zst, inner) = (zstd::encode_all(&b"zst"[..], 3).unwrap(), zip(&[("c.pgn", b"c")]));
    writer.add_directory("deep/er", options).unwrap();
    writer.add_directory("folder.pgn", options).unwrap();
    for (name, options, bytes) in [
        ("deep/er/stored.pgn", stored, &b"stored"[..]),
        ("deep/deflated.pgn", deflated, b"deflated"),
        // Its fields for lengths have 64 bits.
        ("long.pgn", deflated.large_file(true), b"long"),
        ("z.pgn.zst", stored, &zst),
        ("in.zip", stored, &inner),
        ("t.arrow", stored, b"ARROW1\0\0"),
        ("empty.pgn", stored, b""),
    ] {
        writer.start_file(name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    let inputs = members(writer.finish().unwrap().into_inner()).unwrap();
    let found: Vec<(String, Result<Vec<u8>, String>)> =
        inputs.iter().map(|input| (input.name(), read(input))).collect();
    let text = |name: &str, text: &[u8]| (format!("mine.zip/{name}"), Ok(text.to_vec()));
    let refused = |name: &str, reason: &str| {
        let name = format!("mine.zip/{name}");
        (name.clone(), Err(format!("cannot decompress {name}: {reason}")))
    };
    let expected = [
        text("deep/deflated.pgn", b"deflated"),
        text("deep/er/stored.pgn", b"stored"),
        text("empty.pgn", b""),
        refused("in.zip", "it is an archive in an archive, which is not read: unpack it"),
        text("long.pgn", b"long"),
        refused("t.arrow", "it is a game table in an archive, which is not read: unpack it"),
        text("z.pgn.zst", b"zst"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn an_encrypted_member_does_not_hide_the_others() {
    let mut archive = zip(&[("a.pgn", GAME), ("secret.pgn", GAME)]);
    let flags = field(&archive, 1, 8);
    archive[flags] |= 1;
    let inputs = members(archive).unwrap();
    assert_eq!(read(&inputs[0]).unwrap(), GAME);
    let error = read(&inputs[1]).unwrap_err();
    assert!(error.ends_with("secret.pgn: it is encrypted: unpack the archive"), "{error}");
}

/// The archive with a record of its end that has 64 bits, and that the old one only points to.
fn zip64(archive: &[u8]) -> Vec<u8> {
    let (list, end) = archive.split_at(archive.len() - 22);
    let number = |at: usize, length: usize| {
        let bytes = &end[at..at + length];
        bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
    };
    let (entries, size, start) = (number(10, 2), number(12, 4), number(16, 4));
    let mut long = list.to_vec();
    long.extend(b"PK\x06\x06\x2c\0\0\0\0\0\0\0\x2d\0\x2d\0\0\0\0\0\0\0\0\0");
    for number in [entries, entries, size, start] {
        long.extend(number.to_le_bytes());
    }
    long.extend(b"PK\x06\x07\0\0\0\0");
    long.extend((list.len() as u64).to_le_bytes());
    long.extend(1_u32.to_le_bytes());
    long.extend(b"PK\x05\x06\0\0\0\0");
    long.extend([0xff; 12]);
    long.extend([0, 0]);
    long
}

#[test]
fn an_archive_of_64_bits_is_read() {
    let archive = zip64(&zip(&[("b.pgn", b"b"), ("a.pgn", GAME)]));
    let texts: Vec<_> = members(archive.clone()).unwrap().iter().map(read).collect();
    assert_eq!(texts, [Ok(GAME.to_vec()), Ok(b"b".to_vec())]);
    for length in archive.len() - 100..archive.len() {
        assert!(members(archive[..length].to_vec()).is_err(), "{length}");
    }
}

/// An archive that is made to fill the memory of its reader fails before it does.
#[test]
fn an_archive_gives_no_more_than_it_says() {
    let bomb = vec![b' '; 5_000_000];
    let mut archive = zip(&[("a.pgn", &bomb)]);
    assert!(archive.len() < 10_000);
    let length = field(&archive, 0, 24);
    archive[length..length + 4].copy_from_slice(&1000_u32.to_le_bytes());
    let inputs = members(archive).unwrap();
    let OpenInput::Stream { mut reader, .. } = inputs[0].open(false).unwrap() else {
        panic!("an archive has only streams");
    };
    let mut text = Vec::new();
    let error = reader.read_to_end(&mut text).unwrap_err().to_string();
    assert_eq!(error, "it is longer than the archive says");
    assert!(text.len() <= 1000, "{} bytes", text.len());
    // Two members with the same data.
    let mut archive = zip(&[("a.pgn", GAME), ("b.pgn", GAME)]);
    let (first, second) = (field(&archive, 0, 42), field(&archive, 1, 42));
    archive.copy_within(first..first + 4, second);
    let error = members(archive).unwrap_err().to_string();
    assert!(error.contains("its data is also that of another member"), "{error}");
}

#[test]
fn a_list_that_is_too_long_is_an_error() {
    // Entries with comments of 65,535 bytes.
    let (sound, comment) = (zip(&[("a.pgn", b"")]), [b' '; 0xffff]);
    let start = field(&sound, 0, 0);
    let (data, end) = (&sound[..start], sound.len() - 22);
    let mut entry = sound[start..end].to_vec();
    entry[32..34].copy_from_slice(&0xffff_u16.to_le_bytes());
    let mut archive = data.to_vec();
    let entries = 1100_u16;
    for _ in 0..entries {
        archive.extend_from_slice(&entry);
        archive.extend_from_slice(&comment);
    }
    let size = (archive.len() - start) as u32;
    let mut record = sound[end..].to_vec();
    record[8..10].copy_from_slice(&entries.to_le_bytes());
    record[10..12].copy_from_slice(&entries.to_le_bytes());
    record[12..16].copy_from_slice(&size.to_le_bytes());
    archive.extend(record);
    let archive: std::sync::Arc<[u8]> = archive.into();
    let open = move || Ok(Cursor::new(std::sync::Arc::clone(&archive)));
    let error = Input::archive("mine.zip", open).unwrap_err().to_string();
    assert!(error.ends_with("its list of members is longer than 67108864 bytes"), "{error}");
}

#[test]
fn an_archive_is_read_only_from_a_file() {
    let archive = zip(&[("a.pgn", GAME)]);
    for input in [
        Input::bytes("a.zip", &archive[..]),
        Input::reader("live", io::Cursor::new(archive.clone())),
    ] {
        let error = input.open(true).err().unwrap().to_string();
        assert!(error.contains("it is a zip archive, which is read only from a file"), "{error}");
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
