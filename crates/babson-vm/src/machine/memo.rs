//! A record of what a search has tried.

use std::collections::HashSet;

use crate::limits::MAX_MEMO_STAMPS;

/// Which (state, node) pairs a search has tried.
#[derive(Clone, Debug, Default)]
pub(super) struct Memo {
    stamps: Vec<u32>,
    stamp: u32,
    nodes: usize,
    /// Replaces the stamps if there would be too many.
    sparse: Option<HashSet<u64>>,
}

impl Memo {
    /// Forgets everything.
    pub(super) fn start(&mut self, states: usize, nodes: usize) {
        self.nodes = nodes;
        let size = states.saturating_mul(nodes);
        if size > MAX_MEMO_STAMPS {
            self.sparse.get_or_insert_default().clear();
            return;
        }
        self.sparse = None;
        if self.stamps.len() < size {
            self.stamps.resize(size, 0);
        }
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(0);
            self.stamp = 1;
        }
    }

    /// Records the pair; whether it is new.
    #[inline]
    pub(super) fn is_new(&mut self, state: u32, node: u32) -> bool {
        if let Some(seen) = &mut self.sparse {
            return seen.insert(u64::from(state) << 32 | u64::from(node));
        }
        let place = state as usize * self.nodes + node as usize;
        match self.stamps.get_mut(place) {
            Some(stamp) if *stamp != self.stamp => {
                *stamp = self.stamp;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Memo;

    #[test]
    fn a_pair_is_new_once_in_each_search() {
        for (states, nodes) in [(3, 5), (100_000, 1_000)] {
            let mut memo = Memo::default();
            for _ in 0..2 {
                memo.start(states, nodes);
                assert!(memo.is_new(2, 4) && memo.is_new(2, 3) && memo.is_new(1, 4));
                assert!(!memo.is_new(2, 4) && !memo.is_new(2, 3) && !memo.is_new(1, 4));
            }
        }
    }
}
