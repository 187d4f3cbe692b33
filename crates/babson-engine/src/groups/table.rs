//! The table of the groups.

use std::cmp::Reverse;
use std::fmt;

use super::performance::RatedGames;
use super::{GroupKeys, GroupTableFormat, GroupValue};

/// The groups of the matches of a search. Groups whose first keys are `query`, `year`, `month`,
/// `decade`, `date`, `ply`, `movenumber` or numbers in bands are in the order of these; otherwise,
/// and among those, the groups with the most games come first. As text it is a table with aligned
/// columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupTable {
    pub(super) groups: GroupKeys,
    rows: Vec<GroupRow>,
}

/// A group of a [`GroupTable`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GroupRow {
    /// The values of the keys.
    pub keys: Vec<GroupValue>,
    /// The number of matching positions.
    pub positions: u64,
    /// The games that White won, or the player of the group.
    pub won: u64,
    /// The games that were drawn.
    pub drawn: u64,
    /// The games that White lost, or the player of the group.
    pub lost: u64,
    /// The games without a result, and those that a player of a group won against the same name.
    pub other: u64,
    /// The games with a result against an opponent with a rating.
    pub(super) rated: RatedGames,
    /// The matching games of the query, in all groups.
    pub of: u64,
}

impl GroupRow {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.won + self.drawn + self.lost + self.other
    }

    /// The points of White, or of the player of the group, in percent of the games with a result,
    /// with one decimal; `None` if there is none.
    pub fn score(&self) -> Option<f64> {
        let half_points = 2 * self.won + self.drawn;
        percent(half_points, 2 * (self.won + self.drawn + self.lost))
    }

    /// The rating performance of White, or of the player of the group: the average rating of the
    /// opponents, and to it the difference that FIDE's table gives for the score (FIDE Rating
    /// Regulations, B.02, 8.1.1). Only games with a result against an opponent with a rating
    /// count; `None` if there is none.
    pub fn performance(&self) -> Option<i64> {
        self.rated.performance()
    }

    /// The games in percent of all matching games, with one decimal.
    pub fn share(&self) -> f64 {
        percent(self.games(), self.of).unwrap_or_default()
    }
}

/// A part in percent, rounded to one decimal.
fn percent(part: u64, of: u64) -> Option<f64> {
    let (part, of) = (u128::from(part), u128::from(of));
    let tenths = (part * 2000 + of).checked_div(2 * of)?;
    Some(u32::try_from(tenths).map_or(f64::MAX, f64::from) / 10.0)
}

impl GroupTable {
    pub(super) fn new(groups: GroupKeys, mut rows: Vec<GroupRow>) -> GroupTable {
        let series = groups.series();
        rows.sort_unstable_by(|one, other| {
            let leading = |row: &GroupRow| row.keys.len().min(series);
            let by_series = one.keys[..leading(one)].cmp(&other.keys[..leading(other)]);
            let by_games = Reverse(one.games()).cmp(&Reverse(other.games()));
            by_series.then(by_games).then_with(|| one.keys.cmp(&other.keys))
        });
        GroupTable { groups, rows }
    }

    /// Returns the headings of the keys, then `games`, `positions`, `won`, `drawn`, `lost`,
    /// `other`, `score`, `performance` and `share`.
    pub fn headings(&self) -> impl Iterator<Item = &str> {
        self.groups.headings().chain(super::COUNTS)
    }

    /// The groups.
    pub fn rows(&self) -> &[GroupRow] {
        &self.rows
    }
}

impl fmt::Display for GroupTable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines(GroupTableFormat::Text, |line| out.write_str(line))
    }
}
