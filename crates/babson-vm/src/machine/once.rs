//! Filters that are evaluated once a game or once a position (see `compile::once`).

use bumpalo::collections::Vec as Bumped;

use super::arena::Arena;
use super::{Run, Stop};
use crate::limits::MAX_KEPT_OUTCOMES;
use crate::op::{EntryPoint, Id, OnceSpec};

/// The outcome of a filter.
#[derive(Clone, Copy, Debug)]
pub(super) enum OnceResult {
    Fail,
    /// With its value, if that was asked for.
    Match(u64),
}

/// The tables of outcomes at the positions of a game, for each filter that has been evaluated.
pub(super) struct PositionOutcomes<'m> {
    arena: Arena<'m>,
    tables: Bumped<'m, Option<OutcomeTable<'m>>>,
    /// The number of outcomes that all tables have room for.
    size: usize,
}

/// The outcomes of one filter, by node.
type OutcomeTable<'m> = &'m mut [Option<OnceResult>];

impl<'m> PositionOutcomes<'m> {
    pub(super) fn new(arena: Arena<'m>) -> PositionOutcomes<'m> {
        PositionOutcomes { arena, tables: arena.list(), size: 0 }
    }

    fn get(&self, filter: usize, node: usize) -> Option<OnceResult> {
        *self.tables.get(filter)?.as_ref()?.get(node)?
    }

    /// Keeps the outcome of one of the `filters` at one of the `nodes`, unless there is no room for
    /// a table of that filter.
    fn set(
        &mut self,
        (filter, filters): (usize, usize),
        (node, nodes): (usize, usize),
        outcome: OnceResult,
    ) {
        if self.tables.is_empty() {
            self.tables = self.arena.filled_list(filters, |_| None);
        }
        let size = self.size.saturating_add(nodes);
        let table = match &mut self.tables[filter] {
            Some(table) => table,
            None if size > MAX_KEPT_OUTCOMES => return,
            table => {
                self.size = size;
                table.insert(self.arena.slice(nodes, None))
            }
        };
        if let Some(slot) = table.get_mut(node) {
            *slot = Some(outcome);
        }
    }
}

impl Run<'_, '_> {
    /// Evaluates a filter for the first time in the game.
    #[cold]
    #[inline(never)]
    pub(super) fn once_in_game(&mut self, filter: Id<OnceSpec>) -> Result<OnceResult, Stop> {
        let outcome = self.evaluate_once(filter)?;
        self.state.once[filter.index()] = Some(outcome);
        Ok(outcome)
    }

    /// The outcome of a filter at the current position, which is kept if the board is the node's
    /// own.
    pub(super) fn once_at_position(&mut self, filter: Id<OnceSpec>) -> Result<OnceResult, Stop> {
        if !self.is_own() {
            return self.evaluate_once(filter);
        }
        let node = self.here.node as usize;
        if let Some(outcome) = self.state.outcomes.get(filter.index(), node) {
            return Ok(outcome);
        }
        let outcome = self.evaluate_once(filter)?;
        let filters = self.state.once.len();
        let nodes = self.nodes.len();
        self.state.outcomes.set((filter.index(), filters), (node, nodes), outcome);
        Ok(outcome)
    }

    fn evaluate_once(&mut self, filter: Id<OnceSpec>) -> Result<OnceResult, Stop> {
        let spec = self.program.code.once[filter];
        if !self.call(spec.entry)? {
            return Ok(OnceResult::Fail);
        }
        if spec.text {
            self.state.kept_text = self.state.text.len();
        }
        Ok(OnceResult::Match(self.state.registers[spec.value]))
    }

    /// Whether the game passes a test that it must pass to match; none if the test reached a limit.
    /// Then the state must be made anew, since the query itself may not reach the limit. The steps
    /// of the test do not count.
    pub(super) fn passes(&mut self, entry: Option<Id<EntryPoint>>) -> Option<bool> {
        let Some(entry) = entry else { return Some(true) };
        let (steps, mark) = (self.state.steps, self.state.mark());
        match self.call(entry) {
            Ok(passed) if !self.state.full => {
                self.state.steps = steps;
                self.state.roll_back(mark, true);
                Some(passed)
            }
            Ok(_) | Err(Stop) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;

    #[test]
    fn outcomes_are_limited_in_sum() {
        let value = |outcomes: &PositionOutcomes<'_>, filter, node| match outcomes.get(filter, node)
        {
            Some(OnceResult::Match(value)) => Some(value),
            Some(OnceResult::Fail) | None => None,
        };
        let mut bump = Bump::new();
        let mut outcomes = PositionOutcomes::new(Arena::renewed(&mut bump));
        let nodes = MAX_KEPT_OUTCOMES / 2;
        for filter in [3, 0, 7] {
            outcomes.set((filter, 8), (5, nodes), OnceResult::Match(filter as u64));
        }
        let found = [0, 3, 7].map(|filter| value(&outcomes, filter, 5));
        assert_eq!(found, [Some(0), Some(3), None]);
        assert_eq!((value(&outcomes, 3, 6), value(&outcomes, 9, 5)), (None, None));
        drop(outcomes);
        let mut outcomes = PositionOutcomes::new(Arena::renewed(&mut bump));
        assert_eq!(value(&outcomes, 0, 5), None);
        for (filter, nodes) in [(0, MAX_KEPT_OUTCOMES / 4 * 3), (1, MAX_KEPT_OUTCOMES / 4)] {
            outcomes.set((filter, 3), (5, nodes), OnceResult::Match(1));
            assert_eq!(value(&outcomes, filter, 5), Some(1));
        }
        outcomes.set((2, 3), (0, 1), OnceResult::Match(1));
        assert_eq!(value(&outcomes, 2, 0), None);
    }
}
