//! Playing one move on the careful path.

use babson_chess::{Move, Position, SanError, san};

use super::Reader;
use crate::arena::CommentRange;
use crate::damage::DamageReason;
use crate::node::Node;

impl Reader {
    /// Plays one move on the careful path. Returns the id of the new node.
    // Not inlined, so that the loop for plain text stays small.
    #[inline(never)]
    pub(super) fn play(
        &mut self,
        text: &[u8],
        range: (usize, usize),
        last: u32,
        parent: u32,
        main: bool,
    ) -> Result<u32, DamageReason> {
        let position = self.arena.positions[last as usize];
        let read = san::read(&position, &self.arena.rules, &text[range.0..range.1]);
        let read = read.map_err(|error| match error {
            SanError::Ambiguous => DamageReason::AmbiguousMove,
            SanError::IllegalMove | SanError::Unreadable => DamageReason::IllegalMove,
        })?;
        if read.without_right {
            self.damage(range.0, range.1, DamageReason::CastlingWithoutRight, main);
        }
        let next = position.make(read.mv, &self.arena.rules);
        self.push(read.mv, next, last, last == parent && !main)
    }

    /// Appends a node after `last`. `head`: it is the first move of a variation.
    fn push(
        &mut self,
        mv: Move,
        next: Position,
        last: u32,
        head: bool,
    ) -> Result<u32, DamageReason> {
        let id = self.arena.len;
        if id >= self.max_positions {
            return Err(DamageReason::TooManyPositions);
        }
        let arena = &mut self.arena;
        arena.grow(id + 1);
        let before = arena.nodes[last as usize];
        let Some(ply) = before.ply.checked_add(1) else {
            return Err(DamageReason::LineTooLong);
        };
        let (mut depth, mut sibling) = (before.depth, 0);
        if head {
            // Until the tree is complete, `subtree_end` counts the variations of a node.
            let count = &mut arena.nodes[last as usize].subtree_end;
            *count += 1;
            sibling = u16::try_from(*count).unwrap_or(u16::MAX);
            depth = depth.saturating_add(1);
            for (start, end) in self.before.drain(..) {
                let (start, end) = (start as u32, end as u32);
                arena.comments.push(CommentRange { node: id as u32, start, end, before: true });
            }
        }
        arena.positions[id] = next;
        arena.nodes[id] = Node { parent: last, subtree_end: 0, mv, depth, sibling, ply };
        arena.len = id + 1;
        Ok(id as u32)
    }
}
