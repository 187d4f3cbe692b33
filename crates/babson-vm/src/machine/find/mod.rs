//! `find`: the positions that it visits, and its comments.

mod once;

pub(super) use once::FoundFrom;

use super::{Run, Stop};
use crate::op::{Id, Pc, Register};
use crate::prefilter::Prefilter;

impl Run<'_, '_> {
    /// Registers: the next node, the end of the subtree, the number of hits, and how many hits
    /// outer searches have.
    pub(super) fn find_start(&mut self, state: Register, backward: bool) {
        let node = self.here.node;
        self.enter();
        let end = if backward { 0 } else { self.subtree_end(node) };
        self.state.registers[state] = u64::from(node);
        self.state.registers[state + 1] = u64::from(end);
        self.state.registers[state + 2] = 0;
        self.state.registers[state + 3] = self.state.hits.len() as u64;
    }

    /// Goes to the next position at which the prefilter holds; whether there is one. If not, leaves
    /// the search.
    #[inline]
    pub(super) fn find_next(
        &mut self,
        pc: Pc,
        state: Register,
        backward: bool,
        prefilter: Option<Id<Prefilter>>,
    ) -> Result<bool, Stop> {
        self.step(pc)?;
        let mut next = self.state.registers[state];
        if let Some(prefilter) =
            prefilter.and_then(|prefilter| self.program.code.prefilters.get(prefilter.index()))
        {
            let first = next;
            let passed = if backward {
                next = self.find_backward(prefilter, next);
                first.min(u64::from(u32::MAX)).saturating_sub(next)
            } else {
                let end = self.state.registers[state + 1] as usize;
                next = prefilter.next(self.boards(), next as usize..end) as u64;
                next - first
            };
            // Each position that the prefilter rejects costs a step: nested searches may reject
            // many.
            self.state.steps.pay(passed);
        }
        // A value above the greatest id says that the search has left the root.
        let ended = if backward {
            next > u64::from(u32::MAX)
        } else {
            next >= self.state.registers[state + 1]
        };
        if ended {
            self.leave();
            return Ok(false);
        }
        self.here = self.at(next as u32);
        self.state.registers[state] =
            if backward { self.parent(next as u32).map_or(u64::MAX, u64::from) } else { next + 1 };
        Ok(true)
    }

    /// The number of positions from here to the end of the subtree, or back to the first one.
    pub(super) fn nodes_to_find(&self, backward: bool) -> u32 {
        let node = self.here.node;
        match backward {
            true => u32::from(self.nodes[node as usize].ply) + 1,
            false => self.subtree_end(node) - node,
        }
    }

    /// The first of a node and its ancestors at which the prefilter holds; above `u32::MAX` if
    /// there is none.
    fn find_backward(&self, prefilter: &Prefilter, mut node: u64) -> u64 {
        let boards = self.boards();
        while (node as usize) < boards.positions.len() && !prefilter.holds(boards, node as usize) {
            node = self.parent(node as u32).map_or(u64::MAX, u64::from);
        }
        node
    }

    /// Writes `Found i of n` for the hits of the search that ends.
    pub(super) fn number_hits(&mut self, from: usize) {
        let count = self.state.hits.len().saturating_sub(from);
        for index in 0..count {
            let place = self.state.hits[from + index];
            let text = format!("Found {} of {count}", index + 1);
            let text = self.state.intern(text.as_bytes());
            if let Some(entry) = self.state.log.get_mut(place) {
                entry.text = text;
            }
        }
        self.state.hits.truncate(from);
    }
}
