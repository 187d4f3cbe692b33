//! The order in which the lines of a game are read, with a stack of variations that are still to be
//! read.

use super::Reader;
use super::line::LineEnd;
use crate::needs::Needs;

impl Reader {
    /// Replays the moves. Returns the end of the game.
    /// `one_result` says whether it is known that no result is before the end.
    pub(super) fn moves(
        &mut self,
        text: &[u8],
        start: usize,
        needs: Needs,
        one_result: bool,
    ) -> usize {
        let (line_end, at) = self.line(text, start, 0, true, needs);
        self.arena.main_len = self.arena.len;
        let end = match line_end {
            LineEnd::Complete => at,
            LineEnd::Damaged | LineEnd::Full => self.skip_to_result(text, at),
            LineEnd::Cut => {
                (self.arena.whole, self.arena.cut) = (false, true);
                self.result_only(text, at, one_result)
            }
        };
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

    /// Orders the pending variations of a line, which begin at `first`, so that the reader pops the
    /// variations of the last move first, and variations of the same move in file order.
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
