//! Filters that are evaluated once a game or once a position (see `compile::once`).

use super::{Run, Stop};
use crate::op::{EntryPoint, Id, OnceSpec};

/// The outcome of a filter.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum OnceResult {
    #[default]
    Fail,
    /// With its value, if that was asked for.
    Match(u64),
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
        if let Some(outcome) = self.state.carryover.outcomes.get(filter.index(), node) {
            return Ok(outcome);
        }
        let outcome = self.evaluate_once(filter)?;
        let outcomes = &mut self.state.carryover.outcomes;
        outcomes.prepare(filter.index(), self.nodes.len());
        outcomes.set(filter.index(), node, outcome);
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
