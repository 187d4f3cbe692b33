//! The order in which lines are read: a variation waits until the lines around it are done.
//!
//! Waiting ones are kept on a stack, so that nodes come out in position-id order without being
//! moved, and no nest is too deep.

use super::line::LineEnd;
use super::{Needs, Reader};

/// A variation that waits for its turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    /// The text after its `(`.
    pub(super) at: usize,
    pub(super) parent: u32,
}

impl Reader {
    /// Replays the moves. Returns the end of the game.
    pub(super) fn moves(&mut self, text: &[u8], start: usize, needs: Needs) -> usize {
        let (line_end, at) = self.line(text, start, 0, true, needs);
        self.arena.main_len = self.arena.len;
        let end = if line_end == LineEnd::Complete { at } else { self.skip_to_result(text, at) };
        let mut full = line_end == LineEnd::Full;
        while let Some(variation) = self.pending.pop() {
            if full {
                break;
            }
            let (line_end, _) = self.line(text, variation.at, variation.parent, false, needs);
            full = line_end == LineEnd::Full;
        }
        end
    }

    /// Brings the variations of a finished line into the order in which they are popped: those
    /// of its last move first, variations of the same move in file order.
    pub(super) fn order_pending(&mut self, first: usize) {
        let mut from = first;
        let pending = &mut self.pending;
        while from < pending.len() {
            let parent = pending[from].parent;
            let same = pending[from..].iter().take_while(|other| other.parent == parent).count();
            pending[from..from + same].reverse();
            from += same;
        }
    }
}
