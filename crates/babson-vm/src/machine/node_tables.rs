//! What the filters of a program have found at the nodes of a game.

use crate::limits::MAX_KEPT_OUTCOMES;

/// A table for each of some filters. A table has an entry for each node, or several.
///
/// The tables outlive the game. Each entry has the number of its game, so that a new game finds
/// none of its own yet: to clear the tables would take longer than the search of most games.
#[derive(Debug)]
pub(super) struct NodeTables<T> {
    tables: Vec<Table<T>>,
    /// The current game. Entries of game 0 are empty.
    game: u32,
    /// The number of entries of all tables that the game uses.
    size: usize,
}

#[derive(Clone, Debug)]
struct Table<T> {
    /// The last game that used it.
    game: u32,
    entries: Vec<Entry<T>>,
}

#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    game: u32,
    found: T,
}

impl<T: Copy + Default> NodeTables<T> {
    pub(super) fn new(filters: usize) -> NodeTables<T> {
        NodeTables {
            tables: vec![Table { game: 0, entries: Vec::new() }; filters],
            game: 1,
            size: 0,
        }
    }

    /// Forgets what the game before has kept.
    pub(super) fn start_game(&mut self) {
        self.size = 0;
        self.game = self.game.wrapping_add(1);
        if self.game == 0 {
            let filters = self.tables.len();
            *self = NodeTables::new(filters);
        }
    }

    #[inline]
    pub(super) fn get(&self, filter: usize, entry: usize) -> Option<T> {
        let entry = self.tables.get(filter)?.entries.get(entry)?;
        (entry.game == self.game).then_some(entry.found)
    }

    /// Makes the table of a filter ready for the game, unless it is. Returns `false` if there is no
    /// room for it.
    #[inline]
    pub(super) fn prepare(&mut self, filter: usize, entries: usize) -> bool {
        self.tables[filter].game == self.game || self.start_table(filter, entries)
    }

    fn start_table(&mut self, filter: usize, entries: usize) -> bool {
        let size = self.size.saturating_add(entries);
        if size > MAX_KEPT_OUTCOMES {
            return false;
        }
        self.size = size;
        let table = &mut self.tables[filter];
        table.game = self.game;
        if table.entries.len() < entries {
            table.entries.resize(entries, Entry { game: 0, found: T::default() });
        }
        true
    }

    /// Keeps what a filter has found, if its table is ready.
    #[inline]
    pub(super) fn set(&mut self, filter: usize, entry: usize, found: T) {
        let game = self.game;
        if let Some(table) = self.tables.get_mut(filter)
            && table.game == game
            && let Some(slot) = table.entries.get_mut(entry)
        {
            *slot = Entry { game, found };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_limited_in_sum() {
        let mut tables = NodeTables::new(8);
        let nodes = MAX_KEPT_OUTCOMES / 2;
        for filter in [3, 0, 7] {
            assert_eq!(tables.prepare(filter, nodes), filter != 7);
            tables.set(filter, 5, filter);
        }
        assert_eq!([0, 3, 7].map(|filter| tables.get(filter, 5)), [Some(0), Some(3), None]);
        assert_eq!((tables.get(3, 6), tables.get(9, 5)), (None, None));
    }

    #[test]
    fn each_game_begins_with_nothing_found() {
        let mut tables = NodeTables::new(3);
        // Also when the numbers of the games begin anew.
        tables.game = u32::MAX - 1;
        for found in 0..4 {
            tables.start_game();
            assert_eq!(tables.get(0, 5), None);
            tables.set(0, 5, found);
            assert_eq!(tables.get(0, 5), None, "before it is prepared");
            for (filter, nodes) in [(0, MAX_KEPT_OUTCOMES / 4 * 3), (1, MAX_KEPT_OUTCOMES / 4)] {
                assert!(tables.prepare(filter, nodes));
                assert_eq!(tables.get(filter, 5), None);
                tables.set(filter, 5, found);
                assert_eq!(tables.get(filter, 5), Some(found));
            }
            assert!(!tables.prepare(2, 1));
            tables.set(2, 0, found);
            assert_eq!(tables.get(2, 0), None);
        }
    }
}
