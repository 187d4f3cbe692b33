//! The rows of tables in messages.

use crate::DamagedGame;

/// The place of a game in a table.
#[derive(Clone, Copy, Debug)]
pub struct RowName<'t> {
    /// The name of the table.
    pub table: &'t str,
    /// The number of the row, from 1.
    pub number: u64,
}

impl RowName<'_> {
    /// Makes the report of a game one of the table: the game, which has this number in its file,
    /// was not damaged there. The line is then the number of the row.
    pub fn blame(self, report: &mut DamagedGame, number: u64) {
        let input = std::mem::replace(&mut report.input, self.table.to_owned());
        let line = std::mem::replace(&mut report.line, self.number);
        report.reason = report.reason.clone().in_row(self.number, number, input, line);
    }
}
