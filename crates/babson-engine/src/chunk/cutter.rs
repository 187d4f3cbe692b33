//! Cutting inputs into numbered chunks at game boundaries.
//!
//! One thread finds the boundaries, which costs a small part of a replay. So every chunk has the
//! exact number of its first game, which `gamenumber`, messages and headers need during the search.
//! A chunk does not depend on its neighbors.

use std::io;
use std::sync::Arc;

use babson_pgn::{Games, find_boundary};

use super::long_text::LongText;
use super::overlong::last_if_overlong;
use super::stream::{Stream, StreamChunk};
use super::{Chunk, ChunkBytes, lines};
use crate::error::Error;
use crate::input::{Input, MappedFile, OpenInput};
use crate::limits::{MAX_GAME, MAX_SAMPLE};

/// Iterator over the chunks of all inputs.
pub(crate) struct Chunks<'a> {
    inputs: &'a [Input],
    /// The least size of a chunk in bytes.
    size: usize,
    pub(super) longest: usize,
    /// Whether the texts of overlong games are kept.
    keeps_long: bool,
    /// Whether plain files are mapped.
    mapped: bool,
    pub(super) source: Option<InputCursor>,
    /// The index of the input of `source`.
    input: usize,
    pub(super) next_input: usize,
    next_index: u64,
    next_game: u64,
    next_line: u64,
}

pub(super) enum InputCursor {
    Mapped { map: Arc<MappedFile>, at: usize },
    Stream(Stream),
}

/// An overlong game.
struct OverlongGame {
    length: u64,
    lines: u64,
    text: Option<LongText>,
}

impl<'a> Chunks<'a> {
    /// The chunks of these inputs, each of at least `size` bytes except the last of each input.
    pub(crate) fn new(inputs: &'a [Input], size: usize) -> Chunks<'a> {
        Chunks {
            inputs,
            size: size.max(1),
            longest: MAX_GAME,
            keeps_long: false,
            mapped: true,
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

    /// The same chunks, with plain files mapped or read.
    pub(crate) fn with_mapping(mut self, mapped: bool) -> Chunks<'a> {
        self.mapped = mapped;
        self
    }

    fn next_chunk(&mut self) -> Result<Option<Chunk>, Error> {
        loop {
            let Some(source) = &mut self.source else {
                let Some(input) = self.inputs.get(self.next_input) else {
                    return Ok(None);
                };
                self.source = Some(match input.open(self.mapped)? {
                    OpenInput::Mapped(map) => InputCursor::Mapped { map, at: 0 },
                    OpenInput::Stream { reader, packed, taken, watch } => {
                        let mut stream = Stream::new(reader, packed, taken, self.keeps_long);
                        stream.watch = watch;
                        InputCursor::Stream(stream)
                    }
                });
                self.input = self.next_input;
                self.next_input += 1;
                self.next_line = 1;
                continue;
            };
            let part = match source {
                InputCursor::Mapped { map, at } if *at < map.len() => {
                    let begin = *at;
                    let mut end =
                        find_boundary(map, begin.saturating_add(self.size)).unwrap_or(map.len());
                    let overlong = match last_if_overlong(&map[begin..end], self.longest) {
                        Some(0) => {
                            let text = &map[begin..end];
                            let whole = || LongText::Mapped(map.clone(), begin..end);
                            Some(OverlongGame {
                                length: text.len() as u64,
                                lines: lines(text),
                                text: self.keeps_long.then(whole),
                            })
                        }
                        // The games before the overlong one come first.
                        Some(last) => {
                            end = begin + last;
                            None
                        }
                        None => None,
                    };
                    *at = end;
                    let shown = match overlong {
                        Some(_) => end.min(begin + MAX_SAMPLE),
                        None => end,
                    };
                    Some((ChunkBytes::Mapped(map.clone(), begin..shown), overlong))
                }
                InputCursor::Mapped { .. } => None,
                InputCursor::Stream(stream) => stream
                    .next(self.size, self.longest)?
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
                    .map(|part| match part {
                        StreamChunk::Games(bytes) => (ChunkBytes::Owned(bytes), None),
                        StreamChunk::Overlong { sample, length, lines, text } => {
                            (ChunkBytes::Owned(sample), Some(OverlongGame { length, lines, text }))
                        }
                    }),
            };
            match part {
                Some((bytes, overlong)) => return Ok(Some(self.number(bytes, overlong))),
                None => self.source = None,
            }
        }
    }

    /// Makes a numbered chunk of the next bytes.
    fn number(&mut self, bytes: ChunkBytes, overlong: Option<OverlongGame>) -> Chunk {
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
        let OverlongGame { length, lines, text: long_text } = overlong.unwrap_or_else(|| {
            OverlongGame { length: text.len() as u64, lines: lines(text), text: None }
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
            Some(InputCursor::Stream(stream)) => stream.newly_taken(),
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
            // Nothing is read after an error.
            self.source = None;
            self.next_input = self.inputs.len();
        }
        next.transpose()
    }
}
