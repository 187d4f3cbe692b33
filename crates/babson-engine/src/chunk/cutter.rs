//! Cutting inputs into numbered chunks at game boundaries.
//!
//! One thread walks the boundaries, which costs a small part of a replay, and so every chunk
//! leaves with the exact number of its first game: `gamenumber`, messages and headers need it
//! while the chunk is searched. A chunk needs no second look and knows nothing of its neighbors.

use std::io;
use std::sync::Arc;

use babson_pgn::{Games, find_boundary};

use super::long_text::LongText;
use super::stream::{Piece, SAMPLE, Stream};
use super::{Bytes, Chunk, MAX_GAME, lines};
use crate::error::Error;
use crate::input::{Input, MappedFile, Opened};

/// Iterator over the chunks of all inputs.
pub(crate) struct Chunks<'a> {
    inputs: &'a [Input],
    /// Sizes of chunks in bytes, at least.
    size: usize,
    pub(super) longest: usize,
    /// Whether the texts of overlong games are wanted.
    keeps_long: bool,
    pub(super) source: Option<Source>,
    /// The input that `source` belongs to.
    input: usize,
    pub(super) next_input: usize,
    next_index: u64,
    next_game: u64,
    next_line: u64,
}

pub(super) enum Source {
    Mapped { map: Arc<MappedFile>, at: usize },
    Stream(Stream),
}

/// What is known of an overlong game.
struct Overlong {
    length: u64,
    lines: u64,
    text: Option<LongText>,
}

impl<'a> Chunks<'a> {
    /// The chunks of these inputs, each of at least `size` bytes but for the last ones.
    pub(crate) fn new(inputs: &'a [Input], size: usize) -> Chunks<'a> {
        Chunks {
            inputs,
            size: size.max(1),
            longest: MAX_GAME,
            keeps_long: false,
            source: None,
            input: 0,
            next_input: 0,
            next_index: 0,
            next_game: 1,
            next_line: 1,
        }
    }

    /// The same chunks, with the texts of games that are too long to be read.
    pub(crate) fn with_long_texts(mut self, wanted: bool) -> Chunks<'a> {
        self.keeps_long = wanted;
        self
    }

    fn next_chunk(&mut self) -> Result<Option<Chunk>, Error> {
        loop {
            let Some(source) = &mut self.source else {
                let Some(input) = self.inputs.get(self.next_input) else {
                    return Ok(None);
                };
                self.source = Some(match input.open()? {
                    Opened::Mapped(map) => Source::Mapped { map, at: 0 },
                    Opened::Stream { reader, packed, taken, watch } => {
                        let mut stream = Stream::new(reader, packed, taken, self.keeps_long);
                        stream.watch = watch;
                        Source::Stream(stream)
                    }
                });
                self.input = self.next_input;
                self.next_input += 1;
                self.next_line = 1;
                continue;
            };
            let piece = match source {
                Source::Mapped { map, at } if *at < map.len() => {
                    let begin = *at;
                    let mut end =
                        find_boundary(map, begin.saturating_add(self.size)).unwrap_or(map.len());
                    let overlong = match overlong(&map[begin..end], self.longest) {
                        Some(0) => {
                            let text = &map[begin..end];
                            let whole = || LongText::Mapped(map.clone(), begin..end);
                            Some(Overlong {
                                length: text.len() as u64,
                                lines: lines(text),
                                text: self.keeps_long.then(whole),
                            })
                        }
                        // Those before it come first.
                        Some(last) => {
                            end = begin + last;
                            None
                        }
                        None => None,
                    };
                    *at = end;
                    let shown = match overlong {
                        Some(_) => end.min(begin + SAMPLE),
                        None => end,
                    };
                    Some((Bytes::Mapped(map.clone(), begin..shown), overlong))
                }
                Source::Mapped { .. } => None,
                Source::Stream(stream) => stream
                    .next(self.size, self.longest)
                    .map_err(|source| {
                        let path = self.inputs[self.input].name();
                        let before = self.next_game - 1;
                        let reason = format!("{source} (after {before} games)");
                        let source = io::Error::new(source.kind(), reason);
                        if stream.packed {
                            Error::Decompress { path, source }
                        } else {
                            Error::Read { path, source }
                        }
                    })?
                    .map(|piece| match piece {
                        Piece::Games(bytes) => (Bytes::Owned(bytes), None),
                        Piece::Overlong { sample, length, lines, text } => {
                            (Bytes::Owned(sample), Some(Overlong { length, lines, text }))
                        }
                    }),
            };
            match piece {
                Some((bytes, overlong)) => return Ok(Some(self.number(bytes, overlong))),
                None => {
                    if let Some(Source::Stream(Stream { watch: Some(watch), .. })) = &self.source {
                        watch.check()?;
                    }
                    self.source = None;
                }
            }
        }
    }

    /// Makes a chunk of the bytes that come next.
    fn number(&mut self, bytes: Bytes, overlong: Option<Overlong>) -> Chunk {
        let mut chunk = Chunk {
            index: self.next_index,
            input: self.input,
            first_line: self.next_line,
            first_game: self.next_game,
            starts: Vec::new(),
            overlong: overlong.is_some(),
            long_text: None,
            length: 0,
            input_length: 0,
            bytes,
        };
        let text = chunk.bytes();
        let is_overlong = overlong.is_some();
        let Overlong { length, lines, text: long_text } = overlong.unwrap_or_else(|| Overlong {
            length: text.len() as u64,
            lines: lines(text),
            text: None,
        });
        let mut starts = Vec::with_capacity(text.len() / 512 + 2);
        let mut end = 0;
        if is_overlong {
            starts.push(0);
            end = text.len();
        } else {
            for (offset, game) in Games::new(text) {
                starts.push(offset);
                end = offset + game.len();
            }
        }
        if !starts.is_empty() {
            starts.push(end);
        }
        chunk.starts = starts;
        chunk.long_text = long_text;
        chunk.length = length;
        chunk.input_length = match &mut self.source {
            Some(Source::Stream(stream)) => stream.newly_taken(),
            _ => length,
        };
        self.next_index += 1;
        self.next_game += chunk.games() as u64;
        self.next_line += lines;
        chunk
    }
}

impl Iterator for Chunks<'_> {
    type Item = Result<Chunk, Error>;

    fn next(&mut self) -> Option<Result<Chunk, Error>> {
        let next = self.next_chunk();
        if next.is_err() {
            // After an error nothing more is read.
            self.source = None;
            self.next_input = self.inputs.len();
        }
        next.transpose()
    }
}

/// Where the last game of some whole games begins, if it is longer than `longest`.
pub(super) fn overlong(games: &[u8], longest: usize) -> Option<usize> {
    if games.len() <= longest {
        return None;
    }
    let mut last = 0;
    while let Some(next) = find_boundary(games, last + 1) {
        last = next;
    }
    (games.len() - last > longest).then_some(last)
}
