//! Lists of moves.

use crate::Move;
use crate::limits::MAX_INLINE_MOVES;

/// A list of moves. It takes memory from the heap only for boards with more than 256 moves.
#[derive(Clone, Debug)]
pub struct MoveList {
    len: usize,
    inline: [Move; MAX_INLINE_MOVES],
    spilled: Vec<Move>,
}

impl MoveList {
    /// An empty list.
    pub fn new() -> MoveList {
        MoveList { len: 0, inline: [Move::NULL; MAX_INLINE_MOVES], spilled: Vec::new() }
    }

    /// Adds a move.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        if let Some(slot) = self.inline.get_mut(self.len) {
            *slot = mv;
        } else {
            if self.spilled.is_empty() {
                self.spilled.extend_from_slice(&self.inline);
            }
            self.spilled.push(mv);
        }
        self.len += 1;
    }

    /// The moves in the order of generation.
    pub fn as_slice(&self) -> &[Move] {
        if self.len <= MAX_INLINE_MOVES { &self.inline[..self.len] } else { &self.spilled }
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl std::ops::Deref for MoveList {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}
