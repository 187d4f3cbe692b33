//! How much work the front end does for a query.

use crate::limits::{MAX_COPIED, MAX_READING_STEPS_A_BYTE, MIN_READING_STEPS};

/// Counts of the front end's work. They depend on the text alone, not on the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// Lexemes found.
    pub lexed: usize,
    /// Tokens given to the parser. Each reading of an ambiguous token counts them again.
    pub parsed: usize,
    /// Children of the nodes that the parser makes, for each node that is made of them. The limits
    /// of the other counts bound it, so it is not one of the [total](Steps::total).
    pub built: usize,
    /// Expressions typed. Each call counts the body of its function again, each reading everything.
    pub typed: usize,
    /// Nodes of the copies that transforms made.
    pub copied: usize,
}

impl Steps {
    /// The sum of the counts that limits bound.
    pub fn total(self) -> usize {
        self.lexed + self.parsed + self.typed + self.copied
    }

    /// Whether another reading of the ambiguous tokens of a text may be tried.
    pub(crate) fn may_read_again(self, bytes: usize) -> bool {
        let limit = bytes.saturating_mul(MAX_READING_STEPS_A_BYTE);
        self.copied < MAX_COPIED && self.total() - self.copied < limit.max(MIN_READING_STEPS)
    }
}
