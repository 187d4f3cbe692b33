//! The limits of the crate, each with its reason.

/// Compiled queries that a function keeps. A server may see any number of different ones; a plan
/// keeps the queries that it needs itself.
pub(crate) const MAX_QUERIES: usize = 256;

/// The least rows of a table that a partition is made for. Fewer are read faster than a task is
/// started.
pub(crate) const MIN_PARTITION_ROWS: u64 = 1024;
