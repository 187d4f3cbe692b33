//! How game guards chose games.

use std::ops::Range;

use babson_vm::{ConditionRows, GameGuard};
use serde::{Deserialize, Serialize};

/// How the game guard of a query chose games of tables: the conditions on a game without which the
/// query finds nothing there.
///
/// ```
/// # #[cfg(feature = "table")] {
/// use babson_engine::{Compression, Input, Job, Settings, Silent, Task, pack, scan};
/// use babson_lang::{Dialect, analyze};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let [games, table] = ["games.pgn", "games.arrow"].map(|name| folder.path().join(name));
/// # std::fs::write(&games, "1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"a\"]\n\n1. e4 *\n").unwrap();
/// let mut settings = Settings::default();
/// pack(&[Input::File(games)], &table, Compression::None, &settings, &mut Silent).unwrap();
/// let query = analyze("mate wtm", Dialect::CQLI).unwrap().query;
/// let job = Job::new(&query).unwrap();
/// settings.guard_stats = true;
/// let summary = scan(&[Input::File(table)], vec![Task::new(job)], &settings, &mut Silent).unwrap();
/// let guard = summary.queries[0].guard.as_ref().unwrap();
/// assert_eq!((guard.games, guard.conditions.len()), (2, 1));
/// assert_eq!((guard.conditions[0].condition.as_str(), guard.conditions[0].left), ("mate", 1));
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GuardStats {
    /// The games of tables that were tested and that count for the query.
    pub games: u64,
    /// The conditions, in the order in which they are tested. Without any, all games are searched.
    pub conditions: Vec<ConditionStats>,
}

/// How a condition of a game guard chose games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ConditionStats {
    /// The condition, in the terms of the language.
    pub condition: String,
    /// The games that it lets through.
    pub passed: u64,
    /// The games that it and all conditions before it let through. The games that pass the last
    /// condition are searched, or only counted as matches if that is all that is needed.
    pub left: u64,
}

impl GuardStats {
    /// No game was tested yet.
    pub(crate) fn of(guard: Option<&GameGuard>) -> GuardStats {
        let condition =
            |text: &str| ConditionStats { condition: text.to_owned(), ..Default::default() };
        let conditions = guard.map(|guard| guard.conditions().map(condition).collect());
        GuardStats { games: 0, conditions: conditions.unwrap_or_default() }
    }

    /// Adds the rows that are in the range.
    pub(crate) fn add(&mut self, conditions: &[ConditionRows], rows: Range<u64>) {
        self.games += rows.end.saturating_sub(rows.start);
        let below =
            |end: u64| 1u64.checked_shl(u32::try_from(end).unwrap_or(64)).map_or(!0, |bit| bit - 1);
        let count = |words: &[u64]| {
            let mask = |first: u64| {
                below(rows.end.saturating_sub(first)) & !below(rows.start.saturating_sub(first))
            };
            let bits = |(number, word): (u64, &u64)| (word & mask(64 * number)).count_ones();
            (0..).zip(words).map(bits).map(u64::from).sum::<u64>()
        };
        for (stats, rows) in self.conditions.iter_mut().zip(conditions) {
            stats.passed += count(&rows.passed);
            stats.left += count(&rows.left);
        }
    }
}
