//! Where a search takes its games from.

use std::io::{self, Read};

use babson_pgn::{SplitText, count_lines};

use super::{GameStream, GameText, RowName, StreamGame};
use crate::{DamagedGame, GameGuard, GameOrigin};

/// Games, one after another: the text of a [stream](GameStream), or what a program has of its own,
/// such as the rows of a game table.
///
/// ```
/// use std::io;
///
/// use babson_vm::run::{GameSource, GameStream, NextGame, Search};
/// use babson_vm::{Dialect, GameGuard, Program, RunOptions};
///
/// /// Two texts, whose games are numbered as if they were one.
/// struct Two<'t>(GameStream<&'t [u8]>, GameStream<&'t [u8]>);
///
/// impl GameSource for Two<'_> {
///     fn find_next(&mut self, guard: Option<&GameGuard>) -> io::Result<Option<NextGame<'_>>> {
///         match self.0.find_next(guard)? {
///             Some(next) => Ok(Some(next)),
///             None => self.1.find_next(guard),
///         }
///     }
/// }
///
/// let source = Two(GameStream::new(b"1. e4 *"), GameStream::new(b"1. f3 e5 2. g4 Qh4# 0-1"));
/// let program = Program::parse("mate", Dialect::CQLI)?;
/// let numbers = Search::owned(program, RunOptions::default(), source).map(|hit| hit.unwrap().game);
/// assert_eq!(numbers.collect::<Vec<_>>(), [2]);
/// # Ok::<(), babson_vm::ParseError>(())
/// ```
pub trait GameSource {
    /// Finds the next game; `None` after the last one. A source that can test the guard without
    /// reading a game may skip games that it does not let through.
    ///
    /// # Errors
    /// The games cannot be read on. Those before the failure have come.
    fn find_next(&mut self, guard: Option<&GameGuard>) -> io::Result<Option<NextGame<'_>>>;
}

/// What comes next of a [`GameSource`].
#[derive(Debug)]
pub enum NextGame<'s> {
    /// The number of games that the guard does not let through.
    Skipped(u64),
    /// A game.
    Game(SourceGame<'s>),
}

/// A game of a [`GameSource`].
#[derive(Debug)]
pub enum SourceGame<'s> {
    /// A game of a text.
    Text(StreamGame<'s>),
    /// A row of a table.
    Row(RowGame<'s>),
}

/// A row of a table, with the place that the game has in the file that was packed.
#[derive(Clone, Copy, Debug)]
pub struct RowGame<'s> {
    /// The game.
    pub text: GameText<'s>,
    /// The row in messages.
    pub name: RowName<'s>,
    /// The name of the file.
    pub input: &'s str,
    /// The number of the game in it.
    pub number: u64,
    /// The offset of the game in it.
    pub offset: u64,
    /// The line on which the game begins.
    pub line: u64,
}

impl<'s> SourceGame<'s> {
    /// The game.
    pub fn text(&self) -> GameText<'s> {
        match self {
            SourceGame::Text(game) => GameText::Pgn(SplitText::new(game.text)),
            SourceGame::Row(row) => row.text,
        }
    }

    /// Where it comes from. The name and the number are for a text that has none of its own.
    pub fn origin<'o>(&self, name: &'o str, number: u64) -> GameOrigin<'o>
    where
        's: 'o,
    {
        match self {
            SourceGame::Text(game) => {
                let (input, number) = game.name.unwrap_or((name, number));
                GameOrigin { input, number, offset: game.offset }
            }
            SourceGame::Row(row) => {
                GameOrigin { input: row.input, number: row.number, offset: row.offset }
            }
        }
    }

    /// The line of an offset in its text. The offsets of all games ascend.
    pub fn line_of(&mut self, offset: usize) -> u64 {
        match self {
            SourceGame::Text(game) => game.line_of(offset),
            SourceGame::Row(row) => match row.text {
                // Codes of moves have no lines.
                GameText::Coded(_) => row.line,
                GameText::Pgn(text) => row.line.saturating_add(count_lines(text.text(), 0..offset)),
            },
        }
    }

    /// Makes the report of a damage one of the table, if what is damaged is the table and not the
    /// file that was packed.
    pub fn blame(&self, report: &mut DamagedGame) {
        if let SourceGame::Row(row) = self
            && let GameText::Coded(_) = row.text
        {
            row.name.blame(report, row.number);
        }
    }
}

impl<R: Read> GameSource for GameStream<R> {
    fn find_next(&mut self, _: Option<&GameGuard>) -> io::Result<Option<NextGame<'_>>> {
        let game = self.next_game()?;
        Ok(game.map(|game| NextGame::Game(SourceGame::Text(game))))
    }
}
