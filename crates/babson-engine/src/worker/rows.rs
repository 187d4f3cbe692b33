//! The games of a table: those that no query can match are skipped.

use babson_vm::run::{GameDamages, GameText};

use super::Worker;
use super::results::ChunkResult;
use crate::chunk::{RowGame, TableRow};
use crate::collect::{InputGame, TextGame};

/// Where the game of a row of an input comes from.
fn origin<'r>(input: usize, row: &TableRow<'r>) -> InputGame<'r> {
    InputGame {
        input,
        input_name: row.input(),
        row: Some(row.name()),
        number: row.number(),
        offset: row.offset(),
        length: Some(row.length()),
        is_torn: false,
    }
}

impl Worker<'_> {
    /// Counts games that no query can match, from the game `number` on, for all queries or only for
    /// the job `only`.
    pub(super) fn skip(
        &mut self,
        number: u64,
        games: usize,
        only: Option<usize>,
        results: &mut ChunkResult,
    ) {
        let games = games as u64;
        results.games += games;
        for (index, run) in self.runs.iter_mut().enumerate() {
            let is_wanted = only.is_none_or(|only| only == index);
            if run.has_ended() || run.leaves_out || !is_wanted {
                continue;
            }
            let (low, high) = run.job.range.unwrap_or((0, u64::MAX));
            let first = number.max(low);
            let end = (number + games).min(high.saturating_add(1)).max(first);
            run.skip(first..end, &mut results.jobs[index]);
        }
    }

    /// Runs all queries, or only the job `only`, on the game of a row of an input.
    pub(super) fn row(
        &mut self,
        input: usize,
        row: &TableRow<'_>,
        number: u64,
        only: Option<usize>,
        results: &mut ChunkResult,
    ) {
        results.games += 1;
        let origin = origin(input, row);
        self.with_text(row, |worker, text, line| {
            worker.game(&TextGame { text, number, origin }, only, results, line);
        });
    }

    /// Writes the game of a row of an input that no query can match, if such games are written.
    pub(super) fn skipped_row(
        &mut self,
        input: usize,
        row: &TableRow<'_>,
        number: u64,
        results: &mut ChunkResult,
    ) {
        if !self.all_search(number) {
            return;
        }
        let origin = origin(input, row);
        self.with_text(row, |worker, text, line| {
            let (game, mut damages) = (TextGame { text, number, origin }, GameDamages::default());
            worker.collect(&game, false, results, &mut damages, &mut || line(0));
            if !damages.is_empty() {
                worker.report(&game, damages, results, line);
            }
        });
    }

    /// Calls `take` with the text of a row, and with what tells the line of an offset in it.
    fn with_text(
        &mut self,
        row: &TableRow<'_>,
        take: impl FnOnce(&mut Self, GameText<'_>, &mut dyn FnMut(usize) -> u64),
    ) {
        match row.game() {
            RowGame::Coded(coded) => take(self, GameText::Coded(coded), &mut |_| row.line()),
            RowGame::Text(tags, movetext) => {
                let mut text = std::mem::take(&mut self.joined);
                text.clear();
                text.extend_from_slice(tags);
                text.extend_from_slice(movetext);
                take(self, GameText::Pgn(&text), &mut |offset| {
                    row.line().saturating_add(babson_pgn::count_lines(&text, 0..offset))
                });
                self.joined = text;
            }
        }
    }
}
