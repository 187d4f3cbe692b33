//! `nestban`: the positions at which a `line` or `path` may not start again in this game.

use babson_chess::Color;

use super::Run;

impl Run<'_, '_> {
    /// Whether the filter may not start at the current position.
    pub(super) fn is_banned(&self, ban: Option<u32>) -> bool {
        ban.is_some_and(|ban| {
            let marks = &self.state.bans[ban as usize];
            marks.get(self.here.node as usize).copied().unwrap_or(false)
        })
    }

    /// Marks the positions from `low` up to its ancestor `high`, both included; with `side` only
    /// those with that side to move.
    pub(super) fn ban(&mut self, ban: u32, low: u32, high: u32, side: Option<Color>) {
        let marks = &mut self.state.bans[ban as usize];
        if marks.len() < self.nodes.len() {
            let more = self.nodes.len() - marks.len();
            if marks.try_reserve(more).is_err() {
                self.state.overflow();
                return;
            }
            marks.resize(self.nodes.len(), false);
        }
        let mut at = low;
        loop {
            if side.is_none_or(|side| self.positions[at as usize].side() == side) {
                marks[at as usize] = true;
            }
            if at <= high {
                break;
            }
            at = self.nodes[at as usize].parent;
        }
    }
}
