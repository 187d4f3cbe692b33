//! The work of one thread: reads the games of a chunk and makes their rows.

use babson_pgn::{Needs, Reader};
use babson_table::{GameOrigin, Rows};

use crate::chunk::Chunk;
use crate::limits::{MAX_GAME, MAX_SHOWN};
use crate::report::DamagedGame;
use crate::worker::{LineCounter, add_damage, overlong_reason};

/// What one chunk gives.
pub(super) struct PackedChunk {
    pub(super) rows: Rows,
    /// Each with whether it is only a note.
    pub(super) damages: Vec<(DamagedGame, bool)>,
    pub(super) games: u64,
    pub(super) bytes: u64,
    pub(super) input_bytes: u64,
}

/// The state of one thread. Its buffers are reused from game to game.
pub(super) struct Packer<'n> {
    reader: Reader,
    /// The names of the inputs.
    names: &'n [String],
}

impl<'n> Packer<'n> {
    pub(super) fn new(names: &'n [String]) -> Packer<'n> {
        Packer { reader: Reader::new(), names }
    }

    pub(super) fn pack(&mut self, chunk: &Chunk) -> PackedChunk {
        let mut packed = PackedChunk {
            rows: Rows::default(),
            damages: Vec::new(),
            games: chunk.games() as u64,
            bytes: chunk.length,
            input_bytes: chunk.input_length,
        };
        let text = chunk.bytes();
        let source = self.names.get(chunk.input).map_or("", String::as_str);
        let mut lines = LineCounter { offset: 0, line: chunk.start.line };
        for (index, range) in chunk.starts.windows(2).enumerate() {
            let &[start, end] = range else { continue };
            let game = text.get(start..end).unwrap_or_default();
            let line = lines.at(text, start);
            let damage = DamagedGame {
                input: source.to_owned(),
                line,
                game: chunk.start.game + index as u64,
                reason: String::new(),
                text: Vec::new(),
                more: 0,
            };
            if chunk.overlong || game.len() > MAX_GAME {
                let text = game[..game.len().min(MAX_SHOWN)].to_vec();
                let damage = DamagedGame { reason: overlong_reason(), text, ..damage };
                packed.damages.push((damage, false));
                continue;
            }
            let read = self.reader.read(game, Needs::ALL);
            let origin = GameOrigin {
                source,
                game: chunk.start.input_game + index as u64,
                offset: chunk.offset + start as u64,
                length: read.text().len() as u64,
                line,
            };
            packed.rows.add(&read, origin);
            if read.damages().is_empty() {
                continue;
            }
            let mut summaries = Vec::new();
            add_damage(&mut summaries, &read, None, false);
            summaries.sort_by_key(|summary| summary.start);
            for summary in summaries {
                let report = DamagedGame {
                    line: lines.at(text, start + summary.start),
                    reason: summary.reason,
                    text: summary.shown,
                    more: summary.more,
                    ..damage.clone()
                };
                packed.damages.push((report, summary.note));
            }
        }
        packed
    }
}
