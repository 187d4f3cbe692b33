//! The games of a table for a search on one thread.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use babson_vm::GameGuard;
use babson_vm::run::{GameSource, NextGame, RowGame, SourceGame};

use super::rows::RowCutter;
use super::{ChunkRows, RowChoice};
use crate::input::OpenTable;

/// The games of an open table, one after another. Those that the guard of the query does not let
/// through are not read.
///
/// ```
/// use babson_input::chunk::TableGames;
/// use babson_input::{Input, OpenInput};
/// use babson_vm::run::{NextGame, Search};
/// use babson_vm::{Dialect, Program, RunOptions};
///
/// # use babson_pgn::{Needs, Reader};
/// # use babson_table::{Compression, GameOrigin, Rows, TableWriter};
/// # let mut rows = Rows::default();
/// # for text in ["1. d4 *", "1. f3 e5 2. g4 Qh4# 0-1"] {
/// #     let origin = GameOrigin { input: "a.pgn", number: 1, offset: 0, length: 0, line: 1 };
/// #     rows.add(&Reader::new().read(text.as_bytes(), Needs::ALL), origin);
/// # }
/// # let mut writer = TableWriter::new(std::io::Cursor::new(Vec::new()), "example");
/// # writer.append(&rows)?;
/// # let mut file = Vec::new();
/// # writer.finish(&mut file, Compression::None)?;
/// # let input = Input::bytes("a.arrow", file);
/// let OpenInput::Table(table) = input.open(true)? else { return Ok(()) };
/// let games = TableGames::new(table, 0..u64::MAX);
/// let mut search = Search::owned(Program::parse("mate", Dialect::CQLI)?, RunOptions::default(), games);
/// assert_eq!(search.next().unwrap()?.game, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TableGames {
    cutter: RowCutter,
    /// The rows that were read last, and the next of them.
    rows: Option<ChunkRows>,
    next: usize,
    /// The text of a game that is stored as text.
    text: Vec<u8>,
}

impl TableGames {
    /// The games of these rows, counted from 0.
    pub fn new(table: Arc<OpenTable>, rows: Range<u64>) -> TableGames {
        let cutter = RowCutter::new(table, rows);
        TableGames { cutter, rows: None, next: 0, text: Vec::new() }
    }

    /// Reads the next rows. Returns whether there are any.
    fn read(&mut self, guard: Option<&GameGuard>) -> io::Result<bool> {
        let Some(cut) = self.cutter.next(None) else { return Ok(false) };
        let choice =
            RowChoice::Guarded { guards: vec![guard], decides: vec![false], writes: vec![true] };
        self.rows = Some(cut.read(&choice).map_err(io::Error::other)?);
        self.next = 0;
        Ok(true)
    }

    /// The index of the next selected row, or else the number of rows.
    fn next_selected(&self) -> usize {
        self.rows.as_ref().map_or(self.next, |rows| rows.next_selected(self.next))
    }
}

impl GameSource for TableGames {
    fn find_next(&mut self, guard: Option<&GameGuard>) -> io::Result<Option<NextGame<'_>>> {
        loop {
            let (first, next) = (self.next, self.next_selected());
            if next > first {
                self.next = next;
                return Ok(Some(NextGame::Skipped((next - first) as u64)));
            }
            if self.rows.as_ref().is_some_and(|rows| next < rows.games()) {
                break;
            }
            if !self.read(guard)? {
                return Ok(None);
            }
        }
        let TableGames { rows, next, text, .. } = self;
        let row = rows.as_ref().and_then(|rows| rows.row(*next));
        *next += 1;
        Ok(row.map(|row| {
            NextGame::Game(SourceGame::Row(RowGame {
                text: row.game(text),
                name: row.name(),
                input: row.input(),
                number: row.number(),
                offset: row.offset(),
                line: row.line(),
            }))
        }))
    }
}
