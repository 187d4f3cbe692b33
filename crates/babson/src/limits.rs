//! The limits of the crate, each with its reason.

use std::time::Duration;

/// Texts of a query that are looked for in tags in other capitals. A search for more of them has
/// other reasons to find nothing.
#[cfg(feature = "engine")]
pub(crate) const MAX_TEXTS: usize = 8;

/// The seed of a [sample](crate::Task::sample) if nobody chooses one: the same search gives the
/// same sample.
#[cfg(feature = "engine")]
pub const DEFAULT_SEED: u64 = 0;

/// Steps of a game of an [untrusted](crate::QueryBuilder::untrusted) query: a tenth of the default,
/// less than a second.
pub(crate) const UNTRUSTED_STEPS: u64 = 5_000_000;

/// Bytes that a game of an untrusted query may make, and bytes of the dictionary entries of all
/// games.
pub(crate) const UNTRUSTED_MEMORY: usize = 16 << 20;

/// The time of a run of an untrusted query: as long as somebody waits for a page.
pub(crate) const UNTRUSTED_TIME: Duration = Duration::from_secs(10);

/// Entries of the book that the help of a word prints.
pub const MAX_HELP_ENTRIES: usize = 6;
