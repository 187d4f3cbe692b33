//! Games in a row that reach the limit of steps.

/// After so many games in a row at the limit of steps the run ends: each of them takes about a
/// second, and a query that needs more steps needs them for most games.
pub(crate) const MAX_GAMES_AT_LIMIT: u64 = 20;

/// Counts the games in a row, of those that a query is evaluated on, that used up their steps.
#[derive(Clone, Copy, Default)]
pub(crate) struct LimitRow {
    length: u64,
    /// How many games were evaluated up to the last one of the row.
    end: u64,
}

impl LimitRow {
    /// Adds a game at the limit, given how many games were evaluated before it. Whether the run
    /// ends.
    pub(crate) fn add(&mut self, before: u64) -> bool {
        self.length = if before == self.end { self.length + 1 } else { 1 };
        self.end = before + 1;
        self.length >= MAX_GAMES_AT_LIMIT
    }
}
