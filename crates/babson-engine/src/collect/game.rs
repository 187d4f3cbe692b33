//! A game as it comes from an input, and as workers hand it to the collectors.

use babson_input::chunk::RowName;
use babson_pgn::{Game, Reader};
use babson_vm::run::{GameDamages, GameText};
use babson_vm::{Outcome, Trace};

use crate::job::Job;
use crate::sink::MatchedGame;

/// A game as it comes from an input.
#[derive(Clone, Copy)]
pub(crate) struct TextGame<'g> {
    pub(crate) text: GameText<'g>,
    /// Its number over all inputs.
    pub(crate) number: u64,
    pub(crate) origin: InputGame<'g>,
}

/// A game that a query matches, or that all queries have searched and none matches.
pub(crate) struct SearchedGame<'s, 'g> {
    pub(crate) game: &'s TextGame<'g>,
    /// Whether a query matches it. Otherwise all have searched it, and none matches or fails.
    pub(crate) matched: bool,
    /// Reads the game again.
    pub(crate) reader: &'s mut Reader,
    /// The damages that its readings have found.
    pub(crate) damages: &'s mut GameDamages,
    /// Tells the line that the game begins on.
    pub(crate) line: &'s mut dyn FnMut() -> u64,
}

/// A game of an input: where it comes from.
#[derive(Clone, Copy)]
pub(crate) struct InputGame<'p> {
    /// The index of the input.
    pub(crate) input: usize,
    /// Its name; of a game of a table, the name of the file that it comes from.
    pub(crate) input_name: &'p str,
    /// The row, if it is a game of a table that is searched.
    pub(crate) row: Option<RowName<'p>>,
    /// The number of the game in the input, from 1.
    pub(crate) number: u64,
    /// The offset of its first byte in the (decompressed) input.
    pub(crate) offset: u64,
    /// The length of its text there; `None` if the game has its text.
    pub(crate) length: Option<u64>,
    /// Whether the input cannot be read to the end of the game.
    pub(crate) is_torn: bool,
}

impl<'p> InputGame<'p> {
    /// The game as outputs see it, with its number in the scan and the line that it begins on.
    pub(crate) fn matched<'m>(
        self,
        game: &'m Game<'m>,
        (outcome, traces): (&'m Outcome, &'m [Trace]),
        job: &'m Job,
        (number, line): (u64, u64),
    ) -> MatchedGame<'m>
    where
        'p: 'm,
    {
        MatchedGame {
            game,
            outcome,
            traces,
            job,
            number,
            input: self.input_name,
            input_number: self.number,
            offset: self.offset,
            length: self.length.unwrap_or(game.text().len() as u64),
            line,
        }
    }
}
