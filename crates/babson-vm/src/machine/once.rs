//! Filters that are evaluated once a game or once a position (see `compile::once`).

use super::{Run, Stop};

/// What a filter came to.
#[derive(Clone, Copy, Debug)]
pub(super) enum OnceResult {
    Fail,
    /// With its value, if that was asked for.
    Match(u64),
}

impl Run<'_, '_> {
    /// Evaluates a filter for the first time in the game.
    #[cold]
    #[inline(never)]
    pub(super) fn once_in_game(&mut self, index: u16) -> Result<OnceResult, Stop> {
        let outcome = self.evaluate_once(index)?;
        self.state.once[usize::from(index)] = Some(outcome);
        Ok(outcome)
    }

    /// The outcome of a filter at the current position: on a node's own board it is kept.
    pub(super) fn once_at_position(&mut self, index: u16) -> Result<OnceResult, Stop> {
        if !self.is_own() {
            return self.evaluate_once(index);
        }
        let node = self.here.node as usize;
        let known = self.state.once_at[usize::from(index)].get(node);
        if let Some(&Some(outcome)) = known {
            return Ok(outcome);
        }
        let outcome = self.evaluate_once(index)?;
        let (len, outcomes) = (self.nodes.len(), &mut self.state.once_at[usize::from(index)]);
        if outcomes.is_empty() && outcomes.try_reserve_exact(len).is_ok() {
            outcomes.resize(len, None);
        }
        if let Some(slot) = outcomes.get_mut(node) {
            *slot = Some(outcome);
        }
        Ok(outcome)
    }

    fn evaluate_once(&mut self, index: u16) -> Result<OnceResult, Stop> {
        let spec = self.program.code.once[usize::from(index)];
        if !self.execute(spec.entry as usize)? {
            return Ok(OnceResult::Fail);
        }
        if spec.text {
            self.state.kept_text = self.state.text.len();
        }
        Ok(OnceResult::Match(self.state.registers[usize::from(spec.value)]))
    }

    /// Whether the game passes a test without which it cannot match. What it takes does not count:
    /// the test comes but once, and where it takes too long the query itself comes upon it.
    pub(super) fn passes(&mut self, entry: Option<u32>) -> bool {
        let Some(entry) = entry else { return true };
        let steps = self.state.steps;
        let passed = self.execute(entry as usize);
        self.state.steps = steps;
        match passed {
            Ok(passed) => passed || self.state.full,
            Err(Stop) => {
                self.state.error = None;
                true
            }
        }
    }
}
