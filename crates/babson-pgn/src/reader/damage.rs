//! Collecting the damages of a game.

use super::Reader;
use crate::damage::{Damage, DamageReason};
use crate::limits::MAX_REPORTS;

impl Reader {
    /// Adds a damage.
    pub(super) fn damage(
        &mut self,
        start: usize,
        end: usize,
        reason: DamageReason,
        main_line: bool,
    ) {
        // After many damages, only those that lose moves of the main line are reported.
        if self.arena.damages.len() >= MAX_REPORTS
            && !(main_line && reason.ends_line() && self.arena.damages.len() < 2 * MAX_REPORTS)
        {
            return;
        }
        self.arena.damages.push(Damage { start, end, reason, main_line });
    }
}
