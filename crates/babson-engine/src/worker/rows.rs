//! The games of a table: those that no query can match are skipped.

use babson_input::chunk::TableRow;
use babson_vm::run::GameDamages;

use super::Worker;
use super::results::ChunkResult;
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
        let mut joined = std::mem::take(&mut self.joined);
        let game = TextGame { text: row.game(&mut joined), number, origin: origin(input, row) };
        self.game(&game, only, results, |offset| row.line_at(&game.text, offset));
        self.joined = joined;
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
        let mut joined = std::mem::take(&mut self.joined);
        let game = TextGame { text: row.game(&mut joined), number, origin: origin(input, row) };
        let mut damages = GameDamages::default();
        self.collect(&game, false, results, &mut damages, &mut || row.line());
        if !damages.is_empty() {
            self.report(&game, damages, results, |offset| row.line_at(&game.text, offset));
        }
        self.joined = joined;
    }
}
