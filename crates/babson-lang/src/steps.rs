//! How much work a query makes.

use babson_chess::VariantNames;

use crate::dialect::Dialect;
use crate::limits::{MAX_COPIED, MAX_READING_STEPS_A_BYTE, MIN_READING_STEPS};
use crate::parse::Parts;

/// Work of the front end, counted: the same text makes the same work on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// Lexemes found.
    pub lexed: usize,
    /// Tokens handed to the grammar, again for each reading that was tried.
    pub parsed: usize,
    /// Expressions typed, bodies of functions again for each call, and all again for each reading.
    pub typed: usize,
    /// Nodes of the copies that transforms made.
    pub copied: usize,
}

impl Steps {
    /// All of it.
    pub fn total(self) -> usize {
        self.lexed + self.parsed + self.typed + self.copied
    }

    /// Whether another reading of the ambiguous tokens of a text may be tried.
    pub(crate) fn may_read_again(self, bytes: usize) -> bool {
        let limit = bytes.saturating_mul(MAX_READING_STEPS_A_BYTE);
        self.copied < MAX_COPIED && self.total() - self.copied < limit.max(MIN_READING_STEPS)
    }
}

/// The work that [`analyse`](crate::sema::analyse) does for a query, whether it is sound or not.
///
/// ```
/// use babson_lang::{Dialect, count_steps};
///
/// let (once, twice) = ("cql() K attacks q", "cql() K attacks q K attacks q");
/// let once = count_steps(once, Dialect::CQLI).total();
/// let twice = count_steps(twice, Dialect::CQLI).total();
/// assert!(once < twice && twice <= 2 * once);
/// ```
pub fn count_steps(text: &str, dialect: Dialect) -> Steps {
    let mut steps = Steps::default();
    if crate::cql3::begins_query(text) {
        drop(crate::cql3::analyse_counted(text, &mut steps));
    } else {
        let (parts, variants) = (Parts::whole(text), VariantNames::default());
        drop(crate::sema::settle(text, &parts, dialect, &variants, &mut steps));
    }
    steps
}
