//! Lists of moves.

use crate::Move;

/// A list of moves that lives on the stack; only boards with more than 256 moves need the heap.
#[derive(Clone, Debug)]
pub struct MoveList {
    len: usize,
    inline: [Move; 256],
    spilled: Vec<Move>,
}

impl MoveList {
    /// An empty list.
    pub fn new() -> MoveList {
        MoveList { len: 0, inline: [Move::NULL; 256], spilled: Vec::new() }
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
        if self.len <= 256 { &self.inline[..self.len] } else { &self.spilled }
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
