//! `zobristkey`. The key of a position of the game is computed from the key of its parent; an
//! imagined or saved board is hashed as a whole.

use babson_chess::zobrist;
use bumpalo::collections::Vec as Bumped;

use super::Run;
use super::arena::Arena;
use super::dictionary::hexadecimal;

/// The keys of the current game that have been made.
pub(super) struct Keys<'m> {
    /// The placements of the first positions, by id.
    placements: Bumped<'m, u64>,
    /// The stamp of the board whose key was asked for last, and that key: most queries ask twice.
    last: Option<(u64, u64)>,
}

impl<'m> Keys<'m> {
    pub(super) fn new(arena: Arena<'m>) -> Keys<'m> {
        Keys { placements: arena.list(), last: None }
    }
}

impl Run<'_, '_> {
    /// The text of the current board's key.
    pub(super) fn zobrist_text(&mut self) -> u64 {
        let key = self.zobrist_key();
        self.state.intern(&hexadecimal::write(key))
    }

    /// The current board's key.
    #[inline(always)]
    pub(super) fn zobrist_key(&mut self) -> u64 {
        match self.state.keys.last {
            Some((known, key)) if known == self.here.stamp => key,
            _ => self.new_key(),
        }
    }

    fn new_key(&mut self) -> u64 {
        let key = if self.is_own() {
            let placement = self.placement(self.here.node as usize);
            zobrist::of_placement(placement, &self.here.board)
        } else {
            zobrist::key(&self.here.board)
        };
        self.state.keys.last = Some((self.here.stamp, key));
        key
    }

    fn placement(&mut self, node: usize) -> u64 {
        let known = &mut self.state.keys.placements;
        if known.is_empty() {
            *known = self.state.arena.sized_list(self.nodes.len());
            known.push(zobrist::placement(&self.positions[0]));
        }
        for next in known.len()..=node {
            let parent = self.nodes[next].parent as usize;
            let (before, after) = (&self.positions[parent], &self.positions[next]);
            known.push(zobrist::placement_after(known[parent], before, after));
        }
        known[node]
    }
}
