//! Damage is collected, not thrown: a game is as good as it can be read.

use super::Reader;
use crate::damage::{Damage, Reason};

/// The number of damages of one game that are reported one by one.
pub(super) const MAX_REPORTS: usize = 1000;

impl Reader {
    pub(super) fn damage(&mut self, start: usize, end: usize, reason: Reason, main_line: bool) {
        // After so many, only what costs moves is worth a report.
        if self.arena.damages.len() >= MAX_REPORTS
            && !(main_line && reason.ends_line() && self.arena.damages.len() < 2 * MAX_REPORTS)
        {
            return;
        }
        self.arena.damages.push(Damage { start, end, reason, main_line });
    }
}
