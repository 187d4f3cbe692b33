use super::cutter::InputCursor;
use super::stream::Stream;
use super::*;
use crate::error::InputError;
use crate::input::Input;
use crate::limits::MAX_SAMPLE;
use std::io::{self, Cursor, Read};
use std::path::PathBuf;
use std::sync::Arc;

fn database(games: usize) -> Vec<u8> {
    let mut text = Vec::new();
    for game in 0..games {
        text.extend(
            format!("[Event \"e{game}\"]\n[White \"{game}\"]\n\n1. e4 e5 {{[x \"1\"]}} 1-0\n\n")
                .into_bytes(),
        );
    }
    text
}

#[test]
fn any_number_of_threads_has_chunks() {
    for threads in [0, usize::MAX / 16 + 1, usize::MAX] {
        assert_eq!(chunk_size(1, threads), MIN_CHUNK as usize);
    }
    assert_eq!(chunk_size(u64::MAX, 1), MAX_CHUNK as usize);
}

type ChunkSummary = (u64, u64, Vec<u8>, bool, Vec<u8>);

/// Numbers the next chunk.
fn numbered(cut: CutChunk, numbering: &Numbering) -> Chunk {
    let mut chunk = Chunk::of(cut, &RowChoice::None).unwrap();
    assert_eq!(numbering.number(&mut chunk, |_| {}), ChunkTurn::Numbered);
    chunk
}

fn walk(cutter: Cutter<'_>) -> Vec<ChunkSummary> {
    let numbering = Numbering::new(0, ChunkStart::default());
    cutter
        .map(|cut| {
            let cut = cut.unwrap_or_else(|error| panic!("{}", error.error));
            let chunk = numbered(cut, &numbering);
            let mut whole = Vec::new();
            if let Some(long) = &chunk.long_text {
                let collect = |piece: &[u8]| {
                    whole.extend_from_slice(piece);
                    Ok::<(), InputError>(())
                };
                long.read(collect).unwrap();
            }
            (chunk.start.game, chunk.start.line, chunk.bytes().to_vec(), chunk.overlong, whole)
        })
        .collect()
}

fn streamed(text: Vec<u8>, size: usize, longest: usize) -> Vec<ChunkSummary> {
    let inputs = [Input::Stdin];
    let mut cutter = Cutter::new(&inputs, size);
    cutter.longest = longest;
    cutter.source = Some(InputCursor::Stream(Stream::new(
        Box::new(Cursor::new(text)),
        false,
        Arc::default(),
        true,
    )));
    cutter.next_input = 1;
    walk(cutter)
}

/// The text with line ends that change from line to line.
fn with_line_ends(text: &[u8]) -> Vec<u8> {
    let ends = [&b"\n"[..], b"\r\n", b"\r", b"\r\n", b"\r"];
    let lines = text.split(|&byte| byte == b'\n').enumerate();
    lines.flat_map(|(at, line)| [line, ends[at / 3 % 5]]).flatten().copied().collect()
}

/// The number of lines as a text editor counts them.
fn universal_lines(text: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(text).replace("\r\n", "\n").replace('\r', "\n");
    text.matches('\n').count() as u64
}

#[test]
fn streams_and_maps_give_the_same_chunks() {
    let feeds = database(50);
    let returns: Vec<u8> =
        feeds.iter().map(|&byte| if byte == b'\n' { b'\r' } else { byte }).collect();
    let mixed = with_line_ends(&feeds);
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("a.pgn");
    for (text, least) in [(feeds, 25), (returns, 25), (mixed, 20)] {
        std::fs::write(&path, &text).unwrap();
        for size in [1, 7, 60, 100, 1000, 100_000] {
            let inputs = [Input::File(path.clone())];
            let mapped = walk(Cutter::new(&inputs, size));
            assert_eq!(mapped, streamed(text.clone(), size, 1 << 20), "{size}");
            let joined: Vec<u8> = mapped.iter().flat_map(|chunk| chunk.2.clone()).collect();
            assert_eq!(joined, text);
            let last = mapped.last().unwrap();
            assert_eq!(last.1 + lines(&last.2), universal_lines(&text) + 1);
            if size == 100 {
                assert!((least..=25).contains(&mapped.len()), "{}", mapped.len());
            }
        }
    }
}

#[test]
fn an_overlong_game_does_not_take_its_neighbours() {
    // The second one is cut between a carriage return and its line feed somewhere.
    for body in [vec![b'x'; 3 << 20], b"x\r\n".repeat(1 << 20)] {
        check_overlong(&body);
    }
}

fn check_overlong(body: &[u8]) {
    let mut text = database(3);
    text.extend(b"[Event \"long\"]\n\n");
    text.extend(body);
    text.extend(b"\n\n");
    text.extend(database(2));
    let chunks = streamed(text.clone(), 200, 100_000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    std::fs::write(&path, &text).unwrap();
    let inputs = [Input::File(path)];
    let mut mapped = Cutter::new(&inputs, 200).with_long_texts(true);
    mapped.longest = 100_000;
    assert_eq!(walk(mapped), chunks);
    assert_eq!(chunks.iter().filter(|chunk| chunk.3).count(), 1);
    let long = chunks.iter().find(|chunk| chunk.3).unwrap();
    assert_eq!(long.0, 4);
    assert!(long.2.len() <= MAX_SAMPLE && long.2.starts_with(b"[Event \"long\"]"));
    let whole = [&b"[Event \"long\"]\n\n"[..], body.trim_ascii_end()].concat();
    assert!(long.4 == whole);
    let last = chunks.last().unwrap();
    assert!(last.2.ends_with(b"[White \"1\"]\n\n1. e4 e5 {[x \"1\"]} 1-0\n\n"));
    let after: Vec<u8> =
        chunks.iter().skip_while(|chunk| !chunk.3).skip(1).flat_map(|c| c.2.clone()).collect();
    assert_eq!(after, database(2));
    let lines = memchr::memchr_iter(b'\n', &text).count() as u64;
    let tail = memchr::memchr_iter(b'\n', &last.2).count() as u64;
    assert_eq!(last.1 + tail, lines + 1);
}

/// A reader that fails when it has given what it has.
struct Failing(Cursor<Vec<u8>>);

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("torn")),
            read => Ok(read),
        }
    }
}

#[test]
fn what_precedes_a_failure_is_handed_out() {
    let text = database(50);
    for size in [10, 1000, 1 << 20] {
        let inputs = [Input::Stdin];
        let mut cutter = Cutter::new(&inputs, size);
        let reader = Box::new(Failing(Cursor::new(text.clone())));
        cutter.source = Some(InputCursor::Stream(Stream::new(reader, true, Arc::default(), false)));
        cutter.next_input = 1;
        let mut bytes = Vec::new();
        let numbering = Numbering::new(0, ChunkStart::default());
        let error = loop {
            match cutter.next().unwrap() {
                Ok(cut) => bytes.extend_from_slice(numbered(cut, &numbering).bytes()),
                Err(CutError { index, input, error }) => {
                    let place = numbering.end_input(index, input).unwrap();
                    assert_eq!((place.input_games, place.games), (50, 50));
                    break error.to_string();
                }
            }
        };
        assert_eq!(bytes, text);
        assert_eq!(error, "cannot decompress <stdin>: torn");
        assert!(cutter.next().is_none());
    }
}

/// The numbers of games and lines begin anew with each input, and offsets too.
#[test]
fn each_input_is_numbered_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = [3, 4].map(|games| {
        let path = folder.path().join(format!("{games}.pgn"));
        std::fs::write(&path, database(games)).unwrap();
        Input::File(path)
    });
    let length = database(1).len() as u64;
    let numbering = Numbering::new(0, ChunkStart::default());
    let mut starts = Vec::new();
    for cut in Cutter::new(&inputs, 1) {
        let cut = cut.unwrap_or_else(|error| panic!("{}", error.error));
        let chunk = numbered(cut, &numbering);
        assert_eq!(chunk.games(), 1);
        let ChunkStart { game, input_game, line } = chunk.start;
        starts.push((game, input_game, line, chunk.offset / length));
    }
    let expected = [
        (1, 1, 1, 0),
        (2, 2, 6, 1),
        (3, 3, 11, 2),
        (4, 1, 1, 0),
        (5, 2, 6, 1),
        (6, 3, 11, 2),
        (7, 4, 16, 3),
    ];
    assert_eq!(starts, expected);
}

/// Chunks may be counted in any order; an abandoned chunk ends the waiting for it.
#[test]
fn threads_wait_for_the_numbers_of_earlier_chunks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    std::fs::write(&path, database(3)).unwrap();
    let inputs = [Input::File(path)];
    let cut = || {
        Cutter::new(&inputs, 1).map(|cut| Chunk::of(cut.ok().unwrap(), &RowChoice::None).unwrap())
    };
    let numbering = Numbering::new(0, ChunkStart::default());
    let numbers = std::thread::scope(|scope| {
        let numbering = &numbering;
        let number = |mut chunk: Chunk| {
            scope.spawn(move || (numbering.number(&mut chunk, |_| {}), chunk.start.game))
        };
        let mut chunks: Vec<Chunk> = cut().collect();
        let last = number(chunks.pop().unwrap());
        let middle = number(chunks.pop().unwrap());
        let first = number(chunks.pop().unwrap());
        [first, middle, last].map(|thread| thread.join().unwrap())
    });
    assert_eq!(numbers, [1, 2, 3].map(|game| (ChunkTurn::Numbered, game)));
    let numbering = Numbering::new(0, ChunkStart::default());
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| numbering.end_input(2, 0));
        numbering.abandon();
        assert_eq!(waiting.join().unwrap(), None);
    });
}
