//! Counting games in a row that reach the limit of steps.

use babson_vm::MAX_GAMES_AT_LIMIT;

/// Counts the games in a row that used up their steps, among the games that a query is evaluated
/// on.
#[derive(Clone, Copy, Default)]
pub(crate) struct LimitStreak {
    length: u64,
    /// How many games were evaluated up to the last one of the streak.
    end: u64,
}

impl LimitStreak {
    /// Adds a game at the limit, given how many games were evaluated before it. Returns whether the
    /// run ends.
    pub(crate) fn add(&mut self, before: u64) -> bool {
        self.length = if before == self.end { self.length + 1 } else { 1 };
        self.end = before + 1;
        self.length >= MAX_GAMES_AT_LIMIT
    }
}
