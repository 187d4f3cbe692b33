//! Filters that are evaluated once a game or once a position (see `compile::once`).

use super::state::{KEPT_MEMORY, reserve_within};
use super::{Run, Stop};
use crate::compile::OnceSpec;
use crate::limits::MAX_KEPT_OUTCOMES;
use crate::op::{EntryPoint, Id};

/// What a filter came to.
#[derive(Clone, Copy, Debug)]
pub(super) enum OnceResult {
    Fail,
    /// With its value, if that was asked for.
    Match(u64),
}

/// The outcomes at the positions of a game, for each filter one after the other.
#[derive(Debug, Default)]
pub(super) struct PositionOutcomes {
    /// Where those of each filter begin, once there are any.
    starts: Vec<Option<usize>>,
    outcomes: Vec<Option<OnceResult>>,
}

impl PositionOutcomes {
    /// Forgets all outcomes: another game begins.
    pub(super) fn clear(&mut self) {
        self.starts.clear();
        if self.outcomes.capacity() * size_of::<Option<OnceResult>>() > KEPT_MEMORY {
            self.outcomes = Vec::new();
        } else {
            self.outcomes.clear();
        }
    }

    fn get(&self, filter: usize, node: usize) -> Option<OnceResult> {
        let start = (*self.starts.get(filter)?)?;
        *self.outcomes.get(start + node)?
    }

    /// Keeps the outcome of a filter at one of the nodes, unless there is no room for all of them.
    fn set(&mut self, filter: usize, node: usize, nodes: usize, outcome: OnceResult) {
        if self.starts.len() <= filter {
            self.starts.resize(filter + 1, None);
        }
        let start = match self.starts[filter] {
            Some(start) => start,
            None => {
                let start = self.outcomes.len();
                if start.saturating_add(nodes) > MAX_KEPT_OUTCOMES {
                    return;
                }
                reserve_within(&mut self.outcomes, nodes, MAX_KEPT_OUTCOMES);
                self.outcomes.resize(start + nodes, None);
                *self.starts[filter].insert(start)
            }
        };
        if let Some(slot) = self.outcomes.get_mut(start + node) {
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

    /// The outcome of a filter at the current position: on a node's own board it is kept.
    pub(super) fn once_at_position(&mut self, filter: Id<OnceSpec>) -> Result<OnceResult, Stop> {
        if !self.is_own() {
            return self.evaluate_once(filter);
        }
        let node = self.here.node as usize;
        if let Some(outcome) = self.state.kept.outcomes.get(filter.index(), node) {
            return Ok(outcome);
        }
        let outcome = self.evaluate_once(filter)?;
        self.state.kept.outcomes.set(filter.index(), node, self.nodes.len(), outcome);
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

    /// Whether the game passes a test without which it cannot match; nothing if the test reached a
    /// limit. Then the query itself may reach it, or not come upon what did, and the state is to be
    /// made anew. What the test takes does not count: it comes only once.
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
    use super::*;

    #[test]
    fn outcomes_are_limited_in_sum() {
        let mut outcomes = PositionOutcomes::default();
        let nodes = MAX_KEPT_OUTCOMES / 2;
        let value = |filter: &PositionOutcomes, index, node| match filter.get(index, node) {
            Some(OnceResult::Match(value)) => Some(value),
            Some(OnceResult::Fail) | None => None,
        };
        for filter in [3, 0, 7] {
            outcomes.set(filter, 5, nodes, OnceResult::Match(filter as u64));
        }
        let found = [0, 3, 7].map(|filter| value(&outcomes, filter, 5));
        assert_eq!(found, [Some(0), Some(3), None]);
        assert_eq!((value(&outcomes, 3, 6), value(&outcomes, 9, 5)), (None, None));
        outcomes.clear();
        assert_eq!(value(&outcomes, 0, 5), None);
        for (filter, nodes) in [(0, MAX_KEPT_OUTCOMES / 4 * 3), (1, MAX_KEPT_OUTCOMES / 4)] {
            outcomes.set(filter, 5, nodes, OnceResult::Match(1));
            assert_eq!(value(&outcomes, filter, 5), Some(1));
            assert!(outcomes.outcomes.capacity() <= MAX_KEPT_OUTCOMES);
        }
        outcomes.clear();
        assert!(outcomes.outcomes.capacity() * size_of::<Option<OnceResult>>() <= KEPT_MEMORY);
    }
}
