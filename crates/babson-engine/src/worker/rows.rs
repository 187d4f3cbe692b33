//! The games of a table: those that no query can match are skipped.

use std::ops::Range;

use babson_input::chunk::{Chunk, ChunkRows, TableRow};
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
        let all = number..number + games as u64;
        results.games += games as u64;
        for (index, run) in self.runs.iter_mut().enumerate() {
            if only.is_none_or(|only| only == index) {
                let games = run.searched(&all);
                run.skip(games, &mut results.jobs[index]);
            }
        }
    }

    /// Counts these games of a chunk: each query matches where its guard has decided so, and cannot
    /// match in the others.
    pub(super) fn skip_decided(
        &mut self,
        chunk: &Chunk,
        rows: &ChunkRows,
        games: Range<usize>,
        results: &mut ChunkResult,
    ) {
        let first = chunk.start.game;
        let all = first + games.start as u64..first + games.end as u64;
        results.games += all.end - all.start;
        for (index, run) in self.runs.iter_mut().enumerate() {
            let (mut games, results) = (run.searched(&all), &mut results.jobs[index]);
            // A range without games may begin far behind the chunk.
            let row = |game: u64| usize::try_from(game - first).unwrap_or(usize::MAX);
            while let Some(row) = rows.next_decided(index, row(games.start))
                && first + (row as u64) < games.end
            {
                let next = first + row as u64 + 1;
                run.skip(games.start..next, results);
                run.add_decided_match(next - 1, results);
                games = run.searched(&(next..games.end));
            }
            run.skip(games, results);
        }
    }

    /// Runs all queries, or only the job `only`, on the game of a row of an input. `is_decided`
    /// says whether a job matches it by the decision of its guard.
    pub(super) fn row(
        &mut self,
        input: usize,
        (row, is_decided): (&TableRow<'_>, impl Fn(usize) -> bool),
        number: u64,
        only: Option<usize>,
        results: &mut ChunkResult,
    ) {
        results.games += 1;
        for (index, run) in self.runs.iter_mut().enumerate() {
            run.is_decided = is_decided(index);
        }
        let mut joined = std::mem::take(&mut self.joined);
        let game = TextGame { text: row.game(&mut joined), number, origin: origin(input, row) };
        self.game(&game, only, results, |offset| row.line_at(&game.text, offset));
        self.joined = joined;
        self.runs.iter_mut().for_each(|run| run.is_decided = false);
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
