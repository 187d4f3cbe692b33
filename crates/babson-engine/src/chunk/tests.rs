use super::cutter::InputCursor;
use super::stream::Stream;
use super::*;
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

type ChunkSummary = (u64, u64, Vec<u8>, bool, Vec<u8>);

fn walk(chunks: Chunks<'_>) -> Vec<ChunkSummary> {
    chunks
        .map(|chunk| {
            let chunk = chunk.unwrap();
            let mut whole = Vec::new();
            if let Some(long) = &chunk.long_text {
                let collect = |piece: &[u8]| {
                    whole.extend_from_slice(piece);
                    Ok(())
                };
                long.read(collect).unwrap();
            }
            (chunk.first_game, chunk.first_line, chunk.bytes().to_vec(), chunk.overlong, whole)
        })
        .collect()
}

fn streamed(text: Vec<u8>, size: usize, longest: usize) -> Vec<ChunkSummary> {
    let inputs = [Input::Stdin];
    let mut chunks = Chunks::new(&inputs, size);
    chunks.longest = longest;
    chunks.source = Some(InputCursor::Stream(Stream::new(
        Box::new(Cursor::new(text)),
        false,
        Arc::default(),
        true,
    )));
    chunks.next_input = 1;
    walk(chunks)
}

#[test]
fn streams_and_maps_give_the_same_chunks() {
    let feeds = database(50);
    let returns: Vec<u8> =
        feeds.iter().map(|&byte| if byte == b'\n' { b'\r' } else { byte }).collect();
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("a.pgn");
    for text in [feeds, returns] {
        std::fs::write(&path, &text).unwrap();
        for size in [1, 7, 60, 100, 1000, 100_000] {
            let inputs = [Input::File(path.clone())];
            let mapped = walk(Chunks::new(&inputs, size));
            assert_eq!(mapped, streamed(text.clone(), size, 1 << 20), "{size}");
            let joined: Vec<u8> = mapped.iter().flat_map(|chunk| chunk.2.clone()).collect();
            assert_eq!(joined, text);
            let last = mapped.last().unwrap();
            assert_eq!(last.1 + lines(&last.2), lines(&text) + 1);
            if size == 100 {
                assert_eq!(mapped.len(), 25);
            }
        }
    }
}

#[test]
fn an_overlong_game_does_not_take_its_neighbours() {
    let mut text = database(3);
    text.extend(b"[Event \"long\"]\n\n");
    text.extend(std::iter::repeat_n(b'x', 3 << 20));
    text.extend(b"\n\n");
    text.extend(database(2));
    let chunks = streamed(text.clone(), 200, 100_000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgn");
    std::fs::write(&path, &text).unwrap();
    let inputs = [Input::File(path)];
    let mut mapped = Chunks::new(&inputs, 200).with_long_texts(true);
    mapped.longest = 100_000;
    assert_eq!(walk(mapped), chunks);
    assert_eq!(chunks.iter().filter(|chunk| chunk.3).count(), 1);
    let long = chunks.iter().find(|chunk| chunk.3).unwrap();
    assert_eq!(long.0, 4);
    assert!(long.2.len() <= MAX_SAMPLE && long.2.starts_with(b"[Event \"long\"]"));
    let whole = [&b"[Event \"long\"]\n\n"[..], &vec![b'x'; 3 << 20]].concat();
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
        let mut chunks = Chunks::new(&inputs, size);
        let reader = Box::new(Failing(Cursor::new(text.clone())));
        chunks.source = Some(InputCursor::Stream(Stream::new(reader, true, Arc::default(), false)));
        chunks.next_input = 1;
        let mut bytes = Vec::new();
        let error = loop {
            match chunks.next().unwrap() {
                Ok(chunk) => bytes.extend_from_slice(chunk.bytes()),
                Err(error) => break error.to_string(),
            }
        };
        assert_eq!(bytes, text);
        assert_eq!(error, "cannot decompress <stdin>: torn (after 50 games)");
        assert!(chunks.next().is_none());
    }
}
