//! The limits of the crate, each with its reason.

/// Texts of a query that are looked for in tags in other capitals. A search for more of them has
/// other reasons to find nothing.
#[cfg(feature = "engine")]
pub(crate) const MAX_TEXTS: usize = 8;

/// Damaged games that a search keeps for its caller. The others are counted.
pub(crate) const MAX_KEPT_DAMAGED: usize = 1000;

/// The seed of a [sample](crate::Scan::sample) if nobody chooses one: the same search gives the
/// same sample.
#[cfg(feature = "engine")]
pub const DEFAULT_SEED: u64 = 0;
