//! The work of one thread: reads the games of a chunk and makes their rows.

use std::ops::Range;

use babson_input::chunk::{Chunk, ChunkRows, RowName};
use babson_pgn::{Game, GameFlags, Needs, Reader};
use babson_table::{GameOrigin, Rows};
use babson_vm::run::{
    DamageSummary, GameDamages, GameText, LineCounter, ReadPurpose, overlong_game,
};

use crate::drive::UnreadInput;
use crate::error::Error;
use babson_vm::DamagedGame;

/// What one chunk gives.
#[derive(Default)]
pub(super) struct PackedChunk {
    /// The input that has no game, instead of a chunk of it.
    pub(super) not_pgn: Option<UnreadInput>,
    pub(super) rows: Rows,
    /// For each row the number of its game, ascending.
    pub(super) numbers: Vec<u64>,
    pub(super) reports: Vec<PackRemark>,
    /// Whether it begins a table that another program has written anew.
    pub(super) begins_rewritten: bool,
    pub(super) games: u64,
    pub(super) bytes: u64,
    pub(super) input_bytes: u64,
}

/// A report of a game.
pub(super) struct PackRemark {
    pub(super) report: DamagedGame,
    /// Whether it is only a note.
    pub(super) note: bool,
    /// Whether the game is not in the table.
    pub(super) is_lost: bool,
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

    /// Packs the games of a chunk.
    ///
    /// # Errors
    /// They are rows of a table whose texts are damaged.
    pub(super) fn pack(&mut self, chunk: &Chunk) -> Result<PackedChunk, Error> {
        let mut packed = PackedChunk {
            begins_rewritten: chunk
                .rows
                .as_ref()
                .is_some_and(|rows| rows.rewritten_table().is_some()),
            games: chunk.games() as u64,
            bytes: chunk.length,
            input_bytes: chunk.input_length,
            ..PackedChunk::default()
        };
        match &chunk.rows {
            Some(rows) => self.pack_rows(chunk, rows, &mut packed)?,
            None => self.pack_texts(chunk, &mut packed),
        }
        Ok(packed)
    }

    /// Packs games of a PGN file.
    fn pack_texts(&mut self, chunk: &Chunk, packed: &mut PackedChunk) {
        let text = chunk.bytes();
        let source = self.names.get(chunk.input).map_or("", String::as_str);
        let mut lines = LineCounter::new(chunk.start.line);
        for index in 0..chunk.games() {
            let (game, start) = (chunk.text(index), chunk.starts[index]);
            let (line, number) = (lines.at(text, start), chunk.start.game + index as u64);
            if chunk.is_overlong(game) {
                let report = overlong_game(source, line, number, game);
                packed.reports.push(PackRemark { report, note: false, is_lost: true });
                continue;
            }
            let read = self.reader.read(game, Needs::ALL);
            let origin = GameOrigin {
                input: source,
                number: chunk.start.input_game + index as u64,
                offset: chunk.offset + start as u64,
                length: read.text().len() as u64,
                line,
            };
            packed.add(&read, origin, None, number, |offset| lines.at(text, start + offset));
        }
    }

    /// Packs games of a table. They keep the places that they were packed from, and their facts.
    /// Only damaged games are read, since their damage is reported, and codes of moves are played,
    /// since checksums do not tell whether they can be.
    fn pack_rows(
        &mut self,
        chunk: &Chunk,
        rows: &ChunkRows,
        packed: &mut PackedChunk,
    ) -> Result<(), Error> {
        let mut joined = Vec::new();
        // The games up to `next` are packed.
        let mut next = 0;
        for index in 0..chunk.games() {
            let Some(row) = rows.row(index) else { continue };
            let number = chunk.start.game + index as u64;
            let text = row.game(&mut joined);
            if !row.flags().has(GameFlags::DAMAGE) && self.can_be_played(&text) {
                continue;
            }
            packed.add_stored(chunk, rows, next..index)?;
            next = index + 1;
            let origin = GameOrigin {
                input: row.input(),
                number: row.number(),
                offset: row.offset(),
                length: row.length(),
                line: row.line(),
            };
            // A table has the text of a game that was damaged when it was packed.
            let name = matches!(text, GameText::Coded(_)).then(|| row.name());
            match text.read(&mut self.reader, Needs::ALL) {
                Ok(game) => {
                    let line = |offset| row.line_at(&text, offset);
                    packed.add(&game, origin, name, number, line);
                }
                Err(error) => {
                    let damage = DamageSummary::of_codes(&error);
                    let mut report = damage.report(origin.input, origin.line, number);
                    row.name().blame(&mut report, origin.number);
                    packed.reports.push(PackRemark { report, note: false, is_lost: true });
                }
            }
        }
        packed.add_stored(chunk, rows, next..chunk.games())
    }

    /// Returns true if the moves of a game are a text, or codes that can be played without damage.
    fn can_be_played(&mut self, text: &GameText<'_>) -> bool {
        match text {
            GameText::Pgn(_) => true,
            GameText::Coded(_) => {
                text.read(&mut self.reader, Needs::ALL).is_ok_and(|game| game.damages().is_empty())
            }
        }
    }
}

impl PackedChunk {
    /// Adds games of a chunk of a table as they are there.
    fn add_stored(
        &mut self,
        chunk: &Chunk,
        rows: &ChunkRows,
        games: Range<usize>,
    ) -> Result<(), Error> {
        self.numbers.extend(games.clone().map(|index| chunk.start.game + index as u64));
        Ok(rows.append_to(&mut self.rows, games)?)
    }

    /// Adds the game of this number, and reports of its damage. `row` is the row that is damaged if
    /// the game is; `line` tells the line of an offset in it.
    fn add(
        &mut self,
        game: &Game<'_>,
        origin: GameOrigin<'_>,
        row: Option<RowName<'_>>,
        number: u64,
        mut line: impl FnMut(usize) -> u64,
    ) {
        self.rows.add(game, origin);
        self.numbers.push(number);
        let mut damages = GameDamages::default();
        damages.add(game, None, ReadPurpose::Search);
        for (_, summary) in damages.ranked() {
            let mut report = summary.report(origin.input, line(summary.start), number);
            if let Some(row) = row {
                row.blame(&mut report, origin.number);
            }
            self.reports.push(PackRemark { report, note: summary.note, is_lost: false });
        }
    }
}
