//! How a `line` or a `path` goes on best from a state at a node.
//!
//! If the constituents depend on the node only, the best continuation does not depend on where the
//! search began. Then each is found once a game, in the order in which a search of its own would
//! look at it.

use super::Run;

/// The best way on from a state at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Continuation {
    /// What is to be greatest: the length, or the value at the end.
    pub(super) value: i32,
    /// The positions of a line, or the moves of a path.
    pub(super) len: i32,
    /// The last position, or [`NO_END`].
    end: u32,
}

const NO_END: u32 = u32::MAX;

/// The continuation from where the search can go no further.
pub(super) const NO_WAY: Continuation = Continuation { value: i32::MIN, len: 0, end: NO_END };

impl Default for Continuation {
    fn default() -> Continuation {
        NO_WAY
    }
}

impl Continuation {
    /// A way that ends at the node.
    pub(super) fn ending(value: i32, len: i32, node: u32) -> Continuation {
        Continuation { value, len, end: node }
    }

    /// The last position, if there is a way.
    pub(super) fn end(self) -> Option<u32> {
        (self.end != NO_END).then_some(self.end)
    }

    pub(super) fn exists(self) -> bool {
        self.end != NO_END
    }

    /// Replaces the way by a better one. The first of several that are equal stays.
    pub(super) fn improve(&mut self, other: Continuation) {
        if other.exists() && (!self.exists() || other.value > self.value) {
            *self = other;
        }
    }
}

impl Run<'_, '_> {
    /// Makes the table of the continuations of a filter with this number of states, which has a
    /// place for each pair of a state and a node. Returns `false` if the table would be too large.
    pub(super) fn prepare_continuations(&mut self, filter: usize, states: usize) -> bool {
        let entries = states.saturating_mul(self.nodes.len());
        self.state.carryover.continuations.prepare(filter, entries)
    }

    #[inline]
    pub(super) fn continuation(
        &self,
        filter: usize,
        state: u32,
        node: u32,
    ) -> Option<Continuation> {
        self.state.carryover.continuations.get(filter, self.pair(state, node))
    }

    #[inline]
    pub(super) fn keep_continuation(
        &mut self,
        filter: usize,
        (state, node): (u32, u32),
        found: Continuation,
    ) {
        let pair = self.pair(state, node);
        self.state.carryover.continuations.set(filter, pair, found);
    }

    #[inline]
    fn pair(&self, state: u32, node: u32) -> usize {
        state as usize * self.nodes.len() + node as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_best_ways_stays() {
        let mut best = NO_WAY;
        best.improve(NO_WAY);
        assert_eq!(best.end(), None);
        for (value, node, end) in [(-3, 1, 1), (-3, 2, 1), (7, 3, 3), (7, 4, 3), (6, 5, 3)] {
            best.improve(Continuation::ending(value, 1, node));
            assert_eq!(best.end(), Some(end));
        }
    }
}
