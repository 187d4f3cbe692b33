//! The games of an input, one after another: [`Input::games`].

use std::slice;
use std::sync::Arc;

use babson_pgn::{Game, Needs, Reader};
use babson_vm::run::{DamageSummary, LineCounter, overlong_game};
use babson_vm::{DamagedGame, Origin};

use crate::chunk::{Chunk, ChunkStart, CutError, Cutter, Numbering, RowChoice, chunk_size};
use crate::error::InputError;
use crate::input::Input;

impl Input {
    /// Iterator over the games of the input, whatever it is: PGN, plain or compressed, a member of
    /// an archive, a game table. [`Input::expand`] gives the inputs of a folder or an archive.
    ///
    /// ```
    /// use babson_input::Input;
    /// use babson_pgn::{Needs, Reader};
    ///
    /// let input = Input::bytes("a.pgn", *b"[White \"Ann\"]\n\n1. e4 *\n\n[White \"Bob\"]\n\n1. d4 *\n");
    /// let mut reader = Reader::new();
    /// let mut names = Vec::new();
    /// for game in input.games() {
    ///     let game = game?;
    ///     // An error is a game that cannot be read at all.
    ///     let Ok(read) = game.read(&mut reader, Needs::TAGS) else { continue };
    ///     names.push((game.number(), read.tag(b"White").map(<[u8]>::to_vec)));
    /// }
    /// assert_eq!(names, [(1, Some(b"Ann".to_vec())), (2, Some(b"Bob".to_vec()))]);
    /// # Ok::<(), babson_input::InputError>(())
    /// ```
    ///
    /// The item of an input that cannot be read to its end is an error, and the last one. The games
    /// before the failure come. Standard input and a reader can be read once.
    pub fn games(&self) -> InputGames<'_> {
        let inputs = slice::from_ref(self);
        // What waits here for its caller must not change with the file.
        let cutter =
            Cutter::new(inputs, chunk_size(self.size().unwrap_or_default(), 1)).with_mapping(false);
        InputGames {
            cutter: Some(cutter),
            numbering: Numbering::new(0, ChunkStart::default()),
            name: self.name().into(),
            place: None,
        }
    }

    /// The game of this number, from 1, of a game table that is [open](Input::opened). No other
    /// game is read. `None` if the input is not an open table, or has fewer games.
    ///
    /// # Errors
    /// The table is damaged there, or its file has changed.
    pub fn game_of_table(&self, number: u64) -> Option<Result<InputGame, InputError>> {
        let Input::Opened(file) = self else { return None };
        let games = file.games_of_table()?;
        let row = number.checked_sub(1).filter(|row| *row < games)?;
        let rows = row..number;
        let cutter = Cutter::new(slice::from_ref(self), 1).with_ranges(vec![rows]);
        let start = ChunkStart { game: number, input_game: number, line: 1 };
        let numbering = Numbering::new(0, start);
        let name = self.name().into();
        InputGames { cutter: Some(cutter), numbering, name, place: None }.next()
    }
}

/// Iterator over the games of an input: [`Input::games`].
pub struct InputGames<'i> {
    /// None after an error: no more of the input is read.
    cutter: Option<Cutter<'i>>,
    numbering: Numbering,
    name: Arc<str>,
    place: Option<Place>,
}

/// Where the next game is.
struct Place {
    chunk: Arc<Chunk>,
    index: usize,
    lines: LineCounter,
}

impl Iterator for InputGames<'_> {
    type Item = Result<InputGame, InputError>;

    fn next(&mut self) -> Option<Result<InputGame, InputError>> {
        loop {
            if let Some(game) = self.place.as_mut().and_then(|place| place.next(&self.name)) {
                return Some(Ok(game));
            }
            self.place = None;
            let chunk = match self.next_chunk()? {
                Ok(chunk) => chunk,
                Err(error) => return Some(Err(error)),
            };
            let lines = LineCounter::new(chunk.start.line);
            self.place = Some(Place { chunk: Arc::new(chunk), index: 0, lines });
        }
    }
}

impl InputGames<'_> {
    /// The next chunk with its numbers.
    fn next_chunk(&mut self) -> Option<Result<Chunk, InputError>> {
        let cut = self.cutter.as_mut()?.next()?;
        match cut.and_then(|cut| cut.read(&RowChoice::All)) {
            Ok(mut chunk) => {
                self.numbering.number(&mut chunk, |_| ());
                Some(Ok(chunk))
            }
            Err(CutError { index, input, error }) => {
                self.cutter = None;
                let place = self.numbering.end_input(index, input);
                let games = place.map_or(0, |place| place.input_games);
                Some(Err(error.after(games)))
            }
        }
    }
}

impl Place {
    fn next(&mut self, name: &Arc<str>) -> Option<InputGame> {
        let index = self.index;
        let chunk = &self.chunk;
        if index >= chunk.games() {
            return None;
        }
        self.index += 1;
        let mut game = InputGame {
            chunk: Arc::clone(chunk),
            index,
            name: Arc::clone(name),
            line: 0,
            text: Vec::new(),
        };
        match chunk.rows.as_ref().and_then(|rows| rows.row(index)) {
            Some(row) => {
                game.line = row.line();
                if row.coded().is_none() {
                    row.game(&mut game.text);
                }
            }
            None => game.line = self.lines.at(chunk.bytes(), chunk.starts[index]),
        }
        Some(game)
    }
}

/// A game of an input, which is not read yet: an item of [`Input::games`]. It keeps the part of the
/// input in memory in which it is.
pub struct InputGame {
    chunk: Arc<Chunk>,
    /// Which game of the chunk.
    index: usize,
    /// The name of the input.
    name: Arc<str>,
    line: u64,
    /// The text of a game that a table has as a text.
    text: Vec<u8>,
}

impl InputGame {
    /// The number of the game in the input, from 1.
    pub fn number(&self) -> u64 {
        self.chunk.start.game + self.index as u64
    }

    /// Where the game comes from. A game of a table comes from the file that was packed.
    pub fn origin(&self) -> Origin {
        match self.chunk.rows.as_ref().and_then(|rows| rows.row(self.index)) {
            Some(row) => Origin::new(row.input(), row.number(), row.offset()),
            None => Origin::new(
                &*self.name,
                self.chunk.start.input_game + self.index as u64,
                self.chunk.offset + self.chunk.starts[self.index] as u64,
            ),
        }
    }

    /// The line of its file on which it begins, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Reads the game up to its damage, if it has any: see [`Game::damages`].
    ///
    /// # Errors
    /// Nothing of it can be read: it is too long, or it is a damaged row of a table.
    pub fn read<'g>(
        &'g self,
        reader: &'g mut Reader,
        needs: Needs,
    ) -> Result<Game<'g>, DamagedGame> {
        let Some(row) = self.chunk.rows.as_ref().and_then(|rows| rows.row(self.index)) else {
            let text = self.chunk.text(self.index);
            if self.chunk.is_overlong(text) {
                return Err(overlong_game(&self.name, self.line, self.number(), text));
            }
            return Ok(reader.read(text, needs));
        };
        let Some(coded) = row.coded() else { return Ok(reader.read(&self.text, needs)) };
        reader.replay_if(&coded, needs, |_| true).map(|(game, _)| game).map_err(|error| {
            let damage = DamageSummary::of_codes(&error);
            let mut report = damage.report(row.input(), row.line(), self.number());
            row.name().blame(&mut report, row.number());
            report
        })
    }
}

#[cfg(test)]
mod tests;
