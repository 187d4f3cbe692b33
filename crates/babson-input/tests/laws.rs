//! The laws of compressed files and archives: see docs/src/testing.md#laws.

use std::io::{Cursor, Write as _};
use std::sync::LazyLock;

use babson_arbitrary::{Choices, check_law, damage};
use babson_input::Input;
use babson_pgn::{Needs, Reader};

const GAMES: &[u8] =
    b"[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 2. Nf3 {a comment} Nc6 (2... d6 3. d4) 1-0\n\n\
    [White \"Cid\"]\n\n1. d4 d5 2. c4 *\n\n[White \"Dan\"]\n\n1. Nf3 1/2-1/2\n";

/// More games than these cannot come of such small files, unless one is a bomb.
const MAX_GAMES: usize = 1 << 20;

fn written<W>(mut writer: W, finish: impl FnOnce(W) -> std::io::Result<Vec<u8>>) -> Vec<u8>
where
    W: std::io::Write,
{
    writer.write_all(GAMES).expect("memory");
    finish(writer).expect("memory")
}

/// The games in every kind of compression.
static STREAMS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let bzip = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    let options = lzma_rust2::XzOptions::with_preset(1);
    let xz = lzma_rust2::XzWriter::new(Vec::new(), options).expect("options");
    vec![
        written(gzip, |writer| writer.finish()),
        written(bzip, |writer| writer.finish()),
        written(xz, |writer| writer.finish()),
        zstd::encode_all(GAMES, 1).expect("memory"),
        GAMES.to_vec(),
        GAMES.iter().flat_map(|&byte| [byte, 0]).collect(),
    ]
});

/// Archives of each way to store members.
static ARCHIVES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let methods = [zip::CompressionMethod::Stored, zip::CompressionMethod::Deflated];
    let archive = |method| {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default().compression_method(method);
        for name in ["a.pgn", "folder/b.pgn", "notes.txt"] {
            writer.start_file(name, options).expect("memory");
            writer.write_all(GAMES).expect("memory");
        }
        writer.finish().expect("memory").into_inner()
    };
    methods.map(archive).into()
});

/// The numbers, lines and texts of the games, with what a reader makes of them, or an error, which
/// is the last item.
fn read(input: &Input) -> Vec<Result<String, String>> {
    let mut reader = Reader::new();
    let mut items = Vec::new();
    for item in input.games() {
        assert!(items.last().is_none_or(Result::is_ok), "an item after an error");
        assert!(items.len() < MAX_GAMES);
        items.push(item.map_err(|error| error.to_string()).map(|item| {
            let head = format!("{} in line {}", item.number(), item.line());
            match item.read(&mut reader, Needs::ALL) {
                Ok(game) => {
                    let text = String::from_utf8_lossy(game.text());
                    format!("{head}: {text}\n{:?} {:?}", game.nodes(), game.damages())
                }
                Err(damage) => format!("{head}: {damage:?}"),
            }
        }));
        assert!(items.last().is_none_or(|item| item != &Err(String::new())), "an empty message");
    }
    items
}

fn is_whole(games: &[Result<String, String>]) -> bool {
    games.last().is_none_or(Result::is_ok)
}

/// Asserts that two ways to read a file agree. How much of a damaged stream is read before its
/// error depends on how it is read, so the games before the error may be fewer, and the last of
/// them may be cut.
fn agree(one: &[Result<String, String>], other: &[Result<String, String>]) {
    if is_whole(one) || is_whole(other) {
        assert_eq!(one, other);
        return;
    }
    let same = one.len().min(other.len()).saturating_sub(2);
    assert_eq!(one[..same], other[..same]);
}

/// The games of the sound file.
static SOUND: LazyLock<Vec<Result<String, String>>> = LazyLock::new(|| {
    let games = read(&Input::bytes("a.pgn", GAMES.to_vec()));
    assert!(games.len() == 3 && is_whole(&games));
    games
});

/// The first bytes of the formats whose contents have a checksum, in the order of [`STREAMS`].
const MAGIC: [&[u8]; 3] = [b"\x1f\x8b\x08", b"BZh", b"\xfd7zXZ\0"];

#[test]
fn stream_bytes() {
    check_law!("stream_bytes", 1500, |bytes| {
        let mut choices = Choices::new(bytes);
        let kind = choices.below(STREAMS.len());
        let stream = &STREAMS[kind];
        let damaged = damage(stream, &mut choices);
        let games = read(&Input::bytes("a.pgn", damaged.clone()));
        // UTF-16 is refused.
        if damaged == *stream && stream[1] != 0 {
            assert_eq!(games, *SOUND);
        }
        // What has its checksum is what was compressed, unless another stream follows it.
        let has_sum = MAGIC.get(kind).is_some_and(|magic| damaged.starts_with(magic));
        if has_sum && is_whole(&games) {
            assert!(games.starts_with(&SOUND), "{games:?}");
        }
        // The same is read, however few bytes come at a time.
        let step = 1 + choices.below(60);
        let slow = Slow { bytes: Cursor::new(damaged), step };
        agree(&read(&Input::reader("a.pgn", slow)), &games);
    });
}

/// A file that gives few bytes at a time.
struct Slow {
    bytes: Cursor<Vec<u8>>,
    step: usize,
}

impl std::io::Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let step = self.step.min(buffer.len());
        self.bytes.read(&mut buffer[..step])
    }
}

impl std::io::Seek for Slow {
    fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
        self.bytes.seek(to)
    }
}

#[test]
fn archive_bytes() {
    check_law!("archive_bytes", 1500, |bytes| {
        let mut choices = Choices::new(bytes);
        let archive = choices.choose(&ARCHIVES);
        let damaged = damage(&archive, &mut choices);
        let step = 1 + choices.below(60);
        let members = |step| {
            let damaged = damaged.clone();
            let open = move || Ok(Slow { bytes: Cursor::new(damaged.clone()), step });
            let members = Input::archive("a.zip", open).map_err(|error| error.to_string())?;
            Ok::<_, String>(members.iter().map(read).collect::<Vec<_>>())
        };
        let whole = members(usize::MAX);
        match &whole {
            Ok(members) => {
                assert!(damaged != archive || members.len() == 3);
                for games in members {
                    assert!(damaged != archive || games.len() == 3);
                    // A member has its checksum.
                    assert!(!is_whole(games) || *games == *SOUND, "{games:?}");
                }
            }
            Err(error) => assert!(damaged != archive && !error.is_empty(), "{error}"),
        }
        match (members(step), whole) {
            (Ok(slow), Ok(whole)) => {
                assert_eq!(slow.len(), whole.len());
                slow.iter().zip(&whole).for_each(|(slow, whole)| agree(slow, whole));
            }
            (slow, whole) => assert_eq!(slow, whole),
        }
    });
}
