//! The games of a table: those that no query can match are skipped.

use std::sync::atomic::Ordering;

use super::Worker;
use super::evaluate::GameOrigin;
use super::game_text::GameText;
use super::results::ChunkResult;
use crate::chunk::{ChunkRows, RowGame};

impl Worker<'_> {
    /// The indices of the games in which a query may match or do anything else, by the guards of
    /// all queries.
    pub(super) fn select(&self, rows: &ChunkRows) -> impl Iterator<Item = usize> + use<> {
        let facts = rows.facts(self.plan.touched);
        let words = facts.flags.len().div_ceil(64);
        let mut any = vec![0; words];
        for job in &self.plan.jobs {
            let mut selected = vec![!0; words];
            if let Some(last) = selected.last_mut()
                && !facts.flags.len().is_multiple_of(64)
            {
                *last = (1 << (facts.flags.len() % 64)) - 1;
            }
            if let Some(guard) = job.program.game_guard(&job.options) {
                guard.select(&facts, &mut selected, &mut []);
            }
            any.iter_mut().zip(selected).for_each(|(any, selected)| *any |= selected);
        }
        any.into_iter().enumerate().flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some(64 * word + bit)
            })
        })
    }

    /// Counts games that no query can match, from the game `number` on.
    pub(super) fn skip(&mut self, number: u64, games: usize, results: &mut ChunkResult) {
        let games = games as u64;
        results.games += games;
        for (index, job) in self.plan.jobs.iter().enumerate() {
            if self.ended[index] || self.plan.ended[index].load(Ordering::Relaxed) {
                continue;
            }
            let (low, high) = job.range.unwrap_or((0, u64::MAX));
            let first = number.max(low);
            let end = (number + games).min(high.saturating_add(1));
            let evaluated = end.saturating_sub(first);
            results.jobs[index].evaluated += evaluated;
            self.evaluated[index] += evaluated;
        }
    }

    /// Runs all queries, or only the job `only`, on the game of a row of an input.
    pub(super) fn row(
        &mut self,
        (input, rows): (usize, &ChunkRows),
        number: u64,
        index: usize,
        only: Option<usize>,
        results: &mut ChunkResult,
    ) {
        results.games += 1;
        let origin = GameOrigin {
            input,
            input_name: rows.source(index),
            number: rows.number(index),
            offset: rows.offset(index),
        };
        match rows.game(index) {
            RowGame::Coded(coded) => {
                let line = |_| rows.line(index);
                self.game(&GameText::Coded(coded), number, origin, only, results, line);
            }
            RowGame::Text(tags, movetext) => {
                let mut text = std::mem::take(&mut self.joined);
                text.clear();
                text.extend_from_slice(tags);
                text.extend_from_slice(movetext);
                let line =
                    |offset: usize| rows.line(index) + babson_pgn::count_lines(&text, 0..offset);
                self.game(&GameText::Pgn(&text), number, origin, only, results, line);
                self.joined = text;
            }
        }
    }
}
