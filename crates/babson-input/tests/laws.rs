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

/// The games come, or an error that is the last item.
fn read(input: &Input) -> usize {
    let mut reader = Reader::new();
    let (mut games, mut is_over) = (0, false);
    for game in input.games() {
        assert!(!is_over, "an item after an error");
        games += 1;
        assert!(games < MAX_GAMES);
        match game {
            Ok(game) => drop(game.read(&mut reader, Needs::ALL).map(|game| game.len())),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                is_over = true;
            }
        }
    }
    games
}

#[test]
fn stream_bytes() {
    check_law!("stream_bytes", 1500, |bytes| {
        let mut choices = Choices::new(bytes);
        let stream = choices.choose(&STREAMS);
        let damaged = damage(&stream, &mut choices);
        // UTF-16 is refused.
        let is_sound = damaged == stream && stream[1] != 0;
        let input = Input::bytes("a.pgn", damaged.clone());
        let games = read(&input);
        assert!(!is_sound || games >= 3);
        // A reader gives the same, however few bytes it gives at a time.
        let step = 1 + choices.below(60);
        assert_eq!(read(&Input::reader("a.pgn", Slow { bytes: damaged, at: 0, step })), games);
    });
}

struct Slow {
    bytes: Vec<u8>,
    at: usize,
    step: usize,
}

impl std::io::Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let end = (self.at + self.step.min(buffer.len())).min(self.bytes.len());
        let part = &self.bytes[self.at..end];
        buffer[..part.len()].copy_from_slice(part);
        self.at = end;
        Ok(part.len())
    }
}

#[test]
fn archive_bytes() {
    check_law!("archive_bytes", 1500, |bytes| {
        let mut choices = Choices::new(bytes);
        let archive = choices.choose(&ARCHIVES);
        let damaged = damage(&archive, &mut choices);
        let is_sound = damaged == archive;
        let open = move || Ok(Cursor::new(damaged.clone()));
        match Input::archive("a.zip", open) {
            Ok(members) => {
                let games: usize = members.iter().map(read).sum();
                assert!(!is_sound || games == 9, "{games}");
            }
            Err(error) => assert!(!is_sound && !error.to_string().is_empty(), "{error}"),
        }
    });
}
