//! What the filters of a program have found at the nodes of a game.

use bumpalo::collections::Vec as Bumped;

use super::arena::Arena;
use crate::limits::MAX_KEPT_OUTCOMES;

/// A table for each of some filters, made when the filter first keeps something. A table has an
/// entry for each node, or several.
pub(super) struct NodeTables<'m, T> {
    arena: Arena<'m>,
    tables: Bumped<'m, Option<&'m mut [Option<T>]>>,
    /// The number of entries of all tables.
    size: usize,
}

impl<'m, T: Copy> NodeTables<'m, T> {
    pub(super) fn new(arena: Arena<'m>) -> NodeTables<'m, T> {
        NodeTables { arena, tables: arena.list(), size: 0 }
    }

    #[inline]
    pub(super) fn get(&self, filter: usize, entry: usize) -> Option<T> {
        *self.tables.get(filter)?.as_ref()?.get(entry)?
    }

    /// Makes the table of one of the `filters`, unless there is one. Returns `false` if there is no
    /// room for it.
    pub(super) fn prepare(&mut self, (filter, filters): (usize, usize), entries: usize) -> bool {
        if self.tables.is_empty() {
            self.tables = self.arena.filled_list(filters, |_| None);
        }
        let table = &mut self.tables[filter];
        if table.is_none() {
            let size = self.size.saturating_add(entries);
            if size > MAX_KEPT_OUTCOMES {
                return false;
            }
            self.size = size;
            *table = Some(self.arena.slice(entries, None));
        }
        true
    }

    /// Keeps what a filter has found, if it has a table.
    #[inline]
    pub(super) fn set(&mut self, filter: usize, entry: usize, found: T) {
        if let Some(Some(table)) = self.tables.get_mut(filter)
            && let Some(slot) = table.get_mut(entry)
        {
            *slot = Some(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;

    #[test]
    fn the_tables_are_limited_in_sum() {
        let mut bump = Bump::new();
        let mut tables = NodeTables::new(Arena::renewed(&mut bump));
        let nodes = MAX_KEPT_OUTCOMES / 2;
        for filter in [3, 0, 7] {
            assert_eq!(tables.prepare((filter, 8), nodes), filter != 7);
            tables.set(filter, 5, filter);
        }
        assert_eq!([0, 3, 7].map(|filter| tables.get(filter, 5)), [Some(0), Some(3), None]);
        assert_eq!((tables.get(3, 6), tables.get(9, 5)), (None, None));
        drop(tables);
        let mut tables = NodeTables::new(Arena::renewed(&mut bump));
        assert_eq!(tables.get(0, 5), None);
        for (filter, nodes) in [(0, MAX_KEPT_OUTCOMES / 4 * 3), (1, MAX_KEPT_OUTCOMES / 4)] {
            assert!(tables.prepare((filter, 3), nodes));
            tables.set(filter, 5, 1);
            assert_eq!(tables.get(filter, 5), Some(1));
        }
        assert!(!tables.prepare((2, 3), 1));
        tables.set(2, 0, 1);
        assert_eq!(tables.get(2, 0), None);
    }
}
